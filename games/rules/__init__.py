"""Carcassonne as a plain Python library: no Django, nothing but the standard library.

The rules are numbered in ``docs/rules/``; errors, docstrings and tests cite those numbers.

>>> from games.rules import Deploy, Draw, Final, Game, Place, RuleSet
>>> game = Game.new(RuleSet.of(seats=2)).play(Draw("base.E"))  # by nobody: the bag's order is not known here
>>> game.decision
Decision(kind='place', seat=0)
>>> game.legal_actions().placements[0]
Placement(x=0, y=-1, rotation=180)
>>> game = game.play(Place("base.E", 0, -1, 180, Deploy("follower", "city", "S")))
>>> [type(event).__name__ for event in game.events]
['Placed', 'Deployed', 'Completed', 'Scored', 'Returned', 'TurnPassed']
>>> game.events[3].terms
(Term(name='tiles', count=2, points=4),)
>>> game = game.cut_short().play(Final())  # or go on drawing
>>> game.decision.kind, game.state.scores
('over', (4, 0))
"""

from .actions import Action, Draw, Final, Pass, Place, Placement, Recall, action_from_json, action_to_json
from .board import Board, Feature, Meeple, Spot
from .errors import IllegalAction, InvalidRecord, InvalidRuleSet
from .events import (
    SCHEMA,
    Answered,
    Asked,
    Completed,
    Dealing,
    Dealt,
    Deployed,
    Discarded,
    Drawn,
    Event,
    Finished,
    FurtherTurn,
    HandReady,
    LastTurnPlayed,
    Placed,
    PutAside,
    PutBack,
    Returned,
    Scored,
    Started,
    Term,
    TurnPassed,
    event_from_json,
    event_to_json,
)
from .game import Game, Played
from .legal import LegalActions
from .length import count_most_decisions, count_turns
from .module import Holding, Option, Quarter, Token, Warn
from .modules import HOUSE_RULES
from .modules.house_rules import LENGTHS as TABLE_LENGTHS
from .ruleset import RuleSet, find_usual_edition, get_scored_spot, list_all_options, list_expansion_sets
from .state import Decision, Laid, Standing, State
from .tiles import Deploy, get_tile
from .visibility import hide_secrets, hide_secrets_of_event

__all__ = [
    "HOUSE_RULES",
    "SCHEMA",
    "TABLE_LENGTHS",
    "Action",
    "Answered",
    "Asked",
    "Board",
    "Completed",
    "Dealing",
    "Dealt",
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
    "FurtherTurn",
    "Game",
    "HandReady",
    "Holding",
    "IllegalAction",
    "InvalidRecord",
    "InvalidRuleSet",
    "Laid",
    "LastTurnPlayed",
    "LegalActions",
    "Meeple",
    "Option",
    "Pass",
    "Place",
    "Placed",
    "Placement",
    "Played",
    "PutAside",
    "PutBack",
    "Quarter",
    "Recall",
    "Returned",
    "RuleSet",
    "Scored",
    "Spot",
    "Standing",
    "Started",
    "State",
    "Term",
    "Token",
    "TurnPassed",
    "Warn",
    "action_from_json",
    "action_to_json",
    "count_most_decisions",
    "count_turns",
    "event_from_json",
    "event_to_json",
    "find_usual_edition",
    "get_scored_spot",
    "get_tile",
    "hide_secrets",
    "hide_secrets_of_event",
    "list_all_options",
    "list_expansion_sets",
]
