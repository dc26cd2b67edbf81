"""The end of a season: the tables stand, players move, and the next season opens."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from leagues.models import Division, Entry, EntryState, Fixture, Match, Phase, Season
from leagues.seasons.founding import note, open_season
from leagues.seasons.locks import locked_season
from leagues.seasons.promotion import Level, next_levels
from leagues.seasons.tables import restand
from leagues.standings import Movement, movement


def may_close(season: Season) -> bool:
    """Whether all is played, and every game has a result."""
    if season.divisions.filter(drawn__lt=F("rounds")).exists():
        return False
    if Match.objects.filter(division__season=season, waits=True).exists():
        return False
    return not Fixture.objects.filter(match__division__season=season, settled=None).exists()


@transaction.atomic
def close_season(season_id: int, now: datetime) -> bool:
    """Close a season in which all is played, and open the next one. Answers whether this call did."""
    season = locked_season(season_id)
    if season.phase != Phase.RUNNING or not may_close(season):
        return False
    divisions = list(season.divisions.order_by("level"))
    levels = [_final(division, lowest=division == divisions[-1]) for division in divisions]
    season.phase, season.closed = Phase.CLOSED, now
    season.save(update_fields=["phase", "closed"])
    note(season.league, "close", season=season, now=now)
    if season.settings.again and season.league.closed is None:
        _open_next(season, levels, now)
    return True


def moves_of(division: Division, *, lowest: bool) -> Movement:
    """Who moves up and down from *division* as its table stands."""
    table = restand(division)
    rules = division.season.settings.standings
    rules = replace(rules, up=0 if division.level == 1 else rules.up, down=0 if lowest else rules.down)
    leaving = set(
        division.entries.exclude(state=EntryState.PLAYING, stays=True).values_list("player", flat=True)
    )
    return movement(table, rules, leaving)


def _final(division: Division, *, lowest: bool) -> Level:
    moved = moves_of(division, lowest=lowest)
    up, down = tuple(map(int, moved.up)), tuple(map(int, moved.down))
    division.entries.filter(player__in=up).update(moves="up")
    division.entries.filter(player__in=down).update(moves="down")
    staying = division.entries.filter(state=EntryState.PLAYING, stays=True).order_by("row")
    players = tuple(staying.values_list("player", flat=True))
    return Level(players, up, down)


def _open_next(season: Season, levels: list[Level], now: datetime) -> None:
    """Register for the next season whoever has not said otherwise, in the division where they will play."""
    following = open_season(season.league, now)
    divisions = next_levels(levels, [], following.settings.division_size)
    Entry.objects.bulk_create(
        Entry(
            season=following,
            player_id=player,
            registered=now + timedelta(microseconds=order),
            seeded=level,
            order=order,
        )
        for level, players in enumerate(divisions, start=1)
        for order, player in enumerate(players)
    )
