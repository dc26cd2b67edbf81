"""A season: its divisions, each with the table as it is stored, and why everybody stands where they do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse

from games.access import Visitor
from leagues.models import Division, Entry, EntryState, Kind, Phase, Season, Seed
from leagues.pages import team, team_tables
from leagues.pages.league import Taking, season_name, state_of, taking
from leagues.pages.names import division_name
from leagues.pages.seeds import THIRD, how_far, seed_who
from leagues.pages.who import Who, who
from leagues.selectors import leagues as found
from leagues.selectors import teams as found_teams
from leagues.words import criteria, outlook

DIVISIONS = 10
PLAYERS = 100


class Hope(NamedTuple):
    """What a player may still hope for: in a few words, and in whole sentences."""

    short: str
    sentences: list[str]


class TableRow(NamedTuple):
    """A player in the table of a division."""

    rank: str
    who: Who
    points: str
    why: str  # what separates from the next
    moves: str  # "up", "down" or nothing
    move: str  # the same in words
    gone: bool  # whether they have withdrawn
    hope: Hope | None = None  # while the season runs


class Table(NamedTuple):
    """A division with its table."""

    name: str
    url: str
    rows: list[TableRow]
    points: bool = True  # not of a knock-out or a ladder, where there are but ranks
    hopes: bool = False  # whether anybody's outlook is known
    of_teams: bool = False


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
    taking: Taking | None  # what the visitor can do about it
    first: Division | None  # the highest table that is shown
    teams: team.Teams | None = None  # where teams play


def page_of(season: Season, visitor: Visitor, now: datetime, number: str | int | None) -> SeasonPage:
    """The part of *season* with this *number*: some of its divisions, or of who has registered."""
    if season.settings.teams is not None:
        return _page_of_teams(season, now, number)
    divided = season.phase in (Phase.RUNNING, Phase.CLOSED)
    tables: list[Table] = []
    registered: list[Who] = []
    first: Division | None = None
    page: Page[Division] | Page[Entry]
    if divided:
        page = divisions = Paginator(found.tables_of(season), DIVISIONS).get_page(number)
        first = next((one for one in divisions if one.kind == Kind.TABLE), None)
        tables = [_shown(season, division) for division in divisions]
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
        taking=taking(season, visitor, found.own_entry(season, visitor), now),
        first=first,
    )


def _shown(season: Season, division: Division) -> Table:
    if division.kind == Kind.KNOCK_OUT:
        seeds: list[Seed] = division.bracket  # type: ignore[attr-defined]
        return places_of(season, division, seeds)
    return table_of(season, division, rows_of(division))


def _page_of_teams(season: Season, now: datetime, number: str | int | None) -> SeasonPage:
    """The same where teams play."""
    page = Paginator(found_teams.tables_of(season), DIVISIONS).get_page(number)
    groups = [division for division in page if division.kind == Kind.TABLE]
    return SeasonPage(
        season=season,
        name=season_name(season),
        state=state_of(season, now),
        league_url=reverse("league:league", args=[season.league.slug]),
        page=page,
        tables=[_shown(season, division) for division in page if division.kind == Kind.KNOCK_OUT],
        registered=[],
        taking=None,
        first=None,
        teams=team.Teams(
            url=team.teams_url(season),
            tables=team_tables.tables_of(season, groups),
            lines=[] if page.object_list else team.lines_of(season),
        ),
    )


def rows_of(division: Division) -> list[Entry]:
    """The entries that were read with *division*."""
    rows: list[Entry] = division.table  # type: ignore[attr-defined]
    return rows


def table_of(season: Season, division: Division, entries: list[Entry]) -> Table:
    """The table of *division*, from its *entries* in their order."""
    if division.kind == Kind.LADDER:
        there = [entry for entry in entries if entry.row is not None]
        return Table(
            division_name(division), url_of(season, division), table_rows(there, season), points=False
        )
    rows = table_rows(entries, season)
    return Table(division_name(division), url_of(season, division), rows, hopes=any(row.hope for row in rows))


def places_of(season: Season, division: Division, seeds: list[Seed]) -> Table:
    """How far the *seeds* of a knock-out have come, the first of them first."""
    first = len([seed for seed in seeds if seed.rank == 1])
    pending = season.running and season.settings.cup.third_place
    pending = pending and len([seed for seed in seeds if seed.rank == THIRD]) > 1
    rows = [
        TableRow(
            rank=str(seed.rank),
            who=seed_who(season, seed),
            points="",
            why=how_far(seed.rank, first, pending=pending),
            moves="",
            move="",
            gone=False,
        )
        for seed in seeds
    ]
    teams = season.settings.teams is not None
    return Table(division_name(division), url_of(season, division), rows, points=False, of_teams=teams)


def url_of(season: Season, division: Division) -> str:
    return reverse("league:division", args=[season.league.slug, season.number, division.level])


def table_rows(entries: list[Entry], season: Season) -> list[TableRow]:
    """*entries* of a division of *season*, as they were stored with the last result."""
    names = {entry.player_id: str(entry.player) for entry in entries}
    up = season.settings.standings.up
    return [_row(entry, names, _hope(entry, up) if season.running else None) for entry in entries]


def _hope(entry: Entry, up: int) -> Hope | None:
    kept = entry.outlook
    return Hope(outlook.in_short(kept), outlook.sentences(kept, up)) if kept else None


def _row(entry: Entry, names: dict[int, str], hope: Hope | None) -> TableRow:
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
        hope=hope,
    )
