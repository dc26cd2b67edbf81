"""Checks of ``manage.py doctor``: are all parts of the site there, and do they work?

Each check is a generator of :class:`Finding`; an exception in one becomes a finding, too, and the others
still run. Nothing is changed: the mail server is greeted, but no mail is sent, except with ``--mail``.
"""

from __future__ import annotations

import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from celery import current_app
from django.conf import settings
from django.core import checks, mail
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from accounts.models import Letter, Player
from carcassonne.tasks import answer, build_answer_key
from core import attempts
from core.connection_errors import find_missing_part
from core.models import FailedTask
from core.time_zones import get_data_version, list_zones, uses_pinned_data
from games import heartbeat
from games.heartbeat import HEART
from games.models import GIVEN_UP, Channel, Heartbeat, InboundMail, Move, Notice
from games.notices import push_keys
from games.notices.reply_address import ReplyToken, build_reply_address

SKEW = timedelta(seconds=2)
"""Maximum difference between two clocks; deadlines are counted in minutes."""

LATE = timedelta(minutes=10)
"""Time after which an unsent mail that is due counts as stuck."""

GIVEN_UP_LATELY = timedelta(days=7)
MOST_LISTED = 5

LEAST_FREE = 1 << 30  # bytes

LISTENING = "0A"
"""State of a listening socket in /proc/net/tcp."""


class Finding(NamedTuple):
    """Finding of a check: its subject, whether it is well, what was seen, and advice."""

    what: str
    well: bool
    seen: str
    advice: str = ""


Check = Callable[[float], Iterator[Finding]]
"""Check that is called with the seconds for which it may wait for an answer."""


def examine(wait: float, *, by_mail: bool = False) -> Iterator[Finding]:
    """Yield all findings, waiting at most *wait* seconds for each response. *by_mail*: also send a mail."""
    if connection.vendor == "postgresql" and connection.pool is not None:  # type: ignore[attr-defined]
        connection.pool.timeout = wait  # type: ignore[attr-defined]
    for check in (*CHECKS, the_round_trip) if by_mail else CHECKS:
        try:
            yield from check(wait)
        except Exception as error:  # any error is a finding
            said = f"{type(error).__name__}: {error}".splitlines()[0]
            part = find_missing_part(error)
            if part in ASKED_BY and ASKED_BY[part] != check.__name__:
                advice = f"This can't be known while {part} is away."
            else:
                advice = ADVICE[check.__name__]
            name = check.__name__.removeprefix("the_").removeprefix("what_was_").replace("_", " ")
            yield Finding(name, False, said, advice)


def the_settings(wait: float) -> Iterator[Finding]:
    """Run Django's system checks, with those for deployment unless ``DEBUG`` is on."""
    messages = checks.run_checks(include_deployment_checks=not settings.DEBUG)
    serious = [
        message for message in messages if message.level >= checks.WARNING and not message.is_silenced()
    ]
    for message in serious:
        yield Finding(
            "settings", False, f"{message.id}: {message.msg}", message.hint or "See docs/settings.md."
        )
    if not serious:
        yield Finding("settings", True, "for development" if settings.DEBUG else "for a public site")


def the_database(wait: float) -> Iterator[Finding]:
    """Check that the database responds and has the tables of this release."""
    if connection.vendor == "postgresql":
        # Past the pool: of a server that refuses us it only says how long it has waited.
        params = connection.get_connection_params() | {"connect_timeout": max(2, round(wait))}
        connection.Database.connect(**params).close()  # type: ignore[attr-defined]
    begun = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    took = 1000 * (time.monotonic() - begun)
    yield Finding("database", True, f"{connection.display_name} answers in {took:.0f} ms")
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        yield Finding("tables", False, f"{len(plan)} migrations are missing", "manage.py migrate")
    else:
        yield Finding("tables", True, "all migrations are there")


def the_rights(wait: float) -> Iterator[Finding]:
    """Check that the site's role may not TRUNCATE tables whose triggers refuse deletion."""
    if connection.vendor != "postgresql":
        return
    tables = tables_to_be_emptied()
    if tables:
        said = f"may TRUNCATE {', '.join(tables)}, which are append-only"
        yield Finding("rights", False, said, ADVICE["the_rights"])
    else:
        yield Finding("rights", True, "may empty no table that is append-only")


def tables_to_be_emptied() -> list[str]:
    """Return the tables with a trigger before each DELETE that this role may TRUNCATE all the same."""
    before_each_delete = 1 | 2 | 8  # bits of tgtype: for each row, before, delete
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
            " AND tgtype & %s = %s AND has_table_privilege(tgrelid, 'TRUNCATE') ORDER BY 1",
            [before_each_delete, before_each_delete],
        )
        return [table for (table,) in cursor.fetchall()]


def the_ports(wait: float) -> Iterator[Finding]:
    """Check that each web process has its port to itself, and no leftover of a killed one listens there,
    too."""
    for port, listeners in count_listeners(settings.WEB_PORTS).items():
        if listeners > 1:
            said = f"{listeners} processes listen on it, each with a socket of its own"
            yield Finding(f"port {port}", False, said, ADVICE["the_ports"])
    # No listener is no fault here: web processes may be on other machines, or in other containers.


def count_listeners(ports: Iterable[int]) -> dict[int, int]:
    """Return how many sockets listen on one address of each port, on Linux; zero elsewhere."""
    listeners: Counter[tuple[str, int]] = Counter()
    for name in ("tcp", "tcp6"):
        with suppress(FileNotFoundError):
            for line in Path("/proc/net", name).read_text().splitlines()[1:]:
                address, port = line.split()[1].rsplit(":", 1)
                if line.split()[3] == LISTENING:
                    listeners[address, int(port, 16)] += 1
    return {port: max((n for at, n in listeners.items() if at[1] == port), default=0) for port in ports}


def the_cache(wait: float) -> Iterator[Finding]:
    """Check that the cache returns what was set: without it pages work, but slowly."""
    token = secrets.token_hex(8)
    cache.set(build_answer_key(token), token, 10)
    if cache.get(build_answer_key(token)) == token:
        yield Finding("cache", True, "gives back what it was given")
    else:
        yield Finding("cache", False, "forgets at once, or is away", ADVICE["the_cache"])


def the_workers(wait: float) -> Iterator[Finding]:
    """Check that a worker serves each queue, by a task that answers through the cache."""
    asked = {name: secrets.token_hex(8) for name in settings.CELERY_TASK_QUEUES}
    for name, token in asked.items():
        answer.apply_async(args=(token,), queue=name, expires=wait, retry=False)
    yield Finding("broker", True, f"takes messages ({current_app.connection().transport_cls})")
    until = time.monotonic() + wait
    waiting = set(asked)
    while waiting and time.monotonic() < until:
        waiting = {name for name in waiting if not cache.get(build_answer_key(asked[name]))}
        time.sleep(0.1 if waiting else 0)
    for name in asked:
        if name in waiting:
            said = f"nobody answers within {wait:g} s"
            advice = f"celery -A carcassonne worker --queues {name} (docs/running.md)"
            yield Finding(f"worker of {name}", False, said, advice)
        else:
            yield Finding(f"worker of {name}", True, "answers")


def the_beat(wait: float) -> Iterator[Finding]:
    """Check when the sweep last ran, which needs beat, broker and worker."""
    last = Heartbeat.objects.filter(name=HEART).values_list("at", flat=True).first()
    if last is None:
        advice = f"{ADVICE['the_beat']} Started just now it needs {settings.SWEEP_SECONDS} s and more."
        yield Finding("beat", False, "has never ticked", advice)
        return
    now = timezone.now()
    if heartbeat.compute_time_ahead(last, now):
        said = f"the last sweep lies {(last - now).total_seconds():.0f} s ahead: the clock went back"
        yield Finding("beat", False, said, ADVICE["the_clocks"])
        return
    age = now - last
    well = age < timedelta(seconds=3 * settings.SWEEP_SECONDS)
    said = f"the last sweep was {age.total_seconds():.0f} s ago, of one every {settings.SWEEP_SECONDS} s"
    yield Finding("beat", well, said, "" if well else ADVICE["the_beat"])


def the_mails(wait: float) -> Iterator[Finding]:
    """Check that the mail server responds, and that no mails are stuck."""
    if settings.EMAIL_PROVIDER:
        mail.get_connection()  # fails if a key or a package is missing
        yield Finding("mail provider", True, f"emails go by {settings.EMAIL_PROVIDER}")
        yield from find_stuck_mails()
        return
    server = mail.get_connection(timeout=wait) if "smtp" in settings.EMAIL_BACKEND else mail.get_connection()
    server.open()
    server.close()
    yield Finding("mail server", True, "answers")
    yield from find_stuck_mails()


def find_stuck_mails() -> Iterator[Finding]:
    """Check that no mail is long overdue."""
    now = timezone.now()
    # Webhooks and devices of players fail by themselves, for as long as their owners like.
    owed = Notice.objects.filter(channel=Channel.EMAIL, sent=None, dropped=None, due__lt=now - LATE)
    failing = Letter.objects.filter(due__lt=now - LATE).count() + owed.count()
    if not failing:
        yield Finding("mails", True, "nothing waits that should have gone")
        return
    error = owed.exclude(last_error="").order_by("due").values_list("last_error", flat=True).first()
    said = f"{failing} should have gone: {error or 'not tried yet'}"
    yield Finding("mails", False, said, ADVICE["the_mails"])


def the_push_key(wait: float) -> Iterator[Finding]:
    """Check that the key for push notifications can be loaded; no push service is called."""
    if not push_keys.is_push_offered():
        yield Finding("notifications", True, "not offered: VAPID_PRIVATE_KEY is empty (docs/push.md)")
        return
    public = push_keys.get_public_key()
    push_keys.load_signer()
    said = f"offered, with the public key {public[:8]}…, for {settings.VAPID_CONTACT}"
    yield Finding("notifications", True, said)


def the_round_trip(wait: float) -> Iterator[Finding]:
    """Send a mail to a reply address, wait for it to come in, and check its authentication results."""
    if not settings.REPLY_DOMAIN or settings.EMAIL_BACKEND in settings.SENDS_NOTHING:
        missing = "EMAIL_URL sends nothing" if settings.REPLY_DOMAIN else "REPLY_DOMAIN is empty"
        yield Finding("mail out and in", False, missing, "See docs/mail.md.")
        return
    # Of no player, so nothing comes of it; of a number of its own, so that it is known again.
    address = build_reply_address(ReplyToken(0, 0, secrets.randbelow(1 << 31)))
    mail.EmailMessage("A mail of the doctor", "It may be deleted.", to=[address]).send()
    yield Finding("mail out", True, f"handed over, to {address}")
    begun = time.monotonic()
    came = InboundMail.objects.filter(recipient__iexact=address)
    while not came.exists() and time.monotonic() - begun < wait:
        time.sleep(0.1)
    received = came.first()
    if received is None:
        yield Finding("mail in", False, f"has not come within {wait:g} s", ADVICE["the_round_trip"])
        return
    yield Finding("mail in", True, f"came after {time.monotonic() - begun:.1f} s")
    yield from judge_authentication({"SPF": received.spf, "DKIM": received.dkim, "DMARC": received.dmarc})
    received.delete()


def judge_authentication(results: Mapping[str, str]) -> Iterator[Finding]:
    """Report the results of SPF, DKIM and DMARC that the receiving mail server noted for our mail."""
    if not settings.MAIL_AUTHSERV_ID:
        yield Finding("SPF, DKIM, DMARC", True, "not known: MAIL_AUTHSERV_ID is empty (docs/mail.md)")
        return
    for method, result in results.items():
        advice = f"See docs/mail.md for the {method} record of the sender's domain."
        yield Finding(method, result == "pass", result or "the mail server says nothing of it", advice)


def what_was_put_aside(wait: float) -> Iterator[Finding]:
    """List work that is put aside, as it failed or killed its workers too often: tasks, their rows, and mails
    of the last days. Count what is still retried."""
    now = timezone.now()
    tasks = attempts.select_put_aside(now).order_by("-last")
    mails = Notice.objects.filter(why_dropped=GIVEN_UP, dropped__gt=now - GIVEN_UP_LATELY).order_by(
        "-dropped"
    )
    listed = [f"{failed}: {failed.error}" for failed in tasks[:MOST_LISTED]]
    listed += [f"mail {notice.key}: {notice.last_error}" for notice in mails[:MOST_LISTED]]
    if not listed:
        yield Finding("put aside", True, "nothing")
    for said in listed:
        yield Finding("put aside", False, said, ADVICE["what_was_put_aside"])
    more = tasks.count() + mails.count() - len(listed)
    if more > 0:
        yield Finding("put aside", False, f"{more} more", ADVICE["what_was_put_aside"])
    retried = FailedTask.objects.filter(until__gt=now).exclude(pk__in=tasks.values("pk")).order_by("-last")
    if retried:
        seen = f"{len(retried)} that failed, the last {retried[0]}: {retried[0].error}"
        yield Finding("retried", True, seen)


def the_clocks(wait: float) -> Iterator[Finding]:
    """Compare the clocks of the database and of Redis with this machine's, and check that it wasn't set
    back."""
    now = timezone.now()
    newest = Move.objects.order_by("-pk").values_list("at", flat=True).first()
    if newest is not None and heartbeat.compute_time_ahead(newest, now):
        said = f"the last turn lies {(newest - now).total_seconds():.0f} s ahead: it went back"
        yield Finding("clock", False, said, ADVICE["the_clocks"])
    for name, read in _clocks().items():
        before, there = timezone.now(), read()
        skew = abs(there - before - (timezone.now() - before) / 2)
        well = skew <= SKEW
        said = f"{skew.total_seconds():.1f} s away from this machine's"
        yield Finding(f"clock of {name}", well, said, "" if well else ADVICE["the_clocks"])


def the_time_zones(wait: float) -> Iterator[Finding]:
    """Say which time zone data are in use, and how many players have a zone that these have lost."""
    said = f"release {get_data_version()} of the pinned data"
    if uses_pinned_data():
        yield Finding("time zones", True, said)
    else:
        yield Finding("time zones", False, f"the system's data, not {said}", ADVICE["the_time_zones"])
    lost = Player.objects.filter(closed=None).exclude(time_zone__in=list_zones()).count()
    if lost:
        said = f"gone for {lost} of the players, who have UTC until they choose again"
        yield Finding("lost time zones", True, said)


def the_disk(wait: float) -> Iterator[Finding]:
    """Check the free space for the site's files."""
    usage = shutil.disk_usage(settings.DATA_DIR)
    said = f"{usage.free / (1 << 30):.1f} GB free of {usage.total / (1 << 30):.0f} under {settings.DATA_DIR}"
    well = usage.free >= LEAST_FREE
    yield Finding("disk", well, said, "" if well else "Make room, or move DATA_DIR to a larger disk.")


def _clocks() -> dict[str, Callable[[], datetime]]:
    clocks: dict[str, Callable[[], datetime]] = {}
    if connection.vendor == "postgresql":
        clocks["the database"] = _clock_of_database
    if settings.REDIS_URL:
        clocks["Redis"] = _clock_of_redis
    return clocks


def _clock_of_database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        at: datetime = cursor.fetchone()[0]
    return at


def _clock_of_redis() -> datetime:
    import redis

    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=5) as server:
        seconds, microseconds = server.time()
    return datetime.fromtimestamp(seconds + microseconds / 1_000_000, tz=timezone.get_default_timezone())


CHECKS: tuple[Check, ...] = (
    the_settings,
    the_database,
    the_rights,
    the_ports,
    the_cache,
    the_workers,
    the_beat,
    the_mails,
    the_push_key,
    what_was_put_aside,
    the_clocks,
    the_time_zones,
    the_disk,
)
ADVICE = {
    "the_settings": "See docs/settings.md.",
    "the_database": "Is it running, and does DATABASE_URL name it? See docs/running.md.",
    "the_rights": "Let another role own the tables: deploy/roles.sql and docs/deployment.md.",
    "the_ports": "A web process has outlived the one that started it: end it (ss -ltnp), and restart web.",
    "the_cache": "Is Redis running, and does REDIS_URL name it? Without Redis: manage.py createcachetable",
    "the_workers": "Is the broker (Redis, or DATA_DIR/broker) there, and may this user write to it?",
    "the_beat": "Start exactly one celery -A carcassonne beat, and a worker of the queue beat.",
    "the_round_trip": "Is there an MX record of REPLY_DOMAIN, and does its server hand emails to"
    " receive_mail, or the provider to the webhook? A slow one may need more time: --wait 120."
    " See docs/mail.md.",
    "the_mails": "Does EMAIL_URL name the server, and does it let us in? The admin's outbox has all errors.",
    "the_push_key": "Make a key with manage.py make_push_key, and see docs/push.md.",
    "what_was_put_aside": "The log says why. Try it, or send it, again in the admin.",
    "the_clocks": "Let all machines keep time by NTP, which sets no clock back.",
    "the_time_zones": "Let no code call zoneinfo.reset_tzpath(); install tzdata from requirements.txt.",
    "the_disk": "Does DATA_DIR exist?",
}
"""Advice for checks that fail themselves, by name of the check."""
ASKED_BY = {"the database": "the_database", "Redis": "the_cache"}
"""Checks of a backing service, by its name; all others don't report that it can't be reached."""
