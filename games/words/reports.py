"""Reports in words: what each category means, and what reporters are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

CATEGORIES: Mapping[str, tuple[StrOrPromise, StrOrPromise]] = {
    "stalling": (_("Stalling"), _("Uses up all time on purpose, as when the game is lost.")),
    "abandoned": (_("Left the game"), _("Plays no more, or lets the time run out again and again.")),
    "thrown": (_("Lost on purpose"), _("Plays so as to lose, or to let somebody else win.")),
    "collusion": (_("Playing together"), _("Helps another seat, or is the same person at two seats.")),
    "insults": (_("Insults"), _("Offends, threatens or harasses people in the talk.")),
    "name": (_("Name"), _("Offends by a name, or pretends to be somebody else.")),
    "program": (_("Help by a program"), _("Lets a program choose the turns.")),
    "other": (_("Something else"), _("Say in a few words what it is.")),
}
"""By category (``models.Category``): how reporters read it, and a line that explains it."""

OUTCOMES: Mapping[str, StrOrPromise] = {
    "upheld": _("Moderators agree that this should not happen, and have done what is to be done."),
    "not_upheld": _("Moderators have found nothing in it that the rules of this site forbid."),
    "nothing": _("Moderators have found nothing that is left to be done about it."),
}
"""By verdict (``models.Verdict``): what reporters are told, which is never what was done to somebody."""
