"""Mails to captains and players of teams."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.models import Player
from games.clocks import DAY
from leagues.mails.base import LeagueMail, at_second
from leagues.models import Division, EntryState, Phase, Season, Team, TeamMatch, TeamMember, TeamState
from leagues.words import settings_text

BEFORE_LINE_UP_CLOSES = DAY
"""Time before a line-up closes at which a captain who has submitted none is reminded."""


class TeamInvitation(LeagueMail, kind="team-invitation"):
    """A team has invited the reader."""

    @classmethod
    def tell(cls, member: TeamMember, *, now: datetime) -> None:
        """Tell *member*; after removals and new invitations once an hour at most."""
        cls.owe([member.player], f"{member.team_id}.{now:%Y%m%d%H}", now=now, member=member)

    def matters(self) -> bool:
        return self.member.is_asked and self.member.team.season.is_open

    def read(self) -> dict[str, Any]:
        settings = self.member.team.season.settings
        return {"rules": settings_text.list_team_facts(settings), "time": settings.describe("clock")}


class LeaderMail(LeagueMail):
    """A mail to captain and vice-captain."""

    def matters(self) -> bool:
        """Return whether the reader still leads the team, and it still plays."""
        team = self.team
        leads = team.is_led_by(self.reader.pk) and team.state != TeamState.WITHDRAWN
        return leads and not team.season.is_over


class TeamDeclined(LeaderMail, kind="team-declined"):
    """A player has declined the invitation of a team."""

    @classmethod
    def tell(cls, member: TeamMember, *, now: datetime) -> None:
        captain = [member.team.captain]
        cls.owe(captain, at_second(member, now), now=now, member=member, team=member.team)

    def matters(self) -> bool:
        return super().matters() and self.member.declined is not None and not self.team.season.running


class LineUpDue(LeaderMail, kind="line-up"):
    """The line-up of a round is due."""

    @classmethod
    def tell(cls, division: Division, *, now: datetime) -> None:
        """Ask captains and vice-captains for the line-ups of the next round, and remind them later."""
        matches = division.team_matches.filter(round=division.drawn + 1)
        leaders = ("first__captain", "first__vice_captain", "second__captain", "second__vice_captain")
        for match in matches.select_related("division__season", *leaders):
            for team in (match.first, match.second):
                if match.division.season.phase == Phase.RUNNING:  # else the mail about its beginning says so
                    cls.ask(team, match, now=now)
                LineUpCloses.remind(team, match, now)

    @classmethod
    def ask(cls, team: Team, match: TeamMatch, *, now: datetime, due: datetime | None = None) -> None:
        cls.owe(team.leaders, f"{team.pk}.{match.pk}", now=now, due=due, team=team, match=match)

    def matters(self) -> bool:
        leads = super().matters() and self.team.season.running
        return leads and is_line_up_due(self.team, self.match, self.now)

    def read(self) -> dict[str, Any]:
        return {"opponent": self.match.opponent_of(self.team)}


class LineUpCloses(LineUpDue, kind="line-up-closes", template="line_up"):
    """A line-up that is due closes soon."""

    @classmethod
    def remind(cls, team: Team, match: TeamMatch, now: datetime) -> None:
        due = match.closes - BEFORE_LINE_UP_CLOSES
        if due > now:
            cls.ask(team, match, now=now, due=due)

    @classmethod
    def remind_of_next(cls, team: Team, now: datetime) -> None:
        matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=now)
        for match in matches.select_related("division__season").order_by("begins")[:1]:
            cls.remind(team, match, now)


class Captaincy(LeaderMail, kind="captain"):
    """The reader is captain or vice-captain from now on."""

    @classmethod
    def tell(cls, team: Team, leader: Player, *, now: datetime) -> None:
        """Tell the new *leader*, who takes over the reminder of the next line-up, or gets it, too."""
        cls.owe([leader], at_second(team, now), now=now, team=team)
        LineUpCloses.remind_of_next(team, now)


class TeamMateAway(LeaderMail, kind="team-mate"):
    """A player of the team has withdrawn, or can't play for now."""

    @classmethod
    def tell(cls, team: Team, player: Player, what: str, *, now: datetime) -> None:
        """Tell captain and vice-captain *what* the player is, "left" or "away"; each once a day at most."""
        leaders = [leader for leader in team.leaders if leader != player]
        cls.owe(leaders, f"{team.pk}.{player.pk}.{what}.{now:%Y%m%d}", now=now, team=team, player=player)

    def read(self) -> dict[str, Any]:
        team, player = self.team, self.player
        entry = team.season.entries.filter(player=player).first()
        member = team.members.filter(player=player, joined__isnull=False).first()
        left = entry is not None and entry.state == EntryState.WITHDRAWN
        return {"left": left, "away": member is not None and not member.available}


class TeamShort(LeagueMail, kind="team-short"):
    """The team of the reader had too few players when the season began."""

    @classmethod
    def tell(cls, team: Team, *, now: datetime) -> None:
        members = team.members.filter(joined__isnull=False).select_related("player")
        cls.owe([member.player for member in members], team, now=now, team=team)

    def matters(self) -> bool:
        return self.team.state == TeamState.SHORT


def is_line_up_due(team: Team, match: TeamMatch, now: datetime) -> bool:
    """Return whether the line-up of *team* for *match* is open, and not set."""
    return now < match.closes and not team.line_ups.filter(match=match, chosen=True).exists()


def find_first_line_up(season: Season, player: Player, now: datetime) -> dict[str, Any]:
    """Return the team and match of the line-up due before the first round of *season*, if *player* leads a
    team."""
    led = Q(captain=player) | Q(vice_captain=player)
    team = season.teams.filter(led, state=TeamState.PLAYING).first()
    if season.settings.teams is None or team is None:
        return {}
    matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).select_related("division__season")
    match = matches.order_by("begins").first()
    if match is None or not is_line_up_due(team, match, now):
        return {}
    return {"team": team, "match": match, "opponent": match.opponent_of(team)}
