"""Challenges on a ladder, and why one may not challenge somebody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

REFUSALS: Mapping[str, StrOrPromise] = {
    "too_far": gettext_lazy("too far above you"),
    "busy": gettext_lazy("you are in a challenge"),
    "protected": gettext_lazy("is in a challenge"),
    "rematch": gettext_lazy("you two rest after your last match"),
}
"""By the codes of ``leagues.schedules.challenge_refusals``, as far as somebody would ask."""


def refusal(codes: Sequence[str]) -> str:
    """Why a visitor may not challenge somebody above, the first reason alone; empty for who stands below."""
    if "not_above" in codes:
        return ""
    return next((str(REFUSALS[code]) for code in codes if code in REFUSALS), "")


def open_challenge(challenger: str, challenged: str) -> str:
    return _("{challenger} challenges {challenged} for their place.").format(
        challenger=challenger, challenged=challenged
    )


def ended_challenge(challenger: str, challenged: str, *, won: bool) -> str:
    told = (
        _("{challenger} has beaten {challenged} and is now above.")
        if won
        else _("{challenged} has defended the place against {challenger}.")
    )
    return told.format(challenger=challenger, challenged=challenged)
