"""Errors that mean that a mail could not be handed over, by whichever way it goes."""

from __future__ import annotations

from smtplib import SMTPException

from django.conf import settings


def load_mail_errors() -> tuple[type[Exception], ...]:
    """Return the errors to catch: those of SMTP, and those of a mail provider's interface where one is used.

    The latter take requests with them, eight megabytes that other sites save.
    """
    if not settings.EMAIL_PROVIDER:
        return SMTPException, OSError
    from anymail.exceptions import AnymailError

    return SMTPException, OSError, AnymailError
