"""Pytest plugin of the runs for mutants; nothing else loads it.

``--seconds FILE`` records the duration of each test. ``--in-order FILE`` runs only the tests listed there, in
that order. A test ends after ``LIMIT`` seconds of processor time: a mutant may run for ever.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

LIMIT = 30


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", metavar="FILE")
    parser.addoption("--in-order", metavar="FILE")


def pytest_configure(config: pytest.Config) -> None:
    if (path := config.getoption("--seconds")) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Seconds(Path(path)))
    if path := config.getoption("--in-order"):
        config.pluginmanager.register(_InOrder(Path(path).read_text().split("\n")))


class _Seconds:
    """Recorder of the duration of each passed test, with its set-up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        passed = {test: round(took, 4) for test, took in self.seconds.items() if test not in self.failed}
        self.path.write_text(json.dumps(passed, indent=0))


class _InOrder:
    """Runner of the chosen tests, in their order."""

    def __init__(self, tests: list[str]) -> None:
        self.place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self.place]
        items[:] = sorted(chosen, key=lambda item: self.place[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        def end(*_: object) -> None:
            pytest.fail(f"took more than {LIMIT} seconds")

        before = signal.signal(signal.SIGPROF, end)
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
