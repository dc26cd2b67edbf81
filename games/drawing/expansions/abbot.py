"""The picture of the abbot's set, which has no tiles: a garden."""

from __future__ import annotations

from ..art import Art

ART = Art(pictures={"abbot": "base.Eg"})
