"""The house bot's valuation of the quarters of Carcassonne: the figures there, and what waiting is worth.

A figure in a quarter joins a feature of its kind just before that is scored, whoever completes it (COUNT-16);
from the market it joins a field at the end (COUNT-22). None leaves the quarter of the Count (COUNT-15).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from games.rules import Action, Board, Feature, Pass, State
from games.rules.modules.count import (
    BLACKSMITH,
    CASTLE,
    CATHEDRAL,
    MARKET,
    NAME,
    SERVES,
    Carcassonne,
    Enter,
    Transfer,
    TransferAtEnd,
    TransferBeforeScoring,
    list_count_destinations,
    list_open_quarters,
)
from games.rules.scoring import count_strength

from ..knowledge import Knowledge
from ..reserves import LEAVES, join_reserves, share

if TYPE_CHECKING:
    from ..worth import Worth

TO_COME = {CASTLE: 2.0, MARKET: 2.0, BLACKSMITH: 1.0, CATHEDRAL: 0.5}
"""Worth of a follower in each quarter for features that nobody holds yet, while there is time to use it."""

HELD = 0.3
"""Share of its worth that a follower keeps in the quarter where the Count stands."""


def reserves(state: State) -> dict[str, Counter[int]]:
    """Return by kind of feature each seat's strength in the quarters that may join before it is scored.

    Rules: COUNT-15, COUNT-16, COUNT-22, COUNT-23.
    """
    counts: dict[str, Counter[int]] = {}
    city: Carcassonne = state.slices[NAME]
    step = TransferAtEnd() if state.ended else TransferBeforeScoring()
    for quarter in step.serving(state):
        for seat, figure in city.quarters[quarter]:
            for kind in SERVES[quarter]:
                counts.setdefault(kind, Counter())[seat] += state.rules.strengths[figure]
    return counts


def entry(worth: Worth, board: Board) -> float:
    """Return the greatest worth of a follower sent into the city; 0 if none may be sent."""
    city, options = worth.state.slices[NAME], worth.state.rules.options
    if city.entered and options["count_entry_per_turn"] == "once":
        return 0.0
    there = Residents(worth, board)
    return max(
        there.after(quarter, to)
        for quarter in list_open_quarters(worth.state.rules)
        for to in list_count_destinations(worth.state, quarter)
    )


class Residents:
    """The worth of waiting in the quarters on *board*."""

    def __init__(self, worth: Worth, board: Board) -> None:
        self.worth = worth
        self.city: Carcassonne = worth.state.slices[NAME]
        self._board = board
        self._features = list(
            {
                id(board.features[meeple.code]): board.features[meeple.code] for meeple in board.meeples()
            }.values()
        )
        self._chances: dict[int, tuple[float, float]] = {}

    def after(self, quarter: str, count_to: str | None, counts: int = 1) -> float:
        """Return the worth of sending a figure of strength *counts* to *quarter*, and the Count to
        *count_to*."""
        stands = self.city.stands
        count = count_to or stands
        own = self.waiting(self.worth.seat, quarter, counts) * (HELD if count == quarter else 1.0)
        if count != stands:
            own += (1.0 - HELD) * (self._compute_quarter_worth(stands) - self._compute_quarter_worth(count))
        return own

    def waiting(self, seat: int, quarter: str, counts: int = 1) -> float:
        """Return the worth of one more figure of *seat* in *quarter*, if the Count is elsewhere."""
        before = sum(1 for owner, _ in self.city.quarters[quarter] if owner == seat)
        return self.first(seat, quarter, counts) / (1 + before)

    def leaving(self, quarter: str, figures: int) -> float:
        """Return the worth that the seat gives up by taking so many of its figures out of *quarter*."""
        there = sum(1 for owner, _ in self.city.quarters[quarter] if owner == self.worth.seat)
        value = self.first(self.worth.seat, quarter)
        return sum(value / place for place in range(there, there - figures, -1))

    def first(self, seat: int, quarter: str, counts: int = 1) -> float:
        """Return the worth of waiting for the only figure of *seat* in the quarter."""
        gains = sorted(self._gains(seat, quarter, counts), reverse=True)
        total, unused = 0.0, 1.0
        for gain, chance in gains:
            total += unused * chance * gain
            unused *= 1.0 - chance
        if quarter != MARKET and seat == self.worth.seat:
            total += (1.0 - unused) * self.worth.homecoming
        return LEAVES * total + TO_COME[quarter] * self.worth.urgency

    def _compute_quarter_worth(self, quarter: str) -> float:
        """The worth to the seat of the figures in *quarter* being free to leave: its own, less others'."""
        total = 0.0
        for owner in {owner for owner, _ in self.city.quarters[quarter]}:
            value = self.first(owner, quarter)
            total += value if owner == self.worth.seat else -self.worth.against * value
        return total

    def _gains(self, seat: int, quarter: str, counts: int) -> Iterable[tuple[float, float]]:
        """Yield the gain of *seat* by joining each feature, and its chance."""
        for feature in self._features:
            if feature.kind not in SERVES[quarter] or feature.complete:
                continue
            strengths = count_strength(feature.meeples, self.worth.state.rules.strengths)
            against = self.worth.against
            more = share(seat, strengths + Counter({seat: counts}), against) - share(seat, strengths, against)
            if more > 0:
                points, chance = self._prospect(feature)
                yield more * points, chance

    def _prospect(self, feature: Feature) -> tuple[float, float]:
        chances = self._chances.get(id(feature))
        if chances is None:
            chances = self._chances[id(feature)] = self.worth.joining(self._board, feature)
        return chances


def _entering(worth: Worth, actions: Sequence[Action]) -> Action:
    """The entry of greatest worth, if it is worth a figure; the Count goes where he hurts others."""
    state = worth.state
    there = Residents(worth, state.board)
    cost = worth.hand(worth.held) - worth.hand(worth.held - 1)
    best: Action = Pass()
    most = 0.0
    for action in actions:
        if isinstance(action, Enter):
            value = there.after(action.quarter, action.count_to, state.rules.strengths[action.meeple]) - cost
            if value > most:
                best, most = action, value
    return best


def _moving(worth: Worth, actions: Sequence[Action]) -> Action:
    """The transfer to a feature about to be scored that gains most, given the answers of later seats.

    Before the end a figure that moves comes home, and is missing in its quarter (COUNT-19).
    """
    state = worth.state
    there = Residents(worth, state.board)
    best: Action = Pass()
    most = 0.0
    for action in actions:
        if isinstance(action, Transfer):
            value = _gain(worth, action)
            if not state.ended:
                value += worth.hand(worth.held + action.followers) - worth.hand(worth.held)
                value -= there.leaving(action.quarter, action.followers)
            if value > most:
                best, most = action, value
    return best


def _gain(worth: Worth, action: Transfer) -> float:
    """The change in worth by *action* on the feature to which it moves."""
    state = worth.state
    feature = state.board.feature_at(action.x, action.y, action.on, action.side)
    points, _chance = worth.prospect(state.board, feature, 1)
    reserve = worth.reserves.get(feature.kind, Counter())

    def result(strengths: Counter[int]) -> float:
        later = join_reserves(strengths, reserve, state.asked[1:], worth.against)
        return points * share(worth.seat, later, worth.against)

    held = count_strength(feature.meeples, state.rules.strengths)
    moved = Counter({worth.seat: action.followers * state.rules.strengths[action.meeple]})
    return result(held + moved) - result(held)


class CountKnowledge(Knowledge):
    slice = NAME
    answers = {"enter": _entering, "transfer": _moving, "transfer_at_end": _moving}

    def reserves(self, state: State) -> dict[str, Counter[int]]:
        return reserves(state)

    def claims_late(self, state: State) -> bool:
        return bool(state.rules.options["count_into_unoccupied"])  # COUNT-18

    def consolation(self, worth: Worth, board: Board) -> float:
        return entry(worth, board)


KNOWLEDGE = CountKnowledge()
