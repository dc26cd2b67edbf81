"""The draw of a game as a page shows it: what was promised before the first turn, and what came of it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from games import bag
from games.audit import draw_faults, returned
from games.hands import Miniature, miniature
from games.models import Game


class DrawnTile(NamedTuple):
    """One tile in the order in which it came, with the name and the number by which it was sorted."""

    number: int
    tile: Miniature
    name: str
    digest: str


class Draw(NamedTuple):
    """The draw of a game that has ended and shows its seed."""

    faults: tuple[str, ...]
    drawn: tuple[DrawnTile, ...]


def draw_of(game: Game) -> Draw | None:
    """The draw of *game*, checked; ``None`` while its seed is secret, or if its tiles were given."""
    if not game.seed:
        return None
    order = bag.dealt(bytes.fromhex(game.seed), game.code, game.rules.bag, returned(game))
    kinds = game.tiles.order_by("draw").values_list("draw", "kind")
    return Draw(
        faults=tuple(_fault(fault) for fault in draw_faults(game)),
        drawn=tuple(
            DrawnTile(number, miniature(kind), copy.name, copy.digest.hex())
            for (number, kind), copy in zip(kinds, order, strict=False)
        ),
    )


def _fault(fault: bag.Fault) -> str:
    sentences = {
        "seed": _("The secret number is not the promised one: its fingerprint is {expected}."),
        "first_seat": _("The first player was not drawn by the secret number."),
        "tile": _("Tile {draw} should have been {expected}, but {stored} came."),
    }
    return sentences[fault.code].format(**fault._asdict())
