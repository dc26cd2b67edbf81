"""What was done in a league, in the past tense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ACTS: Mapping[str, StrOrPromise] = {
    "found": gettext_lazy("founded the league"),
    "open": gettext_lazy("opened registration"),
    "begin": gettext_lazy("began the season"),
    "cancel": gettext_lazy("cancelled the season: too few came"),
    "close": gettext_lazy("closed the season"),
    "withdraw": gettext_lazy("withdrew from the season"),
    "register": gettext_lazy("registered"),
    "settle": gettext_lazy("settled a game"),
}
"""By ``LogEntry.act``."""


def act(name: str) -> str:
    """What was done; a name without words is told as it is."""
    return str(ACTS.get(name, name))
