"""The choice of a turn: every placement is tried with every figure, and the one of greatest worth is taken.

With a hand, every tile is tried. Other decisions are answered by the expansion's knowledge, or by default.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules import (
    Action,
    Board,
    Deploy,
    Feature,
    LegalActions,
    Meeple,
    Place,
    Placement,
    Recall,
    State,
    get_tile,
)
from games.rules.geometry import STEP, get_cell
from games.rules.tiles import FIELD, MAX_SEGMENTS

from .expansions import ANSWERS
from .worth import Worth

Figure = Deploy | Recall | None

LEAST = 1e-6
"""Minimum gain in worth for a turn to replace an earlier one, so that rounding decides nothing."""


def choose(state: State, *, figures: bool = True) -> Action:
    """Choose the action of the seat that is awaited: its turn, or its answer. The same state gives the same
    choice.

    With *figures* False no figure is ever put down, moved or taken back, as the house plays for a seat that
    has left. ``ValueError`` if no seat is awaited.
    """
    seat = state.decision.seat
    if seat is None:
        raise ValueError(state.decision.kind)
    legal = LegalActions(state)
    if state.decision.kind != "place":
        default = None if figures else legal.default_answer()
        return answer(state, seat) if default is None else default
    judge = Judge(state, seat)
    best: tuple[float, Place] | None = None
    for id in sorted(legal.tiles):
        for placement in sorted(legal.placements_of(id)):
            offered: list[Figure] = _list_offered_figures(legal, placement, id) if figures else [None]
            for worth, figure in judge.turns(id, placement, offered):
                if best is None or worth > best[0] + LEAST:
                    best = worth, Place(id, *placement, figure)
    assert best is not None, "a tile that fits nowhere is never waiting"
    return best[1]


def _list_offered_figures(legal: LegalActions, placement: Placement, id: str) -> list[Figure]:
    """No figure, then every figure that may be put down, sorted, then those that may be taken back."""
    figures = legal.figures(placement, id)
    deploys = (figure for figure in figures if isinstance(figure, Deploy))
    return [
        None,
        *sorted(deploys, key=lambda deploy: (deploy.meeple, deploy.on, deploy.side or "")),
        *sorted(figure for figure in figures if isinstance(figure, Recall)),
    ]


def answer(state: State, seat: int) -> Action:
    """Return the answer of *seat* to a decision other than placing a tile."""
    legal = LegalActions(state)
    choose_answer = ANSWERS.get(state.decision.kind)
    if choose_answer is not None:
        return choose_answer(Worth(state, seat), tuple(legal))
    default = legal.default_answer()
    assert default is not None, "a seat that is asked has an answer"
    return default


class Judge:
    """Comparison of turns by the worth they change."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.worth = Worth(state, seat)
        self.held = [meeple.code for meeple in state.board.meeples()]
        self.before = {
            id(feature): self.worth.feature(state.board, feature)
            for feature in self._list_claimed_features(state.board)
        }

    def turns(
        self, drawn: str, placement: Placement, offered: list[Figure]
    ) -> Iterator[tuple[float, Figure]]:
        """Yield the worth of *placement* of the tile called *drawn* with each of the *offered* figures."""
        turned = get_tile(drawn).at(placement.rotation)
        cell = get_cell(placement.x, placement.y)
        board = self.state.board.lay(cell, turned)
        touched = self._list_affected_ids(board, cell)
        total, home = 0.0, 0
        paid: set[int] = set()
        for feature in self._scoring(board, cell):
            known = self.before.get(id(feature))
            if known is None or id(feature) in touched:
                known = self.worth.feature(board, feature)
            total += known
            if feature.complete:
                paid |= self.worth.list_paid_seats(feature)
                home += sum(
                    self._counts(meeple.figure) for meeple in feature.meeples if meeple.seat == self.seat
                )
        held = self.worth.held + home
        enters = self.worth.consolation(board) if paid and self.seat not in paid else 0.0
        for figure in offered:
            if figure is None:
                yield total + self._hand(held, enters), None
                continue
            if isinstance(figure, Recall):
                yield total + self._compute_recall_gain(board, figure) + self._hand(held + 1, enters), figure
                continue
            code = cell * MAX_SEGMENTS + turned.spots[figure.on, figure.side]
            feature = board.features[code]
            claimed = feature._replace(meeples=(*feature.meeples, Meeple(self.seat, figure.meeple, code)))
            spent = 0 if feature.complete else self._counts(figure.meeple)
            gain = self.worth.feature(board, claimed) - self.worth.feature(board, feature)
            gain += self.worth.beside(board, feature, figure.meeple)
            if feature.complete:  # which pays the seat, so that there is nothing to make up for
                yield total + gain + self.worth.hand(held - spent), figure
            else:
                yield total + gain + self._hand(held - spent, enters), figure

    def _hand(self, held: int, enters: float) -> float:
        """The worth of *held* figures in hand if one of them may still earn *enters*."""
        kept = self.worth.hand(held)
        return max(kept, self.worth.hand(held - 1) + enters) if enters and held > 0 else kept

    def _counts(self, figure: str) -> int:
        """1 if *figure* is one of those that claim features, else 0."""
        return 1 if self.state.rules.strengths[figure] else 0

    def _compute_recall_gain(self, board: Board, recall: Recall) -> float:
        """The gain by taking a figure back: the points as the building stands, less its prospects."""
        cell = get_cell(recall.x, recall.y)
        gain = 0.0
        for index in board.tiles[cell].surrounded:
            feature = board.features[cell * MAX_SEGMENTS + index]
            if any(meeple.seat == self.seat for meeple in feature.meeples):
                gain += self.worth.now(board, feature) - self.worth.feature(board, feature)
        return gain

    def _list_claimed_features(self, board: Board) -> Iterator[Feature]:
        """Yield every feature of *board* on which a figure stood before this turn, once."""
        seen = set()
        for code in self.held:
            feature = board.features[code]
            if id(feature) not in seen:
                seen.add(id(feature))
                yield feature

    def _scoring(self, board: Board, cell: int) -> Iterator[Feature]:
        """Yield every claimed feature, and those that the tile on *cell* completes for figures in reserve."""
        yield from self._list_claimed_features(board)
        if self.worth.reserves:
            for index in range(len(board.tiles[cell].lies)):
                feature = board.features[cell * MAX_SEGMENTS + index]
                if feature.complete and not feature.meeples:
                    yield feature

    def _list_affected_ids(self, board: Board, cell: int) -> set[int]:
        """The features whose prospects a tile on *cell* may change without touching them: those that face the
        same empty spaces, and fields, because of their cities."""
        touched = {id(feature) for feature in self._list_claimed_features(board) if feature.kind == FIELD}
        for step in STEP:
            if cell + step in board.needs:
                for port in range((cell + step) * 12, (cell + step) * 12 + 12):
                    code = board.rim.get(port)
                    if code is not None:
                        touched.add(id(board.features[code]))
        return touched
