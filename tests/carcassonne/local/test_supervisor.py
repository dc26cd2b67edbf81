"""Children are started again when they die, and none is left behind."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest

from carcassonne.local import supervisor
from carcassonne.local.supervisor import Child, Supervisor
from tests.carcassonne.local.processes import processes

HERE = Path(__file__).resolve().parents[3]


def members(group: int) -> list[int]:
    """The processes of *group* that still run; a dead one may wait for init to notice."""
    return [process.pid for process in processes() if process.group == group and process.state != "Z"]


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_child_that_dies_is_started_again_ever_more_slowly() -> None:
    said: list[str] = []
    child = Child("web", python("raise SystemExit(3)"))
    watch = Supervisor([child], said.append)
    now = 1000.0
    child.start(now)
    for wait in (2.0, 4.0, 8.0):
        assert child.process is not None
        child.process.wait()
        watch.check_children(now)
        assert child.wait == wait
        watch.check_children(now + wait - 0.1)
        assert child.process is None
        now += wait
        watch.check_children(now)
        assert child.process is not None
    child.process.wait()
    watch.check_children(now + 3600)
    assert child.wait == 1.0
    assert said[0] == "web ended with 3; next start in 2 s"


def test_stopping_ends_even_a_child_that_does_not_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "SECONDS_TO_STOP", 0.5)
    deaf = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "time.sleep(60)"
    )
    children = [Child("deaf", python(deaf)), Child("polite", python("import time; time.sleep(60)"))]
    watch = Supervisor(children, print)

    def soon() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    begun = time.monotonic()
    watch.run(soon)
    assert time.monotonic() - begun < 5
    for child in children:
        assert child.process is not None
        assert members(child.process.pid) == []


@pytest.mark.slow
def test_the_whole_site_runs_comes_back_and_stops(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name not in {"SITE_URL", "EMAIL_URL"}}
    environment |= {"DATA_DIR": str(tmp_path), "DEBUG": "1", "PORT": str(port), "ALLOWED_HOSTS": "localhost"}
    environment |= {"DJANGO_SETTINGS_MODULE": "carcassonne.settings", "REDIS_URL": "", "DATABASE_URL": ""}
    environment.pop("DATABASE_URL")
    log = tmp_path / "log"
    with log.open("wb") as output:
        site = subprocess.Popen(
            [sys.executable, "manage.py", "serve"], cwd=HERE, env=environment, stdout=output, stderr=output
        )
    try:
        wait_for(lambda: "Stop with" in log.read_text(), 60)
        assert f"http://localhost:{port}/outbox/" in log.read_text()
        with urlopen(f"http://localhost:{port}/account/login/") as page:
            assert page.status == 200
        ours = {process.pid: process.command for process in processes() if process.parent == site.pid}
        assert len(ours) == 2
        for mark in ("granian", "carcassonne.local.worker"):
            assert sum(mark in args for args in ours.values()) == 1, mark
        web = next(pid for pid, args in ours.items() if "granian" in args)

        def answers() -> bool:
            try:
                with urlopen(f"http://localhost:{port}/account/login/", timeout=2) as page:
                    return bool(page.status == 200)
            except OSError:
                return False

        def web_workers() -> set[int]:
            return {process.pid for process in processes() if process.parent == web and process.state != "Z"}

        # The server's master starts a worker that was killed again, and we start the master.
        killed = web_workers()
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: bool(web_workers() - killed))
        wait_for(answers)
        assert "web ended" not in log.read_text()
        os.kill(web, signal.SIGKILL)
        os.kill(next(pid for pid in ours if pid != web), signal.SIGKILL)
        wait_for(lambda: "web ended with -9" in log.read_text())
        wait_for(lambda: "worker ended with -9" in log.read_text())
        wait_for(answers)
    finally:
        begun = time.monotonic()
        site.send_signal(signal.SIGINT)
        site.wait(15)
    assert time.monotonic() - begun < 12, log.read_text()
    assert site.returncode == 0
    assert "Everything is stopped." in log.read_text()
    assert not [pid for group in ours for pid in members(group)]


def test_a_taken_port_is_named_with_a_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = {**os.environ, "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
        command = [sys.executable, "manage.py", "serve", "--port", str(port)]
        done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"make run PORT={port + 1}" in done.stderr
