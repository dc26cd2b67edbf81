"""Tests of queueing tasks on commit."""

import ast
import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import Task
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError

import games.tasks
from carcassonne.celery import app
from core import task_queue
from core.task_queue import QueuedOnce, queue_on_commit
from core.undo_window import LONGEST_UNDO

PACKAGES = ("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne")


@app.task(name="tests.noted")
def noted(number: int) -> None:
    """A task that is queued, never run."""


@app.task(name="tests.collected", base=QueuedOnce)
def collected() -> None:
    """A task that is queued at most once."""


NOTED, COLLECTED = f"{__name__}.noted", f"{__name__}.collected"


@pytest.fixture(autouse=True)
def broker_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_queue, "_away_until", 0.0)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[int, ...]]]:
    """The messages that went to the broker."""
    messages: list[tuple[str, tuple[int, ...]]] = []

    def send(task: Task, args: tuple[int, ...], **options: object) -> None:
        messages.append((task.name, args))

    monkeypatch.setattr(Task, "apply_async", send)
    return messages


@pytest.mark.django_db(transaction=True)
def test_a_task_is_sent_when_the_rows_are_there(sent: list[object]) -> None:
    with transaction.atomic():
        queue_on_commit(NOTED, 1)
        assert sent == []
    assert sent == [("tests.noted", (1,))]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_after_a_roll_back(sent: list[object]) -> None:
    with transaction.atomic():
        queue_on_commit(NOTED, 1)
        transaction.set_rollback(True)
    assert sent == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "fault", [OperationalError("gone"), ConnectionRefusedError("gone"), OSError("disk full")]
)
def test_a_broker_that_is_away_is_a_line_in_the_log(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def send(task: Task, **options: object) -> None:
        raise fault

    monkeypatch.setattr(Task, "apply_async", send)
    with caplog.at_level(logging.WARNING), transaction.atomic():
        queue_on_commit(NOTED, 1)
    assert "tests.noted is left to the sweep" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_was_away_is_not_asked_again_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def send(task: Task, **options: object) -> None:
        asked.append(task.name)
        raise OperationalError("gone")

    monkeypatch.setattr(Task, "apply_async", send)
    with caplog.at_level(logging.INFO):
        queue_on_commit(NOTED, 1)
        queue_on_commit(NOTED, 2)
        assert len(asked) == 1
        monkeypatch.setattr(task_queue, "_away_until", time.monotonic())
        queue_on_commit(NOTED, 3)
    assert len(asked) == 2
    assert caplog.text.count("is left to the sweep") == 3


@pytest.mark.django_db(transaction=True)
def test_while_one_message_waits_no_other_is_queued(sent: list[object]) -> None:
    for _ in range(3):
        queue_on_commit(COLLECTED)
    assert sent == [("tests.collected", ())]
    collected.before_start("an id", (), {})  # as a worker does before it runs the task
    for _ in range(3):
        queue_on_commit(COLLECTED)
    assert len(sent) == 2


@pytest.mark.django_db(transaction=True)
def test_the_flag_is_down_before_the_task_looks_at_any_row(monkeypatch: pytest.MonkeyPatch) -> None:
    queue_on_commit(COLLECTED)
    seen: list[bool] = []
    monkeypatch.setattr(collected, "run", lambda: seen.append(collected.announce()))
    collected.apply()
    assert seen == [True], "what is committed from now on queues another message"


@pytest.mark.django_db(transaction=True)
def test_nothing_that_is_rolled_back_says_that_a_message_waits(sent: list[object]) -> None:
    with transaction.atomic():
        queue_on_commit(COLLECTED)
        transaction.set_rollback(True)
    queue_on_commit(COLLECTED)
    assert len(sent) == 1


@pytest.mark.django_db(transaction=True)
def test_without_a_cache_there_is_a_message_too_many_and_no_error(
    sent: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> bool:
        raise RuntimeError("the table of the cache is gone")

    monkeypatch.setattr(task_queue, "caches", {"flags": SimpleNamespace(add=fail, delete=fail)})
    queue_on_commit(COLLECTED)
    queue_on_commit(COLLECTED)
    collected.before_start("an id", (), {})
    assert len(sent) == 2


@pytest.mark.django_db(transaction=True)
def test_a_message_that_could_not_be_sent_does_not_count_as_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    def send(task: Task, **options: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(Task, "apply_async", send)
    queue_on_commit(COLLECTED)
    assert collected.announce()


def test_every_task_of_ours_waits_in_a_queue_that_somebody_chose_for_it() -> None:
    app.loader.import_default_modules()
    ours = {name for name in app.tasks if name.partition(".")[0] in PACKAGES}
    chosen = [task for tasks in settings.QUEUES.values() for task in tasks]
    assert sorted(ours) == sorted(chosen), "each stands in QUEUES of the settings once"
    for queue, tasks in settings.QUEUES.items():
        for task in tasks:
            assert app.amqp.router.route({}, task)["queue"].name == queue


def test_the_heart_has_a_queue_of_its_own_and_so_has_what_sends_mails() -> None:
    assert settings.QUEUES["beat"] == ["games.tasks.sweep"]
    assert "games.tasks.deliver_notices" in settings.QUEUES["notices"]
    assert isinstance(games.tasks.deliver_notices, QueuedOnce)
    assert settings.QUEUES["inbox"] == ["games.mail_tasks.answer_mail"], "nothing waits behind mails"
    assert not {"play_bot", "settle", "score"} - {
        name.rpartition(".")[2] for name in settings.QUEUES["games"]
    }


def test_what_the_beat_queues_it_queues_by_its_name() -> None:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert entry["task"] in settings.CELERY_TASK_ROUTES
        assert entry["options"]["expires"], "messages don't pile up while no worker runs"


def test_nothing_is_queued_so_early_that_its_message_is_given_to_another() -> None:
    assert LONGEST_UNDO.total_seconds() <= settings.LONGEST_COUNTDOWN
    with pytest.raises(ValueError, match="121 s"):
        queue_on_commit(NOTED, 1, countdown=121)


def test_a_worker_that_is_told_no_queue_takes_from_all() -> None:
    assert set(app.amqp.queues.consume_from) == set(settings.CELERY_TASK_QUEUES)


def test_a_message_goes_to_one_queue_alone() -> None:
    with app.connection() as connection:
        queues = {name: app.amqp.queues[name](connection.default_channel) for name in app.amqp.queues}
        for queue in queues.values():
            queue.declare()
        deliver, score = games.tasks.deliver_notices.apply_async(), games.tasks.score.apply_async(args=(1,))
        sent = []
        for name, queue in queues.items():
            while message := queue.get():
                message.ack()
                if message.headers["id"] in (deliver.id, score.id):  # workers of other tests leave theirs
                    sent.append((name, message.headers["task"]))
    assert sorted(sent) == [("games", "games.tasks.score"), ("notices", "games.tasks.deliver_notices")]


@pytest.mark.slow
def test_a_redis_that_is_away_does_not_stop_the_sender() -> None:
    code = (
        "import logging, django; django.setup(); logging.disable(logging.CRITICAL)\n"
        "from core.task_queue import queue_on_commit\n"
        "from django.db import transaction\n"
        "transaction.on_commit = lambda send: send()\n"
        "queue_on_commit('games.tasks.sweep'); print('went on')"
    )
    environment = {
        **os.environ,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.returncode) == ("went on\n", 0), done.stderr


def test_the_broker_takes_a_message() -> None:
    with app.connection() as connection:
        # A queue of our own: workers of other tests look into the usual one.
        queue = app.amqp.queues["test-celery"](connection.default_channel)
        queue.declare()
        noted.apply_async(args=(1,), queue="test-celery")
        message = queue.get()
        assert message is not None
        message.ack()
        assert message.headers["task"] == "tests.noted"
        assert queue.get() is None


def test_a_task_that_does_not_exist_is_loud() -> None:
    with pytest.raises(ImportError):
        queue_on_commit("games.tasks.no_such_task")


def test_every_task_named_in_the_code_exists() -> None:
    """A typo in a name would fail only when the line is run."""
    root = Path(__file__).parents[2]
    calls = [
        node
        for package in PACKAGES
        for file in (root / package).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "queue_on_commit"
    ]
    assert calls
    for call in calls:
        assert isinstance(import_string(ast.literal_eval(call.args[0])), Task)
