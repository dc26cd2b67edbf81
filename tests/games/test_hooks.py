"""Tests of the hook for ended games, called after the commit."""

from typing import Any

import pytest

from games import hooks, play
from games.models import Game
from tests.games.factories import NOW, make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    ended: list[int] = []
    monkeypatch.setitem(hooks.ENDED_GAMES._values, "test", ended.append)
    return ended


def test_an_end_is_told_after_the_commit(heard: list[int], django_capture_on_commit_callbacks: Any) -> None:
    game = make_game()
    with django_capture_on_commit_callbacks(execute=True):
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert heard == []
    assert heard == [game.pk]
    assert Game.objects.get(pk=game.pk).ended


def test_who_fails_keeps_it_from_nobody_else(
    heard: list[int],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(game: int) -> None:
        raise ValueError(game)

    others = {"broken": fail, **hooks.ENDED_GAMES._values}
    monkeypatch.setattr(hooks.ENDED_GAMES, "_values", others)
    game = make_game()
    with django_capture_on_commit_callbacks(execute=True):
        play.resign(game_id=game.pk, seat=0, now=NOW)
    assert heard == [game.pk]
    assert f"fail failed for game {game.pk}" in caplog.text
