"""Rows are written as Django would write them."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Bag, Game, Move, Note, Seat, Tile, written
from games.rules import SCHEMA
from tests.games.factories import NOW, make_game, make_player

pytestmark = pytest.mark.django_db

ODD = NOW + timedelta(microseconds=1)
CHANGES: list[dict[str, Any]] = [
    {
        "name": "Zoë's {game}, 'so called' \\ %s",
        "deadline": ODD,
        "floors": [[ODD.isoformat(), "x"]],
        "seed": "",
    },
    {"name": "", "deadline": None, "floors": [], "calendar": None, "tiles_left": 7},
    {"name": "NULL", "deadline": NOW, "stops": [["a", None, 'b"\\,{}']], "calendar": {"é": [1, None]}},
]


def some_move(game: Game, version: int) -> Move:
    return Move(
        game=game,
        version=version,
        action={"type": "drawn", "tile": "base.E", "who": "Ægir"},
        events=[{"x": None}],
        schema=SCHEMA,
        at=NOW,
        how="task",
    )


def test_rows_are_read_back_as_they_were_written() -> None:
    game = make_game()
    moves = [some_move(game, 100), some_move(game, 101)]
    written.insert(moves)
    for move in moves:
        found = Move.objects.get(version=move.version)
        assert found == move
        assert [getattr(found, field.attname) for field in Move._meta.concrete_fields] == [
            getattr(move, field.attname) for field in Move._meta.concrete_fields
        ]
        assert not move._state.adding


def test_many_rows_are_written_in_several_statements() -> None:
    game = make_game()
    moves = [some_move(game, 100 + number) for number in range(200)]
    written.insert(moves)
    stored = dict(Move.objects.filter(version__gte=100).values_list("version", "pk"))
    assert stored == {move.version: move.pk for move in moves}


def test_nothing_is_written_of_no_rows(django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        written.insert([])


def test_a_row_that_is_there_is_refused() -> None:
    game = make_game()
    with pytest.raises(IntegrityError), transaction.atomic():
        written.insert([some_move(game, 1)])


def test_a_row_that_is_there_gets_what_is_new() -> None:
    game = make_game()
    before = game.tiles.get(draw=1)
    again = Tile(game=game, draw=1, kind="base.V", x=5, y=-3, rotation=90)
    written.insert([again], known_by=("game", "draw"), update=("x", "y", "rotation"))
    after = game.tiles.get(draw=1)
    assert (after.pk, after.kind) == (before.pk, before.kind)
    assert (after.x, after.y, after.rotation) == (5, -3, 90)


def test_the_fields_that_are_named_are_updated_and_no_others() -> None:
    game = make_game()
    name, game.name, game.tiles_left, game.floors = game.name, "Another", 7, [["2026-03-01", "hold"]]
    written.update(game, ["tiles_left", "floors"])
    found = Game.objects.get(pk=game.pk)
    assert (found.name, found.tiles_left, found.floors) == (name, 7, [["2026-03-01", "hold"]])


def test_a_row_that_is_not_there_can_not_be_updated() -> None:
    game = make_game()
    game.pk = 0
    with pytest.raises(DatabaseError):
        written.update(game, ["tiles_left"])
    with pytest.raises(DatabaseError):
        written.update(Bag(game=game), ["order"])


# ---------------------------------------------------------------- many rows at once


def test_every_kind_of_value_is_written_to_its_row() -> None:
    games = [make_game() for _ in CHANGES]
    names = sorted({name for change in CHANGES for name in change})
    for game, change in zip(games, CHANGES, strict=True):
        for name, value in change.items():
            setattr(game, name, value)
    untouched = Game.objects.get(pk=games[0].pk).version
    games[0].version = 99
    written.update_all(games, names)
    for game in games:
        found = Game.objects.get(pk=game.pk)
        assert {name: getattr(found, name) for name in names} == {name: getattr(game, name) for name in names}
    assert Game.objects.get(pk=games[0].pk).version == untouched


def test_spans_and_references_are_written() -> None:
    seats = list(make_game().seats.order_by("index"))
    seats[0].bank, seats[1].bank = timedelta(days=2, microseconds=3), timedelta()
    seats[0].player, seats[0].bot = None, "house"
    seats[1].player = make_player("Zoe")
    written.update_all(seats, ["bank", "player", "bot"])
    found = list(Seat.objects.filter(game=seats[0].game_id).order_by("index"))
    assert [(seat.bank, seat.player_id, seat.bot) for seat in found] == [
        (seat.bank, seat.player_id, seat.bot) for seat in seats
    ]


def test_others_and_rows_that_are_gone_stay_as_they_are() -> None:
    game = make_game()
    gone, kept, other = (
        Note.objects.create(game=game, player=game.host, ply=ply, text="before", at=NOW) for ply in range(3)
    )
    gone.text = kept.text = "after"
    Note.objects.filter(pk=gone.pk).delete()
    written.update_all([gone, kept], ["text"])
    assert dict(Note.objects.values_list("pk", "text")) == {kept.pk: "after", other.pk: "before"}


def test_nothing_is_updated_of_no_rows(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        written.update_all([], ["name"])


def test_a_name_that_is_no_column_is_refused() -> None:
    with pytest.raises(KeyError):
        written.update_all([make_game()], ["seats"])


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_one_statement_writes_all_rows() -> None:
    games = [make_game() for _ in range(3)]
    with CaptureQueriesContext(connection) as queries:
        written.update_all(games, ["name", "deadline"])
    assert len(queries) == 1
