"""Tests that leagues advance by the beat, and sooner after the end of a game."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.conf import settings

from games import play
from games.clocks import DAY
from games.models import Game
from leagues import tasks
from leagues.models import Fixture, Phase
from tests.games.factories import make_game
from tests.leagues.season_helpers import BEGINS, begin_season

pytestmark = pytest.mark.django_db


def test_the_beat_does_what_is_due() -> None:
    assert settings.CELERY_BEAT_SCHEDULE["leagues"]["task"] == tasks.advance.name
    season = begin_season(2, division_size=2)
    with time_machine.travel(BEGINS + DAY, tick=False):
        play.resign(game_id=Game.objects.get().pk, seat=0, now=BEGINS + DAY)
        tasks.advance()
    season.refresh_from_db()
    assert (season.phase, Fixture.objects.get().settled) == (Phase.CLOSED, BEGINS + DAY)


def test_what_takes_too_long_is_queued_again() -> None:
    with (
        patch("leagues.tasks.seasons.advance", return_value=False),
        patch("leagues.tasks.queue_on_commit") as queued,
    ):
        tasks.advance()
    queued.assert_called_once_with("leagues.tasks.advance")


def test_only_the_end_of_a_game_of_a_league_queues_it(
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    begin_season(2, division_size=2)
    with patch("core.task_queue.queue_on_commit") as queued:
        for game in (Game.objects.get(), make_game()):
            with django_capture_on_commit_callbacks(execute=True):
                play.resign(game_id=game.pk, seat=0, now=BEGINS + DAY)
            names = [call.args[0] for call in queued.call_args_list]
            assert names.count("leagues.tasks.advance") == 1
