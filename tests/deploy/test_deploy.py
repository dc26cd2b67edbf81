"""Tests that commands, queues and variables in `deploy/` exist, with linters where they are installed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery.bin.celery import celery as celery_program
from click.testing import CliRunner
from django.conf import settings
from django.core.management import get_commands
from dockerfile_parse import DockerfileParser
from granian.cli import cli as granian_program

from carcassonne.management.commands import serve
from tests.cases import for_each
from tests.deploy.single_container import list_context, read_run_command

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "containers" / "compose.yaml").read_text())
OURS = {name: one for name, one in COMPOSE["services"].items() if one["image"] == "carcassonne"}
DOCKERFILE = DEPLOY / "containers" / "Dockerfile"

ELSEWHERE = {
    *("POSTGRES_PASSWORD", "POSTGRES_USER", "POSTGRES_DB", "CONCURRENCY"),
    *("SITE_PASSWORD", "REDIS_PASSWORD", "REDISCLI_AUTH"),
}
"""Variables that are no settings of the site: of the images, the composition, and the unit of workers."""
PYTHONS = {"PATH", "PYTHONDONTWRITEBYTECODE", "PIP_NO_CACHE_DIR", "PIP_DISABLE_PIP_VERSION_CHECK"}


def documented() -> set[str]:
    """The variables listed in docs/settings.md."""
    return set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))


def of_unit(unit: Path, name: str) -> list[str]:
    """The values of a setting in a unit."""
    return re.findall(rf"^{name}=(.+)$", unit.read_text(), re.MULTILINE)


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every command line that starts a process, with its origin."""
    for unit in SERVICES:
        (line,) = of_unit(unit, "ExecStart")
        line = line.replace("%i", next(iter(settings.CELERY_TASK_QUEUES))).replace("%%", "%")
        yield unit.name, shlex.split(re.sub(r"\$\{\w+\}", "2", line))
    for name, service in OURS.items():
        if "command" in service:
            yield f"compose {name}", service["command"]
    docker = DockerfileParser(fileobj=DOCKERFILE.open("rb"))
    (start,) = [one["value"] for one in docker.structure if one["instruction"] == "CMD"]
    yield "Dockerfile", yaml.safe_load(start)


@for_each(("where", "command"), list(commands()))
def test_every_command_is_one_and_takes_its_options(where: str, command: list[str]) -> None:
    """Each program reads its command line with all options, and does nothing but show its help."""
    program, *options = command
    name = Path(program).name
    if name == "python":
        assert options[0] == "manage.py" and options[1] in get_commands(), where
        done = subprocess.run(
            [sys.executable, *options, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        known = set(re.findall(r"--[\w-]+", done.stdout))
    elif name == "celery":
        kind = next(option for option in options if option in ("worker", "beat"))
        asked = CliRunner().invoke(celery_program, ["-A", "carcassonne", kind, "--help"])
        known = set(re.findall(r"--[\w-]+", asked.output)) | {"--quiet"}
    else:
        assert name == "granian", where
        asked = CliRunner().invoke(granian_program, ["--help"])
        known = set(re.findall(r"--[\w-]+", asked.output))
        assert options[-1] == "carcassonne.asgi:application"
    unknown = {option for option in options if option.startswith("--")} - known
    assert not unknown, f"{where}: {unknown}"


def test_no_web_worker_can_come_to_hold_all_connections() -> None:
    """granian's workers share a socket, and one that keeps what it has accepted leaves the others idle."""
    web = [command for _where, command in commands() if Path(command[0]).name == "granian"]
    web.append(serve.commands("127.0.0.1", 8000)["web"])
    assert len(web) == 3
    assert all("--no-http1-keep-alive" in command for command in web)


def test_every_web_process_is_started_with_the_same_limits() -> None:
    """The time for headers, and their size; HTTP/2 has neither."""
    web = [command for _where, command in commands() if Path(command[0]).name == "granian"]
    web.append(serve.commands("127.0.0.1", 8000)["web"])
    for command in web:
        options = dict(pairwise(command))
        assert options["--interface"] == "asginl" and options["--http"] == "1"
        assert options["--http1-header-read-timeout"] == "10000"
        assert options["--http1-buffer-size"] == "32768"


def test_each_web_process_has_a_port_of_its_own_which_the_proxies_name() -> None:
    """Else no proxy can send all that is about a game to the same."""
    web = [command for _where, command in commands() if Path(command[0]).name == "granian"]
    assert len(web) == 2
    assert all(command[command.index("--workers") + 1] == "1" for command in web)
    (ports,) = re.findall(r"^WEB_PORTS=(.+)$", (DEPLOY / "site.env.example").read_text(), re.MULTILINE)
    addresses = [f"127.0.0.1:{port}" for port in ports.split()]
    published = [one["ports"] for name, one in OURS.items() if name.startswith("web")]
    assert published == [[f"{address}:8000"] for address in addresses]
    nginx = (DEPLOY / "proxy" / "nginx.conf").read_text()
    assert re.findall(r"^    server (127\S+) ", nginx, re.MULTILINE) == addresses
    caddy = (DEPLOY / "proxy" / "Caddyfile").read_text()
    assert f"reverse_proxy {' '.join(addresses)} {{" in caddy
    assert f"${{ports:-{ports}}}" in (DEPLOY / "release").read_text()


def test_units_name_no_queue_but_take_any() -> None:
    """So the settings alone say which there are; the release script asks them."""
    worker = DEPLOY / "systemd" / "carcassonne-worker@.service"
    (start,) = of_unit(worker, "ExecStart")
    assert "--queues %i --hostname %i@%%h" in start
    release = (DEPLOY / "release").read_text()
    assert "as_site queues" in release
    named = re.findall(r"carcassonne-worker@([\w-]+)", release)
    assert not named


def test_queues_are_those_of_the_settings(capsys: pytest.CaptureFixture[str]) -> None:
    from django.core.management import call_command

    call_command("queues")
    assert capsys.readouterr().out.split() == list(settings.CELERY_TASK_QUEUES)


def test_compose_has_a_worker_for_each_queue_and_one_beat() -> None:
    queues = []
    for name, service in OURS.items():
        command = service.get("command", [])
        if "worker" in command:
            queue = command[command.index("--queues") + 1]
            assert name == f"worker-{queue}" and command[command.index("--hostname") + 1] == f"{queue}@%h"
            queues.append(queue)
    assert sorted(queues) == sorted(settings.CELERY_TASK_QUEUES)
    beats = [service for service in OURS.values() if service.get("command", [])[4:5] == ["beat"]]
    assert len(beats) == 1 and "deploy" not in beats[0]


def test_every_variable_is_documented() -> None:
    used: dict[str, str] = {}
    for unit in SERVICES:
        for line in of_unit(unit, "Environment"):
            used |= {pair.partition("=")[0]: unit.name for pair in shlex.split(line)}
        used |= dict.fromkeys(re.findall(r"\$\{(\w+)\}", unit.read_text()), unit.name)
    example = DEPLOY / "site.env.example"
    used |= dict.fromkeys(re.findall(r"^([A-Z_]+)=", example.read_text(), re.MULTILINE), example.name)
    for name, service in COMPOSE["services"].items():
        used |= dict.fromkeys(service.get("environment", {}), name)
    text = (DEPLOY / "containers" / "compose.yaml").read_text()
    used |= dict.fromkeys(re.findall(r"\$\{(\w+)", text), "compose.yaml")
    docker = DockerfileParser(fileobj=DOCKERFILE.open("rb"))
    for one in docker.structure:
        if one["instruction"] == "ENV":
            used |= dict.fromkeys(re.findall(r"([A-Z_]+)=", one["value"]), "Dockerfile")
    unknown = {name: where for name, where in used.items() if name not in documented() | ELSEWHERE | PYTHONS}
    assert not unknown
    assert {"SECRET_KEY", "WEB_PORTS", "WEB_HOST", "STATIC_ROOT"} <= used.keys()


def test_the_example_starts_a_site_once_its_secrets_are_filled_in(tmp_path: Path) -> None:
    lines = (DEPLOY / "site.env.example").read_text().splitlines()
    example = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    example |= {"DATA_DIR": str(tmp_path), "METRICS_TOKEN": "t"}
    env = {"PATH": os.environ["PATH"], **example}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode != 0 and "SECRET_KEY" in done.stderr
    env["SECRET_KEY"] = "filled in: long enough, and of more than ten letters 0123456789"
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_no_process_outlives_the_one_that_started_it(unit: Path) -> None:
    """systemd ends the whole group: what is left would hold the port."""
    assert set(of_unit(unit, "KillMode")) <= {"mixed", "control-group"}  # the latter is the default
    assert not of_unit(unit, "SendSIGKILL")


def test_containers_end_with_their_process_and_it_reaps_the_others() -> None:
    for name, service in OURS.items():
        assert service["init"] is True, name


def test_the_site_in_containers_does_not_own_its_tables_and_redis_asks_for_a_password() -> None:
    owner = COMPOSE["services"]["postgres"]["environment"]["POSTGRES_USER"]
    for name, service in OURS.items():
        url = service["environment"]["DATABASE_URL"]
        assert url.startswith(f"postgres://{owner}:") == (name == "release"), name
        assert service["environment"]["REDIS_URL"].startswith("redis://:${REDIS_PASSWORD")
    assert "--requirepass" in COMPOSE["services"]["redis"]["command"]
    mounted = " ".join(COMPOSE["services"]["postgres"]["volumes"])
    for name in ("../roles.sql", "./password.sql"):
        assert name in mounted and (DEPLOY / "containers" / name).exists()


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_process_is_hardened_and_those_that_stay_start_again(unit: Path) -> None:
    assert of_unit(unit, "User") == ["carcassonne"]
    for name, value in {"NoNewPrivileges": "yes", "ProtectSystem": "strict", "UMask": "0077"}.items():
        assert of_unit(unit, name) == [value]
    if of_unit(unit, "Type") != ["oneshot"]:
        assert of_unit(unit, "Restart") == ["always"] and of_unit(unit, "StartLimitIntervalSec") == ["0"]


def test_every_process_has_a_limit_of_memory_and_of_tasks() -> None:
    """One that is fed without end is started again, and takes nothing from the others of its machine."""
    for unit in SERVICES:
        limits = [of_unit(unit, name) for name in ("MemoryMax", "TasksMax")]
        assert [len(limit) for limit in limits] == [1, 1], unit.name
    for name, service in COMPOSE["services"].items():
        assert service.keys() >= {"mem_limit", "pids_limit"}, name


def test_workers_are_given_the_time_of_the_longest_task() -> None:
    (seconds,) = of_unit(DEPLOY / "systemd" / "carcassonne-worker@.service", "TimeoutStopSec")
    assert int(seconds) > settings.TASK_SECONDS
    for name, service in OURS.items():
        if "worker" in service.get("command", []):
            assert int(service["stop_grace_period"].removesuffix("s")) > settings.TASK_SECONDS, name


def test_containers_run_as_nobody_of_importance() -> None:
    docker = DockerfileParser(fileobj=DOCKERFILE.open("rb"))
    instructions = [one["instruction"] for one in docker.structure]
    assert instructions.count("FROM") == 2 and "HEALTHCHECK" in instructions
    (user,) = [one["value"] for one in docker.structure if one["instruction"] == "USER"]
    assert user == "10001"
    for name, service in OURS.items():
        assert service["cap_drop"] == ["ALL"] and service["read_only"], name
        assert service["restart"] in ("always", "on-failure"), name
    copied = (DEPLOY / "containers" / "Dockerfile.dockerignore").read_text().splitlines()
    assert {".git", "*.env", "var", "tests"} <= set(copied)


def test_the_single_container_starts_what_the_image_has_and_asks_for_what_the_page_names() -> None:
    given, (command,) = read_run_command()
    assert Path(command) in list_context() and (ROOT / command).stat().st_mode & 0o111
    context = {path.parts[0] for path in list_context()}
    assert not context & {"tests", "docs", ".ci"} and "manage.py" in context
    env = {"PATH": os.environ["PATH"], "DATA_DIR": "/nowhere"}
    for name in ("SITE_URL", "ALLOWED_HOSTS", "EMAIL_URL"):
        done = subprocess.run([ROOT / command], env=env, capture_output=True, text=True)
        assert done.returncode != 0 and f"{name}: must be" in done.stderr
        env[name] = given[name]


# ---------------------------------------------------------------- linters, where they are at hand


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    for unit in UNITS:
        # The programs are where they are here, and one queue stands for all.
        text = unit.read_text().replace("/srv/carcassonne/.venv/bin", str(Path(sys.executable).parent))
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", *map(str, tmp_path.iterdir())], capture_output=True, text=True
    )
    said = [line for line in done.stderr.splitlines() if "carcassonne" in line]
    assert done.returncode == 0 and not said, done.stderr


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_systemd_finds_the_processes_hardened(unit: Path) -> None:
    """From 0 (best) to 10: what is left is mostly the network, which they need."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    ask = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
    done = subprocess.run([*ask, unit], capture_output=True, text=True)
    (level,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(level) <= 1.5


def test_hadolint_finds_nothing() -> None:
    linter = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if linter is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run([linter, "--no-color", DOCKERFILE], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_bash_understands_the_release_script() -> None:
    script = DEPLOY / "release"
    subprocess.run(["bash", "-n", script], check=True)
    assert script.stat().st_mode & 0o111
