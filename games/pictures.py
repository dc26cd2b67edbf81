"""A state of the rules as a picture of the drawing: seats become colours, meeples get their owners' names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django.templatetags.static import static

from games import words
from games.drawing.board import BoardPicture, Figure, LaidTile, Outline, sprite_name
from games.drawing.sprite import symbol
from games.models import Seat
from games.names import seat_names
from games.rules import State
from games.rules.tiles import sets_with_tiles


def sprites() -> dict[str, str]:
    """The address of the sprite of each set."""
    return {name: static(sprite_name(name)) for name in sets_with_tiles()}


def tile_address(id: str, rotation: int = 0) -> str:
    """The address of the symbol that shows a tile."""
    return f"{static(sprite_name(id.partition('.')[0]))}#{symbol(id, rotation)}"


def laid_tiles(state: State) -> tuple[LaidTile, ...]:
    """The tiles on the board, each told which copy of its kind it is."""
    copies: Counter[str] = Counter()
    laid = []
    for one in state.placed:
        laid.append(LaidTile(one.tile, one.x, one.y, one.rotation, copies[one.tile]))
        copies[one.tile] += 1
    return tuple(laid)


def board_picture(
    state: State, seats: Sequence[Seat], *, last: Iterable[tuple[int, int, int]] = (), **more: Any
) -> BoardPicture:
    """The board of *state*. *last* are the placements to outline, as x, y and seat; *more* goes to the
    picture as it is."""
    names = seat_names(seats)
    return BoardPicture(
        laid=laid_tiles(state),
        meeples=tuple(
            Figure(
                seats[one.seat].look,
                one.meeple,
                one.x,
                one.y,
                one.on,
                one.side,
                title=f"{names[one.seat]}: {words.figure(one.meeple, one.on)}",
            )
            for one in state.meeples()
        ),
        outlines=tuple(Outline(x, y, seats[seat].look, title=names[seat]) for x, y, seat in last),
        **more,
    )
