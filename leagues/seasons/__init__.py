"""The only door through which leagues change. Each function makes one whole change or none.

What is refused is :class:`leagues.exceptions.LeagueRefused`.
"""

from .founding import found
from .registration import register, stay, withdraw
from .results import follow
from .steps import advance

__all__ = ["advance", "follow", "found", "register", "stay", "withdraw"]
