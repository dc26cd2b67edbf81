"""The page of a season: its divisions with their stored tables and tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse

from games.access import Visitor
from leagues.models import Division, Entry, EntryState, Kind, Phase, Season, Seed, Team
from leagues.pages.league import Taking, build_taking, describe_state, format_season_name
from leagues.pages.names import NameLink, format_division_name, link_contender, link_player
from leagues.pages.penalties import PenaltyMark, build_penalty_marks
from leagues.pages.seeds import THIRD, describe_progress, link_seed
from leagues.pages.team import TeamLine, build_lines, build_teams_url
from leagues.selectors import leagues as found
from leagues.standings import Record
from leagues.words import criteria, outlook, teams

DIVISIONS = 10
PLAYERS = 100


class Hope(NamedTuple):
    """A player's remaining chances: in a few words, and in whole sentences."""

    short: str
    sentences: list[str]


class TableRow(NamedTuple):
    """A player or a team in the table of a division."""

    rank: str
    who: NameLink
    points: str
    why: str  # criterion that separates the row from the next
    moves: str  # "up", "down" or nothing
    move: str  # the same in words
    gone: bool  # whether the player or team has withdrawn
    record: Record
    boards: str = ""  # board points, of a team
    hope: Hope | None = None  # while the season runs
    penalty: PenaltyMark | None = None


class Teams(NamedTuple):
    """The teams of a season on its page."""

    url: str
    tables: list[DivisionTable]
    lines: list[TeamLine]  # until divisions are drawn


class DivisionTable(NamedTuple):
    """A division with its table."""

    name: str
    url: str
    rows: list[TableRow]
    points: str = ""  # name of the points; empty for knock-outs and ladders, which only have ranks
    duels: bool = False  # whether games are duels, with draws and losses
    hopes: bool = False  # whether anybody's outlook is known
    of_teams: bool = False


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The page of a season."""

    season: Season
    name: str
    state: str
    league_url: str
    page: Page[Division] | Page[Entry]
    tables: list[DivisionTable]
    registered: list[NameLink]  # until divisions are drawn
    taking: Taking | None  # acts that are open to the visitor
    first: Division | None  # the highest table that is shown
    teams: Teams | None = None  # if teams play


def build_page(season: Season, visitor: Visitor, now: datetime, number: str | int | None) -> SeasonPage:
    """Build page *number* of *season*: its divisions, or registered players."""
    with_teams = season.settings.teams is not None
    divisions: list[Division] = []
    registered: list[NameLink] = []
    page: Page[Division] | Page[Entry]
    if with_teams or season.phase in (Phase.RUNNING, Phase.CLOSED):
        page = drawn = Paginator(found.load_tables(season), DIVISIONS).get_page(number)
        divisions = list(drawn)
    else:
        page = entries = Paginator(found.load_registered(season), PLAYERS).get_page(number)
        registered = [link_player(entry.player) for entry in entries]
    taking = None
    if not with_teams:
        taking = build_taking(season, visitor, found.find_own_entry(season, visitor), now)
    beside_teams = [one for one in divisions if not with_teams or one.kind == Kind.KNOCK_OUT]
    return SeasonPage(
        season=season,
        name=format_season_name(season),
        state=describe_state(season, now),
        league_url=reverse("league:league", args=[season.league.slug]),
        page=page,
        tables=[_build_division_table(season, division) for division in beside_teams],
        registered=registered,
        taking=taking,
        first=next((one for one in divisions if one.kind == Kind.TABLE), None),
        teams=_build_teams(season, divisions) if with_teams else None,
    )


def _build_teams(season: Season, divisions: Sequence[Division]) -> Teams:
    return Teams(
        url=build_teams_url(season),
        tables=[
            _build_division_table(season, division) for division in divisions if division.kind == Kind.TABLE
        ],
        lines=[] if divisions else build_lines(season),
    )


def _build_division_table(season: Season, division: Division) -> DivisionTable:
    if division.kind == Kind.KNOCK_OUT:
        seeds: list[Seed] = division.bracket  # type: ignore[attr-defined]
        return build_places(season, division, seeds)
    contenders: list[Entry] | list[Team] = division.table  # type: ignore[attr-defined]
    return build_table(season, division, contenders)


def build_table(season: Season, division: Division, contenders: Sequence[Entry | Team]) -> DivisionTable:
    """Build the stored table of *division* from its *contenders*, in order."""
    ladder = division.kind == Kind.LADDER
    there = [one for one in contenders if not ladder or one.row is not None]
    who = {one.holder: link_contender(one, season) for one in there}
    marks = build_penalty_marks(season.league, there)
    rows = [_row(one, who, season)._replace(penalty=marks.get(one.pk)) for one in there]
    return DivisionTable(
        format_division_name(division),
        build_url(season, division),
        rows,
        points="" if ladder else criteria.name_result(season.settings.standings),
        duels=season.settings.seats == 2,
        hopes=any(row.hope for row in rows),
        of_teams=season.settings.teams is not None,
    )


def build_places(season: Season, division: Division, seeds: list[Seed]) -> DivisionTable:
    """Build the table of the *seeds* of a knock-out, in order of rank."""
    first = len([seed for seed in seeds if seed.rank == 1])
    pending = season.running and season.settings.cup.third_place
    pending = pending and len([seed for seed in seeds if seed.rank == THIRD]) > 1
    rows = [
        TableRow(
            rank=str(seed.rank),
            who=link_seed(season, seed),
            points="",
            why=describe_progress(seed.rank, first, pending=pending),
            moves="",
            move="",
            gone=False,
            record=Record(),
        )
        for seed in seeds
    ]
    teams = season.settings.teams is not None
    return DivisionTable(format_division_name(division), build_url(season, division), rows, of_teams=teams)


def build_url(season: Season, division: Division) -> str:
    return reverse("league:division", args=[season.league.slug, season.number, division.level])


def build_hope(entry: Entry, up: int) -> Hope | None:
    """Describe the remaining chances of the player of *entry*; *up* players move up."""
    kept = entry.outlook
    return Hope(outlook.summarise_outlook(kept), outlook.describe_outlook(kept, up)) if kept else None


def _row(one: Entry | Team, who: Mapping[int, NameLink], season: Season) -> TableRow:
    rules = season.settings.standings
    next_one = who.get(int(one.explained["ahead_of"])) if one.explained else None
    names = teams.NAMES if isinstance(one, Team) else criteria.NAMES
    return TableRow(
        rank=str(one.rank or ""),
        who=who[one.holder],
        points=criteria.format_result(one.points, one.values, rules),
        why=criteria.explain_rank(one.explained, next_one.name, names) if next_one else "",
        moves=one.moves,
        move=criteria.format_move(one.moves, final=season.moves_final is not None),
        gone=one.state == EntryState.WITHDRAWN,
        record=Record(*one.record),
        boards=criteria.format_number(one.board_points) if isinstance(one, Team) else "",
        hope=build_hope(one, rules.up) if isinstance(one, Entry) and season.running else None,
    )
