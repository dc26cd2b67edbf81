"""Places at which the program can be mutated, and samples of them."""

from __future__ import annotations

import ast
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

SILENT = {"cache", "lru_cache", "abstractmethod", "overload"}  # decorators that whoever calls never sees


class Mutant(NamedTuple):
    """One change of one place: *operator* applied at its *occurrence*-th position in a file."""

    path: str  # from the root of the project
    line: int
    column: int
    operator: str  # name in cosmic-ray
    occurrence: int

    def code(self, source: str) -> str:
        """Return the changed source."""
        return mutate_code(source, get_operator(self.operator)(), self.occurrence)

    def told(self, source: str) -> str:
        """Describe the place, with the line before and after."""
        before, after = (text.splitlines()[self.line - 1] for text in (source, self.code(source)))
        kind = self.operator.removeprefix("core/")
        if kind == "RemoveDecorator":
            after = ""
        return f"{self.path}:{self.line}  {kind}\n  - {before.strip()}\n  + {after.strip()}"


class Module:
    """A file of the program."""

    def __init__(self, root: Path, path: str) -> None:
        self.path = path
        self.source = (root / path).read_text()

    def places(self) -> list[list[Mutant]]:
        """Return every place that an operator of cosmic-ray can change, with all its mutants."""
        tree = get_ast(self.source)
        places: dict[tuple[object, object], list[Mutant]] = defaultdict(list)
        for name in operator_names():
            kind = get_operator(name)
            if kind.arguments():
                continue  # these replace variables given as arguments
            positions = (place for node in ast_nodes(tree) for place in kind().mutation_positions(node))
            for occurrence, (start, end) in enumerate(positions):
                places[start, end].append(Mutant(self.path, *start, name, occurrence))
        return [places[place] for place in sorted(places)]

    def noticeable(self, mutant: Mutant) -> bool:
        """Return whether a test could notice *mutant* at all.

        None can if the change only affects what has no meaning at run time: see ``essence``. Nor if ``is``
        replaces ``==``: small numbers and names in the program have one copy. Code that isn't Python any more
        says nothing about tests, nor does what cosmic-ray can't write (``except module.Error``).
        """
        if mutant.operator.endswith(("_Eq_Is", "_NotEq_IsNot", "_Is_Eq", "_IsNot_NotEq")):
            return False
        try:
            return essence(mutant.code(self.source)) != self._essence
        except (SyntaxError, AttributeError):
            return False

    @cached_property
    def _essence(self) -> str:
        return essence(self.source)


def modules(root: Path, rooms: Iterable[str]) -> list[Module]:
    """The files of *rooms*, which are folders and files."""
    asked = (root / room for room in rooms)
    paths = (path for room in asked for path in ([room] if room.is_file() else room.rglob("*.py")))
    ours = (path for path in paths if path.parent.name != "migrations")
    return [Module(root, str(path.relative_to(root))) for path in sorted(ours)]


def sample(modules: Sequence[Module], size: int, seed: int) -> list[Mutant]:
    """Draw *size* places with equal probability, with one change for each.

    An operator has eleven mutants, a loop only one: drawing among mutants would test the same expressions
    again and again, most of whose changes are noticed by any test.
    """
    chance = random.Random(seed)
    places = [(module, place) for module in modules for place in module.places()]
    drawn = (_any(module, place, chance) for module, place in chance.sample(places, len(places)))
    return sorted(mutant for mutant, _ in zip(_given(drawn), range(size), strict=False))


def _any(module: Module, place: Sequence[Mutant], chance: random.Random) -> Mutant | None:
    return next(filter(module.noticeable, chance.sample(place, len(place))), None)


def _given(mutants: Iterable[Mutant | None]) -> Iterator[Mutant]:
    return (mutant for mutant in mutants if mutant is not None)


def essence(source: str) -> str:
    """The meaning of *source* at run time: all but types, caches, and the layout of instances.

    >>> essence("@cache\\ndef half(n: int | None = 3): ...") == essence("def half(n=3): ...")
    True
    >>> essence("n = 3 // 2") == essence("n = 3 / 2")
    False
    """
    return ast.dump(_Essence().visit(ast.parse(source)))


class _Essence(ast.NodeTransformer):
    """Transformer that removes what has no effect at run time."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """Treat positional-only and keyword-only arguments as normal ones: all callers pass them right."""
        node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        node.defaults = [*node.defaults, *filter(None, node.kw_defaults)]
        node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = [one for one in node.decorator_list if _name(one) not in SILENT]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        if any(_name(node) == "TYPE_CHECKING" for node in ast.walk(node.test)):
            return ast.Pass()
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg == "slots" else self.generic_visit(node)


def _name(node: ast.AST) -> str | None:
    called = node.func if isinstance(node, ast.Call) else node
    return called.id if isinstance(called, ast.Name) else None
