"""What a seat, or nobody, does. Modules add actions of their own for the steps that ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .tiles import Deploy


class Draw(NamedTuple):
    """The next tile, by nobody: the engine holds which tiles remain, never their order."""

    tile: str


class Recall(NamedTuple):
    """Take a figure back from the tile at *x*, *y* instead of deploying."""

    x: int
    y: int


class Place(NamedTuple):
    """Place a tile and, in the same action, put a figure on it or take one back."""

    tile: str
    x: int
    y: int
    rotation: int
    figure: Deploy | Recall | None = None


class Final(NamedTuple):
    """The final scoring, by nobody."""


Action = Draw | Place | Final | Any


class Placement(NamedTuple):
    """Where a tile may lie, and how (BASE-13)."""

    x: int
    y: int
    rotation: int


def action_to_json(action: Action) -> dict[str, Any]:
    """*action* as an object for JSON, told apart by its ``type``."""
    if isinstance(action, Draw):
        return {"type": "draw", "tile": action.tile}
    if isinstance(action, Final):
        return {"type": "final"}
    stored: dict[str, Any] = {
        "type": "place",
        "tile": action.tile,
        "at": [action.x, action.y],
        "rotation": action.rotation,
    }
    if isinstance(action.figure, Deploy):
        stored["deploy"] = {"meeple": action.figure.meeple, "on": action.figure.on}
        if action.figure.side is not None:
            stored["deploy"]["side"] = action.figure.side
    elif isinstance(action.figure, Recall):
        stored["recall"] = [action.figure.x, action.figure.y]
    return stored


def action_from_json(stored: Mapping[str, Any]) -> Action:
    """What :func:`action_to_json` wrote; ``KeyError`` or ``ValueError`` for anything else."""
    kind = stored["type"]
    if kind == "draw":
        return Draw(stored["tile"])
    if kind == "final":
        return Final()
    if kind != "place":
        raise ValueError(kind)
    figure: Deploy | Recall | None = None
    if "deploy" in stored:
        deploy = stored["deploy"]
        figure = Deploy(deploy["meeple"], deploy["on"], deploy.get("side"))
    elif "recall" in stored:
        figure = Recall(*stored["recall"])
    x, y = stored["at"]
    return Place(stored["tile"], x, y, stored["rotation"], figure)
