"""Mails about what is no game.

Games know nothing of leagues: whoever has something else to tell writes notices of a kind of its own, with
what they are about in ``Notice.about``, and registers here who understands that.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from games.models import Kind, Notice
from games.notices.letters import Letter

Writer = Callable[[Notice, datetime], Letter | None]
"""From a notice to its mail as things stand at a moment, in the language that is active; nothing where there
is nothing to tell any more."""

_writers: dict[str, Writer] = {}


class NothingToTell(Exception):
    """What a notice tells does not matter any more."""


def register(kind: Kind, writer: Writer) -> None:
    """From now on *writer* is asked about notices of this *kind*."""
    _writers[kind.value] = writer


def letter(notice: Notice, now: datetime) -> Letter:
    """What the mail of *notice* says.

    :raises NothingToTell: there is nothing to tell any more
    """
    found = _writers[notice.kind](notice, now)
    if found is None:
        raise NothingToTell(notice.key)
    return found
