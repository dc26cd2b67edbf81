"""The art of the expansions, one file each with an ``ART``, without registration."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from ..art import Art, CityArt, Draw, FigureShape, Sign

_FOUND: tuple[Art, ...] = tuple(
    import_module(f"{__name__}.{name}").ART for name in sorted(file.name for file in iter_modules(__path__))
)

SIGNS: Mapping[str, Sign] = {name: sign for art in _FOUND for name, sign in art.signs.items()}
TOKENS: Mapping[str, Mapping[str, Draw]] = {
    name: tokens for art in _FOUND for name, tokens in art.tokens.items()
}
FIGURES: Mapping[str, FigureShape] = {name: shape for art in _FOUND for name, shape in art.figures.items()}
CITIES: Mapping[str, CityArt] = {name: city for art in _FOUND for name, city in art.cities.items()}
PICTURES: Mapping[str, str] = {name: tile for art in _FOUND for name, tile in art.pictures.items()}
