"""Mails kept as files, so that one can read them on a machine that sends none."""

import time
import uuid
from collections.abc import Sequence

from django.conf import settings
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import EmailMessage


class EmailBackend(BaseEmailBackend):
    """Writes every mail to a file of its own in ``OUTBOX_DIR``, as it would go over the wire."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        settings.OUTBOX_DIR.mkdir(parents=True, exist_ok=True)
        for mail in email_messages:
            name = f"{time.time_ns():020}-{uuid.uuid4().hex[:8]}"
            written = settings.OUTBOX_DIR / f"{name}.part"
            written.write_bytes(mail.message().as_bytes())
            written.rename(settings.OUTBOX_DIR / f"{name}.eml")  # a page never reads half a mail
        return len(email_messages)
