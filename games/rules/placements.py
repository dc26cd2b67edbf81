"""Where a tile may lie, and what it may do there with figures: worked out once and looked up ever after.

What a tile may do on an empty space depends on what the space asks for, on which of the features around it
are occupied, and on the figures in hand, and on nothing else, as long as no feature meets the tile twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .actions import Recall
from .tiles import Deploy, Rotated, Shape, Tile

if TYPE_CHECKING:
    from .module import Ban
    from .state import State

Kinds = tuple[str, frozenset[str]]
"""A figure and the kinds of features on which it may stand."""


@cache
def spots(turned: Rotated, figures: tuple[Kinds, ...]) -> tuple[tuple[int, Deploy], ...]:
    """Where *figures* may ever stand on *turned*: the mask of the segment, and how it is said."""
    return tuple(
        (lie.mask, Deploy(figure, lie.kind, lie.side))
        for figure, kinds in figures
        for lie in turned.lies
        if lie.kind in kinds
    )


Figure = Deploy | Recall | None

Option = tuple[int, Figure]
"""A rotation, and what is done with figures when the tile lies so."""


Way = tuple[int, Option]
"""A mask, and what is done. The mask has the ports of the segment on which the figure stands, and the bit of
the figure: the thirteenth for the first of some figures, and so on."""


class Ways(dict[int, tuple[tuple[Way, ...], ...]]):
    """How a tile may lie on a cell, with or without one of *figures* on it, by what the cell asks for: the
    ways of each rotation that fits."""

    def __init__(self, this: Tile, figures: tuple[Kinds, ...]) -> None:
        self.this = this
        self._by_rotation = {turned: tuple(_ways(turned, figures)) for turned in this.rotations}

    def __missing__(self, need: int) -> tuple[tuple[Way, ...], ...]:
        self[need] = tuple([self._by_rotation[turned] for turned in self.this.fits(need)])
        return self[need]


def _ways(turned: Rotated, figures: Iterable[Kinds]) -> Iterator[Way]:
    """How *turned* may lie where it fits: bare first, then with each of *figures*."""
    yield 0, (turned.rotation, None)
    for index, one in enumerate(figures):
        for mask, deploy in spots(turned, (one,)):
            yield mask | 1 << 12 + index, (turned.rotation, deploy)


def in_hand(figures: Iterable[Kinds], supply: Mapping[str, int]) -> tuple[Kinds, ...]:
    """Those of *figures* that are in *supply*."""
    return tuple([kinds for kinds in figures if supply.get(kinds[0])])


def lacking(figures: Iterable[Kinds], supply: Mapping[str, int]) -> int:
    """The bits of those *figures* that are not in *supply*."""
    return sum([1 << 12 + index for index, (figure, _) in enumerate(figures) if not supply.get(figure)])


KEY = 18
"""By how many bits a need is moved in the key of a table: twelve ports, and up to six kinds of figures."""

ALL_PORTS = (1 << 12) - 1
NO_FIGURE = (1 << KEY) - 1 - ALL_PORTS
"""The bits of all figures: none is in hand."""


class Claiming(dict[int, tuple[Option, ...]]):
    """What one tile may do on a cell with figures that need a free feature.

    The key is ``need << KEY | closed``: what the cell asks for, which ports lead to occupied features, and
    the bits of the figures that are not in hand.
    """

    def __init__(self, this: Tile, figures: tuple[Kinds, ...]) -> None:
        self.ways = Ways(this, figures)

    def __missing__(self, key: int) -> tuple[Option, ...]:
        self[key] = tuple(
            [option for ways in self.ways[key >> KEY] for mask, option in ways if not mask & key]
        )
        return self[key]


class Joining(dict[int, tuple[Option, ...]]):
    """The same with *figures* that join a follower of their owner.

    The key is ``need << KEY | mine``: what the cell asks for, which ports lead to such a follower, and the
    bits of the figures that are not in hand.
    """

    def __init__(self, this: Tile, figures: tuple[Kinds, ...]) -> None:
        self.ways = Ways(this, figures)

    def __missing__(self, key: int) -> tuple[Option, ...]:
        mine, out = key & ALL_PORTS, key & NO_FIGURE
        self[key] = tuple(
            [
                option
                for ways in self.ways[key >> KEY]
                for mask, option in ways
                if mask & mine and not mask & out
            ]
        )
        return self[key]


_claiming, _joining = cache(Claiming), cache(Joining)
_ALIKE: dict[Shape, Tile] = {}


def claiming(this: Tile, figures: tuple[Kinds, ...]) -> Claiming:
    """The table for *this*, which is that of every tile of its shape."""
    return _claiming(_ALIKE.setdefault(this.shape, this), figures)


def joining(this: Tile, figures: tuple[Kinds, ...]) -> Joining:
    """The table for *this*, which is that of every tile of its shape."""
    return _joining(_ALIKE.setdefault(this.shape, this), figures)


Around = tuple[int, int, tuple[int, ...]]
"""What an empty cell meets, as masks of its ports: those to occupied features, those to a follower of the
seat on turn, and for each feature that is met more than once, those to it; as far as it matters."""


def free(twice: Iterable[int], settled: int) -> tuple[int, ...]:
    """Those features met *twice*, as masks, that do not lead to the *settled* ports."""
    return tuple([mask for mask in twice if not mask & settled])


def closely(turned: Rotated, claims: Iterable[Way], joins: Iterable[Way], around: Around) -> list[Option]:
    """The same for one rotation, where no table will do because it meets a feature twice.

    *claims* and *joins* are the ways of that rotation. The masks of *around* have the bits of the figures
    besides that are not in hand.
    """
    taken, mine, twice = around
    closed = spread(turned, taken, twice)
    found = [option for mask, option in claims if not mask & closed]
    if mine & ALL_PORTS:
        own, out = spread(turned, mine & ALL_PORTS, twice), mine & NO_FIGURE
        found += [option for mask, option in joins if mask & own and not mask & out]
    return found


@lru_cache(1 << 10)
def leaving(bare: tuple[Option, ...], recalls: tuple[Recall, ...]) -> tuple[Option, ...]:
    """Each of *recalls* in each rotation of the *bare* options."""
    return tuple([(rotation, recall) for rotation, _ in bare for recall in recalls])


def deploys(
    turned: Rotated, claims: tuple[Kinds, ...], joins: tuple[Kinds, ...], around: Around
) -> list[Deploy]:
    """What figures in hand may be put on *turned*, whatever is *around* it (BASE-17, BASE-18, TB-4)."""
    taken, mine, twice = around
    closed, own = spread(turned, taken, twice), spread(turned, mine, twice)
    return [
        *(deploy for mask, deploy in spots(turned, claims) if not mask & closed),
        *(deploy for mask, deploy in spots(turned, joins) if mask & own),
    ]


@lru_cache(1 << 14)
def spread(turned: Rotated, ports: int, twice: tuple[int, ...]) -> int:
    """*ports*, and those that come to lead to the same features once *turned* lies there: a segment that
    touches a feature met more than once is one with whatever else touches it. All are masks of ports.

    Rules: FAQ-40 to FAQ-42.
    """
    before = 0
    while twice and ports != before:
        before = ports
        for lie in turned.lies:
            if lie.mask & ports:
                for met in twice:
                    if lie.mask & met:
                        ports |= met
    return ports


def drawable(state: State) -> Collection[str]:
    """The ids that may be drawn next, in order: those of the first group of the bag that is not used up, and
    what came back from a group that was (HR-6)."""
    remaining, strays = state.remaining, state.strays
    for group in state.rules.bag if strays else state.rules.bag[:-1]:
        if group.keys().isdisjoint(remaining.keys()):
            continue
        left = [id for id in group if id in remaining and id not in strays]
        if left:
            return [*left, *(id for id in strays if id in remaining)] if strays else left
    return remaining.keys()


def bans(state: State, drawn: Tile) -> list[Ban]:
    """What forbids *drawn* to lie somewhere."""
    asked = state.rules.asking("forbids")
    if not asked:
        return []
    return [ban for module in asked if (ban := module.forbids(state, drawn)) is not None]


def allowed(cell: int, fitting: Sequence[Rotated], bans: Iterable[Ban]) -> Sequence[Rotated]:
    """Those of the *fitting* rotations that none of *bans* forbids on *cell*."""
    for ban in bans:
        fitting = [turned for turned in fitting if ban(cell, turned) is None]
    return fitting


def placeable(state: State, drawn: Tile) -> bool:
    """Whether *drawn* has any legal placement (BASE-15)."""
    forbidding, needs = bans(state, drawn), state.board.needs
    if not forbidding:
        return any(map(drawn.fits, needs.values()))
    return any(allowed(cell, drawn.fits(need), forbidding) for cell, need in needs.items())
