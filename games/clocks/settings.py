"""The clock of a game as a value (CLOCK-1, 2), and the presets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Self

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SHORTEST, LONGEST = HOUR, 60 * DAY
"""Limits of each value that a host may set (CLOCK-2)."""


class Counting(StrEnum):
    """Choice whether the clock runs on weekend days, or on holidays."""

    COUNT = "count"
    STOP = "stop"


class AtEnd(StrEnum):
    """Choice how a game that reaches its hard end is decided (CLOCK-24)."""

    TIME = "time"  # by the time charged, the least first
    SCORE = "score"  # the board as it stands is scored
    ORGANISER = "organiser"  # the league's organisers decide; if they don't, as TIME


KNOWN_WORDS: Mapping[str, tuple[frozenset[str], str]] = {
    "weekends": (frozenset(Counting), Counting.COUNT),
    "holidays": (frozenset(Counting), Counting.STOP),
    "at_end": (frozenset(AtEnd), AtEnd.TIME),
}
"""The words of each choice, and the usual one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSettings:
    """The thinking time of each seat of a game (CLOCK-1)."""

    start: timedelta  # in the bank at the first turn
    gain: timedelta  # time added by a turn
    cap: timedelta  # maximum to which a turn may fill the bank
    grace: timedelta = timedelta()  # of each turn, before anything is charged
    surcharge_after: timedelta | None = None  # time beyond which a turn is charged twice
    total: timedelta | None = None  # maximum that a seat may be charged in a game
    ends: datetime | None = None  # the hard end of the game, in UTC
    weekends: Counting = Counting.COUNT
    holidays: Counting = Counting.STOP
    at_end: AtEnd = AtEnd.TIME

    @classmethod
    def per_move(cls, days: int) -> Self:
        """Return settings with so many *days* for each move, and holidays that count.

        >>> ClockSettings.per_move(3).cap
        datetime.timedelta(days=3)
        """
        span = days * DAY
        return cls(start=span, gain=span, cap=span, holidays=Counting.COUNT)

    def faults(self) -> Iterator[str]:
        """Yield the names of values that no table may have (CLOCK-1, 2)."""
        for name in ("start", "gain", "cap", "surcharge_after"):
            span = getattr(self, name)
            if span is not None and not SHORTEST <= span <= LONGEST:
                yield name
        if self.start > self.cap:
            yield "cap"
        if not timedelta() <= self.grace <= LONGEST:
            yield "grace"
        if self.total is not None and not self.start <= self.total <= LONGEST:
            yield "total"

    def to_json(self) -> dict[str, Any]:
        """Return the values as seconds and instants, as in the contract of the command. That has no
        ``at_end``, which is left out if it is the default."""
        values = {name: _dump_value(value) for name, value in asdict(self).items()}
        if self.at_end == AtEnd.TIME:
            del values["at_end"]
        return values

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """:raises KeyError, TypeError, ValueError, OverflowError: it is not as ``to_json`` writes it"""
        return cls(
            start=parse_seconds(stored["start"]),
            gain=parse_seconds(stored["gain"]),
            cap=parse_seconds(stored["cap"]),
            grace=parse_seconds(stored["grace"]),
            surcharge_after=_unless_none(parse_seconds, stored["surcharge_after"]),
            total=_unless_none(parse_seconds, stored["total"]),
            ends=_unless_none(parse_instant, stored["ends"]),
            weekends=Counting(stored["weekends"]),
            holidays=Counting(stored["holidays"]),
            at_end=AtEnd(stored.get("at_end", AtEnd.TIME)),
        )

    @classmethod
    def from_row(cls, stored: Mapping[str, Any]) -> Self:
        """Return what ``to_json`` wrote in some release; a choice that this one has lost is the usual one."""
        lost = {name: word for name, (known, word) in KNOWN_WORDS.items() if stored.get(name) not in known}
        return cls.from_json({**stored, **lost})


PRESETS: Mapping[str, ClockSettings] = {
    "relaxed": ClockSettings(start=7 * DAY, gain=7 * DAY, cap=7 * DAY),
    "steady": ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, grace=12 * HOUR),
    "brisk": ClockSettings(start=DAY, gain=12 * HOUR, cap=3 * DAY, grace=8 * HOUR),
    "classic": ClockSettings(start=30 * DAY, gain=3 * DAY, cap=60 * DAY, surcharge_after=20 * DAY),
}
"""Clocks by name (CLOCK-2). The clock *league* is *steady* with ``ends``, which depends on the league."""

USUAL_CLOCK = PRESETS["steady"]


def parse_instant(text: str) -> datetime:
    """Return the instant of an ISO 8601 *text*, in UTC.

    >>> parse_instant("2026-12-01T10:00:00+01:00")
    datetime.datetime(2026, 12, 1, 9, 0, tzinfo=datetime.timezone.utc)

    :raises ValueError: it is not an instant, or has no zone
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no instant")
    read = datetime.fromisoformat(text)
    if read.tzinfo is None:
        raise ValueError(f"{text!r} does not say its zone")
    return read.astimezone(UTC)


def parse_seconds(number: int | float) -> timedelta:
    """Return a number of seconds as a ``timedelta``.

    :raises TypeError: it is not a number
    """
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise TypeError(f"{number!r} is no number of seconds")
    return timedelta(seconds=number)


def _dump_value(value: object) -> object:
    if isinstance(value, timedelta):
        whole = value // timedelta(seconds=1)
        return whole if timedelta(seconds=whole) == value else value.total_seconds()
    return value.isoformat() if isinstance(value, datetime) else value


def _unless_none(read: Any, value: Any) -> Any:
    return None if value is None else read(value)
