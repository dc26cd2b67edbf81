"""Other applications hear of a game that has ended, after the commit."""

from collections.abc import Iterator

import pytest

from games import play
from games.models import Game
from games.signals import game_ended
from tests.games.factories import NOW, make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard() -> Iterator[list[int]]:
    ended: list[int] = []

    def hear(game: int, **kwargs: object) -> None:
        ended.append(game)

    game_ended.connect(hear)
    yield ended
    game_ended.disconnect(hear)


def test_an_end_is_told_after_the_commit(
    heard: list[int], django_capture_on_commit_callbacks: object
) -> None:
    game = make_game()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert heard == []
    assert heard == [game.pk]
    assert Game.objects.get(pk=game.pk).ended
