"""A season: its divisions, each with the table as it is stored, and why everybody stands where they do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _

from leagues.models import Division, Entry, EntryState, Phase, Season
from leagues.pages.league import season_name, state_of
from leagues.pages.who import Who, who
from leagues.selectors import leagues as found
from leagues.words import criteria

DIVISIONS = 10
PLAYERS = 100


class TableRow(NamedTuple):
    """A player in the table of a division."""

    rank: str
    who: Who
    points: str
    why: str  # what separates from the next
    moves: str  # "up", "down" or nothing
    move: str  # the same in words
    gone: bool  # whether they have withdrawn


class Table(NamedTuple):
    """A division with its table."""

    name: str
    url: str
    rows: list[TableRow]


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """A season as anybody sees it."""

    season: Season
    name: str
    state: str
    league_url: str
    page: Page[Division] | Page[Entry]
    tables: list[Table]
    registered: list[Who]  # while there are no divisions


def page_of(season: Season, now: datetime, number: str | int | None) -> SeasonPage:
    """The part of *season* with this *number*: some of its divisions, or of who has registered."""
    divided = season.phase in (Phase.RUNNING, Phase.CLOSED)
    tables: list[Table] = []
    registered: list[Who] = []
    page: Page[Division] | Page[Entry]
    if divided:
        page = divisions = Paginator(found.tables_of(season), DIVISIONS).get_page(number)
        tables = [table_of(season, division, rows_of(division)) for division in divisions]
    else:
        page = entries = Paginator(found.registered(season), PLAYERS).get_page(number)
        registered = [who(entry.player) for entry in entries]
    return SeasonPage(
        season=season,
        name=season_name(season),
        state=state_of(season, now),
        league_url=reverse("league:league", args=[season.league.slug]),
        page=page,
        tables=tables,
        registered=registered,
    )


def rows_of(division: Division) -> list[Entry]:
    """The entries that were read with *division*."""
    rows: list[Entry] = division.table  # type: ignore[attr-defined]
    return rows


def table_of(season: Season, division: Division, entries: list[Entry]) -> Table:
    """The table of *division*, from its *entries* in their order."""
    url = reverse("league:division", args=[season.league.slug, season.number, division.level])
    return Table(division_name(division), url, table_rows(entries))


def division_name(division: Division) -> str:
    return _("Division {n}").format(n=division.level)


def table_rows(entries: list[Entry]) -> list[TableRow]:
    """*entries* of a division, as they were stored with the last result."""
    names = {entry.player_id: str(entry.player) for entry in entries}
    return [_row(entry, names) for entry in entries]


def _row(entry: Entry, names: dict[int, str]) -> TableRow:
    explained = entry.explained
    next_one = names.get(int(explained["ahead_of"]), "") if explained else ""
    return TableRow(
        rank=str(entry.rank or ""),
        who=who(entry.player),
        points=criteria.number(entry.points),
        why=criteria.why(explained, next_one) if next_one else "",
        moves=entry.moves,
        move=str(criteria.MOVES[entry.moves]) if entry.moves else "",
        gone=entry.state == EntryState.WITHDRAWN,
    )
