"""Sentences in the reader's language for what the rules say in codes: errors, events, tiles' parts.

The rules know codes and parameters only. Everything here is worded when it is shown or sent, so it comes in
the language that is active then. What there is to say of an expansion stands under ``expansions/`` alone.
"""

from . import expansions
from .errors import bad_line, refusal
from .events import event_sentence, event_sentences, summarise_turn, tells
from .features import edges, feature_words, figure_label, sized, sized_as, who
from .plans import no_plan_for_this, plan_dropped, plan_sentence, plan_trouble, plans_made
from .scores import earned, points, sum_of, term
from .vocabulary import (
    FIGURES,
    KINDS,
    QUARTERS,
    SIDES,
    TOKENS,
    cell,
    cells_in,
    figure,
    holding,
    kind,
    spot,
    tile_words,
)

__all__ = [
    "FIGURES",
    "KINDS",
    "QUARTERS",
    "SIDES",
    "TOKENS",
    "bad_line",
    "cell",
    "cells_in",
    "earned",
    "edges",
    "event_sentence",
    "event_sentences",
    "expansions",
    "feature_words",
    "figure",
    "figure_label",
    "holding",
    "kind",
    "no_plan_for_this",
    "plan_dropped",
    "plan_sentence",
    "plan_trouble",
    "plans_made",
    "points",
    "refusal",
    "sized",
    "sized_as",
    "spot",
    "sum_of",
    "summarise_turn",
    "tells",
    "term",
    "tile_words",
    "who",
]
