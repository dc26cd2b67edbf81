"""Boards to draw: legal ones, put together at random from the tiles' sides alone."""

from __future__ import annotations

from random import Random

from games.drawing.board import BoardPicture, Figure, LaidTile, Mark, Outline
from games.rules.geometry import ROTATIONS
from games.rules.tiles import get_tile, load_tile_set

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


def laid_tiles(count: int = 72, *, seed: int = 1, edition: str = "C2") -> tuple[LaidTile, ...]:
    """*count* tiles of the base game, each next to one that fits."""
    chance = Random(seed)
    bag = [name for name, copies in load_tile_set("base").copies(edition).items() for _ in range(copies)]
    bag.remove("base.D")
    chance.shuffle(bag)
    board = {(0, 0): LaidTile("base.D", 0, 0, 0)}
    seen = {"base.D": 1}
    for name in bag[: count - 1]:
        places = sorted({(x + dx, y + dy) for x, y in board for dx, dy in STEPS} - set(board))
        legal = [
            (x, y, rotation)
            for x, y in places
            for rotation in ROTATIONS
            if _fits(board, name, x, y, rotation)
        ]
        if legal:
            x, y, rotation = min(legal, key=lambda one: one[0] ** 2 + one[1] ** 2 + 9 * chance.random())
            board[x, y] = LaidTile(name, x, y, rotation, seen.get(name, 0))
            seen[name] = seen.get(name, 0) + 1
    return tuple(board.values())


def _fits(board: dict[tuple[int, int], LaidTile], name: str, x: int, y: int, rotation: int) -> bool:
    sides = get_tile(name).at(rotation).sides
    for side, (dx, dy) in enumerate(STEPS):
        other = board.get((x + dx, y + dy))
        if other and get_tile(other.tile).at(other.rotation).sides[(side + 2) % 4] != sides[side]:
            return False
    return True


def board_picture(count: int = 72, *, meeples: int = 14, marks: int = 40, seed: int = 1) -> BoardPicture:
    """A board as pages show it late in a game."""
    chance = Random(seed)
    laid = laid_tiles(count, seed=seed)
    figures = []
    for one in chance.sample(laid, min(meeples, len(laid))):
        lie = chance.choice(get_tile(one.tile).at(one.rotation).lies)
        figures.append(
            Figure(chance.randrange(6), "follower", one.x, one.y, lie.kind, lie.side, title="Anna: knight")
        )
    cells = {(tile.x, tile.y) for tile in laid}
    edge = sorted({(x + dx, y + dy) for x, y in cells for dx, dy in STEPS} - cells)[:marks]
    return BoardPicture(
        laid,
        tuple(figures),
        outlines=(Outline(laid[-1].x, laid[-1].y, 0), Outline(laid[-2].x, laid[-2].y, 1)),
        marks=tuple(
            Mark(
                x,
                y,
                f"/games/toulouse/?x={x}&y={y}",
                f"Place at column {x}, row {y}",
                attributes={"hx-get": f"/games/toulouse/?x={x}&y={y}"},
            )
            for x, y in edge
        ),
        title="Toulouse",
        sprite="/static/games/tiles-base-0123456789.svg",
    )
