"""Names of players within sentences, marked so that a page can lead from them to the players.

A name may be any word or number, so no sentence could be searched for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MARK = "\N{INVISIBLE SEPARATOR}"
"""Before and after a name; no name, and no text, has it."""


def mark_names(names: Iterable[str]) -> tuple[str, ...]:
    """*names* as sentences are to have them whose names are found again."""
    return tuple(f"{MARK}{name}{MARK}" for name in names)


def remove_marks(text: str) -> str:
    """*text* as people read it.

    >>> remove_marks(f"{MARK}Anna{MARK} has 3 points.")
    'Anna has 3 points.'
    """
    return text.replace(MARK, "")


def split_at_names(text: str) -> Iterator[tuple[str, bool]]:
    """*text*, whose names are marked, in pieces, each with whether it is a name.

    >>> list(split_at_names(f"A knight of {MARK}Anna{MARK} comes home."))
    [('A knight of ', False), ('Anna', True), (' comes home.', False)]
    """
    for number, piece in enumerate(text.split(MARK)):
        if piece:
            yield piece, number % 2 == 1
