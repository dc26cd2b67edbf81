"""URLs of the webhooks of the mail providers in use (``docs/mail.md``).

Anymail has URLs for all its providers, and some of its views look for their keys before they check the
password: a stranger's request would be a traceback.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import wraps

from anymail.urls import urlpatterns as of_all_providers
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponse]

MOST_BOUNDARIES = 64
"""Maximum number of boundaries in a genuine mail. Python's parser, which Anymail uses, compares each line of
a part with those of all parts around it: a megabyte in 200 parts takes 17 seconds."""

logger = logging.getLogger(__name__)


def list_patterns() -> Iterator[URLPattern]:
    """Yield Anymail's URL patterns of the providers in use."""
    for pattern in of_all_providers:
        provider = re.match(r"\^?(\w+?)/", str(pattern.pattern))
        if provider is not None and is_set_up(provider[1]):
            yield URLPattern(
                pattern.pattern, drop_nested(pattern.callback), pattern.default_args, pattern.name
            )


def is_set_up(provider: str) -> bool:
    """Return whether mail is sent by *provider*, or it has a key of its own."""
    keys = [key.lower() for key in settings.ANYMAIL]
    return provider == settings.EMAIL_PROVIDER or any(key.startswith(f"{provider}_") for key in keys)


def drop_nested(view: View) -> View:
    """Drop mails that would take long to parse; the provider gets a success response."""

    @csrf_exempt
    @wraps(view)
    def look(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.body.lower().count(b"boundary") > MOST_BOUNDARIES:
            logger.warning("A mail with too many parts was dropped")
            return HttpResponse()
        return view(request, *args, **kwargs)

    return look


urlpatterns = list(list_patterns())
