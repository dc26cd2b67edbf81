"""The end of a season: final tables, moves between divisions, and the opening of the next season."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from leagues.mails.organisers import NextSeasonWaits
from leagues.mails.seasons import SeasonOver
from leagues.models import AWAITS_ROUND, Division, Entry, Fixture, Match, Phase, Season
from leagues.seasons.founding import lacks_organiser, write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.outlooks import TAKES_A_PLACE
from leagues.seasons.promotion import FinalTable, Level, compute_moves, compute_next_levels
from leagues.seasons.protests import have_results_stood
from leagues.seasons.tables import update_standings
from leagues.seasons.waiting_list import hand_down


def may_close(season: Season, now: datetime) -> bool:
    """Return whether all games are played and their results have stood (STAND-17). A ladder goes on until its
    season is over."""
    if season.format.goes_on(season, now):
        return False
    if season.divisions.filter(AWAITS_ROUND).exists():
        return False
    if Match.objects.filter(division__season=season, waits=True).exists():
        return False
    if Fixture.objects.filter(match__division__season=season, settled=None).exists():
        return False
    return have_results_stood(season, now)


@transaction.atomic
def close_season(season_id: int, now: datetime) -> bool:
    """Close a season in which all is played, and open the next one. Return whether it was closed."""
    season = lock_season(season_id)
    if season.phase != Phase.RUNNING or not may_close(season, now):
        return False
    season.format.write_moves(season)
    season.phase, season.closed = Phase.CLOSED, now
    season.save(update_fields=["phase", "closed"])
    write_log_entry(season.league, "close", season=season, now=now)
    if season.settings.again and season.league.closed is None:
        if lacks_organiser(season.league, season.league.settings, now):
            NextSeasonWaits.tell(write_log_entry(season.league, "lacks_organiser", season=season, now=now))
        else:
            open_following(season, now)
    SeasonOver.tell(season, now=now)
    return True


def update_moves(season: Season) -> None:
    """Recompute the moves after *season*, which is closed, and the divisions of those registered again,
    because a result was corrected. Nothing changes once the next season has begun (STAND-17)."""
    if season.moves_final is None:
        season.format.update_moves(season)


def rewrite_moves(season: Season) -> None:
    """Recompute the moves after *season*, which has divisions, and the places of those registered again."""
    season.entries.update(moves="")
    season.teams.update(moves="")
    write_moves(season)
    again, key = season.contenders.find_registered_again(season)
    again = again.filter(season__phase=Phase.REGISTRATION)
    again = again.exclude(seeded=None)  # another format is drawn anew
    for level, places in enumerate(season.format.list_levels_after(season), start=1):
        for order, place in enumerate(places):
            again.filter(**{key: place}).update(seeded=level, order=order)


def write_moves(season: Season) -> None:
    """Store the provisional moves after *season*, which has divisions."""
    moves = season.contenders.compute_moves(season)
    for way in ("up", "down"):
        movers = [key for key, moved in moves.items() if moved == way]
        season.contenders.find_holders_of_places(season, movers).update(moves=way)


def compute_divisions_after(season: Season) -> list[list[int]]:
    """Return the players who stay after *season*, which is closed, in their next divisions, each in the order
    in which they take places that become vacant above."""
    levels = [
        Level(
            _staying(division.entries.order_by("row")),
            _list_movers(division, "up"),
            _list_movers(division, "down"),
        )
        for division in season.divisions.order_by("level")
    ]
    return compute_next_levels(levels, [], season.league.settings.division_size)


def list_staying(season: Season) -> list[int]:
    """Return the players who stay after *season*, in the order in which it ended."""
    return list(_staying(season.entries.order_by("row", "registered")))


def keeps_order(season: Season, following: Season) -> bool:
    """Return whether players keep in the season *following* the order in which *season* ended: their
    divisions, or their places on a ladder. Other formats are drawn anew."""
    return following.format.keeps_order(season.format)


def compute_player_moves(season: Season) -> dict[int, str]:
    """The provisional moves of players; ``moves.settle_moves`` replaces them when the next season begins."""
    tables = []
    for division in season.divisions.order_by("level"):
        order = [int(one.player) for one in update_standings(division)]
        staying = division.entries.filter(TAKES_A_PLACE).values_list("player", flat=True)
        tables.append(FinalTable(order, {*order}.difference(staying)))
    return compute_moves(tables, season.settings.standings, season.league.settings.division_size)


def _staying(entries: QuerySet[Entry]) -> tuple[int, ...]:
    return tuple(entries.filter(TAKES_A_PLACE).values_list("player", flat=True))


def _list_movers(division: Division, moves: str) -> tuple[int, ...]:
    return tuple(division.entries.filter(moves=moves).order_by("row").values_list("player", flat=True))


def open_following(season: Season, now: datetime) -> Season:
    """Open the next season and register whoever stays in it, in their divisions, then the waiting list
    (STAND-13). Knock-outs and groups are drawn anew."""
    return season.contenders.open_following(season, now)


def register_again(season: Season, following: Season, now: datetime) -> None:
    """Register the players who stay after *season* in the season *following* it, then the waiting list."""
    before = {entry.player_id: entry for entry in season.entries.all()}
    Entry.objects.bulk_create(
        Entry(
            season=following,
            player_id=player,
            follows=before[player],
            registered=now + timedelta(microseconds=order),
            seeded=level if keeps_order(season, following) else None,
            order=order,
        )
        for level, players in enumerate(season.format.list_levels_after(season), start=1)
        for order, player in enumerate(players)
    )
    hand_down(season, following, now)
