"""The invitation to a team, for the invited player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.selectors.pending_invitations import PendingInvitation
from games.words.times import format_when
from leagues.models import Phase, Season, Team, TeamMember
from leagues.pages.names import NameLink, link_player, link_team
from leagues.pages.team import get_team_rules
from leagues.selectors import teams as found
from leagues.words import settings_text, teams


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """The invitation to a team, with its players and rules."""

    team: NameLink
    captain: NameLink  # captain or vice-captain who invites
    players: list[NameLink]
    begins: str
    facts: settings_text.Facts
    closed: str  # reason why it can't be answered any more


def build_page(team: Team, season: Season, player: Player) -> InvitationPage | None:
    """Build the page of the invitation of *player* to *team*; None for those who aren't invited."""
    members = found.load_members(team)
    own = next((one for one in members if one.player_id == player.pk), None)
    if own is None or own.invited is None:
        return None
    return InvitationPage(
        team=link_team(team, season),
        captain=link_player(own.asked_by),
        players=[link_player(one.player) for one in members if one.joined is not None],
        begins=format_when(season.begins),
        facts=[
            *teams.list_facts(get_team_rules(season), season.settings.schedule),
            (_("Time"), settings_text.describe_time(season.settings)),
        ],
        closed=_why_closed(own, season),
    )


def list_pending_invitations(ids: Sequence[int]) -> list[PendingInvitation]:
    """Return the invitations with these *ids*, for the player's list of games."""
    said = _("{player} invites you to play in this team, in {league}.")
    return [
        PendingInvitation(
            member.team.name,
            said.format(player=member.asked_by, league=member.season.league.name),
            build_url(member.team, member.season),
        )
        for member in found.load_invitations(ids)
    ]


def build_url(team: Team, season: Season) -> str:
    """Return the URL at which the invitation of *team* is answered."""
    return reverse("league:team_invitation", args=[season.league.slug, season.number, team.pk])


def _why_closed(member: TeamMember, season: Season) -> str:
    if member.joined is not None:
        return _("You're in this team.")
    if member.declined is not None:
        return _("You have declined this invitation.")
    return "" if season.phase == Phase.REGISTRATION else _("Registration is over.")
