"""Cells, ports and rotation.

A tile's rim has twelve ports, clockwise from the north-west: three to a side. A city or a road reaches a
side at its middle port, fields reach the halves. With the ports in clockwise order, turning a tile is
addition and touching a neighbour is subtraction.

Inside the engine a place on the table is one integer, the *cell*, and a port on the board is
``cell * 12 + port``: integers make the maps of a state fast. People and records see coordinates,
``(x, y)``, x growing to the east and y to the south, and rotation clockwise in degrees.
"""

from __future__ import annotations

from functools import cache
from typing import Final

PORTS: Final = tuple(["NNW", "N", "NNE", "ENE", "E", "ESE", "SSE", "S", "SSW", "WSW", "W", "WNW"])
PORT: Final = {name: index for index, name in enumerate(PORTS)}
SIDES: Final = tuple("NESW")
HALF_SIDES: Final = tuple(name for name in PORTS if len(name) == 3)
ROTATIONS: Final = (0, 90, 180, 270)

_ROW: Final = 4096  # cells of one column; a board is never half as high


def get_cell(x: int, y: int) -> int:
    """The cell at *x*, *y*.

    >>> get_cell(2, -1)
    8191
    """
    return x * _ROW + y


@cache
def get_coordinates(cell: int) -> tuple[int, int]:
    """``(x, y)`` of *cell*.

    >>> get_coordinates(get_cell(2, -1))
    (2, -1)
    """
    y = (cell + _ROW // 2) % _ROW - _ROW // 2
    return (cell - y) // _ROW, y


NORTH: Final = -1
EAST: Final = _ROW
SOUTH: Final = 1
WEST: Final = -_ROW

STEP: Final = (NORTH, EAST, SOUTH, WEST)  # by side, clockwise from north
AROUND: Final = (
    NORTH + WEST,
    NORTH,
    NORTH + EAST,
    WEST,
    EAST,
    SOUTH + WEST,
    SOUTH,
    SOUTH + EAST,
)  # the eight neighbouring spaces, row by row


def rotate_side(port: int, turns: int) -> int:
    """*port* after *turns* quarter turns clockwise.

    >>> PORTS[rotate_side(PORT["N"], 1)], PORTS[rotate_side(PORT["WNW"], 1)]
    ('E', 'NNE')
    """
    return (port + 3 * turns) % 12


def get_opposite_place(port: int) -> int:
    """The port that touches *port* on the neighbouring tile.

    >>> PORTS[get_opposite_place(PORT["N"])], PORTS[get_opposite_place(PORT["ENE"])]
    ('S', 'WNW')
    """
    return (8 if port // 3 % 2 == 0 else 14) - port


FACING: Final = tuple(STEP[port // 3] * 12 + get_opposite_place(port) - port for port in range(12))
"""Offset from ``cell * 12 + port`` to the port beyond it, by port."""

BEYOND: Final = tuple((STEP[port // 3], 1 << get_opposite_place(port)) for port in range(12))
"""The step to the cell beyond a port and, as a mask, the port there that touches it, by port."""


@cache
def sort_in_reading_order(cell: int) -> tuple[int, int]:
    """Sort key of cells by (y, x), the order of logs (BASE-29).

    >>> cells = [get_cell(1, 1), get_cell(0, 1), get_cell(5, 0)]
    >>> [get_coordinates(cell) for cell in sorted(cells, key=sort_in_reading_order)]
    [(5, 0), (0, 1), (1, 1)]
    """
    x, y = get_coordinates(cell)
    return y, x
