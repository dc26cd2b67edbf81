"""Tests of a short fault run, and of its evaluation of logs, kills and ledgers."""

from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.load import faults, stack, summary
from benchmarks.load.postbox import Postbox
from benchmarks.load.swarm import LoadStatistics, SentTurn, TurnLedger

PARTS = ["postgresql", "redis", "web", "worker of default", "beat"]


@pytest.mark.slow
def test_nothing_is_lost_when_parts_are_killed() -> None:
    if connection.vendor != "postgresql" or not settings.REDIS_URL:
        pytest.skip(
            "brings its own PostgreSQL and Redis: once is enough, where the other tests have them, too"
        )
    stack.programs()
    seen = faults.run(games=24, seconds=20, kills=5, seed=1, think=0.02, task_seconds=20, least_turns=15)
    print("\n".join(map(str, seen.table())))
    assert seen.broken() == []
    assert seen.found["counted"]["results"]["replayed"] > 0, "half of the games have one turn left"


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
    assert summary.traces_in(LOG) == [
        "IndexError: pop from empty list",
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ]
    assert summary.traces_in(LOG.replace("Traceback", "Trace")) == []


def seen(**more: Any) -> summary.FaultRun:
    """A run without faults, but for *more*."""
    counted: dict[str, dict[str, float]] = {
        "turns": {"stored": 1, "accepted and present": 1, "unanswered and present": 0},
        "mails": {"owed": 2, "delivered": 2, "not marked": 0, "stale": 0, "ends": 0},
        "games": {"verified": 1},
        "results": {"finished": 0, "replayed": 0},
        "scorings": {"scored": 0, "while a part was away": 0, "after the sweep": 0, "latest": 0.0},
        "ratings": {"rated": 0},
        "leagues": {"settled": 0, "divisions": 0},
    }
    box = Postbox()
    box.ids.update(["<a@x>", "<b@x>"])
    values: dict[str, Any] = {
        "figures": LoadStatistics(),
        "ledger": TurnLedger([SentTurn("abc", "Anna", 4, "base.A@1,0 r90", "accepted")]),
        "box": box,
        "killed": Counter({"a child of web": 8, "web": 2, "redis": 1}),
        "parts": ["web", "redis"],
        "found": {"wrong": {name: [] for name in counted}, "counted": counted},
        "left": {"mails": 0},
        "logs": {},
        "rested": 3.0,
    }
    return summary.FaultRun(**(values | more))


def row(run: summary.FaultRun, what: str) -> summary.Row:
    return next(row for row in run.table() if row.what == what)


def test_a_sound_run_breaks_no_promise() -> None:
    assert seen().broken() == []
    assert row(seen(), "turns accepted").number == row(seen(), "turns present once").number == 1


def test_what_failed_and_was_answered_later_is_no_broken_promise_but_an_exception_is() -> None:
    failures = [
        {"name": "turn", "error": "LocustBadStatusCode(code=503)", "occurrences": 2},
        {"name": "board", "error": "LocustBadStatusCode(code=500)", "occurrences": 9},
        {"name": "board", "error": "ConnectionRefusedError(111, 'Connection refused')", "occurrences": 4},
    ]
    run = seen(figures=LoadStatistics(failures=failures))
    assert run.broken() == []
    assert "turns whose answer was lost: 2" in run.hardly_tried()
    assert not any("500" in one for one in run.hardly_tried()), "eleven were"
    stuck = seen(figures=LoadStatistics(exceptions=["board: 500 (1 times)"]))
    assert stuck.broken() == ["exception: board: 500 (1 times)"]


def test_a_mail_in_a_thousand_may_come_twice() -> None:
    box = Postbox()
    box.ids.update({f"<{number}@x>": 1 for number in range(1998)} | {"<twice@x>": 3})
    assert row(seen(box=box), "mails doubled").number == 2
    assert seen(box=box).broken() == []
    box.ids["<twice@x>"] = 4
    assert seen(box=box).broken() == ["mails: 3 of 2002 came twice"]


def test_what_was_found_left_or_logged_is_a_broken_promise() -> None:
    sound = seen().found
    run = seen(
        found={**sound, "wrong": {**sound["wrong"], "scorings": ["abc was scored after 70 s"]}},
        left={"mails": 2, "scorings": 0},
        logs={"web": LOG},
    )
    assert run.broken() == [
        "still to do: 2 mails",
        "scorings: abc was scored after 70 s",
        "trace: web: IndexError: pop from empty list (1 times)",
        "trace: web: ConnectionRefusedError: [Errno 111] Connection refused (1 times)",
    ]
    assert row(run, "traces").number == 2


def test_what_happened_seldom_is_called_hardly_tried() -> None:
    hardly = seen().hardly_tried()
    assert "rated games: 0" in hardly
    assert "kills of redis or a child of it: 1" in hardly
    assert not any("web" in one for one in hardly), "it was killed ten times, its children among them"


def test_most_games_of_a_fault_run_are_near_their_end() -> None:
    wanted = faults.tables(1000, seed=1)
    of_league = wanted["divisions"] * faults.GAMES_OF_DIVISION
    assert wanted["games"] + of_league + sum(wanted["on_the_way"].values()) == 1000
    assert of_league + sum(number for left, number in wanted["on_the_way"].items() if left < 3) > 550
    assert wanted["people"] >= 4 * wanted["divisions"]


def test_a_refusal_needs_a_second_window_that_was_quicker() -> None:
    accepted = SentTurn("abc", "Anna", 4, "base.A@1,0 r90", "accepted")
    late = SentTurn("abc", "Anna", 4, "base.A@0,1 r90", "refused")
    alone = SentTurn("abc", "Anna", 6, "base.A@0,1 r90", "refused")
    assert TurnLedger([late, accepted, alone]).find_unreasoned() == [alone]
