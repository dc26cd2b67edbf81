"""Actions of a seat, or of no seat. Modules add actions of their own for the steps that ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from .tiles import Deploy


class Action(Protocol):
    """An action of a seat, or of no seat: a named tuple of strings, integers, figures and ``None``.

    Modules add actions of their own, so this is what all have in common; ``isinstance`` tells them apart.
    """

    def __init__(self, **fields: Any) -> None: ...
    def _asdict(self) -> dict[str, Any]: ...


class Draw(NamedTuple):
    """Draw the next tile, which is no seat's act: the engine knows which tiles remain, never their order."""

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


class Pass(NamedTuple):
    """Decline a decision."""


class Final(NamedTuple):
    """The final scoring, which is no seat's act."""


class Placement(NamedTuple):
    """A place where a tile may lie, and its rotation (BASE-13)."""

    x: int
    y: int
    rotation: int


Kind = TypeVar("Kind", bound=Action)


def _in_no_record(stored: object) -> NoReturn:
    raise ValueError(stored)


class Form(NamedTuple, Generic[Kind]):
    """The JSON and the line of an action of a step, whose fields are strings, integers or ``None``."""

    name: str  # the ``type`` of its JSON
    kind: type[Kind]
    pattern: re.Pattern[str]  # matches a whole line, in lower case
    read: Callable[[re.Match[str]], Kind]  # the action that such a line says
    write: Callable[[Kind], str]
    rule: str = "BASE-6"  # number of the rule by which it may be chosen
    key: str = ""  # in a record: the key under which it stands …
    inline: bool = False  # … in the entry of its turn, or else in an entry of its own
    store: Callable[[Kind], dict[str, Any]] = lambda action: {}  # the JSON under the key …
    load: Callable[[Any], Kind] = _in_no_record  # … and back; KeyError, TypeError, ValueError for else


FORMS: dict[str, Form[Any]] = {}
"""Forms of the actions of steps, by name."""


def register_action(form: Form[Kind]) -> None:
    """Register an action so that it can be stored, read back, and written as a line."""
    FORMS[form.name] = form


register_action(Form("pass", Pass, re.compile("pass"), lambda match: Pass(), lambda action: "pass"))


def get_form(action: Kind) -> Form[Kind] | None:
    """The form of an action that a step asks for; ``None`` for the core's own.

    >>> form = get_form(Pass())
    >>> form.name, form.write(Pass())
    ('pass', 'pass')
    >>> get_form(Draw("base.E")) is None
    True
    """
    kind = type(action)
    return next((form for form in FORMS.values() if form.kind is kind), None)


def action_to_json(action: Action) -> dict[str, Any]:
    """*action* as a JSON object, with its kind as ``type``.

    >>> action_to_json(Place("base.E", 0, -1, 180, Recall(0, 2)))
    {'type': 'place', 'tile': 'base.E', 'at': [0, -1], 'rotation': 180, 'recall': [0, 2]}
    """
    if isinstance(action, Draw):
        return {"type": "draw", "tile": action.tile}
    if isinstance(action, Final):
        return {"type": "final"}
    if not isinstance(action, Place):
        form = get_form(action)
        if form is None:
            raise ValueError(action)
        fields = {name: value for name, value in action._asdict().items() if value is not None}
        return {"type": form.name, **fields}
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
    """Return what :func:`action_to_json` wrote; ``KeyError`` or ``ValueError`` for anything else.

    >>> action_from_json({"type": "draw", "tile": "base.E"})
    Draw(tile='base.E')
    """
    kind = stored["type"]
    if kind == "draw":
        return Draw(stored["tile"])
    if kind == "final":
        return Final()
    if kind in FORMS:
        action: type[Action] = FORMS[kind].kind
        return action(**{name: stored.get(name) for name in action.__annotations__})
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
