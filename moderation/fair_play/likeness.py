"""Test for turns as strong as a program's: how often somebody plays what the house bot would have played.

Only turns with many choices count. Honest people agree with the bot at different rates, strong ones more
often. So the p-value accounts for that variation (a beta-binomial distribution, fitted to everybody else by
its moments) instead of one rate for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from games import rules
from games.bots import house
from moderation.fair_play import chance

LEAST_CHOICES = 20
LEAST_TURNS = 60
LEAST_PEOPLE = 10
SPREAD_UNKNOWN = 0.1
"""Spread between people that is assumed if there are too few to measure it."""

LEAST_SPREAD = 0.01


class BotAgreement(NamedTuple):
    """Number of somebody's turns with many choices, and of those that match the bot's."""

    same: int
    turns: int


class Likeness(NamedTuple):
    """Results of somebody's turns compared with other people's."""

    own: BotAgreement
    people: int
    rate: float  # of the others
    spread: float
    p: float


def agrees(state: rules.State, action: rules.Action) -> bool | None:
    """Return whether the house bot would have done *action*, too; ``None`` if that is not informative."""
    seat = state.decision.seat
    if seat is None or state.decision.kind != "place":
        return None
    if len(rules.LegalActions(state)) < LEAST_CHOICES:
        return None
    return house.choose(rules.hide_secrets(state, seat)) == action


def measure_likeness(own: BotAgreement, others: Sequence[BotAgreement]) -> Likeness | None:
    """Test *own* against *others*, one of each person; ``None`` if there are too few turns."""
    turns = sum(other.turns for other in others)
    if own.turns < LEAST_TURNS or not turns:
        return None
    rate = sum(other.same for other in others) / turns
    spread = _spread(others, rate)
    p = chance.hits_at_least(own.same, own.turns, rate, spread)
    return Likeness(own, len(others), rate, spread, p)


def _spread(others: Sequence[BotAgreement], rate: float) -> float:
    """The intraclass correlation by moments (Kleinman 1973), how much people differ beyond chance, plus twice
    its uncertainty, as few people may look more alike than they are."""
    known = [other for other in others if other.turns >= LEAST_CHOICES]
    if len(known) < LEAST_PEOPLE or not 0 < rate < 1:
        return SPREAD_UNKNOWN
    of_chance = sum(rate * (1 - rate) / choices.turns for choices in known) / len(known)
    seen = sum((choices.same / choices.turns - rate) ** 2 for choices in known) / (len(known) - 1)
    share = (seen - of_chance) / (rate * (1 - rate) - of_chance)
    doubt = 1 + 2 * sqrt(2 / (len(known) - 1))
    return min(0.5, max(LEAST_SPREAD, share * doubt))


def is_significant(measured: Likeness, tested: int) -> bool:
    """Return whether to show *measured*, if so many people are *tested*."""
    return measured.p <= chance.threshold(tested)
