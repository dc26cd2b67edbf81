"""Who may do what: every address, asked by everybody who may stand in some way to what it is about.

``permissions.csv`` is the table: a row for each address and method, a column for each role. In it stands the
status of the answer, "sign in" where it leads there, and a "+" where something was written down. An address
that is not in the table fails, and so does another answer. ``PERMISSIONS=write`` writes down the answers as
they are, to be read before they are kept.
"""

from __future__ import annotations

import csv
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.permissions.needle import Needle, text_of
from tests.permissions.world import ROLES, World, addresses, client_of, make_world

TABLE = Path(__file__).with_name("permissions.csv")
METHODS = ("GET", "POST")
SIGN_IN = "sign in"
WRITING = re.compile(
    r"(?!.* ON CONFLICT DO NOTHING)"
    r"(INSERT INTO|UPDATE|DELETE FROM) (?!.(django_session|games_visit|cache\b))",
    re.DOTALL,
)
"""What is written, but for who was here when, and rows that are made to be locked (``INSERT OR IGNORE`` on
SQLite)."""

Rows = dict[tuple[str, str], dict[str, str]]  # (address, method) -> role -> answer


def written() -> Rows:
    with TABLE.open(newline="") as file:
        return {(row.pop("address"), row.pop("method")): row for row in csv.DictReader(file)}


def answers(world: World, role: str) -> Iterator[tuple[tuple[str, str], str]]:
    """What each address answers to *role*, never what is to be drawn; whatever it did is undone."""
    signed_in = client_of(role)
    needle = Needle([world.running, world.public])
    for name, address, data in addresses(world):
        for method in METHODS:
            client = Client()
            client.cookies.update(signed_in.cookies)
            with transaction.atomic():
                response, wrote = asked(client, method, address, data)
                assert not needle.found_in(text_of(response)), (name, method)
                yield (name, method), in_short(response, wrote=wrote)
                transaction.set_rollback(True)


def asked(client: Client, method: str, address: str, data: dict[str, object]) -> tuple[Any, bool]:
    """The answer, and whether something was written."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address) if method == "GET" else client.post(address, data)
    return response, any(WRITING.match(query["sql"]) for query in queries.captured_queries)


def in_short(response: Any, *, wrote: bool) -> str:
    """The status, or that one is asked to sign in; and a mark where something was written."""
    assert response.status_code < 500
    to_sign_in = response.status_code == 302 and response["Location"].startswith(reverse("account_login"))
    return (SIGN_IN if to_sign_in else str(response.status_code)) + ("+" if wrote else "")


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_do_what_the_table_says_and_no_more(
    role: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    world = make_world()
    found = dict(answers(world, role))
    assert not Needle([world.running, world.public]).found_in(caplog.text)
    if os.environ.get("PERMISSIONS") == "write":
        write(role, found)
    told = {row: by_role[role] for row, by_role in written().items()}
    assert found == told


def write(role: str, found: dict[tuple[str, str], str]) -> None:
    before = written() if TABLE.exists() else {}
    with TABLE.open("w", newline="") as file:
        table = csv.DictWriter(file, ["address", "method", *ROLES])
        table.writeheader()
        for row, told in sorted(found.items()):
            table.writerow({"address": row[0], "method": row[1], **before.get(row, {}), role: told})
