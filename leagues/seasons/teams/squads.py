"""Founding of teams, membership and captains. Each function makes one whole change.

A vice-captain may do what the *captain* may, except choosing who leads the team and withdrawing all of it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from accounts import names
from accounts.models import Player
from games.conduct import blocks, contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.teams import Captaincy, TeamDeclined, TeamInvitation, TeamMateAway
from leagues.models import Entry, EntryState, Phase, Season, Team, TeamMember, TeamState, find_long_suspended
from leagues.models.team import make_token
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.admission import must_not_be_suspended
from leagues.seasons.founding import clean_name, write_log_entry
from leagues.seasons.locks import lock_season


def require_team_rules(season: Season) -> TeamRules:
    """Return the rules for teams of *season*.

    :raises LeagueRefused: everybody plays alone there
    """
    rules = season.settings.teams
    if rules is None:
        raise LeagueRefused("no_teams")
    return rules


def clean_team_name(season: Season, name: str, *, but: Team | None = None) -> str:
    """Return *name* in its normal form as that of a team of *season*; *but* is the team that may have it
    already.

    :raises LeagueRefused: the name is invalid, or another team's name is the same or looks like it
    """
    name = clean_name("team", name)
    alike = season.teams.filter(
        Q(name_key=names.build_key(name)) | Q(name_looks=names.build_lookalike_key(name))
    )
    if alike.exclude(pk=but.pk if but else 0).exists():
        raise LeagueRefused("team_name_taken")
    return name


@transaction.atomic
def found_team(*, season_id: int, captain: Player, name: str, now: datetime) -> Team:
    """Create a team with *captain* as its first player.

    :raises LeagueRefused: registration is closed, *captain* plays in another team or is a program, or there
        is a team whose name is, or looks like, this one
    """
    season = _open_season(season_id)
    name = clean_team_name(season, name)
    _may_enter(season, captain, now)
    team = Team.objects.create(season=season, name=name, captain=captain, registered=now)
    _enter(team, captain, now)
    write_log_entry(season.league, "team_found", who=captain, season=season, now=now, team=name)
    return team


@transaction.atomic
def invite(*, team_id: int, captain: Player, name: str, now: datetime) -> TeamMember:
    """Invite the player called *name* to the team. Idempotent.

    :raises LeagueRefused: not the captain, registration is closed, nobody has this name, or the two are kept
        apart
    :raises TooMany: the captain, or somebody for the team, has invited too many or too often, or *name* has
        declined lately
    """
    player = (
        Player.objects.called(name.strip()).filter(is_active=True, is_bot=False, provisional=False).first()
    )
    lock_players(captain, *([player] if player is not None else []))
    team = _captains_team(team_id, captain)
    if player is None:
        raise LeagueRefused("unknown_player", name=name[:60])
    if blocks.are_kept_apart(captain.pk, [player.pk]):
        raise LeagueRefused("may_not_invite")
    member = team.members.filter(player=player).first()
    if member is not None and member.declined is None:
        return member
    group = limits.format_team_group(team.pk)
    contacts.record_contacts(limits.INVITE_TO_TEAM, captain, [player], now=now, group=group)
    asked = {"season": team.season, "invited": now, "inviter": captain, "declined": None}
    member, _ = TeamMember.objects.update_or_create(team=team, player=player, defaults=asked)
    TeamInvitation.tell(member, now=now)
    return member


@transaction.atomic
def join_team(*, team_id: int, player: Player, now: datetime, token: str = "") -> Team:
    """Let *player* join the team, by invitation or by the *token* of its link. Idempotent.

    :raises LeagueRefused: neither, the team is full, *player* has another team or is a program, or
        registration is closed
    """
    team = _open_team(team_id)
    member = team.members.filter(player=player).first()
    if member is not None and member.joined is not None:
        return team
    if member is None and (not token or token != team.token):
        raise LeagueRefused("not_invited")
    _may_enter(team.season, player, now)
    if team.members.filter(joined__isnull=False).count() >= require_team_rules(team.season).most:
        raise LeagueRefused("team_full")
    _enter(team, player, now)
    write_log_entry(team.season.league, "team_join", who=player, season=team.season, now=now, team=team.name)
    return team


@transaction.atomic
def decline(*, team_id: int, player: Player, now: datetime) -> None:
    """Decline the invitation of a team to *player*. Idempotent."""
    asked = TeamMember.objects.filter(team=team_id, player=player, joined=None, declined=None)
    for member in asked.select_related("inviter", "team__captain"):
        member.declined = now
        member.save(update_fields=["declined"])
        group = limits.format_team_group(team_id)
        contacts.note_declined(member.asked_by, player, now=now, group=group)
        TeamDeclined.tell(member, now=now)


@transaction.atomic
def remove(*, team_id: int, captain: Player, player: Player, now: datetime) -> None:
    """Remove *player* from the team, or withdraw the invitation. Idempotent.

    :raises LeagueRefused: not the captain, it is the captain, or registration is closed
    """
    team = _captains_team(team_id, captain)
    if player.pk == team.captain_id:
        raise LeagueRefused("captain_stays")
    member = team.members.filter(player=player).first()
    if member is None:
        return
    if member.joined is not None:
        Entry.objects.filter(season=team.season, player=player).update(
            state=EntryState.WITHDRAWN, withdrew=now, stays=False
        )
        write_log_entry(
            team.season.league,
            "team_remove",
            who=captain,
            season=team.season,
            now=now,
            team=team.name,
            player=player.pk,
        )
        _dismiss_vice_captain(team, player)
    member.delete()


@transaction.atomic
def hand_over(*, team_id: int, captain: Player, player: Player, now: datetime) -> None:
    """Make *player* of the same team its captain.

    :raises LeagueRefused: not the captain, *player* is not in the team, or the season is over
    """
    lock_players(captain, player)
    team = _captains_team(team_id, captain, registration=False, alone=True)
    if player not in load_squad(team):
        raise LeagueRefused("not_member")
    contacts.record_contacts(
        limits.HAND_OVER, captain, [player], now=now, group=limits.format_team_group(team.pk)
    )
    _dismiss_vice_captain(team, player)
    team.captain = player
    team.save(update_fields=["captain"])
    Captaincy.tell(team, player, now=now)
    write_log_entry(team.season.league, "captain", who=captain, season=team.season, now=now, team=team.name)


@transaction.atomic
def name_vice_captain(*, team_id: int, captain: Player, player: Player | None, now: datetime) -> None:
    """Make *player* of the same team its vice-captain; None removes it. Idempotent.

    :raises LeagueRefused: not the captain, it is the captain or not in the team, or the season is over
    :raises TooMany: the captain has named many today
    """
    lock_players(captain, *([player] if player is not None else []))
    team = _captains_team(team_id, captain, registration=False, alone=True)
    if player is not None and (player == captain or player not in load_squad(team)):
        raise LeagueRefused("not_member")
    if team.vice_captain == player:
        return
    if player is not None:
        group = limits.format_team_group(team.pk)
        contacts.record_contacts(limits.HAND_OVER, captain, [player], now=now, group=group)
    team.vice_captain = player
    team.save(update_fields=["vice_captain"])
    if player is not None:
        Captaincy.tell(team, player, now=now)
    act = "vice_captain" if player is not None else "no_vice_captain"
    write_log_entry(team.season.league, act, who=captain, season=team.season, now=now, team=team.name)


def _dismiss_vice_captain(team: Team, player: Player) -> None:
    """Remove *player* as vice-captain, if they are."""
    if team.vice_captain_id == player.pk:
        team.vice_captain = None
        team.save(update_fields=["vice_captain"])


@transaction.atomic
def renew_link(*, team_id: int, captain: Player) -> None:
    """Replace the token of the link to join; the old link stops working.

    :raises LeagueRefused: not the captain, or registration is closed
    """
    team = _captains_team(team_id, captain)
    team.token = make_token()
    team.save(update_fields=["token"])


@transaction.atomic
def set_available(*, team_id: int, player: Player, available: bool, now: datetime) -> None:
    """Set whether *player* can play in the next rounds.

    :raises LeagueRefused: not in the team
    """
    joined = TeamMember.objects.filter(team=team_id, player=player, joined__isnull=False)
    member = joined.select_related("team__captain").first()
    if member is None:
        raise LeagueRefused("not_member")
    joined.update(available=available)
    if member.available and not available and member.team.captain_id != player.pk:
        TeamMateAway.tell(member.team, player, "away", now=now)


def load_squad(team: Team) -> list[Player]:
    """Return the players of *team* who have not withdrawn, in the order in which they joined."""
    members = team.members.filter(joined__isnull=False, player__is_active=True).select_related("player")
    gone = set(
        Entry.objects.filter(season=team.season_id, state=EntryState.WITHDRAWN).values_list(
            "player", flat=True
        )
    )
    return [member.player for member in members.order_by("joined", "pk") if member.player_id not in gone]


def load_squad_by_rating(team: Team) -> list[Entry]:
    """Load the entries of players of *team* who have not withdrawn, the strongest first."""
    entries = Entry.objects.filter(
        season=team.season_id,
        player__is_active=True,
        player__teams__team=team,
        player__teams__joined__isnull=False,
    )
    return list(
        entries.exclude(state=EntryState.WITHDRAWN)
        .select_related("player")
        .order_by(F("rating").desc(), "registered", "pk")
    )


def list_successors(team: Team, now: datetime) -> list[Player]:
    """Return who can follow the captain of *team*: the vice-captain, then the others by the order of the
    line-up. Nobody who has withdrawn or is suspended for long."""
    able = [player for player in load_squad(team) if player.pk != team.captain_id]
    away = set(find_long_suspended(now))
    order = [entry.player_id for entry in load_squad_by_rating(team)]
    able.sort(key=lambda player: (player.pk != team.vice_captain_id, order.index(player.pk)))
    return [player for player in able if player not in away]


def choose_successor(season: Season, captain: Player, following: Player, now: datetime) -> None:
    """Let *following* be the next captain of the team that *captain*, who withdraws, leads in *season*."""
    team = season.teams.filter(captain=captain).first()
    if team is not None and following in list_successors(team, now):
        team.vice_captain = following
        team.save(update_fields=["vice_captain"])


def pass_captaincy_on(team: Team, now: datetime) -> bool:
    """Make the first of the successors captain of *team*. Return whether there is one."""
    following = next(iter(list_successors(team, now)), None)
    if following is None:
        return False
    team.captain = following
    if team.vice_captain_id == following.pk:
        team.vice_captain = None
    team.save(update_fields=["captain", "vice_captain"])
    Captaincy.tell(team, following, now=now)
    write_log_entry(
        team.season.league, "succeed", season=team.season, now=now, team=team.name, player=following.pk
    )
    return True


def drop_member(season: Season, player: Player, now: datetime) -> None:
    """Update the team of *player*, who has withdrawn from *season*, which is locked.

    A captain is succeeded by the vice-captain, or by the order of the line-up; a team without players is
    deleted, or has withdrawn from a running season.
    """
    member = TeamMember.objects.filter(season=season, player=player, joined__isnull=False).first()
    if member is None:
        return
    team = member.team
    if season.phase == Phase.REGISTRATION:
        member.delete()
    there = load_squad(team)
    if not there and season.phase == Phase.REGISTRATION:
        team.delete()
    elif not there:
        team.state, team.vice_captain = TeamState.WITHDRAWN, None
        team.save(update_fields=["state", "vice_captain"])
    elif team.captain_id == player.pk:
        pass_captaincy_on(team, now)
    else:
        _dismiss_vice_captain(team, player)
        TeamMateAway.tell(team, player, "left", now=now)


def _open_season(season_id: int) -> Season:
    season = lock_season(season_id)
    require_team_rules(season)
    if season.phase != Phase.REGISTRATION:
        raise LeagueRefused("not_open")
    return season


def _open_team(team_id: int) -> Team:
    """The team, read after its season was locked; only while registration is open."""
    season = Team.objects.filter(pk=team_id).values_list("season", flat=True).first()
    if season is None:
        raise LeagueRefused("not_invited")
    _open_season(season)
    team = Team.objects.select_related("season__league").filter(pk=team_id).first()
    if team is None:  # the last player left it meanwhile
        raise LeagueRefused("not_invited")
    return team


def _captains_team(team_id: int, captain: Player, *, registration: bool = True, alone: bool = False) -> Team:
    """The team that *captain* leads, read after its season was locked; with *alone*, vice-captains are
    refused."""
    season = lock_season(Team.objects.values_list("season", flat=True).get(pk=team_id))
    if registration and season.phase != Phase.REGISTRATION:
        raise LeagueRefused("not_open")
    if season.phase in (Phase.CLOSED, Phase.CANCELLED):
        raise LeagueRefused("over")
    team = Team.objects.select_related("season__league").get(pk=team_id)
    if not team.is_led_by(captain.pk) or (alone and team.captain_id != captain.pk):
        raise LeagueRefused("not_captain")
    return team


def _may_enter(season: Season, player: Player, now: datetime) -> None:
    if player.is_bot:
        raise LeagueRefused("bot")
    must_not_be_suspended(player, now)
    if TeamMember.objects.filter(season=season, player=player, joined__isnull=False).exists():
        raise LeagueRefused("in_team")


def _enter(team: Team, player: Player, now: datetime) -> None:
    TeamMember.objects.update_or_create(
        team=team, player=player, defaults={"season": team.season, "joined": now, "declined": None}
    )
    Entry.objects.update_or_create(
        season=team.season,
        player=player,
        defaults={"registered": now, "state": EntryState.REGISTERED, "withdrew": None, "stays": True},
    )
