"""The fault run in its short form, and what it makes of logs, kills and ledgers."""

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.load import faults, stack
from benchmarks.load.people import Ledger, Sent

PARTS = ["postgresql", "redis", "web", "worker of default", "beat"]


@pytest.mark.slow
def test_nothing_is_lost_when_parts_are_killed() -> None:
    if connection.vendor != "postgresql" or not settings.REDIS_URL:
        pytest.skip(
            "brings its own PostgreSQL and Redis: once is enough, where the other tests have them, too"
        )
    stack.programs()
    outcome = faults.run(games=10, seconds=20, kills=5, seed=1, think=0.02, task_seconds=20)
    print("\n".join(outcome.told))
    assert outcome.broken == []


def test_every_part_is_killed_before_any_is_again() -> None:
    plan = faults.schedule(PARTS, kills=10, seconds=100, seed=4)
    assert plan == faults.schedule(PARTS, kills=10, seconds=100, seed=4)
    assert plan != faults.schedule(PARTS, kills=10, seconds=100, seed=5)
    assert sorted(kill.part for kill in plan[:5]) == sorted(kill.part for kill in plan[5:]) == sorted(PARTS)
    assert [kill.at for kill in plan] == sorted(kill.at for kill in plan)
    assert all(kill.down >= stack.PAUSE for kill in plan)
    assert not any(kill.only_a_child for kill in plan if kill.part in ("redis", "beat"))


LOG = """2026-11-23 10:58:28 WARNING celery.worker.consumer.consumer: Connection to broker lost.
2026-11-23 10:58:29 ERROR   x: It failed
Traceback (most recent call last):
  File "x.py", line 1, in take
    return waiting.pop()
IndexError: pop from empty list

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "x.py", line 3, in take
ConnectionRefusedError: [Errno 111] Connection refused
2026-11-23 10:58:30 INFO    x: It goes on
"""


def test_a_log_is_asked_for_every_trace() -> None:
    assert faults.traces_in(LOG) == [
        "IndexError: pop from empty list",
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ]
    assert faults.traces_in(LOG.replace("Traceback", "Trace")) == []


def test_a_refusal_needs_a_second_window_that_was_quicker() -> None:
    accepted = Sent("abc", "Anna", 4, "base.A@1,0 r90", "accepted")
    late = Sent("abc", "Anna", 4, "base.A@0,1 r90", "refused")
    alone = Sent("abc", "Anna", 6, "base.A@0,1 r90", "refused")
    assert Ledger([late, accepted, alone]).refused() == [alone]
