"""The only door through which leagues change. Each function makes one whole change or none.

What is refused is :class:`leagues.exceptions.LeagueRefused`.
"""

from .founding import MAY_FOUND, found
from .registration import register, stay, withdraw
from .results import follow
from .steps import advance

__all__ = ["MAY_FOUND", "advance", "follow", "found", "register", "stay", "withdraw"]
