"""Tests that every regular expression takes linear time on hostile texts."""

import ast
import importlib
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from games.rules.actions import FORMS

ROOT = Path(__file__).parents[1]
FUNCTIONS = ("compile", "match", "fullmatch", "search", "split", "findall", "finditer", "sub", "subn")
TAKING_PATTERNS = ("RegexValidator", "re_path")  # Django's

LENGTH = 20_000
REFERENCE = re.compile("[^b]b")  # linear
TIMES = 12  # as long as the reference may a pattern take, in the same run: machines differ
PIECES = (
    *" 0r-+,.@#\n\x00<>\"'(%{[\\aéΩ",
    "\t ",
    "r ",
    " r r ",
    "3 ,",
    "a.",
    "x y ",
    "[[]",
    "-1,",
    "3,-1 r90 ",
    "recall ",
    "move 1 ",
    "enter large ",
    "gingerbread 1 , ",
    "city ",
    "href=",
    'href="#',
    "<g ",
    '<g id="',
    "<path id=",
    "<svg ",
    "var(--map-",
    "%(a",
    "A a ",
)


class Found(NamedTuple):
    """Pattern in a source file, with the methods by which it is used."""

    where: str  # file and line
    pattern: re.Pattern[str]
    used: frozenset[str]


def written() -> Iterator[Found]:
    """Yield every pattern in the sources: arguments of functions of ``re``, and of Django's that take one.

    Arguments that are no literals are evaluated in their module.
    """
    for package in ("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne"):
        for path in sorted((ROOT / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if "migrations" in path.parts or not any(name in source for name in ("re.", *TAKING_PATTERNS)):
                continue
            tree = ast.parse(source)
            named = {node.value: node.targets[0] for node in ast.walk(tree) if isinstance(node, ast.Assign)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and (called := function(node.func)):
                    used = uses(called, named.get(node), source)
                    yield Found(f"{path.relative_to(ROOT)}:{node.lineno}", compiled(node, path), used)


def function(called: ast.expr) -> str:
    """The name of the called function, if it takes a pattern."""
    if isinstance(called, ast.Attribute):
        of_re = isinstance(called.value, ast.Name) and called.value.id == "re"
        return called.attr if of_re and called.attr in FUNCTIONS else ""
    return called.id if isinstance(called, ast.Name) and called.id in TAKING_PATTERNS else ""


def uses(called: str, name: ast.expr | None, source: str) -> frozenset[str]:
    """The methods by which a pattern is used: the *called* function, or the methods called on its *name*.

    A pattern without a name belongs to a form field, which matches a whole line.
    """
    if called in TAKING_PATTERNS:
        return frozenset({"search"})
    if called != "compile":
        return frozenset({called})
    if name is None:
        return frozenset({"fullmatch"})
    return frozenset(re.findall(rf"\b{ast.unparse(name)}\.([a-z]+)\(", source))


def compiled(call: ast.Call, path: Path) -> re.Pattern[str]:
    module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    text = eval(compile(ast.Expression(call.args[0]), str(path), "eval"), vars(module))
    flags = [node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute) and node.attr.isupper()]
    return re.compile(text, sum(getattr(re, flag) for flag in flags))


@pytest.fixture(scope="module")
def patterns() -> list[Found]:
    return list(written())


def beginnings() -> Iterator[str]:
    """Yield texts that match far into a pattern before it fails."""
    for line in (
        "base.P@3,-1 r90 city N",
        "base.P @ 3 , -1 90 recall 0 , 2",
        "enter large castle count market",
        "move 1 large castle city 0 , 2 N",
        "gingerbread 2 , 0 N",
    ):
        yield from (line[:at] for at in range(1, len(line)) if line[at - 1] in " @," or line[at] in " @,")
        yield line
    yield from ("players/", '<g id="a"', '<g id="a" ', "<svg ", "var(--map-a", "%(", "{", 'href="#', "a.")


def hostile() -> Iterator[str]:
    """Yield texts of 20,000 characters: one piece repeated, and pieces in random order."""
    for piece in PIECES:
        yield (piece * LENGTH)[:LENGTH]
    chance = random.Random(8)
    for few in (2, 3, 8):
        for _ in range(5):
            yield "".join(chance.choices(chance.sample(PIECES, few), k=LENGTH))[:LENGTH]


def measure(read_text: Callable[[str], object], text: str, enough: float = 0.0) -> float:
    """Return the least seconds of the processor that *read_text* takes for *text* in three tries.

    It is not tried again once it takes at most *enough*, nor where it takes more than a second.
    """
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        read_text(text)
        best = min(best, time.process_time() - began)
        if not enough < best < 1:
            break
    return best


def takes_long(read_text: Callable[[str], object], text: str, bound: float) -> bool:
    """Return whether *read_text* takes longer than *bound* for *text*, or already for its beginning."""
    return any(measure(read_text, text[:length], bound) > bound for length in (LENGTH // 20, LENGTH))


def first_slow(patterns: list[Found], texts: Iterable[str]) -> str:
    """The first pattern that takes too long, with the text."""
    for text in texts:
        bound = TIMES * measure(REFERENCE.findall, "ab" * (LENGTH // 2))
        for where, pattern, used in patterns:
            for way in used:
                reads = partial(pattern.sub, "") if way in ("sub", "subn") else getattr(pattern, way)
                if takes_long(reads, text, bound):
                    return f"{where}: {way} takes {TIMES} times as long as the reference for {text[:20]!r} …"
    return ""


def test_every_pattern_is_found(patterns: list[Found]) -> None:
    sources = {pattern.pattern.pattern for pattern in patterns}
    assert {form.pattern.pattern for form in FORMS.values()} <= sources
    assert len(patterns) > 15
    assert all(pattern.used for pattern in patterns)


@pytest.mark.slow
def test_no_pattern_takes_longer_than_its_text_is_long(patterns: list[Found]) -> None:
    assert not first_slow(patterns, hostile())


@pytest.mark.slow
def test_nor_does_any_that_has_begun_to_match(patterns: list[Found]) -> None:
    anchored = [pattern for pattern in patterns if pattern.used <= {"match", "fullmatch", "search"}]
    tails = [tail * LENGTH for tail in (" ", "0", "a", "-", " r", " a")]
    assert not first_slow(anchored, ((begun + tail)[:LENGTH] for begun in beginnings() for tail in tails))
