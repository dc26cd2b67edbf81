"""The meeting of the Count and the rivers: a river begins east of the block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..module import Chosen, Meeting, Warn
from ..tiles import Tile, get_tile
from .count import block

if TYPE_CHECKING:
    from ..ruleset import RuleSet


class BesideRiver1(Meeting):
    """The spring lies beside the block (COUNT-31)."""

    name = "count-and-river1"
    sets: tuple[str, ...] = ("count", "river1")
    spring = "river1.spring"

    def start(
        self, rules: RuleSet, start: Sequence[tuple[Tile, int, int]]
    ) -> Sequence[tuple[Tile, int, int]]:
        return (*block(), (get_tile(self.spring), 2, -1))


class BesideRiver2(BesideRiver1):
    """The spring beside the block with the river that forks, which may leave tiles that fit nowhere
    (RIVER-18)."""

    name = "count-and-river2"
    sets = ("count", "river2")

    def start(
        self, rules: RuleSet, start: Sequence[tuple[Tile, int, int]]
    ) -> Sequence[tuple[Tile, int, int]]:
        """Lay the river's spring beside the block: with both rivers, that of the first one (RIVER-4)."""
        here = [id for id in rules.composition if id in ("river1.spring", "river2.spring")]
        return (*block(), (get_tile(min(here)), 2, -1))

    def warns(self, chosen: Chosen) -> Iterable[Warn]:
        yield Warn("count_with_river2", "RIVER-18")
