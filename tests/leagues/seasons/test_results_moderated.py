"""Tests that seasons and ratings follow moderators' acts on a game."""

from datetime import timedelta

import pytest

from games import play, rated_games
from games.clocks import DAY
from games.models import Game, Seat
from games.play import moderation
from leagues import seasons
from leagues.models import Entry, Fixture
from leagues.standings import Rules
from ratings.models import RatedGame
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns
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


@pytest.mark.parametrize("loser", [0, 1])
def test_whoever_sits_there_for_a_replaced_player_is_in_no_table(loser: int) -> None:
    begin_season(2)
    fixture = Fixture.objects.select_related("game").get()
    assert fixture.game is not None
    game = play_turns(fixture.game, 2, now=LATER)
    gone, other = (seat.player for seat in game.seats.order_by("index"))
    moderation.replace(asked(game, now=LATER), 0, make_player("Emma"))
    game = play_turns(Game.objects.get(pk=game.pk), 2, now=LATER)
    play.resign(game_id=game.pk, seat=loser, now=LATER)
    advance_seasons(LATER)
    assert points() == {str(other): "2", str(gone): "0"}


def test_organisers_settle_a_game_in_which_a_player_was_replaced() -> None:
    season = begin_season(2)
    fixture = Fixture.objects.select_related("game").get()
    assert fixture.game is not None
    game = play_turns(fixture.game, 2, now=LATER)
    gone, other = (seat.player for seat in game.seats.order_by("index"))
    assert gone is not None and other is not None
    moderation.replace(asked(game, now=LATER), 0, make_player("Emma"))
    ranks = {gone.pk: 1, other.pk: 2}
    about = {"who": season.league.founder, "reason": "Agreed", "now": LATER}
    seasons.settle(fixture_id=fixture.pk, ranks=ranks, **about)
    assert points() == {str(gone): "2", str(other): "0"}


def test_at_a_larger_table_the_others_have_the_places_among_themselves() -> None:
    begin_season(3, seats=3, rules=Rules.usual(3))
    fixture = Fixture.objects.select_related("game").first()
    assert fixture is not None and fixture.game is not None
    game = play_turns(fixture.game, 3, now=LATER)
    gone, *others = (seat.player for seat in game.seats.order_by("index"))
    moderation.replace(asked(game, now=LATER), 0, make_player("Emma"))
    moderation.adjudicate(asked(game, now=LATER), [1, 2, 2], [30, 20, 20])
    seasons.record_result(game.pk, LATER)
    fixture.refresh_from_db()
    assert fixture.seats is not None
    ranks = [(one["player"], one["rank"]) for one in fixture.seats if one]
    assert ranks == [*((one.pk, 1) for one in others if one), (gone and gone.pk, 3)]


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
