"""Tests of games while the server's clock is set back an hour and forward again."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest

from games import heartbeat, play
from games.clocks import DAY, HOUR, ClockSettings
from games.models import Game
from games.play.audit import find_differences
from tests.games.factories import NOW, make_game, some_action

BEAT = timedelta(minutes=1)


class ServerClock:
    """The server's clock, which may be behind, and the time that has really passed."""

    def __init__(self) -> None:
        self.passed = timedelta()
        self.behind = timedelta()

    def read(self) -> datetime:
        return NOW + self.passed - self.behind

    def run(self, minutes: int) -> None:
        """Let time pass, while the sweep runs every minute."""
        for _ in range(minutes):
            self.passed += BEAT
            heartbeat.beat(self.read())
            play.note_all_outages(seconds=60)


def take_turn(game: Game, now: datetime) -> Game:
    return play.play(
        game_id=game.pk,
        seat=game.awaited or 0,
        action=some_action(game),
        expected_version=game.version,
        now=now,
    )


@pytest.mark.django_db
def test_no_time_is_negative_or_charged_that_has_not_passed() -> None:
    clock_settings = ClockSettings(start=3 * DAY, gain=HOUR, cap=7 * DAY)
    game, clock, chance = make_game(clock=clock_settings), ServerClock(), Random(5)
    clock.run(1)
    turn_began = timedelta()
    for turn in range(24):
        clock.run(chance.randrange(1, 40))
        if turn % 3 == 1:
            clock.behind = timedelta() if clock.behind else HOUR
            if chance.random() < 0.7:  # else somebody acts before the next beat
                clock.run(chance.randrange(1, 40))
        version, spent = game.version, list(game.seats.order_by("index").values_list("spent", flat=True))
        seat = game.awaited
        game = take_turn(game, clock.read())
        move = game.moves.filter(version__gt=version, ply__isnull=False).get()
        took, charged = clock.passed - turn_began, timedelta(seconds=move.timing["charged"])
        assert timedelta() <= charged <= took, f"turn {turn} took {took}"
        assert move.time_used is not None and move.time_used >= charged, f"turn {turn}"
        assert move.time_used == max(timedelta(), move.at - datetime.fromisoformat(move.timing["began"]))
        spent[seat or 0] += charged
        assert list(game.seats.order_by("index").values_list("spent", flat=True)) == spent, f"turn {turn}"
        turn_began = clock.passed
    assert sum(spent, timedelta()) > HOUR
    assert find_differences(game) == []
