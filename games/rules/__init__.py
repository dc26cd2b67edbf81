"""Carcassonne as a plain Python library: no Django, nothing but the standard library.

The rules are numbered in ``docs/rules/``; errors, docstrings and tests cite those numbers.
"""

from .actions import Action, Draw, Final, Pass, Place, Placement, Recall, action_from_json, action_to_json
from .board import Board, Feature, Meeple, Spot
from .errors import IllegalAction, InvalidRecord, InvalidRuleSet
from .game import Game, Played, ranks
from .legal import LegalActions
from .ruleset import RuleSet
from .state import (
    SCHEMA,
    Completed,
    Decision,
    Deployed,
    Discarded,
    Drawn,
    Event,
    Finished,
    Laid,
    LastTurnPlayed,
    Placed,
    Returned,
    Scored,
    Standing,
    State,
    Term,
    TurnPassed,
    event_from_json,
    event_to_json,
)
from .tiles import Deploy, tile

__all__ = [
    "SCHEMA",
    "Action",
    "Board",
    "Completed",
    "Decision",
    "Deploy",
    "Deployed",
    "Discarded",
    "Draw",
    "Drawn",
    "Event",
    "Feature",
    "Final",
    "Finished",
    "Game",
    "IllegalAction",
    "InvalidRecord",
    "InvalidRuleSet",
    "Laid",
    "LastTurnPlayed",
    "LegalActions",
    "Meeple",
    "Pass",
    "Place",
    "Placed",
    "Placement",
    "Played",
    "Recall",
    "Returned",
    "RuleSet",
    "Scored",
    "Spot",
    "Standing",
    "State",
    "Term",
    "TurnPassed",
    "action_from_json",
    "action_to_json",
    "event_from_json",
    "event_to_json",
    "ranks",
    "tile",
]
