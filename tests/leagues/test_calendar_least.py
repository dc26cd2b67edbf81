"""Tests of the least time of rounds, by calculation alone (STAND-20)."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from games.clocks import DAY, HOUR, USUAL_CLOCK, AtEnd, compute_usual_length
from leagues.calendar import (
    LEAST_ROUND,
    SeasonCalendar,
    Stage,
    build_calendar,
    compute_round_end,
    compute_shortest_length,
)
from leagues.schedules import TeamRules
from leagues.settings import Schedule
from tests.leagues.calendar_helpers import BEGINS, build, draw_settings, make_settings

DECIDED = replace(USUAL_CLOCK, at_end=AtEnd.ORGANISER)


def list_days(calendar: SeasonCalendar) -> list[int]:
    return [each.length.days for each in calendar.rounds]


def test_swiss_rounds_that_eat_those_after_them_are_too_short() -> None:
    calendar = build(8, schedule=Schedule.SWISS, rounds=6, length=28 * DAY, protest=timedelta())
    assert list_days(calendar) == [7, 7, 7, 6, 0, 0]
    assert [each.number for each in calendar.list_short_rounds()] == [5, 6]
    assert calendar.is_too_short


def test_every_wait_is_in_the_calendar() -> None:
    settings = make_settings(schedule=Schedule.KNOCK_OUT, clock=DECIDED, length=60 * DAY)
    assert settings.wait == 7 * DAY + DAY + HOUR
    first, second, final = build_calendar(settings, players=8, begins=BEGINS).rounds
    assert second.begins - first.ends == final.begins - second.ends == settings.wait
    assert final.ends == BEGINS + 60 * DAY
    assert make_settings(schedule=Schedule.KNOCK_OUT).wait == DAY + HOUR, "by time nobody has to decide"


def test_the_least_time_is_half_of_the_longest_round_or_what_games_usually_last() -> None:
    duel = compute_usual_length(71, seats=2)
    short = build(8, schedule=Schedule.KNOCK_OUT, length=100 * DAY)
    assert short.compute_least_time(Stage.KNOCK_OUT) == short.rounds[0].length / 2 < duel
    long = build(4, schedule=Schedule.KNOCK_OUT, length=390 * DAY)
    assert long.compute_least_time(Stage.KNOCK_OUT) == duel < long.rounds[0].length / 2
    assert not short.is_too_short and not long.is_too_short


def test_no_round_is_as_short_as_the_time_in_which_no_game_begins() -> None:
    assert build(2, length=DAY).is_too_short
    assert not build(2, length=LEAST_ROUND).is_too_short
    crowded = build(60, schedule=Schedule.KNOCK_OUT, length=28 * DAY, clock=DECIDED)
    assert crowded.is_too_short, "waits alone take longer"


def test_groups_leave_the_knock_out_half_of_their_time_for_each_round() -> None:
    calendar = build(16, schedule=Schedule.GROUPS, division_size=4, length=100 * DAY)
    groups, *cup = calendar.rounds
    assert len(cup) == 3
    assert all(each.length >= groups.length / 2 for each in cup)
    assert not calendar.is_too_short
    assert groups.length < 50 * DAY


def test_a_team_round_that_begins_near_the_end_is_too_short() -> None:
    rules = TeamRules(boards=3, least=3, round=7 * DAY)
    assert build(6, teams=rules, length=50 * DAY).is_too_short
    assert not build(6, teams=rules, length=60 * DAY).is_too_short


@pytest.mark.parametrize("schedule", list(Schedule))
def test_the_shortest_length_is_just_long_enough(schedule: Schedule) -> None:
    settings = make_settings(schedule=schedule, rounds=3, division_size=4, clock=DECIDED)
    shortest = compute_shortest_length(settings, players=12)
    assert shortest is not None
    built = [
        build_calendar(replace(settings, length=length), players=12, begins=BEGINS)
        for length in (shortest, max(shortest - DAY, DAY))
    ]
    assert not built[0].is_too_short
    assert built[1].is_too_short or settings.format.has_challenges


def test_not_even_the_longest_season_is_enough_for_some() -> None:
    settings = make_settings(schedule=Schedule.SWISS, rounds=50, division_size=60, clock=DECIDED)
    assert compute_shortest_length(settings, players=60) is None


def test_a_late_round_has_its_least_time_and_no_more() -> None:
    ends = BEGINS + 10 * DAY
    assert compute_round_end(BEGINS, ends, left=1, wait=DAY, least=3 * DAY) == ends
    late = ends - DAY
    assert compute_round_end(late, ends, left=1, wait=DAY, least=3 * DAY) == late + 3 * DAY
    assert compute_round_end(late, ends, left=4, wait=DAY, least=3 * DAY) == late + 3 * DAY
    after = ends + 10 * DAY
    assert compute_round_end(after, ends, left=1, wait=DAY, least=3 * DAY) == after + 3 * DAY


def test_of_500_accepted_calendars_every_round_has_its_least_time_when_it_is_drawn() -> None:
    """STAND-20, held to: seasons with late decisions and protests, round by round, without rows."""
    lot, accepted, moved = random.Random(20), 0, 0
    while accepted < 500:
        settings, players = draw_settings(lot)
        organiser = lot.random() < 0.5
        at_end = AtEnd.ORGANISER if organiser else AtEnd.TIME
        settings = replace(
            settings,
            clock=replace(settings.clock, at_end=at_end),
            protest=lot.choice([0, 1, 1, 3, 7]) * DAY,
        )
        calendar = build_calendar(settings, players=players, begins=BEGINS)
        if calendar.is_too_short or calendar.rounds[-1].stage not in (Stage.SWISS, Stage.KNOCK_OUT):
            continue
        accepted += 1
        moved += play_late(calendar, settings.protest, organiser, settings.format.usual_round, lot)
    assert moved > 100, "late decisions were drawn"


def play_late(
    calendar: SeasonCalendar, protest: timedelta, organiser: bool, usual: timedelta, lot: random.Random
) -> bool:
    """Draw the rounds of *calendar* one after the other, each when all that is late has been decided; return
    whether the season's end moved."""
    stage = calendar.rounds[-1].stage
    rounds = [each for each in calendar.rounds if each.stage == stage]
    least = calendar.compute_least_time(stage)
    assert least >= min(rounds[0].usual_length, max(each.length for each in calendar.rounds) / 2)
    now, season_ends = rounds[0].begins, calendar.ends
    for left in range(len(rounds), 0, -1):
        ends = compute_round_end(now, season_ends, left=left, wait=calendar.wait, least=least, usual=usual)
        assert ends - now >= least
        assert ends <= season_ends or ends - now == least, "only by what is missing"
        season_ends = max(season_ends, ends)
        now = end_round(now, ends, protest, organiser, lot)
    return season_ends > calendar.ends


def end_round(
    began: datetime, ends: datetime, protest: timedelta, organiser: bool, lot: random.Random
) -> datetime:
    """Return when the next round can be drawn: games end early or hard, organisers decide in seven days, and
    corrections begin the protest time anew."""
    over = began + (ends - began) * lot.uniform(0.5, 1) if lot.random() < 0.3 else ends
    if organiser and over == ends:
        over += lot.uniform(0, 7) * DAY
    over += protest
    while protest and lot.random() < 0.3:  # a correction at the last moment
        over += protest * lot.random()
    return over + lot.uniform(0, 90) * DAY * (lot.random() < 0.4)  # a moderator held a game
