"""Divisions in the JSON format of ``simulate_league --json``, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from leagues.models import (
    Contender,
    Division,
    Entry,
    EntryState,
    Fixture,
    Kind,
    Season,
    Seed,
    Team,
    TeamMatch,
    TeamState,
)
from leagues.seasons.brackets import build_knock_out
from leagues.seasons.tables import build_game_result, load_draws, load_results, load_withdrawn_players
from leagues.seasons.teams.tables import (
    build_table_rules,
    list_board_results,
    load_matches_with_games,
    load_team_results,
    load_withdrawn_teams,
)
from leagues.standings import GameResult, game_to_json, rules_to_json


def build_line(division: Division) -> dict[str, Any]:
    """Build the line of *division*: all that its standings are computed from, and the stored standings."""
    if division.kind == Kind.KNOCK_OUT:
        teams = division.season.settings.teams is not None
        return line_of_team_bracket(division) if teams else line_of_bracket(division)
    if division.kind == Kind.LADDER:
        return line_of_ladder(division)
    season = division.season
    results = load_results(division)
    entries = list(division.entries.order_by("row"))
    of_teams = {} if season.settings.teams is None else {"teams": teams_of(division)}
    gone = load_withdrawn_players(division)
    withdrew = [entry.player_id for entry in entries if entry.player_id in gone]
    return {
        "league": season.league.slug,
        "season": season.pk,
        "division": division.level,
        "settings": rules_to_json(results.rules),
        "players": [
            {"id": entry.player_id, "rating": entry.rating, "withdrew": entry.player_id in withdrew}
            | _penalty(entry)
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
    """Build the part of the line for the teams of *division*: like a line, but its matches are of teams and
    its games are boards. Each team has its members, and each board the matches of players played there."""
    matches = load_matches_with_games(division)
    results = load_team_results(division, matches)
    teams = list(division.teams.order_by("row").prefetch_related("members"))
    gone = load_withdrawn_teams(division)
    withdrew = [team.pk for team in teams if team.pk in gone]
    return {
        "league": division.season.league.slug,
        "season": division.season_id,
        "division": division.level,
        "settings": rules_to_json(results.rules),
        "players": [_team(team, withdrew) for team in teams],
        "games": _boards(matches, results.games),
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
    """Build the line of a knock-out: its ``players`` in the order of their seeds, and its ``matches``, whose
    winner is null if they ended even.

    A rank says how far somebody came; points are those of the matches (STAND-2), and decide nothing.
    """
    season = division.season
    entries = {entry.player_id: entry for entry in season.entries.all()}
    seeds = list(division.seeds.order_by("number"))
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
    return {
        **_head(division),
        "settings": rules_to_json(season.settings.standings) | season.settings.cup.to_json(),
        "players": [_player(entries[seed.holder]) for seed in seeds],
        "games": _games(division),
        **_bracket(seeds, matches, list(division.byes.order_by("pk").values_list("player", flat=True))),
        "withdrawn": [seed.holder for seed in seeds if entries[seed.holder].state == EntryState.WITHDRAWN],
    }


def line_of_team_bracket(division: Division) -> dict[str, Any]:
    """Build the line of a knock-out of teams: the games of their players, who have no table, and as ``teams``
    the line of the bracket, whose matches are of teams and whose games are boards."""
    season = division.season
    seeds = list(division.seeds.order_by("number"))
    teams = {team.pk: team for team in season.teams.filter(seeds__in=seeds).prefetch_related("members")}
    entries = season.entries.filter(player__teams__team__in=teams, player__teams__joined__isnull=False)
    withdrew = [pk for pk, team in teams.items() if team.state == TeamState.WITHDRAWN]
    matches = load_matches_with_games(division)
    played = [
        {
            "id": match.pk,
            "round": match.round,
            "number": match.number,
            "best_of": match.boards.count(),
            "games_at_a_board": match.games,
            "players": [match.first_id, match.second_id],
            "winner": match.winner_id,
        }
        for match in matches
    ]
    byes = [tie.players[0] for tie in build_knock_out(division).rounds()[0] if tie.bye]
    cup = season.settings.cup
    settings = {**cup.to_json(), "longer": [], "even": "score_difference"}
    of_teams = {
        **_head(division),
        "settings": rules_to_json(build_table_rules(season)) | settings,
        "players": [_team(teams[seed.holder], withdrew) for seed in seeds],
        "games": _boards(matches, list_board_results(matches)),
        **_bracket(seeds, played, [pk for pk in byes if pk is not None]),
        "withdrawn": [seed.holder for seed in seeds if seed.holder in withdrew],
    }
    players = [_player(entry) for entry in entries.order_by("pk")]
    return {
        **_head(division),
        "settings": rules_to_json(season.settings.standings) | cup.to_json(),
        "players": players,
        "games": _games(division),
        "byes": [],
        "standings": [],
        "up": [],
        "down": [],
        "withdrawn": [player["id"] for player in players if player["withdrew"]],
        "teams": of_teams,
    }


def line_of_ladder(division: Division) -> dict[str, Any]:
    """Build the line of a ladder: its order at ``first``, the ``challenges``, and players who ``came`` to its
    foot or ``left`` it. The standings are the final order, without those who left."""
    season = division.season
    entries = list(division.entries.order_by("row", "pk"))
    standing = [entry for entry in entries if entry.row is not None]
    challenges = division.challenges.select_related("match__division__season").order_by("made", "pk")
    drawn = sorted((entry for entry in entries if entry.order), key=lambda entry: entry.order)
    withdrew = [entry.player_id for entry in entries if entry.state == EntryState.WITHDRAWN]
    return {
        **_head(division),
        "settings": {
            **rules_to_json(season.settings.standings),
            **season.settings.challenges.to_json(),
            "ends": season.ends.isoformat(),
        },
        "players": [_player(entry) for entry in entries],
        "games": _games(division),
        "first": [entry.player_id for entry in drawn],
        "came": _in_log(season, "register"),
        "left": _in_log(season, "withdraw"),
        "challenges": [
            {
                "id": one.match_id,
                "challenger": one.challenger_id,
                "challenged": one.challenged_id,
                "made": one.made.isoformat(),
                "ended": one.ended.isoformat() if one.ended is not None else None,
                "best_of": one.match.games,
                "winner": one.match.winner_id,
                "declined": one.declined,
            }
            for one in challenges
        ],
        "byes": [],
        "standings": [
            {"player": entry.player_id, "rank": entry.rank, "points": "0", "values": {}} for entry in standing
        ],
        "up": [],
        "down": [],
        "withdrawn": withdrew,
    }


def _in_log(season: Season, act: str) -> list[dict[str, Any]]:
    """The players who did *act* while *season* ran, with the times."""
    found = season.league.log.filter(season=season, act=act, at__gte=season.begins).order_by("at", "pk")
    return [{"player": one.who_id, "at": one.at.isoformat()} for one in found]


def _head(division: Division) -> dict[str, Any]:
    return {
        "league": division.season.league.slug,
        "season": division.season_id,
        "division": division.level,
        "kind": division.kind,
    }


def _games(division: Division) -> list[dict[str, Any]]:
    settled = Fixture.objects.filter(match__division=division, settled__isnull=False)
    draws = load_draws(division)
    return [game_to_json(build_game_result(game, draws.get(game.pk))) for game in settled.order_by("pk")]


def _bracket(seeds: Sequence[Seed], matches: Sequence[dict[str, Any]], byes: Sequence[int]) -> dict[str, Any]:
    """The parts of a line that follow from the *matches* of a knock-out."""
    points = {seed.holder: 2 * byes.count(seed.holder) for seed in seeds}
    for match in matches:
        for holder in match["players"]:
            points[holder] += 1 if match["winner"] is None else 2 * (holder == match["winner"])
    return {
        "matches": list(matches),
        "byes": list(byes),
        "standings": [
            {"player": seed.holder, "rank": seed.rank, "points": str(points[seed.holder]), "values": {}}
            for seed in sorted(seeds, key=lambda seed: (seed.rank, seed.number))
        ],
        "up": [],
        "down": [],
    }


def _team(team: Team, withdrew: Sequence[int]) -> dict[str, Any]:
    return {
        "id": team.pk,
        "rating": team.rating,
        "withdrew": team.pk in withdrew,
        "members": [member.player_id for member in team.members.all() if member.joined],
        **_penalty(team),
    }


def _penalty(contender: Contender) -> dict[str, str]:
    return {"penalty": str(Fraction(contender.penalty))} if contender.penalty else {}


def _boards(matches: Iterable[TeamMatch], results: Iterable[GameResult]) -> list[dict[str, Any]]:
    """Boards as games of teams, with the matches of players that were played there."""
    boards = {board.pk: board for match in matches for board in match.boards.all()}
    return [
        {
            **game_to_json(game),
            "board": boards[int(game.id)].number,
            "matches": [one.match_id for one in boards[int(game.id)].players.all()],
        }
        for game in results
    ]


def _player(entry: Entry) -> dict[str, Any]:
    return {
        "id": entry.player_id,
        "rating": entry.rating,
        "withdrew": entry.state == EntryState.WITHDRAWN,
    }
