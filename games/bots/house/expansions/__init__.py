"""The house bot's knowledge of the expansions, one file each with a ``KNOWLEDGE``, without registration.

Without a file, tiles are placed by the core's judgement, and decisions get their default answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from games.rules import State

from ..knowledge import Answer, Knowledge

KNOWN: tuple[Knowledge, ...] = tuple(
    import_module(f"{__name__}.{name}").KNOWLEDGE
    for name in sorted(file.name for file in iter_modules(__path__))
)

ANSWERS: Mapping[str, Answer] = {
    name: answer for knowledge in KNOWN for name, answer in knowledge.answers.items()
}


def list_knowledge(state: State) -> Iterator[Knowledge]:
    """Yield the knowledge of the expansions in play."""
    return (knowledge for knowledge in KNOWN if knowledge.slice in state.slices)
