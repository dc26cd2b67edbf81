"""Visitors of a game's page."""

from random import Random
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games.models import Game
from games.play import positions
from games.rules import Placement, RuleSet
from games.rules.notation import write
from tests.games.factories import heart_beats, make_game

HTMX = {"HX-Request": "true", "HX-Target": "turn"}


def begun() -> Game:
    """Make a game of two in which Anna holds a city's edge."""
    heart_beats(timezone.now())
    return make_game(bag=bag("base.E"), now=timezone.now())


def bag(*first: str) -> list[str]:
    """The tiles of the base game in a fixed order that begins with *first*."""
    groups = RuleSet.of(seats=2).bag
    rest = [tile for group in groups for tile, count in sorted(group.items()) for _ in range(count)]
    for tile in first:
        rest.remove(tile)
    Random(7).shuffle(rest)
    return [*first, *rest]


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(Player.objects.get(username=name))
    return client


def awaited(game: Game) -> Client:
    return signed_in(game.seats.get(index=game.awaited).player.username)


def waiting(game: Game) -> Client:
    seat = game.seats.exclude(index=game.awaited).first()
    assert seat is not None
    return signed_in(seat.player.username)


def url(game: Game, name: str = "table", *args: Any) -> str:
    return reverse(f"games:{name}", args=[game.code, *args])


def first_placement(game: Game) -> Placement:
    return positions.load_position(game).legal_actions().placements[0]


def first_line(game: Game) -> str:
    return write(next(iter(positions.load_position(game).legal_actions())))


def send(client: Client, game: Game, line: str, version: int | None = None, **headers: Any) -> Any:
    data = {"line": line, "version": game.version if version is None else version}
    return client.post(url(game, "play"), data, headers=headers)
