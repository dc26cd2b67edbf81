"""Rows are written as Django would write them."""

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from games.models import Bag, Game, Move, Tile, written
from games.rules import SCHEMA
from tests.games.factories import NOW, make_game

pytestmark = pytest.mark.django_db


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
