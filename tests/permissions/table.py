"""Tables of permissions: a row for each URL and method, a column for each role."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.html import Page

SIGN_IN = "sign in"
WRITING = re.compile(
    r"(?!.* ON CONFLICT DO NOTHING)"
    r"(INSERT INTO|UPDATE|DELETE FROM) (?!.(django_session|games_visit|cache\b))",
    re.DOTALL,
)
"""SQL that writes, except sessions, visits, the cache, and rows inserted to be locked (``INSERT OR IGNORE``
on SQLite)."""

Rows = dict[tuple[str, str], dict[str, str]]  # (address, method) -> role -> answer


def must_be_as_written(
    table: Path, role: str, found: dict[tuple[str, str], str], roles: Sequence[str]
) -> None:
    """Compare the responses for *role* with its column; ``PERMISSIONS=write`` writes the column first."""
    if os.environ.get("PERMISSIONS") == "write":
        _write(table, role, found, roles)
    assert found == {row: by_role[role] for row, by_role in _written(table).items()}


def asked(client: Client, method: str, address: str, data: dict[str, Any]) -> tuple[Any, bool]:
    """Send a request; return the response, and whether something was written. Confirmed acts of a league's
    organisers are previewed first, and send the version that was shown."""
    if method == "POST" and "confirmed" in data and address.startswith("/leagues/") and "/desk/" in address:
        with CaptureQueriesContext(connection) as queries:
            shown = client.post(address, {name: value for name, value in data.items() if name != "confirmed"})
        assert not any(WRITING.match(query["sql"]) for query in queries.captured_queries), "a preview"
        versions = Page(shown).all("input[name=version]") if shown.status_code == 200 else []
        data = data | ({"version": str(versions[0]["value"])} if versions else {})
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address) if method == "GET" else client.post(address, data)
    return response, any(WRITING.match(query["sql"]) for query in queries.captured_queries)


def in_short(response: Any, *, wrote: bool) -> str:
    """The status, or "sign in" for a redirect there; with a mark if something was written."""
    assert response.status_code < 500
    entrances = (reverse("account_login"), reverse("admin:login"))
    to_sign_in = response.status_code == 302 and response["Location"].startswith(entrances)
    return (SIGN_IN if to_sign_in else str(response.status_code)) + ("+" if wrote else "")


def _written(table: Path) -> Rows:
    with table.open(newline="") as file:
        return {(row.pop("address"), row.pop("method")): row for row in csv.DictReader(file)}


def _write(table: Path, role: str, found: dict[tuple[str, str], str], roles: Sequence[str]) -> None:
    before = _written(table) if table.exists() else {}
    with table.open("w", newline="") as file:
        rows = csv.DictWriter(file, ["address", "method", *roles], extrasaction="ignore")
        rows.writeheader()
        for row, told in sorted(found.items()):
            rows.writerow({"address": row[0], "method": row[1], **before.get(row, {}), role: told})
