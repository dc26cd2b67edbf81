"""The words of the Abbot."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from ..expansion import Expansion, ReturnWords

WORDS = Expansion(
    order=2,
    sets={"abbot": gettext_lazy("The Abbot")},
    set_lines={
        "abbot": gettext_lazy("One more figure, for monasteries and gardens, which you can return early.")
    },
    set_adds={"abbot": gettext_lazy("abbot, gardens")},
    options={"abbot_without_gardens": gettext_lazy("Abbot in an edition without gardens")},
    hints={"abbot_without_gardens": gettext_lazy("The abbot then goes to monasteries and shrines only.")},
    figure_counts={"abbot": gettext_lazy("Abbots of each player")},
    usual_editions={"C2": gettext_lazy("first; with the abbot, second")},
    bad_rule_sets={
        "abbot_needs_gardens": gettext_lazy(
            "The abbot needs an edition with gardens. Choose another edition, or let him do without them."
        )
    },
    figures={"abbot": gettext_lazy("abbot")},
    returns={
        "abbot": ReturnWords(
            label=gettext_lazy("Return the abbot"), asks=gettext_lazy("Return the abbot, or no meeple?")
        )
    },
)
