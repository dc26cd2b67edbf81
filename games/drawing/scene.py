"""Many small things on a tile in few paths, and the search for places for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from .curves import Point, numbers
from .regions import STEP, Cell

PEN = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


@dataclass(slots=True)
class Scenery:
    """Shapes by layer, each with the point where it begins. All shapes of a layer are one path, which is much
    cheaper for a browser than one element each."""

    things: dict[str, list[tuple[Point, str]]] = field(default_factory=dict)

    def put(self, layer: str, point: Point, shape: str = "") -> None:
        """Add *shape*, relative path data that ends where it begins; empty for the layer's common shape."""
        self.things.setdefault(layer, []).append((point, shape))

    def draw_layers(self, layers: tuple[tuple[str, str, str], ...], style: str) -> str:
        """Draw *layers* in order, each a name, the common shape of its things and the style of its path."""
        paths = ""
        for name, shape, own in layers:
            if things := self.things.get(name):
                paths += f'<path d="{_data(things, shape)}" {own}/>'
        return f"<g {style}>{paths}</g>" if paths else ""


def _data(things: list[tuple[Point, str]], common: str) -> str:
    """Path data of *things* in whole units, those in front last. Each shape ends where it begins."""
    data = ""
    here: tuple[int, int] | None = None
    for y, x, shape in sorted({(round(y), round(x), own or common) for (x, y), own in things}):
        data += f"m{numbers((x - here[0], y - here[1]))}" if here else f"M{numbers((x, y))}"
        data += shape
        here = x, y
    return data


def fits(free: frozenset[Cell], point: Point, left: float, right: float, up: float, down: float) -> bool:
    """Return whether the box around *point* lies in *free* and off the sides of the tile."""
    x, y = point
    if x - left < 2 or x + right > 98 or y - up < 2 or y + down > 98:
        return False
    columns = range(int((x - left) / STEP), int((x + right) / STEP) + 1)
    rows = range(int((y - up) / STEP), int((y + down) / STEP) + 1)
    return all((column, row) in free for column in columns for row in rows)


def darts(chance: Random, free: frozenset[Cell], throws: int) -> Iterator[Point]:
    """Yield random points in *free*."""
    cells = sorted(free)
    for _ in range(throws):
        x, y = chance.choice(cells)
        yield (x + chance.random()) * STEP, (y + chance.random()) * STEP


def clear(point: Point, others: list[Point], width: float, height: float) -> bool:
    """Return whether *point* is at least *width* beside, or *height* above or below, each of *others*."""
    return all(abs(point[0] - x) >= width or abs(point[1] - y) >= height for x, y in others)
