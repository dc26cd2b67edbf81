"""The words of Inns & Cathedrals."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext

from ..expansion import Expansion

WORDS = Expansion(
    order=3,
    sets={"inns-and-cathedrals": gettext_lazy("Inns & Cathedrals")},
    set_lines={
        "inns-and-cathedrals": gettext_lazy(
            "More for what you finish, nothing for what you don't; a large follower. 18 tiles."
        )
    },
    set_adds={"inns-and-cathedrals": gettext_lazy("large follower")},
    figure_counts={"large": gettext_lazy("Large followers of each player")},
    figures={"large": gettext_lazy("large follower")},
    signs={"inn": gettext_lazy("an inn"), "cathedral": gettext_lazy("a cathedral")},
    terms={
        "inn": lambda n: ngettext("{n} inn", "{n} inns", n),
        "cathedral": lambda n: ngettext("{n} cathedral", "{n} cathedrals", n),
    },
)
