"""Tests of the time left in a reminder's subject."""

from datetime import timedelta

import pytest

from games.clocks import DAY, HOUR
from games.models import Game
from games.notices.time_left import format_reminder_subject, format_subject
from tests.games.factories import NOW


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (3 * DAY, "Still your turn in Foix – 3 days left"),
        (DAY + 23 * HOUR, "Still your turn in Foix – 1 day left"),
        (23 * HOUR, "Still your turn in Foix – 23 hours left"),
        (timedelta(minutes=20), "Still your turn in Foix – 1 hour left"),
        (timedelta(), "Still your turn in Foix"),
    ],
)
def test_of_a_turn(left: timedelta, said: str) -> None:
    game = Game(name="Foix", deadline=NOW + left)
    assert format_reminder_subject(game, to_answer=False, now=NOW) == said


def test_of_a_turn_with_less_than_an_hour() -> None:
    game = Game(name="Foix", turn_began=NOW, deadline=NOW + timedelta(minutes=20))
    assert format_subject(game, to_answer=False) == "Your turn in Foix – 1 hour to move"
    game.deadline = NOW
    assert format_subject(game, to_answer=False) == "Your turn in Foix"


def test_of_an_answer_and_where_no_clock_runs() -> None:
    game = Game(name="Foix", deadline=NOW + 5 * HOUR)
    assert format_reminder_subject(game, to_answer=True, now=NOW) == (
        "Foix is still waiting for your answer – 5 hours left"
    )
    assert format_reminder_subject(Game(name="Foix"), to_answer=False, now=NOW) == "Still your turn in Foix"
