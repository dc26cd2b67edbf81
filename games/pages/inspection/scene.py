"""A board as one viewer may look at it: what pages that look closer begin from.

Where a table is played without aids, nothing is shown before the end that a player would have to work out:
chances, what fits, dead spaces, majorities, what a feature is worth when it is completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.urls import reverse

from games.drawing.board import BoardPicture
from games.memoize import remembered
from games.models import Game, Seat
from games.pages.parts.addresses import urls_of
from games.rules import Feature, Spot, State
from games.rules.forecast import Outlook, Space
from games.rules.geometry import position
from games.rules.modules.house_rules import beyond_table
from games.selectors.seats import seat_names


@remembered(64)
def _outlook(state: State) -> Outlook:
    return Outlook(state)


@lru_cache(maxsize=10_000)
def _address(name: str, *args: object) -> str:
    return reverse(f"games:{name}", args=args)


def aids(game: Game) -> bool:
    """Whether what players could work out may be shown to anybody."""
    return not game.purist or game.ended


def dead_spaces(game: Game, outlook: Outlook) -> frozenset[tuple[int, int]]:
    """The open spaces of *outlook* that nothing fits any more, as far as they may be told."""
    if not aids(game) or outlook.state.over or game.ended:
        return frozenset()
    return frozenset(position(space.cell) for space in open_spaces(outlook) if space.dead)


def open_spaces(outlook: Outlook) -> list[Space]:
    """The empty spaces beside a tile, as far as the table reaches."""
    return [one for one in outlook.spaces.values() if not beyond_table(outlook.state, *position(one.cell))]


@dataclass(frozen=True)
class Scene:
    """A board for one viewer: *state* as they may see it, and the picture of it. *ply* is ``None`` now."""

    game: Game
    state: State
    seats: Sequence[Seat]
    me: Seat | None
    picture: BoardPicture
    ply: int | None = None

    @cached_property
    def names(self) -> list[str]:
        return seat_names(self.seats)

    @cached_property
    def outlook(self) -> Outlook:
        return _outlook(self.state)

    @property
    def aids(self) -> bool:
        return aids(self.game)

    @cached_property
    def spaces(self) -> Sequence[Space]:
        """The open spaces, if something may still be laid, and may be told about."""
        told = self.aids and not self.state.over and not self.game.ended
        return open_spaces(self.outlook) if told else ()

    @cached_property
    def dead(self) -> frozenset[tuple[int, int]]:
        return dead_spaces(self.game, self.outlook)

    def url(self, name: str, *args: object, **query: object) -> str:
        if self.ply is not None:
            query["ply"] = self.ply
        asked = "&".join(f"{key}={value}" for key, value in query.items())
        return _address(name, self.game.code, *args) + (f"?{asked}" if asked else "")

    @property
    def page(self) -> str:
        urls = urls_of(self.game)
        return urls.table if self.ply is None else urls.ply(self.ply)

    def spot(self, feature: Feature) -> Spot:
        return self.state.board.spot_of(feature)

    def feature_url(self, feature: Feature) -> str:
        x, y, on, side = self.spot(feature)
        return self.url("feature", f"{x},{y}", on, *([side] if side else []))

    def space_url(self, space: Space) -> str:
        x, y = position(space.cell)
        return self.url("space", f"{x},{y}")
