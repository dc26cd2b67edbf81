"""The abbot, who stands on monasteries, shrines and gardens and may be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidRuleSet
from ..module import Chosen, Module, Option
from ..tiles import SURROUNDED

ABBOT = "abbot"


class Abbot(Module):
    """The abbot: claims (ABBOT-4), returns like a follower (ABBOT-6) or by recall (ABBOT-7 to ABBOT-11)."""

    name = "abbot"
    edition = "C2"  # the first with gardens (ABBOT-1)
    options = (Option("abbot_without_gardens", (False, True), "ABBOT-1"),)
    figures: Mapping[str, int] = {ABBOT: 1}
    claims: Mapping[str, frozenset[str]] = {ABBOT: SURROUNDED}
    recalled: Any = (ABBOT,)

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        """Refuse the first edition, whose tiles have no gardens (ABBOT-1)."""
        if self.name not in chosen.sets or chosen.edition != "C1" or chosen.options["abbot_without_gardens"]:
            return None
        return InvalidRuleSet("abbot_needs_gardens", "ABBOT-1", edition=chosen.edition)
