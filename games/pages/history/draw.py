"""The draw of a game: the commitment made before the first turn, and whether the tiles drawn match it."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games import access
from games.access import Visitor
from games.models import Game
from games.pages.scene.picture import Miniature, build_miniature
from games.play import bag, load_start_draws
from games.play.audit import find_draw_faults, find_returned_tiles
from games.selectors.seats import list_seat_names


class DrawnTile(NamedTuple):
    """A drawn tile, with the name and the digest by which it was sorted."""

    number: int
    tile: Miniature
    name: str
    digest: str


class StartTile(NamedTuple):
    """A tile drawn to decide who begins."""

    round: int  # from 1; seats that tie draw again
    player: str
    tile: Miniature
    roads: int
    begins: bool
    name: str  # key by which it was sorted; empty while the seed is secret


class SharedGame(NamedTuple):
    """Another game with the same draw."""

    players: str
    url: str


class SharedDraw(NamedTuple):
    """The progress of the games that share a draw, and those of the others that may be seen."""

    games: int
    over: int
    others: tuple[SharedGame, ...]


class RevealedDraw(NamedTuple):
    """The draw of a game that has ended and shows its seed."""

    faults: tuple[str, ...]
    drawn: tuple[DrawnTile, ...]


def build_revealed_draw(game: Game) -> RevealedDraw | None:
    """The draw of *game*, checked; ``None`` while its seed is secret, or if its tiles were given."""
    seed = game.shown_seed
    if not seed:
        return None
    order = bag.compute_order_with_returns(
        bytes.fromhex(seed), game.draw_code, game.rules.bag, find_returned_tiles(game)
    )
    kinds = game.tiles.order_by("draw").values_list("draw", "kind")
    return RevealedDraw(
        faults=tuple(_fault(fault) for fault in find_draw_faults(game)),
        drawn=tuple(
            DrawnTile(number, build_miniature(kind), copy.name, copy.digest.hex())
            for (number, kind), copy in zip(kinds, order, strict=False)
        ),
    )


def build_shared_draw(game: Game, visitor: Visitor) -> SharedDraw | None:
    """Return the games that share the draw of *game*, for *visitor*; ``None`` if it has a draw of its own."""
    if game.deal is None:
        return None
    games = list(game.deal.games.order_by("pk").prefetch_related("seats__player"))
    seen = set(game.deal.games.filter(access.build_unsealed_filter(visitor)).values_list("pk", flat=True))
    return SharedDraw(
        games=len(games),
        over=sum(one.ended for one in games),
        others=tuple(
            SharedGame(", ".join(list_seat_names(one.seats.all())), reverse("games:table", args=[one.code]))
            for one in games
            if one.pk != game.pk and one.pk in seen
        ),
    )


def list_start_tiles(game: Game) -> list[StartTile]:
    """Return the tiles that decided who begins *game*, where players drew for it (HR-1)."""
    drawn = load_start_draws(game)
    if not drawn:
        return []
    seats = list(game.seats.select_related("player").order_by("index"))
    names = {seat.sat: name for seat, name in zip(seats, list_seat_names(seats), strict=True)}
    return [
        StartTile(
            one.round,
            names[one.place],
            build_miniature(one.copy.tile),
            one.roads,
            one.round == drawn[-1].round and one.place == seats[0].sat,
            one.copy.name if game.shown_seed else "",
        )
        for one in drawn
    ]


def _fault(fault: bag.Fault) -> str:
    sentences = {
        "seed": _("The secret number is not the promised one: its fingerprint is {expected}."),
        "first_seat": _("The secret number didn't draw this first player."),
        "tile": _("Tile {draw} should have been {expected}, but {stored} came."),
    }
    return sentences[fault.code].format(**fault._asdict())
