"""Mails that applications above games write (``core.hooks.MAIL_WRITERS``).

Games know nothing of moderation or leagues: whoever has something else to tell writes notices of a kind of
its own, with what they are about in ``Notice.about``.
"""

from __future__ import annotations

from datetime import datetime

from core import hooks
from games.models import Notice
from games.notices.letters import NoticeLetter


class NothingToTell(Exception):
    """A notice tells what does not matter any more."""


def write_registered(notice: Notice, now: datetime) -> NoticeLetter | None:
    """Write the mail of *notice* if another application writes those of its kind; else ``None``.

    :raises NothingToTell: there is nothing to tell any more
    """
    writer = hooks.MAIL_WRITERS.get(notice.kind)
    if writer is None:
        return None
    found = writer(notice, now)
    if found is None:
        raise NothingToTell(notice.key)
    return found
