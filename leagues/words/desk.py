"""Headings of the organisers' desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MATTERS: Mapping[str, StrOrPromise] = {
    "asked": _("Questions from players"),
    "few": _("Registration"),
    "broken": _("Games without a result"),
    "unfinished": _("Games that weren't finished in time"),
    "slow": _("Games unlikely to end in time"),
    "late": _("Rounds that come late"),
    "moved": _("The end of the season has moved"),
    "gone": _("Players who have left"),
    "time": _("Players who keep running out of time"),
    "swiss": _("Divisions that can't be drawn"),
    "waiting": _("Waiting for a place"),
}
"""Headings of the kinds of matters that need an organiser."""
