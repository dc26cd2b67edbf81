"""Names of rounds and ranks of a knock-out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LATE: Mapping[int, StrOrPromise] = {
    1: gettext_lazy("Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
}
MOST_NAMED = 512
"""Maximum number of matches of a round that is named by its players; larger ones are the first round."""


def format_round(ties: int) -> str:
    """Name the round of a knock-out with this number of matches, including byes."""
    if ties in LATE:
        return str(LATE[ties])
    if ties > MOST_NAMED:
        return _("first round")
    return _("Round of {n}").format(n=2 * ties)


def format_rank(number: int) -> str:
    """Name a rank in a knock-out; empty below the third."""
    told = {1: _("Winner"), 2: _("Finalist"), 3: _("Third place")}
    return told.get(number, "")
