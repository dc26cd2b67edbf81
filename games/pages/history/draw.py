"""The draw of a game: the commitment made before the first turn, and whether the tiles drawn match it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games import access
from games.access import Visitor
from games.models import Game
from games.pages.scene.picture import Miniature, build_miniature
from games.play import bag, load_start_draws
from games.play.audit import find_draw_faults, find_returned_tiles
from games.selectors.seats import list_seat_names


def build_context(game: Game, visitor: Visitor) -> dict[str, Any]:
    """Build the template context of the draw of *game*: the tiles that decided who begins, where players drew
    for it (HR-1); how the games with the same draw stand; and the draw itself, unless its seed is secret or
    its tiles were given."""
    context = {"game": game, "start": list(_list_start_tiles(game))}
    if game.deal is not None:
        sharing = list(game.deal.games.order_by("pk").prefetch_related("seats__player"))
        unsealed = game.deal.games.filter(access.build_unsealed_filter(visitor))
        seen = set(unsealed.values_list("pk", flat=True)) - {game.pk}
        context |= {
            "sharing": sharing,
            "over": sum(other.ended for other in sharing),
            "others": [(other, list_seat_names(other.seats.all())) for other in sharing if other.pk in seen],
        }
    if game.shown_seed:
        context |= {
            "faults": [_fault(fault) for fault in find_draw_faults(game)],
            "drawn": list(_list_drawn_tiles(game)),
        }
    return context


def _list_drawn_tiles(game: Game) -> Iterator[tuple[int, Miniature, bag.Copy]]:
    """Yield the tiles with their numbers, and the copies whose names and digests put them into this order."""
    order = bag.compute_order_with_returns(
        bytes.fromhex(game.shown_seed), game.draw_code, game.rules.bag, find_returned_tiles(game)
    )
    kinds = game.tiles.order_by("draw").values_list("draw", "kind")
    for (number, kind), copy in zip(kinds, order, strict=False):
        yield number, build_miniature(kind), copy


def _list_start_tiles(game: Game) -> Iterator[tuple[bag.StartDraw, str, Miniature, bool]]:
    """Yield the draws for the first turn, each with the player, the tile, and whether the player begins."""
    drawn = load_start_draws(game)
    if not drawn:
        return
    seats = list(game.seats.select_related("player").order_by("index"))
    names = {seat.sat: name for seat, name in zip(seats, list_seat_names(seats), strict=True)}
    for tile_draw in drawn:
        begins = tile_draw.round == drawn[-1].round and tile_draw.place == seats[0].sat
        yield tile_draw, names[tile_draw.place], build_miniature(tile_draw.copy.tile), begins


def _fault(fault: bag.Fault) -> str:
    sentences = {
        "seed": _("The secret number is not the promised one: its fingerprint is {expected}."),
        "first_seat": _("The secret number didn't draw this first player."),
        "tile": _("Tile {draw} should have been {expected}, but {stored} came."),
    }
    return sentences[fault.code].format(**fault._asdict())
