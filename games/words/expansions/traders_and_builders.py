"""The words of Traders & Builders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.rules import Holding
from games.rules.modules.traders_and_builders import GoodsTaken

from ..expansion import Expansion

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

GOODS: Mapping[str, StrOrPromise] = {
    "wine": gettext_lazy("wine"),
    "grain": gettext_lazy("grain"),
    "cloth": gettext_lazy("cloth"),
}


def _goods_taken(event: GoodsTaken, names: Sequence[str]) -> str:
    return pgettext("goods of a completed city", "{player} takes {n} × {goods}.").format(
        player=names[event.seat], n=event.tokens, goods=GOODS[event.goods]
    )


def _goods(held: Holding) -> str:
    return pgettext("number and goods", "{n} × {goods}").format(n=held.number, goods=GOODS[held.name])


WORDS = Expansion(
    order=4,
    sets={"traders-and-builders": gettext_lazy("Traders & Builders")},
    set_lines={
        "traders-and-builders": gettext_lazy(
            "Goods for completing cities, a builder for second turns, a pig. 24 tiles."
        )
    },
    set_adds={"traders-and-builders": gettext_lazy("goods, builder, pig")},
    figure_counts={
        "builder": gettext_lazy("Builders of each player"),
        "pig": gettext_lazy("Pigs of each player"),
    },
    kinds={"goods": gettext_lazy("majority of goods")},
    figures={"builder": gettext_lazy("builder"), "pig": gettext_lazy("pig")},
    signs={**GOODS, "pig_herd": gettext_lazy("a pig herd")},
    holdings=dict.fromkeys(GOODS, _goods),
    terms={
        "pig": lambda n: _("own pig"),
        "pig_herd": lambda n: _("pig herd"),
        "wine": lambda n: ngettext("{n} barrel of wine", "{n} barrels of wine", n),
        "grain": lambda n: ngettext("{n} sack of grain", "{n} sacks of grain", n),
        "cloth": lambda n: ngettext("{n} bale of cloth", "{n} bales of cloth", n),
    },
    earned={
        "goods": lambda n: ngettext(
            "{player} scores {n} point for goods.", "{player} scores {n} points for goods.", n
        )
    },
    further={"builder": gettext_lazy("{player} gets another turn from the builder.")},
    events={GoodsTaken: _goods_taken},
    foretold=frozenset({GoodsTaken}),
)
