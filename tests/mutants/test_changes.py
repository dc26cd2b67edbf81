"""Tests that mutants are drawn reproducibly, from every place, and only where a test could notice."""

from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="comes with what the checks need")

from tests.mutants.__main__ import ROOMS
from tests.mutants.changes import Module, essence, modules, sample

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = '''\
"""Two small functions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    WIDE = 1 + 1


class Half(NamedTuple):
    of: int | None = None


@cache
def half(number: int | None, *, by: int = 2) -> int | str:
    """Half of *number*."""
    if number is None or by == number:
        return 0
    return sum(number // by for _ in range(1) if number > 7)
'''


@pytest.fixture
def module(tmp_path: Path) -> Module:
    (tmp_path / "program.py").write_text(PROGRAM)
    return Module(tmp_path, "program.py")


def test_each_line_that_does_something_can_be_changed_and_no_other(module):
    changed = {mutant.line for place in module.places() for mutant in place if module.noticeable(mutant)}
    #                  by=2      if and ==  return   sum
    assert changed == {17, 19, 20, 21}


def test_what_is_not_python_any_more_is_no_mutant(module):
    for place in module.places():
        for mutant in filter(module.noticeable, place):
            compile(mutant.code(module.source), "mutant", "exec")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def half(n: int | None): ...", "def half(n: int & None): ..."),
        ("def half() -> int | None: ...", "def half() -> int / None: ..."),
        ("half: int | None = 3", "half: int ^ None = 3"),
        ("def half(n, *, by=2): ...", "def half(n, /, by=2): ..."),
        ("@cache\ndef half(): ...", "def half(): ..."),
        ("@abstractmethod\ndef half(): ...", "def half(): ..."),
        ("@lru_cache(1 << 10)\ndef half(): ...", "@lru_cache(2 << 10)\ndef half(): ..."),
        ("@dataclass(slots=True)\nclass Half: ...", "@dataclass(slots=False)\nclass Half: ..."),
        ("if TYPE_CHECKING:\n    n = 1", "if TYPE_CHECKING:\n    n = 2"),
        ("if TYPE_CHECKING:\n    n = 1", "if not TYPE_CHECKING:\n    n = 1"),
    ],
)
def test_types_memories_and_slots_are_not_noticed(one, other):
    assert essence(one) == essence(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def half(n=3): ...", "def half(n=4): ..."),
        ("half: int = 3", "half: int = 4"),
        ("@property\ndef half(self): ...", "def half(self): ..."),
        ("@dataclass(frozen=True)\nclass Half: ...", "@dataclass(frozen=False)\nclass Half: ..."),
        ("if half:\n    n = 1", "if half:\n    n = 2"),
    ],
)
def test_all_else_is(one, other):
    assert essence(one) != essence(other)


def test_a_place_gives_one_mutant_and_a_seed_the_same_sample(module):
    all_of_them = sample([module], 1000, seed=1)
    assert len({(mutant.line, mutant.column) for mutant in all_of_them}) == len(all_of_them) > 8
    assert sample([module], 5, seed=1) == sample([module], 5, seed=1) != sample([module], 5, seed=2)
    assert set(sample([module], 5, seed=1)) < set(all_of_them)


def test_a_mutant_tells_what_stood_and_stands_there(module):
    [told] = (
        mutant.told(module.source)
        for place in module.places()
        for mutant in place
        if mutant.operator == "core/ReplaceOrWithAnd"
    )
    assert told == (
        "program.py:19  ReplaceOrWithAnd\n"
        "  - if number is None or by == number:\n"
        "  + if number is None and by == number:"
    )


def test_the_mutant_that_went_unnoticed_at_larger_tables_is_among_those_of_the_rules():
    [forecast] = modules(ROOT, ["games/rules/forecast.py"])
    assert any(
        "+ return tuple(range((seat + first) % seats, count_draws(state), seats))"
        in mutant.told(forecast.source)
        for place in forecast.places()
        for mutant in place
        if "return tuple(range((seat" in forecast.source.splitlines()[mutant.line - 1]
    )


def test_the_rooms_to_be_changed_are_there() -> None:
    assert [room for room in ROOMS if not (ROOT / room).exists()] == []
