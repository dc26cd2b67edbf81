"""Divisions in the JSON format of ``simulate_league --json``, one line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from leagues.models import Contender, Division, Entry, Fixture, Seed, Team, TeamMatch, TeamState
from leagues.seasons.brackets import build_knock_out
from leagues.seasons.tables import is_round_robin_running, load_draws, load_withdrawn_players
from leagues.seasons.teams.tables import (
    build_table_rules,
    is_team_round_robin_running,
    list_board_results,
    load_matches_with_games,
    load_withdrawn_teams,
)
from leagues.selectors.serialiser import Record, serialise_game, serialise_standing
from leagues.standings import game_to_json, rules_to_json


def build_line(division: Division) -> Record:
    """Build the line of *division*: all that its standings are computed from, and the stored standings."""
    return division.format.build_line(division)


def line_of_table(division: Division) -> Record:
    """Build the line of a table of players, with that of its teams."""
    entries = list(division.entries.order_by("row"))
    gone = load_withdrawn_players(division)
    return _build(
        division,
        _name(division),
        rules_to_json(division.season.settings.standings),
        [_player(entry, withdrew=entry.player_id in gone) | _penalty(entry) for entry in entries],
        _games(division),
        byes=list(division.byes.order_by("round").values_list("player", flat=True)),
        standings=[serialise_standing(entry) for entry in entries],
        moves=entries,
        running=is_round_robin_running(division),
    ) | division.contenders.build_part_of_line(division)


def teams_of(division: Division) -> Record:
    """Build the part of the line for the teams of *division*: like a line, but its matches are of teams and
    its games are boards. Each team has its members, and each board the matches of players played there."""
    teams = list(division.teams.order_by("row").prefetch_related("members"))
    gone = load_withdrawn_teams(division)
    return _build(
        division,
        _name(division),
        rules_to_json(build_table_rules(division.season)),
        [_team(team, withdrew=team.pk in gone) for team in teams],
        _boards(load_matches_with_games(division)),
        standings=[serialise_standing(team) for team in teams],
        moves=teams,
        running=is_team_round_robin_running(division),
    )


def line_of_bracket(division: Division) -> Record:
    """Build the line of a knock-out: its ``players`` in the order of their seeds, and its ``matches``, whose
    winner is null if they ended even.

    A rank says how far somebody came; points are those of the matches (STAND-2), and decide nothing.
    """
    season = division.season
    entries = {entry.player_id: entry for entry in season.entries.all()}
    seeds = list(division.seeds.order_by("number"))
    matches: list[Record] = [
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
    return _build(
        division,
        _name_and_kind(division),
        rules_to_json(season.settings.standings) | season.settings.cup.to_json(),
        [_player(entries[seed.holder]) for seed in seeds],
        _games(division),
        middle={"matches": matches},
        byes=byes,
        standings=_bracket_standings(seeds, matches, byes),
    )


def line_of_team_bracket(division: Division) -> Record:
    """Build the line of a knock-out of teams: the games of their players, who have no table, and as ``teams``
    the line of the bracket, whose matches are of teams and whose games are boards."""
    season = division.season
    cup = season.settings.cup.to_json()
    seeds = list(division.seeds.order_by("number"))
    teams = {team.pk: team for team in season.teams.filter(seeds__in=seeds).prefetch_related("members")}
    seeded = [teams[seed.holder] for seed in seeds]
    entries = season.entries.filter(player__teams__team__in=teams, player__teams__joined__isnull=False)
    matches = load_matches_with_games(division)
    played: list[Record] = [
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
    ties = build_knock_out(division).rounds()[0]
    byes = [tie.players[0] for tie in ties if tie.bye and tie.players[0] is not None]
    of_teams = _build(
        division,
        _name_and_kind(division),
        rules_to_json(build_table_rules(season)) | cup | {"even": "score_difference"},
        [_team(team, withdrew=team.state == TeamState.WITHDRAWN) for team in seeded],
        _boards(matches),
        middle={"matches": played},
        byes=byes,
        standings=_bracket_standings(seeds, played, byes),
    )
    return _build(
        division,
        _name_and_kind(division),
        rules_to_json(season.settings.standings) | cup,
        [_player(entry) for entry in entries.order_by("pk")],
        _games(division),
    ) | {"teams": of_teams}


def line_of_ladder(division: Division) -> Record:
    """Build the line of a ladder: its order at ``first``, the ``challenges``, and players who ``came`` to its
    foot or ``left`` it. The standings are the final order, without those who left."""
    season = division.season
    entries = list(division.entries.order_by("row", "pk"))
    challenges = division.challenges.select_related("match__division__season").order_by("made", "pk")
    drawn = sorted((entry for entry in entries if entry.order), key=lambda entry: entry.order)
    settings = {**season.settings.challenges.to_json(), "ends": season.ends.isoformat()}
    course = {
        "first": [entry.player_id for entry in drawn],
        "came": _in_log(division, "register"),
        "left": _in_log(division, "withdraw"),
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
    }
    return _build(
        division,
        _name_and_kind(division),
        rules_to_json(season.settings.standings) | settings,
        [_player(entry) for entry in entries],
        _games(division),
        middle=course,
        standings=[_place(entry.player_id, entry.rank) for entry in entries if entry.row is not None],
    )


def _build(
    division: Division,
    name: Record,
    settings: Record,
    players: list[Record],
    games: list[Record],
    *,
    middle: Record | None = None,
    byes: Sequence[int] = (),
    standings: Sequence[Record] = (),
    moves: Sequence[Entry | Team] = (),
    running: bool = False,
) -> Record:
    """Build a line, with what its format adds in the *middle*; some of the contenders *moves* have moved. One
    of a *running* round robin says so, as its order looks at points lost."""
    return {
        **name,
        "settings": settings,
        "players": players,
        "games": games,
        **(middle or {}),
        **({"running": True} if running else {}),
        "byes": list(byes),
        "standings": list(standings),
        "up": [one.holder for one in moves if one.moves == "up"],
        "down": [one.holder for one in moves if one.moves == "down"],
        "withdrawn": [player["id"] for player in players if player["withdrew"]],
    }


def _name(division: Division) -> Record:
    season = division.season
    return {"league": season.league.slug, "season": season.pk, "division": division.level}


def _name_and_kind(division: Division) -> Record:
    return _name(division) | {"kind": division.kind}


def _in_log(division: Division, act: str) -> list[Record]:
    """The players who did *act* while the season ran, with the times."""
    season = division.season
    found = season.league.log.filter(season=season, act=act, at__gte=season.begins).order_by("at", "pk")
    return [{"player": one.who_id, "at": one.at.isoformat()} for one in found]


def _games(division: Division) -> list[Record]:
    settled = Fixture.objects.filter(match__division=division, settled__isnull=False)
    draws = load_draws(division)
    return [serialise_game(fixture, draw=draws.get(fixture.pk)) for fixture in settled.order_by("pk")]


def _boards(matches: Sequence[TeamMatch]) -> list[Record]:
    """Boards as games of teams, with the matches of players that were played there."""
    boards = {board.pk: board for match in matches for board in match.boards.all()}
    return [
        {
            **game_to_json(game),
            "board": boards[int(game.id)].number,
            "matches": [one.match_id for one in boards[int(game.id)].players.all()],
        }
        for game in list_board_results(matches)
    ]


def _bracket_standings(seeds: Iterable[Seed], matches: Iterable[Record], byes: Sequence[int]) -> list[Record]:
    """The standings that follow from the *matches* of a knock-out."""
    points = {seed.holder: 2 * byes.count(seed.holder) for seed in seeds}
    for match in matches:
        for holder in match["players"]:
            points[holder] += 1 if match["winner"] is None else 2 * (holder == match["winner"])
    ordered = sorted(seeds, key=lambda seed: (seed.rank, seed.number))
    return [_place(seed.holder, seed.rank, points[seed.holder]) for seed in ordered]


def _place(holder: int, rank: int | None, points: int = 0) -> Record:
    return {"player": holder, "rank": rank, "points": str(points), "values": {}}


def _player(entry: Entry, *, withdrew: bool | None = None) -> Record:
    withdrew = entry.has_withdrawn if withdrew is None else withdrew
    return {"id": entry.player_id, "rating": entry.rating, "withdrew": withdrew}


def _team(team: Team, *, withdrew: bool) -> Record:
    return {
        "id": team.pk,
        "rating": team.rating,
        "withdrew": withdrew,
        "members": [member.player_id for member in team.members.all() if member.joined],
        **_penalty(team),
    }


def _penalty(contender: Contender) -> dict[str, str]:
    return {"penalty": str(Fraction(contender.penalty))} if contender.penalty else {}
