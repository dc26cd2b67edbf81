"""Divisions as values for programs: one line each, as ``simulate_league --json`` writes them."""

from __future__ import annotations

from typing import Any

from leagues.models import Division, Entry, EntryState, Fixture, Kind, TeamState
from leagues.seasons.tables import game_result, results_of, withdrawn
from leagues.seasons.teams.tables import matches_with_games, team_results
from leagues.standings import game_to_json, rules_to_json


def line_of(division: Division) -> dict[str, Any]:
    """Everything that the standings of *division* follow from, and the standings as they are stored."""
    if division.kind == Kind.KNOCK_OUT:
        return line_of_bracket(division)
    season = division.season
    results = results_of(division)
    entries = list(division.entries.order_by("row"))
    of_teams = {} if season.settings.teams is None else {"teams": teams_of(division)}
    gone = withdrawn(division)
    withdrew = [entry.player_id for entry in entries if entry.player_id in gone]
    return {
        "league": season.league.slug,
        "season": season.pk,
        "division": division.level,
        "settings": rules_to_json(results.rules),
        "players": [
            {"id": entry.player_id, "rating": entry.rating, "withdrew": entry.player_id in withdrew}
            for entry in entries
        ],
        "games": [game_to_json(game) for game in results.games],
        "byes": list(results.byes),
        "standings": [
            {
                "player": entry.player_id,
                "rank": entry.rank,
                "points": entry.points,
                "values": entry.values,
            }
            for entry in entries
        ],
        "up": [entry.player_id for entry in entries if entry.moves == "up"],
        "down": [entry.player_id for entry in entries if entry.moves == "down"],
        "withdrawn": withdrew,
        **of_teams,
    }


def teams_of(division: Division) -> dict[str, Any]:
    """The same of the teams of *division*: a line of its own, whose matches are of teams and whose games are
    boards. Besides, each team has its members, and each board the matches of players that were played there.
    """
    matches = matches_with_games(division)
    results = team_results(division, matches)
    teams = list(division.teams.order_by("row").prefetch_related("members"))
    withdrew = [team.pk for team in teams if team.state == TeamState.WITHDRAWN]
    boards = {board.pk: board for match in matches for board in match.boards.all()}
    return {
        "league": division.season.league.slug,
        "season": division.season_id,
        "division": division.level,
        "settings": rules_to_json(results.rules),
        "players": [
            {
                "id": team.pk,
                "rating": team.rating,
                "withdrew": team.pk in withdrew,
                "members": [member.player_id for member in team.members.all() if member.joined],
            }
            for team in teams
        ],
        "games": [
            {
                **game_to_json(game),
                "board": boards[int(game.id)].number,
                "matches": [one.match_id for one in boards[int(game.id)].players.all()],
            }
            for game in results.games
        ],
        "byes": [],
        "standings": [
            {
                "player": team.pk,
                "rank": team.rank,
                "points": team.points,
                "board_points": team.board_points,
                "values": team.values,
            }
            for team in teams
        ],
        "up": [team.pk for team in teams if team.moves == "up"],
        "down": [team.pk for team in teams if team.moves == "down"],
        "withdrawn": withdrew,
    }


def line_of_bracket(division: Division) -> dict[str, Any]:
    """The same of a knock-out: its ``players`` in the order of their seeds, and its ``matches``, whose winner
    is null if they ended even.

    A rank says how far somebody came; points are those of the matches (STAND-2), and decide nothing.
    """
    season = division.season
    entries = {entry.player_id: entry for entry in season.entries.all()}
    seeds = list(division.seeds.order_by("number"))
    withdrew = [pk for pk, entry in entries.items() if entry.state == EntryState.WITHDRAWN]
    games = Fixture.objects.filter(match__division=division, settled__isnull=False).order_by("pk")
    matches: list[dict[str, Any]] = [
        {
            "id": match.pk,
            "round": match.round,
            "number": match.number,
            "best_of": match.games,
            "players": [seat.player_id for seat in match.seats.all()],
            "winner": match.winner_id,
        }
        for match in division.matches.select_related("division__season").prefetch_related("seats")
    ]
    byes = list(division.byes.order_by("pk").values_list("player", flat=True))
    points = {seed.player_id: 2 * byes.count(seed.player_id) for seed in seeds}
    for match in matches:
        for player in match["players"]:
            points[player] += 1 if match["winner"] is None else 2 * (player == match["winner"])
    return {
        "league": season.league.slug,
        "season": season.pk,
        "division": division.level,
        "kind": division.kind,
        "settings": rules_to_json(season.settings.standings) | season.settings.cup.to_json(),
        "players": [_player(entries[seed.player_id]) for seed in seeds],
        "games": [game_to_json(game_result(game)) for game in games],
        "matches": matches,
        "byes": byes,
        "standings": [
            {"player": seed.player_id, "rank": seed.rank, "points": str(points[seed.player_id]), "values": {}}
            for seed in sorted(seeds, key=lambda seed: (seed.rank, seed.number))
        ],
        "up": [],
        "down": [],
        "withdrawn": [seed.player_id for seed in seeds if seed.player_id in withdrew],
    }


def _player(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.player_id,
        "rating": entry.rating,
        "withdrew": entry.state == EntryState.WITHDRAWN,
    }
