"""Names and links of players and teams, and names of the parts of a season."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import Player
from games.selectors.lists import build_profile_url
from leagues.models import Division, Entry, Kind, Match, Season, Team, TeamMatch
from leagues.settings import Schedule
from leagues.words import rounds


class NameLink(NamedTuple):
    """A name with its URL, which is empty for closed accounts."""

    name: str
    url: str

    @property
    def link(self) -> SafeString:
        """The name as a link."""
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


def format_round_name(division: Division, round: int, match: Match | TeamMatch | None = None) -> str:
    """Name a round of *division*; *match* tells the match for third place from the final of a knock-out."""
    if division.kind != Kind.KNOCK_OUT:
        return _("Round {n}").format(n=round)
    if round == division.rounds and match is not None and match.number > 1:
        return _("Match for third place")
    return rounds.format_round(1 << (division.rounds - round))


def format_match_name(match: Match | TeamMatch) -> str:
    """Name the division and round of *match*; a ladder has no rounds."""
    division = format_division_name(match.division)
    if match.division.kind == Kind.LADDER:
        return division
    return _("{division}, {round}").format(
        division=division, round=format_round_name(match.division, match.round, match)
    )


def format_division_name(division: Division) -> str:
    if division.kind == Kind.KNOCK_OUT:
        return _("Knock-out")
    if division.kind == Kind.LADDER:
        return _("Ladder")
    if division.season.agreed["schedule"] == Schedule.GROUPS:
        return _("Group {n}").format(n=division.level)
    return _("Division {n}").format(n=division.level)


def read_round(asked: str | None, last: int, usual: int) -> int:
    """Parse the number of the round that was *asked* for, up to *last*; return *usual* if it is invalid."""
    known = asked is not None and asked.isdecimal() and len(asked) <= len(str(last))
    return int(asked) if asked and known and 1 <= int(asked) <= last else usual
