"""Boards of team matches: their state, their players, and substitutions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from games.clocks import DAY
from leagues.models import Board, BoardPlayers, Entry, EntryState, Match, Team
from leagues.schedules.series import Series
from leagues.schedules.teams import build_board_series
from leagues.seasons.locks import lock_match
from leagues.seasons.teams.line_ups import list_spare_players

TIME_TO_REPLACE = 2 * DAY
"""Time for the captain to send a substitute after a player left; then the board is forfeited."""

WITH_SEASON = "board__team_match__division__season"

Result = list[dict[str, Any]]
"""Result of a game, as stored in ``Fixture.seats``."""


def list_games(board: Board) -> list[tuple[BoardPlayers, Result]]:
    """Return the games at *board* that have a result, in order, each with its players."""
    return [
        (players, fixture.seats)
        for players in sorted(board.players.all(), key=lambda one: one.number)
        if players.match is not None
        for fixture in sorted(players.match.fixtures.all(), key=lambda one: one.number)
        if fixture.seats is not None
    ]


def find_winning_side(players: BoardPlayers, result: Result) -> int | None:
    """Return 0 if the player of the first team won alone, 1 if that of the second did."""
    first = [seat["player"] for seat in result if seat["rank"] == 1]
    if len(first) != 1:
        return None
    return 0 if first[0] == players.first_id else 1


def build_series_of_board(board: Board) -> Series[int]:
    """Build the series at *board*, between side 0 and side 1."""
    winners = [find_winning_side(players, result) for players, result in list_games(board)]
    return build_board_series(board.number, board.team_match.games, winners)


def compute_board_points(board: Board) -> tuple[int, int] | None:
    """Return the match points of both teams at *board*; None while it is not decided.

    If nobody came to any of its games, or there was no time for one, both teams get none; if one team had no
    player at all, the other one has won (STAND-3).
    """
    last = max(board.players.all(), key=lambda one: one.number)
    if last.match is None:
        return (2 * (last.first_id is not None), 2 * (last.second_id is not None))
    series = build_series_of_board(board)
    if not series.decided:
        return (0, 0) if last.match.decided is not None and last.match.is_unplayed else None
    if all(_nobodys(result) for _, result in list_games(board)):
        return (0, 0)
    return int(series.points(0)), int(series.points(1))


def find_series(match: Match) -> Series[int] | None:
    """Return the series of the board where *match* is played, between its two players; None if it is at none.

    Games before a substitution count for the substitute.
    """
    players = BoardPlayers.objects.filter(match=match).select_related(WITH_SEASON).first()
    if players is None or players.first_id is None or players.second_id is None:
        return None
    series = build_series_of_board(players.board)
    side = players.first_id, players.second_id
    winners = tuple(None if winner is None else side[winner] for winner in series.winners)
    return Series(side[series.first], side[series.second], series.best_of, winners)


def find_last_match(match: Match) -> Match:
    """Return the match in which the series at the board of *match* goes on; another one after a
    substitution."""
    there = BoardPlayers.objects.filter(board__players__match=match).order_by("number").last()
    if there is None or there.match_id in (None, match.pk):
        return match
    assert there.match_id is not None
    return lock_match(there.match_id)


def awaits_substitute(match: Match, present: Collection[int], now: datetime) -> bool:
    """Return whether a game at a board need not be forfeited yet, as a player who is not *present* may be
    replaced."""
    return any(may_replace(match, team, present, now) for team in _teams_short(match, present))


def may_replace(match: Match, team: Team, present: Collection[int], now: datetime) -> bool:
    """Return whether the captain of *team* still has time and a spare player to replace its player in
    *match*."""
    players = BoardPlayers.objects.filter(match=match).select_related("board__team_match").get()
    meeting = players.board.team_match
    away = players.first_id if meeting.first_id == team.pk else players.second_id
    if away in present:
        return False
    entry = Entry.objects.select_related("player").get(season=team.season_id, player=away)
    since = entry.withdrew if entry.state == EntryState.WITHDRAWN else entry.player.closed
    if since is None or now >= since + TIME_TO_REPLACE:
        return False
    return bool(list_spare_players(team, meeting))


def _teams_short(match: Match, present: Collection[int]) -> Iterable[Team]:
    players = (
        BoardPlayers.objects.filter(match=match)
        .select_related("board__team_match__first", "board__team_match__second")
        .first()
    )
    if players is None:
        return
    meeting = players.board.team_match
    if players.first_id not in present:
        yield meeting.first
    if players.second_id not in present:
        yield meeting.second


def _nobodys(result: Result) -> bool:
    return all(seat["forfeit"] and seat["rank"] > 1 for seat in result)
