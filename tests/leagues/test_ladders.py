"""Ladders: challenges, the order after them, and who comes and goes."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Game, Seat, Status
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Challenge, Fixture, Match, Phase, Season
from leagues.schedules import LadderRules
from leagues.seasons.ladders import order_of
from leagues.settings import ChallengeRules, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player
from tests.leagues.test_seasons import BEGINS, advance, begun

pytestmark = pytest.mark.django_db


def ladder(number: int, best_of: int = 1, **settings: Any) -> Season:
    """A ladder of so many that has begun, in the order in which they came."""
    return begun(number, schedule=Schedule.LADDER, rules=Rules.usual(2, best_of=best_of), **settings)


def player(number: int) -> Player:
    return Player.objects.get(username=f"Player{number:02}")


def challenge(season: Season, challenger: int, challenged: int, now: datetime = BEGINS) -> Challenge:
    return seasons.challenge(
        season_id=season.pk, player=player(challenger), challenged=player(challenged), now=now
    )


def order(season: Season) -> str:
    """The ladder by the numbers of the names: "0123"."""
    names = {one.pk: one.username for one in Player.objects.all()}
    return "".join(str(int(names[pk][-2:])) for pk in order_of(season.divisions.get()))


def lose(loser: int, now: datetime) -> None:
    """Let a player resign all games under way."""
    for seat in Seat.objects.filter(player=player(loser), game__status=Status.PLAYING):
        play.resign(game_id=seat.game_id, seat=seat.index, now=now)
    advance(now)


def refused(season: Season, challenger: int, challenged: int, now: datetime = BEGINS) -> str:
    before = Match.objects.count()
    with pytest.raises(LeagueRefused) as refusal:
        challenge(season, challenger, challenged, now)
    assert Match.objects.count() == before
    return refusal.value.code


def test_begins_in_the_order_of_seeds_with_nothing_to_play() -> None:
    season = ladder(5)
    division = season.divisions.get()
    assert order(season) == "01234"
    assert list(division.entries.order_by("row").values_list("rank", flat=True)) == [1, 2, 3, 4, 5]
    assert not Match.objects.exists()
    advance(BEGINS + 50 * DAY)
    season.refresh_from_db()
    assert season.running


def test_who_wins_a_challenge_takes_the_place() -> None:
    season = ladder(5)
    made = challenge(season, 4, 1)
    game = Game.objects.get()
    assert [str(seat.player) for seat in game.seats.order_by("index")] == ["Player01", "Player04"]
    assert game.clock.ends == BEGINS + 30 * DAY
    assert order(season) == "01234"
    lose(1, BEGINS + DAY)
    assert order(season) == "04123"
    made.refresh_from_db()
    assert made.ended == BEGINS + DAY
    advance(BEGINS + 2 * DAY)
    assert order(season) == "04123", "it counts once"


def test_who_loses_a_challenge_stays() -> None:
    season = ladder(5)
    challenge(season, 4, 1)
    lose(4, BEGINS + DAY)
    assert order(season) == "01234"


def test_a_challenge_may_be_a_match_of_several_games() -> None:
    season = ladder(3, best_of=3)
    challenge(season, 2, 0)
    lose(0, BEGINS + DAY)
    assert order(season) == "012"
    lose(0, BEGINS + 2 * DAY)
    assert order(season) == "201"
    assert Fixture.objects.count() == 2


def test_what_speaks_against_a_challenge() -> None:
    season = ladder(6)
    make_player("Player09")
    assert refused(season, 9, 5) == "challenge_stranger"
    assert refused(season, 1, 2) == "challenge_not_above"
    assert refused(season, 2, 2) == "challenge_not_above"
    assert refused(season, 5, 1) == "challenge_too_far"
    challenge(season, 3, 2)
    assert refused(season, 3, 1) == "challenge_busy"
    assert refused(season, 2, 1) == "challenge_busy"
    assert refused(season, 4, 3) == refused(season, 5, 2) == "challenge_protected"
    lose(3, BEGINS + DAY)
    assert refused(season, 3, 2, BEGINS + 2 * DAY) == "challenge_rematch"
    challenge(season, 3, 2, BEGINS + 8 * DAY)


def test_elsewhere_there_are_no_challenges() -> None:
    season = begun(4, division_size=4)
    assert refused(season, 3, 2) == "no_ladder"


def test_a_challenge_that_was_broken_off_is_nobodys_win_when_it_must_have_ended() -> None:
    season = ladder(3)
    made = challenge(season, 2, 1)
    game = Game.objects.get()
    play.abort(game_id=game.pk, seat=0, now=BEGINS + DAY)
    advance(BEGINS + 20 * DAY)
    made.refresh_from_db()
    assert made.ended is None
    advance(BEGINS + 33 * DAY)
    made.refresh_from_db()
    assert made.ended is not None and order(season) == "012"


def test_who_comes_later_stands_at_the_foot() -> None:
    season = ladder(3)
    late = make_player("Player08")
    for _ in range(2):
        seasons.register(season_id=season.pk, player=late, now=BEGINS + DAY)
    assert order(season) == "0128"
    assert season.league.log.filter(act="register").count() == 1
    challenge(season, 8, 0, BEGINS + DAY)


def test_who_withdraws_leaves_it_and_comes_back_at_the_foot() -> None:
    season = ladder(4)
    seasons.withdraw(season_id=season.pk, player=player(1), now=BEGINS + DAY)
    assert order(season) == "023"
    assert season.divisions.get().entries.get(player=player(1)).rank is None
    seasons.register(season_id=season.pk, player=player(1), now=BEGINS + 2 * DAY)
    assert order(season) == "0231"


@pytest.mark.parametrize(("gone", "after"), [(1, "032"), (3, "012")])
def test_who_withdraws_from_a_challenge_loses_it_first(gone: int, after: str) -> None:
    season = ladder(4)
    challenge(season, 3, 1)
    seasons.withdraw(season_id=season.pk, player=player(gone), now=BEGINS + DAY)
    assert order(season) == "0123"
    with pytest.raises(LeagueRefused, match="in a challenge"):
        seasons.register(season_id=season.pk, player=player(gone), now=BEGINS + DAY)
    advance(BEGINS + DAY)
    assert order(season) == after


def test_closes_when_it_is_over_and_what_was_begun_is_played() -> None:
    season = ladder(3, length=40 * DAY)
    challenge(season, 2, 0, season.ends - DAY)
    assert refused(season, 1, 0, season.ends) == "challenge_over"
    late = make_player("Player07")
    with pytest.raises(LeagueRefused, match="closed"):
        seasons.register(season_id=season.pk, player=late, now=season.ends)
    advance(season.ends)
    season.refresh_from_db()
    assert season.phase == Phase.RUNNING
    lose(0, season.ends + 2 * DAY)
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED and order(season) == "201"


def test_the_next_season_begins_in_the_order_of_the_last() -> None:
    season = ladder(4, length=40 * DAY)
    challenge(season, 3, 0)
    lose(0, BEGINS + DAY)
    seasons.stay(season_id=season.pk, player=player(1), stays=False)
    advance(season.ends)
    following = Season.objects.get(number=2)
    seasons.register(season_id=following.pk, player=make_player("Player09"), now=season.ends)
    advance(following.begins)
    assert order(following) == "3029"


def test_two_challenges_at_once_are_two_steps() -> None:
    rules = ChallengeRules(ladder=LadderRules(reach=1, rest=timedelta()))
    season = ladder(4, challenges=rules)
    challenge(season, 1, 0)
    challenge(season, 3, 2)
    lose(0, BEGINS + DAY)
    lose(2, BEGINS + DAY)
    assert order(season) == "1032"
    assert not Challenge.objects.filter(ended=None).exists()
