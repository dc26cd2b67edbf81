"""A game as one viewer may see it, built once per request; all pages about a game start from it.

If a table is played without aids, nothing is shown before the end that players would have to work out:
chances, fitting tiles, dead spaces, majorities, and the worth of features once complete.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import rules, words
from games.access import Visitor, get_viewer_context, may_resign, may_see
from games.drawing.board import BoardPicture, find_sprite_name
from games.models import Game, Plan, Seat
from games.play.positions import load_position, load_visible_position
from games.process_cache import memoize
from games.rules import Feature, Spot, State
from games.rules.forecast import Outlook, Space
from games.rules.geometry import get_coordinates
from games.rules.planning import list_next_tiles
from games.rules.visibility import are_hands_hidden
from games.selectors.contests import ContestVerdict, GameContest, connect_verdict, load_contest
from games.selectors.seats import find_own_seat, list_seat_names, load_seats_of

from .addresses import Steps, Urls, build_steps, build_urls
from .picture import Map, build_map, build_outlines, build_picture, build_sprite_addresses


@dataclass(frozen=True)
class Scene:
    """*game* as *viewer* may see it after its move called *version*: now, or in the past after *ply*."""

    game: Game
    viewer: Visitor
    seats: Sequence[Seat]
    version: int
    ply: int | None = None  # ``None`` now
    shows: tuple[tuple[int, int], ...] = ()  # columns and rows for which the board has room besides its tiles
    planned: bool = True  # whether the viewer has, or had, plans, as far as is known
    known_contest: GameContest | None = None  # if it was read before

    def __post_init__(self) -> None:
        if self.game.ended:
            connect_verdict(self.seats, self.verdict)

    @classmethod
    def of(cls, game: Game, viewer: Visitor, *, version: int | None = None, ply: int | None = None) -> Scene:
        """Build the scene of *game* for *viewer*, now or after the move *version*, which is that of *ply*.
        One query, and another for the position if it isn't cached."""
        return cls(game, viewer, load_seats_of(game), game.version if version is None else version, ply)

    @cached_property
    def me(self) -> Seat | None:
        """The viewer's seat; ``None`` for an onlooker."""
        return find_own_seat(self.seats, self.viewer)

    @cached_property
    def open_to_viewer(self) -> bool:
        """Return whether the viewer may open its pages: whoever was replaced in a private game may not."""
        return self.me is not None or may_see(self.viewer, self.game)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, in order."""
        return tuple(list_seat_names(self.seats))

    @cached_property
    def contest(self) -> GameContest | None:
        """The contest that the game belongs to, such as a round of a league; at most two queries."""
        return self.known_contest or load_contest(self.game)

    @property
    def verdict(self) -> ContestVerdict | None:
        """The verdict of its contest on the game, if it has ended."""
        return self.contest.verdict if self.contest is not None and self.game.ended else None

    @property
    def overruled(self) -> ContestVerdict | None:
        """The verdict, if it isn't the result of the game itself."""
        verdict = self.verdict
        return verdict if verdict is not None and not verdict.agrees_with(self.seats) else None

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """The colours of the seats, in order."""
        return tuple(seat.look for seat in self.seats)

    @cached_property
    def key(self) -> tuple[str, int, int | None]:
        """The cache key of :attr:`state` and what follows from it. Where no hand is hidden, all viewers share
        it."""
        seat = self.me.index if self.me is not None and are_hands_hidden(self.game.rules) else None
        return self.game.code, self.version, seat

    @cached_property
    def played(self) -> rules.Game:
        """The game of the rules engine, without hands that are hidden from the viewer."""
        _code, version, seat = self.key
        return load_visible_position(self.game, version, seat)

    @property
    def state(self) -> State:
        return self.played.state

    @property
    def urls(self) -> Urls:
        return build_urls(self.game)

    @cached_property
    def window(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the drawn board, in cells. It holds the game as it is now, so that
        stepping through its past doesn't move the table."""
        placed = list(load_position(self.game).state.placed)
        edge = 0.3 if self.game.ended else 1.1  # room for the open cells
        columns = [*(tile.x for tile in placed), *(x for x, _y in self.shows)]
        rows = [*(tile.y for tile in placed), *(y for _x, y in self.shows)]
        return min(columns) - edge, min(rows) - edge, max(columns) + 1 + edge, max(rows) + 1 + edge

    @property
    def drawn_from(self) -> Hashable:
        """The cache key of :attr:`picture`."""
        return self.key, self.looks, self.names, self.game.name, self.window

    @cached_property
    def picture(self) -> BoardPicture:
        """The board with everything on it, nothing lit or outlined."""
        return _picture(self)

    @cached_property
    def may_plan(self) -> bool:
        """Return whether the viewer waits for their next turn, and can plan it."""
        me, game = self.me, self.game
        if me is None or not me.played_by_person or game.awaited == me.index or not may_resign(me, game):
            return False
        return bool(list_next_tiles(self.state, me.index))

    @cached_property
    def plans(self) -> Sequence[Plan]:
        """The viewer's plans: those pending or, once their turn has come, those made for it. One query; none
        for viewers who don't play."""
        game, me = self.game, self.me
        if me is None or me.left or self.ply is not None or not game.running:
            return ()
        known = get_viewer_context(self.viewer, game)
        if not self.planned or (known is not None and not known.planned):
            return ()
        settled = game.turn_version if game.awaited == me.index else None
        return list(Plan.objects.filter(seat=me, settled=settled).order_by("number"))

    @cached_property
    def plan_notes(self) -> tuple[str, ...]:
        """Sentences on why the viewer must play a turn despite having planned it."""
        if self.me is None or self.game.awaited != self.me.index or not self.plans:
            return ()
        dropped = tuple(
            words.explain_dropped_plan(self.state, plan.place, plan.dropped)
            for plan in self.plans
            if plan.dropped
        )
        return dropped or (words.explain_no_plan(),)

    def map(self, layer: SafeString, last: Sequence[tuple[int, int, int]] = ()) -> Map:
        """The drawn board under *layer*, with the *last* placements outlined: column, row and seat."""
        outlined = replace(self.picture, outlines=build_outlines(last, self.looks, self.names))
        return build_map(outlined, layer)

    def steps(self, *, until: int | None = None) -> Steps:
        """The way through the plies; playing back stops at the one called *until*."""
        last = self.game.ply
        return build_steps(self.urls.ply, last if self.ply is None else self.ply, last, until=until)

    @cached_property
    def outlook(self) -> Outlook:
        return _outlook(self)

    @property
    def aids(self) -> bool:
        """Return whether aids may be shown, which players could also work out themselves."""
        return not self.game.purist or self.game.ended

    @cached_property
    def spaces(self) -> Sequence[Space]:
        """The empty spaces next to a tile and within the edges, if tiles may still be placed and aids are
        shown."""
        if not self.aids or self.state.over or self.game.ended:
            return ()
        return [
            space
            for space in self.outlook.spaces.values()
            if not self.state.beyond_edges(*get_coordinates(space.cell))
        ]

    @cached_property
    def dead(self) -> frozenset[tuple[int, int]]:
        """The open spaces that no remaining tile fits."""
        return frozenset(get_coordinates(space.cell) for space in self.spaces if space.dead)

    def url(self, name: str, *args: object, **query: object) -> str:
        """Return the address of a page about a part of this board."""
        if self.ply is not None:
            query["ply"] = self.ply
        asked = "&".join(f"{key}={value}" for key, value in query.items())
        return _address(name, self.game.code, *args) + (f"?{asked}" if asked else "")

    @property
    def page(self) -> str:
        """The address of the page with this board."""
        return self.urls.table if self.ply is None else self.urls.ply(self.ply)

    def spot(self, feature: Feature) -> Spot:
        return self.state.board.spot_of(feature)

    def feature_url(self, feature: Feature) -> str:
        x, y, on, side = self.spot(feature)
        return self.url("feature", f"{x},{y}", on, *([side] if side else []))

    def space_url(self, space: Space) -> str:
        x, y = get_coordinates(space.cell)
        return self.url("space", f"{x},{y}")


@memoize("pictures of boards", 64, key=lambda scene: scene.drawn_from)
def _picture(scene: Scene) -> BoardPicture:
    return build_picture(
        scene.state,
        scene.looks,
        scene.names,
        sprite=static(find_sprite_name()),
        sprites=build_sprite_addresses(),
        title=_("The board of {game}").format(game=scene.game.name),
        window=scene.window,
    )


@memoize("outlooks", 64, key=lambda scene: scene.key)
def _outlook(scene: Scene) -> Outlook:
    return Outlook(scene.state)


@lru_cache(maxsize=10_000)
def _address(name: str, *args: object) -> str:
    return reverse(f"games:{name}", args=args)
