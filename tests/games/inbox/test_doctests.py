"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "name", ["authentication", "envelope", "html_text", "lines", "replies", "text", "vocabulary"]
)
def test_the_examples_are_true(name: str) -> None:
    done = doctest.testmod(importlib.import_module(f"games.inbox.{name}"))
    assert done.failed == 0 < done.attempted
