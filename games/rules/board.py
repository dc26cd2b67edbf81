"""The placed tiles and the features that they form.

A board is a value: laying a tile gives a new one and the old one stays good. A segment on the board has the
code ``cell * 16 + index``; ``features`` maps each code to the feature it belongs to, so that a merge is one
update of that map and any spot finds its feature at once. ``rim`` maps each open port, seen from the empty
space in front of it, to the segment behind it; ``needs`` maps each empty space beside a tile to the kinds
that its neighbours ask for. Laying a tile touches only what lies next to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .geometry import AROUND, STEP, cell_at, in_reading_order, position
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

    @property
    def complete(self) -> bool:
        """BASE-24 to BASE-27. A river is no feature that could be completed (RIVER-13)."""
        return self.open_ends == 0 and self.kind not in _NEVER

    @property
    def cells(self) -> frozenset[int]:
        """The cells it lies on, each once however many segments it has there (BASE-31)."""
        return frozenset(code // MAX_SEGMENTS for code in self.segments)

    @property
    def tiles(self) -> int:
        """How many tiles it lies on."""
        return len({code // MAX_SEGMENTS for code in self.segments})


class Spot(NamedTuple):
    """A segment by the name that people give it."""

    x: int
    y: int
    on: str
    side: str | None


class Board(NamedTuple):
    """Every tile that lies, and what they form."""

    tiles: dict[int, Rotated]  # by cell, in order of placing
    features: dict[int, Feature]  # by code of each of its segments
    rim: dict[int, int]  # open port, seen from the empty side -> code of the segment behind it
    needs: dict[int, int]  # empty cell beside a tile -> what its neighbours ask for (Tile.fits)
    beyond: frozenset[int] = frozenset()  # cells that complete what reaches them, though no tile lies there

    @classmethod
    def empty(cls) -> Board:
        return cls({}, {}, {}, {})

    def lay(self, cell: int, tile: Rotated) -> Board:
        """The board with *tile* on the empty *cell*; nothing is checked.

        Rules: BASE-23 to BASE-26.
        """
        tiles, features = self.tiles.copy(), self.features.copy()
        rim, needs, beyond = self.rim.copy(), self.needs.copy(), self.beyond
        tiles[cell] = tile
        first_port, first_code = cell * 12, cell * MAX_SEGMENTS
        for lie in tile.lies:
            own = first_code + lie.index
            joined: list[Feature] = []
            open_ends = 0
            for port, across in lie.links:
                if beyond and cell + STEP[port // 3] in beyond:
                    continue
                port += first_port
                other = rim.pop(port, None)
                if other is None:
                    rim[port + across] = own
                    open_ends += 1
                else:
                    feature = features[other]
                    open_ends -= 1
                    for known in joined:
                        if known is feature:
                            break
                    else:
                        joined.append(feature)
            if not joined:
                features[own] = Feature(lie.kind, (own,), open_ends)
                continue
            feature = joined[0]
            segments, meeples = (*feature.segments, own), feature.meeples
            open_ends += feature.open_ends
            for feature in joined[1:]:
                segments += feature.segments
                meeples += feature.meeples
                open_ends += feature.open_ends
            features.update(dict.fromkeys(segments, Feature(lie.kind, segments, open_ends, meeples)))
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
        needs.pop(cell, None)
        for side in range(4):
            near_cell = cell + STEP[side]
            if near_cell not in tiles and near_cell not in beyond:
                facing = SIDE_CODE[tile.sides[side]] << 3 * ((side + 2) % 4)
                needs[near_cell] = needs.get(near_cell, 0) | facing
        return Board(tiles, features, rim, needs, beyond)

    def with_meeple(self, meeple: Meeple) -> Board:
        """The board with *meeple* standing on its segment."""
        feature = self.features[meeple.code]
        return self._with_feature(feature._replace(meeples=(*feature.meeples, meeple)))

    def without_meeple(self, meeple: Meeple) -> Board:
        """The board without *meeple*; ``ValueError`` if it does not stand there."""
        feature = self.features[meeple.code]
        at = feature.meeples.index(meeple)
        return self._with_feature(feature._replace(meeples=feature.meeples[:at] + feature.meeples[at + 1 :]))

    def _with_feature(self, feature: Feature) -> Board:
        features = self.features.copy()
        features.update(dict.fromkeys(feature.segments, feature))
        return self._replace(features=features)

    def met(self, cell: int, tile: Rotated) -> tuple[tuple[Feature, ...], ...]:
        """For each segment of *tile*, if it lay on *cell*, the features that would be joined with it.

        Two segments of the tile may belong to one feature through others. Rules: FAQ-40 to FAQ-42.
        """
        groups: list[tuple[list[int], list[Feature]]] = []
        for lie in tile.lies:
            indexes, features = [lie.index], []
            for port, _ in lie.links:
                code = self.rim.get(cell * 12 + port)
                if code is not None:
                    features.append(self.features[code])
            apart = []
            for group in groups:
                if any(one is other for one in features for other in group[1]):
                    indexes += group[0]
                    features += group[1]
                else:
                    apart.append(group)
            groups = [*apart, (indexes, features)]
        met: list[tuple[Feature, ...]] = [()] * len(tile.lies)
        for indexes, features in groups:
            for index in indexes:
                met[index] = tuple(features)
        return tuple(met)

    def free(self, cell: int, tile: Rotated) -> tuple[int, ...]:
        """Indexes of the segments of *tile*, if it lay on *cell*, whose features hold no meeple.

        A meeple anywhere on what would be joined counts. Rule: BASE-18.
        """
        return tuple(
            index
            for index, features in enumerate(self.met(cell, tile))
            if not any(feature.meeples for feature in features)
        )

    def around(self, code: int) -> int:
        """How many tiles lie on and around the cell of the building with *code* (BASE-42)."""
        cell = code // MAX_SEGMENTS
        return 1 + sum(cell + step in self.tiles for step in AROUND)

    def segment(self, code: int) -> Segment:
        """The printed segment with *code*."""
        return self.tiles[code // MAX_SEGMENTS].lies[code % MAX_SEGMENTS].segment

    def code(self, spot: Spot) -> int:
        """The code of the segment at *spot*; ``KeyError`` where there is none."""
        cell = cell_at(spot.x, spot.y)
        return cell * MAX_SEGMENTS + self.tiles[cell].spots[spot.on, spot.side]

    def spot(self, code: int) -> Spot:
        """The name of the segment with *code*."""
        cell, index = divmod(code, MAX_SEGMENTS)
        lie = self.tiles[cell].lies[index]
        return Spot(*position(cell), lie.kind, lie.side)

    def spot_of(self, feature: Feature) -> Spot:
        """The name of *feature*: its spot that comes first in the order of logs (BASE-29)."""
        return self.spot(
            min(
                feature.segments,
                key=lambda code: (in_reading_order(code // MAX_SEGMENTS), code % MAX_SEGMENTS),
            )
        )

    def feature_at(self, x: int, y: int, on: str, side: str | None = None) -> Feature:
        """The feature at a spot; ``KeyError`` where there is none."""
        return self.features[self.code(Spot(x, y, on, side))]

    def all_features(self) -> tuple[Feature, ...]:
        """Every feature once, in the order of logs."""
        once = {id(feature): feature for feature in self.features.values()}
        return self.in_order(once.values())

    def features_where(self, wanted: Callable[[Feature], bool]) -> tuple[Feature, ...]:
        """Every feature that is *wanted*, once, in the order of logs."""
        once = {id(feature): feature for feature in self.features.values()}
        return self.in_order(feature for feature in once.values() if wanted(feature))

    def in_order(self, features: Iterable[Feature]) -> tuple[Feature, ...]:
        """*features* by kind and place, as logs name them (BASE-29)."""

        def key(feature: Feature) -> tuple[int, tuple[int, int], int]:
            code = self.code(self.spot_of(feature))
            order = _KIND_ORDER.get(feature.kind, len(_KIND_ORDER))
            return order, in_reading_order(code // MAX_SEGMENTS), code

        return tuple(sorted(features, key=key))

    def meeples(self) -> Iterator[Meeple]:
        """Every meeple on the board, in the order of logs."""
        for feature in self.all_features():
            yield from feature.meeples

    def touched_cities(self, land: Feature) -> tuple[Feature, ...]:
        """The cities along whose wall the field *land* lies, each once (BASE-47, BASE-48)."""
        cities: dict[int, Feature] = {}
        for code in land.segments:
            first = code - code % MAX_SEGMENTS
            for index in self.segment(code).touches:
                city = self.features[first + index]
                cities[id(city)] = city
        return self.in_order(cities.values())


_NEVER = frozenset({FIELD, RIVER})

_KIND_ORDER = {
    kind: order for order, kind in enumerate(("city", "road", "monastery", "garden", "shrine", "field"))
}
