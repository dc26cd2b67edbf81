"""The words of the expansions: ``WORDS`` in every module of this package, found without registration.

They are merged into the core's tables when ``games.words`` is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from .. import decisions, errors, events, rule_sets, scores, vocabulary
from ..expansion import Expansion

TABLES: Mapping[str, dict[Any, Any]] = {
    "options": rule_sets.OPTIONS,
    "hints": rule_sets.HINTS,
    "values": rule_sets.VALUES,
    "figure_counts": rule_sets.FIGURE_COUNTS,
    "usual_editions": rule_sets.USUAL_EDITIONS,
    "bad_rule_sets": rule_sets.BAD_RULE_SETS,
    "warnings": rule_sets.WARNINGS,
    "kinds": vocabulary.KINDS,
    "figures": vocabulary.FIGURES,
    "returns": vocabulary.RETURNS,
    "quarters": vocabulary.QUARTERS,
    "tokens": vocabulary.TOKENS,
    "signs": vocabulary.SIGNS,
    "tile_signs": vocabulary.TILE_SIGNS,
    "holdings": vocabulary.HOLDINGS,
    "terms": scores.TERMS,
    "earned": scores.EARNED,
    "forbidden": errors.FORBIDDEN,
    "further": events.FURTHER,
    "events": events.SENTENCES,
    "decisions": decisions.DECISIONS,
    "answers": decisions.ANSWERS,
    "overdue": decisions.OVERDUE,
    "standing": decisions.STANDING,
}
"""Table that each field of an expansion is merged into."""


def iterate_expansions() -> Iterator[Expansion]:
    """Yield the words of the modules in this package, by module name."""
    for name in sorted(file.name for file in iter_modules(__path__)):
        yield import_module(f"{__name__}.{name}").WORDS


def add_words(table: dict[Any, Any], words: Mapping[Any, Any]) -> None:
    """Merge *words* into *table*. :raises ValueError: if a key has words already"""
    twice = table.keys() & words.keys()
    if twice:
        raise ValueError(f"said twice: {sorted(map(str, twice))}")
    table |= words


def _collect(expansions: list[Expansion]) -> None:
    for expansion in expansions:
        for field, table in TABLES.items():
            add_words(table, getattr(expansion, field))
        events.FORETOLD.update(expansion.foretold)
        events.ECHOED.update(expansion.echoed)
    for expansion in sorted(expansions, key=lambda expansion: (expansion.order, *expansion.sets)):
        add_words(rule_sets.SETS, expansion.sets)
        add_words(rule_sets.SET_LINES, expansion.set_lines)
        add_words(rule_sets.SET_ADDS, expansion.set_adds)


_collect(list(iterate_expansions()))
