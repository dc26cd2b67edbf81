"""Waiting lists for a place in the next season, or as a substitute in this one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games.models import Sanction
from leagues.exceptions import LeagueRefused
from leagues.mails.seasons import PlaceFree
from leagues.models import Entry, EntryState, Phase, Season, Waiting
from leagues.seasons.admission import must_be_admitted, must_not_be_suspended
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import may_organise
from leagues.settings import Admission


@transaction.atomic
def wait(
    *,
    season_id: int,
    player: Player,
    now: datetime,
    substitute: bool = False,
    following: bool = True,
    token: str = "",
    **wishes: int | None,
) -> Waiting:
    """Put *player* on the waiting list: for a place in the next season (*following*), and as *substitute* for
    somebody who leaves this one, with *wishes* as in ``Waiting``. A second call only changes these.

    :raises LeagueRefused: *player* plays in it or is a program, it is over, or there is nothing to wait for
    """
    season = lock_season(season_id)
    if season.phase not in (Phase.REGISTRATION, Phase.RUNNING):
        raise LeagueRefused("over")
    if player.is_bot:
        raise LeagueRefused("bot")
    must_not_be_suspended(player, now)
    season.contenders.check_may_register()
    by_link = season.settings.admission == Admission.LINK
    if by_link and not season.waiting.filter(player=player).exists():
        must_be_admitted(season, player, token)
    if season.entries.filter(player=player).exclude(state=EntryState.WITHDRAWN).exists():
        raise LeagueRefused("plays_already", player=player)
    substitute = substitute and not season.entries.filter(player=player).exists()
    if not (substitute or following):
        raise LeagueRefused("plays_already", player=player)
    waiting, _new = Waiting.objects.get_or_create(season=season, player=player, defaults={"since": now})
    waiting.substitute, waiting.following = substitute, following
    for name, wish in wishes.items():
        setattr(waiting, name, wish)
    waiting.save(update_fields=["substitute", "following", *wishes])
    if season.phase == Phase.REGISTRATION:
        move_up(season, now)  # a place may have become free since the player looked
    return waiting


@transaction.atomic
def stop_waiting(*, season_id: int, player: Player) -> None:
    """Remove *player* from the waiting list. Idempotent."""
    lock_season(season_id).waiting.filter(player=player).delete()


def is_full(season: Season) -> bool:
    """Return whether all places of *season*, which is open for registration, are taken."""
    most = season.settings.most_players
    return bool(most) and season.entries.filter(state=EntryState.REGISTERED).count() >= most


@transaction.atomic
def accept(*, season_id: int, player: Player, who: Player, now: datetime) -> Entry:
    """Let the organiser *who* register *player*, who waits for a place in an open season.

    :raises LeagueRefused: *who* may not, *player* does not wait or is suspended, all places are taken, or the
        season has begun
    """
    season = lock_season(season_id)
    if not may_organise(season.league, who):
        raise LeagueRefused("not_organiser")
    waiting = check_accepting(season, player, now)
    write_log_entry(season.league, "accept", who=who, season=season, now=now, player=player.pk)
    return _give_place(season, waiting, now)


def check_accepting(season: Season, player: Player, now: datetime) -> Waiting:
    """Return the place of *player*, who may be registered for *season*, on its waiting list.

    :raises LeagueRefused: *player* does not wait or is suspended, all places are taken, or it has begun
    """
    if season.phase != Phase.REGISTRATION:
        raise LeagueRefused("not_open")
    waiting = season.waiting.filter(player=player, following=True).select_related("player").first()
    if waiting is None:
        raise LeagueRefused("not_waiting", player=player)
    must_not_be_suspended(player, now)
    if is_full(season):
        raise LeagueRefused("full")
    return waiting


def move_up(season: Season, now: datetime) -> None:
    """Give free places of *season*, which is locked and has not begun, to those who have waited longest,
    except where organisers accept players."""
    if season.settings.admission == Admission.APPROVAL:
        return
    waiting = season.waiting.filter(following=True, player__is_active=True)
    waiting = waiting.exclude(player__in=Sanction.objects.suspending(now).values("player"))
    while not is_full(season) and (first := waiting.select_related("player").first()) is not None:
        _give_place(season, first, now)


def _give_place(season: Season, waiting: Waiting, now: datetime) -> Entry:
    """Register a *waiting* player, with the time since when they have waited."""
    entry, new = Entry.objects.get_or_create(
        season=season, player=waiting.player, defaults={"registered": waiting.since}
    )
    if not new:
        entry.state, entry.registered, entry.withdrew = EntryState.REGISTERED, waiting.since, None
        entry.stays = True
        entry.save(update_fields=["state", "registered", "withdrew", "stays"])
    waiting.delete()
    PlaceFree.tell(season, entry.player, now=now)
    return entry


def hand_down(season: Season, following: Season, now: datetime) -> None:
    """Move the waiting list of *season*, which is over, to the season *following* it, in order."""
    there = set(following.entries.values_list("player", flat=True))
    waiting = season.waiting.filter(following=True, player__is_active=True).exclude(player__in=there)
    Waiting.objects.bulk_create(
        Waiting(season=following, player_id=one.player_id, since=one.since) for one in waiting
    )
    move_up(following, now)
