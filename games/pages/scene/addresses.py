"""The addresses of a game's pages, and the way through the steps of its past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from django.urls import reverse

from games.models import Game


class Steps(NamedTuple):
    """The way through the plies of a game, or through its final scoring; an empty address where there is
    nothing further."""

    at: int
    last: int
    first_url: str
    previous_url: str
    next_url: str
    last_url: str
    slider_url: str
    until: int | None = None  # step before which playback stops
    stops: bool = False  # whether it stops here


@dataclass(frozen=True, slots=True)
class Urls:
    """The addresses of a game's pages, worked out once."""

    NAMES: ClassVar = (
        "table",
        "text",
        "plan",
        "play",
        "talk",
        "gallery",
        "notes",
        "follow",
        "scores",
        "record",
        "files",
        "end",
        "draw",
        "resign",
        "rematch",
        "transfers",
        "seat_notices",
    )

    table: str
    text: str
    plan: str
    play: str
    talk: str
    gallery: str
    notes: str
    follow: str
    scores: str
    record: str
    files: str
    end: str
    draw: str
    resign: str
    rematch: str
    transfers: str
    seat_notices: str
    history: str

    def ply(self, ply: int) -> str:
        return f"{self.history}{ply}/"


def build_urls(game: Game) -> Urls:
    return _urls(game.code)


@lru_cache(maxsize=1000)
def _urls(code: str) -> Urls:
    return Urls(
        **{name: reverse(f"games:{name}", args=[code]) for name in Urls.NAMES},
        history=reverse("games:ply", args=[code, 0]).removesuffix("0/"),
    )


def build_steps(address: Callable[[int], str], at: int, last: int, *, until: int | None = None) -> Steps:
    """The way through the steps 0 to *last* from *at*, each at its *address*; all links keep *until*."""
    query = "" if until is None else f"?until={until}"

    def url(step: int) -> str:
        return address(step) + query

    return Steps(
        at=at,
        last=last,
        first_url=url(0) if at > 0 else "",
        previous_url=url(at - 1) if at > 0 else "",
        next_url=url(at + 1) if at < last else "",
        last_url=url(last) if at < last else "",
        slider_url=address(0),
        until=until,
        stops=at in (until, last),
    )
