"""The channels by which notices go out. The module of each has ``send(notice, connection)``.

It raises what ``email`` says, and answers the number that a mail provider has given the notice, if any.
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
