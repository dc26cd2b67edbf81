"""Inns & Cathedrals: inns at roads, cathedrals in cities, and a large follower for each player."""

from __future__ import annotations

from collections.abc import Iterable

from ..board import Feature
from ..events import Term
from ..module import Module
from ..scoring import count_shields
from ..state import State
from ..tiles import CITY, FIELD, MONASTERY, ROAD, SHRINE

LARGE = "large"


class InnsAndCathedrals(Module):
    """Inns & Cathedrals. Inns count wherever they are drawn, on tiles of other sets, too (IC-11)."""

    name = "inns-and-cathedrals"
    figures = {LARGE: 1}
    strengths = {LARGE: 2}  # IC-3
    claims = {LARGE: frozenset({CITY, ROAD, FIELD, MONASTERY, SHRINE})}  # IC-2

    def terms(self, state: State, feature: Feature, complete: bool) -> Iterable[Term]:
        """Yield a point for each tile and shield, or at the end minus all points (IC-5 to IC-8, IC-12)."""
        mark = {ROAD: "inn", CITY: "cathedral"}.get(feature.kind)
        count = sum(mark in state.board.segment(code).marks for code in feature.segments) if mark else 0
        if mark and count:
            each = feature.tiles + (count_shields(state.board, feature) if feature.kind == CITY else 0)
            yield Term(mark, count, each if complete else -each)
