"""Tests of metrics for Prometheus: values, permissions, and cost."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.conf import settings as site
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import Letter
from carcassonne import metrics, queue_lag
from carcassonne.celery import app
from carcassonne.local_only import parse_networks
from core.attempts import LOST
from core.models import FailedTask
from games.models import GIVEN_UP, Game, Notice
from tests.games.factories import copy_game, heart_beats, make_game, make_player, make_table, play_turns

ROOT = Path(__file__).parents[2]
OF_STATUS = r" USING (COVERING )?INDEX games_(open|open_until|deadlines|without_deadline|to_score)\b"
TOKEN = {"Authorization": f"Bearer {site.METRICS_TOKEN}"}


@pytest.fixture(autouse=True)
def read_anew() -> Iterator[None]:
    """Reset the cached metrics before and after each test."""
    metrics._registry.cache_clear()
    yield
    metrics._registry.cache_clear()


def told() -> dict[tuple[str, ...], float]:
    """The value of each sample, by its name and labels."""
    values_by_name = {}
    for family in text_string_to_metric_families(metrics.render_metrics().decode()):
        for sample in family.samples:
            values_by_name[(sample.name, *sample.labels.values())] = sample.value
    return values_by_name


@pytest.mark.django_db
class TestWhoMayAsk:
    """Access to metrics by the token, or from the networks that the settings name."""

    def test_the_token_opens_it(self, client: Client) -> None:
        response = client.get("/-/metrics/", headers=TOKEN)
        assert response.status_code == 200 and response["Content-Type"].startswith("text/plain")
        assert b"carcassonne_up" in response.content

    @pytest.mark.parametrize("said", ["", "Bearer ", "Bearer another", "Basic x", "Bearer ä"])
    def test_to_others_there_is_nothing(self, client: Client, said: str) -> None:
        response = client.get("/-/metrics/", headers={"Authorization": said})
        assert (response.status_code, response.content) == (404, b"not found\n")

    def test_without_a_token_an_empty_one_opens_nothing(self, client: Client, settings: LazySettings) -> None:
        settings.METRICS_TOKEN = ""
        assert client.get("/-/metrics/", headers={"Authorization": "Bearer "}).status_code == 404

    def test_a_network_may_ask_past_the_proxy(self, client: Client, settings: LazySettings) -> None:
        settings.METRICS_NETWORKS = parse_networks(["10.1.0.0/16", "::1/128"])
        assert client.get("/-/metrics/", REMOTE_ADDR="10.1.2.3").status_code == 200
        assert client.get("/-/metrics/", REMOTE_ADDR="10.2.2.3").status_code == 404

    def test_a_stranger_behind_the_proxy_is_not_the_proxy(
        self, client: Client, settings: LazySettings
    ) -> None:
        settings.METRICS_NETWORKS = parse_networks(["10.1.0.0/16"])
        for forged in ("198.51.100.7", "10.1.2.3, 198.51.100.7"):
            asked = client.get("/-/metrics/", REMOTE_ADDR="10.1.0.1", headers={"X-Forwarded-For": forged})
            assert asked.status_code == 404
        asked = client.get("/-/metrics/", REMOTE_ADDR="10.1.0.1", headers={"X-Forwarded-For": "10.1.2.3"})
        assert asked.status_code == 200


@pytest.mark.django_db
class TestTheSite:
    """Metrics of the site's state, read from rows and broker."""

    def test_games_by_status_and_moves(self) -> None:
        make_table()
        game = play_turns(make_game(), 3)
        copy_game(game, 2)
        values = told()
        assert values["carcassonne_games", "open"] == 1
        assert values["carcassonne_games", "playing"] == 3
        assert values["carcassonne_games", "scoring"] == 0
        assert values["carcassonne_moves_total",] >= game.version

    def test_those_that_have_ended_are_the_rest(self) -> None:
        make_table()
        before = told()["carcassonne_games", "ended"]
        metrics._registry.cache_clear()
        play_turns(make_game())
        Game.objects.filter(status="scoring").update(status="aborted", finished=timezone.now())
        assert told()["carcassonne_games", "ended"] == before + 1

    def test_deadlines_that_have_passed_and_the_age_of_the_heart(self) -> None:
        now = timezone.now()
        heart_beats(now - timedelta(seconds=90))
        game = make_game(now=now)
        Game.objects.filter(pk=game.pk).update(deadline=now - timedelta(minutes=1))
        values = told()
        assert values["carcassonne_deadlines_due",] == 1
        assert 90 <= values["carcassonne_heartbeat_age_seconds",] < 120

    def test_a_clock_that_went_back(self) -> None:
        heart_beats(timezone.now() + timedelta(hours=1))
        values = told()
        assert values["carcassonne_heartbeat_age_seconds",] == 0
        assert 3590 < values["carcassonne_clock_back_seconds",] <= 3600

    def test_what_has_killed_its_workers(self) -> None:
        now = timezone.now()
        for number, lost in enumerate((1, LOST, LOST + 1)):
            FailedTask.objects.create(
                task="games.tasks.score",
                arguments=f"[{number}]",
                lost=lost,
                until=now + timedelta(hours=1),
                first=now,
                last=now,
            )
        make_game(now=now)
        Notice.objects.filter(kind="started").update(dropped=now, why_dropped=GIVEN_UP)
        values = told()
        assert values["carcassonne_tasks_lost", "resting"] == 1
        assert values["carcassonne_tasks_lost", "aside"] == 2
        assert values["carcassonne_mails_given_up",] == 1

    def test_a_mail_in_hand_has_not_failed(self) -> None:
        now = timezone.now()
        make_game(now=now)
        Notice.objects.update(claimed=now, attempts=1)
        assert told()["carcassonne_mails_failing", "notices"] == 0

    def test_a_mail_that_has_failed_is_as_old_as_it_has_been_due(self) -> None:
        """Though it is tried again later."""
        now = timezone.now()
        make_game(now=now)
        notice = Notice.objects.filter(sent=None).latest("pk")
        Notice.objects.exclude(pk=notice.pk).update(next_try=now + timedelta(days=1))
        Notice.objects.filter(pk=notice.pk).update(
            due=now - timedelta(hours=1), next_try=now + timedelta(minutes=30), attempts=6
        )
        Letter.objects.create(player=make_player("Felix"), to="f@example.org", template="one")
        values = told()
        assert values["carcassonne_mails_waiting", "notices"] == 1
        assert values["carcassonne_mails_failing", "notices"] == 1
        assert 3600 <= values["carcassonne_outbox_age_seconds", "notices"] < 3660
        assert values["carcassonne_mails_waiting", "letters"] == 1
        assert values["carcassonne_mails_failing", "letters"] == 0

    def test_how_long_notices_take(self) -> None:
        now = timezone.now()
        make_game(now=now)
        make_game(now=now)
        sent = Notice.objects.order_by("pk")
        for seconds, notice in enumerate(sent):
            Notice.objects.filter(pk=notice.pk).update(due=now, sent=now + timedelta(seconds=seconds))
        assert sent.count() == 4
        values = told()
        assert values["carcassonne_notice_delay_seconds", "email", "0.5"] == 1
        assert values["carcassonne_notice_delay_seconds", "email", "0.95"] == 2

    def test_each_queue_of_the_settings(self) -> None:
        """Filled for as long as the test, whatever a queue is called."""
        names = list(site.CELERY_TASK_QUEUES)
        app.control.purge()
        assert {name: lag.waiting for name, lag in queue_lag.measure_lags().items()} == dict.fromkeys(
            names, 0
        )
        try:
            for _ in range(3):
                app.send_task("carcassonne.tasks.answer", args=("token",), queue=names[0])
            first, *others = queue_lag.measure_lags().values()
            assert first.waiting == 3 and 0 < first.seconds < 30
            assert {(lag.waiting, lag.seconds) for lag in others} == {(0, 0.0)}
            values = told()
            assert values["carcassonne_queue_waiting", names[0]] == 3
            assert values["carcassonne_queue_lag_seconds", names[0]] > 0
        finally:
            app.control.purge()

    def test_what_can_not_be_asked_is_left_out_and_the_rest_is_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away() -> Iterator[metrics.Metric]:
            raise DatabaseError("gone")

        parts = tuple((name, keep, away if name == "games" else read) for name, keep, read in metrics.PARTS)
        monkeypatch.setattr(metrics, "PARTS", parts)
        values = told()
        assert values["carcassonne_up", "games"] == 0 and values["carcassonne_up", "clock"] == 1
        assert ("carcassonne_moves_total",) not in values
        assert ("carcassonne_deadlines_due",) in values

    def test_a_database_that_is_away_is_not_asked_by_every_part(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[str] = []

        def away() -> Iterator[metrics.Metric]:
            asked.append("database")
            raise OperationalError("couldn't get a connection after 10.00 sec")

        parts = tuple(
            (name, 0.0, away if name in metrics.OF_ROWS else read) for name, _, read in metrics.PARTS
        )
        monkeypatch.setattr(metrics, "PARTS", parts)
        for _ in range(2):
            values = told()
        assert asked == ["database"]
        parts_up = [values["carcassonne_up", name] for name in (*metrics.OF_ROWS, "broker")]
        assert parts_up == [0] * len(metrics.OF_ROWS) + [1]

    def test_asked_at_once_again_it_asks_no_rows(self) -> None:
        told()
        with CaptureQueriesContext(connection) as queries:
            told()
        assert len(queries) == 0

    def test_no_query_reads_a_whole_table(self) -> None:
        """Each begins at the front of an index, or reads along it; with few rows a database would choose to
        read them all, so that is forbidden here."""
        heart_beats(timezone.now())
        play_turns(make_game(), 3)
        with CaptureQueriesContext(connection) as queries:
            told()
        asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
        assert 8 <= len(asked) <= 13
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL enable_seqscan = off")
            for sql in asked:
                explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
                cursor.execute(f"{explain} {sql}")
                plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
                assert "Seq Scan" not in plan and "Filter: ((status" not in plan, f"{sql}\n{plan}"
                if connection.vendor == "sqlite":
                    tables = [line for line in plan.splitlines() if line.startswith("SCAN games_")]
                    # The highest keys are at the end of a table; other indexes hold the games of one status.
                    of_status = all(re.search(OF_STATUS, line) for line in tables)
                    last = "MAX(" in sql or re.search(r'"id" DESC LIMIT \d{1,3}$', sql)
                    assert of_status or last, f"{sql}\n{plan}"


PROCESS = """
import os, json
import django
django.setup()
from carcassonne import metrics
for _ in range({times}):
    metrics.REQUESTS.labels("GET", "games:mine", 200).inc()
print(json.dumps(metrics.values.MultiProcessValue.__name__))
"""


def test_processes_count_together_and_leave_no_more_files_than_live_at_once(tmp_path: Path) -> None:
    """One after the other takes over the number of the one that has died, and counts on from there."""
    env = {**os.environ, "DATA_DIR": str(tmp_path), "METRICS_DIR": str(tmp_path / "metrics")}
    env |= {"DJANGO_SETTINGS_MODULE": "carcassonne.settings", "DEBUG": "1", "ALLOWED_HOSTS": "localhost"}
    env |= {"METRICS_TOKEN": "t", "EMAIL_URL": "outbox:", "SITE_URL": "http://localhost:8000"}
    for times in (2, 3):
        subprocess.run([sys.executable, "-c", PROCESS.format(times=times)], cwd=ROOT, env=env, check=True)
    read = (
        "import django; django.setup()\nfrom carcassonne import metrics\n"
        "from prometheus_client import CollectorRegistry\nfrom json import dumps\n"
        "registry = CollectorRegistry(); metrics.MultiProcessCollector(registry)\n"
        "samples = [sample for family in registry.collect() for sample in family.samples]\n"
        "print(dumps([one.value for one in samples if one.name.endswith('requests_total')]))"
    )
    done = subprocess.run([sys.executable, "-c", read], cwd=ROOT, env=env, check=True, capture_output=True)
    assert json.loads(done.stdout) == [5.0]
    assert [path.name for path in (tmp_path / "metrics").glob("counter_*")] == ["counter_0.db"]


def test_requests_are_counted_by_route_and_never_by_game(client: Client) -> None:
    before = told_requests()
    client.get("/sw.js")
    client.generic("BREW", "/nowhere-at-all/")
    after = told_requests()
    assert after[("GET", "worker", "200")] == before.get(("GET", "worker", "200"), 0) + 1
    assert after[("other", "-", "404")] == before.get(("other", "-", "404"), 0) + 1


def told_requests() -> dict[tuple[str, str, str], float]:
    samples = [sample for family in metrics.REQUESTS.collect() for sample in family.samples]
    return {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for sample in samples
        if sample.name == "carcassonne_requests_total"
    }
