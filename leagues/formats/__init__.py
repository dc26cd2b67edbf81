"""The formats of leagues: each class with a schedule in a module, or folder, of its own.

A format needs no registration. ``leagues.lookup`` finds it, and :attr:`leagues.models.Division.format` and
:attr:`leagues.models.Season.contenders` ask there.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from .base import Format


def _find_formats() -> Iterator[Format]:
    for name in sorted(file.name for file in iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__.startswith(module.__name__)
            if own and issubclass(kind, Format) and kind.schedule:
                yield kind()


FORMATS: tuple[Format, ...] = tuple(_find_formats())
