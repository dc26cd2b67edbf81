"""Tests that ``verify_games`` and ``verify_draw`` find every corruption."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import play
from games.models import Game, Move, Seat, Tile
from games.play.audit import find_differences
from tests.games.factories import NOW, make_game, make_table, new_process, play_turns

pytestmark = pytest.mark.django_db


def run(command: str, *codes: str) -> tuple[bool, str]:
    out = StringIO()
    try:
        call_command(command, *codes, stdout=out)
    except CommandError as error:
        return False, out.getvalue() + str(error)
    return True, out.getvalue()


def finished(**settings: Any) -> Game:
    game = play_turns(make_game(**settings))
    play.score(game_id=game.pk, now=NOW)
    game.refresh_from_db()
    return game


def overwrite(move: Move, column: str, value: str) -> None:
    """Change a stored move behind the models' back."""
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE games_move SET {column} = %s WHERE id = %s", [value, move.pk])


def test_sound_games_pass() -> None:
    finished(seats=3)
    play_turns(make_game(bots=1), 9)
    make_table()
    assert run("verify_games") == (True, "2 games checked, 0 with differences\n")


@pytest.mark.parametrize("turn", range(3, 7))
def test_a_damaged_event_is_found_and_stops_nothing(turn: int) -> None:
    game = play_turns(make_game(), 9)
    overwrite(game.moves.get(ply=turn), "events", '[{"type": "nonsense"}]')
    assert f"move {game.moves.get(ply=turn).version}" in {
        difference.where for difference in find_differences(game)
    }


def test_an_event_that_the_rules_would_decide_otherwise_is_found() -> None:
    game = play_turns(make_game(), 9)
    move = game.moves.get(ply=5)
    overwrite(move, "events", '[{"type": "turn_passed", "seat": 1}]')
    new_process()
    ok, told = run("verify_games", game.code)
    assert not ok
    assert f"{game.code} move {move.version}: stored [{{" in told
    assert "turn_passed" in told


def test_an_action_that_the_rules_would_refuse_is_found_with_the_refusal() -> None:
    game = play_turns(make_game(), 9)
    move = game.moves.get(ply=5)
    overwrite(move, "action", json.dumps({**move.action, "at": [90, 90]}))
    [difference] = [
        difference for difference in find_differences(game) if difference.where == f"move {move.version}"
    ]
    assert str(difference.expected).startswith("refused: not_adjacent (BASE-8)")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda game: game.seats.filter(index=1).update(score=999), "seat 1 score"),
        (lambda game: game.seats.filter(index=1).update(meeples=9), "seat 1 meeples"),
        (lambda game: Game.objects.update(tiles_left=70), "tiles_left"),
        (lambda game: Game.objects.update(ply=3), "ply"),
        (lambda game: Game.objects.update(awaited=1), "awaited"),
        (lambda game: Game.objects.update(turn_version=1), "turn_version"),
        (lambda game: Tile.objects.filter(draw=4).update(x=90), "tiles placed"),
        (lambda game: Tile.objects.filter(x=None).update(discarded=True), "tiles discarded"),
    ],
)
def test_a_column_that_was_counted_wrong_is_found(change: Any, where: str) -> None:
    game = play_turns(make_game(), 8)
    assert find_differences(game) == []
    change(game)
    game.refresh_from_db()
    assert [difference.where for difference in find_differences(game)] == [where]


def test_a_wrong_rank_is_found() -> None:
    game = finished()
    Seat.objects.filter(game=game).update(rank=7)
    assert {difference.where for difference in find_differences(game)} == {"seat 0 rank", "seat 1 rank"}


def test_the_draw_of_a_finished_game_can_be_checked() -> None:
    game = finished(options={"first_player": "random"})
    assert run("verify_draw", game.code) == (True, f"{game.code}: 71 draws as the seed says\n")
    Game.objects.filter(pk=game.pk).update(seed_hash="0" * 64)
    ok, told = run("verify_draw", game.code)
    assert not ok
    assert f"{game.code}: seed 0: is {'0' * 64}" in told


def test_a_seat_that_did_not_draw_the_most_roads_is_found() -> None:
    """HR-1."""
    game = finished(options={"first_player": "most_roads"})
    assert run("verify_draw", game.code)[0]
    first, second = game.seats.order_by("index")
    for seat, sat in ((first, second.sat), (second, first.sat)):
        Seat.objects.filter(pk=seat.pk).update(sat=sat)
    ok, told = run("verify_draw", game.code)
    assert not ok
    assert f"{game.code}: first_seat 0: is {second.sat}, should be {first.sat}" in told


def test_the_draw_of_a_running_game_stays_secret() -> None:
    game = make_game()
    ok, told = run("verify_draw", game.code)
    assert not ok
    assert "secret" in told
    assert run("verify_draw", "nothing")[0] is False


def test_a_given_bag_has_nothing_to_check() -> None:
    order = [id for id, count in make_table().rules.bag[0].items() for _ in range(count)]
    game = finished(bag=order)
    assert run("verify_draw", game.code) == (
        True,
        f"{game.code}: its tiles were given, not drawn by a seed\n",
    )
