"""Tests of the parts of the page beside the tile in hand."""

import pytest

from games.pages.parts.game_actions import GameActions, SeatAction, Undo

NOTHING = GameActions("", (), None, "", 2, False, (), "", "", "", "/offers/", None, None, "/desk/")


def test_where_nothing_can_be_done_nothing_is_shown() -> None:
    assert not NOTHING.shown


@pytest.mark.parametrize(
    "something",
    [
        {"come_back": "/back/"},
        {"take_over": (SeatAction("/seat/", "Anna", 1),)},
        {"claim": SeatAction("/claim/", "Anna", 1)},
        {"late": True},
        {"offers": ("an offer",)},
        {"held": "A moderator has stopped the game."},
        {"paused": "tomorrow"},
        {"nudge": SeatAction("/nudge/", "Anna", 1)},
        {"undo": Undo("/undo/", 15)},
    ],
    ids=lambda something: next(iter(something)),
)
def test_whatever_can_be_done_is_shown(something: dict[str, object]) -> None:
    assert NOTHING._replace(**something).shown  # type: ignore[arg-type]
