"""A match of teams: its boards side by side, with their games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import Player
from leagues.models import Board, Division, Kind, TeamMatch
from leagues.pages.division import GameLine, game_line
from leagues.pages.names import division_name, round_name
from leagues.pages.team_tables import score, state, team_who
from leagues.pages.who import Who, who
from leagues.words import teams
from leagues.words.criteria import number


class BoardLine(NamedTuple):
    """A board: who plays there, and what came of it."""

    number: int
    first: list[Who]  # several where somebody was replaced
    second: list[Who]
    points: str
    games: list[GameLine]


@dataclass(frozen=True, slots=True)
class TeamMatchPage:
    """A match of teams as anybody sees it."""

    first: Who
    second: Who
    score: str
    state: str
    place: str  # division and round
    place_url: str
    outcome: str  # who moves on, in a knock-out
    closes: str  # until when line-ups can be changed, before it begins
    boards: list[BoardLine]


def page_of(division: Division, match: TeamMatch, now: datetime) -> TeamMatchPage:
    """*match*, which was read with its boards."""
    season = division.season
    rules = season.settings.teams
    begun = bool(match.boards.all())
    address = [season.league.slug, season.number, division.level]
    return TeamMatchPage(
        first=team_who(match.first, season),
        second=team_who(match.second, season),
        score=score(match),
        state=state(match),
        place=f"{division_name(division)}, {round_name(division, match.round, match.number)}",
        place_url=f"{reverse('league:division', args=address)}?round={match.round}",
        outcome=_outcome(match) if division.kind == Kind.KNOCK_OUT else "",
        closes=_closes(match.begins - rules.closes, now) if rules is not None and not begun else "",
        boards=[_board(board) for board in match.boards.all()],
    )


def _outcome(match: TeamMatch) -> str:
    """Who has won a *match* of a knock-out, and by what if it was even."""
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
    return _("Captains can set their line-ups until {when}.").format(when=teams.when(closes))


def _board(board: Board) -> BoardLine:
    both = list(board.players.all())
    people: dict[int, Who] = {}
    games: list[GameLine] = []
    for players in both:
        for player in (players.first, players.second):
            if player is not None:
                people[player.pk] = who(player)
        if players.match is not None:
            fixtures = players.match.fixtures.all()
            games += [
                game_line(fixture, people, at) for at, fixture in enumerate(fixtures, start=len(games) + 1)
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
    return number(f"{points}/2")


def _in_turn(players: list[Player | None]) -> list[Who]:
    """Those who have played, each once; who is not there has no name."""
    kept = [player for player in dict.fromkeys(players) if player is not None]
    return [who(player) for player in kept] or [Who(_("nobody"), "")]
