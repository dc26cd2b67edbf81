"""Every function of the package has an example in its docstring."""

from __future__ import annotations

import inspect

from leagues import standings

TOLD_BY_OTHERS = {"division_from_json", "rules_from_json", "game_to_json", "list_contests", "is_decided"}
"""Functions without examples in their docstrings, which would be too long; tests have examples."""


def test_the_functions_of_the_package_have_examples() -> None:
    functions = {
        name
        for name in standings.__all__
        if inspect.isfunction(one := getattr(standings, name)) and ">>>" not in inspect.getdoc(one)
    }
    assert functions == TOLD_BY_OTHERS
