"""Rows of a list of games that have begun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.references import show
from games import rules, words
from games.models import Game, Move, Status
from games.pages.parts.hard_end import list_near_ends
from games.pages.parts.offered_seat import describe_way_back
from games.pages.parts.thumbnails import build_thumbnail_url
from games.process_cache import LRUCache
from games.rules import Completed, Deployed, Event, Placed, Returned, Scored
from games.selectors.moves import load_last_acts
from games.words import times
from games.words.acts import ACTS, format_act
from games.words.scores import EARNED

URGENT = timedelta(days=1)
HALF = 50

Happened = tuple[str, datetime | None]
"""The last act of a seat in a game, in one sentence without its full stop, and its time; empty before the
first turn."""

NOTHING_YET: Happened = ("", None)

_happened: LRUCache[Happened] = LRUCache("last acts in lists", 2000)


class SeatRow(NamedTuple):
    """A seat on a card. Plain values only, so that equal seats can share a cache entry."""

    look: int | None
    name: str
    url: str  # of the player's page, if there is one
    free: bool
    kept: bool
    kept_for: str
    mine: bool
    awaited: bool
    left: str  # ending of its player's part, or that a caretaker plays, in words
    score: int | None  # none before the game begins


class GameRow(NamedTuple):
    """A game in a list of those that have begun. Plain values, so that equal rows share a cache entry."""

    name: str
    url: str
    board: str  # address of its picture
    news: bool
    my_turn: bool
    sets: tuple[str, ...]
    seats: tuple[SeatRow, ...]
    event: str  # last event; empty before the first turn
    at: datetime | None
    when: str
    status: str  # status in words, if no clock runs
    until: datetime | None  # deadline of the seat awaited, if a clock runs
    left: str  # time until then in a few letters, with its name if it is another's
    share: int  # of its time, in hundredths
    urgent: bool  # for the viewer
    near_end: str  # result if it ended now; empty until its hard end is near


def build_rows(games: Iterable[Game], now: datetime) -> list[GameRow]:
    """Build the rows of *games*, which have begun, with the seats that ``selectors.lists`` loaded. One query
    unless the last actions are cached, and two more if a hard end is near."""
    games = list(games)
    near = list_near_ends(games, now)
    return [
        _build_row(game, happened, near.get(game.pk, ""), now)
        for game, happened in zip(games, _last_happened(games), strict=True)
    ]


def build_grouped_rows(now: datetime, **parts: Sequence[Game]) -> dict[str, list[GameRow]]:
    """Return the rows of several lists at once."""
    rows = iter(build_rows((game for games in parts.values() for game in games), now))
    return {name: [next(rows) for _game in games] for name, games in parts.items()}


def list_lost_seats(games: Iterable[Game], player: Player, now: datetime) -> list[tuple[Game, str | None]]:
    """Return *games* of a list, in which a bot stands in for *player*, with why they can't come back now, if
    so. One query each if *player* was ever suspended."""
    return [(game, describe_way_back(game, game.own_seat, player, now)) for game in games if game.own_seat]


def build_seat_rows(game: Game) -> tuple[SeatRow, ...]:
    """Build the rows of the seats of *game*, which ``selectors.lists`` loaded."""
    return tuple(
        SeatRow(
            look=seat.chosen_look,
            name=seat.name,
            url=seat.player_url,
            free=seat.free,
            kept=seat.kept is not None,
            kept_for=seat.kept_for,
            mine=seat.mine,
            awaited=seat.index == game.awaited,
            left=seat.absence,
            score=seat.score if game.started else None,
        )
        for seat in game.seated
    )


def _last_happened(games: Sequence[Game]) -> list[Happened]:
    reader = get_language(), timezone.get_current_timezone()
    keys = [(game.code, game.version, tuple(seat.name for seat in game.seated), *reader) for game in games]
    known = {key: _happened.get(key) for key in keys}
    unknown = [(game, key) for game, key in zip(games, keys, strict=True) if known[key] is None]
    acts = load_last_acts([game for game, _key in unknown]) if unknown else {}
    for game, key in unknown:
        known[key] = last_event = _build_last_event(acts.get(game.pk), key[2])
        _happened.put(key, last_event)
    last = [known[key] or NOTHING_YET for key in keys]
    shown = show(event for event, _at in last)  # not remembered: accounts may be closed
    return [(event, at) for event, (_event, at) in zip(shown, last, strict=True)]


def _build_last_event(act: Move | None, names: Sequence[str]) -> Happened:
    return NOTHING_YET if act is None else (describe_last_event(act, names).removesuffix("."), act.at)


def _build_row(game: Game, last: Happened, near_end: str, now: datetime) -> GameRow:
    event, at = last
    share = _compute_share(game, now)
    short = game.deadline is not None and game.deadline - now < URGENT
    return GameRow(
        name=game.name,
        url=game.get_absolute_url(),
        board=build_thumbnail_url(game, game.seated),
        news=getattr(game, "news", False),  # annotated for players
        my_turn=game.is_own_turn,
        sets=tuple(game.rule_set["sets"]),
        seats=build_seat_rows(game),
        event=event,
        at=at,
        when="" if at is None else times.format_moment(at, now),
        status=_format_status(game),
        until=game.deadline,
        left=_format_time_left(game, now),
        share=share,
        urgent=short and share <= HALF and game.is_own_turn,
        near_end=near_end,
    )


def _format_status(game: Game) -> str:
    if game.ended:
        return str(game.get_status_display())
    if game.status == Status.SCORING:
        return _("final scoring")
    awaited = game.awaited_seat
    return awaited.name if awaited is not None and game.deadline is None else ""


def _format_time_left(game: Game, now: datetime) -> str:
    awaited = game.awaited_seat
    if game.deadline is None or awaited is None:
        return ""
    late = game.deadline <= now
    time_left = _("time is up") if late else times.format_duration(game.deadline - now)
    if not game.is_own_turn:
        return _("{name} · {time}").format(name=awaited.name, time=time_left)
    return time_left if late else _("{time} left").format(time=time_left)


def _compute_share(game: Game, now: datetime) -> int:
    """Return how much of the time of the seat awaited is left, in hundredths."""
    if game.deadline is None:
        return 0
    given = game.deadline - (game.turn_began or now)
    share = round(100 * (game.deadline - now) / given) if given else 0
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
