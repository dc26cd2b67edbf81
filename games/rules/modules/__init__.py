"""The expansions, house rules and meetings: each named module class of each file in this folder.

A file needs no registration. House rules keep the order of the files and of the classes in them, in which
their options are listed; the others are sorted by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from ..module import HouseRule, Meeting, Module


def _find_modules() -> Iterator[Module]:
    for name in sorted(file.name for file in iter_modules(__path__)):
        file = import_module(f"{__name__}.{name}")
        for kind in vars(file).values():
            own = isinstance(kind, type) and kind.__module__ == file.__name__
            if own and issubclass(kind, Module) and kind.name:
                yield kind()


def _by_name(modules: list[Module]) -> dict[str, Module]:
    """*modules* by name, sorted. ``ValueError`` if two have the same name."""
    by_name = {module.name: module for module in sorted(modules, key=lambda module: module.name)}
    if len(by_name) < len(modules):
        raise ValueError(f"two modules with one name: {sorted(module.name for module in modules)}")
    return by_name


_ALL = list(_find_modules())

HOUSE_RULES: tuple[HouseRule, ...] = tuple(module for module in _ALL if isinstance(module, HouseRule))
"""House rules: part of every game, but each is active only with an option that asks for it."""

MEETINGS: tuple[Meeting, ...] = tuple(
    module for module in _by_name(_ALL).values() if isinstance(module, Meeting)
)
"""Modules for combinations of sets, in play if all of their sets are."""

MODULES: Mapping[str, Module] = {
    name: module for name, module in _by_name(_ALL).items() if not isinstance(module, (HouseRule, Meeting))
}
"""The expansions, by the name of their set."""
