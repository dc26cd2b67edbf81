"""Tests of the log of failed tasks: one row each, a maximum number, no personal data, and queueing again."""

from datetime import timedelta
from typing import Any

import pytest
from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import task_failure
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.roles import ADMINISTRATOR
from carcassonne.celery import app
from core import failures
from core.models import FailedTask
from games import play, tasks
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.html import Page

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """The tasks that were queued."""
    messages: list[tuple[str, Any]] = []
    monkeypatch.setattr(app, "send_task", lambda name, args, **options: messages.append((name, args)))
    return messages


def noted(task: str = "games.tasks.score", *args: Any, error: Exception | None = None) -> FailedTask:
    failures.record_failure(task, args, error or RuntimeError("a fault of ours"), now=NOW)
    return FailedTask.objects.latest("pk")


def test_a_task_that_fails_is_noted_with_what_it_was_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**which: Any) -> None:
        raise RuntimeError("a fault of ours\nDETAIL: the values of a row")

    monkeypatch.setattr(play, "score", fail)
    for game in (7, 7, 8):
        FailedTask.objects.update(until=timezone.now())
        tasks.score.apply(args=(game,))
    first, other = FailedTask.objects.order_by("pk")
    assert (first.task, first.arguments, first.times) == ("games.tasks.score", "[7]", 2)
    assert first.error == "RuntimeError: a fault of ours"
    assert first.first < first.last
    assert (other.arguments, other.times) == ("[8]", 1)


def test_so_is_one_that_takes_too_long() -> None:
    task_failure.send(sender=tasks.score, exception=SoftTimeLimitExceeded(), args=[7], kwargs={})
    assert FailedTask.objects.get().error.startswith("SoftTimeLimitExceeded")


def test_neither_texts_nor_addresses_are_kept() -> None:
    error = OSError("refused: Anna <anna@example.org> at smtp://user:secret@mail.example.org\nmore")
    row = noted("accounts.tasks.note_traces", 1, {"device": "abc"}, "2026-03-01", error=error)
    assert (row.arguments, row.error) == ("", "OSError: refused: Anna <…@…> at smtp://…@…")
    assert not failures.queue_again(row)


def test_of_many_the_latest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures, "KEPT", 3)
    for number in range(5):
        failures.record_failure(f"task{number}", [], ValueError(), now=NOW + timedelta(seconds=number))
    failures.record_failure("task2", [], ValueError(), now=NOW + timedelta(hours=1))
    failures.record_failure("task9", [], ValueError(), now=NOW + timedelta(hours=2))
    assert set(FailedTask.objects.values_list("task", flat=True)) == {"task2", "task4", "task9"}


def test_of_many_that_rest_no_more_rest_and_they_are_not_counted_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So many rows don't fail by themselves: the program is at fault."""
    monkeypatch.setattr(failures, "KEPT", 2)
    for game in range(6):
        failures.record_failure("games.tasks.score", [game], ValueError(), now=NOW)
    assert FailedTask.objects.filter(until__gt=NOW).count() == 2
    assert FailedTask.objects.count() == 4


def test_a_failure_that_cannot_be_noted_is_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*args: Any, **more: Any) -> None:
        raise OperationalError("no database")

    monkeypatch.setattr(failures, "record_failure", away)
    failures.note_failure(tasks.score, RuntimeError("a fault of ours"), [7])
    assert "The failure of games.tasks.score could not be noted" in caplog.text


class TestAdmin:
    page = "admin:core_failedtask_changelist"

    def client(self, **how: Any) -> Client:
        return sign_in(Client(), make_player("Hugo", is_staff=True, **how))

    def queue(self, client: Client, *rows: FailedTask) -> list[str]:
        """Queue *rows* again, and return the site's messages."""
        sent = {"action": "queue_again", "_selected_action": [row.pk for row in rows]}
        return Page(client.post(reverse(self.page), sent, follow=True)).texts(".messagelist li")

    def test_an_administrator_queues_them_again_and_they_are_forgotten(self, sent: list[Any]) -> None:
        rows = noted("games.tasks.score", 7), noted("leagues.tasks.advance")
        olga = make_player("Olga", is_staff=True)
        olga.groups.set(Group.objects.filter(name=ADMINISTRATOR))
        client = sign_in(Client(), olga)
        errors = Page(client.get(reverse(self.page))).texts(".field-error")
        assert len(errors) == 2 and all("a fault of ours" in error for error in errors)
        assert self.queue(client, *rows) == ["2 tasks are queued again."]
        assert sorted(sent) == [("games.tasks.score", [7]), ("leagues.tasks.advance", [])]
        (left,) = FailedTask.objects.all()
        assert left.arguments == "[7]" and not left.rests(timezone.now()), "forgotten when it succeeds"

    def test_what_is_no_task_any_more_stays(self, sent: list[Any]) -> None:
        row = noted("games.tasks.of_long_ago", 7)
        (told,) = self.queue(self.client(is_superuser=True), row)
        assert "be queued again: its arguments" in told
        assert sent == [] and FailedTask.objects.exists()

    def test_without_a_broker_it_stays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def away(*args: Any, **options: Any) -> None:
            raise OperationalError("Connection refused")

        monkeypatch.setattr(Task, "apply_async", away)
        monkeypatch.setattr(app, "send_task", away)
        (told,) = self.queue(self.client(is_superuser=True), noted("games.tasks.score", 7))
        assert told.startswith("The broker can't be reached")
        assert FailedTask.objects.exists()

    def test_others_of_the_staff_see_nothing(self, sent: list[Any]) -> None:
        row = noted("games.tasks.score", 7)
        client = self.client()
        assert client.get(reverse(self.page)).status_code == 403
        self.queue(client, row)
        assert sent == [] and FailedTask.objects.exists()
