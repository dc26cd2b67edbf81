"""Registration for seasons and withdrawal from them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games import play
from games.exceptions import Refused
from games.models import Seat, Status
from leagues.exceptions import LeagueRefused
from leagues.models import Division, Entry, EntryState, Fixture, Match, Phase, Season, Waiting
from leagues.seasons.admission import must_be_admitted, must_not_be_suspended
from leagues.seasons.founding import write_log_entry
from leagues.seasons.ladders import join_ladder
from leagues.seasons.locks import lock_division, lock_season
from leagues.seasons.results import forfeit_waiting
from leagues.seasons.tables import update_standings
from leagues.seasons.waiting_list import is_full, move_up
from ratings.models import Pool, Rating
from ratings.skill import round_strength

UNRATED = 1500.0


@transaction.atomic
def register(*, season_id: int, player: Player, now: datetime, token: str = "") -> Entry:
    """Register *player*. Idempotent; a player who had withdrawn comes back at the end of the list. On a
    running ladder newcomers enter at the foot.

    :param token: of the league's link, where one is needed
    :raises LeagueRefused: it has begun, all places are taken, or *player* is a program or suspended, or has
        not come by the link
    """
    season = lock_season(season_id)
    if player.is_bot:
        raise LeagueRefused("bot")
    must_not_be_suspended(player, now)
    season.contenders.check_may_register()
    must_be_admitted(season, player, token)
    if takes_newcomers(season, now):
        return _register_in_ladder(season, player, now)
    if season.phase != Phase.REGISTRATION:
        raise LeagueRefused("not_open")
    there = season.entries.filter(player=player, state=EntryState.REGISTERED)
    if is_full(season) and not there.exists():
        raise LeagueRefused("full")
    season.waiting.filter(player=player).delete()
    entry, new = Entry.objects.get_or_create(season=season, player=player, defaults={"registered": now})
    if not new and entry.state == EntryState.WITHDRAWN:
        entry.state, entry.registered, entry.withdrew = EntryState.REGISTERED, now, None
        entry.stays = True
        entry.save(update_fields=["state", "registered", "withdrew", "stays"])
    return entry


def takes_newcomers(season: Season, now: datetime) -> bool:
    """Return whether *season* is a ladder that players can join while it runs."""
    return season.format.has_challenges and season.phase == Phase.RUNNING and now < season.ends


def _register_in_ladder(season: Season, player: Player, now: datetime) -> Entry:
    division = lock_division(season.divisions.get().pk)
    entry, _ = Entry.objects.get_or_create(season=season, player=player, defaults={"registered": now})
    if entry.state == EntryState.PLAYING:
        return entry
    if entry.row is not None:  # the player withdrew, but a challenge of theirs still runs
        raise LeagueRefused("challenge_busy")
    entry.registered, entry.withdrew, entry.stays = now, None, True
    entry.save(update_fields=["registered", "withdrew", "stays"])
    season.waiting.filter(player=player).delete()
    join_ladder(division, entry)
    write_log_entry(season.league, "register", who=player, season=season, now=now)
    return entry


@transaction.atomic
def withdraw(*, season_id: int, player: Player, now: datetime, following: Player | None = None) -> Entry:
    """Withdraw *player* from the season. In a running one, games that have not begun are forfeits, and those
    that are played are resigned (STAND-4). Idempotent.

    :param following: the next captain, chosen by a *player* who leads a team
    :raises LeagueRefused: not registered, or the season is over
    """
    season = lock_season(season_id)
    entry = season.entries.filter(player=player).first()
    if entry is None:
        raise LeagueRefused("not_registered")
    if season.phase in (Phase.CLOSED, Phase.CANCELLED):
        raise LeagueRefused("over")
    if entry.state == EntryState.WITHDRAWN:
        return entry
    if following is not None:
        season.contenders.choose_successor(season, player, following, now)
    take_out(season, entry, now)
    write_log_entry(season.league, "withdraw", who=player, season=season, now=now)
    if season.phase == Phase.REGISTRATION:
        move_up(season, now)
    return entry


@transaction.atomic
def withdraw_from_open_seasons(*, player: Player, now: datetime) -> None:
    """Withdraw *player*, whose account is being closed, from all seasons that have not begun, so that others
    get the places, and from all waiting lists. In running seasons organisers decide."""
    Waiting.objects.filter(player=player).delete()
    registered = Entry.objects.filter(player=player, season__phase=Phase.REGISTRATION)
    registered = registered.exclude(state=EntryState.WITHDRAWN)
    for season in registered.order_by("season").values_list("season", flat=True):
        withdraw(season_id=season, player=player, now=now)


def take_out(season: Season, entry: Entry, now: datetime) -> None:
    """Withdraw the player of *entry* from *season*, which is locked."""
    player = entry.player
    entry.state, entry.withdrew, entry.stays = EntryState.WITHDRAWN, now, False
    entry.save(update_fields=["state", "withdrew", "stays"])
    season.contenders.drop_member(season, player, now)
    if entry.division is not None:
        _resign_games(season, player, now)
        waiting = Match.objects.filter(division__season=season, waits=True, seats__player=player)
        for match in waiting.select_related("division").order_by("pk"):
            forfeit_waiting(match.pk, now)
            if match.division != entry.division:  # the match belongs to a knock-out after groups
                update_standings(match.division)
        update_standings(entry.division)


@transaction.atomic
def stay(*, season_id: int, player: Player, stays: bool) -> None:
    """Set whether *player* plays the next season, too (STAND-13).

    :raises LeagueRefused: not registered
    """
    season = lock_season(season_id)
    playing = season.entries.filter(player=player).exclude(state=EntryState.WITHDRAWN)
    if not playing.update(stays=stays):
        raise LeagueRefused("not_registered")
    division = Division.objects.filter(entries__season=season, entries__player=player).first()
    if season.running and division is not None:
        update_standings(division)  # places of players who leave become reachable for others


def load_ratings(season: Season, players: list[int], now: datetime) -> dict[int, float]:
    """Return the ratings of *players*, by primary key, with which *season* begins (STAND-11); unrated ones
    are left out."""
    pool = Pool.of(season.settings.seats)
    kept = Rating.objects.filter(player__in=players, pool=pool)
    return {row.player_id: float(round_strength(row.at(now)).number) for row in kept}


def _resign_games(season: Season, player: Player, now: datetime) -> None:
    running = Fixture.objects.filter(
        match__division__season=season, settled=None, game__status=Status.PLAYING, game__seats__player=player
    )
    for game in running.order_by("game").values_list("game", flat=True):
        seat = Seat.objects.get(game=game, player=player)
        try:
            play.resign(game_id=game, seat=seat.index, now=now)
        except Refused:
            continue  # it ended between the list and the lock, or is about to end as its clock says
