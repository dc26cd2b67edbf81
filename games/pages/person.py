"""The page of a player: what they play, how they did, and against whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.access import Visitor
from games.conduct import blocks
from games.drawing.bars import Bar, bar_chart
from games.models import Game
from games.pages.parts.acquaintance import Acquaintance, acquaintances
from games.pages.parts.follow import Follow
from games.pages.parts.rows import Row, rows_of
from games.selectors import archive, lists, people
from games.selectors.elsewhere import Elsewhere, pages_about
from games.selectors.paging import KeyPage
from games.selectors.people import Encounter, Record, Tally
from games.words import rule_sets

LATEST = 10


class Result(NamedTuple):
    """How the player did in games of one kind, which has a name."""

    name: str
    tally: Tally


class Block(NamedTuple):
    """Whether the viewer has blocked the player, and where that is changed."""

    url: str
    on: bool


class Results(NamedTuple):
    """The same for several kinds, as a table and as a chart."""

    heading: str
    kinds: str  # what the first column names
    rows: tuple[Result, ...]
    chart: SafeString


@dataclass(frozen=True, slots=True)
class Person:
    """A player as somebody sees them."""

    player: Player
    me: bool
    known: Acquaintance
    follow: Follow | None  # for other people, unless they are blocked
    block: Block | None  # for other people
    between: Encounter | None  # how whoever looks did against the player
    results: tuple[Results, ...]
    opponents: list[Encounter]
    page: KeyPage[Game]
    running: list[Row]
    finished: list[lists.GameLine]
    elsewhere: list[Elsewhere]  # other pages about the player

    @property
    def empty(self) -> bool:
        return not (self.results or self.running)


def page_of(player: Player, visitor: Visitor, now: datetime, asked: Mapping[str, Any]) -> Person:
    """*player* as *visitor* sees them, with the page of what they play that is *asked* for."""
    me = visitor.is_authenticated and visitor.pk == player.pk
    page = lists.running_games(visitor, player, asked)
    finished = archive.finished_games_of([player], visitor, {}, LATEST)
    lines = lists.lines_of([*page, *finished], visitor, now)
    follow, block = _switches(player, visitor)
    history = people.history_of(player, visitor)
    return Person(
        player=player,
        me=me,
        known=acquaintances([player], now=now)[0][0][1],
        follow=follow,
        block=block,
        between=None if me or not visitor.is_authenticated else people.encounter(visitor, player),
        results=tuple(results_of(history.record)),
        opponents=history.encounters,
        page=page,
        running=rows_of(lines[: len(page)]),
        finished=lines[len(page) :],
        elsewhere=pages_about(player),
    )


def _switches(player: Player, visitor: Visitor) -> tuple[Follow | None, Block | None]:
    """What *visitor* may choose about *player*, another person; at most one query."""
    if not visitor.is_authenticated or visitor.pk == player.pk or player.is_bot:
        return None, None
    chosen = people.attitude(visitor, player)
    block = Block(reverse("games:block", args=[player.username]), chosen.blocks)
    if chosen.blocks:
        return None, block
    return Follow(reverse("games:follow_player", args=[player.username]), chosen.follows), block


class Blocked(NamedTuple):
    """A player in the list of those whom the viewer has blocked."""

    name: str
    url: str  # empty where there is no page
    block: Block


def blocked_by(player: Player) -> list[Blocked]:
    """Whom *player* has blocked; one query."""
    return [
        Blocked(
            other.username,
            lists.profile_url(other),
            Block(reverse("games:block", args=[other.username]), True),
        )
        for other in blocks.blocked_by(player)
    ]


def results_of(record: Record) -> Iterable[Results]:
    """By the number of seats and by sets, where any game is finished."""
    seats, sets = record
    if seats:
        yield _results("by-seats", _("By the number of players"), _("Players"), seats, _players)
        yield _results("by-sets", _("By sets"), _("Sets"), sets, _set)


def _results(
    id: str, heading: str, kinds: str, tallies: Sequence[Tally], name: Callable[[Tally], str]
) -> Results:
    rows = tuple(Result(name(one), one) for one in tallies)
    bars = [Bar(one.name, (one.tally.won, one.tally.shared, one.tally.lost)) for one in rows]
    said = "; ".join(
        _("{kind}: {won} of {played} won").format(kind=one.name, won=one.tally.won, played=one.tally.played)
        for one in rows
    )
    drawn = bar_chart(bars, id=id, title=heading, description=said)
    return Results(heading, kinds, rows, mark_safe(drawn))  # the drawing escapes what it is given


def _players(one: Tally) -> str:
    return ngettext("{n} player", "{n} players", int(one.kind)).format(n=one.kind)


def _set(one: Tally) -> str:
    return str(rule_sets.SETS[str(one.kind)]) if one.kind != people.BASE else _("Base game only")
