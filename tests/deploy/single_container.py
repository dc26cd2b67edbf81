"""``python -m tests.deploy.single_container``: builds and runs the single container without Docker.

The steps of the Dockerfile run in a folder instead of ``/``, so the host's Debian and Python stand for the
base image. Then the command of docs/deployment.md starts as the image's user, answers, is stopped, and starts
again. Of Docker itself nothing is tried: apt only simulates, and nothing is isolated from the host.
"""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[2]
CONTAINERS = ROOT / "deploy" / "containers"
MOVED = re.compile(r"(?<![\w.])/(?=(?:srv|data|tmp)\b)")
"""Where a path of the image begins that lies in the folder."""
SECONDS = 60.0  # for any of the waits; far more than they take


class Image:
    """Image that is built in a folder."""

    def __init__(self, folder: Path) -> None:
        self.root, self.stages = folder / "root", folder / "stages"
        self.environment: dict[str, str] = {}
        self.folder = self.user = ""
        self.stage = ""

    def place(self, path: str) -> Path:
        """Return where *path* of the image is, which may be relative to its working directory."""
        return self.root / Path(self.folder or "/", path).relative_to("/")

    def move(self, text: str) -> str:
        """Return *text* with the paths of the image as those of the folder."""
        return MOVED.sub(f"{self.root}/", text)

    def build(self, dockerfile: Path) -> None:
        """Do what each instruction says."""
        with dockerfile.open("rb") as file:
            for step in DockerfileParser(fileobj=file).structure:
                instruction, value = step["instruction"], step["value"]
                print(f"{instruction} {value}"[:110], flush=True)
                if do := getattr(self, f"_do_{instruction.lower()}", None):
                    do(value)
                elif instruction not in {"COMMENT", "VOLUME", "EXPOSE", "HEALTHCHECK", "CMD"}:
                    raise SystemExit(f"Unknown here: {instruction}")

    def _do_from(self, value: str) -> None:
        base, _as, stage = value.partition(" AS ")
        python = f"python{sys.version_info.major}.{sys.version_info.minor}"
        if not base.startswith(python.replace("python", "python:")):
            raise SystemExit(f"{python} can't stand for {base}")
        if self.root.exists():
            self.root.rename(self.stages / self.stage)
        for name in ("bin", "srv", "tmp"):
            (self.root / name).mkdir(parents=True)
        self.stages.mkdir(exist_ok=True)
        interpreter = (
            shutil.which(python, path="/usr/local/bin:/usr/bin") or f"{sys.base_prefix}/bin/{python}"
        )
        (self.root / "bin" / "python").symlink_to(interpreter)
        self.stage, self.folder, self.user = stage, "/", ""
        self.environment = {"PATH": f"{self.root}/bin:{os.environ['PATH']}"}

    def _do_env(self, value: str) -> None:
        for pair in shlex.split(value):
            name, _is, text = pair.partition("=")
            text = self.move(text).replace("$PATH", self.environment["PATH"])
            if name != "PIP_NO_CACHE_DIR":  # the host may keep what it has fetched
                self.environment[name] = text

    def _do_workdir(self, value: str) -> None:
        self.folder = value
        self.place(".").mkdir(parents=True, exist_ok=True)

    def _do_user(self, value: str) -> None:
        self.user = value

    def _do_copy(self, value: str) -> None:
        *options, source, target = value.split()
        if options:
            (stage,) = [option.removeprefix("--from=") for option in options]
            copied = self.stages / stage / source.lstrip("/")
            # A virtual environment names its own place, so it is moved, and found where it was made.
            copied.rename(self.place(target))
        elif source == ".":
            for path in list_context():
                copy = self.place(target) / path
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, copy)
        else:
            shutil.copy(ROOT / source, self.place(target))

    def _do_run(self, value: str) -> None:
        """Run the commands; nothing may change the host: its packages, its users, whom files belong to."""
        commands = []
        for command in re.split(r"\s*&&\s*", value):
            if command.startswith("apt-get install"):
                commands.append(command.replace("install", "install --simulate --quiet --quiet", 1))
            elif not command.startswith(("apt-get update", "useradd", "rm -rf /var/lib/apt")):
                as_root = os.getuid() == 0
                commands.append(command if as_root else re.sub(r"--owner \S+", "", command))
        script = self.move(" && ".join(commands))
        host = {name: text for name, text in os.environ.items() if re.match("PIP_|https?_proxy$", name)}
        done = subprocess.run(
            ["sh", "-c", script],
            cwd=self.place("."),
            env=host | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise SystemExit(done.stdout)

    def list_command(self, command: Sequence[str]) -> list[str]:
        """Return the command line of *command* as the image's user, if this process may become that."""
        if os.getuid() != 0:
            return list(command)
        become = ["setpriv", "--reuid", self.user, "--regid", self.user, "--clear-groups", "--no-new-privs"]
        return [*become, *command]


def list_context() -> list[Path]:
    """Return what ``COPY . .`` copies: the files of the repository that the dockerignore lets through."""
    rules = []
    for line in (CONTAINERS / "Dockerfile.dockerignore").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = re.escape(line.lstrip("!")).replace(r"\*\*/", "(.*/)?").replace(r"\*", "[^/]*")
            rules.append((re.compile(f"{pattern}(/.*)?"), line.startswith("!")))
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    kept = []
    for name in listed.stdout.splitlines():
        decisions = [comes_back for pattern, comes_back in rules if pattern.fullmatch(name)]
        if not decisions or decisions[-1]:  # the last one that matches counts
            kept.append(Path(name))
    return kept


def read_run_command() -> tuple[dict[str, str], list[str]]:
    """Return the variables and the command of the ``docker run`` of docs/deployment.md."""
    page = (ROOT / "docs" / "deployment.md").read_text().replace("\\\n", " ")
    (line,) = re.findall(r"^    (docker run --detach .*)$", page, re.MULTILINE)
    words = shlex.split(line)
    given = dict(words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "--env")
    image = max(at for at, word in enumerate(words) if word == "carcassonne")
    return given, words[image + 1 :]


def wait_until(what: str, is_so: Callable[[], bool]) -> None:
    """Wait until *is_so*; *what* is said if it never is."""
    end = time.monotonic() + SECONDS
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"Not within {SECONDS:.0f} s: {what}")
        time.sleep(0.2)


class Container:
    """The site in the image, at ports of this machine."""

    def __init__(self, image: Image) -> None:
        self.image = image
        given, self.command = read_run_command()
        self.port, self.mail_port = _find_free_port(), _find_free_port()
        more = {
            "REPLY_DOMAIN": "reply.carcassonne.example",
            "PORT": self.port,
            "RECEIVE_MAIL_PORT": self.mail_port,
        }
        self.environment = image.environment | given | {name: str(value) for name, value in more.items()}

    def run(self, *command: str, without: str = "") -> subprocess.CompletedProcess[str]:
        """Run another command in the container, as ``docker exec`` does."""
        environment = {name: value for name, value in self.environment.items() if name != without}
        return subprocess.run(
            self.image.list_command(command),
            cwd=self.image.place("."),
            env=environment,
            capture_output=True,
            text=True,
        )

    @contextmanager
    def started(self) -> Iterator[None]:
        """Run the container's command; then stop it as ``docker stop`` does, and wait for all processes."""
        command = self.image.list_command(self.command)
        main = subprocess.Popen(command, cwd=self.image.place("."), env=self.environment)
        try:
            wait_until("ready", lambda: main.poll() is not None or self.ask("/-/ready/")[0] == 200)
            if main.poll() is not None:
                raise SystemExit(f"The container ended with {main.returncode}")
            yield
            main.send_signal(signal.SIGTERM)
            wait_until("all processes end", lambda: main.poll() is not None and not self.list_processes())
        finally:
            for pid in self.list_processes():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            main.wait()

    def list_processes(self) -> list[int]:
        """Return the processes of the container: those that know its folder."""
        mark = f"DATA_DIR={self.environment['DATA_DIR']}".encode()
        numbers = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    numbers.append(int(process.name))
        return numbers

    def ask(self, path: str) -> tuple[int, str]:
        """Ask for a page as the proxy does; return the status, 0 if nobody answers, and the text."""
        headers = {"Host": self.environment["ALLOWED_HOSTS"], "X-Forwarded-Proto": "https"}
        headers["X-Forwarded-For"] = "192.0.2.1"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            try:
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                return answer.status, answer.read().decode(errors="replace")
            except OSError:
                return 0, ""

    def check_pages(self) -> None:
        """See that start page, sign-up and a collected file are there, and that somebody takes mails."""
        for path, expected in {"/": "/account/signup/", "/account/signup/": 'name="email"'}.items():
            status, text = self.ask(path)
            _expect(status == 200 and expected in text, f"{path} answers {status}")
        sheet = re.findall(r'href="(/static/[^"]+\.css)"', text)[0]
        _expect(self.ask(sheet)[0] == 200, sheet)
        with socket.create_connection(("127.0.0.1", self.mail_port), timeout=20) as mail:
            _expect(mail.recv(100).startswith(b"220 "), "the receiver greets")
            mail.sendall(b"LHLO mail.carcassonne.example\r\n")
            _expect(mail.recv(100).startswith(b"250"), "and speaks LMTP")


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _expect(is_so: bool, what: str) -> None:
    if not is_so:
        raise SystemExit(f"Not as it should be: {what}")
    print(f"ok   {what}", flush=True)


def try_out(image: Image) -> None:
    """Start the site twice, and see what its first start left for the second."""
    container = Container(image)
    for name in read_run_command()[0]:
        refused = container.run(*container.command, without=name)
        _expect(refused.returncode != 0 and f"{name}: must be" in refused.stderr, f"{name} is asked for")
    with container.started():
        key = Path(container.environment["DATA_DIR"], "secret.key")
        first = key.read_text()
        _expect(
            key.stat().st_mode & 0o077 == 0 and len(first) > 60,
            "a secret of its own, which nobody else reads",
        )
        container.check_pages()
        backup = container.run("python", "manage.py", "backup", f"{image.root}/data/backups", "--keep", "14")
        _expect(backup.returncode == 0, f"backup {backup.stderr}")
        _expect(len(container.list_processes()) > 4, "web, worker and what starts them")
    _expect(not container.list_processes(), "all processes have ended")
    with container.started():
        _expect(key.read_text() == first, "the same secret at the second start")
        container.check_pages()


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where to build, and to leave everything")
    folder = parser.parse_args().folder or Path(tempfile.mkdtemp(prefix="single-container-"))
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # the image's user goes through it
    os.umask(0o022)
    try:
        image = Image(folder)
        image.build(CONTAINERS / "Dockerfile")
        try_out(image)
    finally:
        if parser.parse_args().folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
