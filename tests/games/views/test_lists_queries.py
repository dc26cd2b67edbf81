"""Tests that every list runs as many queries for fifty rows as for five."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games.models import FollowedPlayer, Seat, SeatState
from ratings.models import Pool, Rating
from ratings.skill import LEAST_GAMES
from tests.games.factories import (
    copy_game,
    heart_beats,
    make_game,
    make_player,
    make_players,
    make_table,
    new_process,
    play_turns,
)

from .listed import finished_game

pytestmark = pytest.mark.django_db
FEW, MANY = 5, 50
LISTS = {
    "my games": "/games/",
    "my games, chosen": "/games/?text=a&sort=name",
    "a player": "/players/Anna/",
    "somebody else": "/players/Bruno/",
    "lobby": "/lobby/",
    "lobby, soonest full": "/lobby/?sort=full",
    "lobby, shortest time": "/lobby/?sort=fast",
    "archive": "/archive/",
    "archive of a player": "/archive/?player=anna",
    "archive of two": "/archive/?player=anna&against=bruno",
    "seats": "/seats/",
    "people": "/players/?q=member",
    "people one knows": "/players/",
    "leaderboard": "/ratings/",
    "leagues": "/leagues/",
}


def fill(number: int, known: list[Any]) -> None:
    """Let there be so many of everything that lists show; *known* are the patterns."""
    now = timezone.now()
    if not known:
        known += [play_turns(make_game(now=now), 2, now=now), finished_game(), make_table(now=now)]
        offered = make_game(seats=3, now=now)
        Seat.objects.filter(game=offered, index=2).update(state=SeatState.OFFERED, player=make_player("Gone"))
        known.append(offered)
    anna = Player.objects.get(username="Anna")
    more = number - len(Player.objects.filter(username__startswith="Member"))
    for game in known:
        copy_game(game, more)
    for _ in range(more):
        member = make_player(f"Member{Player.objects.count()}")
        FollowedPlayer.objects.create(player=anna, followed=member, since=now)
        Rating.objects.create(
            player=member,
            pool=Pool.DUEL,
            mu=25 + member.pk,
            sigma=2,
            games=LEAST_GAMES,
            ended=now,
            settled_until=now + timedelta(days=9),
        )


@pytest.mark.parametrize("who", ["Anna", "Zoe", ""])
def test_ask_as_many_queries_for_fifty_as_for_five(client: Client, who: str) -> None:
    heart_beats(timezone.now())
    make_players(3)
    make_player("Zoe")
    if who:
        client.force_login(Player.objects.get(username=who))
    known: list[Any] = []
    counted = []
    for number in (FEW, MANY):
        fill(number, known)
        counts = {}
        for name, address in LISTS.items():
            caches["searches"].clear()
            client.get(address)  # a session and what is kept of the release
            new_process()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code in (200, 302)
            counts[name] = len(queries)
        counted.append(counts)
    assert counted[0] == counted[1]
    assert max(counted[1].values()) <= 14
