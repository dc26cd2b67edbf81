"""Thumbnails of boards in lists, each drawn once for all viewers.

A thumbnail is cached under everything that it depends on, so it can't go stale: in memory, in the cache
shared by the processes, if there is one, and in browsers, by a stamp in its address. Uncached ones are drawn
on request. A thumbnail shows nothing that is hidden from some viewers of its game; permission is not checked
here.
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
from games.drawing.board import BoardPicture
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
    """The cache key of a thumbnail. The turn's time tells apart versions of the same number, which occur when
    a database backup is restored and played on while the cache stays."""

    release: str
    code: str
    version: int
    turn_began: datetime | None
    looks: tuple[int, ...]

    @property
    def name(self) -> str:
        """A digest of the key."""
        return sha256(repr(tuple(self)).encode()).hexdigest()

    @property
    def stamp(self) -> str:
        """A shorter digest for addresses."""
        return self.name[:20]


_recent: LRUCache[bytes] = LRUCache("small pictures of boards", MOST)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The small picture of a game as it stands."""

    game: Game
    key: Key
    kept: bytes | None

    def load_image(self) -> bytes:
        """Return the picture, drawing and caching it if needed. At most one query."""
        if self.kept is not None:
            return self.kept
        drawn = _draw(load_position(self.game).state, self.key.looks)
        _share(self.key, drawn)
        _recent.put(self.key, drawn)
        return drawn


def build_thumbnail_url(game: Game, seats: Iterable[Seat]) -> str:
    """Return the address of the thumbnail of *game*, the last turn outlined; empty before it has begun. No
    query."""
    return _place(game.code).replace(STAMP, _key(game, seats).stamp) if game.started else ""


def load_thumbnail(game: Game, seats: Iterable[Seat]) -> Thumbnail:
    """Return the thumbnail of *game*, which has begun, with the picture if it is cached. At most one cache
    lookup."""
    key = _key(game, seats)
    thumbnail = _recent.get(key)
    if thumbnail is None:
        thumbnail = _load_shared(key)
        if thumbnail is not None:
            _recent.put(key, thumbnail)
    return Thumbnail(game, key, thumbnail)


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
    return render_thumbnail_webp(build_unnamed_picture(state, looks))


def build_unnamed_picture(state: State, looks: Sequence[int]) -> BoardPicture:
    """The board of *state* with its last tile outlined, for pictures that have no titles."""
    return picture.build_picture(state, looks, [""] * len(looks), last=_find_last_placement(state))


def _find_last_placement(state: State) -> list[tuple[int, int, int]]:
    """Return where the last tile was placed, and by which seat; empty before the first turn."""
    if state.placer is None:
        return []
    *_before, laid = state.placed
    return [(laid.x, laid.y, state.placer)]


def _load_shared(key: Key) -> bytes | None:
    """Return the picture in the shared cache. Lists work without it, so errors are only logged."""
    try:
        stored = caches["miniatures"].get(key.name)
    except Exception:
        logger.warning("No small picture came from the cache", exc_info=True)
        return None
    return stored if isinstance(stored, bytes) and stored[:4] == b"RIFF" and stored[8:12] == b"WEBP" else None


def _share(key: Key, drawn: bytes) -> None:
    try:
        caches["miniatures"].set(key.name, drawn)
    except Exception:
        logger.warning("A small picture could not be put into the cache", exc_info=True)
