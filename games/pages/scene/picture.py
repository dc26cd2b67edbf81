"""A state of the rules as a picture of the drawing: seats become colours, meeples get their owners' names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from games import words
from games.drawing.board import (
    BoardPicture,
    Figure,
    LaidTile,
    Outline,
    QuarterToken,
    Resident,
    TokenFigure,
    draw_board,
    find_sprite_name,
)
from games.drawing.layers import SegmentShape, draw_axes, draw_layer, draw_recent_moves
from games.drawing.sprite import build_symbol_name
from games.models import Seat
from games.rules import Feature, Returned, Standing, State
from games.rules.geometry import get_coordinates
from games.rules.tiles import MAX_SEGMENTS, list_sets_with_tiles
from games.selectors.seats import list_seat_names


@cache
def build_sprite_addresses() -> dict[str, str]:
    """The address of the sprite of each set."""
    return {name: static(find_sprite_name(name)) for name in list_sets_with_tiles()}


@lru_cache(maxsize=10_000)
def build_tile_address(id: str, rotation: int = 0) -> str:
    """The address of the symbol that shows a tile."""
    return f"{static(find_sprite_name(id.partition('.')[0]))}#{build_symbol_name(id, rotation)}"


def laid_tiles(state: State) -> tuple[LaidTile, ...]:
    """The tiles on the board, each with the index of the copy of its kind."""
    copies: Counter[str] = Counter()
    laid = []
    for tile in state.placed:
        laid.append(LaidTile(tile.tile, tile.x, tile.y, tile.rotation, copies[tile.tile]))
        copies[tile.tile] += 1
    return tuple(laid)


def build_board_picture(
    state: State, seats: Sequence[Seat], *, last: Iterable[tuple[int, int, int]] = (), **more: Any
) -> BoardPicture:
    """The board of *state* with the colours and names of *seats*; the rest as for :func:`build_picture`."""
    return build_picture(state, [seat.look for seat in seats], list_seat_names(seats), last=last, **more)


def build_picture(
    state: State,
    looks: Sequence[int],
    names: Sequence[str],
    *,
    last: Iterable[tuple[int, int, int]] = (),
    **more: Any,
) -> BoardPicture:
    """The board of *state*; *looks* and *names* are the colours and names of the seats. *last* are the
    placements to outline, as x, y and seat, numbered where there are several; *more* goes to the picture as
    it is."""
    return BoardPicture(
        laid=laid_tiles(state),
        meeples=build_figures(state.meeples(), looks, names),
        outlines=build_outlines(last, looks, names),
        **_in_quarters(state, looks, names),
        tokens=_tokens(state),
        room=state.edges,
        **more,
    )


def build_outlines(
    last: Iterable[tuple[int, int, int]], looks: Sequence[int], names: Sequence[str]
) -> tuple[Outline, ...]:
    """The *last* placements in the colours of their seats, numbered where there are several."""
    last = list(last)
    return tuple(
        Outline(x, y, looks[seat], title=names[seat], text=str(number) if len(last) > 1 else "")
        for number, (x, y, seat) in enumerate(last, 1)
    )


def build_figures(
    meeples: Iterable[Standing | Returned], looks: Sequence[int], names: Sequence[str], *, css: str = ""
) -> tuple[Figure, ...]:
    """The *meeples* where they stand, or stood until they went home."""
    return tuple(
        Figure(
            looks[meeple.seat],
            meeple.meeple,
            meeple.x,
            meeple.y,
            meeple.on,
            meeple.side,
            title=f"{names[meeple.seat]}: {words.name_figure(meeple.meeple, meeple.on)}",
            css=css,
        )
        for meeple in meeples
    )


def _in_quarters(state: State, looks: Sequence[int], names: Sequence[str]) -> dict[str, Any]:
    """The figures in the quarters of a city, those of no seat among them; nothing if none is in play."""
    quarters = state.quarters()
    if not quarters:
        return {}
    residents = tuple(
        Resident(looks[seat], figure, quarter.name, title=f"{names[seat]}: {words.FIGURES[figure]}")
        for quarter in quarters
        for seat, figure in quarter.figures
    )
    watched = next((quarter for quarter in quarters if quarter.token), None)
    if watched is None:
        return {"residents": residents}
    title = str(words.TOKENS[watched.token].title)
    return {"residents": residents, "quarter_token": QuarterToken(watched.token, watched.name, title)}


def _tokens(state: State) -> tuple[TokenFigure, ...]:
    return tuple(
        TokenFigure(token.name, *state.board.spot(token.code), title=str(words.TOKENS[token.name].title))
        for token in state.tokens()
    )


def build_shapes(state: State, feature: Feature) -> tuple[SegmentShape, ...]:
    """The segments of *feature* as they lie on the board of *state*."""
    shapes = []
    for code in feature.segments:
        cell, index = divmod(code, MAX_SEGMENTS)
        turned = state.board.tiles[cell]
        shapes.append(SegmentShape(turned.id, index, *get_coordinates(cell), turned.rotation))
    return tuple(shapes)


LAYER = "turn-map"
"""Id of the element that lies over the board while a turn is put together."""
EMPTY_LAYER = mark_safe(f'<svg id="{LAYER}" hidden></svg>')
SMALLEST_TILE = 44
"""Minimum width of a tile, in pixels; on a narrow screen the board scrolls instead of getting smaller."""


class Map(NamedTuple):
    """The drawn board, and above all overlays the latest events and the layer for a turn; coordinates for
    pages without scripts; and the smallest size of the board, in pixels."""

    svg: SafeString
    lately: SafeString
    layer: SafeString
    axes: SafeString
    width: int
    height: int


def build_map(picture: BoardPicture, layer: SafeString) -> Map:
    """Draw *picture* under *layer*."""
    assert picture.window is not None
    left, top, right, bottom = picture.window
    return Map(
        draw_svg(replace(picture, outlines=(), gains=())),
        mark_safe(
            draw_layer("lately", picture, draw_recent_moves(picture), attributes={"aria-hidden": "true"})
        ),
        layer,
        mark_safe(draw_axes(picture.window)),
        round((right - left) * SMALLEST_TILE),
        round((bottom - top) * SMALLEST_TILE),
    )


def draw_svg(picture: BoardPicture) -> SafeString:
    return mark_safe(draw_board(picture))  # the drawing escapes what it is given


class Miniature(NamedTuple):
    """A tile as a small picture with its words."""

    address: str  # of its symbol
    words: str
    count: int = 1  # type: ignore[assignment]  # nobody counts in this tuple


def build_miniature(id: str, count: int = 1) -> Miniature:
    """The tile called *id*, as printed."""
    return Miniature(build_tile_address(id), words.describe_tile(id), count)
