"""Tests of the simulation of clocks: sound where the site is, and unsound where anything is broken."""

from datetime import timedelta
from typing import Any

import pytest

from games import heartbeat
from games.clocks import HOUR
from games.clocks.turn import TimedTurn
from games.management import clock_simulation
from games.management.clock_simulation import ClockSimulation, LadderTally
from games.play import clock_pauses, timing

pytestmark = pytest.mark.django_db

GAMES = 50
TURNS = 20


def simulate(games: int, *, seed: int, turns: int = TURNS) -> list[LadderTally]:
    return list(ClockSimulation(seed, turns=turns).run(games).values())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_games_end_in_time_and_everybody_is_charged_what_they_used(seed: int) -> None:
    tallies = simulate(GAMES, seed=seed)
    for tally in tallies:
        assert (tally.wrong, tally.too_late, tally.hanging) == ([], [], [])
    acts = set[str]().union(*(tally.acts for tally in tallies))
    assert {"excuse", "holiday", "pause", "time_out"} <= acts, "else little was tried"
    assert sum(tally.outages for tally in tallies) > GAMES / 2
    assert sum((tally.charged for tally in tallies), timedelta()) > timedelta(days=GAMES)


def credit_twice(game: Any, outage: Any) -> bool:
    """Credit an outage, and once more as another stretch."""
    credited = NOTE(game, outage)
    if credited:
        timing.stop(game, outage.ended, outage.ended + (outage.ended - outage.began), clock_pauses.OUTAGE)
    return credited


NOTE = clock_pauses._note
BREAKS: dict[str, tuple[Any, str, Any]] = {
    "time moves without a beat": (heartbeat, "set_beat", lambda at: None),
    "outages are not credited": (clock_pauses, "_note", lambda game, outage: False),
    "outages are credited twice": (clock_pauses, "_note", credit_twice),
    "nobody is charged": (TimedTurn, "compute_unbounded_charge", lambda turn, at: timedelta()),
    "grace is charged": (
        TimedTurn,
        "compute_unbounded_charge",
        lambda turn, at: turn.running(at) + turn.clock.grace,
    ),
}


def test_what_is_broken_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_simulation, "BREAKS_DOWN", 0.5)
    simulation = ClockSimulation(1, turns=8)
    for name, (place, attribute, broken) in BREAKS.items():
        with monkeypatch.context() as patch:
            patch.setattr(place, attribute, broken)
            assert any(tally.wrong for tally in simulation.run(1).values()), name


def test_a_game_that_ends_after_as_many_turns_can_take_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        clock_simulation.clocks, "compute_worst_case_end", lambda *_, began, **__: began + HOUR
    )
    assert any(tally.too_late for tally in simulate(1, seed=1, turns=4))
