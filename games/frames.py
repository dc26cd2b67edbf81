"""What every page about a board has: seats, addresses, the way through the plies, the drawn board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import pictures, rules
from games.access import Visitor
from games.drawing.board import BoardPicture, draw_board, sprite_name
from games.memoize import remembered
from games.models import Game, Seat
from games.names import seat_names

SMALLEST_TILE = 44
"""Pixels. On a narrow screen the board scrolls in its frame instead of getting smaller than this."""


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
    until: int | None = None  # where playing back stops before the last step
    stops: bool = False  # whether it stops here


class Map(NamedTuple):
    """The drawn board, the layer over it, and how small they may get, in pixels."""

    svg: SafeString
    layer: SafeString
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Urls:
    """The addresses of a game's pages, worked out once."""

    NAMES: ClassVar = (
        "table",
        "text",
        "play",
        "talk",
        "gallery",
        "notes",
        "scores",
        "record",
        "files",
        "end",
        "draw",
        "resign",
        "rematch",
        "transfers",
    )

    table: str
    text: str
    play: str
    talk: str
    gallery: str
    notes: str
    scores: str
    record: str
    files: str
    end: str
    draw: str
    resign: str
    rematch: str
    transfers: str
    history: str

    def ply(self, ply: int) -> str:
        return f"{self.history}{ply}/"


def seats_of(game: Game) -> list[Seat]:
    """The seats of *game* with their players, in order."""
    return list(game.seats.select_related("player").order_by("index"))


def mine(seats: Sequence[Seat], viewer: Visitor) -> Seat | None:
    """The seat of *viewer*, if there is one."""
    if not viewer.is_authenticated:
        return None
    return next((seat for seat in seats if seat.player_id == viewer.pk), None)


def seen(played: rules.Game, me: Seat | None) -> rules.Game:
    """*played* as *me* may see it, without the hands that only others may see."""
    return _seen(played, None if me is None else me.index)


@remembered(128)
def _seen(played: rules.Game, seat: int | None) -> rules.Game:
    return rules.Game(rules.view(played.state, seat))


def urls_of(game: Game) -> Urls:
    return _urls(game.code)


@lru_cache(maxsize=1000)
def _urls(code: str) -> Urls:
    return Urls(
        **{name: reverse(f"games:{name}", args=[code]) for name in Urls.NAMES},
        history=reverse("games:ply", args=[code, 0]).removesuffix("0/"),
    )


def steps(address: Callable[[int], str], at: int, last: int, *, until: int | None = None) -> Steps:
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


def tiles_left(count: int) -> str:
    return ngettext("{n} tile to come", "{n} tiles to come", count).format(n=count)


def picture_of(
    state: rules.State,
    seats: Sequence[Seat],
    last: Sequence[tuple[int, int, int]],
    game: Game,
    *,
    now: rules.State | None = None,
) -> BoardPicture:
    """The board of *state*, on a window that holds the game as it is *now*, so that stepping through its past
    doesn't move the table."""
    placed = list((now or state).placed)
    edge = 0.3 if game.ended else 1.1  # room for the open cells
    columns, rows = [one.x for one in placed], [one.y for one in placed]
    window = (min(columns) - edge, min(rows) - edge, max(columns) + 1 + edge, max(rows) + 1 + edge)
    looks = tuple(seat.look for seat in seats)
    return _picture(state, looks, tuple(seat_names(seats)), tuple(last), game.name, window)


@remembered(64)
def _picture(
    state: rules.State,
    looks: tuple[int, ...],
    names: tuple[str, ...],
    last: tuple[tuple[int, int, int], ...],
    name: str,
    window: tuple[float, float, float, float],
) -> BoardPicture:
    return pictures.picture_of(
        state,
        looks,
        names,
        last=last,
        sprite=static(sprite_name()),
        sprites=pictures.sprites(),
        title=_("The board of {game}").format(game=name),
        window=window,
    )


def map_of(picture: BoardPicture, layer: SafeString) -> Map:
    assert picture.window is not None
    left, top, right, bottom = picture.window
    return Map(
        _drawn(picture),
        layer,
        round((right - left) * SMALLEST_TILE),
        round((bottom - top) * SMALLEST_TILE),
    )


@remembered(64)
def _drawn(picture: BoardPicture) -> SafeString:
    return mark_safe(draw_board(picture))  # the drawing escapes what it is given
