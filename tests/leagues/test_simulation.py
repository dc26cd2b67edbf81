"""Simulated leagues: an independent recomputation from the raw games says the same, whatever goes wrong."""

import json
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games.models import Game, Seat
from leagues.management.commands.simulate_league import Command
from leagues.management.league_simulation import Plan, Simulation, WorkerKilled, dying_after
from leagues.models import Entry, Fixture, Match, Season
from leagues.ratings import differences
from leagues.settings import Schedule
from leagues.standings import Withdrawn
from tests.leagues import oracle

pytestmark = pytest.mark.django_db

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


@pytest.mark.parametrize("name", PLANS)
def test_it_runs_to_its_end_and_is_worked_out_anew_the_same(name: str) -> None:
    plan = PLANS[name]
    lines = list(Simulation(plan).run())
    assert len(lines) >= plan.seasons
    assert oracle.check_league(lines) == []
    assert Season.objects.filter(phase="closed").count() == plan.seasons
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
