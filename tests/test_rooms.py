"""Tests of the layers in docs/architecture.md: each package imports only packages below it."""

import ast
import shutil
import subprocess
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from textwrap import dedent

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("core", "accounts", "ratings", "games", "moderation", "leagues", "carcassonne")
MOST_IMPORTED = 15
"""Maximum number of project modules imported by one of games/: one that needs more does two things."""


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """The graph of imports at run time."""
    return grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts of pyproject.toml on the packages in *root*."""
    command = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [command, "--no-cache", "--no-logo"], cwd=root, capture_output=True, text=True, timeout=120
    )


def test_every_room_imports_only_rooms_below_it() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


def test_the_check_says_which_import_broke_the_order(tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    clocks = tmp_path / "games" / "clocks" / "turn.py"
    clocks.write_text(clocks.read_text() + "\nfrom games.pages.board import table_for\n")
    done = lint(tmp_path)
    assert done.returncode == 1
    assert "games.clocks.turn -> games.pages.board" in done.stdout


def test_nothing_goes_round(graph: grimp.ImportGraph) -> None:
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_no_module_imports_half_the_house(graph: grimp.ImportGraph) -> None:
    counted = {
        module: len(graph.find_modules_directly_imported_by(module))
        for module in graph.modules
        if module.startswith("games.")
    }
    assert {module: n for module, n in counted.items() if n > MOST_IMPORTED} == {}


MOST_REVERSED = 20
"""Maximum number of addresses made in Python elsewhere than where they must be."""


def list_reversed_addresses(source: str) -> list[int]:
    """Return the lines of *source* that call ``reverse``, but those of redirects and, after ``SITE_URL``,
    of mails and feeds."""
    tree = ast.parse(source)
    needed = {
        call
        for node in ast.walk(tree)
        if (isinstance(node, ast.BinOp) and "SITE_URL" in ast.unparse(node))
        or (isinstance(node, ast.Call) and ast.unparse(node.func).lower().endswith("redirect"))
        or (isinstance(node, ast.FunctionDef) and node.name.endswith("redirect_url"))
        for call in ast.walk(node)
    }
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node not in needed)
    return [
        node.lineno
        for node in calls
        if isinstance(node.func, ast.Name) and node.func.id in ("reverse", "reverse_lazy", "resolve_url")
    ]


def test_rows_and_templates_make_the_addresses() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): lines
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not {"models", "models.py"} & set(path.parts)
        and (lines := list_reversed_addresses(path.read_text(encoding="utf-8")))
    }
    assert sum(map(len, found.values())) <= MOST_REVERSED, found


def test_addresses_of_redirects_and_mails_are_not_counted() -> None:
    source = """
        redirect(reverse("a"))
        settings.SITE_URL + reverse("b")
        def get_login_redirect_url(self): return reverse("c")
        link = reverse("d")
    """
    assert list_reversed_addresses(dedent(source)) == [5]


SHARED_NAMES = {"Board", "Game", "Tile"}
"""Names of classes of the rules that models share."""


def test_class_names_are_unique() -> None:
    where: defaultdict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and node.name not in ("Command", "Kind", "Meta"):
                    where[node.name].append(path.relative_to(ROOT).as_posix())
    doubled = {name: paths for name, paths in where.items() if len(paths) > 1}
    assert {name: paths for name, paths in doubled.items() if name not in SHARED_NAMES} == {}
