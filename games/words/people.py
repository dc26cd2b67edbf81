"""Players' names in sentences, marked so that pages can link them.

Names can be any word or number, so they couldn't be found by searching.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MARK = "\N{INVISIBLE SEPARATOR}"
"""Separator before and after a name; no name and no text contains it."""


def mark_names(names: Iterable[str]) -> tuple[str, ...]:
    """Mark *names* for use in sentences."""
    return tuple(f"{MARK}{name}{MARK}" for name in names)


def remove_marks(text: str) -> str:
    """Remove the marks of names from *text*.

    >>> remove_marks(f"{MARK}Anna{MARK} has 3 points.")
    'Anna has 3 points.'
    """
    return text.replace(MARK, "")


def split_at_names(text: str) -> Iterator[tuple[str, bool]]:
    """Split *text* at its marked names; yield pieces, each with whether it is a name.

    >>> list(split_at_names(f"A knight of {MARK}Anna{MARK} comes home."))
    [('A knight of ', False), ('Anna', True), (' comes home.', False)]
    """
    for number, piece in enumerate(text.split(MARK)):
        if piece:
            yield piece, number % 2 == 1
