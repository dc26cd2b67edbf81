"""Positions in which rules of several sets meet."""

from games.rules import Game
from games.rules.board import Meeple, Spot
from games.rules.modules.winter import Man

from .boards import played, turn, with_bag
from .count_helpers import CAP

TRADERS_AND_BUILDERS = "traders-and-builders"


def place_figure(game, seat, figure, x, y, on, side=None):
    """Move a figure of *seat* from its hand to the spot."""
    index = "ABCDEF".index(seat)
    board = game.state.board
    board = board.with_meeple(Meeple(index, figure, board.code(Spot(x, y, on, side))))
    return change_hand(Game(game.state._replace(board=board)), seat, **{figure: -1})


def change_hand(game, seat, **more):
    """Add so many figures to the hand of *seat*."""
    hands = [dict(hand) for hand in game.state.supply]
    for figure, count in more.items():
        hands["ABCDEF".index(seat)][figure] += count
    return Game(game.state._replace(supply=tuple(hands)))


def play_last_turn(game, line):
    """Play the turn of *line* in *game*, with one other tile in the bag."""
    return played(line, game=with_bag(game, turn(line).tile, "base.B"))


def make_gingerbread_game():
    """A small city of two tiles with the Gingerbread Man in it, about to be completed by C."""
    *before, _ = CAP.split("; ")
    game = played("; ".join(before), sets=["base", "count", "winter"], gingerbread=True, seats=3)
    man = Man(game.state.board.code(Spot(-2, 1, "city", "S")), True)
    return Game(game.state._replace(slices={**game.state.slices, "winter": man}))
