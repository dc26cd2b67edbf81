"""The examples in the docstrings are true, and every function of the package has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

from leagues import standings

MODULES = [one.name for one in pkgutil.iter_modules(standings.__path__, "leagues.standings.")]
TOLD_BY_OTHERS = {"division_from_json", "rules_from_json", "game_to_json", "list_contests", "is_decided"}
"""What needs more lines to be shown than to be read; tests have examples."""


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_functions_of_the_package_have_examples() -> None:
    functions = {
        name
        for name in standings.__all__
        if inspect.isfunction(one := getattr(standings, name)) and ">>>" not in inspect.getdoc(one)
    }
    assert functions == TOLD_BY_OTHERS
