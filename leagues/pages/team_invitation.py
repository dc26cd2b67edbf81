"""The invitation of a team, as the player sees it who is invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.selectors.asked import Asked
from leagues.models import Phase, Season, Team, TeamMember
from leagues.pages.team import rules_of
from leagues.pages.team_tables import team_who
from leagues.pages.who import Who, who
from leagues.selectors import teams as found
from leagues.words import agreed, teams


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """A team as whoever is invited sees it: who plays there, and what they say yes to."""

    team: Who
    captain: Who
    players: list[Who]
    begins: str
    facts: agreed.Facts
    closed: str  # why it can't be answered any more


def page_of(team: Team, season: Season, player: Player) -> InvitationPage | None:
    """The invitation of *player* to *team*; nothing for who is not invited."""
    members = found.members_of(team)
    own = next((one for one in members if one.player_id == player.pk), None)
    if own is None or own.invited is None:
        return None
    return InvitationPage(
        team=team_who(team, season),
        captain=who(team.captain),
        players=[who(one.player) for one in members if one.joined is not None],
        begins=teams.when(season.begins),
        facts=[
            *teams.facts(rules_of(season), season.settings.schedule),
            (_("Time"), agreed.time(season.settings)),
        ],
        closed=_why_closed(own, season),
    )


def asked(ids: Sequence[int]) -> list[Asked]:
    """The invitations with these *ids*, for the player's list of games."""
    said = _("{player} invites you to play in this team, in {league}.")
    return [
        Asked(
            member.team.name,
            said.format(player=member.team.captain, league=member.season.league.name),
            url_of(member.team, member.season),
        )
        for member in found.invitations_with(ids)
    ]


def url_of(team: Team, season: Season) -> str:
    """Where the invitation of *team* is answered."""
    return reverse("league:team_invitation", args=[season.league.slug, season.number, team.pk])


def _why_closed(member: TeamMember, season: Season) -> str:
    if member.joined is not None:
        return _("You're in this team.")
    if member.declined is not None:
        return _("You have declined this invitation.")
    return "" if season.phase == Phase.REGISTRATION else _("Registration is over.")
