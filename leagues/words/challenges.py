"""Texts about challenges on a ladder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

REFUSALS: Mapping[str, StrOrPromise] = {
    "too_far": gettext_lazy("too far above you"),
    "busy": gettext_lazy("you are in a challenge"),
    "protected": gettext_lazy("is in a challenge"),
    "away": gettext_lazy("is away"),
    "rematch": gettext_lazy("you've only just played each other"),
}
"""Reasons shown to visitors, by code of ``leagues.schedules.challenge_refusals``; other codes have none."""


def describe_refusal(codes: Sequence[str]) -> str:
    """Describe the first reason why a visitor may not challenge somebody above; empty for players below."""
    if "not_above" in codes:
        return ""
    return next((str(REFUSALS[code]) for code in codes if code in REFUSALS), "")


def describe_open_challenge(challenger: str, challenged: str) -> str:
    return _("{challenger} challenges {challenged} for their place.").format(
        challenger=challenger, challenged=challenged
    )


def describe_ended_challenge(challenger: str, challenged: str, *, won: bool, declined: bool) -> str:
    if declined and won:
        told = _("{challenged} declined once too often, so {challenger} takes the place.")
    elif declined:
        told = _("{challenger} challenged {challenged}. The challenge was declined, and nobody moves.")
    elif won:
        told = _("{challenger} has beaten {challenged} and is now above.")
    else:
        told = _("{challenged} has defended the place against {challenger}.")
    return told.format(challenger=challenger, challenged=challenged)


def describe_declines(left: int) -> str:
    """Describe the cost of declining to a challenged player."""
    if not left:
        return _("If you decline now, your challenger takes your place.")
    return ngettext(
        "You can decline {n} more challenge this season and keep your place.",
        "You can decline {n} more challenges this season and keep your place.",
        left,
    ).format(n=left)
