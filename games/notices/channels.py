"""The channels of notices. The module of each has ``send(notice, connection)``.

It raises the exceptions of ``email``, and returns the provider's id of the message, if any.
"""

from collections.abc import Mapping
from typing import Any

from games.models import Channel
from games.notices import email, web_push, webhooks

CHANNELS: Mapping[str, Any] = {
    Channel.EMAIL.value: email,
    Channel.PUSH.value: web_push,
    Channel.WEBHOOK.value: webhooks,
}
