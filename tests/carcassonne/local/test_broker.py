"""Tests of the broker in files: no half-written messages, no double delivery, and a surviving worker."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Consumer, Message, Queue

import carcassonne.celery  # noqa: F401  (registers the broker)
from tests.carcassonne.local.processes import processes

QUEUE = Queue("games", routing_key="games")
HERE = Path(__file__).resolve().parents[3]


def connect(folder: Path) -> Connection:
    settings = {"data_folder_in": str(folder), "polling_interval": 0.01}
    return Connection("filesystem://localhost", transport_options=settings)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with connect(tmp_path) as connection:
        yield connection


def send(connection: Connection, *bodies: object) -> None:
    with connection.Producer() as producer:
        for body in bodies:
            producer.publish(body, routing_key="games", exchange=QUEUE.exchange, declare=[QUEUE])


def receive(connection: Connection, what: Callable[[Message], None]) -> list[object]:
    """Pass every waiting message to *what*, and return the bodies."""
    bodies = []

    def take(body: object, message: Message) -> None:
        bodies.append(body)
        what(message)

    with Consumer(connection, [QUEUE], callbacks=[take]):
        while True:
            try:
                connection.drain_events(timeout=0.2)
            except TimeoutError:
                return bodies


def files(folder: Path) -> list[str]:
    """The names of the files on disk."""
    return os.listdir(folder)


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_messages_arrive_in_the_order_in_which_they_were_sent(connection: Connection, tmp_path: Path) -> None:
    send(connection, *range(20))
    assert receive(connection, Message.ack) == list(range(20))
    assert files(tmp_path) == []


def test_a_rejected_message_is_gone(connection: Connection, tmp_path: Path) -> None:
    send(connection, "x")
    assert receive(connection, Message.reject) == ["x"]
    assert files(tmp_path) == []


def test_a_requeued_message_comes_back(connection: Connection) -> None:
    send(connection, "x")
    answers = iter([Message.requeue, Message.ack])
    assert receive(connection, lambda message: next(answers)(message)) == ["x", "x"]


def test_closing_gives_back_what_is_not_acknowledged(tmp_path: Path) -> None:
    with connect(tmp_path) as first:
        send(first, "x")
        receive(first, lambda message: None)
    with connect(tmp_path) as second:
        assert receive(second, Message.ack) == ["x"]
    assert files(tmp_path) == []


def test_the_size_of_a_queue_and_its_purge(connection: Connection) -> None:
    send(connection, 1, 2, 3)
    queue = QUEUE(connection.default_channel)
    assert queue.queue_declare(passive=True).message_count == 3
    assert queue.purge() == 3
    assert receive(connection, Message.ack) == []


def test_queues_do_not_mix(connection: Connection) -> None:
    send(connection, "x")
    with pytest.raises(Empty):
        connection.default_channel._get("other")


def test_what_cannot_be_read_is_set_aside_and_ends_nobody(connection: Connection, tmp_path: Path) -> None:
    send(connection, "half", "whole")
    first = min(tmp_path.iterdir())
    first.write_bytes(first.read_bytes()[:20])
    assert receive(connection, Message.ack) == ["whole"]
    assert files(tmp_path) == [first.with_suffix(".unreadable").name]


def test_what_is_being_written_is_not_yet_there(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(connection, "x")
    received: list[list[object]] = []
    write = Path.write_text

    def write_slowly(file: Path, text: str) -> int:
        write(file, text[:20])
        received.append(receive(connection, Message.ack))
        return write(file, text)

    monkeypatch.setattr(Path, "write_text", write_slowly)
    send(connection, "y")
    assert received == [["x"]]
    assert receive(connection, Message.ack) == ["y"]


def test_a_folder_that_is_removed_is_made_anew(connection: Connection, tmp_path: Path) -> None:
    send(connection, "x")
    shutil.rmtree(tmp_path)
    assert receive(connection, Message.ack) == []
    send(connection, "y")
    assert receive(connection, Message.ack) == ["y"]


BUSY = """
import sys
import carcassonne.celery
from kombu import Connection, Queue
queue = Queue("games", routing_key="games")
with Connection("filesystem://localhost", transport_options={"data_folder_in": sys.argv[1]}) as connection:
    mine = queue(connection.default_channel)
    mine.declare()
    if sys.argv[2] != "take":
        with connection.Producer() as producer:
            for number in range(int(sys.argv[3])):
                body = f"{number}-{sys.argv[2]}" + "x" * 20000
                producer.publish(body, routing_key="games", exchange=queue.exchange)
    while sys.argv[2] == "take":
        message = mine.get()
        if message is None:
            continue
        message.ack()
        body = message.payload.rstrip("x")
        if body.endswith("stop"):
            break
        print(body)
"""


def test_busy_senders_and_takers_lose_and_double_nothing(tmp_path: Path) -> None:
    def run(*args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", BUSY, str(tmp_path), *args]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE)

    takers = [run("take"), run("take")]
    senders = [run(name, "150") for name in "ab"]
    assert [process.wait(60) for process in senders] == [0, 0]
    assert run("stop", "2").wait(60) == 0
    got = [line for process in takers for line in process.communicate(timeout=60)[0].splitlines()]
    assert [process.returncode for process in takers] == [0, 0]
    assert sorted(got) == sorted(f"{n}-{who}" for n in range(150) for who in "ab")


TASKS = """
import os, sys, time
from pathlib import Path
from celery import Celery
import carcassonne.celery
folder = Path(os.environ["FOLDER"])
app = Celery("work", broker="filesystem://localhost")
app.conf.update(
    broker_transport_options={"data_folder_in": str(folder / "broker"), "polling_interval": 0.02},
    task_acks_late=True, task_reject_on_worker_lost=True, worker_prefetch_multiplier=1,
    task_ignore_result=True, worker_enable_remote_control=False, broker_connection_retry_on_startup=True,
)
@app.task(name="work.note")
def note(name):
    with (folder / "log").open("a") as log:
        log.write(f"start {name}\\n")
    while name == "0" and not (folder / "go").exists():
        time.sleep(0.02)
    with (folder / "log").open("a") as log:
        log.write(f"end {name}\\n")
"""


def child_of(pid: int) -> int:
    """The only child process of *pid*."""
    (child,) = children_of(pid)
    return child


def children_of(pid: int) -> list[int]:
    return [process.pid for process in processes() if process.parent == pid and process.state != "Z"]


@pytest.mark.slow
def test_a_celery_worker_works_on_when_idle_children_are_killed(tmp_path: Path) -> None:
    """A pool whose children share one pipe stops for ever: the one that waits at it holds its lock."""
    (tmp_path / "work.py").write_text(TASKS)
    (tmp_path / "go").touch()
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{HERE}", "FOLDER": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    log = tmp_path / "log"

    def lines() -> list[str]:
        return log.read_text().splitlines() if log.exists() else []

    def queue(name: str) -> None:
        code = f"from work import note; note.delay({name!r})"
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=tmp_path)

    command = [sys.executable, "-m", "celery", "-A", "work", "worker", "--concurrency=2"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=ERROR"]
    worker = subprocess.Popen(command, env=environment, cwd=tmp_path, start_new_session=True)
    try:
        for number in range(3):
            queue(str(number))
            wait_for(lambda number=number: f"end {number}" in lines())  # type: ignore[misc]
            time.sleep(0.3)  # both children wait for work again
            for child in children_of(worker.pid):
                os.kill(child, signal.SIGKILL)
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(20)


@pytest.mark.slow
@pytest.mark.parametrize("whom", ["everybody", "the child with the task"])
def test_a_celery_worker_killed_in_mid_task_loses_that_message_at_most(tmp_path: Path, whom: str) -> None:
    """None as long as the worker itself lives, which sends the message of a child that was killed again."""
    (tmp_path / "work.py").write_text(TASKS)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{HERE}", "FOLDER": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    queue = "from work import note; [note.delay(str(n)) for n in range(4)]"
    subprocess.run([sys.executable, "-c", queue], env=environment, check=True, cwd=tmp_path)
    log = tmp_path / "log"

    def lines() -> list[str]:
        return log.read_text().splitlines() if log.exists() else []

    def worker() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", "work", "worker", "--concurrency=1"]
        command += ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=ERROR"]
        return subprocess.Popen(command, env=environment, cwd=tmp_path, start_new_session=True)

    first = worker()
    wait_for(lambda: "start 0" in lines())
    if whom == "everybody":
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        (tmp_path / "go").touch()
        last = worker()
    else:
        os.kill(child_of(first.pid), signal.SIGKILL)
        (tmp_path / "go").touch()
        last = first
    ends = [0, 1, 1, 1] if whom == "everybody" else [1, 1, 1, 1]
    try:
        wait_for(lambda: {f"end {n}" for n in range(4) if ends[n]} <= set(lines()))
        wait_for(lambda: files(tmp_path / "broker") == [])
    finally:
        os.killpg(last.pid, signal.SIGTERM)
        last.wait(20)
    assert lines().count("start 0") == 1 + ends[0]
    assert [lines().count(f"end {n}") for n in range(4)] == ends
