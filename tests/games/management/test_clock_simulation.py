"""Tests of whatever moves time by itself: the sweep's heart beats with it, so that turns cost time."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from games.management import clock_simulation
from games.models import Game, Heartbeat, Move
from games.play import timing
from games.play.positions import load_position
from games.rules.notation import write
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from tests.games.factories import NOW, make_game, play_lines, play_turns

DAY = timedelta(days=1)


def play_apart(play: Callable[[Game, int], object]) -> None:
    """Play four turns, a day apart."""
    game = make_game()
    for turn in range(4):
        play(game, turn)


MOVERS: dict[str, Callable[[], object]] = {
    "simulate_clocks": lambda: clock_simulation.ClockSimulation(1, turns=6).run(1),
    "league simulation": lambda: list(
        LeagueSimulation(LeagueSimulationPlan(divisions=1, players=2, seasons=1, turns=4)).run()
    ),
    "play_turns": lambda: play_apart(lambda game, turn: play_turns(game, 1, now=NOW + turn * DAY)),
    "play_lines": lambda: play_apart(
        lambda game, turn: play_lines(game, first_line(game), now=NOW + turn * DAY)
    ),
}


def first_line(game: Game) -> str:
    game.refresh_from_db()
    return write(next(iter(load_position(game).legal_actions())), with_tile=True)


@pytest.mark.django_db
def test_no_turn_passes_for_an_outage_because_time_was_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_simulation, "BREAKS_DOWN", 0.0)
    credited: list[str] = []
    monkeypatch.setattr(timing, "stop", lambda game, begin, end, cause: credited.append(cause))
    for name, move_time in MOVERS.items():
        Heartbeat.objects.all().delete()
        last = Move.objects.count()
        move_time()
        assert Move.objects.count() > last, name
        assert "outage" not in credited, name
