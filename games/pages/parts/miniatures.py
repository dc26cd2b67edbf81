"""The small pictures of boards that lists show, each drawn once for all who look.

A picture is kept under all that it comes from, so it can't go stale: in memory, and in the cache that the
processes share, where there is one. What neither has is drawn. A picture holds nothing that is hidden from
some of those who may see its game; whose games a list may show is not asked here.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path

from django.core.cache import caches
from django.utils.safestring import SafeString, mark_safe

from games import drawing, rules
from games.drawing.miniature import miniature_svg
from games.memoize import Recent
from games.pages.scene import picture
from games.play.positions import positions
from games.rules import State
from games.selectors.lists import GameLine

logger = logging.getLogger(__name__)

MOST = 1000  # remembered by a process; a late one takes some 4 KB, 9 KB with every set

Key = tuple[Hashable, ...]
"""All that a picture comes from."""

_recent: Recent[SafeString] = Recent("small pictures of boards", MOST)


def miniatures(lines: Iterable[GameLine]) -> dict[int, SafeString]:
    """The boards of *lines* by the primary key of the game, the last turn outlined; tables not yet begun have
    none. At most one question to the cache and one query for all of them."""
    begun = {_key(line): line for line in lines if line.game.started}
    found = {key: kept for key in begun if (kept := _recent.get(key)) is not None}
    if missing := [key for key in begun if key not in found]:
        shared = _shared(missing)
        drawn = _drawn({key: begun[key] for key in missing if key not in shared})
        _share(drawn)
        for key, svg in (shared | drawn).items():
            found[key] = mark_safe(svg)  # the drawing escapes what it is given
            _recent.put(key, found[key])
    return {begun[key].game.pk: svg for key, svg in found.items()}


def _key(line: GameLine) -> Key:
    """What the picture of *line* is kept under. The time of the turn tells two versions of one number apart:
    there are such when a database was put back and played on while the cache stayed."""
    game = line.game
    return _release(), game.code, game.version, game.turn_began, tuple(one.seat.look for one in line.seats)


@cache
def _release() -> str:
    """A text that changes with the code and the tables that boards are rebuilt and drawn by."""
    files = [Path(__file__), Path(picture.__file__)]
    for package in (rules, drawing):
        files += sorted(
            file for file in Path(*package.__path__).rglob("*") if file.suffix in {".py", ".json"}
        )
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _drawn(lines: Mapping[Key, GameLine]) -> dict[Key, str]:
    """The pictures of *lines*, drawn from their positions."""
    found = positions([line.game for line in lines.values()]) if lines else {}
    return {key: _draw(found[line.game.pk].state, line) for key, line in lines.items()}


def _draw(state: State, line: GameLine) -> str:
    looks = [one.seat.look for one in line.seats]
    unnamed = [""] * len(looks)  # the picture is too small for titles
    return miniature_svg(picture.picture_of(state, looks, unnamed, last=_last(state)))


def _last(state: State) -> list[tuple[int, int, int]]:
    """Where the last tile was placed, and by which seat; nowhere before the first turn."""
    if state.placer is None:
        return []
    *_before, laid = state.placed
    return [(laid.x, laid.y, state.placer)]


def _shared(keys: Iterable[Key]) -> dict[Key, str]:
    """What the shared cache has for *keys*. A list can do without it, so no fault of it may spoil one."""
    names = {_name(key): key for key in keys}
    try:
        found = caches["miniatures"].get_many(names)
    except Exception:
        logger.warning("No small pictures came from the cache", exc_info=True)
        return {}
    return {names[name]: svg for name, svg in found.items() if name in names and _is_picture(svg)}


def _share(drawn: Mapping[Key, str]) -> None:
    if not drawn:
        return
    try:
        caches["miniatures"].set_many({_name(key): svg for key, svg in drawn.items()})
    except Exception:
        logger.warning("Small pictures could not be put into the cache", exc_info=True)


def _name(key: Key) -> str:
    return sha256(repr(key).encode()).hexdigest()


def _is_picture(found: object) -> bool:
    return isinstance(found, str) and found.startswith("<svg ") and found.endswith("</svg>")
