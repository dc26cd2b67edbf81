"""Named rule sets to start from, and the rules that a rated game may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules import RuleSet, find_usual_edition
from games.words import rule_sets
from games.words.rule_sets import SETS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Preset(NamedTuple):
    """A named rule set. Options that are not given are those of the standard game."""

    title: StrOrPromise
    sets: frozenset[str] = frozenset()  # besides the base game
    options: Mapping[str, Any] = {}

    def rules(self, *, seats: int = 2) -> RuleSet:
        """Return the rule set for a table with so many *seats*."""
        sets = ("base", *(name for name in SETS if name in self.sets))
        edition = find_usual_edition(sets)
        return RuleSet.of(sets=sets, edition=edition, options=self.options, seats=seats)


PRESETS: Mapping[str, Preset] = {
    "standard": Preset(gettext_lazy("Base game")),
    "first": Preset(pgettext_lazy("rules to begin from", "First game"), options={"fields": "none"}),
    "river-abbot": Preset(gettext_lazy("River and Abbot"), frozenset({"river1", "abbot"})),
    "larger": Preset(
        gettext_lazy("The larger game"), frozenset({"inns-and-cathedrals", "traders-and-builders"})
    ),
    "old": Preset(gettext_lazy("Old rules"), options={"fields": "first-edition", "two_tile_city": 2}),
    "everything": Preset(
        gettext_lazy("Everything"),
        # The Count is advised against beside the River II (RIVER-18).
        frozenset(SETS) - {"base", "river2"},
        {"gingerbread": True},
    ),
}
"""Rule sets to choose by name. Names are short, as they stand in a row; the details are shown on choosing."""

NOT_OFFERED: Mapping[str, tuple[str, ...]] = {
    "first_player": ("youngest",),  # birthdays are unknown, so it would be by lot (HR-1)
}
"""Values of options that a record may have, but that can't be chosen for a table."""

FREE_IN_RATED = frozenset({"sixth_player"})
"""Options that change nothing in a game that has begun, so that a rated game may have any of their values."""


def list_rating_obstacles(rules: RuleSet) -> list[str]:
    """Return why a game by *rules* can't be rated, in words: unusual options, and what the rules advise
    against."""
    unusual = [
        "{}: {}".format(*rule_sets.format_option(name, chosen))
        for name, chosen in rule_sets.find_unusual_options(rules).items()
        if name not in FREE_IN_RATED
    ]
    return unusual + [rule_sets.format_warning(warning) for warning in rules.warnings]
