"""A season for programs: its tables and games as lines of CSV, or all as JSON, written as it is read."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from leagues.models import Entry, Fixture, Season
from leagues.selectors import feed as found

TABLES = ("division", "row", "rank", "player", "points", "moves", "withdrawn")
GAMES = ("division", "round", "table", "number", "game", "settled", "struck", "seats")


class _Line:
    """Where a writer of CSV leaves its lines."""

    def write(self, line: str) -> str:
        return line


def tables(season: Season) -> Iterator[dict[str, Any]]:
    """The rows of all tables, the highest division first; points are fractions."""
    return (_row(entry) for entry in found.table_rows(season))


def games(season: Season) -> Iterator[dict[str, Any]]:
    """The games that count and that everybody may see."""
    names = found.names_in(season)
    return (_game(fixture, names) for fixture in found.results(season))


def as_csv(columns: tuple[str, ...], rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """*rows* as text, a line at a time; who sat at a game stands in one column: "Anna 1 90; Bruno 2 70"."""
    writer = csv.writer(_Line())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([_cell(row[column]) for column in columns])


def as_json(season: Season) -> Iterator[str]:
    """All of *season*, a row at a time."""
    head = {
        "league": season.league.slug,
        "season": season.number,
        "phase": season.phase,
        "begins": season.begins.isoformat(),
        "ends": season.ends.isoformat(),
        "settings": season.agreed,
    }
    yield json.dumps(head)[:-1]
    for name, rows in (("tables", tables(season)), ("games", games(season))):
        yield f', "{name}": ['
        for at, row in enumerate(rows):
            yield (", " if at else "") + json.dumps(row)
        yield "]"
    yield "}"


def _row(entry: Entry) -> dict[str, Any]:
    assert entry.division is not None
    return {
        "division": entry.division.level,
        "row": entry.row,
        "rank": entry.rank,
        "player": str(entry.player),
        "points": entry.points,
        "moves": entry.moves,
        "withdrawn": entry.state == "withdrawn",
    }


def _game(fixture: Fixture, names: dict[int, str]) -> dict[str, Any]:
    match = fixture.match
    seats = [
        {
            "player": names.get(seat["player"], ""),
            "rank": seat["rank"],
            "score": seat["score"],
            "forfeit": seat["forfeit"],
        }
        for seat in fixture.seats or ()
    ]
    return {
        "division": match.division.level,
        "round": match.round,
        "table": match.number,
        "number": fixture.number,
        "game": fixture.game.code if fixture.game is not None else None,
        "settled": fixture.settled.isoformat() if fixture.settled else None,
        "struck": fixture.struck,
        "seats": seats,
    }


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        return "; ".join(_seat(seat) for seat in value)
    return value


def _seat(seat: dict[str, Any]) -> str:
    told = [seat["player"], str(seat["rank"])]
    if seat["score"] is not None:
        told.append(str(seat["score"]))
    if seat["forfeit"]:
        told.append("forfeit")
    return " ".join(told)
