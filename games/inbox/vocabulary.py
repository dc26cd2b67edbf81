"""Lines that are valid answers (REPLY-15, 16)."""

from __future__ import annotations

import re
from functools import lru_cache

from games.rules.notation import BadNotation, respell
from games.rules.short_form import respell_short

ALONE = frozenset({"resign", "status", "undo"})
WITH_TEXT = frozenset({"talk", "note"})
_HYPHEN = re.compile("[\u2010\u2011\u2013\u2212](?=[0-9])")
"""Hyphens, a dash and the minus sign of our own pages, into which telephones turn the one that was typed."""


@lru_cache(maxsize=256)
def read_turn(line: str) -> str | None:
    """Return the turn or answer in *line* as the notation's writer spells it; ``None`` if there is none. A
    telephone makes one full stop of two spaces.

    >>> read_turn("14BK"), read_turn("4,1 270 monastery"), read_turn("17c."), read_turn("17c!")
    ('14b k', '4,1 r270 monastery', '17c', None)
    """
    line = _HYPHEN.sub("-", line.strip().removesuffix("."))
    try:
        return respell_short(line) or respell(line)
    except BadNotation:
        return None


def read_command(line: str) -> tuple[str, str] | None:
    """Return the command at the beginning of *line*, and the text after it; ``None`` if there is none.

    >>> read_command("Undo"), read_command("talk Well played!"), read_command("talk"), read_command("undo it")
    (('undo', ''), ('talk', 'Well played!'), None, None)
    """
    word, _, text = line.partition(" ")
    name, text = word.lower() if word.isascii() else "", text.strip()
    if (name in ALONE and not text) or (name in WITH_TEXT and text):
        return name, text
    return None


def is_answer(line: str) -> bool:
    """Return whether *line* is a turn or a command, and so neither a quote nor added by a program."""
    return read_command(line) is not None or read_turn(line) is not None
