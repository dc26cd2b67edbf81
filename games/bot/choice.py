"""Which turn to play: every placement is laid, every figure tried on it, and the best worth is taken."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules import Board, Deploy, Feature, LegalActions, Meeple, Place, Placement, State, tile
from games.rules.geometry import STEP, cell_at
from games.rules.tiles import FIELD, MAX_SEGMENTS

from .worth import Worth

LEAST = 1e-6
"""A turn must be better by this much to come before an earlier one: rounding decides nothing."""


def choose(state: State, *, figures: bool = True) -> Place:
    """The turn of the seat that is awaited, a tile being drawn. The same state gives the same turn.

    With *figures* False no figure is ever put down or taken back: so the house plays on for a seat that has
    left. ``ValueError`` unless a tile waits to be placed.
    """
    seat = state.decision.seat
    if state.decision.kind != "place" or seat is None:
        raise ValueError(state.decision.kind)
    legal = LegalActions(state)
    judge = Judge(state, seat)
    best: tuple[float, Place] | None = None
    for placement in sorted(legal.placements):
        for worth, figure in judge.turns(placement, _offered(legal, placement) if figures else [None]):
            if best is None or worth > best[0] + LEAST:
                best = worth, Place(state.drawn or "", *placement, figure)
    assert best is not None, "a tile that fits nowhere is never waiting"
    return best[1]


def _offered(legal: LegalActions, placement: Placement) -> list[Deploy | None]:
    """No figure, and then every figure that may be put down, sorted."""
    deploys = (figure for figure in legal.figures(placement) if isinstance(figure, Deploy))
    return [None, *sorted(deploys, key=lambda deploy: (deploy.meeple, deploy.on, deploy.side or ""))]


class Judge:
    """Compares turns by what they change."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.worth = Worth(state, seat)
        self.held = [meeple.code for meeple in state.board.meeples()]
        self.before = {
            id(feature): self.worth.feature(state.board, feature) for feature in self._claimed(state.board)
        }

    def turns(
        self, placement: Placement, offered: list[Deploy | None]
    ) -> Iterator[tuple[float, Deploy | None]]:
        """The worth of *placement* with each of the *offered* figures."""
        assert self.state.drawn is not None
        turned = tile(self.state.drawn).at(placement.rotation)
        cell = cell_at(placement.x, placement.y)
        board = self.state.board.lay(cell, turned)
        touched = self._touched(board, cell)
        total, home = 0.0, 0
        for feature in self._claimed(board):
            known = self.before.get(id(feature))
            if known is None or id(feature) in touched:
                known = self.worth.feature(board, feature)
            total += known
            if feature.complete:
                home += sum(1 for meeple in feature.meeples if meeple.seat == self.seat)
        hand = self.state.supply[self.seat]
        for figure in offered:
            if figure is None:
                yield total + self.worth.hand(sum(hand.values()) + home), None
                continue
            code = cell * MAX_SEGMENTS + turned.spots[figure.on, figure.side]
            feature = board.features[code]
            claimed = feature._replace(meeples=(*feature.meeples, Meeple(self.seat, figure.meeple, code)))
            spent = 0 if feature.complete else 1
            gain = self.worth.feature(board, claimed) - self.worth.feature(board, feature)
            yield total + gain + self.worth.hand(sum(hand.values()) + home - spent), figure

    def _claimed(self, board: Board) -> Iterator[Feature]:
        """Every feature of *board* on which a figure stood before this turn, once."""
        seen = set()
        for code in self.held:
            feature = board.features[code]
            if id(feature) not in seen:
                seen.add(id(feature))
                yield feature

    def _touched(self, board: Board, cell: int) -> set[int]:
        """The features whose prospects a tile on *cell* may change though they don't reach it: those that
        look into the same empty spaces, and fields, for their cities."""
        touched = {id(feature) for feature in self._claimed(board) if feature.kind == FIELD}
        for step in STEP:
            if cell + step in board.needs:
                for port in range((cell + step) * 12, (cell + step) * 12 + 12):
                    code = board.rim.get(port)
                    if code is not None:
                        touched.add(id(board.features[code]))
        return touched
