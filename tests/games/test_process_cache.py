"""Tests of caches in a process: their values follow from their keys alone."""

import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone, translation

import games
from games.process_cache import MEMORIES, memoize
from games.templatetags import games as tags
from games.templatetags.games import cached_include

pytestmark = pytest.mark.django_db


def test_an_answer_is_made_once_for_each_key_and_language() -> None:
    made: list[Any] = []

    @memoize("tests: answers", 8, key=lambda subject, more: (tuple(subject), more))
    def answer(subject: list[int], more: str) -> str:
        made.append((subject, more))
        return f"{subject}{more}"

    assert [answer([1], "a"), answer([1], "a"), answer([1], "b")] == ["[1]a", "[1]a", "[1]b"]
    assert len(made) == 2
    with translation.override("pl"):
        answer([1], "a")
    assert len(made) == 3


def test_what_was_used_longest_ago_is_forgotten() -> None:
    made: list[int] = []

    @memoize("tests: few answers", 2, key=lambda subject: subject)
    def answer(subject: int) -> int:
        made.append(subject)
        return subject

    for subject in (0, 1, 2, 2, 0):
        answer(subject)
    assert made == [0, 1, 2, 0]


def test_a_part_of_a_page_is_rendered_once_for_equal_values_a_language_and_a_zone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[Any] = []

    def render(name: str, values: dict[str, Any]) -> str:
        rendered.append((name, values))
        return f"{name} {values}"

    monkeypatch.setattr(tags, "_render_template", render)
    monkeypatch.setattr(tags, "_parts", tags.LRUCache("tests: parts", 8))
    first = cached_include("a.html", seats=(1, "x"))
    assert cached_include("a.html", seats=tuple([1, "x"])) == first and len(rendered) == 1
    assert (
        cached_include("a.html", seats=(2, "x")) != first
        and cached_include("b.html", seats=(1, "x")) != first
    )
    with translation.override("pl"):
        cached_include("a.html", seats=(1, "x"))
    with timezone.override("Asia/Tokyo"):
        cached_include("a.html", seats=(1, "x"))
    assert len(rendered) == 5


def test_what_differs_each_time_is_put_into_a_part_that_is_rendered_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered: list[Any] = []

    def render(name: str, values: dict[str, Any]) -> str:
        rendered.append(values)
        return f"{values['room']}: {values['path']} {values['csrf_token']}"

    monkeypatch.setattr(tags, "_render_template", render)
    monkeypatch.setattr(tags, "_parts", tags.LRUCache("tests: parts with slots", 8))
    asked = {"room": "path and csrf_token", "path": "/a/?b=1&c=2"}
    assert cached_include("a.html", **asked, csrf_token="mine") == "path and csrf_token: /a/?b=1&amp;c=2 mine"
    assert (
        cached_include("a.html", **asked | {"path": "/d/"}, csrf_token="yours")
        == "path and csrf_token: /d/ yours"
    )
    assert len(rendered) == 1 and "mine" not in rendered[0].values()


def test_every_memory_stands_in_the_list_of_caches() -> None:
    """Each cache is listed in docs/caches.md."""
    for module in pkgutil.walk_packages(games.__path__, "games."):
        if ".migrations" not in module.name:
            import_module(module.name)
    page = (Path(__file__).parents[2] / "docs" / "caches.md").read_text()
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    named = {name for row in rows for name in row.split(", ")}
    assert {memory.name for memory in MEMORIES if not memory.name.startswith("tests: ")} <= named
