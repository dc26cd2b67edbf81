"""Format and context of log lines: request or task, player and game.

With ``LOG_FORMAT=json`` each line is a JSON object with the fields in ``FIELDS`` only, so that nothing is
logged because a library attached it to a record: a request with its cookies, the arguments of a task. Secrets
in URLs, such as the token of an unsubscribe link, are replaced.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from celery import current_task
from celery.signals import before_task_publish
from django.http import HttpRequest, HttpResponse
from pythonjsonlogger.json import JsonFormatter

from core.outputs import clean_for_log

Respond = Callable[[HttpRequest], HttpResponse]

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
"""Valid ids from other machines; any other could forge lines of the log, or fill it."""

SECRET_PARTS = ("token",)
"""Parameters of URLs that give access to whoever knows them."""

CONTEXT = ("request_id", "game", "player", "task", "task_id")
FIELDS = (
    *("timestamp", "level", "logger", "message", "traceback"),
    *CONTEXT,
    *("method", "route", "status", "milliseconds"),
)

logger = logging.getLogger("carcassonne.requests")
_answered: ContextVar[HttpRequest | None] = ContextVar("the request being answered", default=None)


class InContext(logging.Filter):
    """Filter that adds the context to each record, and removes secrets from it."""

    def filter(self, record: logging.LogRecord) -> bool:
        for name, value in build_context().items():
            setattr(record, name, value)
        request = _answered.get() or getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            _cross_out(record, _parts_of(request))
        return True


class PlainLines(logging.Formatter):
    """Formatter whose lines no text can break: users' line breaks and control characters are escaped. Only
    the lines of a traceback follow, indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        return clean_for_log(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:
        return "\n".join(f"  {clean_for_log(line)}" for line in super().formatException(ei).split("\n"))

    def formatStack(self, stack_info: str) -> str:
        return "\n".join(f"  {clean_for_log(line)}" for line in stack_info.split("\n"))


class JsonLines(JsonFormatter):
    """Formatter of JSON lines, with the fields in ``FIELDS`` only."""

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        return {name: log_data[name] for name in FIELDS if log_data.get(name) is not None}


def in_context(get_response: Respond) -> Respond:
    """Give each request an id, for log lines and a response header, and log how it was answered.

    A well-formed id from the request (``X-Request-ID``, from a proxy of ours) is kept.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        begun = time.monotonic()
        given = request.headers.get(HEADER, "")
        request.id = given if WELL_FORMED.fullmatch(given) else secrets.token_hex(16)  # type: ignore[attr-defined]
        token = _answered.set(request)
        try:
            response = get_response(request)
            _note(request, response, time.monotonic() - begun)
        finally:
            _answered.reset(token)
        response[HEADER] = request.id  # type: ignore[attr-defined]
        return response

    return respond


def find_route(request: HttpRequest) -> str:
    """Return the name of the URL pattern of *request*, or ``-``; not the URL, of which there are too many."""
    match = request.resolver_match
    return (match.view_name or match.route) if match else "-"


def build_context() -> Mapping[str, object]:
    """Return the context of this thread's request or task, without a query."""
    known: dict[str, object] = {}
    request = _answered.get()
    if request is not None:
        known["request_id"] = request.id  # type: ignore[attr-defined]
        known["game"] = _parts_of(request).get("code")
        # Kept by Django once somebody has asked who it is; asking here could cost a query, or fail.
        known["player"] = getattr(getattr(request, "_cached_user", None), "pk", None)
    if current_task:
        known["task"] = current_task.name
        known["task_id"] = current_task.request.id
        sent = {**(current_task.request.headers or {}), **vars(current_task.request)}  # worker, or eager
        known.setdefault("request_id", sent.get("request_id"))
    return {name: value for name, value in known.items() if value is not None}


@before_task_publish.connect
def _tell_tasks(headers: dict[str, Any] | None = None, **sent: Any) -> None:
    """Add the id of the request to a task's message, and the time, from which the queue's lag is measured."""
    if headers is not None:
        headers["sent_at"] = time.time()
        if "request_id" in (known := build_context()):
            headers["request_id"] = known["request_id"]


def _note(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    route, milliseconds = find_route(request), round(1000 * seconds)
    logger.info(
        "%s %s: %s in %s ms",
        request.method,
        route,
        response.status_code,
        milliseconds,
        extra={
            "method": request.method,
            "route": route,
            "status": response.status_code,
            "milliseconds": milliseconds,
        },
    )


def _parts_of(request: HttpRequest) -> Mapping[str, Any]:
    """The arguments in the URL of *request*, once it is resolved."""
    return request.resolver_match.kwargs if request.resolver_match else {}


def _cross_out(record: logging.LogRecord, parts: Mapping[str, Any]) -> None:
    secret = [str(parts[name]) for name in SECRET_PARTS if parts.get(name)]
    if not secret:
        return
    said = record.getMessage()
    for word in secret:
        said = said.replace(word, "…")
    record.msg, record.args = said, None
