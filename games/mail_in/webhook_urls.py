"""URLs of the webhooks of the mail providers in use (``docs/mail.md``).

Anymail has URLs for all its providers, and some of its views look for their keys before they check the
password: a stranger's request would be a traceback.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from anymail.urls import urlpatterns as of_all_providers
from django.conf import settings
from django.urls import URLPattern
from django.views.generic import View

from games.mail_in.provider_messages import ProviderMessage
from games.mail_in.webhook_views import GuardedWebhook


def list_patterns() -> Iterator[URLPattern]:
    """Yield Anymail's URL patterns of the providers in use, with guarded views."""
    for pattern in of_all_providers:
        provider = re.match(r"\^?(\w+?)/", str(pattern.pattern))
        if provider is not None and is_set_up(provider[1]):
            view = guard(pattern.callback.view_class).as_view()
            yield URLPattern(pattern.pattern, view, pattern.default_args, pattern.name)


def is_set_up(provider: str) -> bool:
    """Return whether mail is sent by *provider*, or it has a key of its own."""
    keys = [key.lower() for key in settings.ANYMAIL]
    return provider == settings.EMAIL_PROVIDER or any(key.startswith(f"{provider}_") for key in keys)


def guard(view: type[View]) -> type[View]:
    """Return a class of *view* that checks a call before it parses its content, and parses no message."""
    for base in view.__mro__:
        module = sys.modules[base.__module__]
        if hasattr(module, "AnymailInboundMessage"):
            setattr(module, "AnymailInboundMessage", ProviderMessage)  # noqa: B010  # unknown to its types
    return type(f"Guarded{view.__name__}", (GuardedWebhook, view), {})


urlpatterns = list(list_patterns())
