"""Where a tile may lie, and what it may do there with figures: worked out once and looked up ever after.

What a tile may do on an empty space depends on what the space asks for, on which of the features around it
are occupied, and on the figures in hand, and on nothing else, as long as no feature meets the tile twice.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from .geometry import position
from .tiles import Deploy, Rotated, Tile

if TYPE_CHECKING:
    from .module import Module
    from .state import State

Kinds = tuple[str, frozenset[str]]
"""A figure and the kinds of features on which it may stand."""


@cache
def spots(turned: Rotated, figures: tuple[Kinds, ...]) -> tuple[tuple[int, int, Deploy], ...]:
    """Where *figures* may ever stand on *turned*: index and mask of the segment, and how it is said."""
    return tuple(
        (lie.index, lie.mask, Deploy(figure, lie.kind, lie.side))
        for figure, kinds in figures
        for lie in turned.lies
        if lie.kind in kinds
    )


class Plans(dict[int, tuple[tuple[int, Deploy | None], ...]]):
    """What one tile may do on a cell, as pairs of rotation and figure, by what is around it.

    The key is ``need << 12 | taken``: what the cell asks for, and which ports lead to occupied features.
    Empty where the tile does not fit. *claims* are the figures in hand that need a free feature.
    """

    def __init__(self, this: Tile, claims: tuple[Kinds, ...]) -> None:
        self._of = this, claims

    def __missing__(self, key: int) -> tuple[tuple[int, Deploy | None], ...]:
        this, claims = self._of
        plan: list[tuple[int, Deploy | None]] = []
        for turned in this.fits(key >> 12):
            plan.append((turned.rotation, None))
            plan += [(turned.rotation, deploy) for _, mask, deploy in spots(turned, claims) if not mask & key]
        self[key] = tuple(plan)
        return self[key]


plans = cache(Plans)


class _Ports(dict[int, tuple[int, ...]]):
    """The ports through which an empty cell with a need meets its neighbours' segments."""

    def __missing__(self, need: int) -> tuple[int, ...]:
        ports: list[int] = []
        for side in range(4):
            kind = need >> 3 * side & 7
            first, middle, last = range(3 * side, 3 * side + 3)
            if kind == 1:
                ports.append(middle)
            elif kind in (2, 4):
                ports += [first, middle, last]
            elif kind == 3:
                ports.append(first if side in (0, 1) else last)
        self[need] = tuple(ports)
        return self[need]


class _Positions(dict[int, tuple[int, int]]):
    """``position`` of each cell that was ever asked for."""

    def __missing__(self, cell: int) -> tuple[int, int]:
        self[cell] = position(cell)
        return self[cell]


PORTS_OF: Mapping[int, tuple[int, ...]] = _Ports()
POSITION: Mapping[int, tuple[int, int]] = _Positions()


def drawable(state: State) -> Collection[str]:
    """The ids that may be drawn next, in order: those of the first group of the bag that is not used up, and
    what came back from a group that was (HR-6)."""
    remaining, bag, strays = state.remaining, state.rules.bag, state.strays
    if len(bag) > 1:
        for group in bag:
            left = [id for id in group if id in remaining and id not in strays]
            if left:
                return [*left, *(id for id in strays if id in remaining)] if strays else left
    return remaining.keys()


def restricting(state: State, drawn: Tile) -> list[Module]:
    """The modules that may forbid *drawn* to lie somewhere."""
    forbidding = state.rules.asking("forbids")
    return [module for module in forbidding if module.restricts(state, drawn)] if forbidding else []


def placeable(state: State, drawn: Tile) -> bool:
    """Whether *drawn* has any legal placement (BASE-15)."""
    forbidding = restricting(state, drawn)
    if not forbidding:
        return any(map(drawn.fits, state.board.needs.values()))
    for cell, need in state.board.needs.items():
        for turned in drawn.fits(need):
            if not any(module.forbids(state, cell, turned) for module in forbidding):
                return True
    return False
