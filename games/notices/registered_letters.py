"""Mails written by other applications (``core.hooks.MAIL_WRITERS``).

Games don't know moderation or leagues: other applications create notices of kinds of their own, with the
details in ``Notice.about``.
"""

from __future__ import annotations

from datetime import datetime

from core import hooks
from games.models import Notice
from games.notices.letters import NoticeLetter


class NothingToTell(Exception):
    """The notice is no longer relevant."""


def write_registered(notice: Notice, now: datetime) -> NoticeLetter | None:
    """Write the mail of *notice* if another application has registered its kind; otherwise return ``None``.

    :raises NothingToTell: it is no longer relevant
    """
    writer = hooks.MAIL_WRITERS.get(notice.kind)
    if writer is None:
        return None
    found = writer(notice, now)
    if found is None:
        raise NothingToTell(notice.key)
    return found
