"""The league career of a player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.words.grammar import format_ordinal
from leagues.models import Entry, EntryState, Kind
from leagues.pages.league import format_season_name
from leagues.pages.names import format_division_name
from leagues.selectors import archive as found
from leagues.words import criteria

A_PAGE = 30


class CareerRow(NamedTuple):
    """A season that the player plays or has played."""

    league: str
    league_url: str
    season: str
    season_url: str
    begins: datetime
    division: str
    division_url: str
    team: str  # name of the team; empty for single players
    place: str
    points: str  # empty on ladders and in knock-outs, which have none
    unit: str  # name of the points
    moves: str  # "up", "down" or nothing
    move: str  # the same in words
    state: str  # remarks


@dataclass(frozen=True, slots=True)
class CareerPage:
    """A page of a career, with its summary."""

    page: Page[Entry]
    rows: list[CareerRow]
    told: list[str]


def build_career(player: Player, number: str | int | None) -> CareerPage:
    """Build page *number* of the career of *player*, the latest season first."""
    page = Paginator(found.load_career(player), A_PAGE).get_page(number)
    return CareerPage(
        page, [_row(entry) for entry in page], list(_describe_career(found.summarise_career(player)))
    )


def _row(entry: Entry) -> CareerRow:
    season, division = entry.season, entry.division
    assert division is not None
    division.season = season
    rank = format_ordinal(entry.rank) if entry.rank else "–"
    place = _("{place} of {players}").format(place=rank, players=entry.others)  # type: ignore[attr-defined]
    if entry.team is not None:  # type: ignore[attr-defined]
        place = format_ordinal(entry.team_rank) if entry.team_rank else "–"  # type: ignore[attr-defined]
    league, rules = season.league, season.settings.standings
    points = unit = ""
    if division.kind == Kind.TABLE:
        points, unit = criteria.format_result(entry.points, entry.values, rules), criteria.name_result(rules)
    return CareerRow(
        league=league.name,
        league_url=reverse("league:league", args=[league.slug]),
        season=format_season_name(season),
        season_url=reverse("league:season", args=[league.slug, season.number]),
        begins=season.begins,
        division=format_division_name(division),
        division_url=reverse("league:division", args=[league.slug, season.number, division.level]),
        team=entry.team or "",  # type: ignore[attr-defined]
        place=place,
        points=points,
        unit=unit,
        moves=entry.moves,
        move=criteria.format_move(entry.moves, final=season.moves_final is not None),
        state=_state(entry),
    )


def _state(entry: Entry) -> str:
    if entry.state == EntryState.WITHDRAWN:
        return _("withdrawn")
    if entry.season.running:
        return _("running")
    return _("champion") if entry.title else ""  # type: ignore[attr-defined]


def _describe_career(counts: dict[str, int]) -> Iterator[str]:
    n = counts["seasons"]
    if n:
        yield ngettext("{n} season", "{n} seasons", n).format(n=n)
        yield ngettext("{n} league", "{n} leagues", counts["leagues"]).format(n=counts["leagues"])
    if n := counts["titles"]:
        yield ngettext("{n} title", "{n} titles", n).format(n=n)
    if n := counts["firsts"]:
        yield ngettext("first of a lower division once", "first of a lower division {n} times", n).format(n=n)
    if n := counts["ups"]:
        yield ngettext("moved up once", "moved up {n} times", n).format(n=n)
