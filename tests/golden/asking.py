"""Requests: what each answers, how many queries it makes, and the mails that it owes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.models import Notice
from games.notices import email
from games.notices.letters import NothingToTell
from games.notices.summaries import summarise_notice
from tests.accounts.signing_in import sign_in
from tests.golden.chance import LOT
from tests.golden.reduced import mask_varying, reduce_markup, reduce_response
from tests.permissions.table import asked

METHODS = ("GET", "POST")
MAILS = 4
"""Most mails of one request that are written down."""

Addresses = Iterable[tuple[str, str, dict[str, object]]]


class Record(NamedTuple):
    """What one request answers, or what one mail says."""

    key: str
    queries: int
    lines: list[str]


def record_all(
    world: str, addresses: Addresses, client: Client, role: str, methods: Sequence[str] = METHODS
) -> Iterator[Record]:
    """Request each address by each method; effects are rolled back, and what is drawn afterwards stays."""
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    chance = LOT.getstate()
    for name, address, data in addresses:
        for method in methods:
            with transaction.atomic():
                key = f"{world} | {role} | {method} {name} {mask_varying([address])[0]}"
                yield _record(key, method, address, data, cookies)
                transaction.set_rollback(True)
    LOT.setstate(chance)


def _record(key: str, method: str, address: str, data: dict[str, object], cookies: dict[str, str]) -> Record:
    for store in caches.all(initialized_only=True):
        store.clear()
    LOT.seed(key)
    client = Client(raise_request_exception=False)
    client.cookies.load(cookies)
    before = get_last_notice()
    with CaptureQueriesContext(connection) as queries:
        response, _wrote = asked(client, method, address, data)
    lines = [str(response.status_code), *reduce_response(response)]
    if method == "POST":
        for mail in record_mails(key, Notice.objects.filter(pk__gt=before).order_by("pk")[:MAILS]):
            lines += mail.lines
    return Record(key, len(queries), lines)


def get_last_notice() -> int:
    return Notice.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def record_mails(key: str, notices: Iterable[Notice]) -> Iterator[Record]:
    """Record the mail and the short form of each notice that still has something to tell."""
    for notice in notices:
        SEEN.add(describe_kind(notice))
        with CaptureQueriesContext(connection) as queries:
            lines = [f"mail: {describe_kind(notice)}", *_reduce(notice, _reduce_mail)]
            lines += [f"summary: {describe_kind(notice)}", *_reduce(notice, _reduce_summary)]
        yield Record(f"{key} | {describe_kind(notice)} {notice.recipient}", len(queries), lines)


SEEN: set[str] = set()
"""Kinds of mails that were recorded."""


def describe_kind(notice: Notice) -> str:
    topic = (notice.about or {}).get("topic", "")
    return f"{notice.kind} {topic}".strip()


def _reduce(notice: Notice, reduce: Callable[[Notice], list[str]]) -> list[str]:
    try:
        return reduce(notice)
    except NothingToTell:
        return ["nothing to tell"]


def _reduce_mail(notice: Notice) -> list[str]:
    mail = email.compose(notice)
    lines = [f"{name}: {value}" for name, value in sorted(mail.extra_headers.items())]
    lines += [mail.subject, *mail.body.splitlines()]
    for markup, kind in mail.alternatives:
        lines += reduce_markup(markup) if kind == "text/html" else []
    return mask_varying(lines)


def _reduce_summary(notice: Notice) -> list[str]:
    summary = summarise_notice(notice)
    return mask_varying([summary.title, *summary.text.splitlines(), summary.url])


def sign_in_as(name: str | None) -> Client:
    client = Client()
    if name is not None:
        LOT.seed(name)
        sign_in(client, Player.objects.get(username=name))
    return client
