"""Tests that turns and pages are right with caches that are gone, forgetful, full of rubbish, or broken."""

from typing import Any

import pytest
from django.core.cache.backends.base import BaseCache
from django.utils import timezone

from games.models import Game
from games.pages.parts.thumbnails import build_thumbnail_url
from games.play import positions
from games.play.audit import find_differences
from games.play.move_cache import FIELDS, load_last_moves
from games.selectors.seats import load_seats_of
from tests.games.factories import heart_beats, make_game, new_process, play_turns
from tests.games.visitors import awaited, first_line, signed_in, url
from tests.html import Page

SHARED = ("default", "flags", "miniatures", "searches")
"""Caches outside the memory of the process that asks them."""


class Forgetful(BaseCache):
    """Cache that accepts everything, and keeps nothing."""

    answer: Any = None

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, _key: Any, default: Any = None, version: Any = None) -> Any:
        return self.answer

    def add(self, *_args: Any, **_kwargs: Any) -> bool:
        return True

    def set(self, *_args: Any, **_kwargs: Any) -> None:
        pass

    def delete(self, *_args: Any, **_kwargs: Any) -> bool:
        return True


class Lying(Forgetful):
    """Cache that returns values that were never set, and refuses to add any."""

    answer = b"RIFF, but no picture"

    def add(self, *_args: Any, **_kwargs: Any) -> bool:
        return False


class Broken(Forgetful):
    """Cache that raises an unexpected error."""

    def get(self, *_args: Any, **_kwargs: Any) -> Any:
        raise RuntimeError("the cache is broken")

    add = set = delete = get


@pytest.fixture(params=["gone", Forgetful, Lying, Broken], ids=str)
def caches(request: pytest.FixtureRequest, settings: Any) -> None:
    """Shared caches with some fault."""
    kind = request.param
    backend = (
        "django.core.cache.backends.dummy.DummyCache" if kind == "gone" else f"{__name__}.{kind.__name__}"
    )
    settings.CACHES = {
        name: {"BACKEND": backend} if name in SHARED else cache for name, cache in settings.CACHES.items()
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("caches")
def test_turns_are_played_and_shown_without_a_cache_that_can_be_trusted() -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(now=timezone.now(), visibility="public"), 6, now=timezone.now())
    for turn in range(4):
        if turn % 2:
            new_process()
        game.refresh_from_db()
        client, version = awaited(game), game.version
        data = {"line": first_line(game), "version": version}
        assert client.post(url(game, "play"), data).status_code == 302
        game.refresh_from_db()
        assert game.version > version and find_differences(game) == []
        assert Page(client.get(url(game))).one("#to")["max"] == str(game.ply)
        assert client.get(build_thumbnail_url(game, load_seats_of(game)))["Content-Type"] == "image/webp"
        assert game.name in Page(signed_in("Anna").get("/games/")).text(".card.game h3")


@pytest.mark.django_db(transaction=True)
def test_what_a_turn_leaves_in_memory_is_what_a_process_without_memory_reads() -> None:
    heart_beats(timezone.now())
    for rules in (
        {"seats": 2},
        {"seats": 3, "sets": ["base", "inns-and-cathedrals", "traders-and-builders"]},
    ):
        game = play_turns(make_game(now=timezone.now(), **rules), 25, now=timezone.now())
        load_last_moves(game, 10)
        game = play_turns(Game.objects.get(pk=game.pk), 12, now=timezone.now())
        game = Game.objects.get(pk=game.pk)
        state, moves = positions.load_position(game).state, load_last_moves(game, 20)
        new_process()
        assert positions.load_position(game).state == state
        assert load_last_moves(game, 20) == moves
        assert list(moves) == list(game.moves.order_by("version").values(*FIELDS))[-20:]


@pytest.mark.django_db(transaction=True)
def test_moves_that_were_taken_back_are_not_remembered() -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(now=timezone.now()), 5, now=timezone.now())
    load_last_moves(game, 10)
    anna = awaited(game)
    seat = game.seats.get(index=game.awaited)
    seat.player.undo_seconds = 30
    seat.player.save()
    data = {"line": first_line(game), "version": game.version}
    anna.post(url(game, "play"), data)
    assert anna.post(url(game, "undo")).status_code == 302
    game.refresh_from_db()
    moves = load_last_moves(game, 10)
    new_process()
    assert load_last_moves(game, 10) == moves
    assert moves[-1]["action"]["type"] == "undo"
