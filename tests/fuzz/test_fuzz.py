"""Fuzz tests of the site: no request causes an error 500.

``make fuzz REQUESTS=20000 SEED=1`` sends that many; here it is a few hundred. Failures are grouped by the
line that raised.
"""

from __future__ import annotations

import logging
import os
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
from django.conf import settings
from django.contrib import admin
from django.db import transaction
from django.http import QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.datastructures import MultiValueDict

from carcassonne.request_checks import drop_charset
from tests.fuzz.hostile import Fields, Material, Request, make
from tests.html import Page
from tests.permissions.world import ROLES, World, acts, addresses, client_of, make_world

REQUESTS = int(os.environ.get("REQUESTS", "500"))
SEED = int(os.environ.get("SEED", "1"))
LEARNING = ("anonymous", "on turn", "organiser", "moderator", "administrator")
"""Roles that look at every page first, to learn its forms."""

COOKIES = ("session", "sessionid", "csrftoken", "django_language", "theme", "known", "messages", "timezone")
PART = re.compile(r"<(?:\w+:)?\w+>|\(\?P<\w+>[^)]*\)")
HERE = Path(__file__).resolve().parents[2]


@pytest.fixture
def silence() -> Iterator[None]:
    """Disable logging: every refused request would log a traceback."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def much_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable the limit on reading without signing in."""
    monkeypatch.setitem(settings.ACCOUNT_RATE_LIMITS, "read", None)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("silence", "much_to_read")
def test_no_request_breaks_the_site() -> None:
    world = make_world()
    clients = {role: client_of(role) for role in ROLES}
    material = learned(world, clients)
    chance = Random(SEED)
    broken: dict[str, str] = {}
    for number in range(REQUESTS):
        request = make(chance, material)
        if (fault := asked(clients[request.role], request)) is not None:
            broken.setdefault(place(fault), f"request {number}: {told(request)}\n{told_of(fault)}")
    assert not broken, "\n\n".join(broken.values())


class Door(Client):
    """Client that calls the WSGI entry point as the web server does."""

    def _base_environ(self, **request: Any) -> dict[str, Any]:
        return drop_charset(super()._base_environ(**request))


def asked(client: Client, request: Request) -> BaseException | None:
    """Send the request, roll back its changes, and return what it raised."""
    own = Door(raise_request_exception=False)
    own.cookies.update(client.cookies)
    session = own.cookies.output(header="", attrs=[], sep=";")
    environ: dict[str, Any] = {
        "PATH_INFO": unquote_to_bytes(request.path).decode("latin-1"),
        "QUERY_STRING": request.query,
        "HTTP_COOKIE": "; ".join(filter(None, (session, request.cookies))),
        **request.environ,
    }
    try:
        with transaction.atomic():
            answer: Any = own.generic(request.method, "/", request.body, request.content_type, **environ)
            b"".join(answer.streaming_content) if answer.streaming else answer.content
            transaction.set_rollback(True)
    except Exception as error:
        return error
    if answer.status_code < 500:
        return None
    return answer.exc_info[1] if answer.exc_info else AssertionError(f"{answer.status_code}")


def learned(world: World, clients: dict[str, Client]) -> Material:
    """Collect all URLs, the forms on their pages, and the names of parameters that views read."""
    asked_for = [*addresses(world), *acts(world)]
    paths = sorted({address for _, address, _ in asked_for} | set(_of_admin()))
    forms: dict[tuple[str, tuple[str, ...]], Fields] = {}
    with names_asked() as names:
        for role in LEARNING:
            for path in paths:
                own = Client()
                own.cookies.update(clients[role].cookies)
                with transaction.atomic():
                    answer: Any = own.get(path)
                    own.post(path)
                    transaction.set_rollback(True)
                if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming:
                    for action, fields in _forms(path, Page(answer)):
                        forms.setdefault((action, tuple(fields)), fields)
    sent = {(address, tuple(data)): _sent(data) for _, address, data in asked_for if data}
    told = [(path, fields) for (path, _), fields in sorted({**forms, **sent}.items())]
    every_name = sorted(names | {name for _, fields in told for name in fields})
    return Material(tuple(ROLES), paths, sorted(set(_routes(get_resolver()))), told, every_name, COOKIES)


def _sent(data: dict[str, object]) -> Fields:
    return {name: [str(value)] for name, value in data.items()}


def _of_admin() -> Iterator[str]:
    """Yield the pages of the admin: of each model the list, the form for a new row, and those of a row."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        yield reverse(f"{name}_add")
        if (first := model._default_manager.order_by("pk").first()) is not None:
            for page in ("change", "delete", "history"):
                yield reverse(f"{name}_{page}", args=[first.pk])


def _forms(path: str, page: Page) -> Iterator[tuple[str, Fields]]:
    """Yield each form that *page* posts: its URL, and its fields as a browser would send them."""
    for form in page.all("form"):
        if str(form.get("method", "")).lower() != "post":
            continue
        fields: dict[str, list[str]] = {}
        for element in form.select("[name]"):
            values = [str(option.get("value", option.text)) for option in element.select("option")]
            value = element.get_text() if element.name == "textarea" else str(element.get("value", ""))
            fields.setdefault(str(element["name"]), []).append(values[-1] if values else value)
        yield urlsplit(str(form.get("action") or path)).path or path, fields


def _routes(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    """Yield each URL pattern with ``{}`` for each part."""
    for pattern in resolver.url_patterns:
        route = before + PART.sub("{}", str(pattern.pattern)).removeprefix("^").replace("\\", "")
        if isinstance(pattern, URLPattern):
            yield route.rstrip("$").removesuffix("Z")
        else:
            yield from _routes(pattern, route)


@contextmanager
def names_asked() -> Iterator[set[str]]:
    """Record the names of all parameters and fields that are read inside the block."""
    names: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        for method in ("__getitem__", "_getlist", "__contains__"):
            real = getattr(MultiValueDict, method, None) or getattr(dict, method)

            def noting(self: Any, key: Any, *args: Any, real: Any = real, **more: Any) -> Any:
                if isinstance(self, QueryDict) and isinstance(key, str):
                    names.add(key)
                return real(self, key, *args, **more)

            patch.setattr(MultiValueDict, method, noting, raising=False)
        yield names


def place(error: BaseException) -> str:
    """The last line of our code in the traceback of *error*."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ours(frame.filename)]
    last = ours[-1] if ours else None
    return f"{type(error).__name__} {last.filename}:{last.lineno}" if last else repr(error)[:200]


def _is_ours(filename: str) -> bool:
    return filename.startswith(str(HERE)) and ".venv" not in filename and "/tests/" not in filename


def told(request: Request) -> str:
    headers = {name: value[:100] for name, value in request.environ.items()}
    return (
        f"{request.role}: {request.method} {request.path[:300]} ?{request.query[:300]}\n"
        f"  {headers} {request.cookies[:100]!r}\n"
        f"  {request.content_type[:80]} {request.body[:1500]!r}"
    )


def told_of(error: BaseException) -> str:
    trace: TracebackType | None = error.__traceback__
    lines = [f"{frame.filename}:{frame.lineno} {frame.line}" for frame in traceback.extract_tb(trace)]
    return "\n".join(
        ["  " + line for line in lines[-14:]] + [f"  {type(error).__name__}: {str(error)[:300]}"]
    )


@pytest.mark.django_db
@pytest.mark.urls("tests.carcassonne.test_error_responses")
@pytest.mark.usefixtures("silence")
def test_what_breaks_is_found() -> None:
    fault = asked(Client(), Request("anonymous", "GET", "/broken/"))
    assert isinstance(fault, RuntimeError) and "broken" in told_of(fault)
    assert asked(Client(), Request("anonymous", "GET", "/rules/")) is None


def test_the_same_seed_asks_the_same() -> None:
    material = Material(["anonymous"], ["/", "/rules/"], ["/g/{}/"], [("/", {"a": ["1"]})], ["a"], COOKIES)
    first, second = ([make(chance, material) for _ in range(99)] for chance in (Random(SEED), Random(SEED)))
    assert first == second and len(set(map(str, first))) > 90
