"""Knock-outs of teams, also after groups, from the draw to the champions, by the beat alone."""

import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from games.clocks import DAY, HOUR
from games.models import Game
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from leagues.models import Board, Division, Entry, Fixture, Kind, Match, Season, Seed, Team, TeamMatch
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.teams.tables import load_withdrawn_teams
from leagues.selectors.division_lines import build_line
from leagues.settings import Admission, CupRules, Schedule, Seeding
from leagues.standings import Rules
from tests.games.factories import NOW
from tests.leagues import bracket_oracle, oracle, team_oracle
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import BEGINS, advance_seasons
from tests.leagues.team_cup_helpers import begin_team_cup, play_team_round
from tests.leagues.team_season_helpers import (
    ONE_BOARD,
    get_player,
    lose_game,
    make_team,
    make_team_season,
    make_team_settings,
)

pytestmark = pytest.mark.django_db

LINE_UPS = ONE_BOARD.begins(1)


def bracket(season: Season) -> Division:
    return season.divisions.get(kind=Kind.KNOCK_OUT)


def meetings(season: Season, round: int) -> list[str]:
    """The pairs of teams of a round: "AD"."""
    matches = bracket(season).team_matches.filter(round=round).order_by("number")
    return [match.first.name + match.second.name for match in matches]


def ranks(season: Season) -> dict[str, int]:
    return {seed.team.name: seed.rank for seed in bracket(season).seeds.all() if seed.team}


class TestSettings:
    def test_the_world_team_format_is_possible_as_it_stands(self) -> None:
        world = make_team_settings(TeamRules(), standings=Rules.usual(2, best_of=3), schedule=Schedule.GROUPS)
        assert list(world.faults()) == []

    @pytest.mark.parametrize(
        ("settings", "fault"),
        [
            (make_team_settings(schedule=Schedule.GROUPS, length=70 * DAY), "team_length"),
            (make_team_settings(schedule=Schedule.KNOCK_OUT, length=27 * DAY), "short"),
            (make_team_settings(schedule=Schedule.LADDER), "teams"),
            (make_team_settings(admission=Admission.LINK), "admission"),
        ],
    )
    def test_that_there_can_not_be(self, settings: Any, fault: str) -> None:
        assert fault in list(settings.faults())


class TestKnockOut:
    def test_is_drawn_round_by_round_as_soon_as_all_matches_are_decided(self) -> None:
        season = begin_team_cup("ABCDEF", cup=CupRules(third_place=True))
        assert meetings(season, 1) == ["DE", "CF"], "the first two have byes"
        first = TeamMatch.objects.filter(round=1)
        assert {match.begins for match in first} == {BEGINS + LINE_UPS}
        share = (season.ends - season.begins - 2 * season.settings.wait) / 3
        assert {match.ends for match in first} == {BEGINS + share}
        assert not Match.objects.exists()
        now = play_team_round(season, BEGINS)
        assert {match.latest_end for match in Match.objects.all()} == {BEGINS + share}
        assert meetings(season, 2) == ["AD", "BC"]
        assert ranks(season) == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 5, "F": 5}
        assert {match.begins for match in TeamMatch.objects.filter(round=2)} == {now + LINE_UPS}
        now = play_team_round(season, now)
        assert meetings(season, 3) == ["AB", "CD"]
        play_team_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 5}
        table = Team.objects.filter(season=season).order_by("row").values_list("name", "rank")
        assert list(table) == list(ranks(season).items())
        assert Entry.objects.get(season=season, player=get_player("D0")).rank == 4
        again = Season.objects.get(number=2)
        assert list(again.teams.order_by("order").values_list("name", "seeded")) == [
            (name, None) for name in "ABCDEF"
        ]

    def test_the_next_round_does_not_wait_for_boards_that_change_nothing(self) -> None:
        season = begin_team_cup("AB", 3, teams=TeamRules(boards=3, least=3, most=3))
        advance_seasons(BEGINS + LINE_UPS)
        boards = list(Board.objects.order_by("number"))
        for board in boards[:2]:
            _resign(board, "B", BEGINS + LINE_UPS + HOUR)
        match = TeamMatch.objects.get()
        assert match.decided and match.winner == Team.objects.get(name="A")
        assert ranks(season) == {"A": 1, "B": 2}
        assert season.running, "the last board is played to its end"

    def test_a_team_that_has_withdrawn_forfeits_what_comes(self) -> None:
        season = begin_team_cup("ABCD")
        now = play_team_round(season, BEGINS)
        seasons.withdraw_team(team_id=Team.objects.get(name="A").pk, captain=get_player("A0"), now=now)
        play_team_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"B": 1, "A": 2, "C": 3, "D": 3}
        assert Game.objects.count() == 2, "no game was begun for who had left"

    def test_of_an_even_match_the_scores_decide_then_the_seed(self) -> None:
        season = begin_team_cup("AB", cup=CupRules())
        advance_seasons(BEGINS + LINE_UPS)
        match, fixture = TeamMatch.objects.get(), Fixture.objects.get()
        seats = [match.first, match.second]
        for scores, winner in (((40, 50), "B"), ((50, 40), "A"), ((40, 40), None)):
            with_scores = [
                {"player": get_player(f"{team.name}0").pk, "rank": 1, "score": score, "forfeit": False}
                for team, score in zip(seats, scores, strict=True)
            ]
            Fixture.objects.filter(pk=fixture.pk).update(seats=with_scores, settled=BEGINS)
            seasons.tables.update_standings(bracket(season))
            match.refresh_from_db()
            assert match.decided and (match.winner.name if match.winner else None) == winner
            assert ranks(season)[winner or "A"] == 1

    def test_a_late_correction_counts_at_the_board_and_who_moved_on_has(self) -> None:
        season = begin_team_cup("ABCD")
        play_team_round(season, BEGINS)
        match = TeamMatch.objects.get(round=1, number=1)
        moved_on = match.winner
        players = match.boards.get().players.get()
        assert players.match is not None
        settle_fixture(
            players.match.fixtures.get(),
            {get_player(f"{match.first}0"): 2, get_player(f"{match.second}0"): 1},
            now=BEGINS + 4 * DAY,
        )
        match.refresh_from_db()
        assert moved_on == match.first and match.winner == moved_on
        assert (match.first_points, match.second_points) == ("0", "1")
        assert TeamMatch.objects.filter(round=2, first=moved_on).exists()

    def test_a_captain_puts_the_line_up_of_the_next_round_and_sends_a_substitute(self) -> None:
        season = begin_team_cup("AB", 3, standings=Rules.usual(2, best_of=3))
        final = TeamMatch.objects.get()
        team = Team.objects.get(name="A")
        put = {"match_id": final.pk, "team_id": team.pk, "captain": get_player("A0")}
        seasons.put_line_up(**put, players=[get_player("A2").pk], now=BEGINS)
        with pytest.raises(LeagueRefused, match="too late"):
            seasons.put_line_up(**put, players=[get_player("A1").pk], now=final.begins - ONE_BOARD.closes)
        advance_seasons(final.begins)
        now = final.begins + HOUR
        seasons.withdraw(season_id=season.pk, player=get_player("A2"), now=now)
        advance_seasons(now)
        seasons.substitute(
            match_id=Match.objects.get(waits=True).pk,
            team_id=team.pk,
            captain=get_player("A0"),
            player=get_player("A1"),
            now=now,
        )
        advance_seasons(now)
        assert {str(seat.player) for seat in Game.objects.order_by("-pk")[0].seats.all()} == {"A1", "B0"}


def _resign(board: Board, team: str, now: datetime) -> None:
    game = board.players.get().match.fixtures.get().game  # type: ignore[union-attr]
    assert game is not None
    lose_game(game, next(str(seat.player) for seat in game.seats.all() if str(seat.player)[0] == team), now)
    advance_seasons(now)


class TestGroups:
    def test_the_first_of_each_group_go_on(self) -> None:
        season = begin_team_cup("ABCDEF", schedule=Schedule.GROUPS, division_size=3)
        assert [[team.name for team in group.teams.order_by("name")] for group in season.divisions.all()] == [
            ["A", "D", "E"],
            ["B", "C", "F"],
        ]
        now = BEGINS
        for _ in range(3):
            assert not Seed.objects.exists()
            now = play_team_round(season, now)
        assert [seed.team.name for seed in Seed.objects.order_by("number") if seed.team] == list("ABDC")
        assert meetings(season, 1) == ["AC", "BD"], "those of one group are apart"
        now += HOUR
        seasons.withdraw_team(team_id=Team.objects.get(name="C").pk, captain=get_player("C0"), now=now)
        now = play_team_round(season, now)
        assert meetings(season, 2) == ["AB"]
        play_team_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"A": 1, "B": 2, "C": 3, "D": 3}
        assert list(Team.objects.filter(season=season).order_by("name").values_list("rank", flat=True)) == [
            *(1, 1, 2, 2, 3, 3)
        ], "how they stood in their groups"
        group = build_line(season.divisions.get(level=2))["teams"]
        assert group["withdrawn"] == [], "who left later had not left it"

    def test_who_was_only_invited_to_a_team_does_not_keep_it_there_by_leaving_later(self) -> None:
        season = make_team_season(
            ONE_BOARD, schedule=Schedule.GROUPS, division_size=3, seeding=Seeding.REGISTRATION
        )
        teams = {name: make_team(season, name, players=1) for name in "ABCDEF"}
        seasons.invite(team_id=teams["E"].pk, captain=get_player("E0"), name="C0", now=NOW)
        advance_seasons(BEGINS)
        season.refresh_from_db()
        now = BEGINS + HOUR
        seasons.withdraw_team(team_id=teams["E"].pk, captain=get_player("E0"), now=now)
        while not Seed.objects.exists():
            now = play_team_round(season, now)
        now += HOUR
        seasons.withdraw_team(team_id=teams["C"].pk, captain=get_player("C0"), now=now)
        assert load_withdrawn_teams(season.divisions.get(level=1)) == {teams["E"].pk}
        assert load_withdrawn_teams(season.divisions.get(level=2)) == set()

    def test_their_games_end_before_the_knock_out(self) -> None:
        season = begin_team_cup("ABCD", schedule=Schedule.GROUPS, division_size=4)
        assert {match.ends for match in TeamMatch.objects.all()} == {
            season.begins + (season.ends - season.begins) / 2
        }


TAMPERED: list[Callable[[dict[str, Any]], object]] = [
    lambda line: line["games"].pop(),
    lambda line: line["games"][0]["seats"][0].update(player=0),
    lambda line: line["teams"]["games"][-1].update(board=2),
    lambda line: line["teams"]["games"][0]["seats"].reverse() or _swap_ranks(line["teams"]["games"][0]),
    lambda line: line["teams"]["games"][-1].update(matches=[]),
    lambda line: line["teams"]["games"][0]["seats"][0].update(score=1000),
]
"""Changes that make boards wrong."""


def _swap_ranks(board: dict[str, Any]) -> None:
    for seat in board["seats"]:
        seat["rank"] = 3 - seat["rank"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        LeagueSimulationPlan(divisions=1, teams=5, boards=3, schedule=Schedule.KNOCK_OUT, seed=4),
        LeagueSimulationPlan(
            divisions=2,
            teams=3,
            boards=1,
            schedule=Schedule.GROUPS,
            cup=CupRules(third_place=True),
            seed=3,
        ),
    ],
)
def test_simulated_cups_of_teams_are_worked_out_anew_the_same(plan: LeagueSimulationPlan) -> None:
    *groups, final = LeagueSimulation(replace(plan, seasons=1, turns=2, faults=True)).run()
    assert len(groups) == (plan.divisions if plan.schedule == Schedule.GROUPS else 0)
    for group in groups:
        assert oracle.check(group, highest=True, lowest=True) == []
        assert oracle.check(group["teams"], highest=True, lowest=True) == []
        assert team_oracle.check_boards(group) == []
    assert bracket_oracle.check(final["teams"]) == []
    if groups:
        assert bracket_oracle.check_finals([group["teams"] for group in groups], final["teams"]) == []
    assert team_oracle.check_boards(final) == []
    for tamper in TAMPERED:
        changed = copy.deepcopy(final)
        tamper(changed)
        assert team_oracle.check_boards(changed) != []
    assert not Game.objects.filter(status="playing").exists()
