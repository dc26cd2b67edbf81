"""Temporary site for the benchmarks, set up as a public one, with games to measure."""

from __future__ import annotations

import os
import random
from datetime import datetime, timedelta
from functools import cache

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"  # settings of a public site, in a temporary folder
for service in ("DATABASE_URL", "REDIS_URL"):
    os.environ.pop(service, None)

import django

django.setup()

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import heartbeat, play, tables
from games.models import Game, Status
from games.play import positions
from games.rules import RuleSet
from games.tables.presets import PRESETS
from games.tables.settings import TableSettings

NAMES = ("Anna", "Bruno", "Clara", "David", "Emma", "Felix")


@cache
def open_site() -> None:
    """A database and players, once for all benchmarks of a run.

    :raises RuntimeError: another module has chosen the settings, perhaps with a database that is in use
    """
    if connection.settings_dict["NAME"] != str(settings.DATA_DIR / "carcassonne.sqlite3"):
        raise RuntimeError("benchmarks.site is to be imported before whatever sets Django up")
    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    for name in NAMES:
        player = Player.objects.create_user(name, f"{name.lower()}@example.org")
        EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)


def standard(now: datetime | None = None) -> Game:
    """Play a game of three until all 72 tiles of the base game but the last are on the board."""
    return _played(RuleSet.of(seats=3), now or timezone.now(), left=0)


def everything(now: datetime | None = None, *, left: int = 1) -> Game:
    """Play a game of six with every set that goes together, to about 170 tiles; or with more *left*."""
    return _played(PRESETS["everything"].rules(seats=6), now or timezone.now(), left=left)


def middle(now: datetime | None = None) -> Game:
    """Play a game of two until half of the 72 tiles are on the board."""
    return _played(RuleSet.of(seats=2), now or timezone.now(), left=36)


def play_on(game: Game) -> Game:
    """Play another legal turn of *game*; it can't be undone."""
    position = positions.load_position(game)
    now = timezone.now()
    heartbeat.set_beat(now)
    return play.play(
        game_id=game.pk,
        seat=game.awaited or 0,
        action=random.Random(game.ply).choice(list(position.legal_actions())),
        expected_version=game.version,
        now=now,
    )


def _played(rules: RuleSet, now: datetime, *, left: int) -> Game:
    """A game of random turns until, beside the tile in hand, only so many are *left*."""
    players = list(Player.objects.filter(username__in=NAMES).order_by("username"))[: rules.seats]
    heartbeat.set_beat(now)
    game = tables.create_table(host=players[0], settings=TableSettings(rules=rules), now=now)
    for player in players[1:]:
        tables.sit(game_id=game.pk, player=player, now=now)
    chance = random.Random(7)
    game.refresh_from_db()
    while game.status == Status.PLAYING:
        position = positions.load_position(game)
        if position.state.left <= left and position.decision.kind == "place":
            break
        now += timedelta(seconds=1)
        heartbeat.set_beat(now)
        game = play.play(
            game_id=game.pk,
            seat=game.awaited or 0,
            action=chance.choice(list(position.legal_actions())),
            expected_version=game.version,
            now=now,
        )
    return game


def awaited(game: Game) -> Player:
    """The player on turn."""
    player = game.seats.get(index=game.awaited).player
    assert player is not None
    return player


def waiting(game: Game) -> Player:
    """A player who isn't on turn."""
    seat = game.seats.exclude(index=game.awaited).order_by("index").first()
    assert seat is not None and seat.player is not None
    return seat.player


def visitor(player: Player) -> Client:
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.force_login(player)
    return client


def session_of(player: Player) -> str:
    """The key of a new session of *player*."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    assert session.session_key
    return session.session_key


def address(game: Game, name: str = "table", *args: int) -> str:
    return reverse(f"games:{name}", args=[game.code, *args])
