"""The worth of the features on a board to one seat: their points, times their chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.rules import Board, Feature, State
from games.rules.scoring import compute_worth, count_strength, find_majority
from games.rules.tiles import FIELD, MAX_SEGMENTS, SURROUNDED

from .chances import Chances
from .expansions import list_knowledge
from .reserves import LEAVES, join_reserves, share

HAND = (0.0, 7.0, 5.0, 3.8, 2.8, 2.0, 1.4, 1.0)
"""Worth of the first, second … follower in hand while there is time to use it."""

TIME_TO_USE = 8.0
"""Number of remaining turns below which a follower in hand is worth less."""

RETURN = 0.7
"""Share of its worth in hand that a follower has on a feature that is sure to be completed."""

BUILDER = 3.0
"""Worth of a builder on an open road or city while there is time to use it."""

JOINED = 0.5
"""Share of a field's worth that others joining it may cost, while all tiles are still to come."""


class Worth:
    """The worth of features to *seat* before its turn in *state*.

    Points of others count against it, shared among them: all of them with one opponent, half with two.
    """

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.seat = seat
        self.chances = Chances(state)
        self.against = 1.0 / max(1, len(state.scores) - 1)
        self.urgency = min(1.0, self.chances.turns / TIME_TO_USE)
        counts = state.rules.strengths
        self.held = sum(count for figure, count in state.supply[seat].items() if counts[figure])
        self.homecoming = RETURN * (self.hand(self.held + 1) - self.hand(self.held))
        self.known = tuple(list_knowledge(state))
        self.reserves: dict[str, Counter[int]] = {}
        for expansion in self.known:
            for kind, strengths in expansion.reserves(state).items():
                self.reserves.setdefault(kind, Counter()).update(strengths)

    def hand(self, figures: int) -> float:
        """Return the worth of so many figures in hand; each further one is worth less."""
        return self.urgency * sum(HAND[: figures + 1])

    def feature(self, board: Board, feature: Feature) -> float:
        """Return the worth of *feature* to the seat, minus its worth to the others."""
        reserve = self.reserves.get(feature.kind)
        if not feature.meeples and (not reserve or not self._joinable(feature)):
            return 0.0
        strengths = count_strength(feature.meeples, self.state.rules.strengths)
        points, chance = self.prospect(board, feature, len(find_majority(strengths)))
        total = points * share(self.seat, strengths, self.against)
        if reserve:
            later = self._join_reserves(strengths, reserve)
            likely = 1.0 if feature.complete else LEAVES * chance
            total += likely * (points * share(self.seat, later, self.against) - total)
        mine = sum(
            1
            for meeple in feature.meeples
            if meeple.seat == self.seat and self.state.rules.strengths[meeple.figure]
        )
        return total + mine * chance * self.homecoming

    def list_paid_seats(self, feature: Feature) -> set[int]:
        """The seats that *feature*, now complete, will pay."""
        strengths = count_strength(feature.meeples, self.state.rules.strengths)
        reserve = self.reserves.get(feature.kind)
        return set(find_majority(self._join_reserves(strengths, reserve) if reserve else strengths))

    def _join_reserves(self, strengths: Counter[int], reserve: Counter[int]) -> Counter[int]:
        """*strengths* after all reserves that gain by it have joined."""
        return join_reserves(strengths, reserve, self.state.seats_after(self.state.turn_seat), self.against)

    def _joinable(self, feature: Feature) -> bool:
        """Return whether reserves may join *feature* though no figure stands on it."""
        return feature.complete and any(knowledge.claims_late(self.state) for knowledge in self.known)

    def joining(self, board: Board, feature: Feature) -> tuple[float, float]:
        """Return the points for which a figure in reserve may join *feature*, and the chance."""
        points, chance = self.prospect(board, feature, 1)
        if feature.kind == FIELD:
            return points, 1.0
        return (self._points(board, feature, complete=True), chance) if chance else (0.0, 0.0)

    def consolation(self, board: Board) -> float:
        """Return the worth, at the price of a figure in hand, of having paid only others."""
        return max((knowledge.consolation(self, board) for knowledge in self.known), default=0.0)

    def now(self, board: Board, feature: Feature) -> float:
        """Return the points of *feature* as it stands, even if the game does not pay for it at its end."""
        terms = compute_worth(self.state._replace(board=board), feature, complete=False)
        return float(sum(term.points for term in terms))

    def beside(self, board: Board, feature: Feature, figure: str) -> float:
        """Return the worth of a figure that counts for no majority: further turns by a builder while the
        feature can grow, a point for each city by a pig."""
        if self.state.rules.strengths[figure] or feature.complete:
            return 0.0
        if feature.kind == FIELD:
            return self._field(board, feature) / 3.0 - self.urgency
        return BUILDER * self.urgency

    def prospect(self, board: Board, feature: Feature, seats: int) -> tuple[float, float]:
        """The points that *feature* will bring to each seat in the majority, and the chance that it will be
        completed; *seats* work for it."""
        if feature.kind == FIELD:
            return self._field(board, feature), 0.0
        if feature.complete:
            return self._points(board, feature, complete=True), 0.0
        now = self._points(board, feature, complete=False)
        if feature.kind in SURROUNDED:
            filling = self.chances.filling
            chance = filling**feature.open_ends
            if now:
                return now + feature.open_ends * filling, chance
        else:
            chance = self.chances.completion(board, feature, by=seats)
        if not chance:
            return now, 0.0
        return chance * self._points(board, feature, complete=True) + (1.0 - chance) * now, chance

    def _points(self, board: Board, feature: Feature, *, complete: bool) -> float:
        if not complete and not self.state.rules.options["incomplete_scores"]:
            return 0.0
        terms = compute_worth(self.state._replace(board=board), feature, complete=complete)
        return float(sum(term.points for term in terms))

    def _field(self, board: Board, field: Feature) -> float:
        """3 points for each city that is or may be completed, less while others can still join the field.

        This follows the third edition's rule of fields, and approximates the others.
        """
        cities = 0.0
        for city in list_touched_cities(board, field):
            cities += 1.0 if city.complete else self.chances.completion(board, city, by=2.0)
        risk = JOINED * self.chances.to_come if field.open_ends else 0.0
        return 3.0 * cities * (1.0 - risk)


def list_touched_cities(board: Board, field: Feature) -> Iterable[Feature]:
    """The cities along *field*, each once, unsorted for speed."""
    cities: dict[int, Feature] = {}
    for code in field.segments:
        first = code - code % MAX_SEGMENTS
        for index in board.segment(code).touches:
            city = board.features[first + index]
            cities[id(city)] = city
    return cities.values()
