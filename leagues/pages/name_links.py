"""Players and teams as tables and lists name them."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from accounts.models import Player
from games.selectors.lists import build_profile_url
from leagues.models import Entry, Season, Team


class NameLink(NamedTuple):
    """A name, and where it leads; nowhere if it is that of a closed account."""

    name: str
    url: str

    @property
    def link(self) -> SafeString:
        """The name, which leads to a page."""
        if not self.url:
            return conditional_escape(self.name)
        return format_html('<a href="{}">{}</a>', self.url, self.name)


def link_player(player: Player) -> NameLink:
    return NameLink(str(player), build_profile_url(player))


def link_team(team: Team, season: Season) -> NameLink:
    return NameLink(team.name, reverse("league:team", args=[season.league.slug, season.number, team.pk]))


def link_contender(one: Entry | Player | Team, season: Season) -> NameLink:
    if isinstance(one, Team):
        return link_team(one, season)
    return link_player(one.player if isinstance(one, Entry) else one)
