"""What can be read of a text that somebody typed in one line."""

import re

LINK = re.compile(r"://|\bwww\.|\w[.\u3002\uff0e\uff61][^\W\d_]{2}", re.IGNORECASE)
"""What mail programs make a link of: an address, or a name with a dot in it, or with a sign that stands for
a dot."""


def legible(text: str) -> str:
    """*text* in one line, without what nobody sees and what turns the words after it round."""
    return " ".join("".join(filter(str.isprintable, " ".join(text.split()))).split())


def holds_link(text: str) -> bool:
    """Whether a reader, or their mail program, may take a part of *text* for a link.

    >>> [holds_link(text) for text in ("evil.example", "www.a", "x://y", "St. Malo", "e.g. now", "3.5 days")]
    [True, True, True, False, False, False]
    """
    return LINK.search(legible(text)) is not None
