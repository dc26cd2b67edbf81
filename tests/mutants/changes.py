"""The places at which the program can be changed, and samples of them."""

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
    """One change of one place: *operator* applied where it can be for the *occurrence*-th time in a file."""

    path: str  # from the root of the project
    line: int
    column: int
    operator: str  # name in cosmic-ray
    occurrence: int

    def code(self, source: str) -> str:
        """The changed file."""
        return mutate_code(source, get_operator(self.operator)(), self.occurrence)

    def told(self, source: str) -> str:
        """Where it is, and what stood and stands there."""
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
        """Every place that an operator of cosmic-ray can change, with all that it may become."""
        tree = get_ast(self.source)
        places: dict[tuple[object, object], list[Mutant]] = defaultdict(list)
        for name in operator_names():
            kind = get_operator(name)
            if kind.arguments():
                continue  # these replace variables given as arguments
            found = (place for node in ast_nodes(tree) for place in kind().mutation_positions(node))
            for occurrence, (start, end) in enumerate(found):
                places[start, end].append(Mutant(self.path, *start, name, occurrence))
        return [places[place] for place in sorted(places)]

    def noticeable(self, mutant: Mutant) -> bool:
        """Whether a test could notice *mutant* at all.

        None can if nothing is left of the change without what has no meaning when the program runs: see
        ``essence``. Nor if ``is`` takes the place of ``==``: of small numbers and of names that stand in the
        program there is but one copy. And what isn't Python any more says nothing about tests, nor what
        cosmic-ray can't write (``except module.Error``).
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
    found = (path for room in asked for path in ([room] if room.is_file() else room.rglob("*.py")))
    return [Module(root, str(path.relative_to(root))) for path in sorted(found)]


def sample(modules: Sequence[Module], size: int, seed: int) -> list[Mutant]:
    """*size* places drawn by lot, all alike likely, with one change for each.

    An operator can become eleven others, a loop only one thing: to draw among changes instead would be to ask
    again and again about the same sums, most of whose changes anything notices.
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
    """What of *source* has a meaning when it runs: all but types, memories, and how instances are laid out.

    >>> essence("@cache\\ndef half(n: int | None = 3): ...") == essence("def half(n=3): ...")
    True
    >>> essence("n = 3 // 2") == essence("n = 3 / 2")
    False
    """
    return ast.dump(_Essence().visit(ast.parse(source)))


class _Essence(ast.NodeTransformer):
    """Leaves out what nothing shows when the program runs."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """What may be given by place and what by name is for whoever calls; all give it in the right way."""
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
        if any(_name(one) == "TYPE_CHECKING" for one in ast.walk(node.test)):
            return ast.Pass()
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg == "slots" else self.generic_visit(node)


def _name(node: ast.AST) -> str | None:
    """The name that is used or called there, if it is one."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.id if isinstance(called, ast.Name) else None
