"""The placed tiles and the features that they form.

A board is immutable: laying a tile gives a new one. A segment on the board has the code
``cell * 16 + index``; ``features`` maps each code to the feature it belongs to, so a merge is one update of
that map, and any spot finds its feature by one look-up. ``rim`` maps each open port, seen from the empty
space in front of it, to the segment behind it; ``needs`` maps each empty space beside a tile to the kinds
that its neighbours require, ``occupied`` to the ports that lead to a meeple, and ``twice`` to the ports that
lead to the same feature. A feature knows the spaces that it ``faces``, so these maps are updated with it.
Laying a tile touches only what lies next to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from .geometry import AROUND, BEYOND, STEP, get_cell, get_coordinates, sort_in_reading_order
from .tiles import FIELD, MAX_SEGMENTS, RIVER, SIDE_CODE, Rotated, Segment


class Meeple(NamedTuple):
    """A meeple on the board."""

    seat: int
    figure: str
    code: int  # the segment on which it stands


class Feature(NamedTuple):
    """A feature as it stands on the board. Its segments are in the order in which they joined."""

    kind: str
    segments: tuple[int, ...]
    open_ends: int  # edges that still wait for a neighbour; of a monastery: empty spaces around it
    meeples: tuple[Meeple, ...] = ()
    faces: dict[int, int] = {}  # empty cell beside it -> mask of that cell's ports that lead to it

    @property
    def complete(self) -> bool:
        """Return whether it is complete (BASE-24 to BASE-27). Fields and rivers never are (RIVER-13)."""
        return self.open_ends == 0 and self.kind not in _NEVER

    @property
    def cells(self) -> frozenset[int]:
        """The cells it lies on, each once however many segments it has there (BASE-31)."""
        return frozenset(code // MAX_SEGMENTS for code in self.segments)

    @property
    def tiles(self) -> int:
        """The number of tiles it lies on."""
        return len({code // MAX_SEGMENTS for code in self.segments})


class Spot(NamedTuple):
    """A segment by its name in notation and records."""

    x: int
    y: int
    on: str
    side: str | None


class Board(NamedTuple):
    """The placed tiles, and the features that they form.

    >>> from games.rules.tiles import get_tile
    >>> board = Board.empty().lay(get_cell(0, 0), get_tile("base.D").at(0))
    >>> board = board.lay(get_cell(1, 0), get_tile("base.U").at(0))
    >>> road = board.feature_at(1, 0, "road", "E")
    >>> road.tiles, road.open_ends, road.complete
    (2, 2, False)
    >>> [get_coordinates(cell) for cell in board.needs]
    [(0, -1), (0, 1), (-1, 0), (1, -1), (2, 0), (1, 1)]
    """

    tiles: dict[int, Rotated]  # by cell, in order of placing
    features: dict[int, Feature]  # by code of each of its segments
    rim: dict[int, int]  # open port, seen from the empty side -> code of the segment behind it
    needs: dict[int, int]  # empty cell beside a tile -> what its neighbours ask for (Tile.fits)
    occupied: dict[int, int]  # such a cell -> mask of its ports behind which a feature holds meeples
    twice: dict[int, tuple[int, ...]]  # such a cell -> for each feature behind several ports, their mask
    buildings: tuple[int, ...] = ()  # cells with a monastery or the like, in order of placing
    standing: Mapping[int, tuple[Meeple, ...]] = {}  # meeples on the board by seat, in order of deploying
    beyond: frozenset[int] = frozenset()  # cells that complete what reaches them, though no tile lies there

    @classmethod
    def empty(cls) -> Board:
        return cls({}, {}, {}, {}, {}, {})

    def lay(self, cell: int, tile: Rotated) -> Board:
        """The board with *tile* on the empty *cell*; nothing is checked.

        Rules: BASE-23 to BASE-26.
        """
        tiles, features, rim, needs, occupied, twice, buildings, standing, beyond = self._own()
        tiles[cell] = tile
        first_port, first_code = cell * 12, cell * MAX_SEGMENTS
        for lie in tile.lies:
            own = first_code + lie.index
            joined: list[Feature] = []
            open_ends = 0
            new: dict[int, int] = {}  # the edges that this segment faces
            for port, across in lie.links:
                if beyond and cell + STEP[port // 3] in beyond:
                    continue
                other = rim.pop(first_port + port, None)
                if other is None:
                    rim[first_port + port + across] = own
                    open_ends += 1
                    step, mask = BEYOND[port]
                    space = cell + step
                    new[space] = new[space] | mask if space in new else mask
                else:
                    feature = features[other]
                    open_ends -= 1
                    for known in joined:
                        if known is feature:
                            break
                    else:
                        joined.append(feature)
            if not joined:
                features[own] = Feature(lie.kind, (own,), open_ends, (), new)
                for space, mask in new.items():
                    if mask & mask - 1:
                        twice[space] = (*twice.get(space, ()), mask)
                continue
            feature = joined[0]
            segments, meeples, faces = (*feature.segments, own), feature.meeples, feature.faces.copy()
            faces.pop(cell, None)
            open_ends += feature.open_ends
            for feature in joined[1:]:
                segments += feature.segments
                meeples += feature.meeples
                open_ends += feature.open_ends
                _meet(faces, feature.faces, cell, twice)
            if new:
                _meet(faces, new, cell, twice)
            merged = Feature(lie.kind, segments, open_ends, meeples, faces)
            features.update(dict.fromkeys(segments, merged))
            if meeples:
                mark_feature(occupied, new if all([feature.meeples for feature in joined]) else faces)
        neighbours = 0
        for step in AROUND:
            near = tiles.get(cell + step)
            if near is not None:
                neighbours += 1
                for index in near.surrounded:
                    code = (cell + step) * MAX_SEGMENTS + index
                    feature = features[code]
                    features[code] = feature._replace(open_ends=feature.open_ends - 1)
            elif cell + step in beyond:
                neighbours += 1
        for index in tile.surrounded:
            code = first_code + index
            features[code] = features[code]._replace(open_ends=8 - neighbours)
        if tile.surrounded:
            buildings = (*buildings, cell)
        needs.pop(cell, None)
        occupied.pop(cell, None)
        twice.pop(cell, None)
        for side in range(4):
            near_cell = cell + STEP[side]
            if near_cell not in tiles and near_cell not in beyond:
                facing = SIDE_CODE[tile.sides[side]] << 3 * ((side + 2) % 4)
                needs[near_cell] = needs.get(near_cell, 0) | facing
        return self.__class__(tiles, features, rim, needs, occupied, twice, buildings, standing, beyond)

    def with_meeple(self, meeple: Meeple) -> Board:
        """The board with *meeple* standing on its segment.

        >>> from games.rules.tiles import get_tile
        >>> board = Board.empty().lay(get_cell(0, 0), get_tile("base.D").at(0))
        >>> taken = board.with_meeple(Meeple(1, "follower", board.code(Spot(0, 0, "city", "N"))))
        >>> [meeple.seat for meeple in taken.feature_at(0, 0, "city", "N").meeples]
        [1]
        >>> board.feature_at(0, 0, "city", "N").meeples  # the old one stays good
        ()
        """
        feature = self.features[meeple.code]
        mine = (*self.standing.get(meeple.seat, ()), meeple)
        board = self._with_feature(feature._replace(meeples=(*feature.meeples, meeple)), meeple.seat, mine)
        if not feature.meeples:
            mark_feature(board.occupied, feature.faces)
        return board

    def without_meeple(self, meeple: Meeple) -> Board:
        """The board without *meeple*; ``ValueError`` if it does not stand there."""
        feature = self.features[meeple.code]
        left, mine = _less(feature.meeples, meeple), _less(self.standing[meeple.seat], meeple)
        board = self._with_feature(feature._replace(meeples=left), meeple.seat, mine)
        if not left:
            for space, mask in feature.faces.items():
                board.occupied[space] &= ~mask
        return board

    def _with_feature(self, feature: Feature, seat: int, mine: tuple[Meeple, ...]) -> Board:
        """The board with *feature* and the meeples of *seat* updated; the caller must update ``occupied``."""
        tiles, features, rim, needs, occupied, twice, buildings, standing, beyond = self._own()
        features.update(dict.fromkeys(feature.segments, feature))
        standing = {**standing, seat: mine}
        return self.__class__(tiles, features, rim, needs, occupied, twice, buildings, standing, beyond)

    def _own(self) -> Board:
        """The same board with dictionaries that may be changed; ``standing`` is never changed in place."""
        tiles, features, rim, needs, occupied, twice, buildings, standing, beyond = self
        return Board(
            tiles.copy(),
            features.copy(),
            rim.copy(),
            needs.copy(),
            occupied.copy(),
            twice.copy(),
            buildings,
            standing,
            beyond,
        )

    def draft(self) -> Draft:
        """Return the same as a draft; ``Board(*draft)`` makes the finished board of it."""
        return Draft(*self._own())

    def around(self, code: int) -> int:
        """Return how many tiles lie on and around the cell of the building with *code* (BASE-42)."""
        cell = code // MAX_SEGMENTS
        return 1 + sum(cell + step in self.tiles for step in AROUND)

    def segment(self, code: int) -> Segment:
        """The printed segment with *code*."""
        return self.tiles[code // MAX_SEGMENTS].lies[code % MAX_SEGMENTS].segment

    def code(self, spot: Spot) -> int:
        """The code of the segment at *spot*; ``KeyError`` where there is none.

        >>> from games.rules.tiles import get_tile
        >>> board = Board.empty().lay(get_cell(0, 0), get_tile("base.D").at(0))
        >>> board.code(Spot(0, 0, "field", "ENE")) == board.code(Spot(0, 0, "field", "WNW"))
        True
        >>> board.spot(board.code(Spot(0, 0, "field", "WNW")))
        Spot(x=0, y=0, on='field', side='ENE')
        """
        cell = get_cell(spot.x, spot.y)
        return cell * MAX_SEGMENTS + self.tiles[cell].spots[spot.on, spot.side]

    def spot(self, code: int) -> Spot:
        """The name of the segment with *code*."""
        cell, index = divmod(code, MAX_SEGMENTS)
        lie = self.tiles[cell].lies[index]
        return Spot(*get_coordinates(cell), lie.kind, lie.side)

    def spot_of(self, feature: Feature) -> Spot:
        """The name of *feature*: its spot that comes first in the order of logs (BASE-29)."""
        return self.spot(min(feature.segments, key=_in_logs))

    def feature_at(self, x: int, y: int, on: str, side: str | None = None) -> Feature:
        """The feature at a spot; ``KeyError`` where there is none."""
        return self.features[self.code(Spot(x, y, on, side))]

    def all_features(self) -> tuple[Feature, ...]:
        """Every feature once, in the order of logs.

        >>> from games.rules.tiles import get_tile
        >>> board = Board.empty().lay(get_cell(0, 0), get_tile("base.D").at(0))
        >>> [board.spot_of(feature)[2:] for feature in board.all_features()]
        [('city', 'N'), ('road', 'E'), ('field', 'ENE'), ('field', 'ESE')]
        """
        return self.features_where(lambda feature: True)

    def features_where(self, wanted: Callable[[Feature], bool]) -> tuple[Feature, ...]:
        """Every feature that is *wanted*, once, in the order of logs."""
        return self.in_order(filter(wanted, _once(self.features.values())))

    def list_unfinished_features(self, wanted: Callable[[Feature], bool]) -> tuple[Feature, ...]:
        """Every feature with an open edge that is *wanted*, once, in the order of logs."""
        return self.in_order(filter(wanted, _once([self.features[code] for code in self.rim.values()])))

    def number_of(self, wanted: Callable[[Feature], bool]) -> int:
        """Return how many features are *wanted*."""
        return sum(map(wanted, _once(self.features.values())))

    def in_order(self, features: Iterable[Feature]) -> tuple[Feature, ...]:
        """*features* by kind and place, as logs name them (BASE-29)."""

        def key(feature: Feature) -> tuple[int, tuple[tuple[int, int], int]]:
            return _KIND_ORDER.get(feature.kind, len(_KIND_ORDER)), min(map(_in_logs, feature.segments))

        return tuple(sorted(features, key=key))

    def meeples(self) -> Iterator[Meeple]:
        """Every meeple on the board, in the order of logs."""
        features = [self.features[meeple.code] for mine in self.standing.values() for meeple in mine]
        for feature in self.in_order(_once(features)):
            yield from feature.meeples

    def touched_cities(self, land: Feature) -> tuple[Feature, ...]:
        """The cities along whose wall the field *land* lies, each once (BASE-47, BASE-48).

        >>> from games.rules.tiles import get_tile
        >>> board = Board.empty().lay(get_cell(0, 0), get_tile("base.D").at(0))
        >>> [len(board.touched_cities(board.feature_at(0, 0, "field", side))) for side in ("ENE", "SSE")]
        [1, 0]
        """
        cities: dict[int, Feature] = {}
        for code in land.segments:
            first = code - code % MAX_SEGMENTS
            for index in self.segment(code).touches:
                city = self.features[first + index]
                cities[id(city)] = city
        return self.in_order(cities.values())


class Draft(Board):
    """A mutable board that nothing else refers to. Rebuilding a game uses one, as copying the board for each
    of its events would take a fifth longer."""

    def _own(self) -> Board:
        return self


def _once(features: Collection[Feature]) -> Collection[Feature]:
    """Each of *features* once."""
    return dict(zip(map(id, features), features, strict=True)).values()


def _meet(
    faces: dict[int, int], others: Mapping[int, int], cell: int, twice: dict[int, tuple[int, ...]]
) -> None:
    """Add what *others* faces, except *cell*, to what a feature *faces*, as the two merge; record in *twice*
    the spaces that the merged feature faces by several ports."""
    for space, mask in others.items():
        if space != cell:
            if space in faces:
                mask |= faces[space]
            faces[space] = mask
            if mask & mask - 1:
                twice[space] = (*[option for option in twice.get(space, ()) if not option & mask], mask)


def mark_feature(ports: dict[int, int], faces: Mapping[int, int]) -> None:
    """Add the ports that a feature *faces* to *ports*, masks by cell."""
    for space, mask in faces.items():
        ports[space] = ports.get(space, 0) | mask


def _less(meeples: tuple[Meeple, ...], gone: Meeple) -> tuple[Meeple, ...]:
    """*meeples* without one *gone*; ``ValueError`` if it is not there."""
    at = meeples.index(gone)
    return meeples[:at] + meeples[at + 1 :]


@cache
def _in_logs(code: int) -> tuple[tuple[int, int], int]:
    """Sort key of the segment with *code*: the order of logs (BASE-29)."""
    return sort_in_reading_order(code // MAX_SEGMENTS), code % MAX_SEGMENTS


_NEVER = frozenset({FIELD, RIVER})

_KIND_ORDER = {
    kind: order for order, kind in enumerate(("city", "road", "monastery", "garden", "shrine", "field"))
}
