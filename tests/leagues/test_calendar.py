"""Tests of the calendar of a season, as it is computed before it is founded (CLOCK-25)."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from games.clocks import DAY, HOUR, PRESETS, USUAL_ANSWER, compute_usual_length
from leagues.calendar import ENDLESS, Stage, build_calendar, suggest_length
from leagues.schedules import TeamRules
from leagues.settings import LONGEST_SEASON, ChallengeRules, Schedule
from tests.leagues.calendar_helpers import BEGINS, build, draw_settings, make_settings
from tests.leagues.calendar_simulation import SimulatedSeason

DUEL = compute_usual_length(71, seats=2)


def test_a_duel_usually_lasts_as_long_as_its_turns_with_a_margin() -> None:
    assert timedelta(hours=16) == USUAL_ANSWER
    assert 71 * USUAL_ANSWER < DUEL < 1.4 * 71 * USUAL_ANSWER
    assert compute_usual_length(71, seats=2, games_at_once=21) == 2 * DUEL


def test_a_round_robin_is_one_round_with_all_games_at_once() -> None:
    calendar = build(8)
    (only,) = calendar.rounds
    assert (only.stage, only.games_at_once, only.ends) == (Stage.ALL, 7, BEGINS + 90 * DAY)
    assert only.usual_end == BEGINS + compute_usual_length(71, seats=2, games_at_once=7) + DAY
    assert not calendar.late
    assert build(8, length=70 * DAY).late


def test_many_games_at_once_are_said_and_late() -> None:
    calendar = build(60, rounds=4, division_size=60)
    assert (calendar.games_at_once, calendar.late) == (236, True)


def test_a_small_last_division_joins_the_one_above() -> None:
    assert build(10, division_size=8).games_at_once == 9
    assert build(12, division_size=8).games_at_once == 7


def test_rounds_of_a_knock_out_share_the_season() -> None:
    calendar = build(11, schedule=Schedule.KNOCK_OUT, length=28 * DAY, best_of=7)
    assert [(each.matches, each.best_of) for each in calendar.rounds] == [(8, 7), (4, 7), (2, 7), (1, 7)]
    assert [each.ends - each.begins for each in calendar.rounds] == [(25 * DAY - 3 * HOUR) / 4] * 4, (
        "and three days of protests, and the draws"
    )
    assert all(each.late for each in calendar.rounds)
    final = calendar.rounds[-1]
    assert final.usual_end > final.begins + 7 * 71 * USUAL_ANSWER
    assert calendar.usual_end > final.usual_end + 3 * (DUEL - 7 * DAY), "each round waits for the one before"


def test_groups_have_half_of_the_season_and_a_knock_out_the_rest() -> None:
    calendar = build(16, schedule=Schedule.GROUPS, division_size=4, length=400 * DAY)
    assert [each.stage for each in calendar.rounds] == [Stage.GROUPS] + 3 * [Stage.KNOCK_OUT]
    groups, first, *_rest = calendar.rounds
    assert first.begins == groups.ends + DAY + HOUR, "results of groups can be protested, too"
    assert groups.ends == BEGINS + 200 * DAY
    assert [each.matches for each in calendar.rounds] == [0, 4, 2, 1]
    assert not calendar.late


def test_swiss_rounds_follow_each_other() -> None:
    calendar = build(20, schedule=Schedule.SWISS, rounds=5, division_size=60)
    assert calendar.rounds[-1].ends == BEGINS + 90 * DAY
    for before, after in pairwise(calendar.rounds):
        assert after.begins == before.ends + DAY + HOUR
        assert abs((after.ends - after.begins) - (90 * DAY - 4 * (DAY + HOUR)) / 5) < timedelta(seconds=1)
    assert calendar.late
    assert not build(20, schedule=Schedule.SWISS, rounds=5, division_size=60, length=400 * DAY).late


def test_a_swiss_season_has_no_more_rounds_than_opponents() -> None:
    assert len(build(4, schedule=Schedule.SWISS, rounds=9).rounds) == 3


def test_a_challenge_is_compared_with_its_own_length() -> None:
    short = ChallengeRules(length=30 * DAY)
    assert build(30, schedule=Schedule.LADDER, length=400 * DAY, challenges=short).late
    assert not build(30, schedule=Schedule.LADDER, challenges=ChallengeRules(length=65 * DAY)).late


def test_rounds_of_teams_overlap() -> None:
    rules = TeamRules(boards=3, least=3, round=14 * DAY)
    calendar = build(6, teams=rules, length=200 * DAY)
    assert [each.begins for each in calendar.rounds] == [BEGINS + rules.begins(n) for n in range(1, 6)]
    assert {each.games_at_once for each in calendar.rounds} == {5}
    assert calendar.usual_end == calendar.rounds[-1].usual_end


def test_the_worst_case_is_reckoned_without_the_hard_end() -> None:
    calendar = build(8)
    assert calendar.worst_end > calendar.usual_end
    at_once, series = build(2), build(2, best_of=3)
    assert series.worst_end - BEGINS > 2.5 * (at_once.worst_end - BEGINS)


def test_where_nobody_can_promise_an_end_the_calendar_says_so() -> None:
    clock = replace(PRESETS["classic"], start=60 * DAY, gain=60 * DAY)
    assert build(20, clock=clock, schedule=Schedule.SWISS, rounds=19, division_size=60).worst_end == ENDLESS


def test_the_usual_end_is_never_later_than_the_worst() -> None:
    calendar = build(60, rounds=4, division_size=60, clock=PRESETS["brisk"])
    assert calendar.usual_end == calendar.worst_end


def test_the_suggested_length_is_the_shortest_that_is_long_enough() -> None:
    settings = make_settings(schedule=Schedule.GROUPS, division_size=4, clock=PRESETS["brisk"])
    length = suggest_length(settings, players=8)
    enough, less = (replace(settings, length=length - days * DAY) for days in (0, 1))
    assert not build_calendar(enough, players=8, begins=BEGINS).late
    assert build_calendar(less, players=8, begins=BEGINS).late
    endless = make_settings(schedule=Schedule.KNOCK_OUT, best_of=7)
    assert suggest_length(endless, players=60) == LONGEST_SEASON


@pytest.mark.parametrize("tight", [False, True], ids=["500 at random", "100 as short as can be"])
def test_of_accepted_calendars_95_games_of_100_end_in_time(tight: bool) -> None:
    """CLOCK-25, held to: only the times of answers are drawn."""
    lot, accepted, in_time, cut = random.Random(25), 0, 0, 0
    while accepted < (100 if tight else 500):
        settings, players = draw_settings(lot)
        if tight:
            settings = replace(settings, length=suggest_length(settings, players=players))
        if build_calendar(settings, players=players, begins=BEGINS).late:
            continue
        accepted += 1
        season = SimulatedSeason(settings, players, lot)
        season.play()
        in_time, cut = in_time + season.in_time, cut + season.cut
    assert in_time >= 0.95 * (in_time + cut)
