"""Docstrings, and strings under assignments: how they begin, and that what they name exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.source_files import PACKAGES, ROOT

WORD = re.compile(r"\w+")

FIRST_WORDS = {"How", "What", "Whatever", "When", "Where", "Whether", "Who", "Whoever", "Whose", "Why"}
"""First words of docstrings that leave open what a thing is or does."""

NAMED = re.compile(
    r":(?:attr|class|data|exc|func|meth|mod):`~?([\w.]+)`"
    r"|:raises ([\w.]+)"
    r"|``([a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)+|[a-zA-Z]\w*_\w+)(?:\(\))?``"
)
OF_OTHERS = {
    "ImportError",
    "Engine.generate_pairings",
    "html.parser",
    "predict_win",
    "sentry_sdk.utils.BadDsn",
}
"""Names of Python and libraries."""

MADE = {"last_turn_played", "write_to_file"}
"""Names that code makes of others, or that stand in tests."""


class Source(NamedTuple):
    """A Python file: its place, the lines and texts of its docstrings, and the words of all other lines."""

    path: str
    docstrings: list[tuple[int, str]]
    words: frozenset[str]


@cache
def read_sources(folder: str) -> list[Source]:
    """Read the Python files of *folder* but for migrations, which Django writes."""
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if "migrations" not in path.parts]
    return [read_source(path) for path in paths]


def read_source(path: Path) -> Source:
    text, place = path.read_text(), path.relative_to(ROOT).as_posix()
    docstrings = list(find_docstrings(ast.parse(text)))
    lines = text.splitlines()
    for docstring in docstrings:
        lines[docstring.lineno - 1 : docstring.end_lineno] = [""] * (
            docstring.end_lineno - docstring.lineno + 1
        )
    words = WORD.findall("\n".join([place, *(line.partition("  # ")[0] for line in lines)]))
    return Source(place, [(docstring.lineno, docstring.value) for docstring in docstrings], frozenset(words))


def find_docstrings(node: Any) -> Iterator[Any]:
    """Yield the strings that stand by themselves in *node*, and in the classes and functions within."""
    for one in node.body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from find_docstrings(one)
        elif isinstance(one, ast.Expr) and isinstance(getattr(one.value, "value", None), str):
            yield one.value


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    faults = [
        (f"{source.path}:{line}", text)
        for folder in PACKAGES
        for source in read_sources(folder)
        for line, text in source.docstrings
    ]
    assert len(faults) > 5000
    assert [(place, text) for place, text in faults if text.split(" ")[0] in FIRST_WORDS] == []


def test_names_in_docstrings_exist() -> None:
    """All parts of a dotted name stand in the code, or the path, of one file."""
    ours = [source for folder in PACKAGES for source in read_sources(folder)]
    names = {
        (f"{source.path}:{line}", next(filter(None, name)))
        for source in ours
        for line, text in source.docstrings
        for name in NAMED.findall(text)
    }
    assert len(names) > 300
    vocabularies = [source.words for source in ours]
    assert [
        (place, name)
        for place, name in sorted(names)
        if name not in OF_OTHERS | MADE and not any(set(name.split(".")) <= words for words in vocabularies)
    ] == []
