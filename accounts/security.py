"""Log of security events: one line each, `event=… key=value …`, by the logger ``security``.

Names and addresses of people never appear in it: an account is its number. The network address does, for
those who investigate an attack.
"""

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.core import context
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import Player

logger = logging.getLogger("security")


def log_security_event(
    event: str, *, player: Player | None = None, request: HttpRequest | None = None, **more: Any
) -> None:
    """Log *event*. *more* holds words and numbers of ours, never text that somebody has typed."""
    fields = {
        "event": event,
        "account": player.pk if player else "-",
        "network": find_network(request),
        **more,
    }
    logger.info(" ".join(f"{name}={value}" for name, value in fields.items()))


def find_network(request: HttpRequest | None = None) -> str:
    """Return the IP address of *request*, or of the current request; ``-`` outside of any."""
    request = request or context.request
    if request is None:
        return "-"
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:  # allauth's way to say that there is none
        return "-"
