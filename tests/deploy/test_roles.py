"""Tests of `deploy/roles.sql`: the site's role writes rows, but can't truncate tables or change triggers."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

ROOT = Path(__file__).parents[2]
SQL = ROOT / "deploy" / "roles.sql"
URL = os.environ.get("DATABASE_URL", "")


pytestmark = pytest.mark.slow  # each makes all tables


@pytest.fixture
def roles() -> Iterator[dict[str, str]]:
    """A database whose tables are older than the roles; yields connection strings of the roles."""
    if not URL.startswith("postgres") or shutil.which("psql") is None:
        pytest.skip("DATABASE_URL names no PostgreSQL, or psql is not installed")
    server = URL.rpartition("/")[0]
    mark = secrets.token_hex(4)
    name, password = f"roles_{mark}", secrets.token_hex(8)
    admin = psycopg.connect(f"{server}/postgres", autocommit=True)
    admin.execute(f"CREATE DATABASE {name}")
    owner, site = f"owner_{mark}", f"site_{mark}"
    try:
        migrate(f"{server}/{name}", "accounts")
        script = SQL.read_text().replace("carcassonne_owner", owner).replace("'carcassonne'", f"'{site}'")
        script = script.replace(" carcassonne", f" {site}")
        for _ in range(2):  # again does no harm
            psql = ["psql", "--quiet", "--no-psqlrc", f"{server}/{name}"]
            done = subprocess.run(psql, input=script, text=True, capture_output=True)
            assert done.returncode == 0, done.stderr
        for role in (owner, site):
            admin.execute(f"ALTER ROLE {role} PASSWORD '{password}'")
        at = admin.info
        yield {
            kind: f"postgres://{role}:{password}@{at.host}:{at.port}/{name}"
            for kind, role in (("owner", owner), ("site", site))
        }
    finally:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        for role in (owner, site):
            admin.execute(f"DROP ROLE IF EXISTS {role}")
        admin.close()


def migrate(url: str, *to: str) -> None:
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": url, "DATA_DIR": os.environ["DATA_DIR"]}
    command = [sys.executable, "manage.py", "migrate", "-v0", *to]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_site_writes_rows_and_can_empty_no_table(roles: dict[str, str]) -> None:
    migrate(roles["owner"])  # what a release does; the rest of the tables are made by it
    with psycopg.connect(make_conninfo(roles["site"]), autocommit=True) as site:
        site.execute("INSERT INTO django_session VALUES ('a', 'b', now())")
        site.execute("DELETE FROM django_session")
        named = site.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [table for (table,) in named]
        assert len(tables) > 50
        for table in tables:
            allowed: Any = site.execute(
                "SELECT has_table_privilege(%(at)s, 'SELECT'), has_table_privilege(%(at)s, 'INSERT'),"
                " has_table_privilege(%(at)s, 'TRUNCATE')",
                {"at": table},
            ).fetchone()
            assert allowed == (True, True, False), table
        for forbidden in (
            "TRUNCATE games_moderationact CASCADE",
            "ALTER TABLE games_moderationact DISABLE TRIGGER ALL",
            "DROP TRIGGER games_moderationact_stands ON games_moderationact",
            "CREATE TABLE mine (a integer)",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site.execute(forbidden)


def test_the_doctor_says_who_may_empty_what(roles: dict[str, str]) -> None:
    migrate(roles["owner"])
    assert look(roles["site"]) == "[]"
    assert "games_moderationact" in look(roles["owner"])


def look(url: str) -> str:
    code = (
        "import django; django.setup(); from carcassonne import doctor; print(doctor.tables_to_be_emptied())"
    )
    env = {"PATH": os.environ["PATH"], "DATABASE_URL": url, "DATA_DIR": os.environ["DATA_DIR"]}
    env["DJANGO_SETTINGS_MODULE"] = "carcassonne.settings"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr
