"""The broker in files: nothing is lost, whoever dies, and nothing is read half written."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Consumer, Message, Queue

import carcassonne.celery  # noqa: F401  (registers "durable")
from carcassonne.local.broker import Files
from tests.carcassonne.local.processes import processes

QUEUE = Queue("games", routing_key="games")
HERE = Path(__file__).resolve().parents[3]


def connect(folder: Path, **options: int) -> Connection:
    settings = {"folder": str(folder), "polling_interval": 0.01, **options}
    return Connection("durable://localhost", transport_options=settings)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with connect(tmp_path) as connection:
        yield connection


def send(connection: Connection, *bodies: object) -> None:
    with connection.Producer() as producer:
        for body in bodies:
            producer.publish(body, routing_key="games", exchange=QUEUE.exchange, declare=[QUEUE])


def receive(connection: Connection, what: Callable[[Message], None]) -> list[object]:
    """Everything that waits, each handed to *what*."""
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
    """Every message on the disk, waiting or taken."""
    return [path.name for name in ("ready", "taken") for path in (folder / name).rglob("*") if path.is_file()]


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def test_messages_arrive_in_the_order_in_which_they_were_sent(connection: Connection, tmp_path: Path) -> None:
    send(connection, *range(20))
    assert receive(connection, Message.ack) == list(range(20))
    assert files(tmp_path) == []


def test_a_message_stays_on_the_disk_until_it_is_acknowledged(connection: Connection, tmp_path: Path) -> None:
    send(connection, "x")
    seen: list[list[str]] = []

    def look_then_ack(message: Message) -> None:
        seen.append(files(tmp_path))
        message.ack()

    receive(connection, look_then_ack)
    assert len(seen[0]) == 1
    assert files(tmp_path) == []


def test_a_rejected_message_is_gone(connection: Connection, tmp_path: Path) -> None:
    send(connection, "x")
    assert receive(connection, Message.reject) == ["x"]
    assert files(tmp_path) == []


def test_a_requeued_message_comes_back_marked(connection: Connection) -> None:
    send(connection, "x")
    marks: list[bool] = []

    def requeue_once(message: Message) -> None:
        marks.append(bool(message.delivery_info.get("redelivered")))
        if len(marks) == 1:
            message.requeue()
        else:
            message.ack()

    assert receive(connection, requeue_once) == ["x", "x"]
    assert marks == [False, True]


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


def test_a_message_ahead_of_its_time_is_in_nobodys_hands_until_then(connection: Connection) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=0.6)
    with connection.Producer() as producer:
        how = {"routing_key": "games", "exchange": QUEUE.exchange, "declare": [QUEUE]}
        producer.publish("later", headers={"eta": soon.isoformat()}, **how)
        producer.publish("now", headers={"eta": None}, **how)
    assert receive(connection, Message.ack) == ["now"]
    assert QUEUE(connection.default_channel).queue_declare(passive=True).message_count == 1
    time.sleep(0.6)
    assert receive(connection, Message.ack) == ["later"]


def test_of_one_queue_no_more_is_taken_than_may_be_at_once(tmp_path: Path) -> None:
    with connect(tmp_path, at_once=1) as connection:
        other = Queue("mails", routing_key="mails")
        send(connection, 1, 2)
        with connection.Producer() as producer:
            producer.publish(3, routing_key="mails", exchange=other.exchange, declare=[other])
        taken: list[Message] = []
        with Consumer(connection, [QUEUE, other], callbacks=[lambda body, message: taken.append(message)]):
            for _ in range(2):
                connection.drain_events(timeout=0.2)
            with pytest.raises(TimeoutError):
                connection.drain_events(timeout=0.2)
            assert sorted(message.payload for message in taken) == [1, 3]
            next(message for message in taken if message.payload == 1).ack()
            connection.drain_events(timeout=0.2)
            assert taken[-1].payload == 2


def test_what_a_living_process_has_taken_is_left_alone(connection: Connection, tmp_path: Path) -> None:
    send(connection, "x")
    receive(connection, lambda message: None)
    Files(tmp_path).give_back_from_the_dead()
    assert [path.name for path in (tmp_path / "ready").rglob("*") if path.is_file()] == []


TAKE_AND_HANG = """
import sys, time
import carcassonne.celery
from kombu import Connection, Consumer, Queue
def hang(body, message):
    print(body, bool(message.delivery_info.get("redelivered")), flush=True)
    if sys.argv[2] == "hang":
        time.sleep(60)
    message.ack()
settings = {"folder": sys.argv[1], "polling_interval": 0.01}
with Connection("durable://localhost", transport_options=settings) as connection:
    with Consumer(connection, [Queue("games", routing_key="games")], callbacks=[hang], prefetch_count=1):
        while True:
            try:
                connection.drain_events(timeout=float(sys.argv[3]))
            except TimeoutError:
                break
"""


def consumer(folder: Path, what: str, seconds: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", TAKE_AND_HANG, str(folder), what, str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE)


def test_what_a_killed_process_had_taken_comes_back_once(connection: Connection, tmp_path: Path) -> None:
    send(connection, "first", "second")
    victim = consumer(tmp_path, "hang", 60)
    assert victim.stdout is not None
    assert victim.stdout.readline() == "first False\n"
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    heir = consumer(tmp_path, "ack", 0.5)
    assert heir.communicate(timeout=30)[0].splitlines() == ["first True", "second False"]
    assert files(tmp_path) == []
    Files(tmp_path).give_back_from_the_dead()
    assert list((tmp_path / "taken").iterdir()) == list((tmp_path / "owners").iterdir()) == []


def test_busy_senders_and_takers_lose_and_double_nothing(tmp_path: Path) -> None:
    sender = (
        "import sys; from pathlib import Path; from carcassonne.local.broker import Files\n"
        "files = Files(Path(sys.argv[1]))\n"
        "for n in range(150): files.put('games', b'%d-' % n + sys.argv[2].encode() + b'x' * 20000)"
    )
    taker = (
        "import sys; from pathlib import Path; from carcassonne.local.broker import Files\n"
        "files = Files(Path(sys.argv[1]))\n"
        "while True:\n"
        "    path = files.take('games')\n"
        "    if path is None: continue\n"
        "    body = path.read_bytes(); assert len(body) > 20000; path.unlink()\n"
        "    if body.startswith(b'stop'): break\n"
        "    print(body.rstrip(b'x').decode())"
    )

    def run(code: str, *args: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, str(tmp_path), *args]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE)

    takers = [run(taker), run(taker)]
    senders = [run(sender, "a"), run(sender, "b")]
    assert [process.wait(60) for process in senders] == [0, 0]
    for _ in takers:
        Files(tmp_path).put("games", b"stop" + b"x" * 20000)
    got = [line for process in takers for line in process.communicate(timeout=60)[0].splitlines()]
    assert [process.returncode for process in takers] == [0, 0]
    assert sorted(got) == sorted(f"{n}-{who}" for n in range(150) for who in "ab")


TASKS = """
import os, sys, time
from pathlib import Path
from celery import Celery
import carcassonne.celery
folder = Path(os.environ["FOLDER"])
app = Celery("work", broker="durable://localhost")
app.conf.update(
    broker_transport_options={"folder": str(folder / "broker"), "polling_interval": 0.02},
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
    """The only process that *pid* has started."""
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
def test_a_celery_worker_killed_in_mid_task_loses_nothing(tmp_path: Path, whom: str) -> None:
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
    try:
        wait_for(lambda: {f"end {n}" for n in range(4)} <= set(lines()))
        wait_for(lambda: files(tmp_path / "broker") == [])
    finally:
        os.killpg(last.pid, signal.SIGTERM)
        last.wait(20)
    assert lines().count("start 0") == 2
    assert [lines().count(f"end {n}") for n in range(4)] == [1, 1, 1, 1]
