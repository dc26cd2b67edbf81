"""Knock-outs, also after groups, from the first round to the final, by the beat alone."""

from typing import Any

import pytest

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Game, Seat
from games.rules import RuleSet
from leagues import seasons
from leagues.models import Entry, Fixture, Kind, Match, Phase, Season, Seed
from leagues.seasons import steps
from leagues.seasons.finals import draw_finals
from leagues.seasons.seeding import sort_for_seeding
from leagues.settings import TIME_TO_DRAW, CupRules, LeagueSettings, Schedule, Seeding
from leagues.standings import Rules
from ratings.models import Rating
from tests.leagues.knock_out_helpers import begin_cup, get_bracket, play_round
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    make_league,
    play_out_season,
    register_players,
    resign_all_games,
)

pytestmark = pytest.mark.django_db


def meetings(season: Season, round_number: int) -> list[str]:
    """The pairs of a round, by the numbers of their names: "0-7"."""
    matches = get_bracket(season).matches.filter(round=round_number)
    return [
        "-".join(str(int(seat.player.username[-2:])) for seat in match.seats.order_by("index"))
        for match in matches.order_by("number")
    ]


def ranks(season: Season) -> dict[int, int]:
    """The ranks by the numbers of the players' names."""
    seeds = get_bracket(season).seeds.select_related("player")
    return {int(seed.player.username[-2:]): seed.rank for seed in seeds}


def earlier_name(game: Game) -> Player:
    there = [seat.player for seat in game.seats.all() if seat.player and not seat.left]
    return min(there, key=lambda one: one.username)


class TestKnockOut:
    def test_is_played_round_by_round_to_the_final(self) -> None:
        season = begin_cup(8)
        assert meetings(season, 1) == ["0-7", "3-4", "1-6", "2-5"]
        assert not Match.objects.filter(round=2).exists()
        play_round(season)
        assert meetings(season, 2) == ["0-3", "1-2"]
        assert ranks(season) == {0: 1, 1: 1, 2: 1, 3: 1, 4: 5, 5: 5, 6: 5, 7: 5}
        play_round(season, days=2)
        assert meetings(season, 3) == ["0-1"]
        play_round(season, days=3)
        assert season.phase == Phase.CLOSED
        assert ranks(season) == {0: 1, 1: 2, 2: 3, 3: 3, 4: 5, 5: 5, 6: 5, 7: 5}
        rows = Entry.objects.filter(season=season).order_by("row").values_list("rank", flat=True)
        assert list(rows) == [1, 2, 3, 3, 5, 5, 5, 5]

    def test_no_round_is_drawn_before_all_matches_are_decided(self) -> None:
        season = begin_cup(4)
        game = Game.objects.order_by("pk").first()
        assert game is not None
        play.resign(game_id=game.pk, seat=0, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        assert get_bracket(season).drawn == 1

    def test_byes_are_the_highest_seeds(self) -> None:
        season = begin_cup(6)
        division = get_bracket(season)
        byes = division.byes.order_by("player__username").values_list("round", "player__username")
        assert list(byes) == [(1, "Player00"), (1, "Player01")]
        assert meetings(season, 1) == ["3-4", "2-5"]
        play_round(season)
        assert meetings(season, 2) == ["0-3", "1-2"]

    def test_seeds_follow_the_rating_or_the_order_of_registration(self) -> None:
        entries = [Entry(player_id=pk, rating=rating) for pk, rating in enumerate((1500, 1500, 1400, 1600))]
        for seeding, order in ((Seeding.RATING, [3, 0, 1, 2]), (Seeding.REGISTRATION, [0, 1, 2, 3])):
            settings = LeagueSettings(
                rules=RuleSet.of(seats=2),
                standings=Rules.usual(2),
                schedule=Schedule.KNOCK_OUT,
                seeding=seeding,
            )
            assert [entry.player_id for entry in sort_for_seeding(entries, settings)] == order

    def test_who_lost_the_semi_finals_play_for_third_place(self) -> None:
        season = begin_cup(4, cup=CupRules(third_place=True))
        play_round(season)
        assert meetings(season, 2) == ["0-1", "2-3"]
        play_round(season, loser=earlier_name, days=2)
        assert season.phase == Phase.CLOSED
        assert ranks(season) == {1: 1, 0: 2, 3: 3, 2: 4}

    def test_of_an_even_match_the_higher_seed_moves_on(self) -> None:
        season = begin_cup(2)
        game = Game.objects.get()
        play.abort(game_id=game.pk, seat=1, now=BEGINS + DAY)
        match = Match.objects.get()
        advance_seasons(match.latest_end + 3 * DAY)
        season.refresh_from_db()
        match.refresh_from_db()
        assert season.phase == Phase.CLOSED and match.winner is None
        assert ranks(season) == {0: 1, 1: 2}

    def test_who_withdraws_lets_the_opponent_move_on(self) -> None:
        season = begin_cup(8, best_of=3)
        gone = Player.objects.get(username="Player00")
        seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        for day in (2, 3):
            play_round(season, days=day)
        assert meetings(season, 2) == ["3-7", "1-2"]
        seasons.withdraw(
            season_id=season.pk, player=Player.objects.get(username="Player03"), now=BEGINS + 4 * DAY
        )
        play_out_season(season, BEGINS + 4 * DAY)
        assert ranks(season)[7] == 2 and ranks(season)[3] == 3 and ranks(season)[0] == 5

    def test_who_withdraws_between_rounds_forfeits_the_next(self) -> None:
        season = begin_cup(4)
        first = Match.objects.get(number=1)
        play.resign(
            game_id=first.fixtures.get().game_id,  # type: ignore[arg-type]
            seat=Seat.objects.get(game__in=first.fixtures.values("game"), player__username="Player03").index,
            now=BEGINS + DAY,
        )
        advance_seasons(BEGINS + DAY)
        seasons.withdraw(
            season_id=season.pk, player=Player.objects.get(username="Player00"), now=BEGINS + DAY
        )
        play_round(season, days=2)
        assert meetings(season, 2) == ["0-1"]
        assert season.phase == Phase.CLOSED and ranks(season)[1] == 1
        assert Fixture.objects.get(match__round=2).game is None

    def test_every_round_has_its_share_of_the_time_that_is_left(self) -> None:
        season = begin_cup(8, length=90 * DAY)
        first = BEGINS + (90 * DAY - 2 * TIME_TO_DRAW) / 3
        assert {match.ends for match in Match.objects.all()} == {first}
        assert {game.clock.ends for game in Game.objects.all()} == {first}
        play_round(season, days=10)
        second = BEGINS + 10 * DAY + (80 * DAY - TIME_TO_DRAW) / 2
        assert {match.ends for match in Match.objects.filter(round=2)} == {second}

    def test_a_season_that_is_over_before_it_begins_is_played(self) -> None:
        """After an outage of months nobody wins without a game (STAND-20)."""
        season = make_league(schedule=Schedule.KNOCK_OUT, rules=Rules.usual(2)).seasons.get()
        register_players(season, 4)
        late = season.ends + DAY
        advance_seasons(late)
        season.refresh_from_db()
        assert season.running and season.ends > late
        assert Game.objects.filter(status="playing").count() == 2

    def test_every_step_can_be_taken_again(self) -> None:
        season = begin_cup(6, cup=CupRules(third_place=True))
        for day in range(1, 5):
            resign_all_games(BEGINS + day * DAY, choose_later_name)
            for step in list(steps._steps(BEGINS + day * DAY)):
                step()
                step()
            advance_seasons(BEGINS + day * DAY)
        season.refresh_from_db()
        assert season.phase == Phase.CLOSED
        assert (Match.objects.count(), Game.objects.count(), Seed.objects.count()) == (6, 6, 6)
        assert Season.objects.count() == 2

    def test_who_stays_is_seeded_anew_in_the_next_one(self) -> None:
        season = begin_cup(4)
        play_out_season(season, BEGINS + DAY)
        following = Season.objects.get(number=2)
        assert set(following.entries.values_list("seeded", flat=True)) == {None}
        best = Player.objects.get(username="Player03")
        Rating.objects.create(player=best, pool="duel", mu=60, sigma=2, games=1, ended=BEGINS)
        advance_seasons(following.begins)
        assert get_bracket(following).seeds.get(number=1).player == best


class TestGroups:
    def begun(self, number: int, size: int, **settings: Any) -> Season:
        return begin_season(
            number, schedule=Schedule.GROUPS, rules=Rules.usual(2), division_size=size, **settings
        )

    def test_are_about_equally_strong_and_send_their_first_to_the_knock_out(self) -> None:
        season = self.begun(8, 4)
        groups = season.divisions.order_by("level")
        names = [
            sorted(int(name[-1]) for name in group.entries.values_list("player__username", flat=True))
            for group in groups
        ]
        assert names == [[0, 3, 4, 7], [1, 2, 5, 6]]
        assert {group.kind for group in groups} == {Kind.TABLE}
        assert not Seed.objects.exists()
        play_round(season)
        assert meetings(season, 1) == ["0-2", "1-3"], "winners meet the seconds of other groups"
        assert season.running
        play_round(season, days=2)
        play_round(season, days=3)
        assert season.phase == Phase.CLOSED
        assert ranks(season) == {0: 1, 1: 2, 2: 3, 3: 3}

    def test_have_half_of_the_season(self) -> None:
        season = self.begun(8, 4, length=80 * DAY)
        assert {match.ends for match in Match.objects.all()} == {BEGINS + 40 * DAY - TIME_TO_DRAW}
        play_round(season, days=10)
        finals = get_bracket(season).matches.all()
        share = (70 * DAY - TIME_TO_DRAW) / 2
        assert {match.ends for match in finals} == {BEGINS + 10 * DAY + share}

    def test_who_has_left_goes_on_only_where_nobody_else_is_there(self) -> None:
        season = self.begun(6, 3, cup=CupRules(from_group=2))
        games = Game.objects.filter(status="playing")
        assert games.count() == 6
        resign_all_games(BEGINS + DAY, choose_later_name)
        winner = Player.objects.get(username="Player00")
        seasons.withdraw(season_id=season.pk, player=winner, now=BEGINS + DAY)
        advance_seasons(BEGINS + DAY)
        group = season.divisions.get(level=1)
        assert group.entries.get(player=winner).rank == 1
        assert not get_bracket(season).seeds.filter(player=winner).exists()

    def test_stand_as_they_stood_when_somebody_leaves_the_knock_out(self) -> None:
        season = self.begun(8, 4)
        play_round(season)
        group = season.divisions.get(level=1)
        before = list(group.entries.order_by("pk").values_list("rank", "row", "points", "explained"))
        gone = Player.objects.get(username="Player00")
        seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + 2 * DAY)
        play_round(season, days=2)
        after = list(group.entries.order_by("pk").values_list("rank", "row", "points", "explained"))
        assert after == before
        assert ranks(season)[0] == 3

    def test_of_one_group_two_play_the_final(self) -> None:
        season = self.begun(3, 4, cup=CupRules(from_group=1))
        play_round(season)
        assert meetings(season, 1) == ["0-1"]
        play_out_season(season, BEGINS + 2 * DAY)
        assert ranks(season) == {0: 1, 1: 2}

    def test_finals_are_drawn_once(self) -> None:
        season = self.begun(8, 4)
        resign_all_games(BEGINS + DAY, choose_later_name)
        for game in Game.objects.values_list("pk", flat=True):
            seasons.record_result(game, BEGINS + DAY)
        assert draw_finals(season.pk, BEGINS + DAY)
        assert not draw_finals(season.pk, BEGINS + DAY)
        assert Seed.objects.count() == 4
