"""The house bot: a player of modest strength, over nothing but the rules.

It sees what every player sees: the board, the drawn tile, and which tiles are left, never their order.
"""

from .choice import choose

__all__ = ["choose"]
