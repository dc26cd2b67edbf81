"""The placements of a tile, and the options with figures there, computed once and then looked up.

The options on an empty space depend only on the needs of the space, on which of the features around it are
occupied, and on the figures in hand, as long as no feature meets the tile twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .actions import Recall
from .tiles import Deploy, Rotated, Shape, Tile

if TYPE_CHECKING:
    from .module import Ban
    from .state import State

FigureKinds = tuple[str, frozenset[str]]
"""A figure and the kinds of features on which it may stand."""

Figure = Deploy | Recall | None
"""Action on figures when a tile is placed: one is put down, one taken back, or nothing."""

Option = tuple[int, Figure]
"""Rotation of the tile, and the action on figures when it lies so."""

NEED_SHIFT = 18
"""Bits by which a need is shifted in the key of a table: twelve ports, and up to six kinds of figures."""

ALL_PORTS = (1 << 12) - 1
NO_FIGURE_IN_HAND = (1 << NEED_SHIFT) - 1 - ALL_PORTS
"""The bits of all figures."""


def list_in_hand(figures: Iterable[FigureKinds], supply: Mapping[str, int]) -> tuple[FigureKinds, ...]:
    """Return those of *figures* that are in *supply*."""
    return tuple([kinds for kinds in figures if supply.get(kinds[0])])


def find_bits_not_in_hand(figures: Iterable[FigureKinds], supply: Mapping[str, int]) -> int:
    """The bits of those *figures* that are not in *supply*: the thirteenth for the first, and so on."""
    return sum([1 << 12 + index for index, (figure, _) in enumerate(figures) if not supply.get(figure)])


@cache
def list_figure_spots(turned: Rotated, figures: tuple[FigureKinds, ...]) -> tuple[tuple[int, Deploy], ...]:
    """Return where *figures* may ever stand on *turned*: the segment's ports as a mask, and the action."""
    return tuple(
        (lie.mask, Deploy(figure, lie.kind, lie.side))
        for figure, kinds in figures
        for lie in turned.lies
        if lie.kind in kinds
    )


MaskedOption = tuple[int, Option]
"""Mask of what an option uses, the ports of the segment on which the figure stands and the bit of the figure,
and the option."""


class FittingOptions(dict[int, tuple[tuple[MaskedOption, ...], ...]]):
    """The options of one tile and some *figures* by the need of a cell, if all figures were in hand and all
    features free: the options of each rotation that fits."""

    def __init__(self, this: Tile, figures: tuple[FigureKinds, ...]) -> None:
        self.this = this
        self._by_rotation = {turned: tuple(_masked_options(turned, figures)) for turned in this.rotations}

    def __missing__(self, need: int) -> tuple[tuple[MaskedOption, ...], ...]:
        self[need] = tuple([self._by_rotation[turned] for turned in self.this.fits(need)])
        return self[need]


def _masked_options(turned: Rotated, figures: Iterable[FigureKinds]) -> Iterator[MaskedOption]:
    """The options of *turned* where it fits: first bare, then with each of *figures*."""
    yield 0, (turned.rotation, None)
    for index, figure in enumerate(figures):
        for mask, deploy in list_figure_spots(turned, (figure,)):
            yield mask | 1 << 12 + index, (turned.rotation, deploy)


class ClaimTable(dict[int, tuple[Option, ...]]):
    """The options of one tile on a cell, bare or with a figure that needs a free feature.

    The key is ``need << NEED_SHIFT | taken``: the needs of the cell, the ports that lead to occupied
    features, and the bits of the figures that are not in hand. Options that require none of these are open.
    """

    def __init__(self, this: Tile, figures: tuple[FigureKinds, ...]) -> None:
        self.fitting = FittingOptions(this, figures)

    def __missing__(self, key: int) -> tuple[Option, ...]:
        self[key] = tuple(
            [
                option
                for rotation in self.fitting[key >> NEED_SHIFT]
                for mask, option in rotation
                if not mask & key
            ]
        )
        return self[key]


class JoinTable(dict[int, tuple[Option, ...]]):
    """The options of one tile on a cell with a figure that joins a follower of its owner.

    The key is ``need << NEED_SHIFT | own``: the needs of the cell, the ports that lead to such a follower,
    and the bits of the figures that are not in hand.
    """

    def __init__(self, this: Tile, figures: tuple[FigureKinds, ...]) -> None:
        self.fitting = FittingOptions(this, figures)

    def __missing__(self, key: int) -> tuple[Option, ...]:
        own, not_in_hand = key & ALL_PORTS, key & NO_FIGURE_IN_HAND
        self[key] = tuple(
            [
                option
                for rotation in self.fitting[key >> NEED_SHIFT]
                for mask, option in rotation
                if mask & own and not mask & not_in_hand
            ]
        )
        return self[key]


_claim_table, _join_table = cache(ClaimTable), cache(JoinTable)
_OF_SHAPE: dict[Shape, Tile] = {}


def claim_table(this: Tile, figures: tuple[FigureKinds, ...]) -> ClaimTable:
    """The table for *this*, shared by all tiles of its shape.

    >>> from games.rules.tiles import SIDE_CODE, get_tile
    >>> table = claim_table(get_tile("base.E"), (("follower", frozenset({"city"})),))
    >>> need = SIDE_CODE["c"] << 3 * 2  # a city in the south
    >>> table[need << NEED_SHIFT]
    ((180, None), (180, Deploy(meeple='follower', on='city', side='S')))
    >>> table[need << NEED_SHIFT | 1 << 7]  # one that is occupied
    ((180, None),)
    """
    return _claim_table(_OF_SHAPE.setdefault(this.shape, this), figures)


def join_table(this: Tile, figures: tuple[FigureKinds, ...]) -> JoinTable:
    """The table for *this*, shared by all tiles of its shape."""
    return _join_table(_OF_SHAPE.setdefault(this.shape, this), figures)


class Around(NamedTuple):
    """The surroundings of an empty cell, as masks of its ports."""

    occupied: int  # ports to features with meeples
    own: int  # ports to features with a follower of the seat on turn
    twice: tuple[int, ...]  # the ports to each feature that is met more than once, as far as it matters


def find_undecided(twice: Iterable[int], settled: int) -> tuple[int, ...]:
    """Return those features met *twice*, as masks, that do not lead to the *settled* ports: only for them
    does it matter which segments of a tile merge."""
    return tuple([mask for mask in twice if not mask & settled])


@lru_cache(1 << 14)
def merge_ports(turned: Rotated, ports: int, twice: tuple[int, ...]) -> int:
    """*ports*, and the ports that lead to the same features once *turned* lies there: a segment that touches
    a feature met more than once merges with all that touches it. All are masks of ports.

    Rules: FAQ-40 to FAQ-42.

    >>> from games.rules.tiles import get_tile
    >>> road = get_tile("base.U").at(0)  # from east to west
    >>> merge_ports(road, 1 << 4, ()) == 1 << 4
    True
    >>> merge_ports(road, 1 << 4, (1 << 4 | 1 << 10,)) == 1 << 4 | 1 << 10  # one feature is met at both ends
    True
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


def list_options_of_rotation(
    turned: Rotated, claims: Iterable[MaskedOption], joins: Iterable[MaskedOption], around: Around
) -> list[Option]:
    """Return the options of a tile as *turned*, where no table applies because it meets a feature twice.

    *claims* and *joins* are the options of that rotation. The masks of *around* also hold the bits of the
    figures that are not in hand.
    """
    taken = merge_ports(turned, around.occupied, around.twice)
    options = [option for mask, option in claims if not mask & taken]
    if around.own & ALL_PORTS:
        own = merge_ports(turned, around.own & ALL_PORTS, around.twice)
        not_in_hand = around.own & NO_FIGURE_IN_HAND
        options += [option for mask, option in joins if mask & own and not mask & not_in_hand]
    return options


@lru_cache(1 << 10)
def add_recalls(bare: tuple[Option, ...], recalls: tuple[Recall, ...]) -> tuple[Option, ...]:
    """Each of *recalls* in each rotation of the *bare* options."""
    return tuple([(rotation, recall) for rotation, _ in bare for recall in recalls])


def list_deployments(
    turned: Rotated, claims: tuple[FigureKinds, ...], joins: tuple[FigureKinds, ...], around: Around
) -> list[Deploy]:
    """Return the deployments of figures in hand on *turned*, given what is *around* it (BASE-17, BASE-18,
    TB-4)."""
    taken = merge_ports(turned, around.occupied, around.twice)
    own = merge_ports(turned, around.own, around.twice)
    return [
        *(deploy for mask, deploy in list_figure_spots(turned, claims) if not mask & taken),
        *(deploy for mask, deploy in list_figure_spots(turned, joins) if mask & own),
    ]


def list_drawable(state: State) -> Collection[str]:
    """The ids that may be drawn next, in order: those of the first group of the bag that is not used up, and
    tiles that came back from groups that were (HR-6).

    >>> from games.rules import Game, RuleSet
    >>> [*list_drawable(Game.new(RuleSet.of(sets=["base", "river1"])).state)][:3]  # the river comes first
    ['river1.city-bridge', 'river1.corner-city', 'river1.curve']
    """
    remaining, strays = state.remaining, state.strays
    for group in state.rules.bag if strays else state.rules.bag[:-1]:
        if group.keys().isdisjoint(remaining.keys()):
            continue
        left = [id for id in group if id in remaining and id not in strays]
        if left:
            return [*left, *(id for id in strays if id in remaining)] if strays else left
    return remaining.keys()


def list_bans(state: State, drawn: Tile) -> list[Ban]:
    """Return the modules' bans on where *drawn* may lie."""
    asked = state.rules.asking("forbids")
    if not asked:
        return []
    return [ban for module in asked if (ban := module.forbids(state, drawn)) is not None]


def list_allowed(cell: int, fitting: Sequence[Rotated], bans: Iterable[Ban]) -> Sequence[Rotated]:
    """Return those of the *fitting* rotations that none of *bans* forbids on *cell*."""
    for ban in bans:
        fitting = [turned for turned in fitting if ban(cell, turned) is None]
    return fitting


def is_placeable(state: State, drawn: Tile) -> bool:
    """Return whether *drawn* has any legal placement (BASE-15).

    >>> from games.rules import Game, RuleSet
    >>> from games.rules.tiles import get_tile
    >>> is_placeable(Game.new(RuleSet.of()).state, get_tile("base.C"))
    True
    """
    forbidding, needs = list_bans(state, drawn), state.board.needs
    if not forbidding:
        return any(map(drawn.fits, needs.values()))
    return any(list_allowed(cell, drawn.fits(need), forbidding) for cell, need in needs.items())
