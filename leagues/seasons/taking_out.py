"""Removal of players by organisers, with the effects of a withdrawal (STAND-4)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from games.conduct import contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import TakenOut
from leagues.models import Entry, EntryState, Phase, Season
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import build_player_matter, check_own_matter
from leagues.seasons.registration import take_out
from leagues.seasons.waiting_list import move_up


@transaction.atomic
def take_out_player(*, season_id: int, player: Player, who: Player, reason: str, now: datetime) -> Entry:
    """Remove *player* from an open or running season: games that are played are resigned, and the others are
    forfeits.

    :raises LeagueRefused: *who* may not, or *player* isn't there (any more)
    :raises TooMany: *who* has decided much about players today
    """
    lock_players(who, player)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    entry, own_matter = check_taking_out(season, player, who, now)
    contacts.record_contacts(limits.SETTLE, who, [player], now=now)
    take_out(season, entry, now)
    log = write_log_entry(
        season.league,
        "take_out",
        who=who,
        season=season,
        now=now,
        reason=why,
        player=player.pk,
        own_matter=own_matter,
    )
    if season.phase == Phase.REGISTRATION:
        move_up(season, now)
    TakenOut.tell(season, player, log)
    return entry


def check_taking_out(season: Season, player: Player, who: Player, now: datetime) -> tuple[Entry, bool]:
    """Return the entry of *player*, whom *who* may take out of *season*, and whether that is a decision in
    own matters.

    :raises LeagueRefused: *player* isn't there, or another organiser has to decide
    :raises TooMany: *who* has decided much about players today
    """
    entry = find_removable_entry(season, player)
    own_matter = False
    if entry.division is not None:
        matter = build_player_matter(entry.division, player)
        own_matter = check_own_matter(season.league, who, matter)
    contacts.check_contacts(limits.SETTLE, who, [player], now=now)
    return entry, own_matter


def find_removable_entry(season: Season, player: Player) -> Entry:
    """Return the entry of *player*, who is registered for *season* or plays in it.

    :raises LeagueRefused: there is none, or the season is over
    """
    if season.phase not in (Phase.REGISTRATION, Phase.RUNNING):
        raise LeagueRefused("over")
    there = season.entries.exclude(state=EntryState.WITHDRAWN).select_related("player", "division")
    entry = there.filter(player=player).first()
    if entry is None:
        raise LeagueRefused("not_playing", player=player)
    return entry
