"""Tests of a short fault run, and of its evaluation of logs, kills and ledgers."""

from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.load import faults, stack, summary
from benchmarks.load.mail_programs import MailPrograms
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
    print(seen.count())
    assert list(seen.list_broken()) == []
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
        "replies": {"there": 1, "played": 1, "stale": 0},
        "posts": {"webhook sent": 2, "webhook came": 2, "push sent": 0, "push came": 0},
        "times": {"turns": 2},
    }
    programs = MailPrograms(port=9, addresses=(), seed=1)
    programs.stop(10)
    programs.confirmed.add("<r@x>")
    programs.sent.update(["<r@x>", "<r@x>"])
    box = Postbox()
    box.ids.update(["<a@x>", "<b@x>"])
    values: dict[str, Any] = {
        "figures": LoadStatistics(),
        "ledger": TurnLedger([SentTurn("abc", "Anna", 4, "base.A@1,0 r90", "accepted")]),
        "box": box,
        "programs": programs,
        "killed": Counter({"a child of web": 8, "web": 2, "redis": 1}),
        "found": {"wrong": {name: [] for name in counted}, "counted": counted},
        "left": {"mails": 0},
        "logs": {},
        "rested": 3.0,
    }
    return summary.FaultRun(**(values | more))


def test_a_sound_run_breaks_no_promise() -> None:
    assert list(seen().list_broken()) == []
    assert seen().count()["turns sent"] == {"accepted": 1}


def test_what_failed_and_was_answered_later_is_no_broken_promise_but_an_exception_is() -> None:
    failures = [
        {"name": "turn", "error": "LocustBadStatusCode(code=503)", "occurrences": 2},
        {"name": "board", "error": "LocustBadStatusCode(code=500)", "occurrences": 9},
        {"name": "board", "error": "ConnectionRefusedError(111, 'Connection refused')", "occurrences": 4},
    ]
    run = seen(figures=LoadStatistics(failures=failures))
    assert list(run.list_broken()) == []
    assert run.count()["failed requests"] == {"500 or 503": 11}
    stuck = seen(figures=LoadStatistics(exceptions=["board: 500 (1 times)"]))
    assert list(stuck.list_broken()) == ["exception: board: 500 (1 times)"]


def test_a_mail_in_a_thousand_may_come_twice() -> None:
    box = Postbox()
    box.ids.update({f"<{number}@x>": 1 for number in range(1998)} | {"<twice@x>": 3})
    assert seen(box=box).count()["mails that came"] == {"once": 1999, "again": 2}
    assert list(seen(box=box).list_broken()) == []
    box.ids["<twice@x>"] = 4
    assert list(seen(box=box).list_broken()) == ["mails: 3 of 2002 came twice"]


def test_a_post_may_come_twice_for_each_kill() -> None:
    sound = seen().found
    for came, broken in ((2 + 11, []), (2 + 12, ["posts: 12 by webhook came twice or unasked"])):
        posts = {**sound["counted"]["posts"], "webhook came": came}
        run = seen(found={**sound, "counted": {**sound["counted"], "posts": posts}})
        assert list(run.list_broken()) == broken


def test_what_was_found_left_or_logged_is_a_broken_promise() -> None:
    sound = seen().found
    run = seen(
        found={**sound, "wrong": {**sound["wrong"], "scorings": ["abc was scored after 70 s"]}},
        left={"mails": 2, "scorings": 0},
        logs={"web": LOG},
    )
    assert list(run.list_broken()) == [
        "still to do: 2 mails",
        "scorings: abc was scored after 70 s",
        "trace: web: IndexError: pop from empty list (1 times)",
        "trace: web: ConnectionRefusedError: [Errno 111] Connection refused (1 times)",
    ]
    assert run.count()["logs"] == {"traces": 2}


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
