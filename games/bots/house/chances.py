"""The chances that open features will be completed, computed from the tiles that are left."""

from __future__ import annotations

from functools import lru_cache

from games.rules import Board, Feature, State, get_tile

ATTENTION = 0.3
"""Share of a seat's own turns that it can spend on one feature."""

RING = 36.0
"""Number of undrawn tiles at which a given space around a monastery is filled in half of all cases."""


@lru_cache(maxsize=1 << 16)
def closes(id: str, need: int, entered: int) -> bool:
    """Return whether the tile called *id* fits a space with *need* and ends the features that enter it there.

    *entered* has a bit for each port of the space through which the feature enters.
    """
    return any(
        all(not lie.mask & entered or not lie.mask & ~entered for lie in turned.lies)
        for turned in get_tile(id).fits(need)
    )


class Chances:
    """The chances of future draws, as far as the seat that is to place a tile can know them."""

    def __init__(self, state: State) -> None:
        self.left = sum(state.remaining.values())  # tiles in hands that the seat can't see among them
        self.turns = self.left / len(state.scores)  # turns left for each seat, after this one
        self.to_come = self.left / (self.left + len(state.board.tiles))  # share of all tiles
        self._remaining = state.remaining
        self._closing: dict[tuple[int, int], int] = {}

    def closing(self, need: int, entered: int) -> int:
        """Return how many of the tiles left end a feature that enters a space with *need* through the ports
        *entered*."""
        key = need, entered
        chance = self._closing.get(key)
        if chance is None:
            chance = sum(count for id, count in self._remaining.items() if closes(id, need, entered))
            self._closing[key] = chance
        return chance

    def completion(self, board: Board, feature: Feature, *, by: float = 1.0) -> float:
        """Return the chance that a road or city will be completed, with *by* seats working for it.

        Each open space needs a tile that ends it, drawn in its share of the turns that are left.
        """
        if not self.left:
            return 0.0
        spaces = feature.faces
        tries = self.turns * by * ATTENTION / len(spaces)
        chance = 1.0
        for space, entered in spaces.items():
            count = self.closing(board.needs[space], entered)
            if not count:
                return 0.0
            chance *= 1.0 - (1.0 - count / self.left) ** tries
        return chance

    @property
    def filling(self) -> float:
        """The chance that an empty space beside a monastery will be taken before the end."""
        return 1.0 - float(0.5 ** (self.left / RING))
