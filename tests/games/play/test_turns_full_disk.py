"""Tests of turns on a full disk: none is half-written, and each can be played once there is room again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection
from django.utils import timezone

from games import play
from games.models import Game
from games.play.audit import find_differences
from tests.games.factories import heart_beats, make_game, play_turns, some_action

WRITTEN = ("Move", "Tile", "Bag", "Seat", "Game", "Notice")  # by a turn
FAILURES = 4  # each with a little more room, so that another statement fails


def read_rows() -> list[Any]:
    return [list(apps.get_model("games", name).objects.order_by("pk").values()) for name in WRITTEN]


def take_turn(game: Game) -> Game:
    game.refresh_from_db()
    now = timezone.now()
    return play.play(
        game_id=game.pk,
        seat=game.awaited or 0,
        action=some_action(game),
        expected_version=game.version,
        now=now,
    )


def check_failed_turn(game: Game, name: str = "") -> None:
    before = read_rows()
    with pytest.raises(DatabaseError, match="full"):
        take_turn(game)
    assert read_rows() == before, name
    game.refresh_from_db()
    assert find_differences(game) == [], name


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the database have no page left; its file is real, and so is the error."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler (bytes BLOB)")
        cursor.execute("PRAGMA page_count")
        (pages,) = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages + FAILURES}")
        with suppress(DatabaseError):
            while True:
                cursor.execute("INSERT INTO filler VALUES (zeroblob(4000))")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA max_page_count = {2**30}")
            cursor.execute("DROP TABLE filler")


def make_room() -> None:
    """Free a page."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM filler WHERE rowid = (SELECT MAX(rowid) FROM filler)")


@pytest.mark.django_db(transaction=True)
def test_a_turn_on_a_full_disk_is_there_or_not_and_works_once_there_is_room() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("limits the pages of SQLite")
    game = play_turns(make_game(now=timezone.now()), 30, now=timezone.now())
    failed = 0
    with full_disk():
        for _ in range(40):
            before, ply = read_rows(), game.ply
            try:
                game = take_turn(game)
            except DatabaseError as error:
                assert "full" in str(error)
                assert read_rows() == before
                failed += 1
                if failed == FAILURES:
                    break
                make_room()
            else:
                assert game.ply == ply + 1, "what was free in its pages was enough"
    assert failed == FAILURES
    assert take_turn(game).ply == game.ply + 1
    game.refresh_from_db()
    assert find_differences(game) == []


@pytest.mark.django_db(transaction=True)
def test_a_turn_that_the_server_has_no_room_for_is_not_there_whichever_row_it_was() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("lets PostgreSQL raise the error of a full disk")
    game = play_turns(make_game(now=timezone.now()), 4, now=timezone.now())
    heart_beats(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION find_no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file: disk full' USING ERRCODE = 'disk_full'; END $$"
        )
        try:
            for name in WRITTEN:
                table = apps.get_model("games", name)._meta.db_table
                cursor.execute(
                    f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table}"
                    " FOR EACH ROW EXECUTE FUNCTION find_no_room()"
                )
                check_failed_turn(game, name)
                cursor.execute(f"DROP TRIGGER no_room ON {table}")
                game = take_turn(game)
        finally:
            cursor.execute("DROP FUNCTION find_no_room() CASCADE")
    assert game.ply == 4 + len(WRITTEN)
    assert find_differences(game) == []
