"""Tests of the time counted for a turn, with random calendars and time zones (CLOCK-5 to 18)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from games.clocks import FOREVER, Calendar, ClockSettings, Counting, Stretch, TimedTurn

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ZONES = (
    "UTC",
    "Europe/Warsaw",
    "Africa/Casablanca",  # back by an hour for Ramadan
    "America/St_Johns",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # summer time of half an hour
    "Pacific/Apia",
    "Atlantic/Azores",  # clocks go forward at midnight
)
FIRST, LAST = datetime(2026, 1, 1), datetime(2027, 12, 31)

some = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
instants = st.datetimes(FIRST, LAST, timezones=st.just(UTC))
spans = st.timedeltas(HOUR, 20 * DAY)


@st.composite
def calendars(draw: st.DrawFn) -> Calendar:
    begin = draw(st.times())
    length = draw(st.timedeltas(timedelta(), 12 * HOUR))
    end = (datetime.combine(date(2026, 1, 1), begin) + length).time()
    weekend = draw(st.sets(st.integers(0, 6), max_size=3))
    rest = draw(st.sampled_from([None, (begin, end)]))
    return Calendar(draw(st.sampled_from(ZONES)), rest, frozenset(weekend))


@st.composite
def stretches(draw: st.DrawFn, around: datetime, cause: str) -> tuple[Stretch, ...]:
    drawn = []
    for _ in range(draw(st.integers(0, 3))):
        begin = around + draw(st.timedeltas(-5 * DAY, 15 * DAY))
        drawn.append(Stretch(begin, begin + draw(st.timedeltas(MINUTE, 8 * DAY)), cause))
    return tuple(drawn)


@st.composite
def turns(draw: st.DrawFn, floors: bool = True) -> TimedTurn:
    began = draw(instants)
    cap = draw(spans)
    ends = draw(st.none() | st.timedeltas(-DAY, 30 * DAY).map(lambda after: began + after))
    clock = ClockSettings(
        start=min(draw(spans), cap),
        gain=draw(spans),
        cap=cap,
        grace=draw(st.timedeltas(timedelta(), DAY)),
        surcharge_after=draw(st.none() | spans),
        total=draw(st.none() | spans),
        ends=ends if floors else None,
        weekends=draw(st.sampled_from(Counting)),
        holidays=draw(st.sampled_from(Counting)),
    )
    return TimedTurn(
        clock=clock,
        began=began,
        bank=draw(spans),
        spent=draw(st.timedeltas(timedelta(), 10 * DAY)),
        calendar=draw(calendars()),
        holidays=draw(stretches(began, "holiday")),
        stops=draw(stretches(began, "pause")),
        floors=tuple(began + after for after in draw(st.lists(st.timedeltas(HOUR, 20 * DAY), max_size=2)))
        if floors
        else (),
    )


def wall(turn: TimedTurn, day: date, at: time) -> datetime:
    return datetime.combine(day, at, ZoneInfo(turn.calendar.zone)).astimezone(UTC)


def stopped(turn: TimedTurn, at: datetime) -> bool:
    """Return whether the clock stops at one instant (CLOCK-7)."""
    known = turn.stops + (turn.holidays if turn.clock.holidays == "stop" else ())
    if any(item.begin <= at < item.end for item in known):
        return True
    if turn.clock.weekends == "count":
        return False
    today = at.astimezone(ZoneInfo(turn.calendar.zone)).date()
    return any(
        day.weekday() in turn.calendar.weekend
        and wall(turn, day, time()) <= at < wall(turn, day + DAY, time())
        for day in (today - DAY, today, today + DAY)
    )


def resting(turn: TimedTurn, at: datetime) -> bool:
    """Return whether an instant lies in the player's rest hours (CLOCK-4, 5)."""
    if turn.calendar.rest is None or turn.calendar.rest[0] == turn.calendar.rest[1]:
        return False
    begin, end = turn.calendar.rest
    today = at.astimezone(ZoneInfo(turn.calendar.zone)).date()
    over = DAY if end <= begin else timedelta()
    return any(
        wall(turn, day, begin) <= at < wall(turn, day + over, end)
        for day in (today - 2 * DAY, today - DAY, today, today + DAY)
    )


@some
@given(turns(floors=False))
def test_a_deadline_never_falls_into_rest_hours_or_a_stop(turn: TimedTurn) -> None:
    deadline = turn.deadline()
    assert deadline is not None
    assert not resting(turn, deadline)
    assert not stopped(turn, deadline)


@some
@given(turns())
def test_no_instant_before_the_deadline_is_late_and_each_after_it_is(turn: TimedTurn) -> None:
    deadline = turn.deadline()
    assert deadline is not None and deadline >= turn.began
    assert not turn.late(deadline)
    assert turn.late(deadline + timedelta(microseconds=1))


@some
@given(turns(floors=False))
def test_the_time_is_over_when_more_than_allowed_would_be_charged(turn: TimedTurn) -> None:
    """CLOCK-11: the raw deadline is what the deadline is without rest hours, once the clock runs again."""
    unresting = Calendar(turn.calendar.zone, None, turn.calendar.weekend)
    raw = changed(turn, calendar=unresting).deadline()
    assert raw is not None
    assert turn.compute_unbounded_charge(raw) <= turn.allowed + timedelta(microseconds=1)
    assert turn.compute_unbounded_charge(raw + 2 * timedelta(microseconds=1)) > turn.allowed
    assert raw <= (turn.deadline() or FOREVER)


@some
@given(turns(), st.timedeltas(timedelta(), 12 * DAY))
def test_the_clock_counts_the_minutes_that_are_not_stopped(turn: TimedTurn, after: timedelta) -> None:
    """Against counting by steps, each of which counts wholly or not at all."""
    step = timedelta(minutes=30)
    at = turn.began + after
    counted = timedelta()
    edges = 0
    begin = turn.began
    while begin < at:
        end = min(begin + step, at)
        both = (stopped(turn, begin), stopped(turn, end - timedelta(microseconds=1)))
        edges += both[0] != both[1]
        counted += (end - begin) * (0 if both[0] else 1)
        begin = end
    assert abs(turn.running(at) - counted) <= step * (edges + 2 * len(turn.stops + turn.holidays))


@some
@given(turns())
def test_the_terms_of_an_explanation_add_up(turn: TimedTurn) -> None:
    deadline = turn.deadline()
    assert deadline is not None
    assert sum((term.span for term in turn.explanation()), timedelta()) == deadline - turn.began
    for term in turn.explanation():
        if term.begin is not None:
            assert term.end is not None and term.span == term.end - term.begin


@some
@given(turns())
def test_a_deadline_does_not_move_when_nothing_happened(turn: TimedTurn) -> None:
    again = changed(
        turn,
        holidays=tuple(reversed(turn.holidays)),
        stops=tuple(reversed(turn.stops)),
        calendar=Calendar.from_json(turn.calendar.to_json() | {"rest": _exact(turn.calendar)}),
        clock=ClockSettings.from_json(turn.clock.to_json()),
    )
    assert again.deadline() == turn.deadline()


@some
@given(turns(floors=False), st.timedeltas(timedelta(), 10 * DAY), st.timedeltas(MINUTE, 10 * DAY))
def test_pausing_and_resuming_loses_and_gains_nothing(
    turn: TimedTurn, after: timedelta, length: timedelta
) -> None:
    """A pause takes away as much of the running time as it lasts, apart from what stands still anyway."""
    begin = turn.began + after
    paused = changed(turn, stops=(*turn.stops, Stretch(begin, begin + length, "pause")))
    end = begin + length
    lost = turn.running(end) - turn.running(begin)
    assert paused.running(end) == turn.running(end) - lost == turn.running(begin)
    assert paused.running(end + DAY) - paused.running(end) == turn.running(end + DAY) - turn.running(end)
    nothing = changed(turn, stops=(*turn.stops, Stretch(begin, begin, "pause")))
    assert nothing.deadline() == turn.deadline()


@some
@given(turns(), st.timedeltas(timedelta(), 10 * DAY))
def test_more_time_never_makes_a_deadline_earlier(turn: TimedTurn, more: timedelta) -> None:
    assert (changed(turn, bank=turn.bank + more).deadline() or FOREVER) >= (turn.deadline() or FOREVER)


@some
@given(turns(), st.timedeltas(timedelta(), 40 * DAY))
def test_what_a_turn_costs_and_gains(turn: TimedTurn, after: timedelta) -> None:
    """CLOCK-15."""
    cost = turn.compute_charge(turn.began + after)
    assert timedelta() <= cost.charged <= turn.allowed
    if cost.late:
        assert (cost.charged, cost.after) == (turn.allowed, timedelta())
        return
    left = turn.bank - cost.charged
    assert cost.after == (left if left >= turn.clock.cap else min(turn.clock.cap, left + turn.clock.gain))
    assert cost.after >= left


@some
@given(turns(floors=False))
def test_a_stop_without_an_end_leaves_no_deadline(turn: TimedTurn) -> None:
    assume(turn.allowed + turn.clock.grace > timedelta())
    held = changed(turn, stops=(*turn.stops, Stretch(turn.began, FOREVER, "hold")))
    assert held.deadline() is None
    assert held.running(turn.began + 99 * DAY) == timedelta()
    assert held.explanation()[-1].end == FOREVER


def test_a_turn_that_begins_at_the_hard_end_has_no_time_at_all() -> None:
    began = datetime(2026, 5, 1, tzinfo=UTC)
    clock = ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=began)
    turn = TimedTurn(clock=clock, began=began, bank=DAY, floors=(began + DAY,))
    assert turn.deadline() == began
    assert not turn.late(began)
    assert [(term.kind, term.span) for term in turn.explanation()] == [
        ("bank", DAY),
        ("ends", -DAY),
    ]


def changed(turn: TimedTurn, **fields: object) -> TimedTurn:
    return replace(turn, **fields)  # type: ignore[arg-type]


def _exact(calendar: Calendar) -> list[str] | None:
    """Rest hours to the microsecond, which settings never have."""
    return None if calendar.rest is None else [at.isoformat() for at in calendar.rest]
