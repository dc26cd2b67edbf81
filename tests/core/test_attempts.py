"""Tests of work that kills its worker: counting, resting, putting aside, and other work going on."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from celery import Task
from celery.exceptions import TimeLimitExceeded
from django.conf import settings
from django.db.utils import ConnectionHandler
from django.utils import timezone

from carcassonne.celery import app
from core import attempts, failures
from core.attempts import LOST
from core.models import FailedTask, TaskAttempt
from games import tasks

pytestmark = pytest.mark.django_db
SCORE = "games.tasks.score"


class Killed(BaseException):
    """The process is killed: no clean-up runs."""


@pytest.fixture(autouse=True)
def nothing_runs() -> Iterator[None]:
    attempts._stack().clear()
    yield
    attempts._stack().clear()


@pytest.fixture
def clock() -> Iterator[Any]:
    noon = datetime(2026, 3, 1, 12, tzinfo=timezone.get_current_timezone())
    with time_machine.travel(noon, tick=False) as clock:
        yield clock


def kill() -> None:
    """Lose all state in memory, as a killed process does."""
    attempts._stack().clear()


def lose(message: str, arguments: str = "[7]", task: str = SCORE) -> None:
    attempts.begin(task, arguments, message)
    kill()


def test_what_ends_leaves_nothing() -> None:
    for succeeded in (True, False):
        attempts.begin(SCORE, "[7]", "one")
        assert TaskAttempt.objects.count() == 1
        attempts.end("one", succeeded=succeeded)
        assert not TaskAttempt.objects.exists() and not FailedTask.objects.exists()


def test_a_message_that_comes_again_was_lost_and_after_three_its_work_is_put_aside(clock: Any) -> None:
    for number in range(1, LOST + 1):
        lose("one")
        with pytest.raises(attempts.WorkPutAside):
            attempts.begin(SCORE, "[7]", "one")
        failed = FailedTask.objects.get()
        assert (failed.task, failed.arguments, failed.lost) == (SCORE, "[7]", number)
        clock.move_to(failed.until)
    assert failed.until - failed.last == attempts.ASIDE
    assert failed.error.endswith(f"{LOST} times; put aside")
    assert attempts.list_resting(SCORE) == []  # the day is over
    lose("two")
    with pytest.raises(attempts.WorkPutAside):
        attempts.begin(SCORE, "[7]", "two")
    assert attempts.list_resting(SCORE) == [7], "one more chance a day"


def test_it_rests_for_longer_each_time_and_meanwhile_others_go_on(clock: Any) -> None:
    rests = []
    for _ in range(LOST):
        lose("one")
        with pytest.raises(attempts.WorkPutAside):
            attempts.begin(SCORE, "[7]", "one")
        attempts.begin(SCORE, "[8]", "other")
        attempts.end("other", succeeded=True)
        failed = FailedTask.objects.get()
        rests.append(failed.until - failed.last)
        clock.move_to(failed.until)
    assert rests == [timedelta(seconds=settings.SWEEP_SECONDS * n) for n in (1, 2)] + [attempts.ASIDE]


def test_another_message_counts_what_is_older_than_any_task_may_be(clock: Any) -> None:
    """As where a whole machine was lost, and the sweep queues the work anew."""
    lose("one")
    attempts.begin(SCORE, "[7]", "two")  # the first may still be at it
    attempts.end("two", succeeded=False)
    assert not FailedTask.objects.exists()
    clock.shift(timedelta(seconds=2 * settings.TASK_SECONDS))
    with pytest.raises(attempts.WorkPutAside):
        attempts.begin(SCORE, "[7]", "three")
    assert FailedTask.objects.get().lost == 1


def test_an_attempt_that_lies_ahead_is_of_a_clock_that_went_back(clock: Any) -> None:
    lose("one")
    clock.shift(-timedelta(hours=1))
    with pytest.raises(attempts.WorkPutAside):
        attempts.begin(SCORE, "[7]", "two")


def test_a_success_forgets_what_was_lost(clock: Any) -> None:
    lose("one")
    with pytest.raises(attempts.WorkPutAside):
        attempts.begin(SCORE, "[7]", "one")
    clock.shift(timedelta(hours=1))
    attempts.begin(SCORE, "[7]", "two")
    attempts.end("two", succeeded=True)
    assert not FailedTask.objects.exists()


def test_what_never_rests_begins_all_the_same() -> None:
    assert tasks.sweep.essential and not tasks.score.essential
    for _ in range(2 * LOST):
        attempts.begin("games.tasks.sweep", "[]", "one", essential=True)
        kill()
    assert FailedTask.objects.get().lost == 2 * LOST - 1


class TestUnits:
    """One task with many units: the unit that kills it is found, and skipped."""

    task = "games.tasks.expire"

    def go(self, message: str, done: list[int], poison: int = 3) -> bool:
        """Run five units; return whether all went by without the worker being killed."""

        def act(number: int) -> None:
            if number == poison:
                raise Killed
            done.append(number)

        try:
            attempts.begin(self.task, "[]", message)
            for number in range(5):
                attempts.run(f"game {number}", partial(act, number))
        except Killed:
            kill_in_hand()
            return False
        attempts.end(message, succeeded=True)
        return True

    def test_others_are_done_at_once_and_the_poison_is_put_aside(
        self, clock: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(attempts, "_forget", forget_unless_killed)
        assert not self.go("one", [])
        assert not self.go("one", []), "careful now: it is noted what was in hand"
        done: list[int] = []
        assert self.go("one", done)
        assert done == [0, 1, 2, 4]
        failed = FailedTask.objects.get()
        assert (failed.task, failed.arguments, failed.lost) == (self.task, "game 3", 1)
        for lost in range(2, LOST + 1):
            clock.move_to(FailedTask.objects.get(arguments="game 3").until)
            message = f"after {lost}"
            assert not self.go(message, [])
            done = []
            assert self.go(message, done)
            assert done == [0, 1, 2, 4]
            assert FailedTask.objects.get().lost == lost
        assert FailedTask.objects.get().until - timezone.now() == attempts.ASIDE

    def test_who_was_not_lost_notes_no_units(self, django_assert_num_queries: Callable[..., Any]) -> None:
        attempts.begin(self.task, "[]", "one")
        with django_assert_num_queries(2):  # the state of units is read once
            for number in range(100):
                assert attempts.run(f"game {number}", lambda: None)
        assert not attempts.must_go_one_by_one()
        attempts.end("one", succeeded=True)

    def test_a_whole_task_that_gets_nowhere_rests_for_an_hour(self, clock: Any) -> None:
        lose("one", "[]", self.task)
        lose("one", "[]", self.task)  # at once, as it may be careful now
        with pytest.raises(attempts.WorkPutAside):
            attempts.begin(self.task, "[]", "one")
        clock.shift(timedelta(minutes=5))
        lose("one", "[]", self.task)
        with pytest.raises(attempts.WorkPutAside):
            attempts.begin(self.task, "[]", "one")
        failed = FailedTask.objects.get()
        assert failed.until - failed.last == attempts.ASIDE_AS_A_WHOLE

    def test_outside_of_a_task_it_is_just_done(self) -> None:
        done: list[int] = []
        assert attempts.run("game 1", lambda: done.append(1)) and done == [1]
        assert not attempts.must_go_one_by_one() and attempts.list_units(resting=True) == set()


def kill_in_hand() -> None:
    kill()


_real_forget = attempts._forget


def forget_unless_killed(*args: Any, **more: Any) -> None:
    """Skip the clean-up if the process was killed: ``finally`` is not reached then."""
    import sys

    if not isinstance(sys.exc_info()[1], Killed):
        _real_forget(*args, **more)


class TestTasks:
    """Attempts of tasks as Celery runs them."""

    def test_a_task_notes_its_attempt_while_it_runs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[tuple[str, str]] = []

        def look(**which: Any) -> None:
            seen.extend(TaskAttempt.objects.values_list("task", "arguments"))

        monkeypatch.setattr("games.play.score", look)
        tasks.score.apply(args=(7,))
        assert seen == [(SCORE, "[7]")]
        assert not TaskAttempt.objects.exists()

    def test_what_rests_is_not_done(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.play.score", lambda **which: pytest.fail("it rests"))
        monkeypatch.setattr(Task, "apply_async", lambda *args, **options: None)
        rest("[7]")
        assert tasks.score.apply(args=(7,)).state == "IGNORED"

    @pytest.mark.parametrize(("expires", "lost", "again"), [(None, 1, 1), (30, 1, 0), (None, LOST, 0)])
    def test_a_message_of_what_rests_comes_again_unless_the_sweep_sends_another(
        self, expires: int | None, lost: int, again: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent: list[Any] = []
        monkeypatch.setattr(Task, "apply_async", lambda self, **options: sent.append(options))
        failed = rest("[7]", lost=lost)
        task: Any = tasks.score
        task.push_request(id="one", args=[7], kwargs={}, expires=expires, called_directly=False)
        try:
            task._send_again("one", [7], {}, failed)
        finally:
            task.pop_request()
        assert len(sent) == again
        if again:
            assert sent[0]["task_id"] == "one" and 0 < sent[0]["countdown"] <= settings.LONGEST_COUNTDOWN

    def test_who_is_stopped_at_the_time_limit_has_lost_an_attempt(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ConnectionHandler, "all", lambda *args, **more: [])  # else it closes ours
        lose("one")
        failures.note_failure(tasks.score, TimeLimitExceeded(5), [7], task_id="one")
        failed = FailedTask.objects.get()
        assert (failed.lost, failed.arguments) == (1, "[7]")
        assert not TaskAttempt.objects.exists()

    def test_the_sweep_queues_nothing_that_rests(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert attempts.list_resting(SCORE) == []
        rest("[7]")
        rest("[8]", minutes=-1)
        assert attempts.list_resting(SCORE) == [7]


class TestTryingAgain:
    def test_what_was_put_aside_is_tried_once_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sent: list[Any] = []
        monkeypatch.setattr(app, "send_task", lambda name, args, **options: sent.append((name, args)))
        failed = rest("[7]", lost=LOST)
        assert failures.queue_again(failed)
        assert sent == [(SCORE, [7])]
        attempts.begin(SCORE, "[7]", "told")
        attempts.end("told", succeeded=True)
        assert not FailedTask.objects.exists()

    def test_a_unit_waits_for_its_task(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(app, "send_task", lambda *args, **options: pytest.fail("the beat does"))
        failed = rest("game 7", lost=LOST)
        assert failures.queue_again(failed)
        failed.refresh_from_db()
        assert not failed.rests(timezone.now()) and failed.lost == LOST

    def test_of_many_failed_tasks_those_that_rest_stay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(failures, "KEPT", 2)
        rest("[7]")
        for number in range(4):
            failures.record_failure(f"games.tasks.task{number}", [], ValueError(), now=timezone.now())
        assert FailedTask.objects.filter(arguments="[7]").exists()
        assert FailedTask.objects.count() == 3


def rest(arguments: str, *, lost: int = 1, minutes: int = 5) -> FailedTask:
    now = timezone.now()
    return FailedTask.objects.create(
        task=SCORE,
        arguments=arguments,
        error="WorkerLost",
        lost=lost,
        until=now + timedelta(minutes=minutes),
        first=now,
        last=now,
    )
