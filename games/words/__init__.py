"""Sentences in the reader's language for the codes of the rules: errors, events, parts of tiles.

The rules have only codes and parameters. Texts are translated when they are shown or sent, into the language
active then. The words of expansions are only in ``expansions/``.
"""

from . import expansions
from .errors import explain_bad_line, explain_refusal
from .events import is_told, summarise_turn, tell_event, tell_events
from .features import (
    describe_edges,
    describe_feature,
    format_owners,
    format_sized,
    format_sized_as,
    label_figure,
)
from .plans import explain_dropped_plan, explain_no_plan, explain_plan_trouble, format_plan, format_plans_made
from .scores import format_earned_points, format_points, format_sum, format_term
from .tables import format_turns_played
from .vocabulary import (
    FIGURES,
    KINDS,
    QUARTERS,
    RETURNS,
    SIDES,
    TOKENS,
    describe_tile,
    name_cell,
    name_figure,
    name_holding,
    name_kind,
    name_spot,
    split_at_cells,
)

__all__ = [
    "FIGURES",
    "KINDS",
    "QUARTERS",
    "RETURNS",
    "SIDES",
    "TOKENS",
    "describe_edges",
    "describe_feature",
    "describe_tile",
    "expansions",
    "explain_bad_line",
    "explain_dropped_plan",
    "explain_no_plan",
    "explain_plan_trouble",
    "explain_refusal",
    "format_earned_points",
    "format_owners",
    "format_plan",
    "format_plans_made",
    "format_points",
    "format_sized",
    "format_sized_as",
    "format_sum",
    "format_term",
    "format_turns_played",
    "is_told",
    "label_figure",
    "name_cell",
    "name_figure",
    "name_holding",
    "name_kind",
    "name_spot",
    "split_at_cells",
    "summarise_turn",
    "tell_event",
    "tell_events",
]
