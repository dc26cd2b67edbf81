"""The end of a season: the tables stand, players move, and the next season opens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from leagues import outbox
from leagues.models import Division, Entry, EntryState, Fixture, Match, Phase, Season
from leagues.seasons.finals import waits_for_finals
from leagues.seasons.founding import note, open_season
from leagues.seasons.locks import locked_season
from leagues.seasons.outlooks import takes_a_place
from leagues.seasons.promotion import Level, next_levels
from leagues.seasons.tables import restand
from leagues.seasons.teams import closing as closing_of_teams
from leagues.seasons.waiting import hand_down
from leagues.settings import Schedule
from leagues.standings import Movement, Standing, movement


def may_close(season: Season, now: datetime) -> bool:
    """Whether all is played, and every game has a result. A ladder goes on until its season is over."""
    if waits_for_finals(season) or (season.settings.schedule == Schedule.LADDER and now < season.ends):
        return False
    if season.divisions.filter(drawn__lt=F("rounds")).exists():
        return False
    if Match.objects.filter(division__season=season, waits=True).exists():
        return False
    return not Fixture.objects.filter(match__division__season=season, settled=None).exists()


@transaction.atomic
def close_season(season_id: int, now: datetime) -> bool:
    """Close a season in which all is played, and open the next one. Answers whether this call did."""
    season = locked_season(season_id)
    if season.phase != Phase.RUNNING or not may_close(season, now):
        return False
    if season.settings.divided and season.settings.teams is not None:
        closing_of_teams.move_teams(season)
    elif season.settings.divided:
        divisions = list(season.divisions.order_by("level"))
        for division in divisions:
            _move(division, lowest=division == divisions[-1])
    season.phase, season.closed = Phase.CLOSED, now
    season.save(update_fields=["phase", "closed"])
    note(season.league, "close", season=season, now=now)
    if season.settings.again and season.league.closed is None:
        open_following(season, now)
    outbox.season_over(season, now=now)
    return True


def divisions_after(season: Season) -> list[list[int]]:
    """Who stays after *season*, which is closed, in the divisions where they will play, in order of
    strength."""
    if not season.settings.divided:
        return [list(_staying(season.entries.order_by("row", "registered")))]
    levels = [
        Level(_staying(division.entries.order_by("row")), _moved(division, "up"), _moved(division, "down"))
        for division in season.divisions.order_by("level")
    ]
    return next_levels(levels, [], season.league.settings.division_size)


def moves_of(division: Division, *, lowest: bool) -> Movement:
    """Who moves up and down from *division* as its table stands, which is worked out anew."""
    table = restand(division)
    return moves_in(division, table, list(division.entries.all()), lowest=lowest)


def moves_in(
    division: Division, table: Sequence[Standing], entries: Iterable[Entry], *, lowest: bool
) -> Movement:
    """Who moves up and down by a *table* of *division*, where these are the *entries*; changes nothing."""
    rules = division.season.settings.standings
    rules = replace(rules, up=0 if division.level == 1 else rules.up, down=0 if lowest else rules.down)
    return movement(table, rules, {entry.player_id for entry in entries if not takes_a_place(entry)})


def _move(division: Division, *, lowest: bool) -> None:
    """Write down who of *division* moves."""
    moved = moves_of(division, lowest=lowest)
    up, down = tuple(map(int, moved.up)), tuple(map(int, moved.down))
    division.entries.filter(player__in=up).update(moves="up")
    division.entries.filter(player__in=down).update(moves="down")


def _staying(entries: QuerySet[Entry]) -> tuple[int, ...]:
    return tuple(entries.filter(state=EntryState.PLAYING, stays=True).values_list("player", flat=True))


def _moved(division: Division, moves: str) -> tuple[int, ...]:
    return tuple(division.entries.filter(moves=moves).order_by("row").values_list("player", flat=True))


def open_following(season: Season, now: datetime) -> Season:
    """Register for the next season whoever has not said otherwise, in the division where they will play, and
    after them who waits for a place (STAND-13); a knock-out and groups are drawn anew."""
    if season.settings.teams is not None:
        return closing_of_teams.open_next(season, now)
    following = open_season(season.league, now)
    Entry.objects.bulk_create(
        Entry(
            season=following,
            player_id=player,
            registered=now + timedelta(microseconds=order),
            seeded=None if season.settings.knock_out else level,
            order=order,
        )
        for level, players in enumerate(divisions_after(season), start=1)
        for order, player in enumerate(players)
    )
    hand_down(season, following, now)
    return following
