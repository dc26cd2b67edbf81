"""The writer of each kind of letter, and the language and time zone of its reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone, translation

from games.models import Kind, Notice
from games.notices import invitation_letters, letters, reply_letters, table_letters, time_out
from games.notices.registered_letters import write_registered

_LETTERS = {
    Kind.INVITATION: invitation_letters.write_invitation_letter,
    Kind.DECLINED: invitation_letters.write_declined_letter,
    Kind.TABLE: table_letters.write_act_letter,
    Kind.TIME_OUT: time_out.write_time_out_letter,
    Kind.REMOVED: invitation_letters.write_removed_letter,
    Kind.NUDGE: table_letters.write_keeping_letter,
    Kind.REPLY: reply_letters.write_reply_letter,
}
"""Writers of the letters that ``letters`` does not write."""


def write_notice_letter(notice: Notice) -> letters.NoticeLetter:
    """Write what *notice* says, of whatever kind, as things stand now and in the language that is active.

    :raises NothingToTell: it need not be sent any more
    """
    written = write_registered(notice, timezone.now())
    return written or _LETTERS.get(Kind(notice.kind), letters.write_letter)(notice)


def choose_language(notice: Notice) -> str:
    """Return the language of the reader of *notice*; of a reader without an account, that of the inviter."""
    if notice.recipient is not None:
        return notice.recipient.language
    assert notice.invitation is not None
    return notice.invitation.inviter.language


@contextmanager
def speak_to_reader(notice: Notice) -> Iterator[None]:
    """Write within in the language and the time zone of the reader of *notice*."""
    zone = settings.TIME_ZONE if notice.recipient is None else notice.recipient.time_zone
    with translation.override(choose_language(notice)), timezone.override(ZoneInfo(zone)):
        yield
