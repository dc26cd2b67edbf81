"""Players as tables and lists name them."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from accounts.models import Player
from games.selectors.lists import profile_url


class Who(NamedTuple):
    """A player's name, and where it leads; nowhere if the account is closed."""

    name: str
    url: str

    @property
    def link(self) -> SafeString:
        """The name, which leads to the player's page."""
        if not self.url:
            return conditional_escape(self.name)
        return format_html('<a href="{}">{}</a>', self.url, self.name)


def who(player: Player) -> Who:
    return Who(str(player), profile_url(player))
