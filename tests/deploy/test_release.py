"""Tests of the release script: its steps, their order, and its behaviour when one fails.

systemd, pip and the site are stand-ins here that record their calls; docs/deployment.md says how it was tried
with the real ones.
"""

import grp
import os
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTE = '#!/bin/sh\necho "{name} $*" >> "$CALLS"\ncase "{name} $*" in $FAILS) exit 1;; esac\n'
RUN = """
while [ "${1#--}" != "$1" ]; do
    case $1 in
        --property=EnvironmentFile=*) [ -r "${1#--property=EnvironmentFile=}" ] || exit 2 ;;
        --setenv=*) export "${1#--setenv=}" ;;
    esac
    shift
done
exec "$@"
"""


class Machine:
    """Stand-in for a machine: *here* is the release, *calls* the script's commands."""

    def __init__(self, folder: Path) -> None:
        self.here, self.programs, self.units = folder / "site", folder / "bin", folder / "units"
        self.log, self.environment = folder / "calls", folder / "site.env"
        self.owner = folder / "none.env"
        for one in (self.here / "deploy", self.here / ".venv" / "bin", self.programs, self.units):
            one.mkdir(parents=True)
        shutil.copytree(ROOT / "deploy" / "systemd", self.here / "deploy" / "systemd")
        shutil.copy(ROOT / "deploy" / "release", self.here / "deploy")
        self.environment.write_text("REDIS_URL=redis://127.0.0.1\nWEB_PORTS=8123 8124\n")
        queues = 'case "$*" in "manage.py queues") printf "beat\\ngames\\n";; esac\n'
        stand_ins = {
            self.here / ".venv" / "bin" / "python": NOTE.format(name="python") + queues,
            self.here / ".venv" / "bin" / "pip": NOTE.format(name="pip"),
            self.programs / "systemctl": NOTE.format(name="systemctl")
            + 'case "$*" in "show --property=Wants --value carcassonne.target") echo "$WANTED";; esac\n',
            self.programs / "systemd-run": NOTE.format(name="systemd-run") + RUN,
            self.programs / "curl": NOTE.format(name="curl"),
            self.programs / "sleep": NOTE.format(name="sleep"),
        }
        for path, text in stand_ins.items():
            path.write_text(text)
            path.chmod(0o755)

    def release(self, *options: str, fails: str = "nothing") -> subprocess.CompletedProcess[str]:
        """Run the script; calls that match the pattern *fails* exit with 1."""
        self.log.write_text("")
        places = {
            "SITE_ENV": self.environment,
            "SITE_OWNER_ENV": self.owner,
            "SITE_USER": pwd.getpwuid(os.getuid()).pw_name,
            "SITE_DATA": self.here.parent / "data",
            "SITE_BACKUPS": self.here.parent / "backups",
            "SITE_UNITS": self.units,
        }
        env = {
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "CALLS": str(self.log),
            "FAILS": fails,
            "WANTED": "network-online.target carcassonne-beat.service carcassonne-web@old.service"
            " carcassonne-web@8123.service carcassonne-worker@old.service carcassonne-worker@beat.service",
            **{name: str(value) for name, value in places.items()},
        }
        return subprocess.run(
            [self.here / "deploy" / "release", *options], env=env, capture_output=True, text=True
        )

    def calls(self, *programs: str) -> list[str]:
        """Return the calls of these programs, in order."""
        return [line for line in self.log.read_text().splitlines() if line.split()[0] in programs]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if pwd.getpwuid(os.getuid()).pw_name != grp.getgrgid(os.getgid()).gr_name:
        pytest.skip("the script gives files to a group of the user's name, and this user has none")
    return Machine(tmp_path)


def done_by_the_site(machine: Machine) -> list[str]:
    return [call.split()[2] for call in machine.calls("python")]


def test_a_release_checks_backs_up_and_migrates_before_it_restarts(machine: Machine) -> None:
    done = machine.release()
    assert done.returncode == 0, done.stderr
    assert done_by_the_site(machine) == ["check", "backup", "migrate", "collectstatic", "queues", "doctor"]
    told = machine.calls("python", "systemctl", "pip", "curl")
    workers = "carcassonne-worker@beat.service carcassonne-worker@games.service"
    restart = told.index(f"systemctl restart {workers}")
    assert told[0].startswith("pip install")
    assert told.index("python manage.py migrate --no-input") < restart
    assert told[restart + 1] == "systemctl try-restart carcassonne-beat.service"
    enabled = " ".join(call for call in told[:restart] if call.startswith("systemctl enable"))
    assert f"carcassonne-web@8123.service carcassonne-web@8124.service {workers}" in enabled
    assert "carcassonne-beat.service carcassonne-backup.timer" in enabled
    assert "systemctl disable --now carcassonne-worker@old.service" in told[:restart]
    assert {path.name for path in machine.units.iterdir()} == {
        path.name for path in (ROOT / "deploy" / "systemd").iterdir()
    }


def test_web_processes_are_restarted_one_by_one_each_when_the_one_before_is_ready(machine: Machine) -> None:
    machine.release()
    told = machine.calls("systemctl", "curl", "sleep")
    first = told.index("systemctl restart carcassonne-web@8123.service")
    assert told[first + 1].endswith(" http://127.0.0.1:8123/-/ready/?with=broker")
    assert told[first + 2] == "sleep 5"  # until the proxy has seen it
    assert told[first + 3] == "systemctl restart carcassonne-web@8124.service"
    assert told[first + 4].endswith(" http://127.0.0.1:8124/-/ready/?with=broker")
    assert told[first + 5 : first + 7] == [
        "sleep 5",
        "systemctl show --property=Wants --value carcassonne.target",
    ]
    assert told[first + 7 :] == [
        "systemctl disable --now carcassonne-web@old.service",
        "systemctl start carcassonne.target",
    ]


def test_web_has_the_address_and_the_ports_that_the_settings_name(machine: Machine) -> None:
    machine.environment.write_text("REDIS_URL=redis://10.0.0.1\nWEB_HOST=10.0.0.2\n")
    machine.release()
    assert [call.split()[-1] for call in machine.calls("curl")] == [
        f"http://10.0.0.2:{port}/-/ready/?with=broker" for port in (8000, 8001)
    ]
    machine.environment.write_text("WEB_PORTS=8000,8001\n")
    done = machine.release()
    assert done.returncode == 2 and "numbers with spaces between them" in done.stderr
    assert not machine.calls("pip", "systemctl")


def test_the_one_unit_of_the_web_of_former_releases_makes_room(machine: Machine) -> None:
    unit = machine.units / "carcassonne-web.service"
    unit.write_text("[Service]\n")
    machine.release()
    told = machine.calls("systemctl")
    assert told.index("systemctl disable --now carcassonne-web.service") < told.index(
        "systemctl restart carcassonne-web@8123.service"
    )
    assert not unit.exists()


def test_tables_are_changed_by_the_role_that_owns_them_and_nothing_else_is(machine: Machine) -> None:
    owner = machine.environment.with_name("owner.env")
    owner.write_text("DATABASE_URL=postgres://carcassonne_owner:password@127.0.0.1/carcassonne\n")
    machine.owner = owner
    assert machine.release().returncode == 0
    as_owner = [call for call in machine.calls("systemd-run") if f"EnvironmentFile={owner}" in call]
    assert len(as_owner) == 1 and as_owner[0].endswith("manage.py migrate --no-input")
    assert as_owner[0].index(str(machine.environment)) < as_owner[0].index(str(owner))  # the last one counts


def test_a_second_release_is_as_the_first(machine: Machine) -> None:
    machine.release()
    first = machine.log.read_text()
    assert machine.release().returncode == 0
    assert machine.log.read_text() == first


@pytest.mark.parametrize(
    ("fails", "last"),
    [
        ("pip*", None),
        ("python*check*", "check"),
        ("python*backup*", "backup"),
        ("python*migrate*", "migrate"),
        ("python*collectstatic*", "collectstatic"),
        ("python*queues*", "queues"),
    ],
)
def test_what_fails_before_the_restart_leaves_the_processes_alone(
    machine: Machine, fails: str, last: str | None
) -> None:
    done = machine.release(fails=fails)
    assert done.returncode != 0
    assert "Not released: the processes go on as they are." in done.stderr
    assert done_by_the_site(machine)[-1:] == ([last] if last else [])
    assert not [call for call in machine.calls("systemctl") if " restart " in call or " disable " in call]


def test_where_a_web_process_does_not_get_ready_the_next_one_is_left_as_it_is(machine: Machine) -> None:
    done = machine.release(fails="curl*")
    assert done.returncode == 1
    assert "port 8123 is not ready after half a minute" in done.stderr and "git checkout" in done.stderr
    assert len(machine.calls("sleep")) == 30
    assert not [call for call in machine.calls("systemctl") if "restart carcassonne-web@8124" in call]


def test_further_machines_neither_migrate_nor_tick(machine: Machine) -> None:
    assert machine.release("--no-migrate").returncode == 0
    assert done_by_the_site(machine) == ["check", "collectstatic", "queues", "doctor"]
    enabled = [call for call in machine.calls("systemctl") if call.startswith("systemctl enable")]
    assert not [call for call in enabled if "carcassonne-beat" in call]


def test_the_receiver_runs_where_players_reply(machine: Machine) -> None:
    def receiver(*options: str) -> list[str]:
        assert machine.release(*options).returncode == 0
        return [call for call in machine.calls("systemctl") if "carcassonne-receiver.service" in call]

    off = ["systemctl disable --quiet --now carcassonne-receiver.service"]
    restart = ["systemctl try-restart carcassonne-receiver.service"]
    assert receiver() == receiver("--no-migrate") == off
    with machine.environment.open("a") as file:
        file.write("REPLY_DOMAIN=reply.carcassonne.example\n")
    assert receiver() == ["systemctl enable --quiet carcassonne-receiver.service", *restart]
    assert receiver("--no-migrate") == restart


def test_without_redis_the_table_of_the_cache_is_made(machine: Machine) -> None:
    machine.environment.write_text("REDIS_URL=\n")
    machine.release()
    assert "createcachetable" in done_by_the_site(machine)
