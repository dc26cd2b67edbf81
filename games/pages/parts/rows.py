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
from games.pages.parts.offered_seat import describe_way_back
from games.pages.parts.thumbnails import build_thumbnail_url
from games.process_cache import LRUCache
from games.rules import Completed, Deployed, Event, Placed, Returned, Scored
from games.selectors.lists import GameLine, ShownSeat
from games.selectors.moves import load_last_acts
from games.words import rule_sets, times
from games.words.acts import ACTS, format_act
from games.words.scores import EARNED

HALF = 50


Happened = tuple[str, datetime | None]
"""The last act of a seat in a game, in one sentence without its full stop, and its time; empty before the
first turn."""

NOTHING_YET: Happened = ("", None)

_happened: LRUCache[Happened] = LRUCache("last acts in lists", 2000)


class GameRow(NamedTuple):
    """A game in a list of those that have begun. Plain values, so that equal rows share a cache entry."""

    name: str
    url: str
    board: str  # address of its picture
    news: bool
    my_turn: bool
    sets: tuple[tuple[str, str], ...]  # slugs and names
    seats: tuple[ShownSeat, ...]
    event: str  # last event; empty before the first turn
    at: datetime | None
    when: str
    status: str  # status in words, if no clock runs
    until: datetime | None  # deadline of the seat awaited, if a clock runs
    left: str  # time until then in a few letters, with its name if it is another's
    share: int  # of its time, in hundredths
    urgent: bool  # for the viewer
    near_end: str  # result if it ended now; empty until its hard end is near


def list_lost_seats(
    lines: Iterable[GameLine], player: Player, now: datetime
) -> list[tuple[GameLine, str | None]]:
    """Return *lines*, in which a bot stands in for *player*, with why they can't come back now, if so. One
    query each if *player* was ever suspended."""
    return [(line, describe_way_back(line.game, line.mine, player, now)) for line in lines if line.mine]


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
        (line.game.code, line.game.version, tuple(seat.name for seat in line.seats), *reader)
        for line in lines
    ]
    known = {key: _happened.get(key) for key in keys}
    unknown = [(line.game, key) for line, key in zip(lines, keys, strict=True) if known[key] is None]
    acts = load_last_acts([game for game, _key in unknown]) if unknown else {}
    for game, key in unknown:
        known[key] = last_event = _build_last_event(acts.get(game.pk), key[2])
        _happened.put(key, last_event)
    last = [known[key] or NOTHING_YET for key in keys]
    shown = show(event for event, _at in last)  # not remembered: accounts may be closed
    return [(event, at) for event, (_event, at) in zip(shown, last, strict=True)]


def _build_last_event(act: Move | None, names: Sequence[str]) -> Happened:
    return NOTHING_YET if act is None else (describe_last_event(act, names).removesuffix("."), act.at)


def _row(line: GameLine, last: Happened, near_end: str) -> GameRow:
    game, (event, at) = line.game, last
    share = _compute_share(line)
    return GameRow(
        name=game.name,
        url=game.get_absolute_url(),
        board=build_thumbnail_url(game, line.seats),
        news=line.news,
        my_turn=line.my_turn,
        sets=_sets(tuple(game.rule_set["sets"]), get_language()),
        seats=line.shown_seats,
        event=event,
        at=at,
        when="" if at is None else times.format_moment(at, line.now),
        status=_format_status(line),
        until=game.deadline,
        left=_format_time_left(line),
        share=share,
        urgent=line.my_turn and line.urgent and share <= HALF,
        near_end=near_end,
    )


@lru_cache(maxsize=1000)
def _sets(chosen: tuple[str, ...], language: str | None) -> tuple[tuple[str, str], ...]:
    """The names of the sets in *language*, which is active, in the usual order."""
    return tuple((slug, str(name)) for slug, name in rule_sets.SETS.items() if slug in chosen)


def _format_status(line: GameLine) -> str:
    game = line.game
    if game.ended:
        return str(game.get_status_display())
    if game.status == Status.SCORING:
        return _("final scoring")
    if game.status == Status.PLAYING and game.deadline is None and line.awaited is not None:
        return line.awaited.name
    return ""


def _format_time_left(line: GameLine) -> str:
    deadline, awaited = line.game.deadline, line.awaited
    if deadline is None or awaited is None:
        return ""
    time_left = _("time is up") if line.late else times.format_duration(deadline - line.now)
    if not line.my_turn:
        return _("{name} · {time}").format(name=awaited.name, time=time_left)
    return time_left if line.late else _("{time} left").format(time=time_left)


def _compute_share(line: GameLine) -> int:
    """Return how much of the time of the seat awaited is left, in hundredths."""
    if line.game.deadline is None:
        return 0
    given = line.game.deadline - (line.game.turn_began or line.now)
    share = round(100 * (line.game.deadline - line.now) / given) if given else 0
    return min(max(share, 0), 100)


def describe_last_event(act: Move, names: Sequence[str]) -> str:
    """Describe *act* in one sentence: the scoring with most points, or else what the seat did.

    Names in a moderator's reason stay references.
    """
    if act.action["type"] in ACTS:
        return format_act(act.action, act.seat, names)
    return _telling([rules.event_from_json(stored) for stored in act.events], names)


def _telling(events: Sequence[Event], names: Sequence[str]) -> str:
    scored = max((event for event in events if isinstance(event, Scored)), key=_points, default=None)
    if scored is not None and scored.points > 0:
        if scored.on in EARNED:
            return words.format_earned_points(scored.on, names[scored.seat], scored.points)
        return words.tell_event(scored, names)
    notable = [event for event in events if words.is_told(event)]
    return words.tell_event(max(notable, key=_weight), names) if notable else ""


def _points(event: Scored) -> int:
    return event.points


WEIGHTS: Mapping[type[Any], int] = {Placed: 0, Completed: 1, Returned: 1, Deployed: 2}
"""Ranks of events, of which the highest is told; 3 for all others, which only some games have."""


def _weight(event: Event) -> int:
    return WEIGHTS.get(type(event), 3)
