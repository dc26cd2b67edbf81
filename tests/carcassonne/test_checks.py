"""Tests of the system check that refuses databases from before the first release, but no newer ones."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from carcassonne.checks import check_first_release

pytestmark = pytest.mark.database
MESSAGE = "This database was made before the first release and cannot be carried over. .* and start again"


@pytest.fixture
def old_database(db: None) -> None:
    """The test database with the migrations from before ``core`` was an application."""
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("core", "0001_initial")
    recorder.record_applied("games", "0002_standing_answers")


@pytest.mark.usefixtures("old_database")
def test_migrate_refuses_an_old_database() -> None:
    with pytest.raises(CommandError, match=MESSAGE):
        call_command("migrate", skip_checks=False)


@pytest.mark.usefixtures("old_database")
def test_serve_refuses_an_old_database() -> None:
    with pytest.raises(CommandError, match=MESSAGE):
        call_command("serve", port=0)


@pytest.mark.django_db
def test_a_database_of_a_later_release_passes_so_that_a_site_can_go_back() -> None:
    MigrationRecorder(connection).record_applied("games", "0002_of_a_later_release")
    assert check_first_release(["default"]) == []
