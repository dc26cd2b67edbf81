"""Views of mail providers' webhooks: anymail's, with checks around them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from anymail.exceptions import AnymailError
from anymail.signals import AnymailInboundEvent
from anymail.webhooks.base import AnymailBasicAuthMixin
from django.core.exceptions import BadRequest, ImproperlyConfigured, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from requests import RequestException

from games.exceptions import TooMany
from games.mail_in.provider_messages import ProviderMessage

OLDEST = timedelta(days=3)
"""Age at which a call is refused: providers try for less than a day, and a message is known for thirty."""

MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
RETRY_AFTER = 3600  # seconds

logger = logging.getLogger(__name__)


class GuardedWebhook(AnymailBasicAuthMixin):
    """Part of a view that checks the password before the content is parsed, then the signature and its age,
    and refuses with 400 what is malformed. What fails behind that is ours: a 500, and the provider tries
    again."""

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        try:
            response: HttpResponse = super().post(request, *args, **options)
        except TooMany:
            return HttpResponse(status=429, headers={"Retry-After": str(RETRY_AFTER)})
        return response

    def run_validators(self, request: HttpRequest) -> None:
        AnymailBasicAuthMixin.validate_request(self, request)
        with refuse_malformed():
            super().run_validators(request)
            check_age(self._read_signed_time(request))

    def parse_events(self, request: HttpRequest) -> list[Any]:
        with refuse_malformed():
            events: list[Any] = super().parse_events(request)
        for event in events:
            if isinstance(event, AnymailInboundEvent):
                check_age(event.timestamp)
        return events

    def _read_signed_time(self, request: HttpRequest) -> datetime | None:
        """Return the time that is signed beside the content. With other providers it is a part of the
        content, or the libraries that check it look at its age, or there is none."""
        signed = None
        if self.esp_name == "SendGrid":
            signed = request.headers.get("X-Twilio-Email-Event-Webhook-Timestamp")
        elif self.esp_name == "Mailgun" and request.content_type == "application/json":
            signed = json.loads(request.body)["signature"]["timestamp"]
        elif self.esp_name == "Mailgun":
            signed = request.POST["timestamp"]
        return datetime.fromtimestamp(int(signed), tz=UTC) if signed else None

    def _fetch_attachment(self, attachment: Any) -> ProviderMessage:
        """Describe an attachment that anymail would fetch from the provider: nobody reads it."""
        kind = attachment.get("ContentType") or attachment.get("content_type")  # of Brevo, of Resend
        return ProviderMessage.construct_attachment(kind or "application/octet-stream")


@contextmanager
def refuse_malformed() -> Iterator[None]:
    """Turn the errors of code that finds something else than it expects into a 400, and log them."""
    try:
        yield
    except (SuspiciousOperation, RequestException):
        raise
    except (AnymailError, ImproperlyConfigured, *MALFORMED) as error:
        logger.warning("A mail provider's call was malformed: %s: %s", type(error).__name__, error)
        raise BadRequest("A malformed call") from error


def check_age(at: datetime | None) -> None:
    """Refuse what is from another time: somebody sends it again, to whom it was never meant.

    :raises SuspiciousOperation: it is
    """
    if at is not None and abs(timezone.now() - at) > OLDEST:
        raise SuspiciousOperation("A mail provider's call is too old")
