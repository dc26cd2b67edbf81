"""Names of what decides among teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import pgettext_lazy

from .criteria import NAMES as OF_PLAYERS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

NAMES: Mapping[str, StrOrPromise] = {
    **OF_PLAYERS,
    "points": pgettext_lazy("what decides", "match points"),
    "games_won": pgettext_lazy("what decides", "board points"),
}
"""Names of the criteria for teams, whose matches consist of boards."""
