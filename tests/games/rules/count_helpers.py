"""Positions with the Count."""

from games.rules import Game
from games.rules.board import Meeple, Spot
from games.rules.modules.count import Transfer

from .boards import declined, played, with_bag

COUNT = {"sets": ["base", "count"]}
THREE_SEATS = {**COUNT, "seats": 3}
ROAD = "A base.U@1,-2 rfrf road N; B base.A@1,-3 ffrf"
CAP = "A base.B@2,0; B base.B@3,0; C base.E@-2,2 cfff"
TO_THE_CAP = Transfer("castle", "follower", 1, -2, 1, "city", "S")
TWO_ROADS = """
    A base.U@1,-2 rfrf road N
    B base.B@2,-2
    C base.A@2,-3 fffr{claim}
    A base.B@2,0
    B base.B@3,0
"""
SURROUNDED = "A base.B@2,0 monastery; B base.E@2,1 fffc; C base.B@3,0; A base.B@3,-1; B base.B@3,1"
TO_THE_FIELD = Transfer("market", "follower", 1, 2, 0, "field", "NNW")


def place_in_quarters(game, count=None, **quarters):
    """*game* with figures in the quarters, as ``blacksmith="B B"``, with L before a seat for a large one;
    *count* is the quarter of the Count."""
    city = game.state.slices["count"]
    held = dict(city.quarters)
    for quarter, seats in quarters.items():
        held[quarter] = tuple(
            ("ABCDEF".index(seat[-1]), "large" if seat[0] == "L" else "follower") for seat in seats.split()
        )
    city = city._replace(quarters=held, stands=count or city.stands)
    return Game(game.state._replace(slices={**game.state.slices, "count": city}))


def read_quarters(game):
    """Return the Count's quarter, and the figures by quarter: ``("castle", {"market": "B"})``."""
    city = game.state.slices["count"]
    there = {
        quarter: " ".join("ABCDEF"[seat] for seat, _ in held)
        for quarter, held in city.quarters.items()
        if held
    }
    return city.stands, there


def place_meeples(game, x, y, on, side, *seats):
    board = game.state.board
    for seat in seats:
        code = board.code(Spot(x, y, on, side))
        board = board.with_meeple(Meeple("ABCDEF".index(seat), "follower", code))
    return Game(game.state._replace(board=board))


def make_majority_of_knights():
    game = played("A base.B@2,0; B base.B@3,0", **THREE_SEATS)
    game = place_meeples(game, -2, 1, "city", "S", "A")
    return with_bag(place_in_quarters(game, count="market", castle="B B C"), "base.E", "base.B")


def make_ending(**chosen):
    """The game of example 17 before its end: a field of A with three completed cities."""
    text = """
        A base.B@2,0 field NNW
        B base.E@2,1 fffc
        C base.E@2,-1 cfff
        A base.B@3,1
        B base.E@2,-2 ffcf
        C base.B@3,0
    """
    game = played(text, **{**THREE_SEATS, **chosen})
    return declined(game)
