"""Tests that formats of leagues answer for themselves: nothing else asks which one it is."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from django.test import Client

from games.clocks import DAY
from leagues import lookup
from leagues.formats.base import Format
from leagues.lookup import list_formats
from leagues.models import Phase
from leagues.standings import Rules
from tests.html import Page
from tests.leagues.season_helpers import BEGINS, begin_season, list_names, play_out_season
from tests.leagues.views.league_page_helpers import LEAGUE_URL

ROOT = Path(__file__).parents[2]
LEAGUES = ROOT / "leagues"

MOST_BRANCHES = 36
"""Most questions for a format or for teams outside ``leagues/formats/``. It only falls."""

MOST_YES_OR_NO = 48
"""Most uses of attributes of formats that answer yes or no: where there are several for one page or step, a
question is missing. It only falls, too."""

MEMBERS = {
    "Schedule": {"ROUND_ROBIN", "SWISS", "KNOCK_OUT", "GROUPS", "LADDER"},
    "Kind": {"TABLE", "KNOCK_OUT", "LADDER"},
}
PREDICATES = {"swiss", "knock_out", "divided", "sequential", "in_teams"}


def find_branches(source: str) -> Iterator[ast.AST]:
    """Yield each mention of a member of ``Schedule`` or of a kind of divisions, each use of a predicate of
    formats, and each test whether there are teams."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id=enum), attr=member) if member in MEMBERS.get(enum, ()):
                yield node
            case ast.Attribute(attr=name) if name in PREDICATES:
                yield node
            case ast.Compare(
                left=ast.Attribute(attr="teams") | ast.Name(id="teams"),
                ops=[ast.Is() | ast.IsNot()],
                comparators=[ast.Constant(value=None)],
            ):
                yield node
            case ast.If(test=test) | ast.IfExp(test=test):
                match test:
                    case ast.Attribute(attr="teams") | ast.Name(id="teams" | "with_teams" | "of_teams"):
                        yield node


def find_yes_or_no(source: str) -> Iterator[ast.AST]:
    """Yield each use of an attribute of a format that answers yes or no."""
    answers = {name for name, value in vars(Format).items() if isinstance(value, bool)}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Attribute(attr="format"), attr=name) if name in answers:
                yield node


def count_outside(find: Callable[[str], Iterator[ast.AST]]) -> Counter[str]:
    """Count what *find* yields in each module of ``leagues/`` outside ``leagues/formats/``."""
    counted: Counter[str] = Counter()
    for path in LEAGUES.rglob("*.py"):
        folder = path.relative_to(LEAGUES).parts[0]
        if folder not in ("formats", "migrations"):
            counted[path.relative_to(LEAGUES).as_posix()] = sum(1 for _ in find(path.read_text()))
    return +counted


def test_nothing_else_asks_for_a_format() -> None:
    counted = count_outside(find_branches)
    assert counted.total() <= MOST_BRANCHES, counted.most_common()


def test_formats_are_asked_few_questions_of_yes_or_no() -> None:
    counted = count_outside(find_yes_or_no)
    assert counted.total() <= MOST_YES_OR_NO, counted.most_common()


PAGE = ROOT / "docs" / "leagues-formats.md"


@pytest.fixture
def one_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Format]:
    """The format of the page, beside the others."""
    example = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)[0]
    module = ModuleType("leagues.formats.one_table")
    exec(compile(example, "one_table.py", "exec"), module.__dict__)
    added: Format = module.OneTable()
    formats = (*list_formats(), added)
    lookup.find_format.cache_clear()
    monkeypatch.setattr(lookup, "list_formats", lambda: formats)
    yield added
    lookup.find_format.cache_clear()


@pytest.mark.django_db
def test_the_example_of_the_page_is_a_format(one_table: Format, client: Client) -> None:
    season = begin_season(5, schedule=one_table.schedule, rules=Rules.usual(2), length=60 * DAY)
    division = season.divisions.get()
    assert (division.format, division.rounds, division.matches.count()) == (one_table, 5, 10)
    page = Page(client.get(LEAGUE_URL))
    assert "Everyone plays everyone once, in one table." in page.texts("dd")
    play_out_season(season, BEGINS + DAY)
    assert list_names(division) == [f"Player{number:02}" for number in range(5)]
    following = season.league.seasons.get(phase=Phase.REGISTRATION)
    assert list(following.entries.values_list("seeded", flat=True)) == [None] * 5
    assert "Everybody" in Page(client.get(f"{LEAGUE_URL}1/1/")).text("h1")


def test_the_page_names_every_question() -> None:
    """Those of words have patterns there."""
    page = PAGE.read_text(encoding="utf-8")
    questions = {name for name in vars(Format) if not name.startswith(("_", "describe_"))}
    questions -= {name for name in questions if re.fullmatch(r"list_\w+_(facts|sentences)", name)}
    yes_or_no = {name for name in questions if isinstance(getattr(Format, name), bool)}
    assert {name for name in questions - yes_or_no - {"schedule", "kind"} if f"`{name}`" not in page} == set()


def test_templates_ask_no_division_for_its_kind() -> None:
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.is_file():
            assert not re.search(r"\bkind\b *[!=]= *\"(table|knock-out|ladder)\"", path.read_text()), path
