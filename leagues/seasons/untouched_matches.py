"""Matches that were never well begun, which a substitute can play for a player who has left."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from games.models import Game, Status
from leagues.models import Fixture, Match


def find_untouched_matches(matches: QuerySet[Match], players: Collection[int]) -> list[tuple[Match, int]]:
    """Return those of *matches* in which no game of *players*, by primary key, was well begun, each with the
    player; twice where two of them meet. Matches on which a later draw rests are left out. Five queries at
    most."""
    theirs = matches.filter(seats__player__in=players).distinct().order_by("pk")
    theirs = theirs.select_related("division__season")
    return [
        (match, seat.player_id)
        for match in theirs.prefetch_related("seats", "fixtures__game__seats")
        for seat in match.seats.all()
        if seat.player_id in players and is_untouched(match, seat.player_id)
    ]


def is_untouched(match: Match, player: int) -> bool:
    """Return whether another player could play *match* in the place of *player*."""
    division = match.division
    if division.format.has_drawn_on(match):
        return False
    return all(_never_begun(fixture, player) for fixture in match.fixtures.all())


def _never_begun(fixture: Fixture, player: int) -> bool:
    if fixture.settled_by_id is not None:
        return False
    if fixture.seats is not None:
        ranks = {seat["player"]: seat["rank"] for seat in fixture.seats}
        nobody_played = all(seat["forfeit"] for seat in fixture.seats)
        return nobody_played and ranks.get(player, 0) == len(ranks)
    game: Game | None = fixture.game
    if game is None or game.status != Status.ABORTED:
        return False
    return any(seat.left for seat in game.seats.all() if seat.player_id == player)
