"""Tests of the documentation: it names only files and names that the project has, and stays short."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from urllib.parse import unquote

from django.apps import apps

from tests.cases import for_each
from tests.source_files import PACKAGES, ROOT

FOLDERS = (*PACKAGES, "tests", "templates", "static", "benchmarks", "deploy", "docs", ".ci")
PAGES = sorted(
    page for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if page.name != "CHANGELOG.md"
)

CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")
FILE = re.compile(r"[\w./-]+\.(?:py|html|css|js|csv|toml|sql|md)")
PYTHON = re.compile(r"(?<![\w./-])\w[\w./-]*\.py\b")
FOLDER = re.compile(r"\w[\w./-]*/")
WORD = re.compile(r"\w+")
COLUMN = re.compile(rf"(?:{'|'.join(PACKAGES)})_\w+(?:\.\w+)?")
NAME = re.compile(r"(?=.*[._A-Z])[A-Za-z_]\w+(?:\.\w+)*")
CALL = re.compile(r"\A(?:\w+\.)*(\w+)\(")
DEFINITION = re.compile(r"\b(?:def|class) (\w+)")

TEXT = {
    ".py",
    ".html",
    ".css",
    ".js",
    ".csv",
    ".toml",
    ".sql",
    ".txt",
    ".conf",
    ".yaml",
    ".example",
    ".service",
}

OF_OTHERS = {
    *("SeparateDatabaseAndState", "CompositePrimaryKey"),
    *("TABLESPACE", "lock_timeout", "max_connections", "random_page_cost"),
    *("HttpOnly", "SameSite", "Secure", "DTSTAMP", "SEQUENCE"),
    *("Restart", "StartLimitIntervalSec", "TimeoutStopSec", "KillMode"),
    *("livenessProbe", "readinessProbe", "Deployment", "carcassonne.target"),
    *("ydp1a2byahoo_quoted", "TollPaid"),  # examples
    *("OuterRef", "var"),
}
"""Names from Django, PostgreSQL, HTTP, CSS, systemd and Kubernetes that the code has no reason to define."""


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def quotes(page: Path) -> list[str]:
    """Return what *page* has in backquotes, up to ``(`` or ``::``."""
    return [re.split(r"::|\(", code)[0] for code in CODE.findall(read(page))]


@cache
def files() -> tuple[str, ...]:
    """Return the paths of the project's files and folders, each with a slash before it."""
    paths = [*ROOT.glob("*.*"), *ROOT.glob("Makefile")]
    paths += [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts
    ]
    paths += [ROOT / folder for folder in FOLDERS]
    return tuple(f"/{path.relative_to(ROOT).as_posix()}" for path in paths)


@cache
def vocabularies() -> tuple[frozenset[str], ...]:
    """Return the words of each file of the project that is no documentation, with those of its path."""
    paths = [ROOT / name[1:] for name in files()]
    texts = [(path, read(path)) for path in paths if path.suffix in TEXT and path != Path(__file__)]
    return tuple(frozenset(WORD.findall(f"{path.relative_to(ROOT)} {text}")) for path, text in texts)


@cache
def definitions() -> frozenset[str]:
    """Return the names of the project's functions and classes."""
    paths = [ROOT / name[1:] for name in files() if name.endswith(".py")]
    return frozenset(name for path in paths for name in DEFINITION.findall(read(path)))


def is_in_the_code(name: str) -> bool:
    """Return whether one file has all parts of *name*: a module its function, a class its field."""
    package, *rest = name.split(".")
    if package not in PACKAGES:
        return any({package, *rest} <= words for words in vocabularies())
    with suppress(ImportError, AttributeError):
        resolve_name(name)
        return True
    permission = {"permissions", *rest}  # as in "games.moderate_game"
    return len(rest) == 1 and any(permission <= words for words in vocabularies())


def test_the_architecture_is_read_in_ten_minutes() -> None:
    assert len(read(ROOT / "docs" / "architecture.md").split()) <= 2000


def test_the_readme_fits_on_a_screen() -> None:
    assert len(read(ROOT / "README.md").splitlines()) <= 60


@for_each("page", PAGES)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = [unquote(first or second) for first, second in LINK.findall(read(page))]
    here = [link.partition("#")[0] for link in links if not re.match(r"https?:|mailto:|#", link)]
    assert [link for link in here if not (page.parent / link).exists()] == []


ADDED_BY_EXAMPLES = ("toll", "one_table")
"""Parts of the names of files that docs/expansions.md and docs/leagues-formats.md add as examples."""


@for_each("page", PAGES)
def test_every_file_that_is_named_exists(page: Path) -> None:
    """A path may leave out folders at its beginning."""
    named = [path for path in quotes(page) if FILE.fullmatch(path) or FOLDER.fullmatch(path)]
    named += PYTHON.findall(read(page))  # in pictures, too
    named = [path for path in named if not any(example in path for example in ADDED_BY_EXAMPLES)]
    ends = [f"/{path}".replace("/./", "/").replace("/../", "/").rstrip("/") for path in named]
    assert [end for end in ends if not any(file.endswith(end) for file in files())] == []


@for_each("page", PAGES)
def test_every_name_that_is_quoted_is_in_the_code(page: Path) -> None:
    """Dotted names, settings, and names of functions, classes and fields."""
    names = {name for name in quotes(page) if NAME.fullmatch(name) and not FILE.fullmatch(name)}
    columns = {name for name in names if COLUMN.fullmatch(name)}  # tests/accounts/test_closing_data.py
    assert [name for name in names - columns - OF_OTHERS if not is_in_the_code(name)] == []


@for_each("page", PAGES)
def test_every_function_that_is_quoted_is_defined(page: Path) -> None:
    called = {name for code in CODE.findall(read(page)) for name in CALL.findall(code)}
    assert sorted(called - definitions() - OF_OTHERS) == []


@for_each("page", PAGES)
def test_every_field_of_a_model_that_is_quoted_exists(page: Path) -> None:
    models = {model.__name__: model for model in apps.get_models() if model._meta.app_label in PACKAGES}
    fields = [name.split(".") for name in quotes(page) if name.count(".") == 1]
    assert [field for field in fields if field[0] in models and not hasattr(models[field[0]], field[1])] == []


def test_the_first_test_of_a_contributor_passes() -> None:
    code = read(ROOT / "CONTRIBUTING.md").partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {"__package__": "tests.games.rules"}
    exec(code, names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert tests
    for test in tests:
        test()
