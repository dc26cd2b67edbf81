"""The JSON format of a division, one line of ``simulate_league --json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from leagues.standings.ranking import TableStanding
from leagues.standings.values import DivisionResults, Entrant, GameResult, Rules, SeatResult, Withdrawn


def division_from_json(line: Mapping[str, Any]) -> DivisionResults:
    """Parse the division of a *line*.

    Ratings are taken as they are written, so that 1500.1 is 15001/10 on every machine. Without a ``penalty``
    a player has lost no points; with ``running`` it is a round robin that isn't over.

    :raises KeyError, TypeError, ValueError: the line is invalid
    """
    return DivisionResults(
        entrants=tuple(
            Entrant(one["id"], Fraction(str(one["rating"])), one["withdrew"], Fraction(one.get("penalty", 0)))
            for one in line["players"]
        ),
        games=tuple(_game(one) for one in line["games"]),
        byes=tuple(line["byes"]),
        rules=rules_from_json(line["settings"]),
        season=line["season"],
        running=line.get("running", False),
    )


def rules_from_json(settings: Mapping[str, Any]) -> Rules:
    """Parse the rules of a league as ``rules_to_json`` writes them.

    :raises KeyError, TypeError, ValueError: they are invalid
    """
    return Rules(
        points=tuple(settings["points"]),
        best_of=settings["best_of"],
        tie_breaks=tuple(settings["tie_breaks"]),
        withdrawn=Withdrawn(settings["withdrawn"]),
        up=settings["up"],
        down=settings["down"],
    )


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """The ``settings`` of a line.

    >>> rules_from_json(rules_to_json(Rules.usual(3))) == Rules.usual(3)
    True
    """
    return {
        "points": list(rules.points),
        "best_of": rules.best_of,
        "tie_breaks": list(rules.tie_breaks),
        "withdrawn": rules.withdrawn.value,
        "up": rules.up,
        "down": rules.down,
    }


def game_to_json(game: GameResult) -> dict[str, Any]:
    """One of the ``games`` of a line; its ``draw`` is null where nobody shared its tiles (STAND-19)."""
    seats = [
        {"player": seat.player, "rank": seat.rank, "score": seat.score, "forfeit": seat.forfeit}
        for seat in game.seats
    ]
    return {
        "id": game.id,
        "match": game.match,
        "first": game.first,
        "seats": seats,
        "struck": game.struck,
        "draw": game.draw,
    }


def standings_to_json(table: Iterable[TableStanding]) -> list[dict[str, Any]]:
    """The ``standings`` of a line; numbers as ``Fraction`` writes them.

    >>> standings_to_json([TableStanding("Ann", 1, Fraction(7, 2), {"buchholz": Fraction(9)})])
    [{'player': 'Ann', 'rank': 1, 'points': '7/2', 'values': {'buchholz': '9'}}]
    """
    return [
        {
            "player": one.player,
            "rank": one.rank,
            "points": str(one.points),
            "values": {name: str(value) for name, value in one.values.items()},
        }
        for one in table
    ]


def _game(one: Mapping[str, Any]) -> GameResult:
    seats = tuple(
        SeatResult(seat["player"], seat["rank"], seat["score"], seat["forfeit"]) for seat in one["seats"]
    )
    return GameResult(one["id"], one["match"], one["first"], seats, one["struck"], one.get("draw"))
