"""The examples on the pages of the expansions, collected from ``EXAMPLES`` of each module in this package."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ..example import Example, Examples


def _import_examples() -> Examples:
    examples: dict[str, dict[str, Example]] = {}
    for name in sorted(file.name for file in iter_modules(__path__)):
        examples |= import_module(f"{__name__}.{name}").EXAMPLES
    return examples


OF_EXPANSIONS = _import_examples()
"""Examples of all expansions, by the page that shows them, then by name."""
