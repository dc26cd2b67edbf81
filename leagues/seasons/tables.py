"""Standings of divisions, recomputed and stored with every result, never on a page (STAND-1 to 12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from leagues.mails.seasons import ProtestTime
from leagues.models import STANDING, Division, Entry, EntryState, Fixture
from leagues.seasons.locks import lock_division
from leagues.seasons.outlooks import compute_outlooks
from leagues.seasons.protests import find_division_protest_end
from leagues.standings import DivisionResults as Results
from leagues.standings import (
    Entrant,
    GameResult,
    SeatResult,
    count_records,
    find_struck_games,
)
from leagues.standings.ranking import TableStanding, rank_results


def update_standings(division: Division) -> list[TableStanding]:
    """Recompute and store the table of *division*; the caller is in a transaction. Knock-outs and ladders
    return none: what counts there is who won.

    Struck games follow from withdrawals (STAND-4) and are updated here, too. The division is locked before
    anything is read, so of two results that come at once the later table has both.
    """
    division = lock_division(division.pk)
    table = division.format.update_standings(division)
    ends = find_division_protest_end(division)
    if ends is not None:
        ProtestTime.tell(division, ends)
    return table


def store_table(division: Division) -> list[TableStanding]:
    """Recompute and store the table of the players of *division*, which is locked, and that of its teams."""
    strike(division)
    results = load_results(division)
    table = rank_results(results)
    entries = {entry.player_id: entry for entry in division.entries.select_related("player")}
    hopes = compute_outlooks(division, list(entries.values()), results)
    records = count_records(results)
    for row, one in enumerate(table, start=1):
        entry = entries[int(one.player)]
        entry.set_standing(row, one)
        entry.record = records[one.player]
        entry.outlook = hopes.get(entry.player_id)
    Entry.objects.bulk_update(entries.values(), [*STANDING, "outlook"])
    division.contenders.update_table(division)
    return table


def preview_table(fixture: Fixture, result: list[dict[str, Any]]) -> list[TableStanding]:
    """Return the table of the division of *fixture* with this *result*; nothing is stored."""
    division = fixture.match.division
    results = load_results(division)
    settled = Fixture(pk=fixture.pk, match_id=fixture.match_id, seats=result)
    draw = load_draws(division).get(fixture.pk)
    games = [game for game in results.games if game.id != fixture.pk] + [build_game_result(settled, draw)]
    games.sort(key=lambda game: int(game.id))
    gone = {int(entrant.id) for entrant in results.entrants if entrant.withdrew}
    struck = find_struck_games([replace(game, struck=False) for game in games], gone, results.rules.withdrawn)
    games = [replace(game, struck=game.id in struck) for game in games]
    return rank_results(replace(results, games=games))


def load_results(division: Division) -> Results:
    """Load all that the standings of *division* are computed from."""
    entries = division.entries.order_by("player")
    gone = load_withdrawn_players(division)
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    draws = load_draws(division)
    return Results(
        entrants=tuple(
            Entrant(
                entry.player_id,
                Fraction(str(entry.rating)),
                entry.player_id in gone,
                Fraction(entry.penalty),
            )
            for entry in entries
        ),
        games=tuple(build_game_result(fixture, draws.get(fixture.pk)) for fixture in fixtures.order_by("pk")),
        byes=tuple(division.byes.order_by("round").values_list("player", flat=True)),
        rules=division.season.settings.standings,
        season=division.season_id,
        running=is_round_robin_running(division),
    )


def is_round_robin_running(division: Division) -> bool:
    """Return whether *division* is a round robin of players with matches to decide (STAND-5)."""
    return division.format.meets_everybody and division.matches.filter(decided=None).exists()


def load_draws(division: Division) -> Mapping[int, int]:
    """Return the shared draws of a *division*: primary keys by fixture, where it has one (STAND-19)."""
    if not division.season.settings.duplicate:
        return {}
    shared = Fixture.objects.filter(match__division=division, game__deal__isnull=False)
    return dict(shared.values_list("pk", "game__deal"))


def build_game_result(fixture: Fixture, draw: int | None = None) -> GameResult:
    """Build the result of a settled *fixture*, whose game has this shared *draw*."""
    assert fixture.seats is not None
    seats = tuple(
        SeatResult(seat["player"], seat["rank"], seat["score"], seat["forfeit"]) for seat in fixture.seats
    )
    return GameResult(fixture.pk, fixture.match_id, seats[0].player, seats, fixture.struck, draw)


def strike(division: Division) -> None:
    """Strike the games of players who withdrew early, if the league's rules say so (STAND-4)."""
    gone = load_withdrawn_players(division)
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    games = [build_game_result(fixture) for fixture in fixtures] if gone else []
    struck = find_struck_games(games, gone, division.season.settings.standings.withdrawn)
    fixtures.filter(struck=True).exclude(pk__in=struck).update(struck=False)
    fixtures.filter(pk__in=struck, struck=False).update(struck=True)


def load_withdrawn_players(division: Division) -> set[int]:
    """Return the players who have withdrawn from *division*, by primary key; withdrawals after their group
    was finished don't count."""
    left = division.entries.filter(state=EntryState.WITHDRAWN)
    if division.finished is not None:
        left = left.filter(withdrew__lte=division.finished)
    return set(left.values_list("player", flat=True))
