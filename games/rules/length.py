"""Upper bounds on the length of a game."""

from __future__ import annotations

from .ruleset import RuleSet


def count_most_decisions(rules: RuleSet) -> int:
    """Return how often a game by *rules* can wait for a seat, at most.

    Each turn uses up a tile of the bag, whether it is placed or not (BASE-5, HR-6), and each step of it that
    asks, asks a seat once. At the end a step may go round until every seat has moved each of its figures.

    >>> count_most_decisions(RuleSet.of(seats=2))
    71
    """
    tiles = count_turns(rules)
    asking = sum(bool(step.name) for step in rules.turn)
    at_the_end = sum(bool(step.name) for step in rules.ending)
    figures = sum(rules.figures.values())
    return tiles * (1 + asking * rules.seats) + at_the_end * rules.seats * (1 + figures)


def count_turns(rules: RuleSet) -> int:
    """Return how many turns a game by *rules* has, of all seats together: each uses up a tile of the bag.

    >>> count_turns(RuleSet.of(seats=3))
    71
    """
    return sum(sum(group.values()) for group in rules.bag)
