"""Simulated leagues: an independent recomputation from the raw games says the same, whatever goes wrong."""

import copy
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Game, Seat
from leagues.management.commands.simulate_league import Command
from leagues.management.league_simulation import Plan, Simulation, WorkerKilled, dying_after
from leagues.models import Entry, Fixture, LogEntry, Match, Season
from leagues.ratings import differences
from leagues.seasons import drawing
from leagues.settings import CupRules, Schedule
from leagues.standings import Withdrawn
from tests.leagues import bracket_oracle, ladder_oracle, oracle

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PLANS = {
    "duels": Plan(divisions=3, players=4, seasons=3, turns=4, faults=True),
    "best of three": Plan(divisions=1, players=5, seasons=1, best_of=3, turns=4, faults=True, seed=2),
    "struck": Plan(
        divisions=2, players=5, seasons=2, turns=4, faults=True, withdrawn=Withdrawn.STRIKE, seed=5
    ),
    "tables of four": Plan(divisions=2, players=6, seats=4, seasons=2, rounds=3, turns=8, faults=True),
    "Swiss": Plan(
        divisions=1, players=9, seasons=2, schedule=Schedule.SWISS, rounds=4, turns=4, faults=True, seed=3
    ),
}

COME_LATE = {"duels", "best of three"}
"""Plans in which the lot lets somebody join a season that runs."""


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
"""What would be wrong with a knock-out."""

CUPS = {
    "knock-out": Plan(divisions=1, players=7, seasons=1, schedule=Schedule.KNOCK_OUT, turns=4, faults=True),
    "long matches": Plan(
        divisions=1,
        players=8,
        seasons=1,
        schedule=Schedule.KNOCK_OUT,
        cup=CupRules(third_place=True, longer=((2, 3),)),
        turns=4,
        faults=True,
        seed=4,
    ),
    "groups": Plan(
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


@pytest.mark.parametrize("name", CUPS)
def test_a_knock_out_runs_to_its_final_and_its_bracket_is_what_was_played(name: str) -> None:
    plan = CUPS[name]
    lines = list(Simulation(plan).run())
    seasons: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        seasons.setdefault(line["season"], []).append(line)
    assert len(seasons) == plan.seasons == Season.objects.filter(phase="closed").count()
    for *groups, final in seasons.values():
        assert len(groups) == (plan.divisions if plan.schedule == Schedule.GROUPS else 0)
        assert bracket_oracle.check(final) == []
        for group in groups:
            assert oracle.check(group, highest=True, lowest=True) == []
        if groups:
            assert bracket_oracle.check_finals(groups, final) == []
        for tamper in TAMPERED:
            changed = copy.deepcopy(final)
            tamper(changed)
            assert bracket_oracle.check(changed) != []
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
"""What would be wrong with a ladder."""


def test_a_ladder_runs_to_its_end_and_everything_that_happened_comes_to_its_order() -> None:
    ladder = Plan(players=5, divisions=1, seasons=2, schedule=Schedule.LADDER)
    plan = replace(ladder, best_of=3, turns=2, faults=True, seed=3)
    lines = list(Simulation(plan).run())
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


@pytest.fixture(autouse=True)
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """How evenly players meet at tables is not asked here, so nobody searches long for it."""
    monkeypatch.setattr(drawing, "tables", partial(drawing.tables, steps=500))


@pytest.mark.parametrize("name", PLANS)
def test_it_runs_to_its_end_and_is_worked_out_anew_the_same(name: str) -> None:
    plan = PLANS[name]
    lines = list(Simulation(plan).run())
    assert len(lines) >= plan.seasons
    assert oracle.check_league(lines) == []
    assert Season.objects.filter(phase="closed").count() == plan.seasons
    assert LogEntry.objects.filter(act="join").exists() or name not in COME_LATE
    assert not Fixture.objects.filter(match__division__season__phase="closed", settled=None).exists()
    assert not Game.objects.filter(status="playing").exists()
    _nothing_twice()


def _nothing_twice() -> None:
    """Every match has its games once, and each pair of a round robin has met once."""
    assert Game.objects.count() == Fixture.objects.exclude(game=None).count()
    assert not set(Counter(Entry.objects.values_list("season", "player")).values()) - {1}
    for match in Match.objects.prefetch_related("fixtures", "seats"):
        assert [fixture.number for fixture in match.fixtures.all()] == list(
            range(1, match.fixtures.count() + 1)
        )


def test_first_seats_differ_by_at_most_one() -> None:
    list(Simulation(Plan(divisions=1, players=7, seasons=1, turns=2)).run())
    begun = Counter(Seat.objects.filter(index=0).values_list("player", flat=True))
    assert sorted(begun.values()) == [3] * 7


def test_a_run_is_the_same_for_the_same_seed_and_its_ratings_are_those_of_a_rebuild(tmp_path: Path) -> None:
    plan = Plan(divisions=1, players=4, seasons=2, turns=10)
    lines = list(Simulation(plan).run())
    told = StringIO()
    call_command("recompute_ratings", json=True, stdout=told)
    rated = [json.loads(line) for line in told.getvalue().splitlines()]
    assert len(rated) == sum(len(line["games"]) for line in lines) == 12
    assert list(differences()) == []
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
