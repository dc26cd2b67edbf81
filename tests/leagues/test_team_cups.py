"""Knock-outs of teams, also after groups, from the draw to the champions, by the beat alone."""

import copy
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db.models import F

from games.clocks import DAY, HOUR
from games.models import Game
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.management.league_simulation import Plan, Simulation
from leagues.models import Board, Division, Entry, Fixture, Kind, Match, Season, Seed, Team, TeamMatch
from leagues.schedules.team_rules import TeamRules
from leagues.selectors.lines import line_of
from leagues.settings import CupRules, Schedule, Seeding
from leagues.standings import Rules
from tests.leagues import bracket_oracle, oracle, team_oracle
from tests.leagues.test_seasons import BEGINS, advance
from tests.leagues.test_team_seasons import ONE, agreed, begun, end_games, lose, person

pytestmark = pytest.mark.django_db

LINE_UPS = ONE.begins(1)


def cup(names: str, players: int = 1, **settings: Any) -> Season:
    """A knock-out of teams of one board, seeded as they came."""
    cup_of = {"teams": ONE, "schedule": Schedule.KNOCK_OUT, "seeding": Seeding.REGISTRATION, **settings}
    return begun(names, players, **cup_of)


def bracket(season: Season) -> Division:
    return season.divisions.get(kind=Kind.KNOCK_OUT)


def meetings(season: Season, round: int) -> list[str]:
    """Who meet in a round: "AD"."""
    matches = bracket(season).team_matches.filter(round=round).order_by("number")
    return [match.first.name + match.second.name for match in matches]


def ranks(season: Season) -> dict[str, int]:
    return {seed.team.name: seed.rank for seed in bracket(season).seeds.all() if seed.team}


def one_round(season: Season, now: datetime) -> datetime:
    """Begin the round that is drawn, let whoever has the earlier name win, and draw the next one."""
    following = TeamMatch.objects.filter(round__gt=F("division__drawn")).order_by("begins")
    now = max(now, following[0].begins)
    advance(now)
    while Fixture.objects.filter(settled=None).exists():
        now += HOUR
        end_games(now)
        advance(now)
    season.refresh_from_db()
    return now


class TestSettings:
    def test_the_world_team_format_is_possible_as_it_stands(self) -> None:
        world = agreed(TeamRules(), standings=Rules.usual(2, best_of=3), schedule=Schedule.GROUPS)
        assert list(world.faults()) == []

    @pytest.mark.parametrize(
        ("settings", "fault"),
        [
            (agreed(schedule=Schedule.GROUPS, length=70 * DAY), "team_length"),
            (agreed(schedule=Schedule.KNOCK_OUT, length=27 * DAY), "short"),
            (agreed(schedule=Schedule.LADDER), "teams"),
        ],
    )
    def test_that_there_can_not_be(self, settings: Any, fault: str) -> None:
        assert fault in list(settings.faults())


class TestKnockOut:
    def test_is_drawn_round_by_round_as_soon_as_all_matches_are_decided(self) -> None:
        season = cup("ABCDEF", cup=CupRules(third_place=True))
        assert meetings(season, 1) == ["DE", "CF"], "the first two have byes"
        first = TeamMatch.objects.filter(round=1)
        assert {match.begins for match in first} == {BEGINS + LINE_UPS}
        share = (season.ends - season.begins) / 3
        assert {match.ends for match in first} == {BEGINS + share}
        assert not Match.objects.exists()
        now = one_round(season, BEGINS)
        assert {match.latest_end for match in Match.objects.all()} == {BEGINS + share}
        assert meetings(season, 2) == ["AD", "BC"]
        assert ranks(season) == {"A": 1, "B": 1, "C": 1, "D": 1, "E": 5, "F": 5}
        assert {match.begins for match in TeamMatch.objects.filter(round=2)} == {now + LINE_UPS}
        now = one_round(season, now)
        assert meetings(season, 3) == ["AB", "CD"]
        one_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"A": 1, "B": 2, "C": 3, "D": 4, "E": 5, "F": 5}
        table = Team.objects.filter(season=season).order_by("row").values_list("name", "rank")
        assert list(table) == list(ranks(season).items())
        assert Entry.objects.get(season=season, player=person("D0")).rank == 4
        again = Season.objects.get(number=2)
        assert list(again.teams.order_by("order").values_list("name", "seeded")) == [
            (name, None) for name in "ABCDEF"
        ]

    def test_the_next_round_does_not_wait_for_boards_that_change_nothing(self) -> None:
        season = cup("AB", 3, teams=TeamRules(boards=3, least=3, most=3))
        advance(BEGINS + LINE_UPS)
        boards = list(Board.objects.order_by("number"))
        for board in boards[:2]:
            _resign(board, "B", BEGINS + LINE_UPS + HOUR)
        match = TeamMatch.objects.get()
        assert match.decided and match.winner == Team.objects.get(name="A")
        assert ranks(season) == {"A": 1, "B": 2}
        assert season.running, "the last board is played to its end"

    def test_boards_are_longer_in_late_rounds(self) -> None:
        season = cup("ABCD", cup=CupRules(longer=((1, 3),)))
        one_round(season, BEGINS)
        assert set(TeamMatch.objects.values_list("round", "best_of")) == {(1, 1), (2, 3)}
        one_round(season, BEGINS + 20 * DAY)
        assert season.phase == "closed"
        final = Match.objects.get(round=2)
        assert (final.best_of, final.fixtures.count()) == (3, 2)

    def test_a_team_that_has_withdrawn_forfeits_what_comes(self) -> None:
        season = cup("ABCD")
        now = one_round(season, BEGINS)
        seasons.withdraw_team(team_id=Team.objects.get(name="A").pk, captain=person("A0"), now=now)
        one_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"B": 1, "A": 2, "C": 3, "D": 3}
        assert Game.objects.count() == 2, "no game was begun for who had left"

    def test_of_an_even_match_the_scores_decide_then_the_seed(self) -> None:
        season = cup("AB", cup=CupRules())
        advance(BEGINS + LINE_UPS)
        match, fixture = TeamMatch.objects.get(), Fixture.objects.get()
        seats = [match.first, match.second]
        for scores, winner in (((40, 50), "B"), ((50, 40), "A"), ((40, 40), None)):
            with_scores = [
                {"player": person(f"{team.name}0").pk, "rank": 1, "score": score, "forfeit": False}
                for team, score in zip(seats, scores, strict=True)
            ]
            Fixture.objects.filter(pk=fixture.pk).update(seats=with_scores, settled=BEGINS)
            seasons.tables.restand(bracket(season))
            match.refresh_from_db()
            assert match.decided and (match.winner.name if match.winner else None) == winner
            assert ranks(season)[winner or "A"] == 1

    def test_nobody_settles_what_others_meet_by(self) -> None:
        season = cup("ABCD")
        one_round(season, BEGINS)
        organiser = season.league.founder
        with pytest.raises(LeagueRefused, match="This result has already decided"):
            seasons.settling.settle(
                fixture_id=Fixture.objects.order_by("pk")[0].pk,
                ranks=None,
                who=organiser,
                reason="A mistake",
                now=BEGINS + 4 * DAY,
            )

    def test_a_captain_puts_the_line_up_of_the_next_round_and_sends_a_substitute(self) -> None:
        season = cup("AB", 3, standings=Rules.usual(2, best_of=3))
        final = TeamMatch.objects.get()
        team = Team.objects.get(name="A")
        put = {"match_id": final.pk, "team_id": team.pk, "captain": person("A0")}
        seasons.put_line_up(**put, players=[person("A2").pk], now=BEGINS)
        with pytest.raises(LeagueRefused, match="too late"):
            seasons.put_line_up(**put, players=[person("A1").pk], now=final.begins - ONE.closes)
        advance(final.begins)
        now = final.begins + HOUR
        seasons.withdraw(season_id=season.pk, player=person("A2"), now=now)
        advance(now)
        seasons.substitute(
            match_id=Match.objects.get(waits=True).pk,
            team_id=team.pk,
            captain=person("A0"),
            player=person("A1"),
            now=now,
        )
        advance(now)
        assert {str(seat.player) for seat in Game.objects.order_by("-pk")[0].seats.all()} == {"A1", "B0"}


def _resign(board: Board, team: str, now: datetime) -> None:
    game = board.players.get().match.fixtures.get().game  # type: ignore[union-attr]
    assert game is not None
    lose(game, next(str(seat.player) for seat in game.seats.all() if str(seat.player)[0] == team), now)
    advance(now)


class TestGroups:
    def test_the_first_of_each_group_go_on(self) -> None:
        season = cup("ABCDEF", schedule=Schedule.GROUPS, division_size=3)
        assert [[team.name for team in group.teams.order_by("name")] for group in season.divisions.all()] == [
            ["A", "D", "E"],
            ["B", "C", "F"],
        ]
        now = BEGINS
        for _ in range(3):
            assert not Seed.objects.exists()
            now = one_round(season, now)
        assert [seed.team.name for seed in Seed.objects.order_by("number") if seed.team] == list("ABDC")
        assert meetings(season, 1) == ["AC", "BD"], "those of one group are apart"
        now += HOUR
        seasons.withdraw_team(team_id=Team.objects.get(name="C").pk, captain=person("C0"), now=now)
        now = one_round(season, now)
        assert meetings(season, 2) == ["AB"]
        one_round(season, now)
        assert season.phase == "closed"
        assert ranks(season) == {"A": 1, "B": 2, "C": 3, "D": 3}
        assert list(Team.objects.filter(season=season).order_by("name").values_list("rank", flat=True)) == [
            *(1, 1, 2, 2, 3, 3)
        ], "how they stood in their groups"
        group = line_of(season.divisions.get(level=2))["teams"]
        assert group["withdrawn"] == [], "who left later had not left it"

    def test_their_games_end_before_the_knock_out(self) -> None:
        season = cup("ABCD", schedule=Schedule.GROUPS, division_size=4)
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
"""What would be wrong with boards."""


def _swap_ranks(board: dict[str, Any]) -> None:
    for seat in board["seats"]:
        seat["rank"] = 3 - seat["rank"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        Plan(divisions=1, teams=5, boards=3, schedule=Schedule.KNOCK_OUT, seed=4),
        Plan(
            divisions=2,
            teams=3,
            boards=1,
            schedule=Schedule.GROUPS,
            cup=CupRules(third_place=True, longer=((1, 3),)),
            seed=3,
        ),
    ],
)
def test_simulated_cups_of_teams_are_worked_out_anew_the_same(plan: Plan) -> None:
    *groups, final = Simulation(replace(plan, seasons=1, turns=2, faults=True)).run()
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
