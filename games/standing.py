"""Standing answers to a step that asks a seat: what its player has decided once for a whole game (COUNT-27).

Pure functions over the rules. Their answers are played as ordinary actions, so the record holds them.
"""

from __future__ import annotations

from games.rules import Action, Final, Game, Pass, State
from games.rules.modules.count import paying_transfer

ASK, NEVER, GAIN = "ask", "never", "gain"
"""What a seat may answer once for all: to be asked, to move nothing, to move all to where it gains by it."""

STEPS = ("transfer", "transfer_at_end")
"""The steps to which a standing answer is an answer."""


def answer(state: State, transfers: str) -> Action | None:
    """What the seat that is asked in *state* answers by its choice *transfers*; ``None`` to ask it."""
    if state.decision.kind not in STEPS or transfers == ASK:
        return None
    if transfers == NEVER:
        return Pass()
    seat = state.decision.seat
    assert seat is not None
    return paying_transfer(state, seat)


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
