"""The state, and the only code that changes it.

``apply_event(state, event)`` never refuses and decides nothing: it alone rebuilds a stored game. A module
with data of its own has a slice of the state and applies its own events to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import Board, Feature, Meeple, Spot
from .events import (
    Answered,
    Asked,
    Completed,
    Dealing,
    Dealt,
    Deployed,
    Discarded,
    Drawn,
    Event,
    Finished,
    FurtherTurn,
    HandReady,
    LastTurnPlayed,
    Placed,
    PutAside,
    PutBack,
    Returned,
    Scored,
    Started,
    TurnPassed,
)
from .geometry import get_cell, get_coordinates
from .tiles import MAX_SEGMENTS, get_tile

if TYPE_CHECKING:
    from .actions import Recall
    from .module import Holding, Quarter, Token
    from .ruleset import RuleSet


class Decision(NamedTuple):
    """The decision that the game waits for: ``draw`` and ``final`` by no seat, ``place`` or the name of a
    step by a seat. ``over`` waits for nothing."""

    kind: str
    seat: int | None = None


class Laid(NamedTuple):
    """A tile as it lies."""

    tile: str
    x: int
    y: int
    rotation: int


class Standing(NamedTuple):
    """A meeple as it stands."""

    seat: int
    meeple: str
    x: int
    y: int
    on: str
    side: str | None


DRAW, FINAL, OVER = Decision("draw"), Decision("final"), Decision("over")


class State(NamedTuple):
    """A game between two actions. Immutable.

    >>> from games.rules import Game, RuleSet
    >>> state = Game.new(RuleSet.of(seats=3)).state
    >>> state.left, state.remaining["base.E"], state.scores, state.supply[0]
    (71, 5, (0, 0, 0), {'follower': 7})
    >>> list(state.placed)
    [Laid(tile='base.D', x=0, y=0, rotation=0)]
    """

    rules: RuleSet
    board: Board
    remaining: Mapping[str, int]  # undrawn copies by tile id, without their order
    left: int  # number of undrawn tiles
    scores: tuple[int, ...]
    supply: tuple[Mapping[str, int], ...]  # figures in hand, by seat
    decision: Decision
    turn_seat: int = 0
    drawn: str | None = None
    discarded: tuple[str, ...] = ()
    cell: int | None = None  # cell of the tile of this turn
    completed: tuple[int, ...] = ()  # a code of each feature completed in this turn
    paid: tuple[int, ...] = ()  # seats that features paid in this turn
    asked: tuple[int, ...] = ()  # seats that the current step must still ask
    ended: bool = False  # the last turn is played
    placer: int | None = None  # the seat that placed the last tile so far
    further: str | None = None  # the source of this turn, if it is a further one of the same seat
    aside: tuple[str, ...] = ()  # tiles that wait beside the bag (HR-6)
    strays: tuple[str, ...] = ()  # ids that came back to the bag after the rest of their group was drawn
    hands: tuple[tuple[str | None, ...], ...] = ()  # tiles held, by seat; a hidden one is None
    dealing: tuple[int, ...] = ()  # seats into whose hands the next tiles are drawn
    slices: Mapping[str, Any] = {}  # data of modules, by their name

    def but(self, **changes: Any) -> State:
        """The state with some fields changed: like ``_replace``, but faster with so many fields."""
        fields = list(self)
        for name, value in changes.items():
            fields[_FIELD[name]] = value
        return tuple.__new__(State, fields)

    @property
    def over(self) -> bool:
        return self.decision == OVER

    @property
    def playable(self) -> tuple[str, ...]:
        """The tiles of which the seat on turn may place one: the drawn one, or those in hand, each once.

        >>> from games.rules import Draw, Game, RuleSet
        >>> Game.new(RuleSet.of()).play(Draw("base.E")).state.playable
        ('base.E',)
        """
        drawn = self.drawn
        if drawn is not None:
            return (drawn,)
        if self.decision.kind != "place" or not self.hands:
            return ()
        return tuple(dict.fromkeys(tile for tile in self.hands[self.turn_seat] if tile is not None))

    @property
    def is_last_turn(self) -> bool:
        """Return whether nobody has a tile to place after the one in hand."""
        held = sum(map(len, self.hands))
        own = len(self.hands[self.turn_seat]) if held else 0
        return len(self.playable) == 1 and held == own and not self.left and not self.aside

    @property
    def placed(self) -> Iterator[Laid]:
        """Every tile that lies, in order of placing, the start tile first."""
        for cell, turned in self.board.tiles.items():
            yield Laid(turned.id, *get_coordinates(cell), turned.rotation)

    def meeples(self) -> Iterator[Standing]:
        """Every meeple on the board."""
        for meeple in self.board.meeples():
            spot = self.board.spot(meeple.code)
            yield Standing(meeple.seat, meeple.figure, *spot)

    def find_recalled_figure(self, recall: Recall) -> str:
        """The kind of figure that *recall* takes back; once none stands there any more, the one that may be
        taken back at all."""
        cell, kinds = get_cell(recall.x, recall.y), self.rules.recalled
        there = (
            meeple.figure
            for mine in self.board.standing.values()
            for meeple in mine
            if meeple.code // MAX_SEGMENTS == cell and meeple.figure in kinds
        )
        return next(there, kinds[0])

    def feature_at(self, x: int, y: int, on: str, side: str | None = None) -> Feature:
        """The feature at a spot; ``KeyError`` where there is none."""
        return self.board.feature_at(x, y, on, side)

    def holdings(self, seat: int) -> tuple[Holding, ...]:
        """Return what *seat* holds besides figures and tiles, such as cards and goods."""
        return tuple(
            holding for module in self.rules.asking("holdings") for holding in module.holdings(self, seat)
        )

    def tokens(self) -> tuple[Token, ...]:
        """The figures on the board that belong to no seat."""
        return tuple(token for module in self.rules.asking("tokens") for token in module.tokens(self))

    def quarters(self) -> tuple[Quarter, ...]:
        """The quarters of cities that are not features, and the figures in them."""
        return tuple(quarter for module in self.rules.asking("quarters") for quarter in module.quarters(self))

    @property
    def edges(self) -> tuple[int, int, int, int] | None:
        """The outermost columns and rows of the table: west, east, north, south; ``None`` where it has no
        edges (HR-10)."""
        answers = (module.edges(self) for module in self.rules.asking("edges"))
        return next((edges for edges in answers if edges is not None), None)

    def beyond_edges(self, x: int, y: int) -> bool:
        """Return whether a cell lies beyond the edges of the table (HR-10)."""
        edges = self.edges
        if edges is None:
            return False
        west, east, north, south = edges
        return not (west <= x <= east and north <= y <= south)

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, beginning left of *seat* and ending with it.

        >>> from games.rules import Game, RuleSet
        >>> Game.new(RuleSet.of(seats=3)).state.seats_after(1)
        (2, 0, 1)
        """
        count = len(self.scores)
        return tuple((seat + step) % count for step in range(1, count + 1))


_FIELD = {name: index for index, name in enumerate(State._fields)}


def apply_event(state: State, event: Event) -> State:
    """*state* after *event*. Never refuses; ``KeyError`` for an event that neither core nor modules know.

    >>> from games.rules import Game, RuleSet
    >>> state = Game.new(RuleSet.of()).state
    >>> after = apply_event(state, Drawn(0, "base.E"))
    >>> after.drawn, after.left, state.left
    ('base.E', 70, 71)
    """
    kind = type(event)
    change = _CHANGES.get(kind)
    if change is None:
        change = state.rules.changes[kind]
    state = change(state, event)
    tracks = state.rules.tracks
    if tracks:
        for track in tracks.get(kind, ()):
            state = track(state, event)
    return state


def _without(remaining: Mapping[str, int], tile: str) -> Mapping[str, int]:
    rest = dict(remaining)
    rest[tile] -= 1
    if not rest[tile]:
        del rest[tile]
    return rest


def _draw_tile(state: State, event: Drawn) -> State:
    return state.but(
        remaining=_without(state.remaining, event.tile),
        left=state.left - 1,
        drawn=event.tile,
        decision=Decision("place", state.turn_seat),
    )


def _let_go(state: State, seat: int, tile: str) -> State:
    """*state* without the *tile* that was drawn, or is held by *seat*."""
    if state.drawn == tile:
        return state.but(drawn=None)
    held = list(state.hands[seat])
    held.remove(tile)
    return state.but(hands=(*state.hands[:seat], tuple(held), *state.hands[seat + 1 :]))


def _discard_tile(state: State, event: Discarded) -> State:
    state = _let_go(state, event.seat, event.tile)
    return state.but(discarded=(*state.discarded, event.tile), decision=DRAW)


def _put_tile_aside(state: State, event: PutAside) -> State:
    state = _let_go(state, event.seat, event.tile)
    return state.but(aside=(*state.aside, event.tile), decision=DRAW)


def _put_tiles_back(state: State, event: PutBack) -> State:
    strays = set(state.strays)
    for group in state.rules.bag[:-1]:
        if not any(id in state.remaining for id in group):
            strays.update(id for id in event.tiles if id in group)
    return state.but(
        remaining=dict(sorted((Counter(state.remaining) + Counter(event.tiles)).items())),
        left=state.left + len(event.tiles),
        aside=(),
        strays=tuple(sorted(strays)),
    )


def _lay_start_tile(state: State, event: Started) -> State:
    return state.but(
        board=state.board.lay(get_cell(0, 0), get_tile(event.tile).at(0)),
        remaining=_without(state.remaining, event.tile),
        left=state.left - 1,
    )


def _begin_dealing(state: State, event: Dealing) -> State:
    hands = state.hands or ((),) * len(state.scores)
    return state.but(hands=hands, dealing=event.seats, decision=DRAW)


def _deal_tile(state: State, event: Dealt) -> State:
    seat, hands = event.seat, state.hands
    return state.but(
        remaining=_without(state.remaining, event.tile),
        left=state.left - 1,
        hands=(*hands[:seat], (*hands[seat], event.tile), *hands[seat + 1 :]),
        dealing=state.dealing[1:],
    )


def _play_from_hand(state: State, event: HandReady) -> State:
    if event.tile is not None:
        state = _let_go(state, event.seat, event.tile).but(drawn=event.tile)
    return state.but(decision=Decision("place", event.seat))


def _place_tile(state: State, event: Placed) -> State:
    cell = get_cell(event.x, event.y)
    if state.drawn is None:
        state = _let_go(state, event.seat, event.tile)
    return state.but(
        board=state.board.lay(cell, get_tile(event.tile).at(event.rotation)),
        drawn=None,
        cell=cell,
        placer=event.seat,
    )


def replace_supply(state: State, seat: int, figure: str, by: int) -> State:
    """*state* with *by* more figures of this kind in the hand of *seat*."""
    return state.but(supply=_change_supply(state.supply, seat, figure, by))


def replace_slice(state: State, name: str, kept: Any) -> State:
    """*state* with *kept* as the slice of the module called *name*."""
    return state.but(slices={**state.slices, name: kept})


def _change_supply(supply: tuple[Mapping[str, int], ...], seat: int, figure: str, by: int) -> tuple[Any, ...]:
    mine = dict(supply[seat])
    mine[figure] += by
    return (*supply[:seat], mine, *supply[seat + 1 :])


def _deploy_figure(state: State, event: Deployed) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state.but(
        board=state.board.with_meeple(Meeple(event.seat, event.meeple, code)),
        supply=_change_supply(state.supply, event.seat, event.meeple, -1),
    )


def _return_figure(state: State, event: Returned) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state.but(
        board=state.board.without_meeple(Meeple(event.seat, event.meeple, code)),
        supply=_change_supply(state.supply, event.seat, event.meeple, 1),
    )


def _note_completion(state: State, event: Completed) -> State:
    code = state.board.code(Spot(event.x, event.y, event.on, event.side))
    return state.but(completed=(*state.completed, code))


def _add_points(state: State, event: Scored) -> State:
    seat, scores = event.seat, state.scores
    return state.but(
        scores=(*scores[:seat], scores[seat] + event.points, *scores[seat + 1 :]),
        paid=(*state.paid, seat) if event.points and event.complete else state.paid,
    )


def _ask_seats(state: State, event: Asked) -> State:
    return state.but(asked=event.seats, decision=Decision(event.step, event.seats[0]))


def _take_answer(state: State, event: Answered) -> State:
    rest = state.asked[1:]
    if rest:
        return state.but(asked=rest, decision=Decision(state.decision.kind, rest[0]))
    return state.but(asked=(), decision=FINAL if state.ended else state.decision)


def _pass_turn(state: State, event: TurnPassed) -> State:
    return state.but(
        turn_seat=event.seat, decision=DRAW, cell=None, completed=(), paid=(), asked=(), further=None
    )


def _give_further_turn(state: State, event: FurtherTurn) -> State:
    return state.but(decision=DRAW, cell=None, completed=(), paid=(), asked=(), further=event.source)


def _end_last_turn(state: State, event: LastTurnPlayed) -> State:
    return state.but(ended=True, decision=FINAL, dealing=())


def _finish_game(state: State, event: Finished) -> State:
    return state.but(decision=OVER)


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    Drawn: _draw_tile,
    Discarded: _discard_tile,
    Placed: _place_tile,
    Deployed: _deploy_figure,
    Completed: _note_completion,
    Scored: _add_points,
    Returned: _return_figure,
    Asked: _ask_seats,
    Answered: _take_answer,
    TurnPassed: _pass_turn,
    FurtherTurn: _give_further_turn,
    Started: _lay_start_tile,
    PutAside: _put_tile_aside,
    PutBack: _put_tiles_back,
    Dealing: _begin_dealing,
    Dealt: _deal_tile,
    HandReady: _play_from_hand,
    LastTurnPlayed: _end_last_turn,
    Finished: _finish_game,
}
