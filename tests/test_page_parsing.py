"""Tests that tests parse pages with ``tests/html.py`` instead of searching for text anywhere on them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
BY_LETTERS = {
    "accounts/test_closing_data.py": "looks for what must not be there, in whole answers",
    "accounts/test_privacy.py": "compares whole answers",
    "leagues/views/test_desk.py": "looks for what must not be there, in whole answers",
    "games/hidden_hand_helpers.py": "compares whole answers",
    "games/tables/test_guests.py": "looks for what must not be there, in whole answers",
    "games/views/test_own_webhooks.py": "looks for what must not be there, in whole answers",
    "games/views/test_sealed.py": "looks for what must not be there, in whole answers",
    "games/test_random_walks.py": "has a parser of its own: what may be followed and sent",
    "games/views/test_textboard.py": "has a parser of its own: what is heard",
    "carcassonne/test_isolated_names.py": "has a parser of its own: texts and what is round them",
    "carcassonne/test_health.py": "reads a word of plain text",
    "carcassonne/test_metrics.py": "reads lines of plain text",
    "carcassonne/test_headers.py": "reads a file of plain text",
    "carcassonne/test_pwa.py": "reads the worker, and what the worker looks for in a page",
}
"""Modules that need the text of a response, with the reason."""


def letters_asked(source: str) -> Iterator[int]:
    """Yield the lines of a test module that search a response's text instead of parsing it."""
    tree = ast.parse(source)
    raw = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and is_content(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr="decode", value=value) if is_content(value):
                yield node.lineno
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]):
                if is_content(right) or (isinstance(right, ast.Name) and right.id in raw):
                    yield node.lineno
            case ast.Name(id="assertContains" | "assertNotContains" | "assertInHTML"):
                yield node.lineno


def is_content(value: ast.AST) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "content"


def test_no_test_asks_a_page_for_letters() -> None:
    asking = {
        str(path.relative_to(TESTS)): lines
        for path in TESTS.rglob("*.py")
        if (lines := list(letters_asked(path.read_text(encoding="utf-8"))))
    }
    assert {name: lines for name, lines in asking.items() if name not in BY_LETTERS} == {}
    assert set(asking) == set(BY_LETTERS), "who needs no exception has none"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("assert 'Sit down' in client.get('/').content.decode()", [1]),
        ("page = response.content.decode()\nassert 'Sit down' not in page", [1]),
        ("assert b'Sit down' in response.content", [1]),
        ("page = response.content\nassert b'Sit down' not in page", [2]),
        ("from pytest_django.asserts import assertContains\nassertContains(response, 'Sit down')", [2]),
        ("assert 'Sit down' in Page(response).texts('button')", []),
        ("before = response.content\nassert client.get('/').content == before", []),
    ],
)
def test_letters_are_found_out(source: str, found: list[int]) -> None:
    assert list(letters_asked(source)) == found
