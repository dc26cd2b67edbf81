"""Tests of time-outs, the allowance of holidays, and the hard end (CLOCK-19 to 23)."""

from __future__ import annotations

import random
from datetime import UTC, datetime, time

import pytest

from games.clocks import (
    A_YEAR,
    ARRIVAL,
    DAY,
    HOUR,
    OUTAGE,
    PRESETS,
    Calendar,
    ClockSettings,
    Counting,
    Ladder,
    Piece,
    Stretch,
    TimedTurn,
    TimeoutStep,
    compute_refill,
    compute_worst_case_end,
    holiday_left,
    holiday_refusals,
    mark_rated_timeouts,
)
from games.clocks.holidays import compute_holiday_used
from tests.cases import for_each

NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)


class TestLadder:
    def test_steps_are_taken_in_order(self) -> None:
        ladder = Ladder(excuses=2, holiday=True, last=TimeoutStep.CLAIM)

        def step(excused: int, holiday: bool = True) -> TimeoutStep:
            return ladder.step(excused=excused, holiday=holiday)

        assert [step(0), step(1), step(2), step(2, holiday=False)] == ["excuse", "excuse", "holiday", "claim"]

    @pytest.mark.parametrize("seats", [2, 3])
    def test_what_is_usual_goes_into_a_row_and_back(self, seats: int) -> None:
        ladder = Ladder.usual(seats)
        assert Ladder.from_json(ladder.to_json()) == ladder
        assert ladder.to_json() == [["excuse", 1], ["holiday"], ["loss" if seats == 2 else "substitute"]]

    def test_the_days_per_move_of_before_lose_at_once(self) -> None:
        assert Ladder.from_json([["loss"]]) == Ladder(excuses=0, holiday=False)

    def test_an_excuse_fills_the_bank_to_a_day_at_least(self) -> None:
        assert compute_refill(PRESETS["brisk"]) == DAY
        assert compute_refill(PRESETS["classic"]) == 3 * DAY

    def test_of_mass_time_outs_three_a_day_are_rated(self) -> None:
        hours = (0, 1, 2, 3, 24, 25, 26)  # a day after the first it is still the same day, then a new one
        times = [NEW_YEAR + hour * HOUR for hour in hours]
        assert mark_rated_timeouts(times) == [True, True, True, False, False, True, True]


class TestHolidays:
    def test_a_piece_over_new_year_is_divided(self) -> None:
        over = Piece(NEW_YEAR - 2 * DAY, NEW_YEAR + 3 * DAY)
        assert [compute_holiday_used([over], year) for year in (2026, 2027)] == [2 * DAY, 3 * DAY]
        assert holiday_left([over], 2027) == A_YEAR - 3 * DAY

    @pytest.mark.parametrize(
        ("begin", "days", "code"),
        [
            (-1, 5, "holiday_past"),
            (1, 0.5, "holiday_short"),
            (9, 3, "holiday_twice"),
            (20, 12, "holiday_long"),  # it touches the ten days before
            (40, 21, "holiday_used_up"),
        ],
    )
    def test_what_speaks_against_a_holiday(self, begin: float, days: float, code: str) -> None:
        others = [Piece(NEW_YEAR + 10 * DAY, NEW_YEAR + 20 * DAY)]
        wanted = Piece(NEW_YEAR + begin * DAY, NEW_YEAR + (begin + days) * DAY)
        assert list(holiday_refusals(wanted, others, now=NEW_YEAR)) == [code]

    def test_thirty_days_a_year_may_be_taken(self) -> None:
        others = [Piece(NEW_YEAR, NEW_YEAR + 21 * DAY)]
        assert not list(
            holiday_refusals(Piece(NEW_YEAR + 22 * DAY, NEW_YEAR + 31 * DAY), others, now=NEW_YEAR)
        )


class TestWorstCase:
    def test_a_hard_end_is_nearly_the_end(self) -> None:
        clock = ClockSettings(start=7 * DAY, gain=7 * DAY, cap=7 * DAY, ends=NEW_YEAR)
        end = compute_worst_case_end(clock, Ladder(), seats=2, decisions=71, began=NEW_YEAR - 30 * DAY)
        assert end is not None and NEW_YEAR <= end < NEW_YEAR + DAY

    def test_days_per_move_without_excuses_take_as_many_turns_and_nights(self) -> None:
        clock = ClockSettings.per_move(3)
        end = compute_worst_case_end(
            clock, Ladder(excuses=0, holiday=False), seats=2, decisions=71, began=NEW_YEAR
        )
        assert end is not None
        assert 73 * 3 * DAY < end - NEW_YEAR < 73 * 3 * DAY + 71 * 14 * HOUR

    def test_where_everything_stops_no_end_is_promised(self) -> None:
        clock = ClockSettings(start=DAY, gain=DAY, cap=DAY, weekends=Counting.STOP)
        assert compute_worst_case_end(clock, Ladder(), seats=6, decisions=71, began=NEW_YEAR) is None
        assert compute_worst_case_end(clock, Ladder(), seats=2, decisions=71, began=NEW_YEAR) is not None

    @for_each("seed", range(40))
    def test_it_holds_against_who_uses_every_hour_and_holiday(self, seed: int) -> None:
        """Each wait goes to its deadline and beyond it through the ladder; rest hours, weekends and holidays
        are put where they cost most, as far as the rules for them let anybody."""
        lot = random.Random(seed)
        cap = lot.randrange(1, 15) * DAY
        clock = ClockSettings(
            start=lot.choice([cap, HOUR]),
            gain=lot.randrange(1, 120) * HOUR,
            cap=cap,
            grace=lot.randrange(0, 36) * HOUR,
            weekends=lot.choice(list(Counting)),
            holidays=lot.choice(list(Counting)),
        )
        seats, decisions = lot.choice((2, 3)), lot.randrange(5, 40)
        ladder = Ladder(excuses=lot.randrange(3), holiday=True, last=TimeoutStep.LOSS)
        began = datetime(2026, lot.randrange(1, 13), lot.randrange(1, 28), tzinfo=UTC)
        end = compute_worst_case_end(clock, ladder, seats=seats, decisions=decisions, began=began)
        assert end is not None
        assert Adversary(clock, ladder, seats, lot).play(decisions, began) <= end


class Adversary:
    """Players who prolong a game as much as they can."""

    def __init__(self, clock: ClockSettings, ladder: Ladder, seats: int, lot: random.Random) -> None:
        self.clock, self.ladder, self.lot = clock, ladder, lot
        self.banks = [clock.start] * seats
        self.holidays: list[list[Piece]] = [[] for _ in range(seats)]
        self.excuses = [0] * seats

    def play(self, decisions: int, began: datetime) -> datetime:
        """Return the end of the last of so many waits."""
        now = began
        for wait in range(decisions):
            now = self._wait(wait % len(self.banks), now) + OUTAGE
        return now

    def _wait(self, seat: int, began: datetime) -> datetime:
        weekday = began.weekday() + self.lot.randrange(3)
        weekend = frozenset((weekday + day) % 7 for day in range(3))
        first = self._turn(seat, began, Calendar("UTC", None, weekend)).deadline()
        assert first is not None
        hour = (first - HOUR).hour  # the night falls just before the deadline
        calendar = Calendar("UTC", (time(hour), time((hour + 12) % 24)), weekend)
        for begin in (began, first - HOUR, first):
            self._rest(seat, begin, began)
        while True:
            turn = self._turn(seat, began, calendar)
            deadline = turn.deadline()
            assert deadline is not None
            if self.excuses[seat] < self.ladder.excuses:
                self.excuses[seat] += 1
                began = deadline
                self.banks[seat] = compute_refill(self.clock)
            elif not self._rest(seat, deadline, deadline):
                self.banks[seat] = turn.compute_charge(deadline).after
                return deadline + ARRIVAL

    def _turn(self, seat: int, began: datetime, calendar: Calendar) -> TimedTurn:
        holidays = tuple(Stretch(*piece, "holiday") for piece in self.holidays[seat])
        return TimedTurn(
            clock=self.clock, began=began, bank=self.banks[seat], calendar=calendar, holidays=holidays
        )

    def _rest(self, seat: int, begin: datetime, now: datetime) -> bool:
        """Begin the longest possible holiday then, if it stops the clock. Return whether one was allowed."""
        if self.clock.holidays == Counting.COUNT:
            return False
        for days in (21, 8, 3, 1.5, 1):
            wanted = Piece(begin, begin + days * DAY)
            if next(holiday_refusals(wanted, self.holidays[seat], now=now), None) is None:
                self.holidays[seat].append(wanted)
                return True
        return False
