"""Exceptions that mean that a mail could not be handed over, by SMTP or by a provider."""

from __future__ import annotations

from smtplib import SMTPException

from django.conf import settings


def load_mail_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions to catch: SMTP's, and those of a mail provider's API if one is configured.

    The latter import ``requests``, which costs eight megabytes.
    """
    if not settings.EMAIL_PROVIDER:
        return SMTPException, OSError
    from anymail.exceptions import AnymailError

    return SMTPException, OSError, AnymailError
