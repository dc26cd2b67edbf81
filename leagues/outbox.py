"""What leagues owe by mail: notices, written in the transaction of their cause (``leagues/notices`` says what
they tell, and whether they still matter).

Whose ``of`` is the same is told once, however often the cause is found. *now* is when it happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from django.db.models import Q

from accounts.models import Player
from carcassonne.celery import on_commit
from games.clocks import DAY
from games.models import Channel, Game, Kind, NameChange, Notice
from games.outbox import reachable, told_elsewhere, wants
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
    Phase,
    Season,
    Team,
    TeamMatch,
    TeamMember,
)

BEFORE_LINE_UP_CLOSES = DAY
"""So long before its line-up closes a captain who has given none is reminded."""


class Topic(StrEnum):
    """What a mail of a league is about."""

    OPEN = "open"  # registration for a season in which one is by default
    PLACE = "place"  # has come free
    CALLED_OFF = "called-off"  # a season that begins later, or not at all
    BEGINS = "begins"
    ROUND = "round"  # is drawn
    ENDS = "ends"  # soon
    OVER = "over"  # a season, with what one has reached
    ANNOUNCEMENT = "announcement"
    REPLACED = "replaced"
    ADMITTED = "admitted"
    SETTLED = "settled"  # a game, by an organiser
    CHALLENGE = "challenge"
    CHALLENGE_OVER = "challenge-over"
    TEAM_INVITATION = "team-invitation"
    TEAM_DECLINED = "team-declined"
    LINE_UP = "line-up"
    LINE_UP_CLOSES = "line-up-closes"
    TEAM_MATE = "team-mate"  # has left, or can't play
    CAPTAIN = "captain"
    TEAM_SHORT = "team-short"
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
    """Owe each of *players* who want it a mail about *topic*, to be sent when it is *due*, or at once."""
    at = due or now
    owed = [
        Notice(
            key=f"league.{topic}.{of}.{player.pk}",
            kind=Kind.LEAGUE,
            channel=Channel.EMAIL,
            about={"topic": topic.value, **about},
            recipient=player,
            created=now,
            due=at,
            next_try=at,
        )
        for player in reachable(players, Kind.LEAGUE)
    ]
    if owed:
        Notice.objects.bulk_create(owed, ignore_conflicts=True)  # who is told already
        if due is None:
            on_commit("games.tasks.deliver_notices")


# Seasons


def opened_again(season: Season, before: Season, *, now: datetime) -> None:
    """Registration for *season* is open, and whoever plays in the one *before* is in it."""
    there = before.entries.exclude(state=EntryState.WITHDRAWN).values("player")
    players = _players(season.entries.filter(state=EntryState.REGISTERED, player__in=there))
    tell(Topic.OPEN, players, of=f"{season.pk}", now=now, season=season.pk)


def place_came_free(season: Season, player: Player, *, now: datetime) -> None:
    tell(Topic.PLACE, [player], of=_once(season.pk, now), now=now, season=season.pk)


def called_off(season: Season, *, now: datetime, reason: str = "") -> None:
    """*season* begins later than it was said, or not at all."""
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


def season_began(season: Season, *, now: datetime) -> None:
    """*season* is drawn; captains learn of their first line-up by the same mail."""
    players = _players(season.entries.filter(state=EntryState.PLAYING))
    tell(Topic.BEGINS, players, of=f"{season.pk}", now=now, season=season.pk)


def round_drawn(division: Division, *, now: datetime) -> None:
    """The last round that is drawn of *division* tells who meets whom."""
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


def game_began(match: Match, game: Game, players: list[Player], *, now: datetime) -> None:
    """The first game of *match*: whoever has been told by mail whom they meet needs no mail that it begins.

    Of teams nobody was, and where somebody came later the others were told of somebody else, or of nobody.
    """
    season = match.division.season
    late = season.entries.filter(player__in=players, registered__gt=season.begins)
    if season.settings.teams is None and (hasattr(match, "challenge") or not late.exists()):
        told_elsewhere(game, [player for player in players if wants(player, Kind.LEAGUE)], now=now)


def season_ends_soon(season: Season, *, now: datetime) -> None:
    """Whoever has matches that are not decided is warned."""
    playing = season.entries.filter(state=EntryState.PLAYING)
    unfinished = Match.objects.filter(division__season=season, decided=None)
    players = _players(playing.filter(player__in=unfinished.values("seats__player")))
    ends = season.ends.isoformat()
    tell(Topic.ENDS, players, of=f"{season.pk}.{ends}", now=now, season=season.pk, ends=ends)


def season_over(season: Season, *, now: datetime) -> None:
    """Everybody who played to the end learns what they have reached, and whether they are in the next."""
    players = _players(season.entries.filter(state=EntryState.PLAYING))
    tell(Topic.OVER, players, of=f"{season.pk}", now=now, season=season.pk)


def announced(announcement: Announcement) -> None:
    """Whoever plays in the latest season, or waits for a place, is told what an organiser says."""
    season = announcement.league.seasons.order_by("-number").first()
    if season is None:
        return
    there = season.entries.exclude(state=EntryState.WITHDRAWN).values("player")
    players = Player.objects.filter(Q(pk__in=there) | Q(pk__in=season.waiting.values("player")))
    tell(
        Topic.ANNOUNCEMENT,
        players.exclude(pk=announcement.who_id),
        of=f"{announcement.pk}",
        now=announcement.at,
        announcement=announcement.pk,
    )


def replaced(entry: Entry, *, now: datetime) -> None:
    """The player of *entry* plays on for somebody; both are told."""
    assert entry.replaces is not None
    tell(Topic.REPLACED, [entry.replaces.player], of=f"{entry.pk}", now=now, entry=entry.pk)
    admitted(entry, now=now)


def admitted(entry: Entry, *, now: datetime) -> None:
    """An organiser has let the player of *entry* into a season that runs."""
    tell(Topic.ADMITTED, [entry.player], of=f"{entry.pk}", now=now, entry=entry.pk)


def settled(fixture: Fixture, log: LogEntry) -> None:
    """An organiser has said how *fixture* counts, as *log* tells; nobody settles own games."""
    players = Player.objects.filter(pk__in=[seat["player"] for seat in fixture.seats or ()])
    tell(Topic.SETTLED, players, of=f"{log.pk}", now=log.at, fixture=fixture.pk, log=log.pk)


# Ladders


def challenged(challenge: Challenge) -> None:
    tell(
        Topic.CHALLENGE,
        [challenge.challenged],
        of=f"{challenge.pk}",
        now=challenge.made,
        challenge=challenge.pk,
    )


def challenge_ended(challenge: Challenge) -> None:
    """Both are told who stands where."""
    assert challenge.ended is not None
    both = [challenge.challenger, challenge.challenged]
    tell(Topic.CHALLENGE_OVER, both, of=f"{challenge.pk}", now=challenge.ended, challenge=challenge.pk)


# Teams


def invited(member: TeamMember, *, now: datetime) -> None:
    """*member* is asked to join; whoever is asked, removed and asked again is told once an hour."""
    of = f"{member.team_id}.{now:%Y%m%d%H}"
    tell(Topic.TEAM_INVITATION, [member.player], of=of, now=now, member=member.pk)


def invitation_declined(member: TeamMember, *, now: datetime) -> None:
    """The captain learns that *member*, who was invited, does not play."""
    captain = [member.team.captain]
    tell(
        Topic.TEAM_DECLINED, captain, of=_once(member.pk, now), now=now, member=member.pk, team=member.team_id
    )


def line_ups_due(division: Division, *, now: datetime) -> None:
    """Captains are to put the line-ups of the round in order that comes next."""
    matches = division.team_matches.filter(round=division.drawn + 1)
    for match in matches.select_related("division__season", "first__captain", "second__captain"):
        for team in (match.first, match.second):
            if match.division.season.phase == Phase.RUNNING:  # else the mail tells that the season begins
                _about_line_up(Topic.LINE_UP, team, match, now=now)
            _remind_of_line_up(team, match, now)


def captain_named(team: Team, *, now: datetime) -> None:
    """*team* has another captain, who is reminded of what the last one was."""
    tell(Topic.CAPTAIN, [team.captain], of=_once(team.pk, now), now=now, team=team.pk)
    matches = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=now)
    for match in matches.select_related("division__season").order_by("begins")[:1]:
        _remind_of_line_up(team, match, now)


def team_mate_left(team: Team, player: Player, *, now: datetime) -> None:
    """*player* of *team* has withdrawn; whoever comes back and leaves again is told of once a day."""
    _about_team_mate(team, player, f"left.{now:%Y%m%d}", now)


def team_mate_away(team: Team, player: Player, *, now: datetime) -> None:
    """*player* of *team* can't play for now; whoever says so again and again is told of once a day."""
    _about_team_mate(team, player, f"away.{now:%Y%m%d}", now)


def team_left_out(team: Team, *, now: datetime) -> None:
    """*team* had too few players when the season began."""
    members = team.members.filter(joined__isnull=False).select_related("player")
    tell(Topic.TEAM_SHORT, [one.player for one in members], of=f"{team.pk}", now=now, team=team.pk)


# Organisers


def on_the_desk(league: League, *, now: datetime) -> None:
    """Something new needs an organiser."""
    organisers = league.organisers.filter(is_active=True)
    tell(Topic.DESK, organisers, of=_once(league.pk, now), now=now, league=league.pk)


# Moderators


def renamed(
    league: League, players: Iterable[Player], change: NameChange, *, now: datetime, team: int | None = None
) -> None:
    """A moderator has given *league*, or one of its teams, another name."""
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
    """What may happen to the same row again, but not at the same time."""
    return f"{key}.{int(now.timestamp())}"


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
        [team.captain],
        of=f"{team.pk}.{match.pk}",
        now=now,
        due=due,
        team=team.pk,
        match=match.pk,
    )


def _about_team_mate(team: Team, player: Player, what: str, now: datetime) -> None:
    tell(
        Topic.TEAM_MATE,
        [team.captain],
        of=f"{team.pk}.{player.pk}.{what}",
        now=now,
        team=team.pk,
        player=player.pk,
    )
