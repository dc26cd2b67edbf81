"""Double eliminations (STAND-23) from the first round to the deciding match, by the beat alone."""

from dataclasses import replace

import pytest

from accounts.models import Player
from games.clocks import DAY
from games.models import Game
from leagues import seasons
from leagues.models import Division, Kind, Match, Phase, Season
from leagues.schedules.team_rules import TeamRules
from leagues.selectors.division_lines import build_line
from leagues.settings import CupRules, Schedule
from tests.leagues import double_oracle
from tests.leagues.double_helpers import begin_double, lose_rounds
from tests.leagues.knock_out_helpers import play_round
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    play_out_season,
)
from tests.leagues.team_cup_helpers import begin_team_cup, play_team_round

pytestmark = pytest.mark.django_db


def get_division(season: Season) -> Division:
    return season.divisions.get()


def meetings(season: Season, round_number: int) -> list[str]:
    """The pairs of a round, by the numbers of their names: "0-7"."""
    matches = get_division(season).matches.filter(round=round_number)
    return [
        "-".join(str(int(seat.player.username[-2:])) for seat in match.seats.order_by("index"))
        for match in matches.order_by("number")
    ]


def ranks(season: Season) -> dict[int, int]:
    seeds = get_division(season).seeds.select_related("player")
    return {int(seed.player.username[-2:]): seed.rank for seed in seeds if seed.player}


def later_wins(game: Game) -> Player:
    there = [seat.player for seat in game.seats.all() if seat.player and not seat.left]
    return min(there, key=lambda one: one.username)


class TestSeason:
    def test_losers_play_on_in_the_next_round_and_meet_the_unbeaten_in_the_final(self) -> None:
        season = begin_double(8)
        assert get_division(season).kind == Kind.DOUBLE and get_division(season).rounds == 7
        assert meetings(season, 1) == ["0-7", "3-4", "1-6", "2-5"]
        play_round(season)
        assert meetings(season, 2) == ["0-3", "1-2", "4-7", "5-6"]
        play_round(season, days=2)
        assert meetings(season, 3) == ["2-4", "3-5"], "in reversed order"
        play_round(season, days=3)
        assert meetings(season, 4) == ["0-1", "2-3"]
        play_round(season, days=4)
        assert meetings(season, 5) == ["1-2"]
        play_round(season, days=5)
        assert meetings(season, 6) == ["0-1"]
        play_round(season, days=6)
        assert season.phase == Phase.CLOSED and not Match.objects.filter(round=7).exists()
        assert get_division(season).rounds == 6
        assert ranks(season) == {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 5, 6: 7, 7: 7}
        assert double_oracle.check(build_line(get_division(season))) == []

    def test_one_more_match_decides_if_the_one_from_below_wins_the_final(self) -> None:
        season = begin_double(4)
        lose_rounds(season, 3)
        assert meetings(season, 4) == ["0-1"]
        play_round(season, loser=later_wins, days=4)
        assert season.running and meetings(season, 5) == ["0-1"]
        assert ranks(season)[0] == ranks(season)[1] == 1
        play_round(season, loser=later_wins, days=5)
        assert season.phase == Phase.CLOSED and ranks(season) == {1: 1, 0: 2, 2: 3, 3: 4}
        assert double_oracle.check(build_line(get_division(season))) == []

    def test_without_reset_the_final_decides(self) -> None:
        season = begin_double(4, cup=CupRules(reset=False))
        lose_rounds(season, 3)
        play_round(season, loser=later_wins, days=4)
        assert season.phase == Phase.CLOSED and ranks(season)[1] == 1
        assert double_oracle.check(build_line(get_division(season))) == []

    @pytest.mark.parametrize("players", [2, 3, 5, 12])
    def test_any_number_can_play(self, players: int) -> None:
        season = begin_double(players)
        play_out_season(season, BEGINS + DAY)
        assert ranks(season)[0] == 1 and ranks(season)[1] == 2
        assert Match.objects.count() == 2 * players - 2
        assert double_oracle.check(build_line(get_division(season))) == []
        rows = season.entries.order_by("row").values_list("rank", flat=True)
        assert list(rows) == sorted(ranks(season).values())

    def test_of_five_the_byes_below_are_given_without_a_match(self) -> None:
        season = begin_double(5)
        lose_rounds(season, 2)
        division = get_division(season)
        byes = division.byes.order_by("pk").values_list("round", "player__username")
        below = [(2, "Player04"), (3, "Player03")]
        assert list(byes) == [(1, f"Player{number:02}") for number in (0, 1, 2)] + below
        assert meetings(season, 3) == ["2-4"]

    def test_the_rounds_share_the_time_with_the_one_that_may_be_dropped(self) -> None:
        begin_double(8, length=70 * DAY)
        (ends,) = {match.ends for match in Match.objects.all()}
        assert ends is not None
        assert BEGINS + 9.9 * DAY < ends <= BEGINS + 10 * DAY, "a seventh, but for the waits between rounds"

    def test_who_withdraws_forfeits_below_too(self) -> None:
        season = begin_double(4)
        gone = Player.objects.get(username="Player00")
        seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
        play_out_season(season, BEGINS + DAY)
        assert ranks(season)[0] == 4 and Match.objects.count() == 6
        assert double_oracle.check(build_line(get_division(season))) == []


class TestCorrections:
    def test_the_deciding_match_comes_back_while_the_final_can_be_corrected(self) -> None:
        season = begin_double(4, protest=DAY)
        for day in (1, 3, 5):
            play_round(season, days=day)
            advance_seasons(BEGINS + (day + 1) * DAY)
        play_round(season, days=7)
        division, final = get_division(season), Match.objects.get(round=4)
        assert season.running and (division.drawn, division.rounds) == (4, 4)
        above, below = (seat.player for seat in final.seats.order_by("index"))
        settle_fixture(final.fixtures.get(), {above: 2, below: 1}, now=BEGINS + 7 * DAY)
        division.refresh_from_db()
        assert (division.drawn, division.rounds) == (4, 5)
        assert ranks(season)[0] == ranks(season)[1] == 1
        advance_seasons(BEGINS + 9 * DAY)
        assert meetings(season, 5) == ["0-1"]
        play_out_season(season, BEGINS + 10 * DAY)
        assert double_oracle.check(build_line(division)) == []

    def test_after_the_next_round_was_drawn_everybody_stays_where_they_are(self) -> None:
        season = begin_double(4)
        play_round(season)
        match = Match.objects.get(round=1, number=1)
        first, second = (seat.player for seat in match.seats.order_by("index"))
        settle_fixture(match.fixtures.get(), {first: 2, second: 1}, now=BEGINS + 2 * DAY)
        assert meetings(season, 2) == ["0-1", "2-3"]
        match.refresh_from_db()
        assert match.winner == first


class TestTeams:
    def test_play_it_with_line_ups_before_each_round(self) -> None:
        season = begin_team_cup("ABCD", schedule=Schedule.DOUBLE)
        now = BEGINS
        while season.running:
            now = play_team_round(season, now)
        line = build_line(get_division(season))
        assert double_oracle.check(line["teams"]) == []
        assert len(line["teams"]["matches"]) == 6
        ranks = {seed.team.name: seed.rank for seed in get_division(season).seeds.all() if seed.team}
        assert ranks == {"A": 1, "B": 2, "C": 3, "D": 4}

    def test_a_board_has_the_name_of_its_match(self) -> None:
        boards = TeamRules(boards=3, least=3, most=5)
        season = begin_team_cup("ABCD", 3, schedule=Schedule.DOUBLE, teams=boards)
        now = play_team_round(season, BEGINS)
        advance_seasons(now + boards.begins(1))
        names = Match.objects.filter(round=2).order_by("number")
        assert [match.round_name for match in names] == ["Winners' final"] * 3 + [
            "Losers' bracket, round 1"
        ] * 3


def test_a_match_has_the_name_of_its_bracket() -> None:
    season = begin_double(8)
    names = []
    for day in range(1, 7):
        matches = Match.objects.filter(round=day).order_by("number")
        names.append(list(dict.fromkeys(match.round_name for match in matches)))
        play_round(season, days=day)
    assert names == [
        ["Winners' bracket, round 1"],
        ["Winners' bracket, round 2", "Losers' bracket, round 1"],
        ["Losers' bracket, round 2"],
        ["Winners' final", "Losers' bracket, round 3"],
        ["Losers' final"],
        ["Final"],
    ]


def test_no_match_for_third_place_can_be_agreed() -> None:
    settings = begin_double(2).settings
    assert list(settings.faults()) == []
    assert list(replace(settings, cup=CupRules(third_place=True)).faults()) == ["third_place"]
