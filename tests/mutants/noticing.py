"""Choice of the tests that could notice a mutant, and their runs, in a copy of the project."""

from __future__ import annotations

import compileall
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage import CoverageData

from tests.mutants.changes import Mutant

TESTS = [
    "tests/games",
    "tests/leagues",
    "tests/moderation",
    "tests/test_doctests.py",
    "tests/test_expansions.py",
]
# What starts processes of its own, in which no mutant would be, and what looks at drawings alone.
LEFT_OUT = ["tests/games/test_tasks_killed_workers.py", "tests/games/drawing"]
FIRST = 50  # tests that are asked before the others: few files to read, and mostly one of them fails
ENOUGH = 20.0  # seconds of tests for one mutant, as they took when it was noted what they run
PROCESSOR, MEMORY = 600, 4 << 30  # seconds and bytes that the tests of one mutant may take
NEITHER = shutil.ignore_patterns(".git", ".venv", "var", ".*_cache", ".hypothesis", ".coverage*")
REPEATABLE = {"CI": "1"}  # whereupon hypothesis draws the same in every run
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.mutants.plugin"]
# What makes the run for a mutant begin soon. Migrations run all the same: roles and triggers come from them.
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
BARE = ["-p", "pytest_django.plugin", "-p", "pytest_timeout", "--assert=plain", "--tb=no"]


def copied(root: Path, to: Path) -> Path:
    """Copy the project in *root*, and compile it."""
    shutil.copytree(root, to, ignore=NEITHER, symlinks=True)
    compileall.compile_dir(to, quiet=2)
    return to


def digest(root: Path) -> str:
    """A hash of the program and its tests."""
    parts = ("games", "moderation", "leagues", "ratings", "accounts", "core", "carcassonne", "tests")
    paths = sorted(path for part in parts for path in (root / part).rglob("*.py"))
    content = b"".join(bytes(path.relative_to(root)) + path.read_bytes() for path in paths)
    return hashlib.sha256(content).hexdigest()[:16]


class Record:
    """Lines run by each test and its duration, recorded once for a state of the project."""

    def __init__(self, copy: Path, kept: Path, workers: str) -> None:
        if not kept.exists():
            self._note(copy, kept, workers)
        self.seconds: dict[str, float] = json.loads((kept / "seconds.json").read_text())
        self._runs = CoverageData(kept / "coverage")
        self._runs.read()

    def _note(self, copy: Path, kept: Path, workers: str) -> None:
        begun = kept.with_suffix(".begun")
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir(parents=True)
        left_out = [f"--ignore={path}" for path in LEFT_OUT]
        noting = [
            "--cov=games",
            "--cov=leagues",
            "--cov=moderation",
            "--cov-context=test",
            "--cov-report=",
            f"--seconds={begun / 'seconds.json'}",
        ]
        environment = os.environ | {"COVERAGE_FILE": str(begun / "coverage"), **REPEATABLE}
        done = subprocess.run(
            [*PYTEST, "-n", workers, "-m", "not browser", *noting, *left_out, *TESTS],
            cwd=copy,
            env=environment,
        )
        if done.returncode not in (0, 1):  # one that fails already can notice nothing, and is left out
            raise SystemExit("the tests could not be run")
        begun.rename(kept)

    def choose(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the line of *mutant*, then those that run anything in its file.

        The latter are included because the first test fills the caches for all, and because lines outside
        functions run when the file is imported, before any test. Of both, tests of the file's own folder come
        first, and among these the quick ones.
        """
        home = _home(mutant.path)
        lines = self._runs.contexts_by_lineno(mutant.path)
        first = _tests(lines.get(mutant.line, ())) & self.seconds.keys()
        then = _tests(test for tests in lines.values() for test in tests) & self.seconds.keys() - first
        if not first and not then:  # the whole file runs when it is imported
            then = set(self.seconds)

        def order(test: str) -> tuple[bool, float, str]:
            return not test.startswith(home), self.seconds[test], test

        chosen: list[str] = []
        took = 0.0
        for test in sorted(first, key=order) + sorted(then, key=order):
            if took + self.seconds[test] < ENOUGH:
                took += self.seconds[test]
                chosen.append(test)
        return chosen


def _home(path: str) -> tuple[str, str]:
    """The folder or file with the tests of a file of the program."""
    room = "/".join(Path(path).parts[:2])
    return f"tests/{room}/", f"tests/{Path(path).parent}/test_{Path(path).name}"


def _tests(contexts: Iterable[str]) -> set[str]:
    """The tests of contexts, which pytest-cov calls ``test|setup``, ``test|run`` and ``test|teardown``."""
    return {context.rpartition("|")[0] for context in contexts if context}


@dataclass(frozen=True)
class Outcome:
    """Result of the tests for a mutant."""

    mutant: Mutant
    tests: int  # that could notice
    by: str | None  # the test that did, or what else went wrong


class Laboratory:
    """Copy of the project in which mutants are tested, one at a time."""

    def __init__(self, copy: Path, kept: Path) -> None:
        self.copy = copy
        self._chosen = kept

    def ask(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Run *tests* on *mutant*, and return the outcome."""
        path = self.copy / mutant.path
        source = path.read_text()
        path.write_text(mutant.code(source))
        try:
            portions = filter(None, (tests[:FIRST], tests[FIRST:]))
            failing = (test for portion in portions for test in self._failing(portion, "--exitfirst"))
            return Outcome(mutant, len(tests), next(failing, None))
        finally:
            path.write_text(source)

    def wrongly(self, tests: Collection[str]) -> list[str]:
        """Those of *tests* that fail without any mutant."""
        return self._failing(sorted(tests)) if tests else []

    def _failing(self, tests: Sequence[str], *options: str) -> list[str]:
        self._chosen.write_text("\n".join(tests))
        files = sorted({test.partition("::")[0] for test in tests})
        done = subprocess.run(
            [*PYTEST, *BARE, *options, f"--in-order={self._chosen}", *files],
            cwd=self.copy,
            # What is compiled is kept by the second and the length of a file, which a mutant may share.
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1", **ALONE, **REPEATABLE},
            capture_output=True,
            text=True,
            preexec_fn=_limit,
        )
        if done.returncode == 0:
            return []
        if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise LookupError(f"none of these tests is there: {tests}")
        if done.returncode == pytest.ExitCode.USAGE_ERROR:  # no mutant can cause it
            raise RuntimeError(done.stderr)
        failed = (line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR ")))
        return [line.partition(" ")[2].split(" - ")[0] for line in failed] or [f"exit {done.returncode}"]


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
