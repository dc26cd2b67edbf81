"""A division: its table, who got what against whom, and the matches of a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.access import Visitor
from leagues.models import Division, Entry, Fixture, Match
from leagues.pages.comparison import Comparison, comparisons
from leagues.pages.league import season_name
from leagues.pages.names import division_name
from leagues.pages.race import Race, Runner, race_of
from leagues.pages.season import Table, table_of
from leagues.pages.swiss_table import SwissRow, swiss_rows
from leagues.pages.who import Who, who
from leagues.seasons.tables import game_result
from leagues.selectors import leagues as found
from leagues.standings import Cell, CrossTable, cross_table, points_by_round
from leagues.words.criteria import number


class CrossRow(NamedTuple):
    """What a player got against each of the others, in the order of the table."""

    number: int
    who: Who
    cells: list[str]  # "" for who has not met, None never
    won: str
    even: str
    lost: str


class GameLine(NamedTuple):
    """A game of a match: where it is, and what came of it."""

    name: str
    url: str
    result: str
    settling: str = ""  # where an organiser settles it


class SeatLine(NamedTuple):
    """A player of a match."""

    who: Who
    won: str  # of the games of the match; empty at larger tables


class MatchLine(NamedTuple):
    """Who meet, and in which games."""

    number: int
    seats: list[SeatLine]
    games: list[GameLine]
    state: str


class RoundLink(NamedTuple):
    """A round that can be looked at."""

    number: int
    here: bool


@dataclass(frozen=True, slots=True)
class DivisionPage:
    """A division as anybody sees it."""

    name: str
    season: str
    season_url: str
    table: Table
    cross: list[CrossRow]
    race: Race | None
    swiss: list[SwissRow]  # instead of it, where rounds are drawn one after the other
    round: int
    rounds: list[RoundLink]
    matches: list[MatchLine]
    comparisons: list[Comparison]
    byes: list[Who]
    withdrawn: list[Who]


def page_of(division: Division, asked: str | None, visitor: Visitor) -> DivisionPage:
    """*division* with the round *asked* for, or else the last one that is drawn, for *visitor*."""
    season = division.season
    entries = found.table_of(division)
    last = max(1, division.drawn)
    shown = int(asked) if asked and asked.isdecimal() and 1 <= int(asked[:4]) <= last else last
    table = table_of(season, division, entries)
    settled, byes = found.settled(division), found.byes_of(division)
    swiss: list[SwissRow] = []
    crossed: CrossTable = {}
    if season.settings.swiss:
        swiss = swiss_rows(entries, found.pairings_of(division), settled, byes, division.drawn)
    else:
        crossed = cross_table([game_result(fixture) for fixture in settled], season.settings.standings)
    people = {entry.player_id: who(entry.player) for entry in entries}
    matches = list(found.matches_of(division, shown))
    results = [(fixture.match.round, game_result(fixture)) for fixture in settled]
    points = points_by_round(people, results, byes, season.settings.standings)
    return DivisionPage(
        name=division_name(division),
        season=season_name(season),
        season_url=reverse("league:season", args=[season.league.slug, season.number]),
        table=table,
        cross=cross_rows(entries, crossed),
        race=race_of([Runner(pk, name, pk == visitor.pk) for pk, name in people.items()], points),
        swiss=swiss,
        round=shown,
        rounds=[RoundLink(n, n == shown) for n in range(1, last + 1)] if last > 1 else [],
        matches=[match_line(match, people) for match in matches],
        comparisons=comparisons(division, shown, matches, visitor),
        byes=[people[bye] for round, bye in byes if round == shown and bye in people],
        withdrawn=[row.who for row in table.rows if row.gone],
    )


def cross_rows(entries: Sequence[Entry], crossed: CrossTable) -> list[CrossRow]:
    """Nothing before the first result."""
    if not crossed:
        return []
    return [_cross_row(at, entry, entries, crossed) for at, entry in enumerate(entries, start=1)]


def _cross_row(at: int, entry: Entry, entries: Sequence[Entry], crossed: CrossTable) -> CrossRow:
    own = crossed.get(entry.player_id, {})
    cells = [own.get(other.player_id) for other in entries]
    met = [cell for cell in cells if cell is not None]
    return CrossRow(
        number=at,
        who=who(entry.player),
        cells=["×" if other is entry else _cell(cell) for other, cell in zip(entries, cells, strict=True)],
        won=str(sum(cell.won for cell in met)),
        even=str(sum(cell.even for cell in met)),
        lost=str(sum(cell.lost for cell in met)),
    )


def _cell(cell: Cell | None) -> str:
    """How often the one was above the other and below; a half each where they were level."""
    if cell is None:
        return ""
    half = Fraction(cell.even, 2)
    return f"{number(cell.won + half)}:{number(cell.lost + half)}"


def match_line(match: Match, people: dict[int, Who]) -> MatchLine:
    fixtures = list(match.fixtures.all())
    seats = [seat.player_id for seat in match.seats.all()]
    won = {pk: number(n) for pk, n in _games_won(seats, fixtures).items()} if len(seats) == 2 else {}
    return MatchLine(
        number=match.number,
        seats=[
            SeatLine(people.get(seat.player_id) or who(seat.player), won.get(seat.player_id, ""))
            for seat in match.seats.all()
        ],
        games=[
            game_line(fixture, people, fixture.number)._replace(settling=_settling(match, fixture))
            for fixture in fixtures
        ],
        state=_state(match, fixtures),
    )


def _games_won(seats: Sequence[int], fixtures: Sequence[Fixture]) -> dict[int, Fraction]:
    won = dict.fromkeys(seats, Fraction())
    for fixture in fixtures:
        first = [seat["player"] for seat in fixture.seats or () if seat["rank"] == 1]
        for player in first:
            won[player] += Fraction(1, len(first))
    return won if any(fixture.settled for fixture in fixtures) else {}


def _state(match: Match, fixtures: Sequence[Fixture]) -> str:
    if match.decided:
        return _("decided")
    return _("being played") if fixtures else _("begins soon")


def game_line(fixture: Fixture, people: dict[int, Who], number: int) -> GameLine:
    """A game as its match, or its board, counts it."""
    game = fixture.game
    url = reverse("games:table", args=[game.code]) if game is not None else ""
    return GameLine(_("Game {n}").format(n=number), url, _result(fixture, people))


def _settling(match: Match, fixture: Fixture) -> str:
    league = match.division.season.league
    return f"{reverse('league:act', args=[league.slug, 'settle'])}?game={fixture.pk}"


def _result(fixture: Fixture, people: dict[int, Who]) -> str:
    """Scores in the order of the places; who did not play is told by name."""
    if fixture.seats is None:
        return _("in progress")
    ranked = sorted(fixture.seats, key=lambda seat: seat["rank"])
    absent = [people[seat["player"]].name for seat in ranked if seat["forfeit"] and seat["rank"] > 1]
    scores = [(people[seat["player"]].name, seat["score"]) for seat in ranked if seat["score"] is not None]
    told = ", ".join(f"{name} {score}" for name, score in scores)
    if absent:
        forfeit = ngettext("forfeit of {names}", "forfeits of {names}", len(absent))
        told = "; ".join(filter(None, (told, forfeit.format(names=", ".join(absent)))))
    return _("{result} (removed)").format(result=told) if fixture.struck else told
