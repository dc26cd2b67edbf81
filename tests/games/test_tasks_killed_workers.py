"""Tests of real workers on a real broker: whatever is killed at any time, nothing is lost or done twice."""

import asyncio
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from carcassonne.celery import app
from core.attempts import LOST
from core.models import FailedTask
from games import play, tasks, upkeep_tasks
from games.heartbeat import HEART
from games.models import Game, Heartbeat, Kind, Notice, Status
from games.play.audit import find_differences
from moderation import tasks as moderation_tasks
from tests.games import worker_helpers
from tests.games.factories import make_game, play_turns, some_action
from tests.games.mailserver import MailServer, listening
from tests.games.worker_helpers import TASK_SECONDS, Worker, purge_queues, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
start = worker_helpers.start


class HangingServer(MailServer):
    """Mail server that accepts the first mail but never confirms it."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs = True
        self.took = threading.Event()
        self.times: list[float] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = await super().handle_DATA(server, session, envelope)
        self.times.append(time.monotonic())
        self.took.set()
        while self.hangs:
            await asyncio.sleep(0.05)
        return answer


class SlowServer(MailServer):
    """Mail server that takes two seconds for every mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        await asyncio.sleep(2)
        return await super().handle_DATA(server, session, envelope)


def waiting() -> QuerySet[Notice]:
    return Notice.objects.filter(sent=None, dropped=None).exclude(kind=Kind.REMINDER)


def test_a_worker_killed_while_sending_loses_no_mail_and_repeats_only_the_one_in_hand(
    start: Callable[..., Worker],
) -> None:
    server = HangingServer()
    with listening(server) as port:
        make_game(seats=4, now=timezone.now())  # four mails, queued on commit
        first = start(port)
        assert server.took.wait(45)
        first.kill()
        server.hangs = False
        # The dead one has claimed all four; whoever comes next sends them when its claims have ended.
        assert sorted((notice.claimed is None, notice.attempts) for notice in waiting()) == [
            *[(False, 0)] * 3,
            (False, 1),
        ]
        start(port)
        while waiting():
            tasks.deliver_notices.delay()
            time.sleep(1)
        time.sleep(0.5)
    counted = Counter(server.ids)
    assert sorted(counted.values()) == [1, 1, 1, 2]
    assert server.ids.count(server.ids[0]) == 2, "the one in hand, with its old Message-ID"
    again = server.times[server.ids.index(server.ids[0], 1)]
    assert again - server.times[0] > 2 * TASK_SECONDS - 1, "not before its claim has ended"


def test_what_lost_messages_forgot_the_beat_finds(start: Callable[..., Worker]) -> None:
    server = MailServer()
    scoring = play_turns(make_game(now=timezone.now()), now=timezone.now())
    with_bot = play_turns(make_game(bots=1, now=timezone.now()), 1, now=timezone.now())
    Notice.objects.filter(game=scoring, sent=None).update(dropped=timezone.now())
    assert (scoring.status, with_bot.deadline) == (Status.SCORING, None)
    with app.connection_or_acquire() as broker:
        purge_queues(broker)
    with listening(server) as port:
        start(port, "-B")
        wait_until(lambda: Game.objects.get(pk=scoring.pk).status == Status.FINISHED)
        wait_until(lambda: Game.objects.get(pk=with_bot.pk).awaited == 0)
        wait_until(lambda: len(server.ids) == 2)
        time.sleep(2.5)
    assert {mail["Subject"] for mail in server.mails} == {f"{scoring.name} is over"}
    assert len(set(server.ids)) == 2
    for game in Game.objects.all():
        assert find_differences(game) == []
    assert Game.objects.get(pk=scoring.pk).moves.filter(action__type="final").count() == 1


def test_a_worker_answers_turns_and_is_killed_again_and_again_without_a_trace(
    start: Callable[..., Worker],
) -> None:
    """The bot's turns, mails and the final scoring, while workers die at any moment."""
    server = MailServer()
    with listening(server) as port:
        game = make_game(bots=1, now=timezone.now())
        worker = start(port, "-B")
        for number in range(3):
            wait_until(lambda: Game.objects.get(pk=game.pk).awaited == 0)
            game.refresh_from_db()
            play.play(
                game_id=game.pk,
                seat=0,
                action=some_action(game, number),
                expected_version=game.version,
                now=timezone.now(),
            )
            worker.kill()
            worker = start(port, "-B")
        wait_until(lambda: Game.objects.get(pk=game.pk).awaited == 0)
    game.refresh_from_db()
    assert game.ply == 6
    assert [move.how for move in game.moves.filter(ply__isnull=False)] == ["web", "bot"] * 3
    assert find_differences(game) == []
    assert len(server.ids) == len(set(server.ids))


def test_a_worker_goes_on_with_its_connections_until_they_break(start: Callable[..., Worker]) -> None:
    """Making a connection costs PostgreSQL more than most tasks do; one that was lost is noticed in time."""
    if connection.vendor != "postgresql":
        pytest.skip("a connection to SQLite costs nothing")
    asked = Path(site.DATA_DIR) / "backends"
    asked.unlink(missing_ok=True)

    def backends() -> list[int]:
        return [int(line) for line in asked.read_text().split()] if asked.exists() else []

    start(9, "-Q", "bulk")
    for number in range(1, 11):
        app.send_task("tests.ask", queue="bulk")
        wait_until(lambda so_many=number: len(backends()) == so_many)  # type: ignore[misc]
    assert len(set(backends())) <= 2, "its pool holds one, and another while that is being made"
    with connection.cursor() as cursor:
        for backend in set(backends()):
            cursor.execute("SELECT pg_terminate_backend(%s)", [backend])
    app.send_task("tests.ask", queue="bulk")
    wait_until(lambda: len(backends()) == 11)
    assert backends()[-1] not in backends()[:-1]
    assert not FailedTask.objects.exists()


@pytest.mark.parametrize("processes", ["a worker for each queue", "one for all"])
def test_a_task_that_hangs_is_stopped_noted_and_not_begun_again(
    processes: str, start: Callable[..., Worker]
) -> None:
    """A task that hangs is stopped, noted and not started again; a shared process exits and is restarted."""
    if processes == "one for all" and site.REDIS_URL:
        pytest.skip("needs the broker in files")
    options = {"of_all_queues": True} if processes == "one for all" else {}
    app.send_task("tests.hang", args=[7], queue="bulk")
    worker = start(0, "-Q", "bulk", **options)
    wait_until(lambda: FailedTask.objects.exists())
    noted = FailedTask.objects.get()
    assert (noted.task, noted.arguments, noted.times) == ("tests.hang", "[7]", 1)
    assert noted.error == f"TimeLimitExceeded: TimeLimitExceeded({TASK_SECONDS},)"
    if processes == "one for all":
        assert worker.process.wait(10) == -signal.SIGKILL
        worker = start(0, **options)
    Heartbeat.objects.all().delete()
    tasks.sweep.apply_async(queue="bulk")
    wait_until(lambda: Heartbeat.objects.exists(), seconds=20)
    assert worker.process.poll() is None
    assert FailedTask.objects.get().times == 1


def test_a_task_that_kills_whoever_begins_it_is_noted_and_dropped(start: Callable[..., Worker]) -> None:
    app.send_task("tests.die", args=[7], queue="bulk")
    worker = start(0, "-Q", "bulk", task_seconds=20)
    wait_until(lambda: FailedTask.objects.filter(lost=LOST).exists())
    noted = FailedTask.objects.get()
    assert (noted.task, noted.arguments, noted.times) == ("tests.die", "[7]", LOST)
    assert noted.error == f"WorkerLost: whoever began it was killed or did not end, {LOST} times; put aside"
    Heartbeat.objects.all().delete()
    tasks.sweep.apply_async(queue="bulk")
    wait_until(lambda: Heartbeat.objects.exists(), seconds=20)
    assert worker.process.poll() is None
    assert FailedTask.objects.get().times == LOST


def test_a_task_that_kills_the_process_of_all_queues_is_noted_when_that_starts_again(
    start: Callable[..., Worker],
) -> None:
    if site.REDIS_URL:
        pytest.skip("needs the broker in files")
    for _ in range(LOST):
        app.send_task("tests.die", args=[7], queue="bulk")
        assert start(0, task_seconds=60, of_all_queues=True).process.wait(30) == -signal.SIGKILL
    worker = start(0, task_seconds=60, of_all_queues=True)
    wait_until(lambda: FailedTask.objects.filter(lost=LOST).exists(), seconds=20)
    assert FailedTask.objects.get().error.endswith(f"{LOST} times; put aside")
    assert worker.process.poll() is None


@pytest.mark.parametrize("processes", ["a worker for each queue", "one for all"])
def test_a_worker_that_is_told_to_stop_finishes_what_it_has_in_hand(
    processes: str, start: Callable[..., Worker]
) -> None:
    if processes == "one for all" and site.REDIS_URL:
        pytest.skip("needs the broker in files")
    options = {"of_all_queues": True} if processes == "one for all" else {}
    server = SlowServer()
    with listening(server) as port:
        make_game(seats=4, now=timezone.now())
        worker = start(port, task_seconds=20, **options)
        wait_until(lambda: Notice.objects.exclude(claimed=None).exists())
        worker.process.terminate()
        assert worker.process.wait(20) == 0
        assert server.mails and not Notice.objects.filter(sent=None).exclude(claimed=None).exists()
        assert Notice.objects.exclude(sent=None).count() == len(server.mails)
        start(port, task_seconds=20, **options)
        tasks.deliver_notices.delay()
        wait_until(lambda: not waiting().exists())
    assert len(server.ids) == len(set(server.ids)) == 4


def crowd(notices: QuerySet[Notice], number: int) -> None:
    """Add *number* copies of these notices."""
    like = list(notices)
    Notice.objects.bulk_create(
        Notice(
            key=f"{one.key}.{copy}",
            kind=one.kind,
            channel=one.channel,
            game=one.game,
            version=one.version,
            recipient=one.recipient,
            created=one.created,
            due=one.due,
            next_try=one.next_try,
        )
        for copy in range(number // len(like))
        for one in like
    )


@pytest.mark.parametrize("processes", ["a worker for each queue", "one for all"])
def test_slow_mails_and_bulk_work_hold_up_neither_the_heart_nor_the_bot(
    processes: str, start: Callable[..., Worker]
) -> None:
    """Half an hour of mails waits, and hundreds of tasks that are not urgent; neither the heart nor the bot
    waits until they are done."""
    if processes == "one for all" and site.REDIS_URL:
        pytest.skip("needs the broker in files")
    server, period = SlowServer(), 4
    how = {"task_seconds": 20, "sweep_seconds": period}
    with listening(server) as port:
        for _ in range(5):
            make_game(seats=6, now=timezone.now())
        crowd(waiting(), 1000)
        game = make_game(bots=1, now=timezone.now())
        if processes == "one for all":
            start(port, of_all_queues=True, **how)
        for queue in site.QUEUES if processes != "one for all" else ():
            start(port, *(["-B"] if queue == "beat" else []), "-Q", queue, "-n", f"{queue}@%h", **how)
        wait_until(lambda: len(server.mails) > 0)
        wait_until(lambda: age_of_heart() < timedelta(seconds=period))
        for number in range(6):
            for _ in range(100):
                moderation_tasks.look_for_signals.delay()
                upkeep_tasks.rate_games.delay()
            game.refresh_from_db()
            play.play(
                game_id=game.pk,
                seat=0,
                action=some_action(game, number),
                expected_version=game.version,
                now=timezone.now(),
            )
            wait_until(lambda: Game.objects.get(pk=game.pk).awaited == 0)
        played = timezone.now()
        wait_until(lambda: timezone.now() - age_of_heart() > played)
        assert waiting().count() > 900, "the mails were not all sent meanwhile"
    assert server.mails and len(server.ids) == len(set(server.ids))


def age_of_heart() -> timedelta:
    """The time since the last heartbeat."""
    last = Heartbeat.objects.filter(name=HEART).values_list("at", flat=True).first()
    return timedelta.max if last is None else timezone.now() - last
