"""The tables of divisions: stored with every result, never worked out for a page (STAND-1 to 12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from leagues.models import Division, Entry, EntryState, Fixture
from leagues.seasons.locks import locked_division
from leagues.standings import Division as Results
from leagues.standings import Entrant, GameResult, SeatResult, standings, struck_games
from leagues.standings.ranking import Standing

COLUMNS = ("rank", "row", "points", "values", "explained")


def restand(division: Division) -> list[Standing]:
    """Work the table of *division* out anew, and store it; whoever calls is in a transaction.

    Which games are struck follows from who withdrew (STAND-4), so it is written here, too. The division is
    locked before anything is read: of two results that come at once the later table has both.
    """
    division = locked_division(division.pk)
    strike(division)
    results = results_of(division)
    table = standings(results.entrants, results.games, results.byes, results.rules, results.season)
    entries = {entry.player_id: entry for entry in division.entries.all()}
    for row, one in enumerate(table, start=1):
        entry = entries[int(one.player)]
        entry.rank, entry.row, entry.points = one.rank, row, str(one.points)
        entry.values = {name: str(value) for name, value in one.values.items()}
        entry.explained = _explained(one)
    Entry.objects.bulk_update(entries.values(), COLUMNS)
    return table


def results_of(division: Division) -> Results:
    """All that the standings of *division* follow from."""
    entries = division.entries.order_by("player")
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    return Results(
        entrants=tuple(
            Entrant(entry.player_id, Fraction(str(entry.rating)), entry.state == EntryState.WITHDRAWN)
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
    gone = set(division.entries.filter(state=EntryState.WITHDRAWN).values_list("player", flat=True))
    fixtures = Fixture.objects.filter(match__division=division, settled__isnull=False)
    games = [game_result(fixture) for fixture in fixtures] if gone else []
    struck = struck_games(games, gone, division.season.settings.standings.withdrawn)
    fixtures.filter(struck=True).exclude(pk__in=struck).update(struck=False)
    fixtures.filter(pk__in=struck, struck=False).update(struck=True)


def _explained(one: Standing) -> dict[str, Any] | None:
    """What separates a player from the next, as the row keeps it (STAND-12)."""
    why = one.explanation
    if why is None:
        return None
    return {"ahead_of": why.ahead_of, "by": why.criterion, "own": str(why.own), "other": str(why.other)}
