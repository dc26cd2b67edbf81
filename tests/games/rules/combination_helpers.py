"""Rule sets that combine expansions."""

from __future__ import annotations

from typing import Any

from games.rules import RuleSet

EXPANSIONS = (
    "abbot",
    "count",
    "cult",
    "inns-and-cathedrals",
    "king-and-robber",
    "river1",
    "river2",
    "traders-and-builders",
    "winter",
)
EVERYTHING = ("base", *EXPANSIONS)


def make_rule_set(sets: tuple[str, ...], seats: int = 2, **options: Any) -> RuleSet:
    edition = "C2" if "abbot" in sets else "C1"
    return RuleSet.of(sets=sets, edition=edition, options=options, seats=seats)
