"""Tests that seasons and ratings follow moderators' acts on a game."""

from datetime import timedelta

import pytest

from games import play, rated_games
from games.clocks import DAY
from games.models import Seat
from games.play import moderation
from leagues import seasons
from leagues.models import Entry, Fixture
from ratings.models import RatedGame
from tests.games.factories import NOW, heart_beats, make_game, play_turns
from tests.games.play.moderating import asked
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season

pytestmark = pytest.mark.django_db
LATER = BEGINS + DAY


def points() -> dict[str, str]:
    return dict(Entry.objects.filter(season__number=1).values_list("player__username", "points"))


def test_a_game_that_goes_on_has_no_result_until_it_ends_again() -> None:
    begin_season(2)
    fixture = Fixture.objects.select_related("game").get()
    assert fixture.game is not None
    heart_beats(LATER)
    game = play_turns(fixture.game, 4, now=LATER)
    resigned = Seat.objects.get(game=game, index=0)
    play.resign(game_id=game.pk, seat=0, now=LATER)
    seasons.record_result(game.pk, LATER)
    assert points()[str(resigned.player)] == "0" and "2" in points().values()

    moderation.roll_back(asked(game, now=LATER), 4)
    advance_seasons(LATER + timedelta(minutes=1))
    fixture.refresh_from_db()
    assert (fixture.seats, fixture.settled, fixture.match.decided) == (None, None, None)
    assert set(points().values()) == {"0"}

    moderation.adjudicate(asked(game, now=LATER + DAY), [1, 2], [20, 10])
    advance_seasons(LATER + DAY)
    fixture.refresh_from_db()
    assert fixture.seats is not None
    assert [(one["rank"], one["score"]) for one in fixture.seats] == [(1, 20), (2, 10)]
    assert points()[str(resigned.player)] == "2"


def test_what_an_organiser_has_settled_stays() -> None:
    season = begin_season(2)
    fixture = Fixture.objects.select_related("game").get()
    assert fixture.game is not None
    game = play_turns(fixture.game, 3, now=LATER)
    first, second = (seat.player for seat in game.seats.order_by("index"))
    assert first is not None and second is not None
    ranks = {first.pk: 1, second.pk: 2}
    founder = season.league.founder
    seasons.settle(fixture_id=fixture.pk, ranks=ranks, who=founder, reason="Agreed", now=LATER)
    moderation.roll_back(asked(game, now=LATER), 1)
    advance_seasons(LATER)
    fixture.refresh_from_db()
    assert fixture.settled is not None


def test_ratings_follow_a_roll_back_a_decision_and_the_mark_as_rated() -> None:
    game = play_turns(make_game(rated=True), 4)
    play.resign(game_id=game.pk, seat=0, now=NOW + DAY)
    assert (rated_games.rate_games(seconds=9), RatedGame.objects.count()) == (True, 1)
    steps = [
        (moderation.roll_back, (2,), 0),
        (moderation.adjudicate, ([2, 1], [10, 20]), 1),
        (moderation.unrate, (), 0),
        (moderation.rate, (), 1),
        (moderation.reopen, (), 0),
    ]
    for day, (act, given, rated) in enumerate(steps, 2):
        act(asked(game, now=NOW + day * DAY), *given)  # type: ignore[operator]
        rated_games.follow_moderators(NOW + day * DAY)
        assert (rated_games.rate_games(seconds=9), RatedGame.objects.count()) == (True, rated)
        assert list(rated_games.find_differences()) == []
