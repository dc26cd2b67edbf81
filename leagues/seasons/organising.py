"""Acts of organisers on a league and its seasons. Each has a reason and a line in the log."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import Player
from games.conduct import contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.organisers import Appointed
from leagues.mails.players import Announced, RulesChanged
from leagues.mails.seasons import CalledOff, RegistrationOpened
from leagues.models import Announcement, Entry, EntryState, League, Phase, Season
from leagues.seasons.closing import keeps_order, open_following
from leagues.seasons.founding import (
    check_beginning,
    clean_name,
    clean_text,
    must_be_free,
    open_season,
    write_log_entry,
)
from leagues.seasons.locks import lock_league, lock_season
from leagues.seasons.organisers import check_organiser
from leagues.settings import LeagueSettings

ALIVE = (Phase.REGISTRATION, Phase.RUNNING)


@transaction.atomic
def announce(*, league: League, text: str, who: Player, now: datetime) -> Announcement:
    """Publish an announcement of *league*. Earlier ones stay in the archive.

    :raises LeagueRefused: *who* may not, or the text is empty or too long
    :raises TooMany: something was announced a few hours ago, or *who* has announced much today
    """
    lock_players(who)
    league = lock_league(league.pk)
    text = clean_text("announcement", text)
    check_organiser(league, who, text)
    _count_for_all(limits.ANNOUNCE, league, who, now)
    write_log_entry(league, "announce", who=who, now=now)
    announcement = Announcement.objects.create(league=league, who=who, at=now, text=text)
    Announced.tell(announcement)
    return announcement


@transaction.atomic
def name_organiser(*, league: League, player: Player, who: Player, reason: str, now: datetime) -> None:
    """Make *player* another organiser of *league*.

    :raises LeagueRefused: *who* may not, or *player* is one already or can't be
    :raises TooMany: *who* has named many today
    """
    lock_players(who, player)
    league = lock_league(league.pk)
    why = check_organiser(league, who, reason)
    if player.is_bot or not player.is_active:
        raise LeagueRefused("no_player")
    if league.organisers.filter(pk=player.pk).exists():
        raise LeagueRefused("organiser_already", player=player)
    contacts.record_contacts(limits.APPOINT, who, [player], now=now)
    league.organisers.add(player)
    log = write_log_entry(league, "name_organiser", who=who, now=now, reason=why, player=player.pk)
    Appointed.tell(player, log)


@transaction.atomic
def remove_organiser(*, league: League, player: Player, who: Player, reason: str, now: datetime) -> None:
    """Remove *player* from the organisers of *league*. The last organiser stays.

    :raises LeagueRefused: *who* may not, or *player* is no organiser, or the last one
    """
    league = lock_league(league.pk)
    why = check_organiser(league, who, reason)
    if not league.organisers.filter(pk=player.pk).exists():
        raise LeagueRefused("no_organiser", player=player)
    if league.organisers.filter(is_active=True).exclude(pk=player.pk).count() == 0:
        raise LeagueRefused("last_organiser")
    league.organisers.remove(player)
    write_log_entry(league, "remove_organiser", who=who, now=now, reason=why, player=player.pk)


@transaction.atomic
def close_league(*, league: League, who: Player, reason: str, now: datetime) -> None:
    """Open no further seasons of *league*. One that is open or runs goes on to its end.

    :raises LeagueRefused: *who* may not, or the league is closed already
    """
    league = lock_league(league.pk)
    why = check_organiser(league, who, reason)
    if league.closed is not None:
        raise LeagueRefused("league_closed")
    league.closed = now
    league.save(update_fields=["closed"])
    write_log_entry(league, "close_league", who=who, now=now, reason=why)


@transaction.atomic
def cancel_season(*, season_id: int, who: Player, reason: str, now: datetime) -> None:
    """Cancel a season before it begins.

    :raises LeagueRefused: *who* may not, or it has begun
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    if season.phase != Phase.REGISTRATION:
        raise LeagueRefused("begun")
    _count_for_all(limits.CHANGE_SEASON, season.league, who, now)
    season.phase, season.closed = Phase.CANCELLED, now
    season.save(update_fields=["phase", "closed"])
    players = season.entries.filter(state=EntryState.REGISTERED).count()
    entry = write_log_entry(
        season.league, "call_off_season", who=who, season=season, now=now, reason=why, players=players
    )
    CalledOff.tell(season, now=now, reason=entry.reason)


@transaction.atomic
def open_next(*, league: League, who: Player, reason: str, now: datetime) -> Season:
    """Open the next season of *league*, and the league again if it was closed. Players registered for a
    cancelled season, or staying after a played one (STAND-13), are registered.

    :raises LeagueRefused: *who* may not, or a season is open or runs
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    league = lock_league(league.pk)
    why = check_organiser(league, who, reason)
    last = league.seasons.order_by("-number").first()
    if last is not None:
        last = lock_season(last.pk)
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
            last.contenders.carry_over(last, season, now)
    write_log_entry(league, "open_next", who=who, season=season, now=now, reason=why)
    if last is not None:
        RegistrationOpened.tell(season, last, now=now)
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
    begins: datetime | None = None,
) -> League:
    """Change the name and text of *league*, and its settings for seasons to come.

    An open season keeps its settings, unless nobody has registered for it yet: then it follows, and *begins*
    then, if that is given.

    :raises LeagueRefused: *who* may not, or the name, text or settings are invalid
    :raises TooMany: rules were changed several times today; everybody is notified of them
    """
    lock_players(who)
    league = lock_league(league.pk)
    why = check_organiser(league, who, reason)
    fault = next(settings.faults(), None)
    if fault is not None:
        raise LeagueRefused("settings", what=fault)
    text = clean_text("description", text)
    if name != league.name:  # old names may break current rules
        name = clean_name("league", name)
        must_be_free(name, league)
    before, after = league.agreed, settings.to_json()
    changed = sorted(key for key in after if before.get(key) != after[key])
    said = {key: [getattr(league, key), new] for key, new in (("name", name),) if getattr(league, key) != new}
    league.name, league.text, league.agreed = name, text, after
    try:
        with transaction.atomic():
            league.save(update_fields=["name", "name_key", "name_looks", "text", "agreed"])
    except IntegrityError as taken:  # taken between the check and the insertion
        raise LeagueRefused("name_taken") from taken
    said |= mend_open_season(league, begins, now)
    values = {key: [before.get(key), after[key]] for key in changed}
    if changed:
        _count_for_all(limits.CHANGE_RULES, league, who, now)
    log = write_log_entry(
        league,
        "edit",
        who=who,
        now=now,
        reason=why,
        changed={**said, **values},
        settings=[before, after] if changed else [],
    )
    if changed:
        RulesChanged.tell(log)
    return league


def mend_open_season(league: League, begins: datetime | None, now: datetime) -> dict[str, list[str]]:
    """Apply the settings of *league*, which is locked, to its open season if nobody has registered yet.

    Return its beginning before and after, if that moved: only if *begins* is given, or the time for
    registration has changed. Extensions are kept.
    """
    found = league.seasons.filter(phase=Phase.REGISTRATION).first()
    season = lock_season(found.pk) if found is not None else None
    if season is None or season.phase != Phase.REGISTRATION or not is_untouched(season):
        return {}
    settings, agreed, before = league.settings, season.settings, season.begins
    season.agreed = league.agreed
    if begins is not None:
        season.begins = check_beginning(begins, now) or before
    elif settings.registration != agreed.registration:
        season.begins = max(season.opened + settings.registration, before if season.postponed else now)
    season.ends += season.begins - before + settings.length - agreed.length
    season.save(update_fields=["agreed", "begins", "ends"])
    return {} if season.begins == before else {"begins": [before.isoformat(), season.begins.isoformat()]}


def is_untouched(season: Season) -> bool:
    """Return whether nobody has registered for *season*, founded a team or waits for a place."""
    return not (season.entries.exists() or season.teams.exists() or season.waiting.exists())


def _count_for_all(act: str, league: League, who: Player, now: datetime) -> None:
    """Count an act that notifies everybody in *league*; the row of the league or of its season is locked."""
    contacts.record_contacts(act, who, [None], now=now, group=limits.format_league_group(league.pk))


def carry_over(cancelled: Season, season: Season) -> None:
    there = cancelled.entries.filter(state=EntryState.REGISTERED, player__is_active=True)
    Entry.objects.bulk_create(
        Entry(
            season=season,
            player_id=entry.player_id,
            registered=entry.registered,
            stays=entry.stays,
            follows_id=entry.follows_id,
            seeded=entry.seeded if keeps_order(cancelled, season) else None,
            order=entry.order,
        )
        for entry in there.order_by("registered", "pk")
    )
