"""Tests of the parts of the page beside the tile in hand."""

import pytest

from games.pages.parts.game_actions import GameActions

NOTHING = GameActions("abc", 0, None, (), "", 2, False, (), "", "", True, "", 0, True)


def test_where_nothing_can_be_done_nothing_is_shown() -> None:
    assert not NOTHING.shown


@pytest.mark.parametrize(
    "something",
    [
        {"come_back": ""},
        {"come_back": "You can't come back just now."},
        {"take_over": ((1, "Anna"),)},
        {"claim": "Anna"},
        {"late": True},
        {"offers": ("an offer",)},
        {"held": "A moderator has stopped the game."},
        {"paused": "tomorrow"},
        {"nudge": "Anna"},
        {"undo": 15},
    ],
    ids=lambda something: next(iter(something)),
)
def test_whatever_can_be_done_is_shown(something: dict[str, object]) -> None:
    assert NOTHING._replace(**something).shown  # type: ignore[arg-type]
