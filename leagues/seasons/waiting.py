"""Who waits for a place: in the next season, or for somebody who leaves this one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games.models import Sanction
from leagues import outbox
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, EntryState, Phase, Season, Waiting
from leagues.seasons.locks import locked_season
from leagues.seasons.suspended import must_not_be_suspended


@transaction.atomic
def wait(
    *, season_id: int, player: Player, now: datetime, substitute: bool = False, following: bool = True
) -> Waiting:
    """Let *player*, who does not play in a season, wait: for a place in the next one (*following*), and as
    *substitute* for somebody who leaves this one. Again changes only what they wait for.

    :raises LeagueRefused: *player* plays in it or is a program, it is over, or there is nothing to wait for
    """
    season = locked_season(season_id)
    if season.phase not in (Phase.REGISTRATION, Phase.RUNNING):
        raise LeagueRefused("over")
    if player.is_bot:
        raise LeagueRefused("bot")
    must_not_be_suspended(player, now)
    if season.settings.teams is not None:
        raise LeagueRefused("teams_only")
    if season.entries.filter(player=player).exclude(state=EntryState.WITHDRAWN).exists():
        raise LeagueRefused("plays_already", player=player)
    substitute = substitute and not season.entries.filter(player=player).exists()
    if not (substitute or following):
        raise LeagueRefused("plays_already", player=player)
    waiting, _new = Waiting.objects.get_or_create(season=season, player=player, defaults={"since": now})
    waiting.substitute, waiting.following = substitute, following
    waiting.save(update_fields=["substitute", "following"])
    return waiting


@transaction.atomic
def stop_waiting(*, season_id: int, player: Player) -> None:
    """Let *player* wait no more. Again is harmless."""
    locked_season(season_id).waiting.filter(player=player).delete()


def full(season: Season) -> bool:
    """Whether all places of *season*, for which one can register, are taken."""
    most = season.settings.most_players
    return bool(most) and season.entries.filter(state=EntryState.REGISTERED).count() >= most


def move_up(season: Season, now: datetime) -> None:
    """Give places of *season*, which is locked and has not begun, to those who have waited longest."""
    waiting = season.waiting.filter(following=True, player__is_active=True)
    waiting = waiting.exclude(player__in=Sanction.objects.suspending(now).values("player"))
    while not full(season) and (first := waiting.select_related("player").first()) is not None:
        entry, new = Entry.objects.get_or_create(
            season=season, player=first.player, defaults={"registered": first.since}
        )
        if not new:
            entry.state, entry.registered, entry.withdrew = EntryState.REGISTERED, first.since, None
            entry.stays = True
            entry.save(update_fields=["state", "registered", "withdrew", "stays"])
        first.delete()
        outbox.place_came_free(season, first.player, now=now)


def hand_down(season: Season, following: Season, now: datetime) -> None:
    """Let those who wait in *season*, which is over, come to the one *following* it, in their order."""
    there = set(following.entries.values_list("player", flat=True))
    waiting = season.waiting.filter(following=True, player__is_active=True).exclude(player__in=there)
    Waiting.objects.bulk_create(
        Waiting(season=following, player_id=one.player_id, since=one.since) for one in waiting
    )
    move_up(following, now)
