"""WSGI application, which ``carcassonne.asgi`` runs in threads."""

import os
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from carcassonne import gc_tuning
from carcassonne.request_checks import drop_charset

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "carcassonne.settings")

django = get_wsgi_application()
import_module(settings.ROOT_URLCONF)  # imports all views: else the first visitor waits for it

gc_tuning.tune_collector()


def application(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    return django(drop_charset(environ), start_response)
