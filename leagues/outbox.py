"""Queue of mails of leagues, written in the transaction of their cause (``leagues/notices`` composes them).

Notices with the same ``of`` are queued only once. *now* is the time of the cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from django.db.models import Q, QuerySet

from accounts.models import Player
from core.task_queue import queue_on_commit
from games import outbox as games_outbox
from games.clocks import DAY
from games.conduct.blocks import find_blocked_pairs
from games.models import Game, Kind
from games.outbox import drop_game_began, wants_mail
from leagues.models import (
    Announcement,
    Challenge,
    Division,
    Entry,
    EntryState,
    Fixture,
    League,
    LogEntry,
    Match,
    OrganiserRequest,
    Phase,
    Season,
    Team,
    TeamMatch,
    TeamMember,
)
from moderation.models import NameChange

BEFORE_LINE_UP_CLOSES = DAY
"""Time before a line-up closes at which a captain who has submitted none is reminded."""


class Topic(StrEnum):
    """Topic of a mail of a league."""

    OPEN = "open"  # registration opened for a season that the player is in by default
    PLACE = "place"  # a place has become free
    CALLED_OFF = "called-off"  # a season that begins later, or not at all
    BEGINS = "begins"
    ROUND = "round"  # a round is drawn
    ENDS = "ends"  # matches end soon
    EXTENDED = "extended"  # a season, a round or a match
    OVER = "over"  # a season is over, with the player's result
    ANNOUNCEMENT = "announcement"
    REPLACED = "replaced"
    ADMITTED = "admitted"
    SETTLED = "settled"  # a game, by an organiser
    TAKEN_OUT = "taken-out"  # of a season, by an organiser
    PENALTY = "penalty"  # points, by an organiser
    PROTEST = "protest"  # results can be protested before anything follows
    CHALLENGE = "challenge"
    CHALLENGE_OVER = "challenge-over"
    TEAM_INVITATION = "team-invitation"
    TEAM_DECLINED = "team-declined"
    LINE_UP = "line-up"
    LINE_UP_CLOSES = "line-up-closes"
    TEAM_MATE = "team-mate"  # a team mate left, or can't play
    CAPTAIN = "captain"
    TEAM_SHORT = "team-short"
    APPOINTED = "appointed"  # an organiser
    RULES = "rules"  # rules of coming seasons changed
    ASKED = "asked"  # the organisers, by a player
    ANSWERED = "answered"  # by an organiser
    DESK = "desk"
    RENAMED = "renamed"  # a team or a league, by a moderator


def tell(
    topic: Topic,
    players: Iterable[Player],
    *,
    of: str,
    now: datetime,
    due: datetime | None = None,
    **about: int | str,
) -> None:
    """Queue a mail about *topic* for each of *players* who want it, to be sent when it is *due*, or at
    once."""
    told = {"topic": topic.value, **about}
    owed = games_outbox.tell(players, Kind.LEAGUE, f"{topic}.{of}", now=now, due=due, about=told)
    if owed and due is None:
        queue_on_commit("games.tasks.deliver_notices")


# Seasons


def notify_registration_opened(season: Season, before: Season, *, now: datetime) -> None:
    """Tell the players of the season *before* that registration for *season* is open, and that they are
    registered."""
    there = before.entries.exclude(state=EntryState.WITHDRAWN).values("player")
    players = _players(season.entries.filter(state=EntryState.REGISTERED, player__in=there))
    tell(Topic.OPEN, players, of=f"{season.pk}", now=now, season=season.pk)


def notify_place_free(season: Season, player: Player, *, now: datetime) -> None:
    tell(Topic.PLACE, [player], of=_once(season.pk, now), now=now, season=season.pk)


def notify_called_off(season: Season, *, now: datetime, reason: str = "") -> None:
    """Tell registered and waiting players that *season* is postponed or cancelled."""
    registered = Q(entries__season=season, entries__state=EntryState.REGISTERED)
    waiting = Player.objects.filter(pk__in=season.waiting.values("player"))
    players = Player.objects.filter(registered) | waiting
    begins = season.begins.isoformat()
    tell(
        Topic.CALLED_OFF,
        players.distinct(),
        of=f"{season.pk}.{season.postponed}.{season.phase}",
        now=now,
        season=season.pk,
        begins=begins,
        reason=reason,
    )


def notify_season_began(season: Season, *, now: datetime) -> None:
    """Tell players that *season* has begun; the same mail tells captains of their first line-up."""
    players = _players(season.entries.filter(state=EntryState.PLAYING))
    tell(Topic.BEGINS, players, of=f"{season.pk}", now=now, season=season.pk)


def notify_round_drawn(division: Division, *, now: datetime) -> None:
    """Tell players their opponents, or bye, in the last round drawn of *division*."""
    meet = Q(pk__in=division.matches.filter(round=division.drawn).values("seats__player"))
    bye = Q(pk__in=division.byes.filter(round=division.drawn).values("player"))
    tell(
        Topic.ROUND,
        Player.objects.filter(meet | bye),
        of=f"{division.pk}.{division.drawn}",
        now=now,
        division=division.pk,
        round=division.drawn,
    )


def notify_protest_time(division: Division, ends: datetime) -> None:
    """Tell the players of the last round of *division* once that its results can be protested until it
    *ends*."""
    matches = division.matches.all()
    if division.sequential:
        matches = matches.filter(round=division.drawn)
    last = ends - division.season.settings.protest
    tell(
        Topic.PROTEST,
        Player.objects.filter(pk__in=matches.values("seats__player"), is_active=True),
        of=f"{division.pk}.{division.drawn}",
        now=last,
        division=division.pk,
        round=division.drawn,
    )


def mark_game_notified(match: Match, game: Game, players: list[Player], *, now: datetime) -> None:
    """Drop the mail that the first game of *match* begins, for players who were told their opponents by mail.

    Players of teams weren't, and after late registrations others were told wrong opponents, or none.
    """
    season = match.division.season
    late = season.entries.filter(player__in=players, registered__gt=season.begins)
    if season.settings.teams is None and (hasattr(match, "challenge") or not late.exists()):
        drop_game_began(game, [player for player in players if wants_mail(player, Kind.LEAGUE)], now=now)


def notify_end_soon(season: Season, matches: QuerySet[Match], ends: datetime, *, now: datetime) -> None:
    """Warn the players of undecided *matches* that these end soon."""
    playing = season.entries.filter(state=EntryState.PLAYING)
    players = _players(playing.filter(player__in=matches.values("seats__player")))
    end = ends.isoformat()
    tell(Topic.ENDS, players, of=f"{season.pk}.{end}", now=now, season=season.pk, ends=end)


def notify_extended(season: Season, told: Mapping[datetime, Iterable[Player]], log: LogEntry) -> None:
    """Tell players the new end of their games, with the *log* entry; each once, the nearest of their ends."""
    for ends, players in told.items():
        tell(
            Topic.EXTENDED,
            players,
            of=f"{log.pk}",
            now=log.at,
            season=season.pk,
            log=log.pk,
            ends=ends.isoformat(),
        )


def notify_season_over(season: Season, *, now: datetime) -> None:
    """Tell the players who played to the end their results, and whether they are in the next season."""
    players = _players(season.entries.filter(state=EntryState.PLAYING))
    tell(Topic.OVER, players, of=f"{season.pk}", now=now, season=season.pk)


def notify_announcement(announcement: Announcement) -> None:
    """Send an announcement to the players of the latest season and its waiting list."""
    tell(
        Topic.ANNOUNCEMENT,
        find_audience(announcement.league).exclude(pk=announcement.who_id),
        of=f"{announcement.pk}",
        now=announcement.at,
        announcement=announcement.pk,
    )


def notify_replaced(entry: Entry, *, now: datetime) -> None:
    """Tell the substitute of *entry* and the replaced player."""
    assert entry.replaces is not None
    tell(Topic.REPLACED, [entry.replaces.player], of=f"{entry.pk}", now=now, entry=entry.pk)
    notify_admitted(entry, now=now)


def notify_admitted(entry: Entry, *, now: datetime) -> None:
    """Tell the player of *entry* that an organiser has admitted them to a running season."""
    tell(Topic.ADMITTED, [entry.player], of=f"{entry.pk}", now=now, entry=entry.pk)


def notify_settled(fixture: Fixture, log: LogEntry) -> None:
    """Tell players how an organiser has settled *fixture*, with the *log* entry."""
    players = Player.objects.filter(pk__in=[seat["player"] for seat in fixture.seats or ()])
    players = players.exclude(pk=log.who_id or 0)
    tell(Topic.SETTLED, players, of=f"{log.pk}", now=log.at, fixture=fixture.pk, log=log.pk)


def notify_taken_out(season: Season, player: Player, log: LogEntry) -> None:
    """Tell *player* that an organiser has taken them out of *season*, with the *log* entry."""
    tell(Topic.TAKEN_OUT, [player], of=f"{log.pk}", now=log.at, season=season.pk, log=log.pk)


def notify_penalty(division: Division, players: Iterable[Player], log: LogEntry) -> None:
    """Tell *players* that an organiser has set their penalty points, or their team's, with the *log*
    entry."""
    tell(Topic.PENALTY, players, of=f"{log.pk}", now=log.at, division=division.pk, log=log.pk)


# Ladders


def notify_challenged(challenge: Challenge) -> None:
    tell(
        Topic.CHALLENGE,
        [challenge.challenged],
        of=f"{challenge.pk}",
        now=challenge.made,
        challenge=challenge.pk,
    )


def notify_challenge_ended(challenge: Challenge) -> None:
    """Tell both players the result."""
    assert challenge.ended is not None
    both = [challenge.challenger, challenge.challenged]
    tell(Topic.CHALLENGE_OVER, both, of=f"{challenge.pk}", now=challenge.ended, challenge=challenge.pk)


# Teams


def notify_invited(member: TeamMember, *, now: datetime) -> None:
    """Tell *member* of the invitation; after removals and new invitations once an hour at most."""
    of = f"{member.team_id}.{now:%Y%m%d%H}"
    tell(Topic.TEAM_INVITATION, [member.player], of=of, now=now, member=member.pk)


def notify_invitation_declined(member: TeamMember, *, now: datetime) -> None:
    """Tell the captain that *member* has declined."""
    captain = [member.team.captain]
    tell(
        Topic.TEAM_DECLINED, captain, of=_once(member.pk, now), now=now, member=member.pk, team=member.team_id
    )


def notify_line_ups_due(division: Division, *, now: datetime) -> None:
    """Ask captains and vice-captains for the line-ups of the next round."""
    matches = division.team_matches.filter(round=division.drawn + 1)
    leaders = [f"{side}__{leader}" for side in ("first", "second") for leader in ("captain", "vice_captain")]
    for match in matches.select_related("division__season", *leaders):
        for team in (match.first, match.second):
            if match.division.season.phase == Phase.RUNNING:  # else the mail about its beginning says so
                _about_line_up(Topic.LINE_UP, team, match, now=now)
            _remind_of_line_up(team, match, now)


def notify_captain(team: Team, *, now: datetime) -> None:
    """Tell the new captain of *team*, who takes over the reminder of the next line-up."""
    tell(Topic.CAPTAIN, [team.captain], of=_once(team.pk, now), now=now, team=team.pk)
    _remind_of_next_line_up(team, now)


def notify_vice_captain(team: Team, *, now: datetime) -> None:
    """Tell the new vice-captain of *team*, who is reminded of the next line-up, too."""
    if team.vice_captain is not None:
        tell(Topic.CAPTAIN, [team.vice_captain], of=_once(team.pk, now), now=now, team=team.pk)
        _remind_of_next_line_up(team, now)


def notify_team_mate_left(team: Team, player: Player, *, now: datetime) -> None:
    """Tell captain and vice-captain that *player* has withdrawn; once a day at most."""
    _about_team_mate(team, player, f"left.{now:%Y%m%d}", now)


def notify_team_mate_away(team: Team, player: Player, *, now: datetime) -> None:
    """Tell captain and vice-captain that *player* can't play for now; once a day at most."""
    _about_team_mate(team, player, f"away.{now:%Y%m%d}", now)


def notify_team_left_out(team: Team, *, now: datetime) -> None:
    """Tell the members of *team* that it had too few players when the season began."""
    members = team.members.filter(joined__isnull=False).select_related("player")
    tell(Topic.TEAM_SHORT, [one.player for one in members], of=f"{team.pk}", now=now, team=team.pk)


def notify_rules_changed(log: LogEntry) -> None:
    """Tell the players of the latest season and its waiting list which rules have changed, with the *log*
    entry."""
    assert log.who is not None
    players = find_audience(log.league).exclude(pk=log.who.pk)
    tell(Topic.RULES, players, of=f"{log.pk}", now=log.at, log=log.pk)


def find_audience(league: League) -> QuerySet[Player]:
    """Return the players of the latest season of *league* and its waiting list."""
    season = league.seasons.order_by("-number").first()
    if season is None:
        return Player.objects.none()
    there = season.entries.exclude(state=EntryState.WITHDRAWN).values("player")
    return Player.objects.filter(Q(pk__in=there) | Q(pk__in=season.waiting.values("player")))


# Organisers


def notify_appointed(player: Player, log: LogEntry) -> None:
    """Tell *player* that they organise a league from now on, with the *log* entry."""
    tell(Topic.APPOINTED, [player], of=f"{log.pk}", now=log.at, log=log.pk)


def notify_organisers(league: League, *, now: datetime) -> None:
    """Tell the organisers that their desk has new matters."""
    organisers = league.organisers.filter(is_active=True)
    tell(Topic.DESK, organisers, of=_once(league.pk, now), now=now, league=league.pk)


def notify_asked(request: OrganiserRequest) -> None:
    """Tell the organisers of *request*, except those kept apart from its player by a block."""
    organisers = list(request.league.organisers.filter(is_active=True).exclude(pk=request.player_id))
    apart = find_blocked_pairs([request.player_id, *(one.pk for one in organisers)])
    free = [one for one in organisers if frozenset((one.pk, request.player_id)) not in apart]
    tell(Topic.ASKED, free, of=f"{request.pk}", now=request.asked, request=request.pk)


def notify_answered(request: OrganiserRequest) -> None:
    assert request.answered is not None
    tell(Topic.ANSWERED, [request.player], of=f"{request.pk}", now=request.answered, request=request.pk)


# Moderators


def notify_renamed(
    league: League, players: Iterable[Player], change: NameChange, *, now: datetime, team: int | None = None
) -> None:
    """Tell *players* that a moderator has given *league*, or one of its teams, another name."""
    tell(
        Topic.RENAMED,
        players,
        of=f"{change.pk}",
        now=now,
        league=league.pk,
        change=change.pk,
        team=team or 0,
    )


def _players(entries: Iterable[Entry]) -> list[Player]:
    keys = [entry.player_id for entry in entries]
    return list(Player.objects.filter(pk__in=keys, is_active=True))


def _once(key: int, now: datetime) -> str:
    """A key for events that can recur for a row, but not in the same second."""
    return f"{key}.{int(now.timestamp())}"


def _remind_of_next_line_up(team: Team, now: datetime) -> None:
    matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=now)
    for match in matches.select_related("division__season").order_by("begins")[:1]:
        _remind_of_line_up(team, match, now)


def _remind_of_line_up(team: Team, match: TeamMatch, now: datetime) -> None:
    rules = match.division.season.settings.teams
    assert rules is not None
    due = match.begins - rules.closes - BEFORE_LINE_UP_CLOSES
    if due > now:
        _about_line_up(Topic.LINE_UP_CLOSES, team, match, now=now, due=due)


def _about_line_up(
    topic: Topic, team: Team, match: TeamMatch, *, now: datetime, due: datetime | None = None
) -> None:
    tell(
        topic,
        team.leaders,
        of=f"{team.pk}.{match.pk}",
        now=now,
        due=due,
        team=team.pk,
        match=match.pk,
    )


def _about_team_mate(team: Team, player: Player, what: str, now: datetime) -> None:
    tell(
        Topic.TEAM_MATE,
        [leader for leader in team.leaders if leader != player],
        of=f"{team.pk}.{player.pk}.{what}",
        now=now,
        team=team.pk,
        player=player.pk,
    )
