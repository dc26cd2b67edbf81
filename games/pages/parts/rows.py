"""Rows of a list of games that have begun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show
from games import rules, words
from games.models import Move, Status
from games.pages.parts.hard_end import list_near_ends
from games.pages.parts.offered_seat import WayBack, find_way_back
from games.pages.parts.thumbnails import build_thumbnail_url
from games.process_cache import LRUCache
from games.rules import Completed, Deployed, Event, Placed, Returned, Scored
from games.selectors.lists import GameLine, ShownSeat
from games.selectors.moves import load_last_acts
from games.words import rule_sets, times
from games.words.acts import ACTS, format_act
from games.words.scores import EARNED

HALF = 50


class SetName(NamedTuple):
    """A set in play."""

    slug: str
    name: str


class RowClock(NamedTuple):
    """The time that the seat awaited has left."""

    left: str  # in a few letters, with its name if it is another's
    share: int  # of its time, in hundredths
    until: datetime
    urgent: bool  # for the viewer


class Happened(NamedTuple):
    """The last act of a seat in a game, and its time."""

    event: str  # in one sentence without its full stop; empty before the first turn
    at: datetime | None


NOTHING_YET = Happened("", None)

_happened: LRUCache[Happened] = LRUCache("last acts in lists", 2000)


class GameRow(NamedTuple):
    """A game in a list of those that have begun. Plain values, so that equal rows share a cache entry."""

    name: str
    url: str
    board: str  # address of its picture
    news: bool
    my_turn: bool
    sets: tuple[SetName, ...]
    seats: tuple[ShownSeat, ...]
    event: str  # last event; empty before the first turn
    at: datetime | None
    when: str
    status: str  # status in words, if no clock runs
    clock: RowClock | None
    near_end: str  # result if it ended now; empty until its hard end is near


class Ended(NamedTuple):
    """A game that ended recently, and the address of its picture."""

    line: GameLine
    board: str


def build_ended_rows(lines: Iterable[GameLine]) -> list[Ended]:
    """*lines*, whose games have ended, with their pictures. No query."""
    return [Ended(line, build_thumbnail_url(line.game, [one.seat for one in line.seats])) for line in lines]


def list_lost_seats(
    lines: Iterable[GameLine], player: Player, now: datetime
) -> list[tuple[GameLine, WayBack | None]]:
    """Return *lines*, in which a bot stands in for *player*, with the way back. One query each if *player*
    was ever suspended."""
    return [(line, find_way_back(line.game, line.mine.seat, player, now)) for line in lines if line.mine]


def build_rows(lines: Iterable[GameLine]) -> list[GameRow]:
    """Build the rows of *lines*, whose games have begun. One query unless the last actions are cached, and
    two more if a hard end is near."""
    lines = list(lines)
    near = list_near_ends(lines)
    return [
        _row(line, happened, near.get(line.game.pk, ""))
        for line, happened in zip(lines, _last_happened(lines), strict=True)
    ]


def build_grouped_rows(**parts: Sequence[GameLine]) -> dict[str, list[GameRow]]:
    """Return the rows of several lists at once."""
    rows = iter(build_rows(line for lines in parts.values() for line in lines))
    return {name: [next(rows) for _line in lines] for name, lines in parts.items()}


def _last_happened(lines: Sequence[GameLine]) -> list[Happened]:
    reader = get_language(), timezone.get_current_timezone()
    keys = [
        (line.game.code, line.game.version, tuple(one.name for one in line.seats), *reader) for line in lines
    ]
    known = {key: _happened.get(key) for key in keys}
    unknown = [(line.game, key) for line, key in zip(lines, keys, strict=True) if known[key] is None]
    acts = load_last_acts([game for game, _key in unknown]) if unknown else {}
    for game, key in unknown:
        known[key] = told = _build_last_event(acts.get(game.pk), key[2])
        _happened.put(key, told)
    last = [known[key] or NOTHING_YET for key in keys]
    shown = show(one.event for one in last)  # not remembered: accounts may be closed
    return [one._replace(event=event) for one, event in zip(last, shown, strict=True)]


def _build_last_event(act: Move | None, names: Sequence[str]) -> Happened:
    return NOTHING_YET if act is None else Happened(event_of(act, names).removesuffix("."), act.at)


def _row(line: GameLine, last: Happened, near_end: str) -> GameRow:
    return GameRow(
        name=line.game.name,
        url=line.url,
        board=build_thumbnail_url(line.game, [one.seat for one in line.seats]),
        news=line.news,
        my_turn=line.my_turn,
        sets=_sets(tuple(line.game.rule_set["sets"]), get_language()),
        seats=line.shown_seats,
        event=last.event,
        at=last.at,
        when="" if last.at is None else times.format_moment(last.at, line.now),
        status=_status(line),
        clock=_clock(line),
        near_end=near_end,
    )


@lru_cache(maxsize=1000)
def _sets(chosen: tuple[str, ...], language: str | None) -> tuple[SetName, ...]:
    """The names of the sets in *language*, which is active, in the usual order."""
    return tuple(SetName(slug, str(name)) for slug, name in rule_sets.SETS.items() if slug in chosen)


def _status(line: GameLine) -> str:
    game = line.game
    if game.ended:
        return str(game.get_status_display())
    if game.status == Status.SCORING:
        return _("final scoring")
    if game.status == Status.PLAYING and game.deadline is None and line.awaited is not None:
        return line.awaited.name
    return ""


def _clock(line: GameLine) -> RowClock | None:
    game = line.game
    if game.deadline is None or line.awaited is None:
        return None
    left = game.deadline - line.now
    given = game.deadline - (game.turn_began or line.now)
    told = _("time is up") if line.late else times.format_duration(left)
    if not line.my_turn:
        told = _("{name} · {time}").format(name=line.awaited.name, time=told)
    elif not line.late:
        told = _("{time} left").format(time=told)
    share = round(100 * left / given) if given else 0
    urgent = line.my_turn and line.urgent and share <= HALF
    return RowClock(told, min(max(share, 0), 100), game.deadline, urgent)


def event_of(act: Move, names: Sequence[str]) -> str:
    """Describe *act* in one sentence: the scoring with most points, or else what the seat did.

    Names in a moderator's reason stay references.
    """
    if act.action["type"] in ACTS:
        return format_act(act.action, act.seat, names)
    return _telling([rules.event_from_json(stored) for stored in act.events], names)


def _telling(events: Sequence[Event], names: Sequence[str]) -> str:
    scored = max((one for one in events if isinstance(one, Scored)), key=_points, default=None)
    if scored is not None and scored.points > 0:
        if scored.on in EARNED:
            return words.format_earned_points(scored.on, names[scored.seat], scored.points)
        return words.tell_event(scored, names)
    told = [event for event in events if words.is_told(event)]
    return words.tell_event(max(told, key=_weight), names) if told else ""


def _points(one: Scored) -> int:
    return one.points


WEIGHTS: Mapping[type[Any], int] = {Placed: 0, Completed: 1, Returned: 1, Deployed: 2}
"""Ranks of events, of which the highest is told; 3 for all others, which only some games have."""


def _weight(event: Event) -> int:
    return WEIGHTS.get(type(event), 3)
