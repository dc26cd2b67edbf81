"""The tables of divisions: stored with every result, never worked out for a page (STAND-1 to 12)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from leagues.models import Division, Entry, EntryState, Fixture, Kind
from leagues.seasons.brackets import restand_bracket
from leagues.seasons.ladders import restand_ladder
from leagues.seasons.locks import locked_division
from leagues.seasons.outlooks import outlooks_of
from leagues.seasons.teams.brackets import restand_team_bracket
from leagues.seasons.teams.tables import restand_teams
from leagues.standings import Division as Results
from leagues.standings import Entrant, GameResult, SeatResult, standings, struck_games
from leagues.standings.ranking import Standing

COLUMNS = ("rank", "row", "points", "values", "explained", "outlook")


def restand(division: Division) -> list[Standing]:
    """Work the table of *division* out anew, and store it; whoever calls is in a transaction. A knock-out and
    a ladder have none: what counts there is who won.

    Which games are struck follows from who withdrew (STAND-4), so it is written here, too. The division is
    locked before anything is read: of two results that come at once the later table has both.
    """
    division = locked_division(division.pk)
    teams = division.season.settings.teams is not None
    if division.kind == Kind.KNOCK_OUT:
        (restand_team_bracket if teams else restand_bracket)(division)
        return []
    if division.kind == Kind.LADDER:
        restand_ladder(division)
        return []
    strike(division)
    results = results_of(division)
    table = standings(results.entrants, results.games, results.byes, results.rules, results.season)
    entries = {entry.player_id: entry for entry in division.entries.all()}
    hopes = outlooks_of(division, list(entries.values()), results)
    for row, one in enumerate(table, start=1):
        entry = entries[int(one.player)]
        entry.rank, entry.row, entry.points = one.rank, row, str(one.points)
        entry.values = {name: str(value) for name, value in one.values.items()}
        entry.explained = _explained(one)
        entry.outlook = hopes.get(entry.player_id)
    Entry.objects.bulk_update(entries.values(), COLUMNS)
    if teams:
        restand_teams(division)
    return table


def table_with(fixture: Fixture, result: list[dict[str, Any]]) -> list[Standing]:
    """The table of the division of *fixture* as it would be with this *result*; nothing is stored."""
    division = fixture.match.division
    results = results_of(division)
    settled = Fixture(pk=fixture.pk, match_id=fixture.match_id, seats=result)
    games = [game for game in results.games if game.id != fixture.pk] + [game_result(settled)]
    games.sort(key=lambda game: int(game.id))
    gone = {int(entrant.id) for entrant in results.entrants if entrant.withdrew}
    struck = struck_games([replace(game, struck=False) for game in games], gone, results.rules.withdrawn)
    games = [replace(game, struck=game.id in struck) for game in games]
    return standings(results.entrants, games, results.byes, results.rules, results.season)


def results_of(division: Division) -> Results:
    """All that the standings of *division* follow from."""
    entries = division.entries.order_by("player")
    gone = withdrawn(division)
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    return Results(
        entrants=tuple(
            Entrant(entry.player_id, Fraction(str(entry.rating)), entry.player_id in gone)
            for entry in entries
        ),
        games=tuple(game_result(fixture) for fixture in fixtures.order_by("pk")),
        byes=tuple(division.byes.order_by("round").values_list("player", flat=True)),
        rules=division.season.settings.standings,
        season=division.season_id,
    )


def game_result(fixture: Fixture) -> GameResult:
    """What counts of a settled *fixture*."""
    assert fixture.seats is not None
    seats = tuple(
        SeatResult(seat["player"], seat["rank"], seat["score"], seat["forfeit"]) for seat in fixture.seats
    )
    return GameResult(fixture.pk, fixture.match_id, seats[0].player, seats, fixture.struck)


def strike(division: Division) -> None:
    """Strike the games of those who have withdrawn early, if the league says so (STAND-4)."""
    gone = withdrawn(division)
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    games = [game_result(fixture) for fixture in fixtures] if gone else []
    struck = struck_games(games, gone, division.season.settings.standings.withdrawn)
    fixtures.filter(struck=True).exclude(pk__in=struck).update(struck=False)
    fixtures.filter(pk__in=struck, struck=False).update(struck=True)


def withdrawn(division: Division) -> set[int]:
    """Who has withdrawn from *division*, by primary key; who did when their group was finished has not."""
    left = division.entries.filter(state=EntryState.WITHDRAWN)
    if division.finished is not None:
        left = left.filter(withdrew__lte=division.finished)
    return set(left.values_list("player", flat=True))


def _explained(one: Standing) -> dict[str, Any] | None:
    """What separates a player from the next, as the row keeps it (STAND-12)."""
    why = one.explanation
    if why is None:
        return None
    return {"ahead_of": why.ahead_of, "by": why.criterion, "own": str(why.own), "other": str(why.other)}
