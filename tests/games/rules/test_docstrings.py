"""Tests that public functions of the engine have examples in their docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import games.rules
from tests.cases import for_each

MODULES = (
    "games.rules",
    *(package.name for package in pkgutil.walk_packages(games.rules.__path__, "games.rules.")),
)
TAUGHT = (
    "geometry",
    "tiles",
    "board",
    "actions",
    "events",
    "state",
    "scoring",
    "turn",
    "placements",
    "listing",
    "legal",
    "game",
    "ruleset",
    "notation",
    "forecast",
    "visibility",
    "standing_answers",
    "playout",
    "records.record",
)


@for_each("name", TAUGHT)
def test_a_module_of_the_engine_has_examples(name: str) -> None:
    module = importlib.import_module(f"games.rules.{name}")
    assert [test for test in doctest.DocTestFinder().find(module) if test.examples]


def test_every_function_of_the_package_has_an_example() -> None:
    functions = [one for name in games.rules.__all__ if inspect.isfunction(one := getattr(games.rules, name))]
    assert len(functions) > 5
    assert [
        function.__name__ for function in functions if ">>>" not in inspect.getdoc(inspect.unwrap(function))
    ] == []
