"""The small pictures of boards in lists: drawn once, kept by what they come from, not taken on trust."""

import pickle
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.db.models import QuerySet
from django.test import override_settings

from games.drawing import palette
from games.models import Game
from games.pages.parts import miniatures as kept
from games.pages.parts.miniatures import miniatures
from games.play import positions
from games.selectors import lists
from tests.games.factories import (
    NOW,
    copy_game,
    make_game,
    make_players,
    make_table,
    new_process,
    play_lines,
    play_turns,
)
from tests.games.play.test_decisions import entering

pytestmark = pytest.mark.django_db

SHARED = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "shared"}


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    new_process()


@pytest.fixture
def shared(settings: Any) -> Iterator[LocMemCache]:
    """A cache that outlives the memory of a process."""
    with override_settings(CACHES={**settings.CACHES, "miniatures": SHARED}):
        caches["miniatures"].clear()
        yield caches["miniatures"]
        caches["miniatures"].clear()


@pytest.fixture
def rebuilt(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The games whose positions were asked for, by primary key."""
    asked: list[int] = []

    def ask(games: list[Game]) -> dict[int, Any]:
        asked.extend(game.pk for game in games)
        return positions.positions(games)

    monkeypatch.setattr(kept, "positions", ask)
    return asked


def drawn(games: QuerySet[Game] | None = None) -> dict[int, str]:
    """The boards of *games*, or all, as a list of Anna's shows them."""
    found = Game.objects.order_by("pk") if games is None else games
    return {**miniatures(lists.table_lines(found, make_players(1)[0], NOW))}


def test_a_board_is_drawn_with_its_last_turn_outlined_in_the_colour_of_the_seat() -> None:
    game = play_lines(entering(), "enter castle")  # an answer lies nowhere on the board
    svg = drawn()[game.pk]
    (outline,) = re.findall(r"<rect [^>]*>", svg)
    seat = game.seats.get(index=1)  # who placed the tile that is the cause of the answer
    assert 'x="10" y="-30"' in outline
    assert f'stroke="{palette.SEATS[seat.look].colour}"' in outline


def test_tables_that_have_not_begun_have_none() -> None:
    make_table()
    assert drawn() == {}


def test_a_second_look_rebuilds_no_position(rebuilt: list[int]) -> None:
    games = [make_game(), play_turns(make_game(), 3)]
    first = drawn()
    assert sorted(rebuilt) == [game.pk for game in games]
    rebuilt.clear()
    assert drawn() == first
    assert rebuilt == []


def test_a_move_draws_its_board_anew_and_no_other(rebuilt: list[int]) -> None:
    game, other = make_game(), make_game()
    first = drawn()
    rebuilt.clear()
    play_turns(game, 1)
    second = drawn()
    assert rebuilt == [game.pk]
    assert second[game.pk] != first[game.pk]
    assert second[other.pk] == first[other.pk]


def test_another_process_finds_it_in_the_cache_with_one_question(
    shared: LocMemCache, rebuilt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_game(play_turns(make_game(), 3), 5)
    first = drawn()
    new_process()
    rebuilt.clear()
    asked: list[list[str]] = []
    get_many = LocMemCache.get_many

    def count(cache: LocMemCache, keys: Any, *args: Any, **more: Any) -> Any:
        asked.append(list(keys))
        return get_many(cache, keys, *args, **more)

    monkeypatch.setattr(LocMemCache, "get_many", count)
    assert drawn() == first
    assert drawn() == first  # from memory: the cache is asked no more
    assert rebuilt == []
    assert [len(keys) for keys in asked] == [6]


def test_a_new_release_draws_anew(
    shared: LocMemCache, rebuilt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game()
    drawn()
    new_process()
    rebuilt.clear()
    monkeypatch.setattr(kept, "_release", lambda: "the next one")
    drawn()
    assert rebuilt == [game.pk]


def test_a_release_is_known_by_the_code_and_the_tables_of_rules_and_drawing(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept._release()
    assert before == kept._release.__wrapped__()
    (tmp_path / "new.py").write_text("a = 1")
    monkeypatch.setattr(kept.drawing, "__path__", [str(tmp_path)])
    assert kept._release.__wrapped__() != before


def test_a_database_that_was_put_back_finds_no_picture_of_what_was_taken_back(shared: LocMemCache) -> None:
    game = make_game()
    played = play_turns(game, 1, now=NOW)
    one = drawn()[game.pk]
    new_process()
    Game.objects.filter(pk=game.pk).update(
        turn_began=NOW.replace(year=2027)
    )  # the same version, played later
    shared_keys = len(shared._cache)
    assert drawn()[game.pk] == one
    assert played.version == Game.objects.get(pk=game.pk).version
    assert len(shared._cache) == shared_keys + 1


@pytest.mark.parametrize("lie", [b"bytes", None, 7, "<script>", "<svg cut off", ["<svg ", "</svg>"]])
def test_a_cache_that_lies_is_not_believed(shared: LocMemCache, rebuilt: list[int], lie: Any) -> None:
    game = make_game()
    first = drawn()
    new_process()
    rebuilt.clear()
    (name,) = shared._cache
    shared._cache[name] = pickle.dumps(lie)
    assert drawn() == first
    assert rebuilt == [game.pk]


@pytest.mark.parametrize("broken", ["get_many", "set_many"])
def test_a_cache_that_fails_spoils_no_list(
    shared: LocMemCache, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    game = make_game()

    def fail(*args: Any, **more: Any) -> Any:
        raise OSError("out of memory")

    monkeypatch.setattr(LocMemCache, broken, fail)
    assert drawn()[game.pk].startswith("<svg ")


def test_boards_cost_one_query_and_none_when_they_are_kept(django_assert_num_queries: Any) -> None:
    copy_game(play_turns(make_game(), 3), 11)
    lines = lists.table_lines(Game.objects.prefetch_related(lists.SEATED), make_players(1)[0], NOW)
    new_process()
    with django_assert_num_queries(1):
        assert len(miniatures(lines)) == 12
    with django_assert_num_queries(0):
        miniatures(lines)
