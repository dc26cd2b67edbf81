"""Tests of the process manager: restarts, and no leftovers."""

import json
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

from carcassonne.local import processes as local_processes
from tests.carcassonne.local.processes import processes

HERE = Path(__file__).resolve().parents[3]


def sessions_of(manager: int) -> set[int]:
    """The session leaders that *manager* started, one for each of its commands."""
    shells = {process.pid for process in processes() if process.parent == manager}
    return {process.pid for process in processes() if process.parent in shells}


def members(group: int) -> list[int]:
    """The processes of *group* that still run, without zombies that wait for init."""
    return [process.pid for process in processes() if process.group == group and process.state != "Z"]


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def run(output: int, **commands: str) -> subprocess.Popen[bytes]:
    """Run *commands*, which are Python code; the port never opens, so there is no welcome."""
    script = json.dumps({name: [sys.executable, "-c", code] for name, code in commands.items()})
    command = [sys.executable, "-P", local_processes.__file__, script, "127.0.0.1", "1", "Welcome"]
    return subprocess.Popen(command, stdout=output)


IDLE = "import time; time.sleep(60)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); {IDLE}"


def test_what_ends_is_started_again_until_all_is_stopped(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        manager = run(output.fileno(), web="raise SystemExit(3)", worker=IDLE)
    wait_for(lambda: log.read_text().count("web ended with 3; next start in 1 s") == 2)
    groups = sessions_of(manager.pid)
    assert len(groups) == 2
    manager.send_signal(signal.SIGINT)
    assert manager.wait(10) == 0
    assert log.read_text().endswith("Everything is stopped.\n")
    assert not [pid for group in groups for pid in members(group)]


def test_nothing_is_started_again_once_the_manager_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        manager = run(output.fileno(), web="raise SystemExit(3)")
        wait_for(lambda: "web ended with 3" in log.read_text())
        groups = sessions_of(manager.pid)
        manager.kill()
        manager.wait(10)
    assert len(groups) == 1
    wait_for(lambda: not [pid for group in groups for pid in members(group)])


@pytest.mark.slow
def test_stopping_ends_even_what_does_not_listen(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as output:
        manager = run(output.fileno(), web=IDLE, worker=DEAF)
    wait_for(lambda: "deaf" in log.read_text())
    groups = sessions_of(manager.pid)
    manager.send_signal(signal.SIGTERM)
    assert manager.wait(10) == 0
    assert not [pid for group in groups for pid in members(group)]


def test_a_terminal_that_is_closed_stops_all() -> None:
    terminal, output = os.openpty()
    manager = run(output, web=IDLE)
    os.close(output)
    wait_for(lambda: len(sessions_of(manager.pid)) == 1)
    groups = sessions_of(manager.pid)
    os.close(terminal)
    manager.send_signal(signal.SIGHUP)
    assert manager.wait(10) == 0
    assert not [pid for group in groups for pid in members(group)]


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
        groups = sessions_of(site.pid)
        assert len(groups) == 2

        def child(of: str) -> int:
            """The process that runs this, started by a shell."""
            return next(
                process.pid for process in processes() if process.parent in groups and of in process.command
            )

        web = child("granian")

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
        os.kill(child("carcassonne.local.worker"), signal.SIGKILL)
        wait_for(lambda: "web ended with 137; next start" in log.read_text())
        wait_for(lambda: "worker ended with 137; next start" in log.read_text())
        wait_for(answers)
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(60)
    assert site.returncode == 0
    assert "Everything is stopped." in log.read_text()
    assert not [pid for group in groups for pid in members(group)]


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
