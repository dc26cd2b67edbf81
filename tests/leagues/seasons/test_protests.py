"""Tests of protests before results have consequences, and of corrections after that (STAND-17)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.clocks import DAY, HOUR
from games.rated_games import find_differences, rate_games
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Division, Entry, Fixture, Kind, Match, Phase, Season, TeamMatch
from leagues.seasons.round_times import plan_next_round
from leagues.selectors.division_lines import build_line
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules
from ratings.models import Rating
from tests.leagues import oracle
from tests.leagues.knock_out_helpers import begin_cup, get_bracket
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, resign_games_of
from tests.leagues.organising_helpers import LATER, settle_fixture
from tests.leagues.season_helpers import (
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    list_names,
    play_out_season,
    resign_all_games,
)
from tests.leagues.team_cup_helpers import begin_team_cup
from tests.leagues.team_season_helpers import end_games

pytestmark = pytest.mark.django_db
JUST_BEFORE = LATER + DAY - timedelta(seconds=1)


def play_all(now: datetime = LATER) -> None:
    """Play all open games; players with the earlier name win."""
    resign_all_games(now, choose_later_name, played=True)
    advance_seasons(now)


def reverse_result(fixture: Fixture, now: datetime, **other: Any) -> None:
    """Let an organiser correct the result of *fixture* in favour of its loser."""
    loser, winner = fixture.match.seats.order_by("player__username")[::-1]
    settle_fixture(fixture, {loser.player: 1, winner.player: 2}, now=now, **other)


def meetings(division: Division, round: int) -> set[frozenset[str]]:
    matches = division.matches.filter(round=round).prefetch_related("seats__player")
    return {frozenset(str(seat.player) for seat in match.seats.all()) for match in matches}


class TestSetting:
    def test_goes_into_a_row_and_back(self) -> None:
        from games.rules import RuleSet

        settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))
        assert settings.protest == DAY
        assert LeagueSettings.from_json(settings.to_json()) == settings
        stored = settings.to_json()
        del stored["protest"]  # as leagues were stored before there were protests
        assert LeagueSettings.from_json(stored).protest == timedelta()


class TestClosing:
    def test_a_season_closes_when_its_last_result_has_stood(self) -> None:
        season = begin_season(3, division_size=4, protest=DAY)
        play_all()
        advance_seasons(JUST_BEFORE)
        season.refresh_from_db()
        assert season.phase == Phase.RUNNING
        advance_seasons(LATER + DAY)
        advance_seasons(LATER + DAY)
        season.refresh_from_db()
        assert season.closed == LATER + DAY
        assert season.league.log.filter(act="close").count() == 1

    def test_a_correction_begins_it_anew(self) -> None:
        season = begin_season(3, division_size=4, protest=DAY)
        play_all()
        reverse_result(Fixture.objects.order_by("pk")[0], JUST_BEFORE)
        advance_seasons(LATER + DAY)
        season.refresh_from_db()
        assert season.phase == Phase.RUNNING
        advance_seasons(JUST_BEFORE + DAY)
        season.refresh_from_db()
        assert season.closed == JUST_BEFORE + DAY

    def test_without_protest_time_it_closes_at_once(self) -> None:
        season = begin_season(3, division_size=4)
        play_all()
        season.refresh_from_db()
        assert season.closed == LATER

    def test_a_ladder_waits_for_its_last_challenge(self) -> None:
        season = begin_ladder(3, protest=DAY)
        challenge_player(season, 1, 0, season.ends - DAY)
        resign_games_of(0, season.ends)
        advance_seasons(season.ends + DAY - HOUR)
        season.refresh_from_db()
        assert season.phase == Phase.RUNNING
        advance_seasons(season.ends + DAY)
        season.refresh_from_db()
        assert season.phase == Phase.CLOSED


class TestDrawing:
    @pytest.mark.parametrize("schedule", [Schedule.SWISS, Schedule.KNOCK_OUT])
    def test_a_round_is_drawn_when_the_last_one_has_stood(self, schedule: Schedule) -> None:
        begin_season(4, schedule=schedule, rounds=2, division_size=8, protest=DAY, rules=Rules.usual(2))
        play_all()
        division = Division.objects.get()
        reverse_result(division.matches.get(round=1, number=1).fixtures.get(), LATER + HOUR)
        advance_seasons(LATER + DAY)
        assert not division.matches.filter(round=2).exists()
        advance_seasons(LATER + DAY + HOUR)
        assert meetings(division, 2), "what the corrected results bring"
        first = division.matches.get(round=1, number=1)
        assert first.winner is not None
        if schedule == Schedule.KNOCK_OUT:
            assert division.matches.get(round=2).seats.filter(player=first.winner).exists()

    def test_groups_stand_before_the_knock_out(self) -> None:
        agreed = {"schedule": Schedule.GROUPS, "rules": Rules.usual(2), "division_size": 4}
        season = begin_season(4, protest=DAY, **agreed)
        play_all()
        advance_seasons(JUST_BEFORE)
        assert not season.divisions.filter(kind=Kind.KNOCK_OUT).exists()
        advance_seasons(LATER + DAY)
        assert season.divisions.filter(kind=Kind.KNOCK_OUT).count() == 1

    def test_a_round_of_teams_stands_before_the_next(self) -> None:
        begin_team_cup("ABCD", protest=DAY)
        begun = TeamMatch.objects.order_by("begins")[0].begins
        advance_seasons(begun)
        end_games(begun + HOUR)
        advance_seasons(begun + HOUR)
        advance_seasons(begun + DAY)
        assert not TeamMatch.objects.filter(round=2).exists()
        advance_seasons(begun + DAY + HOUR)
        assert TeamMatch.objects.filter(round=2).count() == 1

    def test_the_rounds_of_a_knock_out_share_what_protests_leave(self) -> None:
        season = begin_cup(4, protest=2 * DAY)
        bracket = get_bracket(season)
        bracket.drawn = 0
        end = plan_next_round(bracket, season.begins)
        length = (season.ends - season.begins - 2 * DAY - HOUR) / 2
        assert end - season.begins == length
        nearly_over = season.ends - 2 * DAY
        assert plan_next_round(bracket, nearly_over) == nearly_over + length / 2, "never nothing"


class TestLateCorrections:
    def test_a_swiss_table_follows_and_pairings_stand(self) -> None:
        season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        play_all()
        division = Division.objects.get()
        before = meetings(division, 2)
        assert before
        fixture = division.matches.get(round=1, number=1).fixtures.get()
        reverse_result(fixture, LATER + HOUR)
        fixture.refresh_from_db()
        assert fixture.corrected == LATER + HOUR
        winner = fixture.match.seats.order_by("player__username").last()
        assert winner is not None
        assert division.entries.get(player=winner.player).points == "2"
        assert meetings(division, 2) == before
        assert season.league.log.latest("pk").details["late"] is True
        play_out_season(season, LATER + DAY)
        assert oracle.check(build_line(division), highest=True, lowest=True) == []

    def test_who_has_moved_on_in_a_knock_out_has_moved_on(self) -> None:
        season = begin_cup(4)
        play_all()
        bracket = get_bracket(season)
        match = bracket.matches.get(round=1, number=1)
        moved_on = match.winner
        reverse_result(match.fixtures.get(), LATER + HOUR)
        match.refresh_from_db()
        assert match.winner == moved_on and match.decided == LATER
        play_out_season(season, LATER + DAY)
        assert [seed.rank for seed in bracket.seeds.order_by("rank")] == [1, 2, 3, 3]

    def test_the_final_of_a_closed_season_makes_another_champion(self) -> None:
        season = begin_cup(4)
        play_out_season(season, LATER)
        bracket = get_bracket(season)
        final = bracket.matches.get(round=2)
        reverse_result(final.fixtures.get(), LATER + 30 * DAY)
        second = final.seats.order_by("player__username")[1].player
        assert bracket.seeds.get(rank=1).player == second
        assert season.entries.get(player=second).rank == 1
        season.refresh_from_db()
        assert season.phase == Phase.CLOSED

    def test_a_match_that_lacks_a_game_then_has_nobodys_win(self) -> None:
        season = begin_season(2, division_size=2, rules=Rules.usual(2, best_of=3))
        play_out_season(season, LATER)
        match = Match.objects.get()
        assert match.fixtures.count() == 2
        reverse_result(match.fixtures.get(number=2), LATER + 9 * DAY)
        match.refresh_from_db()
        assert match.decided and match.winner is None and not match.waits
        third = match.fixtures.get(number=3)
        assert third.seats is not None and [seat["rank"] for seat in third.seats] == [2, 2]
        assert {entry.points for entry in season.entries.all()} == {"1"}

    def test_promotions_follow_until_the_next_season_begins(self) -> None:
        season = begin_season(8, division_size=4)
        play_out_season(season, LATER)
        below = season.divisions.get(level=2)
        first, second = (get_numbered_player(number) for number in (4, 5))
        assert season.entries.get(player=first).moves == "up"
        fixture = Fixture.objects.filter(match__seats__player=first).get(match__seats__player=second)
        reverse_result(fixture, LATER + 2 * DAY)
        assert list_names(below)[0] == "Player05"
        assert season.entries.get(player=second).moves == "up"
        assert season.entries.get(player=first).moves == ""
        following = Entry.objects.filter(season__number=2)
        assert following.get(player=second).seeded == 1 and following.get(player=first).seeded == 2
        following_season = Season.objects.get(number=2)
        advance_seasons(following_season.begins)
        assert Entry.objects.get(season=following_season, player=second).division == (
            following_season.divisions.get(level=1)
        )
        settle_fixture(fixture, {first: 1, second: 2}, now=following_season.begins + DAY)
        assert list_names(below)[0] == "Player04"
        assert season.entries.get(player=second).moves == "up", "a season has begun on it"

    def test_a_challenge_that_counted_stays(self) -> None:
        season = begin_ladder(3)
        made = challenge_player(season, 1, 0)
        resign_games_of(0, LATER)
        with pytest.raises(LeagueRefused, match="has already changed the ladder"):
            reverse_result(made.match.fixtures.get(), LATER + HOUR)

    def test_neither_game_nor_rating_changes(self) -> None:
        season = begin_season(3, division_size=4)
        play_out_season(season, LATER, played=True)
        rate_games(seconds=60)
        ratings = list(Rating.objects.order_by("pk").values_list("player", "mu", "sigma"))
        assert len(ratings) == 3
        fixture = Fixture.objects.order_by("pk")[0]
        assert fixture.game is not None
        seats = list(fixture.game.seats.order_by("index").values_list("rank", "score"))
        finished, ending = fixture.game.finished, fixture.game.ending
        reverse_result(fixture, LATER + DAY)
        fixture.game.refresh_from_db()
        assert (fixture.game.finished, fixture.game.ending) == (finished, ending)
        assert list(fixture.game.seats.order_by("index").values_list("rank", "score")) == seats
        rate_games(seconds=60)
        assert list(Rating.objects.order_by("pk").values_list("player", "mu", "sigma")) == ratings
        assert list(find_differences()) == []
        seasons.settle(
            fixture_id=fixture.pk, ranks=None, who=season.league.founder, reason="Right", now=LATER + 2 * DAY
        )
        assert list_names(season.divisions.get()) == ["Player00", "Player01", "Player02"]
