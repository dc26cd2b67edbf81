"""The archive of a league: past seasons with their winners, and its champions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import League, Season, Team
from leagues.pages.league import format_player_count, format_season_name
from leagues.pages.names import NameLink, format_division_name, link_contender
from leagues.selectors import archive as found
from leagues.words.criteria import format_result

A_PAGE = 20
LEVELS = 6
"""Maximum number of divisions listed per season, from the highest."""
MOST = 10


class Winner(NamedTuple):
    """Winner of a division; several who share it."""

    division: str
    url: str
    players: list[NameLink]
    points: str


class PastSeason(NamedTuple):
    """A closed or cancelled season."""

    name: str
    url: str
    closed: datetime | None
    players: str
    cancelled: bool
    winners: list[Winner]
    more: str  # number of divisions left out


@dataclass(frozen=True, slots=True)
class Archive:
    """A page of the past seasons of a league."""

    page: Page[Season]
    seasons: list[PastSeason]


class Champion(NamedTuple):
    """Winner of the first division of a season."""

    season: str
    url: str
    players: list[NameLink]
    points: str


class Best(NamedTuple):
    """Record of a player: a feat that they did more often, or longer, than others."""

    who: NameLink
    told: str


@dataclass(frozen=True, slots=True)
class Champions:
    """The champions of a league."""

    seasons: list[Champion]  # the latest first
    titles: list[Best]
    runs: list[Best]


class Run(NamedTuple):
    """Consecutive seasons in which a player or team won the first division."""

    holder: Hashable  # a player, or a team
    first: int
    last: int
    length: int


def build_archive(league: League, number: str | int | None) -> Archive:
    """Build page *number* of the archive of *league*."""
    page = Paginator(found.load_past_seasons(league), A_PAGE).get_page(number)
    seasons = list(page)
    won: dict[int, dict[int, list[found.Won]]] = {}
    for one in found.load_winners(seasons, LEVELS):
        won.setdefault(one.division.season_id, {}).setdefault(one.division.level, []).append(one)
    return Archive(page, [_past(league, season, won.get(season.pk, {})) for season in seasons])


def _past(league: League, season: Season, won: dict[int, list[found.Won]]) -> PastSeason:
    more = season.levels - len(won)  # type: ignore[attr-defined]
    told = ngettext("{n} more division", "{n} more divisions", more).format(n=more)
    return PastSeason(
        name=format_season_name(season),
        url=reverse("league:season", args=[league.slug, season.number]),
        closed=season.closed,
        players=format_player_count(season),
        cancelled=season.phase == "cancelled",
        winners=[
            Winner(
                format_division_name(them[0].division),
                reverse("league:division", args=[league.slug, season.number, level]),
                [_who(one) for one in them],
                _points(them[0]),
            )
            for level, them in won.items()
        ],
        more=told if more > 0 else "",
    )


def build_champions(league: League) -> Champions:
    """Build the list of champions of *league*, with the most titles and the longest runs."""
    champions = found.load_champions(league)
    by_season: dict[int, list[found.Won]] = {}
    for one in champions:
        by_season.setdefault(one.division.season.number, []).append(one)
    seasons = [
        Champion(
            format_season_name(them[0].division.season),
            reverse("league:season", args=[league.slug, n]),
            [_who(one) for one in them],
            _points(them[0]),
        )
        for n, them in by_season.items()
    ]
    shown = {_same(one): _who(one) for one in reversed(champions)}  # for teams, their latest page
    titles = Counter(map(_same, reversed(champions)))  # for equal numbers, the first holder
    won = {n: set(map(_same, them)) for n, them in by_season.items()}
    runs = [run for run in runs_of(found.list_closed_numbers(league), won) if run.length > 1]
    return Champions(
        seasons=seasons,
        titles=[Best(shown[holder], _titles(n)) for holder, n in titles.most_common(MOST)],
        runs=[Best(shown[run.holder], _run(run)) for run in _longest(runs)],
    )


def _who(won: found.Won) -> NameLink:
    return link_contender(won.holder, won.division.season)


def _same(won: found.Won) -> Hashable:
    """The identity of a winner across seasons; teams are the same if they have the same name."""
    return won.holder.name.casefold() if isinstance(won.holder, Team) else won.holder.pk


def runs_of(seasons: Iterable[int], won: Mapping[int, Collection[Hashable]]) -> list[Run]:
    """Return the runs of consecutive wins, the earliest first. *seasons* are the numbers of those that were
    played.

    >>> runs_of([1, 2, 4], {1: {7}, 2: {7, 8}, 4: {8}})
    [Run(holder=7, first=1, last=2, length=2), Run(holder=8, first=2, last=4, length=2)]
    """
    done: list[Run] = []
    running: dict[Hashable, Run] = {}
    for season in seasons:
        winners = won.get(season, ())
        done += [run for player, run in running.items() if player not in winners]
        before = running
        running = {}
        for player in sorted(winners, key=str):
            run = before.get(player)
            first, length = (run.first, run.length + 1) if run else (season, 1)
            running[player] = Run(player, first, season, length)
    return sorted([*done, *running.values()], key=lambda run: (run.first, str(run.holder)))


def _longest(runs: Sequence[Run]) -> list[Run]:
    return sorted(runs, key=lambda run: -run.length)[:MOST]


def _titles(n: int) -> str:
    return ngettext("{n} title", "{n} titles", n).format(n=n)


def _run(run: Run) -> str:
    told = ngettext(
        "{n} season in a row: {first} to {last}", "{n} seasons in a row: {first} to {last}", run.length
    )
    return told.format(n=run.length, first=run.first, last=run.last)


def _points(won: found.Won) -> str:
    if not won.points:
        return ""
    rules = won.division.season.settings.standings
    said = _("Points: {n}") if rules.counts_points else _("Comparison: {n}")
    return said.format(n=format_result(won.points, won.values, rules))
