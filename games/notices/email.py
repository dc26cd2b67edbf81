"""The e-mail channel: one notice becomes one mail, complete in text and HTML, with the board as a picture."""

import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.mime.image import MIMEImage
from email.utils import formataddr
from http import HTTPStatus
from types import TracebackType
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.mail import get_connection
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import ngettext

from accounts.notice_preferences import Timing
from core.bidi import isolate_html, isolate_text
from core.outputs import clean_for_subject
from games.models import Kind, Notice
from games.notices import notice_facts, unsubscribe
from games.notices.board_mail import BoardMail, build_picture
from games.notices.letter_writers import choose_language, speak_to_reader, write_notice_letter
from games.notices.letters import NoticeLetter
from games.outbox import EVENTS

WAITING = (Kind.YOUR_TURN, Kind.REMINDER, Kind.TIME_OUT)
"""Kinds of notices about a game that waits for the reader."""


REFUSALS = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
"""Status codes by which a mail provider refuses this very mail; others are about us, or its own trouble."""


class AddressRefused(Exception):
    """The recipient's server refuses this address permanently; trying again is useless."""


class MailRefused(Exception):
    """The recipient's server refuses this mail permanently, but a full mailbox may be emptied."""


class ServerAway(Exception):
    """Our mail server can't be reached or takes nothing now."""


class Connection:
    """A connection to the mail server, for many mails."""

    def __init__(self) -> None:
        self._backend = get_connection()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        try:
            self._backend.close()
        except (smtplib.SMTPException, OSError):
            return  # the connection is closed already

    def send(self, mail: BoardMail) -> str:
        """Send *mail* by the server or the mail provider; once this returns, it was accepted. Return the
        provider's id.

        :raises AddressRefused: permanently
        :raises MailRefused: perhaps permanently
        :raises ServerAway: temporarily
        """
        if settings.EMAIL_PROVIDER:
            return self._send_by_provider(mail)
        try:
            self._backend.open()
            self._backend.send_messages([mail])
        except smtplib.SMTPRecipientsRefused as error:
            self._close()
            if all(code >= 500 for code, _answer in error.recipients.values()):
                raise AddressRefused(str(error)) from error
            raise
        except (smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
            self._close()
            if isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500:
                raise MailRefused(str(error)) from error
            raise
        except (smtplib.SMTPException, OSError) as error:
            self._close()
            raise ServerAway(f"{type(error).__name__}: {error}") from error
        return ""

    def _send_by_provider(self, mail: BoardMail) -> str:
        # With requests: eight megabytes that a site without a provider saves.
        from anymail.exceptions import AnymailAPIError, AnymailError, AnymailRecipientsRefused

        try:
            self._backend.open()  # otherwise each mail would open a connection
            self._backend.send_messages([mail])
        except AnymailRecipientsRefused as error:
            raise AddressRefused(str(error)) from error
        except AnymailAPIError as error:
            if error.status_code in REFUSALS:
                raise MailRefused(str(error)) from error
            raise ServerAway(f"{type(error).__name__}: {error}") from error
        except AnymailError as error:  # the provider can't send such a mail
            raise MailRefused(str(error)) from error
        return str(mail.anymail_status.message_id or "")


def send(notice: Notice, connection: Connection) -> str:
    """Send the mail of *notice* by the server or the mail provider; return the provider's id."""
    return connection.send(compose(notice))


def compose(notice: Notice) -> BoardMail:
    """Write the mail of *notice*, in the language and the time zone of its reader.

    :raises NothingToTell: it need not be sent any more
    """
    reader = notice.recipient
    with speak_to_reader(notice):
        letter = write_notice_letter(notice)
        stop = ""
        if notice.kind in EVENTS:
            stop = settings.SITE_URL + reverse("games:unsubscribe", args=[unsubscribe.build_token(notice)])
        context = _build_context(notice, letter) | {"stop_url": stop}
        mail = BoardMail(
            subject=clean_for_subject(letter.subject),
            body=_render_text(f"mails/{notice.kind}.txt", context) + "\n",
            to=[reader.email if reader else notice.address],
            headers=headers(notice, letter, stop),
        )
        mail.attach_alternative(_render_html(f"mails/{notice.kind}.html", context), "text/html")
    mail.attachments += _build_pictures(notice, letter)
    return mail


def _build_context(notice: Notice, letter: NoticeLetter) -> dict[str, Any]:
    return {
        **letter.context,
        "layout": "mails/base",
        "subject": letter.subject,
        "notice": notice,
        "game": notice.game,
        "contest": notice_facts.load_facts(notice).contest if notice.game is not None else None,
        "reader": notice.recipient,
        "language": choose_language(notice),
        "site_url": settings.SITE_URL,
        "pictures": {name: content_id(notice, name) for name in letter.pictures},
    }


def _render_text(template: str, context: dict[str, Any]) -> str:
    return isolate_text(re.sub(r"\n{3,}", "\n\n", render_to_string(template, context)).strip())


def _render_html(template: str, context: dict[str, Any]) -> str:
    return isolate_html(render_to_string(template, context))


def _build_pictures(notice: Notice, letter: NoticeLetter) -> list[MIMEImage]:
    return [
        build_picture(content_id(notice, name), picture, f"{name}.png", clean_for_subject(description))
        for name, (picture, description) in letter.pictures.items()
    ]


@dataclass(frozen=True)
class MailSection:
    """The part of *notice* in a mail about several things."""

    notice: Notice
    subject: str
    text: str
    html: str
    pictures: list[MIMEImage]

    @property
    def urgency(self) -> tuple[bool, datetime]:
        """The sort key of sections: games awaiting the reader by deadline, then other notices by time."""
        game = self.notice.game
        if self.notice.kind in WAITING and game is not None and game.deadline is not None:
            return False, game.deadline
        return True, self.notice.created


def compose_section(notice: Notice) -> MailSection:
    """Write the mail of *notice* as a section of another one, with a reply link of its own.

    :raises NothingToTell: it need not be sent any more
    """
    with speak_to_reader(notice):
        letter = write_notice_letter(notice)
        context = _build_context(notice, letter) | {
            "layout": "mails/section",
            "in_section": True,
            "reply_link": _build_reply_link(letter),
            "reply_to": letter.reply_to,
        }
        text = _render_text(f"mails/{notice.kind}.txt", context)
        html = _render_html(f"mails/{notice.kind}.html", context)
    return MailSection(notice, letter.subject, text, html, _build_pictures(notice, letter))


def _build_reply_link(letter: NoticeLetter) -> str:
    """The link that opens a mail in reply to *letter*, if that can be answered (RFC 6068)."""
    if not letter.reply_to:
        return ""
    subject = quote(f"Re: {clean_for_subject(letter.subject)}", safe="")
    return f"mailto:{quote(letter.reply_to, safe='@+')}?subject={subject}"


def compose_folded(sections: Sequence[MailSection]) -> BoardMail:
    """Write a mail with all *sections*, which have the same recipient. Replies go to the sections' own
    addresses. The first section determines the Message-ID, so that a repeated mail has the same one."""
    lead = sections[0].notice
    reader = lead.recipient
    assert reader is not None
    ordered = sorted(sections, key=lambda section: section.urgency)
    waiting = len({section.notice.game_id for section in sections if section.notice.kind in WAITING})
    with speak_to_reader(lead):
        subject = _format_folded_subject(waiting, len(sections))
        stop = settings.SITE_URL + reverse(
            "games:unsubscribe", args=[unsubscribe.build_token(lead, of_all=True)]
        )
        context = {
            "layout": "mails/base",
            "subject": subject,
            "sections": ordered,
            "reader": reader,
            "language": reader.spoken_language,
            "site_url": settings.SITE_URL,
            "stop_url": stop,
            "daily": lead.timing == Timing.DAILY,
            "preferences_url": settings.SITE_URL + reverse("accounts:notices"),
        }
        mail = BoardMail(
            subject=clean_for_subject(subject),
            body=_render_text("mails/folded.txt", context) + "\n",
            to=[reader.email],
            headers=_build_folded_headers(lead, stop),
        )
        mail.attach_alternative(_render_html("mails/folded.html", context), "text/html")
    mail.attachments += [picture for section in ordered for picture in section.pictures]
    return mail


def _format_folded_subject(waiting: int, number: int) -> str:
    if waiting:
        return ngettext("{n} game is waiting for you", "{n} games are waiting for you", waiting).format(
            n=waiting
        )
    return ngettext("{n} update", "{n} updates", number).format(n=number)


def _build_folded_headers(lead: Notice, stop_url: str) -> dict[str, str]:
    return {
        "Message-ID": f"<folded.{lead.key}@{settings.SITE_HOST}>",
        **_build_list_headers(stop_url),
        "Auto-Submitted": "auto-generated",
    }


def message_id(notice: Notice) -> str:
    """Return a Message-ID fixed by event and recipient, so that a repeated mail has the same one."""
    return f"<{notice.key}@{settings.SITE_HOST}>"


def thread_id(notice: Notice, letter: NoticeLetter) -> str:
    """Return the Message-ID that all mails on the same subject refer to, so that programs thread them."""
    thread = letter.thread or f"game.{notice.of_game.code}"
    return f"<{thread}@{settings.SITE_HOST}>"


def content_id(notice: Notice, name: str) -> str:
    return f"{name}.{notice.key}@{settings.SITE_HOST}"


def headers(notice: Notice, letter: NoticeLetter, stop_url: str) -> dict[str, str]:
    """Return the headers: one thread per game, one-click unsubscribing where possible, and the mark of
    automatic mail."""
    thread = thread_id(notice, letter)
    return {
        "Message-ID": message_id(notice),
        "In-Reply-To": letter.answers or thread,
        "References": f"{thread} {letter.answers}".strip(),
        **({"Reply-To": letter.reply_to} if letter.reply_to else {}),
        **_build_list_headers(stop_url),
        "Auto-Submitted": "auto-replied" if notice.kind == Kind.REPLY else "auto-generated",
    }


def _build_list_headers(stop_url: str) -> dict[str, str]:
    """Return List-ID (RFC 2919), and the headers for one-click unsubscribing where possible (RFC 8058)."""
    stop = {
        "List-Unsubscribe": f"<{stop_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return {
        **(stop if stop_url else {}),
        "List-ID": formataddr((settings.SITE_NAME, f"games.{settings.SITE_HOST}")),
    }
