"""Standing answers to a step that asks a seat: what its player has decided once for a whole game (COUNT-27).

Pure functions over the rules. Their answers are played as ordinary actions, so the record holds them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .actions import Action, Final, Pass
from .board import Feature, Meeple
from .events import Event, Scored
from .game import Game
from .legal import LegalActions
from .modules.count import Moving, Transfer, Way
from .scoring import final_scoring
from .state import State
from .tiles import CITY, FIELD
from .turn import Slot

ASK, NEVER, GAIN = "ask", "never", "gain"
"""What a seat may answer once for all: to be asked, to move nothing, to move all to where it gains by it."""

STEPS = ("transfer", "transfer_at_end")
"""The steps to which a standing answer is an answer."""


def answer(state: State, transfers: str) -> Action | None:
    """What the seat that is asked in *state* answers by its choice *transfers*; ``None`` to ask it.

    >>> from games.rules import RuleSet
    >>> answer(Game.new(RuleSet.of()).state, NEVER) is None  # nobody is asked
    True
    """
    if state.decision.kind not in STEPS or transfers == ASK:
        return None
    return Pass() if transfers == NEVER else gaining(state)


def gaining(state: State) -> Transfer | Pass:
    """What the seat that is asked in *state* answers to move all its figures to where they bring it points if
    everybody else stays, the most valuable feature first. It answers so until that is to pass."""
    step, seat = LegalActions(state).step, state.decision.seat
    assert isinstance(step, Moving) and seat is not None
    ways: dict[int, list[Way]] = {}
    for way in step.movable(state, seat, step.features(state)):
        ways.setdefault(id(way.feature), []).append(way)
    best, most = None, 0
    for together in ways.values():
        gain = _gain(state, seat, together)
        if gain > most:  # some do it alone, others only one after the other
            best = next((way for way in together if _gain(state, seat, (way,)) == gain), together[0])
            most = gain
    if best is None:
        return Pass()
    count = 1 if step.one_by_one(state) else best.held
    return Transfer(best.quarter, best.figure, count, *state.board.spot_of(best.feature))


def _gain(state: State, seat: int, together: Sequence[Way]) -> int:
    """What *seat* is paid more, now or at the end, if all who may move *together* to one feature do."""
    board, feature = state.board, together[0].feature
    for way in together:
        for _ in range(way.held):
            board = board.with_meeple(Meeple(seat, way.figure, feature.segments[0]))
    return _points(state.but(board=board), seat, feature) - _points(state, seat, feature)


def _points(state: State, seat: int, feature: Feature) -> int:
    """What *seat* is about to be paid for *feature*, and perhaps for others."""
    board = state.board
    if state.ended:
        concerned = [board.features[feature.segments[0]]]
        if feature.kind == FIELD:  # cities may pay several fields together
            concerned = [*board.features_where(lambda one: one.kind in (FIELD, CITY))]
        events: Iterable[Event] = final_scoring(state, concerned)
    else:
        steps = (step for step in state.rules.turn if step.slot in (Slot.FIRST_SCORING, Slot.SCORE))
        events = (event for step in steps for event in step.run(state))
    return sum(event.points for event in events if isinstance(event, Scored) and event.seat == seat)


def settled(game: Game, *, ended: bool) -> Game:
    """*game* once everybody who is asked to move figures stays, and what is at stake is scored: what the turn
    completed, or when all turns have *ended* everything."""
    game = stay(game, ended=ended)
    return game.play(Final()) if ended else game


def stay(game: Game, *, ended: bool) -> Game:
    """*game* once everybody stays who is asked to move figures, in the turn or when all have *ended*."""
    while game.decision.kind in STEPS and game.state.ended == ended:
        game = game.play(Pass())
    return game
