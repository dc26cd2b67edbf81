"""The page of a division: its table, cross table, and the matches of a round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.access import Visitor
from games.models import Ending
from leagues.models import Division, Entry, Fixture, League, Match, Team, TeamMatch
from leagues.pages.comparison import Comparison, build_comparisons
from leagues.pages.league import format_season_name
from leagues.pages.names import NameLink, format_division_name, link_player, link_team, read_round
from leagues.pages.race import RacePage, Runner, build_race, build_team_race
from leagues.pages.season import DivisionTable, build_table
from leagues.pages.swiss_table import SwissRow, build_swiss_rows
from leagues.pages.team_results import (
    MeetingLine,
    PlayerLine,
    build_meeting_line,
    build_player_lines,
)
from leagues.seasons.tables import build_game_result
from leagues.selectors import leagues as found
from leagues.selectors import teams as found_teams
from leagues.standings import CrossTable, CrossTableCell, build_cross_table, count_points_by_round
from leagues.standings.values import PlayerId
from leagues.words.criteria import format_number

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LEFT: Mapping[str, StrOrPromise] = {
    Ending.RESIGNED: gettext_lazy("{winner} won: {loser} resigned"),
    Ending.TIME_OUT: gettext_lazy("{winner} won: {loser} ran out of time"),
}
"""Texts for duels that one of the players left."""


Scores = Mapping[tuple[PlayerId, PlayerId], str]
"""Scores between two players or teams, by their keys."""


class CrossRow(NamedTuple):
    """Results of a player or a team against each of the others, in the order of the table."""

    number: int
    who: NameLink
    cells: list[str]  # empty for players who have not met
    totals: list[str]  # games of a player that were won, even and lost


class MatchGameLine(NamedTuple):
    """A game of a match, with its link and result."""

    name: str
    url: str
    result: str
    settling: str  # URL for organisers to settle it


class MatchSeatLine(NamedTuple):
    """A player of a match."""

    who: NameLink
    won: str  # of the games of the match; empty at larger tables


class MatchLine(NamedTuple):
    """Match with its players and games."""

    number: int
    seats: list[MatchSeatLine]
    games: list[MatchGameLine]
    state: str


class RoundLink(NamedTuple):
    """A link to a round."""

    number: int
    here: bool


@dataclass(frozen=True, slots=True)
class DivisionPage:
    """The page of a division of players or teams."""

    name: str
    season: str
    season_url: str
    table: DivisionTable
    round: int
    rounds: list[RoundLink]
    cross: list[CrossRow] = field(default_factory=list)
    swiss: list[SwissRow] = field(default_factory=list)  # in place of the cross table
    race: RacePage | None = None  # none if all matches run at once
    matches: list[MatchLine] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    byes: list[NameLink] = field(default_factory=list)
    withdrawn: list[NameLink] = field(default_factory=list)
    meetings: list[MeetingLine] = field(default_factory=list)  # for teams, in place of matches
    players: list[PlayerLine] = field(default_factory=list)  # results at the boards of teams


def build_page(division: Division, asked: str | None, visitor: Visitor) -> DivisionPage:
    """Build the page of *division* with the round *asked* for, or else the last one that is drawn, for
    *visitor*."""
    if division.season.settings.teams is not None:
        return _build_page_of_teams(division, asked)
    entries = found.load_table(division)
    page = _begin_page(division, entries, asked, division.drawn)
    rules = division.season.settings.standings
    settled, byes = found.load_settled_games(division), found.load_byes(division)
    people = {entry.player_id: link_player(entry.player) for entry in entries}
    results = [(fixture.match.round, build_game_result(fixture)) for fixture in settled]
    if division.sequential:
        runners = [Runner(pk, name, pk == visitor.pk) for pk, name in people.items()]
        penalties: dict[PlayerId, Fraction] = {entry.player_id: Fraction(entry.penalty) for entry in entries}
        points = count_points_by_round(people, results, byes, rules, penalties)
        page = replace(
            page,
            swiss=build_swiss_rows(
                entries, found.load_pairings(division), settled, byes, division.drawn, rules
            ),
            race=build_race(runners, points) if rules.counts_points else None,
        )
    else:
        crossed = build_cross_table([result for _round, result in results], rules)
        page = replace(page, cross=_build_cross_rows(people, _score_games(crossed), crossed))
    matches = list(found.load_matches(division, page.round))
    return replace(
        page,
        matches=[build_match_line(match, people) for match in matches],
        comparisons=build_comparisons(division, page.round, matches, visitor),
        byes=[people[bye] for round, bye in byes if round == page.round and bye in people],
        withdrawn=[row.who for row in page.table.rows if row.gone],
    )


def _build_page_of_teams(division: Division, asked: str | None) -> DivisionPage:
    """The page of a division of teams. All its rounds can be selected from the beginning."""
    season = division.season
    teams = found_teams.load_table(division)
    page = _begin_page(division, teams, asked, division.rounds)
    matches = list(found_teams.load_matches(division))
    here = [match for match in matches if match.round == page.round]
    playing = {pk for match in here for pk in (match.first_id, match.second_id)}
    who = {team.pk: link_team(team, season) for team in teams}
    return replace(
        page,
        cross=_build_cross_rows(who, _score_boards(matches, division.drawn)),
        race=build_team_race(
            [Runner(pk, name, own=False) for pk, name in who.items()],
            matches,
            {team.pk: Fraction(team.penalty) for team in teams},
        ),
        meetings=[build_meeting_line(season, division, match) for match in here],
        byes=[name for pk, name in who.items() if pk not in playing] if here else [],
        players=build_player_lines(season, matches),
    )


def _begin_page(
    division: Division, contenders: Sequence[Entry | Team], asked: str | None, rounds: int
) -> DivisionPage:
    """The page with the parts common to all divisions; *rounds* of them can be selected."""
    season, last = division.season, max(1, rounds)
    shown = read_round(asked, last, usual=max(1, division.drawn))
    return DivisionPage(
        name=format_division_name(division),
        season=format_season_name(season),
        season_url=reverse("league:season", args=[season.league.slug, season.number]),
        table=build_table(season, division, contenders),
        round=shown,
        rounds=[RoundLink(n, n == shown) for n in range(1, last + 1)] if last > 1 else [],
    )


def _build_cross_rows(
    who: Mapping[int, NameLink], scores: Scores, crossed: CrossTable | None = None
) -> list[CrossRow]:
    """The rows of *who*, in order of the table; none before the first result."""
    return [
        CrossRow(
            number=at,
            who=name,
            cells=["×" if other == own else scores.get((own, other), "") for other in who],
            totals=_total_games(crossed.get(own, {}).values()) if crossed is not None else [],
        )
        for at, (own, name) in enumerate(who.items(), start=1)
        if scores
    ]


def _total_games(met: Collection[CrossTableCell]) -> list[str]:
    return [str(sum(getattr(cell, name) for cell in met)) for name in ("won", "even", "lost")]


def _score_games(crossed: CrossTable) -> Scores:
    return {(own, other): _cell(cell) for own, cells in crossed.items() for other, cell in cells.items()}


def _score_boards(matches: Iterable[TeamMatch], drawn: int) -> Scores:
    got: dict[tuple[PlayerId, PlayerId], Fraction] = {}
    for match in matches:
        if match.round <= drawn:
            pair = match.first_id, match.second_id
            got[pair] = got.get(pair, Fraction()) + Fraction(match.first_points)
            got[pair[::-1]] = got.get(pair[::-1], Fraction()) + Fraction(match.second_points)
    return {(own, other): _ratio(points, got[other, own]) for (own, other), points in got.items()}


def _ratio(own: Fraction, other: Fraction) -> str:
    return f"{format_number(own)}:{format_number(other)}"


def _cell(cell: CrossTableCell) -> str:
    """The ratio of games in which the first was above the other and below; half each where they were
    level."""
    half = Fraction(cell.even, 2)
    return _ratio(cell.won + half, cell.lost + half)


def build_match_line(match: Match, people: dict[int, NameLink]) -> MatchLine:
    fixtures = list(match.fixtures.all())
    seats = [seat.player_id for seat in match.seats.all()]
    won = {pk: format_number(n) for pk, n in _games_won(seats, fixtures).items()} if len(seats) == 2 else {}
    return MatchLine(
        number=match.number,
        seats=[
            MatchSeatLine(people.get(seat.player_id) or link_player(seat.player), won.get(seat.player_id, ""))
            for seat in match.seats.all()
        ],
        games=[
            build_game_line(fixture, people, fixture.number, match.division.season.league)
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


def build_game_line(
    fixture: Fixture, people: dict[int, NameLink], number: int, league: League
) -> MatchGameLine:
    """Build the line of a game in its match, or at its board."""
    game = fixture.game
    url = reverse("games:table", args=[game.code]) if game is not None else ""
    settling = f"{reverse('league:act', args=[league.slug, 'settle'])}?game={fixture.pk}"
    return MatchGameLine(_("Game {n}").format(n=number), url, _result(fixture, people), settling)


def _how_left(fixture: Fixture, names: Sequence[str]) -> str:
    """Describe a duel that one player left, the winner's name first; empty for other games. Points decided
    nothing there."""
    ending = fixture.game.ending if fixture.game is not None else ""
    if ending not in LEFT or len(names) != 2:
        return ""
    return str(LEFT[ending]).format(winner=names[0], loser=names[1])


def _describe_winners(fixture: Fixture, people: dict[int, NameLink]) -> str:
    """Describe a game without scores that nobody forfeited: it was decided by time (CLOCK-24)."""
    seats = fixture.seats or []
    if any(seat["forfeit"] for seat in seats):
        return ""
    first = [people[seat["player"]].name for seat in seats if seat["rank"] == 1]
    return ngettext("{names} won", "{names} tied", len(first)).format(names=", ".join(first))


def _result(fixture: Fixture, people: dict[int, NameLink]) -> str:
    """Scores in order of rank; players who forfeited are named."""
    if fixture.seats is None:
        return _("no result yet") if fixture.game is not None and fixture.game.ended else _("in progress")
    ranked = sorted(fixture.seats, key=lambda seat: seat["rank"])
    absent = [people[seat["player"]].name for seat in ranked if seat["forfeit"] and seat["rank"] > 1]
    scores = [(people[seat["player"]].name, seat["score"]) for seat in ranked if seat["score"] is not None]
    told = _how_left(fixture, [name for name, _score in scores])
    told = (
        told or ", ".join(f"{name} {score}" for name, score in scores) or _describe_winners(fixture, people)
    )
    if absent:
        forfeit = ngettext("forfeit of {names}", "forfeits of {names}", len(absent))
        told = "; ".join(filter(None, (told, forfeit.format(names=", ".join(absent)))))
    return _("{result} (removed)").format(result=told) if fixture.struck else told
