"""What the web server calls."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from carcassonne import garbage
from carcassonne.doors import in_our_letters

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "carcassonne.settings")

django = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018  # loads all pages, which else the first visitor waits for

garbage.look_seldom()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    return django(in_our_letters(environ), start_response)
