"""The page of a player: their games, results and opponents."""

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
from core import hooks
from games.access import Visitor
from games.conduct import blocks
from games.drawing.bars import ChartBar, draw_bar_chart
from games.models import Game
from games.pages.parts.follow import FollowSwitch
from games.pages.parts.player_summary import PlayerSummary, build_player_summaries
from games.pages.parts.rows import GameRow, build_rows
from games.selectors import archive, lists, people
from games.selectors.paging import KeyPage
from games.selectors.people import Encounter, PlayerLink, PlayerRecord, ResultTally
from games.words import rule_sets

LATEST = 10


class PlayerResult(NamedTuple):
    """The player's results in games of one kind, which has a name."""

    name: str
    tally: ResultTally


class BlockSwitch(NamedTuple):
    """The switch by which the viewer blocks the player, or no longer does."""

    url: str
    on: bool


class Results(NamedTuple):
    """The player's results in games of several kinds, as a table and as a chart."""

    heading: str
    kinds: str  # heading of the first column
    rows: tuple[PlayerResult, ...]
    chart: SafeString


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """A player, as one viewer may see them."""

    player: Player
    me: bool
    known: PlayerSummary
    follow: FollowSwitch | None  # for other people, unless they are blocked
    block: BlockSwitch | None  # for other people
    between: Encounter | None  # results of the viewer against the player
    results: tuple[Results, ...]
    opponents: list[Encounter]
    page: KeyPage[Game]
    running: list[GameRow]
    finished: list[lists.GameLine]
    elsewhere: list[PlayerLink]  # other pages about the player

    @property
    def empty(self) -> bool:
        return not (self.results or self.running)


def build_player_page(
    player: Player, visitor: Visitor, now: datetime, asked: Mapping[str, Any]
) -> PlayerPage:
    """The page of *player* for *visitor*; the query string *asked* says which page of running games."""
    me = visitor.is_authenticated and visitor.pk == player.pk
    page = lists.load_running_games(visitor, player, asked)
    finished = archive.load_finished_games_of([player], visitor, {}, LATEST)
    lines = lists.load_game_lines([*page, *finished], visitor, now)
    follow, block = _switches(player, visitor)
    history = people.load_history(player, visitor)
    return PlayerPage(
        player=player,
        me=me,
        known=build_player_summaries([player], now=now)[0][0][1],
        follow=follow,
        block=block,
        between=None if me or not visitor.is_authenticated else people.load_encounter(visitor, player),
        results=tuple(results_of(history.record)),
        opponents=history.encounters,
        page=page,
        running=build_rows(lines[: len(page)]),
        finished=lines[len(page) :],
        elsewhere=[find_link(player) for find_link in hooks.PLAYER_LINKS],
    )


def _switches(player: Player, visitor: Visitor) -> tuple[FollowSwitch | None, BlockSwitch | None]:
    """Return the switches of *visitor* for *player*, if another person. At most one query."""
    if not visitor.is_authenticated or visitor.pk == player.pk or player.is_bot:
        return None, None
    chosen = people.load_attitude(visitor, player)
    block = BlockSwitch(reverse("games:block", args=[player.username]), chosen.blocks)
    if chosen.blocks or player.provisional:
        return None, block
    return FollowSwitch(reverse("games:follow_player", args=[player.username]), chosen.follows), block


class Blocked(NamedTuple):
    """A player whom the viewer has blocked."""

    name: str
    url: str  # empty where there is no page
    block: BlockSwitch


def list_blocked_players(player: Player) -> list[Blocked]:
    """List the players whom *player* has blocked. One query."""
    return [
        Blocked(
            other.username,
            lists.build_profile_url(other),
            BlockSwitch(reverse("games:block", args=[other.username]), True),
        )
        for other in blocks.list_blocked_players(player)
    ]


def results_of(record: PlayerRecord) -> Iterable[Results]:
    """Yield the results by the number of seats and by sets, where any game is finished."""
    seats, sets = record
    if seats:
        yield _results("by-seats", _("By the number of players"), _("Players"), seats, _players)
        yield _results("by-sets", _("By sets"), _("Sets"), sets, _set)


def _results(
    id: str, heading: str, kinds: str, tallies: Sequence[ResultTally], name: Callable[[ResultTally], str]
) -> Results:
    rows = tuple(PlayerResult(name(one), one) for one in tallies)
    bars = [ChartBar(one.name, (one.tally.won, one.tally.shared, one.tally.lost)) for one in rows]
    said = "; ".join(
        _("{kind}: {won} of {played} won").format(kind=one.name, won=one.tally.won, played=one.tally.played)
        for one in rows
    )
    drawn = draw_bar_chart(bars, id=id, title=heading, description=said)
    return Results(heading, kinds, rows, mark_safe(drawn))  # the drawing escapes what it is given


def _players(one: ResultTally) -> str:
    return ngettext("{n} player", "{n} players", int(one.kind)).format(n=one.kind)


def _set(one: ResultTally) -> str:
    return str(rule_sets.SETS[str(one.kind)]) if one.kind != people.BASE else _("Base game only")
