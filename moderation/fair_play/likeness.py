"""Turns as strong as a program's: how often somebody plays what the house bot would have played.

Only turns with many choices count. People agree with the bot at rates that differ from one to the other,
and not for cheating: the strong ones more. So what is improbable is told by how much people differ (a
beta-binomial distribution, fitted to everybody else by its moments), not by a coin that is the same for
all.
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
"""How much people differ, as long as there are too few to tell."""

LEAST_SPREAD = 0.01


class BotAgreement(NamedTuple):
    """Count of somebody's turns with many choices, and of those that were the bot's, too."""

    same: int
    turns: int


class Likeness(NamedTuple):
    """Findings in the turns of somebody beside those of other people."""

    own: BotAgreement
    people: int
    rate: float  # of the others
    spread: float
    p: float


def agrees(state: rules.State, action: rules.Action) -> bool | None:
    """Return whether the house bot would have done *action*, too; ``None`` where that says little."""
    seat = state.decision.seat
    if seat is None or state.decision.kind != "place":
        return None
    if len(rules.LegalActions(state)) < LEAST_CHOICES:
        return None
    return house.choose(rules.hide_secrets(state, seat)) == action


def measure_likeness(own: BotAgreement, others: Sequence[BotAgreement]) -> Likeness | None:
    """Return what *own* says beside *others*, one of each person; ``None`` if there are too few turns."""
    turns = sum(one.turns for one in others)
    if own.turns < LEAST_TURNS or not turns:
        return None
    rate = sum(one.same for one in others) / turns
    spread = _spread(others, rate)
    p = chance.hits_at_least(own.same, own.turns, rate, spread)
    return Likeness(own, len(others), rate, spread, p)


def _spread(others: Sequence[BotAgreement], rate: float) -> float:
    """How much people differ beyond chance: the intraclass correlation by moments (Kleinman 1973), and twice
    its uncertainty more, as few people may look more alike than they are."""
    known = [one for one in others if one.turns >= LEAST_CHOICES]
    if len(known) < LEAST_PEOPLE or not 0 < rate < 1:
        return SPREAD_UNKNOWN
    of_chance = sum(rate * (1 - rate) / one.turns for one in known) / len(known)
    seen = sum((one.same / one.turns - rate) ** 2 for one in known) / (len(known) - 1)
    share = (seen - of_chance) / (rate * (1 - rate) - of_chance)
    doubt = 1 + 2 * sqrt(2 / (len(known) - 1))
    return min(0.5, max(LEAST_SPREAD, share * doubt))


def is_significant(found: Likeness, tested: int) -> bool:
    """Return whether *found* is to be shown, where so many people are *tested*."""
    return found.p <= chance.threshold(tested)
