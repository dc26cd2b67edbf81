"""Tests that public functions of the engine have examples in their docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import games.rules

MODULES = ("games.rules", *(one.name for one in pkgutil.walk_packages(games.rules.__path__, "games.rules.")))
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


@pytest.mark.parametrize("name", TAUGHT)
def test_a_module_of_the_engine_has_examples(name: str) -> None:
    module = importlib.import_module(f"games.rules.{name}")
    assert [test for test in doctest.DocTestFinder().find(module) if test.examples]


def test_every_function_of_the_package_has_an_example() -> None:
    functions = [one for name in games.rules.__all__ if inspect.isfunction(one := getattr(games.rules, name))]
    assert len(functions) > 5
    assert [one.__name__ for one in functions if ">>>" not in inspect.getdoc(inspect.unwrap(one))] == []
