"""Mails of leagues: a class for each kind, queued in the transaction of its cause, and written when sent.

Each says who gets it, and whether it still matters; its text is a template in ``templates/leagues/mail/``.
"""

from __future__ import annotations

from django.utils import timezone

from games.models import Notice
from games.notices.letters import NoticeLetter
from leagues.mails import organisers, players, seasons, substitutes, teams
from leagues.mails.base import MAILS, ROWS

__all__ = ["MAILS", "ROWS", "organisers", "players", "seasons", "substitutes", "teams", "write_mail"]


def write_mail(notice: Notice) -> NoticeLetter | None:
    """Write the mail of *notice*, as things stand now; None if it doesn't matter any more."""
    return MAILS[notice.about["topic"]](notice, timezone.now()).write()
