"""Letters of all kinds, and the language and time zone of their readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.utils import timezone, translation

from core.lost_choices import LostChoice
from core.time_zones import load_zone
from games.hooks import LETTERS, LetterSource
from games.models import Kind, Notice
from games.notices import ending_letters, invitation_letters, letters, reply_letters, table_letters, time_out
from games.notices.letters import NothingToTell, NoticeLetter


def register_letters() -> None:
    """Register the writers of the letters of games; other applications register theirs likewise."""
    for kind, write in (
        (Kind.YOUR_TURN, letters.write_own_turn_letter),
        (Kind.REMINDER, letters.write_reminder_letter),
        (Kind.STARTED, letters.write_start_letter),
        (Kind.GAME_OVER, ending_letters.write_ending_letter),
        (Kind.INVITATION, invitation_letters.write_invitation_letter),
        (Kind.DECLINED, invitation_letters.write_declined_letter),
        (Kind.REMOVED, invitation_letters.write_removed_letter),
        (Kind.TABLE, table_letters.write_act_letter),
        (Kind.NUDGE, table_letters.write_keeping_letter),
        (Kind.TIME_OUT, time_out.write_time_out_letter),
        (Kind.REPLY, reply_letters.write_reply_letter),
    ):
        LETTERS.register(kind, LetterSource(write))


def write_notice_letter(notice: Notice) -> NoticeLetter:
    """Write what *notice* says, of whatever kind, as things stand now and in the language that is active.

    :raises NothingToTell: it need not be sent any more
    """
    if notice.game is not None and notice.game.has_lost_rules:
        raise NothingToTell(notice.key)
    source = LETTERS.get(notice.kind)
    assert source is not None, f"nobody writes {notice.kind}"
    letter = source.write(notice)
    if letter is None:
        raise NothingToTell(notice.key)
    return letter


def choose_language(notice: Notice) -> str:
    """Return the language of the reader of *notice*; of a reader without an account, that of the inviter."""
    if notice.recipient is not None:
        return notice.recipient.spoken_language
    assert notice.invitation is not None
    return notice.invitation.inviter.spoken_language


@contextmanager
def speak_to_reader(notice: Notice) -> Iterator[None]:
    """Write within in the language and the time zone of the reader of *notice*.

    :raises NothingToTell: it rests on a choice that this release has lost
    """
    zone = settings.TIME_ZONE if notice.recipient is None else notice.recipient.time_zone
    with translation.override(choose_language(notice)), timezone.override(load_zone(zone)):
        try:
            yield
        except LostChoice as lost:
            raise NothingToTell(notice.key) from lost
