"""What organisers do with a league and its seasons. Everything has a reason, and stands in the log."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Player
from games import play
from games.conduct import contacts
from games.models import Status
from games.play.locks import lock_players
from leagues import limits, outbox
from leagues.exceptions import LeagueRefused
from leagues.models import Announcement, Entry, EntryState, Fixture, League, Phase, Season
from leagues.seasons.closing import open_following
from leagues.seasons.founding import checked_name, checked_text, must_be_free, note, open_season
from leagues.seasons.locks import locked_league, locked_season
from leagues.seasons.organisers import checked
from leagues.seasons.waiting import hand_down
from leagues.settings import LONGEST_SEASON, LeagueSettings

ALIVE = (Phase.REGISTRATION, Phase.RUNNING)


@transaction.atomic
def extend(*, season_id: int, ends: datetime, who: Player, reason: str, now: datetime) -> None:
    """Let a season end later, at *ends*, and with it the games that are played (CLOCK-14).

    :raises LeagueRefused: *who* may not, it is over, or that is not later
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    season = locked_season(season_id)
    why = checked(season.league, who, reason)
    if season.phase not in ALIVE:
        raise LeagueRefused("over")
    if ends <= season.ends:
        raise LeagueRefused("not_later")
    if ends > season.begins + LONGEST_SEASON:
        raise LeagueRefused("too_long")
    _count_for_all(limits.CHANGE_SEASON, season.league, who, now)
    before, season.ends, season.warned = season.ends, ends, None
    season.save(update_fields=["ends", "warned"])
    games = running_games(season)
    for game in games:
        play.extend(game_id=game, ends=ends, now=now)
    told = {"before": before.isoformat(), "after": ends.isoformat()}
    note(season.league, "extend", who=who, season=season, now=now, reason=why, games=len(games), **told)


def running_games(season: Season) -> list[int]:
    """The games of *season* that are played, by primary key and in its order."""
    games = Fixture.objects.filter(match__division__season=season, game__status=Status.PLAYING)
    return list(games.order_by("game").values_list("game", flat=True))


@transaction.atomic
def announce(*, league: League, text: str, who: Player, now: datetime) -> Announcement:
    """Tell everybody who looks at *league* something. What was said before stays in the archive.

    :raises LeagueRefused: *who* may not, or says nothing, or too much
    :raises TooMany: something was announced a few hours ago, or *who* has announced much today
    """
    lock_players(who)
    league = locked_league(league.pk)
    text = checked_text("announcement", text)
    checked(league, who, text)
    _count_for_all(limits.ANNOUNCE, league, who, now)
    note(league, "announce", who=who, now=now)
    announcement = Announcement.objects.create(league=league, who=who, at=now, text=text)
    outbox.announced(announcement)
    return announcement


@transaction.atomic
def name_organiser(*, league: League, player: Player, who: Player, reason: str, now: datetime) -> None:
    """Let *player* organise *league*, too.

    :raises LeagueRefused: *who* may not, or *player* does, or can't
    """
    league = locked_league(league.pk)
    why = checked(league, who, reason)
    if player.is_bot or not player.is_active:
        raise LeagueRefused("no_player")
    if league.organisers.filter(pk=player.pk).exists():
        raise LeagueRefused("organiser_already", player=player)
    league.organisers.add(player)
    note(league, "name_organiser", who=who, now=now, reason=why, player=player.pk)


@transaction.atomic
def remove_organiser(*, league: League, player: Player, who: Player, reason: str, now: datetime) -> None:
    """Let *player* organise *league* no more. The last organiser stays.

    :raises LeagueRefused: *who* may not, or *player* is no organiser, or the last one
    """
    league = locked_league(league.pk)
    why = checked(league, who, reason)
    if not league.organisers.filter(pk=player.pk).exists():
        raise LeagueRefused("no_organiser", player=player)
    if league.organisers.filter(is_active=True).exclude(pk=player.pk).count() == 0:
        raise LeagueRefused("last_organiser")
    league.organisers.remove(player)
    note(league, "remove_organiser", who=who, now=now, reason=why, player=player.pk)


@transaction.atomic
def close_league(*, league: League, who: Player, reason: str, now: datetime) -> None:
    """Let no season of *league* open any more. One that is open or runs goes on to its end.

    :raises LeagueRefused: *who* may not, or it is closed
    """
    league = locked_league(league.pk)
    why = checked(league, who, reason)
    if league.closed is not None:
        raise LeagueRefused("league_closed")
    league.closed = now
    league.save(update_fields=["closed"])
    note(league, "close_league", who=who, now=now, reason=why)


@transaction.atomic
def cancel_season(*, season_id: int, who: Player, reason: str, now: datetime) -> None:
    """Cancel a season before it begins.

    :raises LeagueRefused: *who* may not, or it has begun
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    season = locked_season(season_id)
    why = checked(season.league, who, reason)
    if season.phase != Phase.REGISTRATION:
        raise LeagueRefused("begun")
    _count_for_all(limits.CHANGE_SEASON, season.league, who, now)
    season.phase, season.closed = Phase.CANCELLED, now
    season.save(update_fields=["phase", "closed"])
    players = season.entries.filter(state=EntryState.REGISTERED).count()
    entry = note(
        season.league, "call_off_season", who=who, season=season, now=now, reason=why, players=players
    )
    outbox.called_off(season, now=now, reason=entry.reason)


@transaction.atomic
def open_next(*, league: League, who: Player, reason: str, now: datetime) -> Season:
    """Open the next season of *league*, which opens again if it was closed. Whoever was registered for one
    that was cancelled, or stays after one that was played (STAND-13), is registered.

    :raises LeagueRefused: *who* may not, or a season is open or runs
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    league = locked_league(league.pk)
    why = checked(league, who, reason)
    last = league.seasons.order_by("-number").first()
    if last is not None:
        last = locked_season(last.pk)
        if last.phase in ALIVE:
            raise LeagueRefused("alive")
    _count_for_all(limits.CHANGE_SEASON, league, who, now)
    if league.closed is not None:
        league.closed = None
        league.save(update_fields=["closed"])
    if last is not None and last.phase == Phase.CLOSED:
        season = open_following(last, now)
    else:
        season = open_season(league, now)
        if last is not None:
            _carry_over(last, season)
            hand_down(last, season, now)
    note(league, "open_next", who=who, season=season, now=now, reason=why)
    if last is not None:
        outbox.opened_again(season, last, now=now)
    return season


@transaction.atomic
def edit(
    *,
    league: League,
    name: str,
    text: str,
    settings: LeagueSettings,
    who: Player,
    reason: str,
    now: datetime,
) -> League:
    """Change the name of *league*, what it tells players, and what is agreed for seasons to come. A season
    that is open keeps what it began with.

    :raises LeagueRefused: *who* may not, or there can't be such a league
    """
    league = locked_league(league.pk)
    why = checked(league, who, reason)
    fault = next(settings.faults(), None)
    if fault is not None:
        raise LeagueRefused("settings", what=fault)
    text = checked_text("description", text)
    if name != league.name:  # one of before may be what none could be today
        name = checked_name("league", name)
        must_be_free(name, league)
    before, after = league.agreed, settings.to_json()
    changed = sorted(key for key in after if before.get(key) != after[key])
    said = {key: [getattr(league, key), new] for key, new in (("name", name),) if getattr(league, key) != new}
    league.name, league.text, league.agreed = name, text, after
    try:
        with transaction.atomic():
            league.save(update_fields=["name", "name_key", "name_looks", "text", "agreed"])
    except IntegrityError as taken:  # by somebody who came between the look and the row
        raise LeagueRefused("name_taken") from taken
    values = {key: [before.get(key), after[key]] for key in changed}
    note(league, "edit", who=who, now=now, reason=why, changed={**said, **values})
    return league


def _count_for_all(act: str, league: League, who: Player, now: datetime) -> None:
    """Count an act that tells everybody in *league*; its row, or that of its season, is locked."""
    contacts.count(act, who, [None], now=now, group=limits.league_group(league.pk))


def _carry_over(cancelled: Season, season: Season) -> None:
    there = cancelled.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    Entry.objects.bulk_create(
        Entry(
            season=season,
            player_id=entry.player_id,
            registered=entry.registered,
            stays=entry.stays,
            seeded=entry.seeded,
            order=entry.order,
        )
        for entry in there.order_by("registered", "pk")
    )
