"""The page of a match of teams: its boards with their games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from games.words.times import format_when
from leagues.models import Board, Division, Kind, League, TeamMatch
from leagues.pages.division import MatchGameLine, build_game_line
from leagues.pages.names import NameLink, format_match_name, link_player, link_team
from leagues.pages.team_results import describe_state, format_score
from leagues.words.criteria import format_number


class BoardLine(NamedTuple):
    """A board with its players and games."""

    number: int
    first: list[NameLink]  # several where somebody was replaced
    second: list[NameLink]
    points: str
    games: list[MatchGameLine]


@dataclass(frozen=True, slots=True)
class TeamMatchPage:
    """The page of a match of teams."""

    first: NameLink
    second: NameLink
    score: str
    state: str
    place: str  # division and round
    place_url: str
    outcome: str  # team that moves on in a knock-out
    closes: str  # deadline for line-ups, until it has passed
    boards: list[BoardLine]


def build_page(division: Division, match: TeamMatch, now: datetime) -> TeamMatchPage:
    """Build the page of *match*, which was read with its boards."""
    match.division = division  # which was read with its season
    season = division.season
    rules = season.settings.teams
    begun = bool(match.boards.all())
    address = [season.league.slug, season.number, division.level]
    return TeamMatchPage(
        first=link_team(match.first, season),
        second=link_team(match.second, season),
        score=format_score(match),
        state=describe_state(match),
        place=format_match_name(match),
        place_url=f"{reverse('league:division', args=address)}?round={match.round}",
        outcome=_outcome(match) if division.kind == Kind.KNOCK_OUT else "",
        closes=_closes(match.begins - rules.closes, now) if rules is not None and not begun else "",
        boards=[_board(board, season.league) for board in match.boards.all()],
    )


def _outcome(match: TeamMatch) -> str:
    """Describe the winner of a *match* of a knock-out, and the tie-break if it was even."""
    if not match.decided:
        return ""
    if match.winner is None:
        return _("Nothing separates the two, so {team} has won as the higher seed.").format(team=match.first)
    if match.first_points == match.second_points:
        return _("{team} has won by the points in the games at the boards.").format(team=match.winner)
    return _("{team} has won.").format(team=match.winner)


def _closes(closes: datetime, now: datetime) -> str:
    if closes <= now:
        return _("The line-ups are closed. We'll show them when the match starts.")
    return _("Captains can set their line-ups until {when}.").format(when=format_when(closes))


def _board(board: Board, league: League) -> BoardLine:
    both = list(board.players.all())
    people: dict[int, NameLink] = {}
    games: list[MatchGameLine] = []
    for players in both:
        for player in (players.first, players.second):
            if player is not None:
                people[player.pk] = link_player(player)
        if players.match is not None:
            fixtures = players.match.fixtures.all()
            games += [
                build_game_line(fixture, people, at, league)
                for at, fixture in enumerate(fixtures, start=len(games) + 1)
            ]
    points = ""
    if board.first_points is not None and board.second_points is not None:
        points = f"{_half(board.first_points)}:{_half(board.second_points)}"
    return BoardLine(
        board.number,
        _in_turn([players.first for players in both]),
        _in_turn([players.second for players in both]),
        points,
        games,
    )


def _half(points: int) -> str:
    return format_number(f"{points}/2")


def _in_turn(players: list[Player | None]) -> list[NameLink]:
    """The players who have played, each once; or "nobody"."""
    kept = [player for player in dict.fromkeys(players) if player is not None]
    return [link_player(player) for player in kept] or [NameLink(_("nobody"), "")]
