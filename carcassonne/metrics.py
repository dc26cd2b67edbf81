"""Metrics that Prometheus collects at ``/-/metrics/``.

Requests are counted by the process that answers them, in a file of ``METRICS_DIR``; the process that is
scraped adds up the files. The state of the site is read from rows and broker when it is scraped: from the
front of an index, up to a bound, or at most once a minute, so that it costs about the same at a thousand
games and at a hundred thousand. Any process gives the same values. No metric is about a single game or
person.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import IO, NamedTuple

from django.conf import settings
from django.db import OperationalError
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

settings.METRICS_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_DIR)  # read when prometheus_client is imported

from prometheus_client import (  # noqa: E402
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

from accounts.models import Letter  # noqa: E402
from carcassonne.logs import find_route  # noqa: E402
from carcassonne.queue_lag import measure_lags  # noqa: E402
from core import attempts  # noqa: E402
from core.models import FailedTask  # noqa: E402
from games import heartbeat  # noqa: E402
from games.heartbeat import HEART  # noqa: E402
from games.models import GIVEN_UP, Channel, Game, Heartbeat, Move, Notice, Status  # noqa: E402

Respond = Callable[[HttpRequest], HttpResponse]

CONTENT_TYPE = CONTENT_TYPE_LATEST
SECONDS_KNOWN = 5.0
"""Seconds for which each process keeps what it read from the database and the broker."""
SECONDS_COUNTED = 60.0
"""Seconds for which it keeps the numbers of games, which are counted along an index."""
SECONDS_WITHOUT_DATABASE = 30.0
"""Seconds for which an unreachable database is not asked, as each failed try takes seconds."""
MOST = 10_000
NEWEST_NOTICES = 500
"""Number of the newest notices whose delays are measured."""
GIVEN_UP_LATELY = timedelta(days=7)
LONGEST_PAUSE = timedelta(hours=3)
"""Maximum time until a failed mail is tried again: games.notices.delivery, accounts.letters."""

logger = logging.getLogger(__name__)


# ---------------------------------------------------------------------------------------------- requests


class _Places:
    """Number of this process's metrics files: the lowest that no living process has.

    Files named after process ids would grow in number, and could only be deleted with their counts. A process
    that takes over a number continues its counts.
    """

    def __init__(self) -> None:
        self._held: tuple[int, int, IO[bytes]] | None = None

    def __call__(self) -> int:
        if self._held is None or self._held[0] != os.getpid():
            self._held = (os.getpid(), *self._take())
        return self._held[1]

    @staticmethod
    def _take() -> tuple[int, IO[bytes]]:
        number = 0
        while True:
            lock = (settings.METRICS_DIR / f"place-{number}").open("wb")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                number += 1
            else:
                return number, lock


values.ValueClass = values.MultiProcessValue(process_identifier=_Places())

REQUESTS = Counter("carcassonne_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "carcassonne_request_seconds",
    "Time until a request was answered.",
    ["route"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS"))


def count_requests(get_response: Respond) -> Respond:
    """Count each request and its duration."""

    def respond(request: HttpRequest) -> HttpResponse:
        begun = time.monotonic()
        response = get_response(request)
        route = find_route(request)
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(method, route, response.status_code).inc()
        SECONDS.labels(route).observe(time.monotonic() - begun)
        return response

    return respond


# ---------------------------------------------------------------------------------------------- the site


class MetricsReading(NamedTuple):
    """Metrics of one part, and when they were read on the monotonic clock."""

    at: float
    metrics: tuple[Metric, ...]


class SiteCollector:
    """Collector of ``prometheus_client`` for the state of the site."""

    def __init__(self) -> None:
        self._seen: dict[str, MetricsReading] = {}
        self._away_until = float("-inf")  # the database, on the monotonic clock
        self._asking = threading.Lock()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics. Parts that can't be read are left out, and ``carcassonne_up`` says so."""
        up = GaugeMetricFamily("carcassonne_up", "Whether it could be asked.", labels=["part"])
        with self._asking:
            for part, keep, read in PARTS:
                up.add_metric([part], float(self._read(part, keep, read)))
            yield from (metric for seen in self._seen.values() for metric in seen.metrics)
        yield up

    def _read(self, part: str, keep: float, read: Callable[[], Iterable[Metric]]) -> bool:
        seen = self._seen.get(part)
        if seen is not None and time.monotonic() < seen.at + keep:
            return True
        if part in OF_ROWS and time.monotonic() < self._away_until:
            return False
        try:
            self._seen[part] = MetricsReading(time.monotonic(), tuple(read()))
        except Exception as error:  # a fault in one part must not hide the others
            self._seen.pop(part, None)
            if isinstance(error, OperationalError):
                self._away_until = time.monotonic() + SECONDS_WITHOUT_DATABASE
            logger.warning("Could not measure the %s: %s: %s", part, type(error).__name__, error)
            return False
        return True


def the_games() -> Iterator[Metric]:
    """Measure games by status, and moves.

    Games are never deleted, so all keys up to the highest that are not unfinished have ended; a key that was
    lost with a transaction counts as well.
    """
    games = GaugeMetricFamily("carcassonne_games", "Games, by status.", labels=["status"])
    unfinished = {status.value: Game.objects.filter(status=status).count() for status in UNFINISHED}
    for status, number in unfinished.items():
        games.add_metric([status], number)
    games.add_metric(["ended"], max(0, _last_key(Game.objects.all()) - sum(unfinished.values())))
    yield games
    moves = CounterMetricFamily("carcassonne_moves", "Moves written, by the highest key.")
    moves.add_metric([], _last_key(Move.objects.all()))
    yield moves


def the_clock() -> Iterator[Metric]:
    """Deadlines that have passed and wait for the sweep, and the age of its last run."""
    now = timezone.now()
    late = Game.objects.filter(status=Status.PLAYING, deadline__lt=now)
    yield _gauge("carcassonne_deadlines_due", "Deadlines that have passed; 10000 at most.", _up_to(late))
    last = Heartbeat.objects.filter(name=HEART).values_list("at", flat=True).first()
    if last is not None:
        age = (now - last).total_seconds()
        yield _gauge("carcassonne_heartbeat_age_seconds", "Since the last sweep.", max(0.0, age))
    newest = Move.objects.order_by("-pk").values_list("at", flat=True).first()
    back = max(
        (heartbeat.compute_time_ahead(at, now) for at in (last, newest) if at is not None),
        default=timedelta(),
    )
    help_text = "How far the last sweep or turn lies ahead of this machine's clock."
    yield _gauge("carcassonne_clock_back_seconds", help_text, back.total_seconds())


def the_mails() -> Iterator[Metric]:
    """Measure the mails that wait, and how long the oldest has been due.

    Failed mails are retried within ``LONGEST_PAUSE``; what is due later is not counted. Other channels are
    left out: each webhook or device fails by itself, for as long as its owner likes.
    """
    now = timezone.now()
    owed_mails = Notice.objects.filter(channel=Channel.EMAIL, sent=None, dropped=None)
    soon = owed_mails.filter(next_try__lt=now + LONGEST_PAUSE)
    letters = Letter.objects.filter(due__lt=now + LONGEST_PAUSE)
    boxes = {
        "notices": [
            (due, tried - (claimed is not None))  # attempts include the current one while it is being sent
            for due, tried, claimed in soon.order_by("next_try").values_list("due", "attempts", "claimed")[
                :MOST
            ]
        ],
        "letters": list(letters.order_by("due").values_list("owed", "attempts")[:MOST]),
    }
    waiting = GaugeMetricFamily("carcassonne_mails_waiting", "Mails due; 10000 at most.", labels=["outbox"])
    failing = GaugeMetricFamily("carcassonne_mails_failing", "Mails that failed and wait.", labels=["outbox"])
    age = GaugeMetricFamily("carcassonne_outbox_age_seconds", "Since the oldest was due.", labels=["outbox"])
    for name, mails in boxes.items():
        owed = [since for since, _failed in mails if since <= now]
        waiting.add_metric([name], len(owed))
        failing.add_metric([name], sum(failed > 0 for _since, failed in mails))
        age.add_metric([name], (now - min(owed)).total_seconds() if owed else 0.0)
    given_up = Notice.objects.filter(why_dropped=GIVEN_UP, dropped__gt=now - GIVEN_UP_LATELY)
    help_text = "Mails of the last week that failed for a day, or killed whoever sent them."
    yield from (waiting, failing, age, _gauge("carcassonne_mails_given_up", help_text, given_up.count()))
    yield _measure_notice_delays()


def _measure_notice_delays() -> Metric:
    """Measure how long after their due time the newest notices were sent."""
    delays: dict[str, list[float]] = defaultdict(list)
    newest = Notice.objects.order_by("-pk").values_list("channel", "due", "sent")[:NEWEST_NOTICES]
    for channel, due, sent in newest:
        if sent is not None:
            delays[channel].append(max(0.0, (sent - due).total_seconds()))
    help_text = f"From when a notice was due until it was sent, of the {NEWEST_NOTICES} newest."
    metric = GaugeMetricFamily("carcassonne_notice_delay_seconds", help_text, labels=["channel", "quantile"])
    for channel, seconds in delays.items():
        ordered = sorted(seconds)
        for quantile in (0.5, 0.95):
            metric.add_metric([channel, str(quantile)], ordered[int(quantile * (len(ordered) - 1))])
    return metric


def the_tasks() -> Iterator[Metric]:
    """Measure the work that failed or has killed its workers: resting, and put aside."""
    resting = list(FailedTask.objects.filter(until__gt=timezone.now()).values_list("lost", "times")[:MOST])
    aside = sum(lost >= attempts.LOST or times >= attempts.FAILED for lost, times in resting)
    help_text = (
        "Tasks, or rows of them, that failed or whose workers were lost, and that wait or were put aside."
    )
    tasks = GaugeMetricFamily("carcassonne_tasks_lost", help_text, labels=["state"])
    tasks.add_metric(["resting"], len(resting) - aside)
    tasks.add_metric(["aside"], aside)
    yield tasks


def the_queues() -> Iterator[Metric]:
    """Measure how many messages wait in each queue, and the age of the oldest."""
    waiting = GaugeMetricFamily("carcassonne_queue_waiting", "Messages that wait.", labels=["queue"])
    seconds = GaugeMetricFamily("carcassonne_queue_lag_seconds", "Age of the oldest.", labels=["queue"])
    for name, lag in measure_lags().items():
        waiting.add_metric([name], lag.waiting)
        seconds.add_metric([name], lag.seconds)
    yield from (waiting, seconds)


UNFINISHED = (Status.OPEN, Status.PLAYING, Status.SCORING)
PARTS: tuple[tuple[str, float, Callable[[], Iterable[Metric]]], ...] = (
    ("games", SECONDS_COUNTED, the_games),
    ("clock", SECONDS_KNOWN, the_clock),
    ("outbox", SECONDS_KNOWN, the_mails),
    ("tasks", SECONDS_KNOWN, the_tasks),
    ("broker", SECONDS_KNOWN, the_queues),
)
"""Parts that are read together, the seconds for which they are kept, and functions that read them."""
OF_ROWS = ("games", "clock", "outbox", "tasks")


def render_metrics() -> bytes:
    """Return all metrics in Prometheus's text format."""
    return generate_latest(_registry())


@lru_cache
def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    MultiProcessCollector(registry)
    registry.register(SiteCollector())
    return registry


def _gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)


def _up_to(rows: QuerySet[Game]) -> int:
    return rows.order_by()[:MOST].count()


def _last_key(rows: QuerySet[Game] | QuerySet[Move]) -> int:
    return rows.aggregate(last=Max("pk"))["last"] or 0
