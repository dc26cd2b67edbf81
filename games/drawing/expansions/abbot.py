"""The abbot; and the picture of his set, which has no tiles: a garden."""

from __future__ import annotations

from ..art import CLOAK, ON_CLOAK, Art, FigureShape

MITRE = "M-4.6-9.5l-.8-5.2L0-20.5l5.4 5.8-.8 5.2q-4.6 1.6-9.2 0z"

ART = Art(
    pictures={"abbot": "base.Eg"},
    figures={"abbot": FigureShape((CLOAK, MITRE), "", ON_CLOAK)},
)
