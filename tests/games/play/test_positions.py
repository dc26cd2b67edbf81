"""Tests that positions equal the stored events, from any cache."""

from collections.abc import Iterator
from typing import Any

import pytest

from games import rules
from games.models import Game
from games.play import move_cache, positions
from games.selectors.moves import enough, load_recent_moves
from tests.games.factories import NOW, make_game, new_process, play_turns

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    new_process()
    yield
    new_process()


def rebuilt(game: Game, version: int) -> rules.State:
    """The position of *game* rebuilt from all its events in force."""
    stored = game.moves.in_force().filter(version__lte=version).order_by("version")
    return rules.Game.rebuild(game.rules, [move.events for move in stored]).state


def played_on(turns: int = 4) -> tuple[int, Game]:
    """Cache a position, play so many turns, and return the cached version with the game."""
    game = play_turns(make_game(), 5)
    new_process()
    before = positions.load_position(game)
    after = play_turns(game, turns)
    new_process()
    positions.remember(game.code, game.version, before)
    return game.version, after


def test_what_others_have_played_since_is_put_on_top_of_what_is_remembered(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    since, game = played_on()
    monkeypatch.setattr(positions, "_moves", None)  # all moves are not asked for
    with django_assert_num_queries(1):
        position = positions.load_position(game)
    assert game.version > since
    assert position.state == rebuilt(game, game.version)
    assert position.legal_actions().placements == rules.Game(position.state).legal_actions().placements


def test_moves_played_since_join_those_that_were_remembered(django_assert_num_queries: Any) -> None:
    since, game = played_on()
    game.version, now = since, game.version
    move_cache.load_last_moves(game, 8)
    game.version = now
    with django_assert_num_queries(1):
        positions.load_position(game)
        told = move_cache.load_last_moves(game, 8)
    new_process()
    assert told == move_cache.load_last_moves(game, 8) and told[-1]["version"] == now


def test_the_last_moves_come_with_a_position_that_is_read_as_a_whole(django_assert_num_queries: Any) -> None:
    _since, game = played_on()
    new_process()
    with django_assert_num_queries(1):
        told = load_recent_moves(game)
        positions.load_position(game)
    new_process()
    assert told == move_cache.load_last_moves(game, enough(game, None))


def test_an_older_position_is_not_made_from_a_later_one() -> None:
    since, game = played_on()
    assert positions.load_position_at(game, since - 1).state == rebuilt(game, since - 1)
    assert positions.load_position_at(game, game.version).state == rebuilt(game, game.version)


def test_nothing_is_put_on_top_of_a_move_that_was_withdrawn() -> None:
    since, game = played_on()
    for version in range(since, game.version + 1):
        game.moves.filter(version=version).update(withdrawn=NOW)
    assert positions.load_position(game).state == rebuilt(game, game.version)
    assert (
        positions.load_position(game).state.board == positions.load_position_at(game, since - 1).state.board
    )


def test_moves_that_came_later_and_were_withdrawn_are_left_out(django_assert_num_queries: Any) -> None:
    since, game = played_on()
    game.moves.filter(version__gt=since).update(withdrawn=NOW)
    before = positions.load_position_at(game, since).state
    with django_assert_num_queries(1):
        assert positions.load_position(game).state == before


def test_a_game_that_is_not_remembered_is_asked_for_once(django_assert_num_queries: Any) -> None:
    _since, game = played_on()
    new_process()
    with django_assert_num_queries(1):
        position = positions.load_position(game)
    assert position.state == rebuilt(game, game.version)


def test_each_of_many_games_is_remembered_however_often_it_goes_on() -> None:
    """Else few are that are played by turns: each is looked up at one version and kept at the next."""
    codes = [f"game{number}" for number in range(positions.MOST)]
    position = rules.Game.new(make_game().rules)
    for version in range(1, 4):
        for code in codes:
            assert version == 1 or positions.is_cached(Game(code=code, version=version - 1))
            positions.remember(code, version, position)
    games = [Game(code=code, version=3) for code in codes]
    assert all(map(positions.is_cached, games))
    assert not positions.is_cached(Game(code=codes[0], version=2))


def test_an_earlier_position_takes_no_later_ones_place() -> None:
    since, game = played_on()
    now = positions.load_position(game)
    before = positions.load_visible_position(game, since - 1, None)
    assert positions.load_position(game) is now
    assert positions.load_visible_position(game, since - 1, None) is before
