"""Sentences in the reader's language for what the rules say in codes: errors, events, tiles' parts.

The rules know codes and parameters only. Everything here is worded when it is shown or sent, so it comes in
the language that is active then.
"""

from .errors import bad_line, refusal
from .events import event_sentence, tells
from .features import edges, feature_words, figure_label, sized, sized_as, who
from .scores import points, sum_of, term
from .vocabulary import FIGURES, GOODS, KINDS, QUARTERS, SIDES, cell, figure, kind, spot, tile_words

__all__ = [
    "FIGURES",
    "GOODS",
    "KINDS",
    "QUARTERS",
    "SIDES",
    "bad_line",
    "cell",
    "edges",
    "event_sentence",
    "feature_words",
    "figure",
    "figure_label",
    "kind",
    "points",
    "refusal",
    "sized",
    "sized_as",
    "spot",
    "sum_of",
    "tells",
    "term",
    "tile_words",
    "who",
]
