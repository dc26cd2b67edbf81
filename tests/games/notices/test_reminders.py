"""Tests that reminders are made when they are due, and only then."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import tasks
from games.clocks import DAY, HOUR
from games.models import Game, Kind, Notice
from games.notices import reminders as to_remind
from tests.games.factories import NOW, heart_beats, make_game, play_turns, reminder_due, reminders

pytestmark = pytest.mark.django_db


def told(game: Game) -> Game:
    """Mark all mails of *game* as sent."""
    game.notices.filter(dropped=None).update(sent=game.turn_began)
    return game


def made(game: Game) -> list[Any]:
    return list(game.notices.filter(kind=Kind.REMINDER).order_by("due"))


def test_a_turn_leaves_one_row_and_no_row_of_reminders() -> None:
    game = play_turns(make_game(), 6)
    assert not made(game)
    assert game.notices.filter(version=game.turn_version).count() == 1


def test_none_is_made_before_the_mail_of_the_turn_has_gone_out() -> None:
    """Until then the clock stands still, and the reminder moves with the deadline."""
    game = make_game()
    heart_beats(NOW + 2 * DAY)
    to_remind.owe(NOW + 2 * DAY)
    assert not made(game)
    told(game)
    to_remind.owe(NOW + 2 * DAY)
    assert len(made(game)) == 2


def test_none_is_made_of_a_turn_that_was_played() -> None:
    game = told(make_game())
    due = reminders(game)[0]
    told(play_turns(game, 1, now=due - HOUR))
    heart_beats(due)
    to_remind.owe(due)
    assert not made(game)


def test_none_is_made_where_a_program_plays_or_nothing_is_awaited() -> None:
    game = play_turns(make_game(bots=1), 1)
    assert reminders(game) == []
    over = told(play_turns(make_game(), None))
    heart_beats(NOW + 90 * DAY)
    to_remind.owe(NOW + 90 * DAY)
    assert not made(over)


def test_many_are_made_in_batches_with_as_many_queries_each(monkeypatch: Any) -> None:
    now = timezone.now()
    games = [told(make_game(now=now)) for _ in range(5)]
    for game in games:
        reminder_due(game, now)
    heart_beats(now)
    monkeypatch.setattr(to_remind, "BATCH", 2)
    with CaptureQueriesContext(connection) as queries:
        to_remind.owe(now)
    assert [len(made(game)) for game in games] == [1] * 5
    assert len(queries) <= 4 * 11


def test_the_worker_makes_and_sends_what_is_due_at_once() -> None:
    game = told(make_game(now=timezone.now() - 40 * HOUR))
    heart_beats(timezone.now())
    mail.outbox.clear()
    tasks.deliver_notices()
    (reminder,) = mail.outbox
    assert reminder.subject.startswith(f"Still your turn in {game.name} – ")
    (first,) = made(game)
    assert first.key.endswith(".n1")
    assert reminders(game) == [game.deadline - DAY]


def test_a_third_reminder_of_a_turn_has_a_number_of_its_own() -> None:
    """Both of a turn may be made in one run, and an excused time-out has more of them."""
    game = told(make_game())
    heart_beats(NOW + 2 * DAY)
    to_remind.owe(NOW + 2 * DAY)
    reminder_due(game, NOW + 2 * DAY)
    to_remind.owe(NOW + 2 * DAY)
    assert [
        notice.key.rsplit(".")[-1] for notice in game.notices.filter(kind=Kind.REMINDER).order_by("pk")
    ] == [
        "n1",
        "n2",
        "n3",
    ]


def test_who_looks_twice_makes_none_twice() -> None:
    game = told(make_game())
    heart_beats(NOW + 37 * HOUR)
    for _ in range(3):
        to_remind.owe(NOW + 37 * HOUR)
    assert len(made(game)) == 1
    assert Notice.objects.filter(kind=Kind.REMINDER, next_try__gt=NOW + timedelta(hours=37)).count() == 0
