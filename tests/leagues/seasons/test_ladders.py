"""Tests of ladders: challenges, the order after them, joining and leaving."""

from datetime import datetime, timedelta

import pytest

from games import play
from games.clocks import DAY
from games.models import Game
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Challenge, Fixture, Match, Phase, Season
from leagues.settings import ChallengeRules, LeagueSettings, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player, play_turns
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, read_ladder_order, resign_games_of
from tests.leagues.organising_helpers import get_organiser, settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    get_numbered_player,
    play_out_season,
)

pytestmark = pytest.mark.django_db


def refused(season: Season, challenger: int, challenged: int, now: datetime = BEGINS) -> str:
    before = Match.objects.count()
    with pytest.raises(LeagueRefused) as refusal:
        challenge_player(season, challenger, challenged, now)
    assert Match.objects.count() == before
    return refusal.value.code


def test_begins_in_the_order_of_seeds_with_nothing_to_play() -> None:
    season = begin_ladder(5)
    division = season.divisions.get()
    assert read_ladder_order(season) == "01234"
    assert list(division.entries.order_by("row").values_list("rank", flat=True)) == [1, 2, 3, 4, 5]
    assert not Match.objects.exists()
    advance_seasons(BEGINS + 50 * DAY)
    season.refresh_from_db()
    assert season.running


def test_who_wins_a_challenge_takes_the_place() -> None:
    season = begin_ladder(5)
    made = challenge_player(season, 4, 1)
    game = Game.objects.get()
    assert [str(seat.player) for seat in game.seats.order_by("index")] == ["Player01", "Player04"]
    assert game.clock.ends == BEGINS + 30 * DAY
    assert read_ladder_order(season) == "01234"
    resign_games_of(1, BEGINS + DAY)
    assert read_ladder_order(season) == "04123"
    made.refresh_from_db()
    assert made.ended == BEGINS + DAY
    advance_seasons(BEGINS + 2 * DAY)
    assert read_ladder_order(season) == "04123", "it counts once"


def test_who_loses_a_challenge_stays() -> None:
    season = begin_ladder(5)
    challenge_player(season, 4, 1)
    resign_games_of(4, BEGINS + DAY)
    assert read_ladder_order(season) == "01234"


def test_a_challenge_may_be_a_match_of_several_games() -> None:
    season = begin_ladder(3, best_of=3)
    challenge_player(season, 2, 0)
    play_turns(Game.objects.get(), 2, now=BEGINS)
    resign_games_of(0, BEGINS + DAY)
    assert read_ladder_order(season) == "012"
    resign_games_of(0, BEGINS + 2 * DAY)
    assert read_ladder_order(season) == "201"
    assert Fixture.objects.count() == 2


def test_what_speaks_against_a_challenge() -> None:
    season = begin_ladder(6)
    make_player("Player09")
    assert refused(season, 9, 5) == "challenge_stranger"
    assert refused(season, 1, 2) == "challenge_not_above"
    assert refused(season, 2, 2) == "challenge_not_above"
    assert refused(season, 5, 1) == "challenge_too_far"
    challenge_player(season, 3, 2)
    assert refused(season, 3, 1) == "challenge_busy"
    assert refused(season, 2, 1) == "challenge_busy"
    assert refused(season, 4, 3) == refused(season, 5, 2) == "challenge_protected"
    resign_games_of(3, BEGINS + DAY)
    assert refused(season, 3, 2, BEGINS + 2 * DAY) == "challenge_rematch"
    challenge_player(season, 3, 2, BEGINS + 8 * DAY)


def test_elsewhere_there_are_no_challenges() -> None:
    season = begin_season(4, division_size=4)
    assert refused(season, 3, 2) == "no_ladder"


def test_a_challenge_that_was_broken_off_is_nobodys_win_when_it_must_have_ended() -> None:
    season = begin_ladder(3)
    made = challenge_player(season, 2, 1)
    game = Game.objects.get()
    play.abort(game_id=game.pk, seat=1, now=BEGINS + DAY)
    advance_seasons(BEGINS + 20 * DAY)
    made.refresh_from_db()
    assert made.ended is None
    advance_seasons(BEGINS + 33 * DAY)
    made.refresh_from_db()
    assert made.ended is not None and read_ladder_order(season) == "012"


def test_who_comes_later_stands_at_the_foot() -> None:
    season = begin_ladder(3)
    late = make_player("Player08")
    for _ in range(2):
        seasons.register(season_id=season.pk, player=late, now=BEGINS + DAY)
    assert read_ladder_order(season) == "0128"
    assert season.league.log.filter(act="register").count() == 1
    challenge_player(season, 8, 0, BEGINS + DAY)


def test_who_has_waited_waits_no_more_on_the_ladder() -> None:
    season = begin_ladder(2)
    late = make_player("Player08")
    seasons.wait(season_id=season.pk, player=late, now=BEGINS)
    seasons.register(season_id=season.pk, player=late, now=BEGINS + DAY)
    assert read_ladder_order(season) == "018"
    assert not season.waiting.exists()


def test_who_withdraws_leaves_it_and_comes_back_at_the_foot() -> None:
    season = begin_ladder(4)
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(1), now=BEGINS + DAY)
    assert read_ladder_order(season) == "023"
    assert season.divisions.get().entries.get(player=get_numbered_player(1)).rank is None
    seasons.register(season_id=season.pk, player=get_numbered_player(1), now=BEGINS + 2 * DAY)
    assert read_ladder_order(season) == "0231"


@pytest.mark.parametrize(("gone", "after"), [(1, "032"), (3, "012")])
def test_who_withdraws_from_a_challenge_loses_it_first(gone: int, after: str) -> None:
    season = begin_ladder(4)
    challenge_player(season, 3, 1)
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(gone), now=BEGINS + DAY)
    assert read_ladder_order(season) == "0123"
    with pytest.raises(LeagueRefused, match="in a challenge"):
        seasons.register(season_id=season.pk, player=get_numbered_player(gone), now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    assert read_ladder_order(season) == after


def test_closes_when_it_is_over_and_what_was_begun_is_played() -> None:
    season = begin_ladder(3, length=40 * DAY)
    challenge_player(season, 2, 0, season.ends - DAY)
    assert refused(season, 1, 0, season.ends) == "challenge_over"
    late = make_player("Player07")
    with pytest.raises(LeagueRefused, match="closed"):
        seasons.register(season_id=season.pk, player=late, now=season.ends)
    advance_seasons(season.ends)
    season.refresh_from_db()
    assert season.phase == Phase.RUNNING
    resign_games_of(0, season.ends + 2 * DAY)
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED and read_ladder_order(season) == "201"


def test_the_next_season_begins_in_the_order_of_the_last() -> None:
    season = begin_ladder(4, length=40 * DAY)
    challenge_player(season, 3, 0)
    resign_games_of(0, BEGINS + DAY)
    seasons.stay(season_id=season.pk, player=get_numbered_player(1), stays=False)
    advance_seasons(season.ends)
    following = Season.objects.get(number=2)
    seasons.register(season_id=following.pk, player=make_player("Player09"), now=season.ends)
    advance_seasons(following.begins)
    assert read_ladder_order(following) == "3029"


def test_a_season_in_another_format_has_divisions_of_its_own_size() -> None:
    season = begin_ladder(12, length=40 * DAY)
    league, settings = (
        season.league,
        LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), division_size=4),
    )
    about = {"who": get_organiser(), "reason": "Wished for", "now": BEGINS}
    seasons.edit(league=league, name=league.name, text="", settings=settings, **about)
    advance_seasons(season.ends)
    following = Season.objects.get(number=2)
    advance_seasons(following.begins)
    assert [division.entries.count() for division in following.divisions.all()] == [4, 4, 4]


def test_a_ladder_after_divisions_is_seeded_anew() -> None:
    season = begin_season(8, division_size=4)
    league, settings = (
        season.league,
        LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), schedule=Schedule.LADDER),
    )
    about = {"who": get_organiser(), "reason": "Wished for", "now": BEGINS}
    seasons.edit(league=league, name=league.name, text="", settings=settings, **about)
    play_out_season(season, BEGINS + DAY)
    following = Season.objects.get(number=2)
    fixture = Fixture.objects.earliest("pk")
    settle_fixture(fixture, {seat.player: 1 for seat in fixture.match.seats.all()}, now=following.opened)
    assert not following.entries.exclude(seeded=None).exists()


def test_two_challenges_at_once_are_two_steps() -> None:
    rules = ChallengeRules(reach=1, rest=timedelta())
    season = begin_ladder(4, challenges=rules)
    challenge_player(season, 1, 0)
    challenge_player(season, 3, 2)
    resign_games_of(0, BEGINS + DAY)
    resign_games_of(2, BEGINS + DAY)
    assert read_ladder_order(season) == "1032"
    assert not Challenge.objects.filter(ended=None).exists()
