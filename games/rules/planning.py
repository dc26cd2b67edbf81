"""Turns planned ahead: the tiles a seat may hold on its next turn, where they could lie, and whether a plan's
situation has changed.

Pure functions over the rules. ``suppose_turn`` gives a game in which the seat is on turn already, so all code
for a turn, from ``legal_actions()`` to a preview, can be used for a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .actions import Place
from .board import Board, Feature
from .errors import IllegalAction
from .events import Placed
from .forecast import count_coming_tiles, list_draws_of
from .game import Game
from .geometry import STEP, get_cell, get_coordinates
from .state import Decision, State, apply_event
from .tiles import FIELD, MAX_SEGMENTS, RIVER, Deploy, get_tile
from .turn import list_completions

TAKEN, UNFIT, FIGURE, STANDING, COMPLETION = "taken", "unfit", "figure", "standing", "completion"
"""Reasons for not playing a plan: its space is taken, the tile no longer fits there, the figure may not go
there, others stand on what it joins or nobody does any more, it completes more or less than it did."""


def list_next_tiles(state: State, seat: int) -> tuple[str, ...]:
    """The tiles of which *seat* may place one in its next turn, as far as *state* tells, each once: those in
    its hand, or else every kind that is still to come; none if it has no further turn.

    *state* is one as *seat* may see it (``hide_secrets``), so nothing hidden is revealed.

    >>> from games.rules import Draw, RuleSet
    >>> game = Game.new(RuleSet.of()).play(Draw("base.A"))
    >>> len(list_next_tiles(game.state, 1)), list_next_tiles(game.state, 1)[:2]
    (24, ('base.A', 'base.B'))
    >>> ahead = RuleSet.of(options={"next_tile": "at_turn_end"})
    >>> game = Game.new(ahead).play(Draw("base.E")).play(Draw("base.U"))
    >>> list_next_tiles(game.state, 1)
    ('base.U',)
    """
    held = state.hands[seat] if state.hands else ()
    mine = tuple(dict.fromkeys(id for id in held if id is not None))
    if mine or state.ended or not list_draws_of(state, seat):
        return mine
    return tuple(count_coming_tiles(state))


def suppose_turn(game: Game, seat: int, after: tuple[int, int] | None = None) -> Game:
    """*game* as if *seat* were on turn already and held all of its ``list_next_tiles``.

    Open decisions get their default answers, and the tile drawn by another seat is not on the board. With
    *after*, the column and row of an empty space, some tile has been laid there by then: see ``expect_tile``.

    >>> from games.rules import Draw, RuleSet
    >>> game = Game.new(RuleSet.of()).play(Draw("base.A"))
    >>> mine = suppose_turn(game, 1)
    >>> mine.decision, len(mine.legal_actions().tiles), mine.legal_actions().placements_of("base.E")[0]
    (Decision(kind='place', seat=1), 24, Placement(x=0, y=-1, rotation=180))
    """
    tiles = list_next_tiles(game.state, seat)
    while (default := game.legal_actions().default_answer()) is not None:
        game = game.play(default)
    state = game.state
    hands = list(state.hands or ((),) * len(state.scores))
    hands[seat] = tiles
    state = state.but(
        decision=Decision("place", seat),
        turn_seat=seat,
        drawn=None,
        hands=tuple(hands),
        dealing=(),
        cell=None,
        completed=(),
        paid=(),
        asked=(),
        further=None,
    )
    if after is not None:
        state = state.but(board=expect_tile(state, after))
    return Game(state)


def expect_tile(state: State, at: tuple[int, int]) -> Board:
    """The board of *state* as if some tile lay on the empty space *at*: nothing else may be laid there, and
    the spaces beside it are open. As its sides are unknown, it requires nothing of its neighbours.

    >>> from games.rules import RuleSet
    >>> state = Game.new(RuleSet.of()).state
    >>> sorted(get_coordinates(cell) for cell in expect_tile(state, (1, 0)).needs)
    [(-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (2, 0)]
    """
    board = state.board
    needs = board.needs.copy()
    needs.pop(get_cell(*at), None)
    for cell in list_neighbours(at):
        if (
            cell not in board.tiles
            and cell not in board.beyond
            and not state.beyond_edges(*get_coordinates(cell))
        ):
            needs.setdefault(cell, 0)
    return board._replace(needs=needs)


def list_neighbours(at: tuple[int, int]) -> tuple[int, ...]:
    """The four cells beside the one in this column and row."""
    return tuple(get_cell(*at) + step for step in STEP)


class Ground(NamedTuple):
    """Facts about a feature that a turn joins or completes: one of the grounds of its plan."""

    kind: str
    complete: bool  # whether this turn completes it
    stands: tuple[tuple[int, str], ...]  # seat and figure of the meeples there already, sorted


def find_grounds(state: State, place: Place) -> tuple[Ground, ...]:
    """Return the grounds of the turn *place*, which is legal in *state*: what must not have changed by then.

    For every city, road and building that the tile joins, and the field on which the figure is put: whether
    the turn completes it, and the figures there already. For buildings around that it completes: the figures
    there. The size of features does not matter, nor what happens elsewhere.

    >>> from games.rules import Draw, RuleSet
    >>> game = Game.new(RuleSet.of()).play(Draw("base.E"))
    >>> find_grounds(game.state, Place("base.E", 0, -1, 180))
    (Ground(kind='city', complete=True, stands=()),)
    """
    turned = get_tile(place.tile).at(place.rotation)
    cell = get_cell(place.x, place.y)
    after = apply_event(state, Placed(state.turn_seat, place.tile, place.x, place.y, place.rotation))
    figure = place.figure
    on = turned.spots[figure.on, figure.side] if isinstance(figure, Deploy) else None
    joined = [
        _ground(after.board.features[cell * MAX_SEGMENTS + lie.index])
        for lie in turned.lies
        if lie.kind != RIVER and (lie.kind != FIELD or lie.index == on)
    ]
    around = [_ground(feature) for feature in _list_completed(after) if cell not in feature.cells]
    return (*joined, *sorted(around))


def _ground(feature: Feature) -> Ground:
    stands = sorted((meeple.seat, meeple.figure) for meeple in feature.meeples)
    return Ground(feature.kind, feature.complete, tuple(stands))


def _list_completed(state: State) -> Iterator[Feature]:
    for event in list_completions(state):
        yield state.feature_at(event.x, event.y, event.on, event.side)


def grounds_to_json(grounds: Sequence[Ground]) -> list[Any]:
    """*grounds* as lists for JSON.

    >>> grounds_to_json([Ground("city", True, ((0, "follower"),))])
    [['city', True, [[0, 'follower']]]]
    """
    return [[kind, complete, [list(stand) for stand in stands]] for kind, complete, stands in grounds]


def find_plan_fault(game: Game, place: Place, rested_on: Sequence[Any] | None) -> str | None:
    """Return why *place* can't be played in *game*, for the seat awaited, or no longer means what it did when
    it was planned: one of the codes above; ``None`` if nothing has changed.

    *rested_on* are its grounds, as ``grounds_to_json`` wrote them; ``None`` if they could not be known, and
    then only the rules are checked.

    >>> from games.rules import Draw, RuleSet
    >>> game = Game.new(RuleSet.of()).play(Draw("base.E"))
    >>> find_plan_fault(game, Place("base.E", 0, -1, 180), [["city", True, []]])
    >>> find_plan_fault(game, Place("base.E", 0, -1, 180), [["city", True, [[1, "follower"]]]])
    'standing'
    >>> find_plan_fault(game, Place("base.E", 0, 0, 180), None)
    'taken'
    >>> find_plan_fault(game, Place("base.E", 0, -1, 0), None)
    'unfit'
    """
    legal = game.legal_actions()
    try:
        legal.check(place._replace(figure=None))
    except IllegalAction as error:
        return TAKEN if error.code == "cell_taken" else UNFIT
    if place not in legal:
        return FIGURE
    if rested_on is None:
        return None
    now = grounds_to_json(find_grounds(game.state, place))
    if [ground[:2] for ground in now] != [ground[:2] for ground in rested_on]:
        return COMPLETION
    return None if now == rested_on else STANDING
