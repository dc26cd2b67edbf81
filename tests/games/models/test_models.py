"""Tests of constraints in the database and the models."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from games.models import CODE_ALPHABET, Game, Move, Seat, Status, Tile
from tests.games.factories import NOW, make_game, make_table, play_turns

pytestmark = pytest.mark.django_db


def broken(constraint: str, act: Any) -> None:
    """Check that the *constraint* refuses *act*. SQLite names unique constraints by their columns."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        act()
    assert constraint in str(error.value) or "UNIQUE constraint failed" in str(error.value)


def test_moves_are_written_once() -> None:
    game = play_turns(make_game(), 2)
    move = game.moves.first()
    with pytest.raises(TypeError):
        move.save()
    with pytest.raises(TypeError):
        move.delete()
    with pytest.raises(TypeError):
        Move.objects.update(seat=1)
    with pytest.raises(TypeError):
        game.moves.all().delete()
    with pytest.raises(TypeError):
        Move.objects.bulk_update([move], ["how"])
    assert game.moves.filter(pk=move.pk).update(withdrawn=NOW) == 1


def test_games_seats_and_tiles_are_never_deleted() -> None:
    game = make_game()
    for row in (game, game.seats.first()):
        with pytest.raises(TypeError):
            row.delete()
    for model in (Game, Seat, Tile):
        with pytest.raises(TypeError):
            model.objects.all().delete()


def test_players_of_games_can_not_be_deleted() -> None:
    game = make_game()
    with pytest.raises(ProtectedError):
        game.host.delete()


@pytest.mark.parametrize(
    ("constraint", "change"),
    [
        ("game_", {"status": "lost"}),
        ("game_two_to_six_seats", {"places": 1}),
        ("game_awaits_a_seat_while_played", {"awaited": 2}),
        ("game_awaits_a_seat_while_played", {"awaited": None}),
        ("game_awaits_a_seat_while_played", {"status": Status.SCORING}),
        ("game_ended_has_a_time", {"finished": NOW}),
        ("game_ply_within_version", {"ply": 9}),
        ("game_seed_hidden_while_played", {"seed": "0" * 64}),
        ("game_visibility_known", {"visibility": "secret"}),
    ],
)
def test_a_running_game_stays_consistent(constraint: str, change: dict[str, Any]) -> None:
    make_game()
    broken(constraint, lambda: Game.objects.update(**change))


def test_a_seat_has_a_player_or_a_bot_and_a_player_one_seat() -> None:
    game = make_table(seats=3)
    broken("seat_player_or_bot", lambda: game.seats.filter(index=0).update(bot="house"))
    broken("seat_one_per_player", lambda: game.seats.filter(index=1).update(player=game.host))
    broken("seat_index_under_six", lambda: game.seats.filter(index=1).update(index=6))
    broken("seat_once_per_game", lambda: game.seats.filter(index=1).update(index=0))
    game.seats.filter(index=0).update(colour="red")
    broken("seat_one_per_colour", lambda: game.seats.filter(index=1).update(colour="red"))


def test_a_move_is_one_of_its_version_and_ply() -> None:
    game = play_turns(make_game(), 2)

    def another(**fields: Any) -> None:
        Move.objects.create(game=game, action={}, schema=1, at=NOW, how="web", **fields)

    broken("move_one_per_version", lambda: another(version=2))
    broken("move_one_per_ply", lambda: another(version=9, seat=0, ply=1))
    broken("move_ply_has_a_seat", lambda: another(version=9, ply=7))
    game.moves.filter(ply=2).update(withdrawn=NOW)
    another(version=9, seat=1, ply=2)
    assert game.moves.in_force().get(ply=2).version == 9
    assert Move.objects.in_force().count() == game.moves.count() - 1


def test_one_tile_lies_in_a_cell() -> None:
    game = play_turns(make_game(), 2)
    first, second, hand = game.tiles.all()
    broken(
        "tile_one_per_cell",
        lambda: Tile.objects.filter(pk=second.pk).update(x=first.x, y=first.y),
    )
    broken("tile_lies_or_not", lambda: Tile.objects.filter(pk=hand.pk).update(x=50))
    broken("tile_lies_or_not", lambda: Tile.objects.filter(pk=first.pk).update(discarded=True))
    broken("tile_one_per_draw", lambda: Tile.objects.filter(pk=first.pk).update(draw=2))


def test_a_game_has_one_rematch_at_a_time() -> None:
    old = make_game()
    make_table(host=old.host)
    first, second = Game.objects.exclude(pk=old.pk).first(), make_table(host=old.host)
    Game.objects.filter(pk=first.pk).update(rematch_of=old)
    broken("game_one_rematch", lambda: Game.objects.filter(pk=second.pk).update(rematch_of=old))


def test_codes_are_long_and_differ() -> None:
    codes = {make_table(now=NOW + timedelta(days=day)).code for day in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 12 and set(code) <= set(CODE_ALPHABET) for code in codes)
