"""Tests of simulated leagues against an independent recomputation from the raw games, with all kinds of
faults."""

import copy
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Min

from games.clocks import DAY
from games.models import Game, Seat
from games.rated_games import find_differences
from leagues.management.commands.simulate_league import Command
from leagues.management.league_simulation import (
    LeagueSimulation,
    LeagueSimulationPlan,
    WorkerKilled,
    dying_after,
)
from leagues.models import Entry, Fixture, LogEntry, Match, Season
from leagues.settings import CupRules, Schedule
from leagues.standings import ComparisonRule, Withdrawn
from tests.leagues import bracket_oracle, calendar_oracle, double_oracle, ladder_oracle, oracle

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PLANS = {
    "duels": LeagueSimulationPlan(divisions=3, players=4, seasons=3, turns=4, faults=True),
    "best of three": LeagueSimulationPlan(
        divisions=1, players=5, seasons=1, best_of=3, turns=4, faults=True, seed=2
    ),
    "struck": LeagueSimulationPlan(
        divisions=2, players=5, seasons=2, turns=4, faults=True, withdrawn=Withdrawn.STRIKE, seed=5
    ),
    "tables of four": LeagueSimulationPlan(
        divisions=2, players=6, seats=4, seasons=2, rounds=3, turns=8, faults=True
    ),
    "Swiss": LeagueSimulationPlan(
        divisions=1, players=9, seasons=2, schedule=Schedule.SWISS, rounds=4, turns=4, faults=True, seed=3
    ),
}

COMPARED = {
    "tables of three": LeagueSimulationPlan(
        divisions=1, players=6, seats=3, seasons=1, rounds=3, turns=40, seed=8
    ),
    "alone": LeagueSimulationPlan(
        divisions=2, players=6, seasons=2, comparison=ComparisonRule.ALONE, seed=9, faults=True
    ),
    "struck": LeagueSimulationPlan(
        divisions=1, players=6, seasons=1, withdrawn=Withdrawn.STRIKE, turns=12, faults=True, seed=10
    ),
}
"""Plans in which all tables of a round draw the same tiles."""

COME_LATE = {"duels", "best of three"}
"""Plans in which, by lot, somebody joins a running season."""


TAMPERED: list[Callable[[dict[str, Any]], object]] = [
    lambda line: line["matches"].pop(),
    lambda line: line["players"].reverse(),
    lambda line: line["matches"][0]["players"].reverse(),
    lambda line: line["matches"][0].update(winner=None),
    lambda line: line["matches"][-1].update(best_of=7),
    lambda line: line["matches"].append(line["matches"][0] | {"number": 9}),
    lambda line: line["games"].pop(),
    lambda line: line["standings"][-1].update(rank=1),
    lambda line: line["byes"].append(line["players"][-1]["id"]),
]
"""Changes that make a knock-out wrong."""

CUPS = {
    "knock-out": LeagueSimulationPlan(
        divisions=1, players=7, seasons=1, schedule=Schedule.KNOCK_OUT, turns=4, faults=True
    ),
    "long matches": LeagueSimulationPlan(
        divisions=1,
        players=8,
        seasons=1,
        schedule=Schedule.KNOCK_OUT,
        best_of=3,
        cup=CupRules(third_place=True),
        turns=4,
        faults=True,
        seed=4,
    ),
    "double elimination": LeagueSimulationPlan(
        divisions=1, players=7, seasons=2, schedule=Schedule.DOUBLE, turns=4, faults=True, seed=2
    ),
    "double elimination of long matches": LeagueSimulationPlan(
        divisions=1,
        players=12,
        seasons=1,
        schedule=Schedule.DOUBLE,
        best_of=3,
        cup=CupRules(reset=False),
        turns=2,
        faults=True,
        seed=5,
    ),
    "groups": LeagueSimulationPlan(
        divisions=2,
        players=4,
        seasons=1,
        schedule=Schedule.GROUPS,
        cup=CupRules(third_place=True),
        withdrawn=Withdrawn.STRIKE,
        turns=4,
        faults=True,
        seed=6,
    ),
}


def check_bracket(line: dict[str, Any]) -> list[str]:
    oracle_of = double_oracle if line["kind"] == "double" else bracket_oracle
    return oracle_of.check(line)


@pytest.mark.parametrize("name", CUPS)
def test_a_knock_out_runs_to_its_final_and_its_bracket_is_what_was_played(name: str) -> None:
    plan = CUPS[name]
    lines = list(LeagueSimulation(plan).run())
    seasons: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        seasons.setdefault(line["season"], []).append(line)
    assert len(seasons) == plan.seasons == Season.objects.filter(phase="closed").count()
    for *groups, final in seasons.values():
        assert len(groups) == (plan.divisions if plan.schedule == Schedule.GROUPS else 0)
        assert check_bracket(final) == []
        for group in groups:
            assert oracle.check(group, highest=True, lowest=True) == []
        if groups:
            assert bracket_oracle.check_finals(groups, final) == []
        for tamper in TAMPERED:
            changed = copy.deepcopy(final)
            tamper(changed)
            assert check_bracket(changed) != []
    assert not Game.objects.filter(status="playing").exists()
    _nothing_twice()


LADDER_TAMPERED: list[Callable[[dict[str, Any]], object]] = [
    lambda line: line["first"].reverse(),
    lambda line: line["challenges"].pop(0),
    lambda line: line["challenges"][0].update(winner=0),
    lambda line: line["challenges"][0].update(best_of=5),
    lambda line: line["challenges"][1].update(line["challenges"][0]),
    lambda line: line["games"].pop(0),
    lambda line: line["games"][0].update(first=0),
    lambda line: line["came"].clear(),
    lambda line: line["left"].pop(),
    lambda line: line["standings"].reverse(),
    lambda line: line["settings"].update(reach=1),
    lambda line: line["settings"].update(rest=10**7),
    lambda line: line["settings"].update(ends=line["challenges"][0]["made"]),
]
"""Changes that make a ladder wrong."""


def test_a_ladder_runs_to_its_end_and_everything_that_happened_comes_to_its_order() -> None:
    ladder = LeagueSimulationPlan(players=5, divisions=1, seasons=2, schedule=Schedule.LADDER)
    plan = replace(ladder, best_of=3, turns=2, faults=True, seed=3)
    lines = list(LeagueSimulation(plan).run())
    assert len(lines) == plan.seasons == Season.objects.filter(phase="closed").count()
    for line in lines:
        assert ladder_oracle.check(line) == []
        assert len(line["challenges"]) > 5
    assert lines[1]["first"][: len(lines[0]["standings"])] == [one["player"] for one in lines[0]["standings"]]
    line = next(line for line in lines if line["came"] and line["left"])
    for tamper in LADDER_TAMPERED:
        changed = copy.deepcopy(line)
        tamper(changed)
        assert ladder_oracle.check(changed) != []
    assert not Game.objects.filter(status="playing").exists()
    _nothing_twice()


@pytest.mark.parametrize("name", ["duels", "best of three", "tables of four", "Swiss"])
def test_results_that_are_corrected_in_time_and_later_come_to_the_same_tables(name: str) -> None:
    lines = list(LeagueSimulation(replace(PLANS[name], protest=DAY, corrections=True)).run())
    assert oracle.check_league(lines) == []
    settled = LogEntry.objects.filter(act="settle")
    assert settled.filter(details__late=False).exists()
    assert settled.filter(details__late=True).exists() or name != "Swiss"
    _stood_before_anything_followed()
    _nothing_twice()


@pytest.mark.parametrize("name", ["duels", "struck", "tables of four", "Swiss"])
def test_penalties_come_to_the_same_tables(name: str) -> None:
    lines = list(LeagueSimulation(replace(PLANS[name], protest=DAY, penalties=True)).run())
    assert oracle.check_league(lines) == []
    punished = [player for line in lines for player in line["players"] if "penalty" in player]
    assert punished
    del punished[0]["penalty"]
    assert oracle.check_league(lines) != []
    _nothing_twice()


@pytest.mark.parametrize("name", CUPS)
def test_a_bracket_that_is_corrected_in_time_is_what_counts(name: str) -> None:
    *groups, final = LeagueSimulation(replace(CUPS[name], protest=DAY, corrections=True)).run()
    assert check_bracket(final) == []
    assert not groups or bracket_oracle.check_finals(groups, final) == []
    assert LogEntry.objects.filter(act="settle").exists()
    _stood_before_anything_followed()
    _nothing_twice()


def _stood_before_anything_followed() -> None:
    """Check that results stood for a day before the season closed, and before the next round of Swiss and
    knock-outs was drawn, except for later corrections."""
    fixtures = Fixture.objects.filter(corrected=None).select_related("match__division__season", "game")
    for fixture in fixtures:
        division = fixture.match.division
        season = division.season
        assert fixture.settled is not None and season.closed is not None
        assert season.closed >= fixture.settled + DAY
        in_rounds = division.kind == "knock-out" or not division.format.has_cross_table
        later = division.matches.filter(round__gt=fixture.match.round).values("fixtures__game")
        began = Game.objects.filter(pk__in=later).aggregate(at=Min("started"))["at"]
        if in_rounds and began is not None:
            assert began >= fixture.settled + DAY


@pytest.mark.parametrize("name", PLANS)
def test_it_runs_to_its_end_and_is_worked_out_anew_the_same(name: str) -> None:
    plan = PLANS[name]
    lines = list(LeagueSimulation(plan).run())
    assert len(lines) >= plan.seasons
    assert oracle.check_league(lines) == []
    assert Season.objects.filter(phase="closed").count() == plan.seasons
    assert LogEntry.objects.filter(act="join").exists() or name not in COME_LATE
    assert not Fixture.objects.filter(match__division__season__phase="closed", settled=None).exists()
    assert not Game.objects.filter(status="playing").exists()
    _nothing_twice()


@pytest.mark.parametrize("name", COMPARED)
def test_who_had_the_same_seat_is_compared_and_worked_out_anew_the_same(name: str) -> None:
    plan = replace(COMPARED[name], duplicate=True, turns=COMPARED[name].turns or 12)
    lines = list(LeagueSimulation(plan).run())
    assert oracle.check_league(lines) == []
    for line in lines:
        assert line["settings"]["tie_breaks"][0] == "duplicate"
        deals = {fixture.pk: fixture.game.deal_id for fixture in Fixture.objects.exclude(game=None)}
        assert [game["draw"] for game in line["games"]] == [deals.get(game["id"]) for game in line["games"]]
        shared = Counter(game["draw"] for game in line["games"] if game["draw"] is not None)
        assert max(shared.values()) > 1
    values = [one["values"]["duplicate"] for line in lines for one in line["standings"] if one["values"]]
    assert len(set(values)) > 2
    if plan.comparison == ComparisonRule.ALONE:
        assert {one["points"] for line in lines for one in line["standings"]} == {"0"}
        assert len(values) == sum(len(line["standings"]) for line in lines)


LATE = {
    "knock-out": replace(CUPS["knock-out"], seed=5),
    "long matches": CUPS["long matches"],
    "double elimination": CUPS["double elimination"],
    "groups": replace(CUPS["groups"], seed=7),
    "Swiss": PLANS["Swiss"],
    "duels": PLANS["duels"],
}


@pytest.mark.parametrize("name", LATE)
def test_late_decisions_take_no_round_its_time_and_give_nobody_a_place_without_a_game(name: str) -> None:
    plan = replace(LATE[name], late_decisions=True, protest=DAY, seasons=1)
    lines = list(LeagueSimulation(plan).run())
    histories = [calendar_oracle.read_history(season) for season in Season.objects.filter(phase="closed")]
    assert len(histories) == plan.seasons
    for history in histories:
        assert calendar_oracle.check(history) == []
    if plan.format.has_outlooks:
        assert oracle.check_league(lines) == []
    elif "kind" in lines[-1] and not LogEntry.objects.filter(act="end_early").exists():
        assert check_bracket(lines[-1]) == []
    late = {line["act"] for history in histories for line in history["log"]} & {"move_end", "end_early"}
    assert late or name == "duels"
    _check_that_the_oracle_finds(histories)
    _nothing_twice()


def _check_that_the_oracle_finds(histories: list[dict[str, Any]]) -> None:
    """Take the games of matches away, as if nobody had had time for them."""
    for history in copy.deepcopy(histories):
        matches = [match for division in history["divisions"] for match in division["matches"]]
        history["gone"] = {}
        for match in matches:
            for game in match["games"]:
                game["began"] = None
        assert len(calendar_oracle.check(history)) >= len(matches)


def _nothing_twice() -> None:
    """Check that every match has its games once, and that each pair of a round robin has met once."""
    assert Game.objects.count() == Fixture.objects.exclude(game=None).count()
    assert not set(Counter(Entry.objects.values_list("season", "player")).values()) - {1}
    for match in Match.objects.prefetch_related("fixtures", "seats"):
        assert [fixture.number for fixture in match.fixtures.all()] == list(
            range(1, match.fixtures.count() + 1)
        )


def test_first_seats_differ_by_at_most_one() -> None:
    list(LeagueSimulation(LeagueSimulationPlan(divisions=1, players=7, seasons=1, turns=2)).run())
    begun = Counter(Seat.objects.filter(index=0).values_list("player", flat=True))
    assert sorted(begun.values()) == [3] * 7


def test_a_run_is_the_same_for_the_same_seed_and_its_ratings_are_those_of_a_rebuild(tmp_path: Path) -> None:
    plan = LeagueSimulationPlan(divisions=1, players=4, seasons=2, turns=10)
    lines = list(LeagueSimulation(plan).run())
    told = StringIO()
    call_command("recompute_ratings", json=True, stdout=told)
    rated = [json.loads(line) for line in told.getvalue().splitlines()]
    assert len(rated) == sum(len(line["games"]) for line in lines) == 12
    assert list(find_differences()) == []
    for one in rated:
        assert one["pool"] == "duel" and len(one["seats"]) == 2


def test_a_worker_can_be_killed_anywhere() -> None:
    def work() -> None:
        for _ in range(5):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")

    for statements in range(5):
        with pytest.raises(WorkerKilled), dying_after(statements):
            work()
    with dying_after(5):
        work()


@pytest.mark.parametrize("wrong", [{"players": 0}, {"seats": 7}, {"best_of": 2}, {"seats": 3, "best_of": 3}])
def test_a_league_that_there_can_not_be_is_refused_before_anything_is_played(wrong: dict[str, int]) -> None:
    with pytest.raises(CommandError):
        call_command(Command(), **wrong)
