"""What the docstrings of the schedules show is what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import leagues.schedules

MODULES = [module.name for module in pkgutil.iter_modules(leagues.schedules.__path__, "leagues.schedules.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
