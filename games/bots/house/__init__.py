"""The house bot: a player of modest strength, based on nothing but the rules.

It knows what every player knows: the board, the drawn tile, and which tiles are left, never their order.
"""

from .choice import choose

__all__ = ["choose"]
