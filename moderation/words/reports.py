"""Texts of reports: meanings of categories, and outcomes for reporters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CATEGORIES: Mapping[str, tuple[StrOrPromise, StrOrPromise]] = {
    "stalling": (_("Stalling"), _("Uses up all their time on purpose, for example when losing.")),
    "abandoned": (_("Left the game"), _("Has stopped playing, or keeps running out of time.")),
    "thrown": (_("Lost on purpose"), _("Plays to lose, or to let someone else win.")),
    "collusion": (_("Playing together"), _("Helps another player, or is the same person in two seats.")),
    "insults": (_("Insults"), _("Offends, threatens or harasses people in the table talk.")),
    "name": (_("Name"), _("Has an offensive name, or pretends to be someone else.")),
    "program": (_("Help by a program"), _("Lets a program choose the turns.")),
    "other": (_("Something else"), _("Describe it in a few words.")),
}
"""Names shown to reporters, and lines that explain them, by category (``models.Category``)."""

OUTCOMES: Mapping[str, StrOrPromise] = {
    "upheld": _("Moderators agree that this shouldn't happen, and have acted on it."),
    "not_upheld": _("Moderators have found nothing that breaks the rules of this site."),
    "nothing": _("Moderators have found nothing more to do about it."),
}
"""Texts for reporters, by verdict (``models.Verdict``); they never say what was done to somebody."""
