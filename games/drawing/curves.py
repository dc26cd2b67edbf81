"""Curves: chains of cubic Béziers in a tile's own units, 100 to a side, y growing south."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

SIZE = 100.0
"""The side of a tile."""


def number(value: float) -> str:
    """Format *value* for SVG: one decimal, no needless characters."""
    text = f"{value:.1f}".removesuffix(".0")
    if text == "-0":
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def numbers(values: Iterable[float]) -> str:
    """Format *values* one after the other, with a blank only where the next doesn't begin with a minus."""
    text = ""
    for value in values:
        piece = number(value)
        text += piece if not text or piece.startswith("-") else " " + piece
    return text


def rotate_point(point: Point, turns: int) -> Point:
    """*point* of a tile after *turns* clockwise quarter turns of the tile."""
    x, y = point
    for _ in range(turns % 4):
        x, y = SIZE - y, x
    return x, y


def between(a: Point, b: Point, share: float) -> Point:
    """The point that lies *share* of the way from *a* to *b*."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


@dataclass(frozen=True, slots=True)
class Curve:
    """A start and then, for each piece, two control points and an end."""

    points: tuple[Point, ...]

    @property
    def start(self) -> Point:
        return self.points[0]

    @property
    def end(self) -> Point:
        return self.points[-1]

    def rotate_clockwise(self, turns: int) -> Curve:
        return Curve(tuple(rotate_point(point, turns) for point in self.points))

    def shift_down(self, depth: float) -> Curve:
        """Return the same curve *depth* lower. Ends on the north or south side stay there, so that what is
        drawn below a wall ends with its tile; walls cross a side at right angles, so nothing bends."""
        last = len(self.points) - 1
        return Curve(
            tuple(
                (x, y if index in (0, last) and y in (0, SIZE) else y + depth)
                for index, (x, y) in enumerate(self.points)
            )
        )

    def at(self, place: float) -> Point:
        """The point at *place*, from 0 to 1, each piece taking an equal share."""
        pieces = (len(self.points) - 1) // 3
        piece = min(int(place * pieces), pieces - 1)
        t = place * pieces - piece
        a, b, c, d = self.points[3 * piece : 3 * piece + 4]
        ab, bc, cd = between(a, b, t), between(b, c, t), between(c, d, t)
        return between(between(ab, bc, t), between(bc, cd, t), t)

    def samples(self, pieces: int = 24) -> tuple[Point, ...]:
        """Points along the curve, both ends included."""
        return tuple(self.at(index / pieces) for index in range(pieces + 1))

    def length(self) -> float:
        points = self.samples(200)
        return sum(dist(a, b) for a, b in pairwise(points))

    def format_path_data(self, moving: bool = True) -> str:
        """Return the curve as SVG path data; *moving* is False to continue a longer path."""
        x, y = self.points[0]
        text = "M" + numbers(self.points[0]) if moving else ""
        for index in range(1, len(self.points), 3):
            a, b, c = self.points[index : index + 3]
            if _straight((x, y), a, b, c):
                text += (
                    "V" + number(c[1]) if c[0] == x else "H" + number(c[0]) if c[1] == y else "L" + numbers(c)
                )
            else:
                text += "c" + numbers(value for px, py in (a, b, c) for value in (px - x, py - y))
            x, y = c
        return text


def line(a: Point, b: Point) -> Curve:
    """The straight line from *a* to *b*."""
    return Curve((a, between(a, b, 1 / 3), between(a, b, 2 / 3), b))


def chain(start: Point, *pieces: tuple[float, ...]) -> Curve:
    """A curve from *start*, each piece given as the six coordinates that follow SVG's ``C``."""
    points = [start]
    for piece in pieces:
        points += [(piece[0], piece[1]), (piece[2], piece[3]), (piece[4], piece[5])]
    return Curve(tuple(points))


def outline(curves: Iterable[Curve]) -> str:
    """Path data of the area within *curves*, joined by straight lines, closed."""
    text, here = "", None
    for curve in curves:
        if here is None:
            text = curve.format_path_data()
        else:
            if here != curve.start:
                text += _straight_to(here, curve.start)
            text += curve.format_path_data(moving=False)
        here = curve.end
    return text + "z"


def _straight_to(here: Point, there: Point) -> str:
    if here[0] == there[0]:
        return "V" + number(there[1])
    return "H" + number(there[0]) if here[1] == there[1] else "L" + numbers(there)


def _straight(a: Point, b: Point, c: Point, d: Point) -> bool:
    width, height = d[0] - a[0], d[1] - a[1]
    return all(abs((p[0] - a[0]) * height - (p[1] - a[1]) * width) < 0.01 for p in (b, c))
