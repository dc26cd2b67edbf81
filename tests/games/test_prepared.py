"""Statements that PostgreSQL keeps prepared."""

import pytest
from django.db import connection, transaction
from django.db.utils import DataError, IntegrityError
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from games.models import Heartbeat, prepared

pytestmark = pytest.mark.django_db(transaction=True)

TWICE = "SELECT %s::bigint * 2 AS twice"


def known() -> list[str]:
    """What this connection has prepared."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements WHERE statement LIKE %s", ["%twice%"])
        return [statement for (statement,) in cursor.fetchall()]


def ask(number: int) -> int:
    with prepared.cursor() as cursor:
        cursor.execute(TWICE if connection.vendor == "postgresql" else "SELECT %s * 2", [number])
        [answer] = cursor.fetchone()
    return int(answer)


@pytest.fixture
def own_connection() -> None:
    """Nothing is known to it yet."""
    if connection.vendor != "postgresql":
        pytest.skip("only PostgreSQL keeps statements")
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")
    connection.connection._prepared.clear()


def test_a_statement_that_comes_again_is_prepared_once_whatever_its_values(own_connection: None) -> None:
    assert [ask(number) for number in (3, 4)] == [6, 8]
    assert known() == []
    assert [ask(number) for number in (5, 6, 7)] == [10, 12, 14]
    assert known() == ["SELECT $1::bigint * 2 AS twice"]


def test_the_log_of_queries_tells_what_is_prepared_too(own_connection: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert [ask(number) for number in range(5)] == [0, 2, 4, 6, 8]
    assert [query["sql"] for query in queries] == ["SELECT $1::bigint * 2 AS twice"] * 5


def test_switched_off_nothing_is_prepared(own_connection: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a pgbouncer that knows no prepared statements."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "prepare_threshold", None)
    assert [ask(number) for number in range(5)] == [0, 2, 4, 6, 8]
    assert known() == []


def test_errors_are_django_s_and_queries_are_counted(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    Heartbeat.objects.create(name="heart", at="2026-01-01T00:00Z")
    insert = "INSERT INTO games_heartbeat (name, at, reached) SELECT name, at, reached FROM games_heartbeat"
    for _ in range(4):
        with (
            pytest.raises(IntegrityError),
            transaction.atomic(),
            django_assert_num_queries(1),
            prepared.cursor() as cursor,
        ):
            cursor.execute(insert)
    if connection.vendor == "postgresql":
        with pytest.raises(DataError), prepared.cursor() as cursor:
            cursor.execute(TWICE, ["many"])
    assert ask(21) == 42, "the connection goes on"
