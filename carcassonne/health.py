"""Health checks: whether this process lives, whether it can serve, and metrics.

Probes come from load balancers, containers and monitors, by any host name and without HTTPS, so they are
answered before the host is checked. Strangers learn one word and a status; faults are in the log.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import pkgutil
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.security import find_network
from carcassonne.celery import app

Respond = Callable[[HttpRequest], HttpResponse]

FOLDER = "/-/"
SECONDS_KNOWN = 1.0
"""Seconds for which an answer is kept."""
SECONDS_TO_CONNECT = 2

logger = logging.getLogger(__name__)


def probes(get_response: Respond) -> Respond:
    """Answer probes before all other middleware."""
    own_migrations()  # while the files are those of this process

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(FOLDER):
            return get_response(request)
        try:
            match = resolve(request.path_info)
            return match.func(request, *match.args, **match.kwargs)
        except (Resolver404, Http404):
            return _say("not found", 404)

    return respond


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Answer that this process lives. Checks nothing else: a restart would not bring a database back."""
    return _say("live")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Answer whether this process can serve: the database responds and has the tables of this release (200,
    or 503).

    A missing broker is only logged, because pages work and turns are taken without it; taking all web
    processes out of service would be the outage. ``?with=broker``, for the rollout of a release, checks it
    as well.
    """
    faults = _known_faults()
    needed = {"database", "tables"} | ({"broker"} if request.GET.get("with") == "broker" else set())
    return _say("not ready", 503) if needed & faults.keys() else _say("ready")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus to clients that the settings allow; 404 to others."""
    if not _may_measure(request):
        raise Http404
    from carcassonne import metrics as measured  # imported late, as measuring depends on the settings

    return HttpResponse(measured.render_metrics(), content_type=measured.CONTENT_TYPE)


def faults() -> Iterator[tuple[str, str]]:
    """Yield the name of each part that fails, with its error."""
    try:
        connection.ensure_connection()
        missing = missing_migrations()
    except Exception as error:  # whatever the error, no page can be served
        yield "database", f"{type(error).__name__}: {error}"
    else:
        if missing:
            yield "tables", f"{len(missing)} migrations are missing, such as {'.'.join(max(missing))}"
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=SECONDS_TO_CONNECT)
    except Exception as error:  # kombu passes on any error of the transport
        yield "broker", f"{type(error).__name__}: {error}"


def missing_migrations() -> frozenset[tuple[str, str]]:
    """Migrations of this process's release that the database lacks."""
    return own_migrations() - set(MigrationRecorder(connection).applied_migrations())


@cache
def own_migrations() -> frozenset[tuple[str, str]]:
    """Migrations of the release with which this process started, by app and name.

    Files of the next release may be there long before its tables, while this process still serves. The files
    are only listed: importing them all would cost each web process some megabytes.
    """
    ours = set()
    for config in apps.get_app_configs():
        try:
            package = import_module(f"{config.name}.migrations")
        except ModuleNotFoundError:
            continue
        names = (module.name for module in pkgutil.iter_modules(package.__path__))
        ours |= {(config.label, name) for name in names if name[0] not in "_~"}
    return frozenset(ours)


_asking = threading.Lock()
NEVER_ASKED: tuple[float, dict[str, str]] = (float("-inf"), {"database": "not asked yet"})
_known = NEVER_ASKED


def _known_faults() -> dict[str, str]:
    """The faults by name, checked at most once a second, by one thread at a time.

    Other threads get the last result: an unreachable database must not block all threads, or the process
    would seem dead, too.
    """
    global _known
    if time.monotonic() > _known[0] + SECONDS_KNOWN and _asking.acquire(blocking=False):
        try:
            known = dict(faults())
            for name, how in known.items():
                logger.warning("Not ready, the %s: %s", name, how.splitlines()[0])
            _known = (time.monotonic(), known)
        finally:
            _asking.release()
    return _known[1]


def _may_measure(request: HttpRequest) -> bool:
    token, said = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    if token and hmac.compare_digest(said.encode(), f"Bearer {token}".encode()):
        return True
    # Prometheus may come past the proxy; who comes through it has an address that the proxy tells.
    through_proxy = settings.TRUSTED_PROXIES and "X-Forwarded-For" in request.headers
    try:
        address = ipaddress.ip_address(
            find_network(request) if through_proxy else request.META.get("REMOTE_ADDR", "")
        )
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)


def _say(word: str, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{word}\n", content_type="text/plain; charset=utf-8", status=status)
