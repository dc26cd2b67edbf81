"""Which tests a database decides, and run on PostgreSQL and Redis, too. One that counts queries is none.

A module of tests that imports what goes below the ORM, and asks for any such thing, is chosen whole; of
others the tests are chosen that ask for it themselves, or by functions and fixtures of their module.
"""

import ast
import re
from functools import cache
from pathlib import Path

from tests.source_files import PACKAGES, ROOT

DECIDED = re.compile(
    r"\b(IntegrityError|OperationalError|DatabaseError|ProgrammingError|InternalError|MigrationExecutor"
    r"|transactional_db|threading)\b|transaction=True|\btransaction\.\w|mark\.database\b|skipif\(.*REDIS_URL"
    r"|\bconnection\.(?!queries)\w"
)
"""Signs of constraints, raw SQL, transactions, races, migrations or Redis."""

BELOW_THE_ORM = re.compile(
    r"\.raw\(|\.cursor\(|RawSQL|MultiModelQuery|connection\.vendor|Collate\(|Window\(|\w+_conflicts=True|RunSQL"
)


@cache
def find_modules_below_the_orm() -> frozenset[str]:
    return frozenset(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts and BELOW_THE_ORM.search(path.read_text())
    )


@cache
def list_imports(module: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
    return frozenset(names)


@cache
def is_chosen_whole(module: Path) -> bool:
    text = module.read_text()
    return "mark.database" in text or bool(
        DECIDED.search(text) and list_imports(module) & find_modules_below_the_orm()
    )


def is_decided_by_the_database(module: Path, function: str, within: str = "") -> bool:
    """Whether the test *function* of *module*, or of its class *within*, asks what a database decides."""
    return is_chosen_whole(module) or f"{within}.{function}" in _list_deciding_functions(module)


_ELSEWHERE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@cache
def _list_deciding_functions(module: Path) -> frozenset[str]:
    """Name the functions of *module*, by class, that show a sign, or use one of the module's that does."""
    text = module.read_text()
    if not DECIDED.search(text):
        return frozenset()
    tree = ast.parse(text)
    own = {name: _find_names(node) for name, node in _list_functions(tree)}
    shown = {name for name, node in _list_functions(tree) if _shows_sign(text, node)}
    for scope, body in [
        ("", tree.body),
        *((definition.name, definition.body) for definition in _list_classes(tree)),
    ]:
        rest = (node for node in body if not isinstance(node, _ELSEWHERE))
        if any(_shows_sign(text, node) for node in rest):  # pytestmark, of the module or of the class
            shown |= {name for name in own if not scope or name.startswith(f"{scope}.")}
    while more := {
        name for name in own.keys() - shown if own[name] & {one.rpartition(".")[2] for one in shown}
    }:
        shown |= more
    return frozenset(shown)


def _list_classes(tree: ast.Module) -> list[ast.ClassDef]:
    return [node for node in tree.body if isinstance(node, ast.ClassDef)]


def _list_functions(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    """List the functions with their names: "Class.function" or ".function"."""
    functions = []
    for scope, body in [
        ("", tree.body),
        *((definition.name, definition.body) for definition in _list_classes(tree)),
    ]:
        functions += [
            (f"{scope}.{node.name}", node)
            for node in body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
    return functions


def _find_names(node: ast.AST) -> set[str]:
    names = {node.id for node in ast.walk(node) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(node) if isinstance(node, ast.Attribute)}
    return names | {node.arg for node in ast.walk(node) if isinstance(node, ast.arg)}


def _shows_sign(text: str, node: ast.AST) -> bool:
    sources = [node, *getattr(node, "decorator_list", ())]  # which the segment of a function leaves out
    return any(DECIDED.search(ast.get_source_segment(text, source) or "") for source in sources)
