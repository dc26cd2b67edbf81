"""Tests that the rules are a library that imports nothing of the site."""

import ast
import sys
from pathlib import Path

import games.rules
from tests.cases import for_each

PACKAGE = Path(games.rules.__file__).parent


@for_each("path", sorted(PACKAGE.rglob("*.py")))
def test_rules_import_only_the_standard_library_and_themselves(path):
    here = ("games", "rules", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) + 1 - node.level] if node.level else ()
            assert len(base) != 1, f"{path.name} reaches out of the package"
            names = [".".join([*base, *([node.module] if node.module else [])])]
        else:
            continue
        for name in names:
            inside = name == "games.rules" or name.startswith("games.rules.")
            assert inside or name.partition(".")[0] in sys.stdlib_module_names, f"{path.name}: {name}"
