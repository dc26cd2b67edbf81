"""The words of King and Robber Baron."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.rules import Holding
from games.rules.modules.king_and_robber import CARDS, CardTaken

from ..expansion import Expansion
from ..vocabulary import name_kind


def _card_taken(event: CardTaken, names: Sequence[str]) -> str:
    return _("{player} takes the {card}.").format(player=names[event.seat], card=name_kind(event.card))


def _card(held: Holding) -> str:
    size = ngettext("{n} tile", "{n} tiles", held.tiles).format(n=held.tiles)
    return pgettext("a card and the size it was won by", "{card} ({size})").format(
        card=name_kind(held.name), size=size
    )


WORDS = Expansion(
    order=5,
    sets={"king-and-robber": gettext_lazy("King and Robber Baron")},
    set_lines={
        "king-and-robber": gettext_lazy(
            "Points for completing the largest city and the longest road. 5 tiles."
        )
    },
    set_adds={"king-and-robber": gettext_lazy("two titles")},
    options={
        "king_and_robber": gettext_lazy("What King and Robber Baron score"),
        "king": gettext_lazy("With the King"),
        "robber": gettext_lazy("With the Robber Baron"),
    },
    hints={
        "king_and_robber": gettext_lazy("Scored by the players who have them, usually at the end."),
        "king": gettext_lazy("Without him, you play the five tiles, and cities score as usual."),
        "robber": gettext_lazy("Without him, you play the five tiles, and roads score as usual."),
    },
    values={
        ("king_and_robber", "completed"): gettext_lazy("at the end 1 point for each completed city, or road"),
        ("king_and_robber", "10-each"): gettext_lazy("at the end 10 points each"),
        ("king_and_robber", "15-or-40"): gettext_lazy("at the end 15 points for one, 40 for both"),
        ("king_and_robber", "continuous"): gettext_lazy("1 point whenever a city, or road, is completed"),
    },
    kinds={"king": gettext_lazy("King"), "robber": gettext_lazy("Robber Baron")},
    holdings=dict.fromkeys(CARDS, _card),
    terms={"cards": lambda n: ngettext("{n} card", "{n} cards", n)},
    earned={
        "king": lambda n: ngettext(
            "{player} scores {n} point for the King.", "{player} scores {n} points for the King.", n
        ),
        "robber": lambda n: ngettext(
            "{player} scores {n} point for the Robber Baron.",
            "{player} scores {n} points for the Robber Baron.",
            n,
        ),
    },
    events={CardTaken: _card_taken},
    foretold=frozenset({CardTaken}),
)
