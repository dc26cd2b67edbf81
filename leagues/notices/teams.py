"""Mails to captains and players of teams."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.words.times import format_when
from leagues.models import EntryState, Phase, Season, Team, TeamMatch, TeamMember, TeamState
from leagues.notices.news import LeagueMail, NoticeContext, build_league_path
from leagues.pages import team_invitation
from leagues.pages.league import format_season_name
from leagues.pages.names import format_round_name
from leagues.pages.team import build_line_up_url, get_team_rules
from leagues.words import settings_text, teams


class LineUpDue(NamedTuple):
    """Reminder of a line-up for captain and vice-captain, with its path."""

    text: str
    path: str


def find_first_line_up(season: Season, told: NoticeContext) -> LineUpDue | None:
    """Return the line-up due before the first round of *season*, if the reader leads a team."""
    led = Q(captain=told.reader) | Q(vice_captain=told.reader)
    team = season.teams.filter(led, state=TeamState.PLAYING).first()
    if season.settings.teams is None or team is None:
        return None
    match = TeamMatch.objects.filter(Q(first=team) | Q(second=team)).order_by("begins").first()
    return _due(team, match, told) if match is not None else None


def compose_invitation(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that a team has invited them."""
    member = (
        TeamMember.objects.select_related("inviter", "team__captain")
        .filter(pk=told.about["member"], joined=None, declined=None)
        .first()
    )
    if member is None:
        return None
    team = _team(member.team_id)
    if team is None or team.season.phase != Phase.REGISTRATION:
        return None
    season = team.season
    said = _("{player} invites you to play for the team {team} in {season} of {league}.")
    return LeagueMail(
        league=season.league,
        subject=_("{player} invites you to the team {team}").format(player=member.asked_by, team=team.name),
        paragraphs=[
            said.format(
                player=member.asked_by,
                team=team.name,
                season=format_season_name(season),
                league=season.league.name,
            )
        ],
        facts=[
            (_("Begins"), format_when(season.begins)),
            *teams.list_facts(get_team_rules(season), season.settings.schedule),
            (_("Time"), settings_text.describe_time(season.settings)),
        ],
        button=_("Accept or decline"),
        path=team_invitation.build_url(team, season),
        why=_("You're getting this mail because {player} entered your name.").format(player=member.asked_by),
    )


def compose_declined_invitation(told: NoticeContext) -> LeagueMail | None:
    """Tell the captain that a player has declined the invitation."""
    team = _find_led_team(told)
    member = TeamMember.objects.filter(pk=told.about["member"]).select_related("player").first()
    if team is None or member is None or member.declined is None or team.season.running:
        return None
    return LeagueMail(
        league=team.season.league,
        subject=_("{player} declines your invitation").format(player=member.player),
        paragraphs=[_("{player} won't play for {team}.").format(player=member.player, team=team.name)],
        button=_("Open the team and invite others"),
        path=_url(team),
    )


def compose_line_up_reminder(told: NoticeContext) -> LeagueMail | None:
    """Remind captain and vice-captain to set the line-up of the next round."""
    team = _find_led_team(told)
    match = TeamMatch.objects.select_related("division").filter(pk=told.about["match"]).first()
    if team is None or match is None or not team.season.running:
        return None
    due = _due(team, match, told)
    if due is None:
        return None
    return LeagueMail(
        league=team.season.league,
        subject=_("{round}: the line-up is due").format(
            round=format_round_name(match.division, match.round, match)
        ),
        paragraphs=[due.text, _("Otherwise we use your last line-up, or your strongest players by rating.")],
        button=_("Set the line-up"),
        path=due.path,
    )


def compose_absence(told: NoticeContext) -> LeagueMail | None:
    """Tell captain and vice-captain that a player of their team has withdrawn, or can't play."""
    team = _find_led_team(told)
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
    return LeagueMail(
        league=season.league,
        subject=subject,
        paragraphs=paragraphs,
        button=_("To the line-up") if season.running else _("To the team"),
        path=build_line_up_url(team, season) if season.running else _url(team),
    )


def compose_captaincy(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that they are now captain or vice-captain."""
    team = _find_led_team(told)
    if team is None:
        return None
    subject = _("you're the captain of {team}")
    said = _("You're the captain of {team} from now on: you set its line-ups and send substitutes.")
    if team.captain_id != told.reader.pk:
        subject = _("you're the vice-captain of {team}")
        said = _(
            "You're the vice-captain of {team} from now on: you can set its line-ups and send substitutes, "
            "as the captain does."
        )
    return LeagueMail(
        league=team.season.league,
        subject=subject.format(team=team.name),
        paragraphs=[said.format(team=team.name)],
        button=_("To the team"),
        path=_url(team),
    )


def compose_exclusion(told: NoticeContext) -> LeagueMail | None:
    """Tell the reader that their team was left out, as it had too few players."""
    team = _team(told.about["team"])
    if team is None or team.state != TeamState.SHORT:
        return None
    said = _("{season} has started without {team}: too few players had joined.")
    return LeagueMail(
        league=team.season.league,
        subject=_("{team} isn't playing").format(team=team.name),
        paragraphs=[said.format(season=format_season_name(team.season), team=team.name)],
        button=_("To the league"),
        path=build_league_path(team.season),
    )


def _team(key: int) -> Team | None:
    return Team.objects.select_related("season__league", "captain").filter(pk=key).first()


def _find_led_team(told: NoticeContext) -> Team | None:
    """The team, if the reader still leads it and it still plays."""
    team = _team(told.about["team"])
    if team is None or not team.is_led_by(told.reader.pk) or team.state == TeamState.WITHDRAWN:
        return None
    return None if team.season.phase in (Phase.CLOSED, Phase.CANCELLED) else team


def _due(team: Team, match: TeamMatch, told: NoticeContext) -> LineUpDue | None:
    """The reminder; None if the line-up is closed, or set."""
    season = team.season
    closes = match.begins - get_team_rules(season).closes
    if told.now >= closes or team.line_ups.filter(match=match, chosen=True).exists():
        return None
    other = match.opponent_of(team)
    said = _("By {closes}, choose who plays for {team} on which board against {other}.")
    return LineUpDue(
        said.format(closes=format_when(closes), team=team.name, other=other.name),
        build_line_up_url(team, season),
    )


def _url(team: Team) -> str:
    season = team.season
    return reverse("league:team", args=[season.league.slug, season.number, team.pk])
