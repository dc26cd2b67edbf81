"""Standing answers to a step that asks a seat, which a player gives once for a whole game (COUNT-27).

Pure functions over the rules. The answers are played as ordinary actions, so the record holds them.
"""

from __future__ import annotations

from .actions import Action, Final, Pass
from .game import Game
from .legal import LegalActions
from .state import State

ASK, NEVER, GAIN = "ask", "never", "gain"
"""Standing answers of a seat: ask each time, move nothing, move all to where it gains by it."""


def answer(state: State, transfers: str) -> Action | None:
    """Return the answer of the seat that is asked in *state* by its choice *transfers*; ``None`` to ask it.

    >>> from games.rules import RuleSet
    >>> answer(Game.new(RuleSet.of()).state, NEVER) is None  # nobody is asked
    True
    """
    if state.decision.kind not in state.rules.standing or transfers == ASK:
        return None
    if transfers == NEVER:
        return Pass()
    step, seat = LegalActions(state).step, state.decision.seat
    assert step is not None and seat is not None
    return step.gaining(state, seat)


def settle_scoring(game: Game, *, ended: bool) -> Game:
    """*game* after all decisions to move figures are declined and the scoring is done: of what the turn
    completed, or, if all turns have *ended*, of everything."""
    game = stay(game, ended=ended)
    return game.play(Final()) if ended else game


def stay(game: Game, *, ended: bool) -> Game:
    """*game* after all decisions to move figures are declined, in the turn or when all turns have *ended*."""
    while game.decision.kind in game.rules.standing and game.state.ended == ended:
        game = game.play(Pass())
    return game
