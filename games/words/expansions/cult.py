"""The words of the Cult."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.modules.cult import DuelLost

from ..expansion import Expansion
from ..vocabulary import name_cell, name_kind


def _duel_lost(event: DuelLost, names: Sequence[str]) -> str:
    return _("The {kind} at {place} is beaten: its figures go home.").format(
        kind=name_kind(event.on), place=name_cell(event.x, event.y)
    )


WORDS = Expansion(
    order=6,
    sets={"cult": gettext_lazy("The Cult")},
    set_lines={"cult": gettext_lazy("Shrines, which challenge the monasteries beside them. 5 tiles.")},
    set_adds={"cult": gettext_lazy("shrines, heretics")},
    options={
        "cult_tiles": gettext_lazy("Number of shrine tiles"),
        "cult_duels": gettext_lazy("Shrines and monasteries challenge each other"),
    },
    hints={
        "cult_tiles": gettext_lazy("One printing has a sixth shrine."),
        "cult_duels": gettext_lazy("Without challenges, a shrine is just a monastery by another name."),
    },
    values={("cult_tiles", 5): gettext_lazy("five"), ("cult_tiles", 6): gettext_lazy("six")},
    forbidden=dict.fromkeys(
        ("CULT-2", "CULT-3"),
        gettext_lazy(
            "A shrine may have only one monastery beside it, and a monastery only one shrine."
            " Choose one of the marked spaces."
        ),
    ),
    events={DuelLost: _duel_lost},
    foretold=frozenset({DuelLost}),
)
