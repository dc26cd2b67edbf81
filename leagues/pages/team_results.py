"""Lines of team matches, and results of players at boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games.words.times import format_when
from leagues.models import Board, Division, Season, TeamMatch
from leagues.pages.names import NameLink, format_round_name, link_player, link_team
from leagues.words.criteria import format_number


class MeetingLine(NamedTuple):
    """A match of two teams."""

    round: str
    first: NameLink
    second: NameLink
    score: str  # empty before it begins
    url: str
    state: str


class PlayerLine(NamedTuple):
    """Results of a player at the boards of a team."""

    who: NameLink
    team: NameLink
    boards: str
    won: str
    games: str  # won and lost


@dataclass(slots=True)
class BoardRecord:
    """Record of a player at boards; an even board or game is half a win."""

    boards: int = 0
    won: Fraction = Fraction()
    games: int = 0
    games_won: Fraction = Fraction()


def build_meeting_line(season: Season, division: Division, match: TeamMatch) -> MeetingLine:
    """Build the line of a match of teams; it has a score once it has begun."""
    return MeetingLine(
        round=format_round_name(division, match.round, match),
        first=link_team(match.first, season),
        second=link_team(match.second, season),
        score=format_score(match),
        url=build_match_url(season, division, match),
        state=describe_state(match),
    )


def build_match_url(season: Season, division: Division, match: TeamMatch) -> str:
    address = [season.league.slug, season.number, division.level, match.round, match.number]
    return reverse("league:team_match", args=address)


def format_score(match: TeamMatch) -> str:
    """Format the board points of a match that was read with its boards; empty before it begins."""
    if not match.boards.all():
        return ""
    return f"{format_number(match.first_points)}:{format_number(match.second_points)}"


def describe_state(match: TeamMatch) -> str:
    """Describe the state of a match, read with its boards."""
    boards = match.boards.all()
    if not boards:
        return _("begins {when}").format(when=format_when(match.begins))
    if match.over:
        return _("over")
    return _("decided; some boards are still played") if match.decided else _("being played")


def build_records(matches: Iterable[TeamMatch]) -> dict[int, BoardRecord]:
    """Count the results of each player at the boards of *matches*, by primary key. The win of a board with a
    substitution goes to the player who ended it; a player who left it without a game is not counted."""
    kept: dict[int, BoardRecord] = {}
    for match in matches:
        for board in match.boards.all():
            for side in (0, 1):
                for player in _count_board(kept, board, side):
                    kept[player].boards += 1
    return kept


def _count_board(kept: dict[int, BoardRecord], board: Board, side: int) -> set[int]:
    """Count games, and the win, of those who played at *side* of *board*; return their primary keys."""
    there = set()
    pairings = list(board.players.all())
    for players in pairings:
        player = (players.first_id, players.second_id)[side]
        if player is None or players.match is None:
            continue
        games = [fixture for fixture in players.match.fixtures.all() if fixture.seats is not None]
        if not games and players != pairings[-1]:
            continue
        there.add(player)
        record = kept.setdefault(player, BoardRecord())
        record.games += len(games)
        for game in games:
            first = [seat["player"] for seat in game.seats or () if seat["rank"] == 1]
            record.games_won += Fraction(player in first, len(first) or 1)
        points = (board.first_points, board.second_points)[side]
        if points is not None and players == pairings[-1]:
            record.won += Fraction(points, 2)
    return there


def build_player_lines(season: Season, matches: Sequence[TeamMatch]) -> list[PlayerLine]:
    """Return the results of all players, the most boards won first."""
    people: dict[int, tuple[NameLink, NameLink]] = {}
    for match in matches:
        first, second = link_team(match.first, season), link_team(match.second, season)
        for board in match.boards.all():
            for players in board.players.all():
                for player, team in ((players.first, first), (players.second, second)):
                    if player is not None:
                        people[player.pk] = link_player(player), team
    kept = build_records(matches)
    order = sorted(
        kept, key=lambda pk: (-kept[pk].won, kept[pk].boards, -kept[pk].games_won, people[pk][0].name)
    )
    return [PlayerLine(*people[pk], *format_record(kept[pk])) for pk in order]


def format_record(record: BoardRecord) -> tuple[str, str, str]:
    """Format boards, boards won, and games won and lost."""
    lost = record.games - record.games_won
    return (
        str(record.boards),
        format_number(record.won),
        f"{format_number(record.games_won)}:{format_number(lost)}",
    )
