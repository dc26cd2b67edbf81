"""Mails to captains and players of teams."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from leagues.models import EntryState, Phase, Season, Team, TeamMatch, TeamMember, TeamState
from leagues.notices.meetings import round_name
from leagues.notices.news import News, Told, league_path, moment
from leagues.pages import team_invitation
from leagues.pages.league import season_name
from leagues.pages.team import line_up_url, rules_of
from leagues.words import agreed, teams


class LineUpDue(NamedTuple):
    """What a captain is to do about a line-up, and where."""

    text: str
    path: str


def first_line_up(season: Season, told: Told) -> LineUpDue | None:
    """What the reader has to do before the first round of *season*, if a captain."""
    team = season.teams.filter(captain=told.reader, state=TeamState.PLAYING).first()
    if season.settings.teams is None or team is None:
        return None
    match = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).order_by("begins").first()
    return _due(team, match, told) if match is not None else None


def invitation(told: Told) -> News | None:
    """A captain asks the reader to play."""
    member = TeamMember.objects.filter(pk=told.about["member"], joined=None, declined=None).first()
    if member is None:
        return None
    team = _team(member.team_id)
    if team is None or team.season.phase != Phase.REGISTRATION:
        return None
    season = team.season
    said = _("{player} invites you to play for the team {team} in {season} of {league}.")
    return News(
        league=season.league,
        subject=_("{player} invites you to the team {team}").format(player=team.captain, team=team.name),
        paragraphs=[
            said.format(
                player=team.captain, team=team.name, season=season_name(season), league=season.league.name
            )
        ],
        facts=[
            (_("Begins"), moment(season.begins)),
            *teams.facts(rules_of(season), season.settings.schedule),
            (_("Time"), agreed.time(season.settings)),
        ],
        button=_("Accept or decline"),
        path=team_invitation.url_of(team, season),
        why=_("You're getting this mail because {player} entered your name.").format(player=team.captain),
    )


def declined(told: Told) -> News | None:
    """Somebody whom the captain has invited does not play."""
    team = _led(told)
    member = TeamMember.objects.filter(pk=told.about["member"]).select_related("player").first()
    if team is None or member is None or member.declined is None or team.season.running:
        return None
    return News(
        league=team.season.league,
        subject=_("{player} declines your invitation").format(player=member.player),
        paragraphs=[_("{player} won't play for {team}.").format(player=member.player, team=team.name)],
        button=_("Open the team and invite others"),
        path=_url(team),
    )


def line_up(told: Told) -> News | None:
    """The captain is to put the line-up of the next round in order."""
    team = _led(told)
    match = TeamMatch.objects.select_related("division").filter(pk=told.about["match"]).first()
    if team is None or match is None or not team.season.running:
        return None
    due = _due(team, match, told)
    if due is None:
        return None
    return News(
        league=team.season.league,
        subject=_("{round}: the line-up is due").format(round=round_name(match.division, match.round, match)),
        paragraphs=[due.text, _("Otherwise we use your last line-up, or your strongest players by rating.")],
        button=_("Set the line-up"),
        path=due.path,
    )


def team_mate(told: Told) -> News | None:
    """Somebody of the captain's team has withdrawn, or can't play."""
    team = _led(told)
    player = Player.objects.filter(pk=told.about["player"]).first()
    if team is None or player is None:
        return None
    season = team.season
    entry = season.entries.filter(player=player).first()
    member = team.members.filter(player=player, joined__isnull=False).first()
    if entry is not None and entry.state == EntryState.WITHDRAWN:
        subject = _("{player} has left your team").format(player=player)
        said = _("{player} has withdrawn and no longer plays for {team}.")
    elif member is not None and not member.available:
        subject = _("{player} can't play").format(player=player)
        said = _("{player} can't play the next rounds for {team}.")
    else:
        return None
    paragraphs = [said.format(player=player, team=team.name)]
    if season.running:
        paragraphs.append(
            _("Check whether your line-up still works, and whether a board needs a substitute.")
        )
    return News(
        league=season.league,
        subject=subject,
        paragraphs=paragraphs,
        button=_("To the line-up") if season.running else _("To the team"),
        path=line_up_url(team, season) if season.running else _url(team),
    )


def captain(told: Told) -> News | None:
    """The reader leads a team from now on."""
    team = _led(told)
    if team is None:
        return None
    said = _("You're the captain of {team} from now on: you set its line-ups and send substitutes.")
    return News(
        league=team.season.league,
        subject=_("you're the captain of {team}").format(team=team.name),
        paragraphs=[said.format(team=team.name)],
        button=_("To the team"),
        path=_url(team),
    )


def too_short(told: Told) -> News | None:
    """The reader's team had too few players when the season began."""
    team = _team(told.about["team"])
    if team is None or team.state != TeamState.SHORT:
        return None
    said = _("{season} has started without {team}: too few players had joined.")
    return News(
        league=team.season.league,
        subject=_("{team} isn't playing").format(team=team.name),
        paragraphs=[said.format(season=season_name(team.season), team=team.name)],
        button=_("To the league"),
        path=league_path(team.season),
    )


def _team(key: int) -> Team | None:
    return Team.objects.select_related("season__league", "captain").filter(pk=key).first()


def _led(told: Told) -> Team | None:
    """The team, if the reader still leads it and it still plays."""
    team = _team(told.about["team"])
    if team is None or team.captain_id != told.reader.pk or team.state == TeamState.WITHDRAWN:
        return None
    return None if team.season.phase in (Phase.CLOSED, Phase.CANCELLED) else team


def _due(team: Team, match: TeamMatch, told: Told) -> LineUpDue | None:
    """That the line-up is due; nothing where it is closed, or in order."""
    season = team.season
    closes = match.begins - rules_of(season).closes
    if told.now >= closes or team.line_ups.filter(match=match, chosen=True).exists():
        return None
    other = match.second if match.first_id == team.pk else match.first
    said = _("You're the captain: by {closes}, choose who plays for {team} on which board against {other}.")
    return LineUpDue(
        said.format(closes=moment(closes), team=team.name, other=other.name), line_up_url(team, season)
    )


def _url(team: Team) -> str:
    season = team.season
    return reverse("league:team", args=[season.league.slug, season.number, team.pk])
