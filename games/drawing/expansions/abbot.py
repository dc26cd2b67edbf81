"""A garden stands for the abbot, who brings no tiles."""

from __future__ import annotations

from ..art import Art

ART = Art(pictures={"abbot": "base.Eg"})
