"""The channel e-mail: one notice becomes one mail, complete in text and HTML, with the board as a picture."""

import re
import smtplib
from email.utils import formataddr
from http import HTTPStatus
from types import TracebackType

from django.conf import settings
from django.core.mail import get_connection
from django.template.loader import render_to_string
from django.urls import reverse

from core.outputs import clean_for_subject
from games.models import Kind, Notice
from games.notices import notice_facts, unsubscribe
from games.notices.board_mail import BoardMail, InlinePicture
from games.notices.letter_writers import choose_language, speak_to_reader, write_notice_letter
from games.notices.letters import NoticeLetter
from games.outbox import PREFERENCES

REFUSALS = (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY)
"""Answers of a mail provider that are about this mail; any other is about us, or its own trouble."""


class AddressRefused(Exception):
    """The other side will never take mail for this address: no fault of ours, and no use trying again."""


class MailRefused(Exception):
    """The other side will not take this mail: for good, it says, but a full box may be emptied."""


class ServerAway(Exception):
    """Our mail server can't be reached or takes nothing now."""


class Connection:
    """One connection to the mail server for as many mails as it lasts."""

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
            return  # it is gone already

    def send(self, mail: BoardMail) -> str:
        """Give *mail* to the server, or to the mail provider; when this returns it has been taken. Answers
        the provider's number for it.

        :raises AddressRefused: for good
        :raises MailRefused: perhaps for good
        :raises ServerAway: for now
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

        mail.attach_pictures()
        try:
            self._backend.open()  # else there would be a connection for each mail
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
    """Write the mail of *notice* and give it to the server, or to the mail provider, whose number for it is
    answered."""
    return connection.send(compose(notice))


def compose(notice: Notice) -> BoardMail:
    """The mail of *notice*, in the language and the time zone of its reader.

    :raises NothingToTell: it need not be sent any more
    """
    reader = notice.recipient
    with speak_to_reader(notice):
        letter = write_notice_letter(notice)
        stop = ""
        if notice.kind in PREFERENCES:
            stop = settings.SITE_URL + reverse("games:unsubscribe", args=[unsubscribe.build_token(notice)])
        context = {
            **letter.context,
            "subject": letter.subject,
            "notice": notice,
            "game": notice.game,
            "contest": notice_facts.load_facts(notice).contest if notice.game is not None else None,
            "reader": reader,
            "language": choose_language(notice),
            "site_url": settings.SITE_URL,
            "stop_url": stop,
            "pictures": {name: content_id(notice, name) for name in letter.pictures},
        }
        text = re.sub(r"\n{3,}", "\n\n", render_to_string(f"mails/{notice.kind}.txt", context)).strip()
        html = render_to_string(f"mails/{notice.kind}.html", context)
        mail = BoardMail(
            subject=clean_for_subject(letter.subject),
            body=text + "\n",
            to=[reader.email if reader else notice.address],
            headers=headers(notice, letter, stop),
        )
    mail.attach_alternative(html, "text/html")
    for name, (picture, description) in letter.pictures.items():
        shown = InlinePicture(
            content_id(notice, name), picture, f"{name}.png", clean_for_subject(description)
        )
        mail.pictures.append(shown)
    return mail


def message_id(notice: Notice) -> str:
    """Fixed by the event and the recipient, so that a mail that is repeated is the same mail."""
    return f"<{notice.key}@{settings.SITE_HOST}>"


def thread_id(notice: Notice, letter: NoticeLetter) -> str:
    """The message that every mail about the same refers to, so that programs show them together."""
    thread = letter.thread or f"game.{notice.of_game.code}"
    return f"<{thread}@{settings.SITE_HOST}>"


def content_id(notice: Notice, name: str) -> str:
    return f"{name}.{notice.key}@{settings.SITE_HOST}"


def headers(notice: Notice, letter: NoticeLetter, stop_url: str) -> dict[str, str]:
    """Return what mail programs read: one thread per game, one click to stop where that can be, and that no
    person wrote this."""
    thread = thread_id(notice, letter)
    stop = {
        "List-Unsubscribe": f"<{stop_url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
    return {
        "Message-ID": message_id(notice),
        "In-Reply-To": letter.answers or thread,
        "References": f"{thread} {letter.answers}".strip(),
        **({"Reply-To": letter.reply_to} if letter.reply_to else {}),
        **(stop if stop_url else {}),
        "List-ID": formataddr((settings.SITE_NAME, f"games.{settings.SITE_HOST}")),
        "Auto-Submitted": "auto-replied" if notice.kind == Kind.REPLY else "auto-generated",
    }
