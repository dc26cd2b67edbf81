"""Tests of thumbnails of boards in lists: drawn once, cached by their content, and verified."""

import io
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client, override_settings
from PIL import Image

from games.drawing import palette
from games.models import Game
from games.pages.parts import thumbnails as kept
from games.pages.parts.thumbnails import build_thumbnail_url, load_thumbnail
from games.play import positions
from games.selectors.seats import load_seats_of
from tests.games.factories import (
    NOW,
    make_game,
    make_players,
    make_table,
    new_process,
    play_lines,
    play_turns,
)
from tests.games.play.decision_helpers import make_entering_game

pytestmark = pytest.mark.django_db

SHARED = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "shared"}


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    new_process()


@pytest.fixture
def shared(settings: Any) -> Iterator[LocMemCache]:
    """A cache that outlives a process."""
    with override_settings(CACHES={**settings.CACHES, "miniatures": SHARED}):
        caches["miniatures"].clear()
        yield caches["miniatures"]
        caches["miniatures"].clear()


@pytest.fixture
def rebuilt(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The primary keys of games whose positions were loaded."""
    asked: list[int] = []

    def ask(game: Game) -> Any:
        asked.append(game.pk)
        return positions.load_position(game)

    monkeypatch.setattr(kept, "load_position", ask)
    return asked


def drawn(game: Game) -> bytes:
    """The thumbnail of *game* as it is in the database."""
    game = Game.objects.get(pk=game.pk)
    return load_thumbnail(game, load_seats_of(game)).load_image()


def url(game: Game) -> str:
    game = Game.objects.get(pk=game.pk)
    return build_thumbnail_url(game, load_seats_of(game))


def test_the_last_turn_is_outlined_in_the_colour_of_the_seat_that_placed_the_tile() -> None:
    game = play_lines(make_entering_game(), "enter castle")  # an answer lies nowhere on the board
    placer = game.seats.get(index=1)  # who placed the tile that is the cause of the answer
    other = game.seats.get(index=0)
    bitmap = Image.open(io.BytesIO(drawn(game))).convert("RGB")

    def pixels(look: int) -> int:
        colour = palette.SEATS[look].colour
        wanted = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
        return sum(
            all(abs(one - other) < 40 for one, other in zip(pixel, wanted, strict=True))
            for pixel in bitmap.get_flattened_data()
        )

    assert pixels(placer.look) > 100
    assert pixels(other.look) < 20


def test_tables_that_have_not_begun_have_none(client: Client) -> None:
    table = make_table()
    assert url(table) == ""
    assert client.get(f"/g/{table.code}/small/any.webp").status_code == 404


def test_a_second_look_rebuilds_no_position(rebuilt: list[int]) -> None:
    game = play_turns(make_game(), 3)
    first = drawn(game)
    assert rebuilt == [game.pk]
    assert drawn(game) == first
    assert rebuilt == [game.pk]


def test_a_move_draws_its_board_anew_under_another_address(rebuilt: list[int]) -> None:
    game, other = make_game(), make_game()
    first, there = drawn(game), url(game)
    elsewhere = url(other)
    rebuilt.clear()
    play_turns(game, 1)
    assert drawn(game) != first
    assert url(game) != there
    assert url(other) == elsewhere
    assert rebuilt == [game.pk]


def test_another_process_finds_it_in_the_cache(shared: LocMemCache, rebuilt: list[int]) -> None:
    game = play_turns(make_game(), 3)
    first = drawn(game)
    new_process()
    rebuilt.clear()
    assert drawn(game) == first
    assert rebuilt == []


def test_a_new_release_draws_anew(
    shared: LocMemCache, rebuilt: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game()
    drawn(game)
    there = url(game)
    new_process()
    rebuilt.clear()
    monkeypatch.setattr(kept, "_release", lambda: "the next one")
    drawn(game)
    assert rebuilt == [game.pk]
    assert url(game) != there


def test_a_release_is_known_by_the_code_and_the_tables_of_rules_and_drawing(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept._release()
    assert before == kept._release.__wrapped__()
    (tmp_path / "new.py").write_text("a = 1")
    monkeypatch.setattr(kept.drawing, "__path__", [str(tmp_path)])
    assert kept._release.__wrapped__() != before


def test_a_database_that_was_put_back_finds_no_picture_of_what_was_taken_back(shared: LocMemCache) -> None:
    game = play_turns(make_game(), 1, now=NOW)
    drawn(game)
    there = url(game)
    new_process()
    shared_keys = len(shared._cache)
    # the same version, played later
    Game.objects.filter(pk=game.pk).update(turn_began=NOW.replace(year=2027))
    drawn(game)
    assert len(shared._cache) == shared_keys + 1
    assert url(game) != there


@pytest.mark.parametrize("lie", ["text", None, 7, b"<script>", b"RIFF but no picture", [b"RIFF", b"WEBP"]])
def test_a_cache_that_lies_is_not_believed(shared: LocMemCache, rebuilt: list[int], lie: Any) -> None:
    game = make_game()
    first = drawn(game)
    new_process()
    rebuilt.clear()
    (name,) = shared._cache
    shared._cache[name] = pickle.dumps(lie)
    assert drawn(game) == first
    assert rebuilt == [game.pk]


@pytest.mark.parametrize("broken", ["get", "set"])
def test_a_cache_that_fails_spoils_no_picture(
    shared: LocMemCache, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    game = make_game()

    def fail(*args: Any, **more: Any) -> Any:
        raise OSError("out of memory")

    monkeypatch.setattr(LocMemCache, broken, fail)
    assert drawn(game).startswith(b"RIFF")


def test_a_picture_costs_one_query_and_none_when_it_is_kept(django_assert_num_queries: Any) -> None:
    game = play_turns(make_game(), 3)
    seats = load_seats_of(game)
    new_process()
    with django_assert_num_queries(1):
        load_thumbnail(game, seats).load_image()
    with django_assert_num_queries(0):
        load_thumbnail(game, seats).load_image()


def test_browsers_keep_it_under_its_own_stamp_and_ask_again_under_another(client: Client) -> None:
    game = play_turns(make_game(), 2)
    own = client.get(url(game))
    assert own["Content-Type"] == "image/webp"
    assert own.content == drawn(game)
    assert {"private", "immutable"} <= {part.strip() for part in own["Cache-Control"].split(",")}
    before = client.get(f"/g/{game.code}/small/before.webp")  # a page that has been open for a while
    assert before.content == own.content
    assert {part.strip() for part in before["Cache-Control"].split(",")} == {"private", "no-cache"}


def test_a_private_board_is_shown_to_those_at_its_table_alone(client: Client) -> None:
    game = make_game(visibility="private")
    drawn(game)  # kept
    assert client.get(url(game)).status_code == 404
    client.force_login(make_players(1)[0])
    assert client.get(url(game)).status_code == 200


def test_it_takes_no_posts(client: Client) -> None:
    assert client.post(url(make_game())).status_code == 405
