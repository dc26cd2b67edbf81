"""Finished games as rows, which is quick: ratings only need players and ranks."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Player
from games.clocks import ClockSettings, Ladder
from games.models import Ending, Game, Seat, Status, Visibility
from games.rated_games import rate_games
from games.rules import RuleSet
from ratings.models import RatedGame, Rating, RatingChange
from tests.games.factories import NOW

DAY = timedelta(days=1)
_RULES = {seats: RuleSet.of(seats=seats).to_json() for seats in range(2, 7)}
_CLOCK, _LADDER = ClockSettings.per_move(3).to_json(), Ladder.usual(2).to_json()


@dataclass(frozen=True)
class Played:
    """Game to write: its players by seat, with their ranks."""

    players: Sequence[Player]
    ranks: Sequence[int]
    at: datetime


def write(games: Iterable[Played], **fields: Any) -> list[Game]:
    """Write *games* as finished and rated rows, with other *fields*."""
    games = list(games)
    rows = [
        Game(
            **{
                "name": "Toulouse",
                "host": game.players[0],
                "rule_set": _RULES[len(game.players)],
                "places": len(game.players),
                "clock_settings": _CLOCK,
                "ladder_steps": _LADDER,
                "visibility": Visibility.PUBLIC,
                "rated": True,
                "status": Status.FINISHED,
                "ending": Ending.PLAYED,
                "created": game.at - DAY,
                "started": game.at - DAY,
                "finished": game.at,
                **fields,
            }
        )
        for game in games
    ]
    Game.objects.bulk_create(rows)
    Seat.objects.bulk_create(
        Seat(game=row, index=index, player=player, rank=rank, score=100 - rank)
        for game, row in zip(games, rows, strict=True)
        for index, (player, rank) in enumerate(zip(game.players, game.ranks, strict=True))
    )
    return rows


def finish(players: Sequence[Player], ranks: Sequence[int] = (), days: float = 0, **fields: Any) -> Game:
    """Write a game that ended so many *days* after ``NOW``; without *ranks* the seats end in their order."""
    ranks = ranks or range(1, len(players) + 1)
    (game,) = write([Played(players, ranks, NOW + days * DAY)], **fields)
    return game


def by_lot(players: Sequence[Player], count: int, *, seats: Sequence[int] = (2,)) -> list[Game]:
    """So many games of *players*, four an hour, some of them at the same moment."""
    lot = random.Random(count)
    return write(
        Played(
            lot.sample(players, size := lot.choice(seats)),
            lot.choice([range(1, size + 1), [1] * size, range(size, 0, -1)]),
            NOW + timedelta(minutes=15 * lot.randrange(count)),
        )
        for _ in range(count)
    )


def rate_all() -> None:
    assert rate_games(seconds=60)


def stored() -> dict[str, list[tuple[Any, ...]]]:
    """All rows of ratings, without primary keys that a rebuild may change."""
    changes = [field.attname for field in RatingChange._meta.concrete_fields if field.attname not in ("id",)]
    ratings = [field.attname for field in Rating._meta.concrete_fields if field.attname != "id"]
    return {
        "games": list(RatedGame.objects.order_by("pk").values_list()),
        "changes": list(RatingChange.objects.order_by("rated_game", "seat").values_list(*changes)),
        "ratings": list(Rating.objects.order_by("player", "pool").values_list(*ratings)),
    }
