"""Labels of the arrows on the edges of a map, with the number of legal spaces out of sight."""

from __future__ import annotations

from django.utils.translation import ngettext

FORMS = (1, 2, 5)
"""Numbers that cover all plural forms of a noun beside a whole number, in every language of the site."""


def format_spaces_beyond(edge: str, n: int) -> str:
    """Say that *n* legal spaces lie further in the direction *edge*: "2 legal spaces to the west".

    Raises ``KeyError`` for an edge that is none of north, west, east and south.
    """
    said = {
        "north": ngettext("{n} legal space to the north", "{n} legal spaces to the north", n),
        "west": ngettext("{n} legal space to the west", "{n} legal spaces to the west", n),
        "east": ngettext("{n} legal space to the east", "{n} legal spaces to the east", n),
        "south": ngettext("{n} legal space to the south", "{n} legal spaces to the south", n),
    }
    return said[edge].format(n=n)
