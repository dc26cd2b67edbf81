"""The small pictures of boards that lists show, each drawn once for all who look.

A picture is kept under all that it comes from, so it can't go stale: in memory, and in the cache that the
processes share, where there is one; browsers keep it under an address that says the same. What nobody has is
drawn when a browser asks for it. A picture holds nothing that is hidden from some of those who may see its
game; who may see that is not asked here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from django.core.cache import caches
from django.urls import reverse

from games import drawing, rules
from games.drawing.thumbnail import render_thumbnail_webp
from games.models import Game, Seat
from games.pages.scene import picture
from games.play.positions import load_position
from games.process_cache import LRUCache
from games.rules import State

logger = logging.getLogger(__name__)

STAMP = "-stamp-"
MOST = 1000  # remembered by a process; a late one takes some 4 KB


class Key(NamedTuple):
    """All that a picture comes from. The time of the turn tells two versions of one number apart: there are
    such when a database was put back and played on while the cache stayed."""

    release: str
    code: str
    version: int
    turn_began: datetime | None
    looks: tuple[int, ...]

    @property
    def name(self) -> str:
        """A text that stands for all of it."""
        return sha256(repr(tuple(self)).encode()).hexdigest()

    @property
    def stamp(self) -> str:
        """A shorter one for an address."""
        return self.name[:20]


_recent: LRUCache[bytes] = LRUCache("small pictures of boards", MOST)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The small picture of a game as it stands."""

    game: Game
    key: Key
    kept: bytes | None

    def load_image(self) -> bytes:
        """The picture, which is kept from now on. At most one query."""
        if self.kept is not None:
            return self.kept
        drawn = _draw(load_position(self.game).state, self.key.looks)
        _share(self.key, drawn)
        _recent.put(self.key, drawn)
        return drawn


def build_thumbnail_url(game: Game, seats: Iterable[Seat]) -> str:
    """Return where the board of *game* is shown as a small picture, the last turn outlined; nowhere before it
    has begun. No query."""
    return _place(game.code).replace(STAMP, _key(game, seats).stamp) if game.started else ""


def load_thumbnail(game: Game, seats: Iterable[Seat]) -> Thumbnail:
    """The small picture of *game*, which has begun, as far as any process keeps it. At most one question to
    the cache."""
    key = _key(game, seats)
    found = _recent.get(key)
    if found is None:
        found = _load_shared(key)
        if found is not None:
            _recent.put(key, found)
    return Thumbnail(game, key, found)


def _key(game: Game, seats: Iterable[Seat]) -> Key:
    return Key(_release(), game.code, game.version, game.turn_began, tuple(seat.look for seat in seats))


@lru_cache(maxsize=1000)
def _place(code: str) -> str:
    """The address of the small picture of the game with this *code*, its own stamp left out."""
    return reverse("games:thumbnail", args=[code, STAMP])


@cache
def _release() -> str:
    """A text that changes with the code and the tables that boards are rebuilt and drawn by."""
    files = [Path(__file__), Path(picture.__file__)]
    for package in (rules, drawing):
        files += sorted(
            file for file in Path(*package.__path__).rglob("*") if file.suffix in {".py", ".json"}
        )
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _draw(state: State, looks: Sequence[int]) -> bytes:
    unnamed = [""] * len(looks)  # the picture is too small for titles
    return render_thumbnail_webp(picture.build_picture(state, looks, unnamed, last=_last(state)))


def _last(state: State) -> list[tuple[int, int, int]]:
    """Where the last tile was placed, and by which seat; nowhere before the first turn."""
    if state.placer is None:
        return []
    *_before, laid = state.placed
    return [(laid.x, laid.y, state.placer)]


def _load_shared(key: Key) -> bytes | None:
    """What the shared cache has for *key*. A list can do without it, so no fault of it may spoil one."""
    try:
        found = caches["miniatures"].get(key.name)
    except Exception:
        logger.warning("No small picture came from the cache", exc_info=True)
        return None
    return found if isinstance(found, bytes) and found[:4] == b"RIFF" and found[8:12] == b"WEBP" else None


def _share(key: Key, drawn: bytes) -> None:
    try:
        caches["miniatures"].set(key.name, drawn)
    except Exception:
        logger.warning("A small picture could not be put into the cache", exc_info=True)
