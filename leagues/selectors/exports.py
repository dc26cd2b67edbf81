"""Export of a season: tables and games as CSV, or everything as JSON, streamed row by row."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet

from core.outputs import clean_for_cell
from games.models import Visibility
from leagues.models import Fixture, Season, Seed, TeamMatch
from leagues.selectors.serialiser import (
    Record,
    serialise_game,
    serialise_place,
    serialise_row,
    serialise_team_match,
)
from leagues.selectors.teams import prefetch_boards

TABLES = ("division", "row", "rank", "player", "points", "moves", "withdrawn", "penalty")
TEAMS = ("division", "row", "rank", "team", "points", "board_points", "moves", "withdrawn", "penalty")
GAMES = ("division", "round", "table", "number", "game", "settled", "struck", "seats")


class _Line:
    """File-like object whose ``write`` returns the line, for ``csv.writer``."""

    def write(self, line: str) -> str:
        return line


def list_table_rows(season: Season) -> Iterator[Record]:
    """Yield the rows of all tables, the highest division first; points are fractions."""
    entries = season.entries.filter(division__isnull=False).select_related("player", "division")
    rows = entries.order_by("division__level", "row").iterator(chunk_size=500)
    return chain(map(serialise_row, rows), _list_places(season, "player"))


def list_team_rows(season: Season) -> Iterator[Record]:
    """Yield the rows of the tables of teams, the highest division first."""
    teams = season.teams.filter(division__isnull=False).select_related("division")
    rows = teams.order_by("division__level", "row").iterator(chunk_size=500)
    return chain(map(serialise_row, rows), _list_places(season, "team"))


def list_team_matches(season: Season) -> Iterator[Record]:
    """Yield the matches of teams that have begun, board by board."""
    begun = TeamMatch.objects.filter(division__season=season, boards__number=1)
    matches = prefetch_boards(begun.order_by("division__level", "round", "number"))
    return map(serialise_team_match, matches.iterator(chunk_size=200))


def list_game_rows(season: Season) -> Iterator[Record]:
    """Yield the public games that count."""
    names = {entry.player_id: str(entry.player) for entry in season.entries.select_related("player")}
    settled = Fixture.objects.filter(match__division__season=season, settled__isnull=False)
    public = settled.filter(Q(game=None) | Q(game__visibility=Visibility.PUBLIC))
    fixtures = public.select_related("match__division", "game").order_by(
        "match__division__level", "match__round", "match__number", "number"
    )
    return (_list_game(fixture, names) for fixture in fixtures.iterator(chunk_size=500))


def render_csv(columns: tuple[str, ...], rows: Iterable[Record]) -> Iterator[str]:
    """Yield *rows* as lines of CSV; the players of a game are in one column: "Anna 1 90; Bruno 2 70".

    By the byte order mark Excel knows that letters are in UTF-8.
    """
    writer = csv.writer(_Line())
    yield codecs.BOM_UTF8.decode() + writer.writerow(columns)
    for row in rows:
        yield writer.writerow([_cell(row[column]) for column in columns])


def render_json(season: Season) -> Iterator[str]:
    """Yield all of *season* as JSON, a row at a time."""
    head = {
        "league": season.league.slug,
        "season": season.number,
        "phase": season.phase,
        "begins": season.begins.isoformat(),
        "ends": season.ends.isoformat(),
        "settings": season.agreed,
    }
    yield json.dumps(head)[:-1]
    listed = [("tables", list_table_rows(season)), ("games", list_game_rows(season))]
    if season.contenders.in_teams:
        listed += [("teams", list_team_rows(season)), ("team_matches", list_team_matches(season))]
    for name, rows in listed:
        yield f', "{name}": ['
        for at, row in enumerate(rows):
            yield (", " if at else "") + json.dumps(row)
        yield "]"
    yield "}"


def _list_places(season: Season, holder: str) -> Iterator[Record]:
    """Yield the places in the knock-out after the groups of *season*, in order of rank. Those of a knock-out
    alone are in its table."""
    if not season.format.leads_to_knock_out:
        return
    seeds: QuerySet[Seed] = Seed.objects.filter(division__season=season, **{f"{holder}__isnull": False})
    seeds = seeds.select_related("player", "team", "division").order_by("rank", "number")
    yield from map(serialise_place, seeds.iterator(chunk_size=500))


def _list_game(fixture: Fixture, names: dict[int, str]) -> Record:
    match, game = fixture.match, serialise_game(fixture, names=names)
    return {
        "division": match.division.level,
        "round": match.round,
        "table": match.number,
        "number": fixture.number,
        "game": fixture.game.code if fixture.game is not None else None,
        "settled": fixture.settled.isoformat() if fixture.settled else None,
        "struck": game["struck"],
        "seats": game["seats"],
    }


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        value = "; ".join(_seat(seat) for seat in value)
    return clean_for_cell(value)


def _seat(seat: dict[str, Any]) -> str:
    told = [seat["player"], str(seat["rank"])]
    if seat["score"] is not None:
        told.append(str(seat["score"]))
    if seat["forfeit"]:
        told.append("forfeit")
    return " ".join(told)
