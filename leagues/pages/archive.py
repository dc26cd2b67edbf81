"""The archive of a league: all its seasons with who won them, and its champions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import Entry, League, Season
from leagues.pages.league import players, season_name
from leagues.pages.who import Who, who
from leagues.selectors import archive as found
from leagues.words.criteria import number

A_PAGE = 20
LEVELS = 6
"""So many divisions of a season are told, from the highest."""
MOST = 10


class Winner(NamedTuple):
    """Who was first in a division; several who share it."""

    division: str
    url: str
    players: list[Who]
    points: str


class PastSeason(NamedTuple):
    """A season that is over."""

    name: str
    url: str
    closed: datetime | None
    players: str
    cancelled: bool
    winners: list[Winner]
    more: str  # how many divisions are not told of


@dataclass(frozen=True, slots=True)
class Archive:
    """A page of the seasons of a league that are over."""

    page: Page[Season]
    seasons: list[PastSeason]


class Champion(NamedTuple):
    """Who won the first division of a season."""

    season: str
    url: str
    players: list[Who]
    points: str


class Best(NamedTuple):
    """What a player has done more often, or longer, than others."""

    who: Who
    told: str


@dataclass(frozen=True, slots=True)
class Champions:
    """The champions of a league."""

    seasons: list[Champion]  # the latest first
    titles: list[Best]
    runs: list[Best]


class Run(NamedTuple):
    """So many seasons one after the other of which a player won the first division."""

    player: int
    first: int
    last: int
    length: int


def archive_of(league: League, number: str | int | None) -> Archive:
    """The part with this *number* of what *league* has been."""
    page = Paginator(found.past_seasons(league), A_PAGE).get_page(number)
    seasons = list(page)
    won: dict[int, dict[int, list[Entry]]] = {}
    for entry in found.winners(seasons, LEVELS):
        assert entry.division is not None
        won.setdefault(entry.season_id, {}).setdefault(entry.division.level, []).append(entry)
    return Archive(page, [_past(league, season, won.get(season.pk, {})) for season in seasons])


def _past(league: League, season: Season, won: dict[int, list[Entry]]) -> PastSeason:
    more = season.levels - len(won)  # type: ignore[attr-defined]
    told = ngettext("{n} more division", "{n} more divisions", more).format(n=more)
    return PastSeason(
        name=season_name(season),
        url=reverse("league:season", args=[league.slug, season.number]),
        closed=season.closed,
        players=players(season),
        cancelled=season.phase == "cancelled",
        winners=[
            Winner(
                _("Division {n}").format(n=level),
                reverse("league:division", args=[league.slug, season.number, level]),
                [who(entry.player) for entry in entries],
                _points(entries[0]),
            )
            for level, entries in won.items()
        ],
        more=told if more > 0 else "",
    )


def champions_of(league: League) -> Champions:
    """Who won *league*, how often and how long."""
    entries = list(found.champions(league))
    people = {entry.player_id: who(entry.player) for entry in entries}
    by_season: dict[int, list[Entry]] = {}
    for entry in entries:
        by_season.setdefault(entry.season.number, []).append(entry)
    seasons = [
        Champion(
            season_name(them[0].season),
            reverse("league:season", args=[league.slug, n]),
            [people[entry.player_id] for entry in them],
            _points(them[0]),
        )
        for n, them in by_season.items()
    ]
    titles = Counter(entry.player_id for entry in reversed(entries))  # the same number: who had it first
    won = {n: {entry.player_id for entry in them} for n, them in by_season.items()}
    runs = [run for run in runs_of(found.closed_numbers(league), won) if run.length > 1]
    return Champions(
        seasons=seasons,
        titles=[Best(people[player], _titles(n)) for player, n in titles.most_common(MOST)],
        runs=[Best(people[run.player], _run(run)) for run in _longest(runs)],
    )


def runs_of(seasons: Iterable[int], won: dict[int, Collection[int]] | dict[int, set[int]]) -> list[Run]:
    """How long each player has won one season after the other, where these are the *seasons* that were
    played, by number in their order; the earliest first.

    >>> runs_of([1, 2, 4], {1: {7}, 2: {7, 8}, 4: {8}})
    [Run(player=7, first=1, last=2, length=2), Run(player=8, first=2, last=4, length=2)]
    """
    done: list[Run] = []
    running: dict[int, Run] = {}
    for season in seasons:
        winners = won.get(season, ())
        done += [run for player, run in running.items() if player not in winners]
        before = running
        running = {}
        for player in sorted(winners):
            run = before.get(player)
            first, length = (run.first, run.length + 1) if run else (season, 1)
            running[player] = Run(player, first, season, length)
    return sorted([*done, *running.values()], key=lambda run: (run.first, run.player))


def _longest(runs: Sequence[Run]) -> list[Run]:
    return sorted(runs, key=lambda run: -run.length)[:MOST]


def _titles(n: int) -> str:
    return ngettext("{n} title", "{n} titles", n).format(n=n)


def _run(run: Run) -> str:
    told = ngettext(
        "{n} season in a row: {first} to {last}", "{n} seasons in a row: {first} to {last}", run.length
    )
    return told.format(n=run.length, first=run.first, last=run.last)


def _points(entry: Entry) -> str:
    return _("Points: {n}").format(n=number(entry.points))
