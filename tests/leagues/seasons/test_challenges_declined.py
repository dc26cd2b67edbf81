"""Tests of declined challenges, and of challenges of an absent player."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from games import play
from games.clocks import DAY
from games.models import Block, Ending, Game, Seat, SeatState
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Challenge, Fixture, Match, Season
from leagues.seasons import challenges
from leagues.seasons.ladders import count_declines_left
from leagues.settings import ChallengeRules, Schedule
from leagues.standings import Rules
from tests.games.factories import play_turns
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, read_ladder_order, resign_games_of
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    get_numbered_player,
    make_league,
    register_players,
)

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def begin(number: int, declines: int = 1, best_of: int = 1, **rules: Any) -> Season:
    return begin_ladder(number, best_of, challenges=ChallengeRules(**rules, declines=declines))


def decline(season: Season, player: int, now: Any) -> Challenge:
    return seasons.decline_challenge(season_id=season.pk, player=get_numbered_player(player), now=now)


def test_who_declines_keeps_the_place_as_often_as_the_league_says() -> None:
    season = begin(4)
    division = season.divisions.get()
    challenge_player(season, 3, 1)
    made = decline(season, 1, BEGINS + HOUR)
    assert made.declined and made.ended == BEGINS + HOUR and made.match.winner is None
    assert read_ladder_order(season) == "0123"
    assert count_declines_left(division, get_numbered_player(1).pk) == 0
    assert count_declines_left(division, get_numbered_player(2).pk) == 1
    challenge_player(season, 2, 1, BEGINS + DAY)
    made = decline(season, 1, BEGINS + DAY + HOUR)
    assert made.declined and made.match.winner == get_numbered_player(2)
    assert read_ladder_order(season) == "0213"


def test_a_second_click_declines_nothing_more() -> None:
    season = begin(3, declines=2)
    challenge_player(season, 2, 1)
    decline(season, 1, BEGINS + HOUR)
    with pytest.raises(LeagueRefused) as refusal:
        decline(season, 1, BEGINS + HOUR)
    assert refusal.value.code == "challenge_none"
    advance_seasons(BEGINS + DAY)
    assert count_declines_left(season.divisions.get(), get_numbered_player(1).pk) == 1


def test_only_the_challenged_declines() -> None:
    season = begin(3)
    challenge_player(season, 2, 1)
    for other in (0, 2):
        with pytest.raises(LeagueRefused, match="You have no challenge to decline"):
            decline(season, other, BEGINS + HOUR)
    assert Challenge.objects.get().ended is None


def test_once_both_have_played_it_is_too_late_to_decline() -> None:
    season = begin(3)
    challenge_player(season, 2, 1)
    play_turns(Game.objects.get(), 2, now=BEGINS + HOUR)
    with pytest.raises(LeagueRefused, match="too late to decline"):
        decline(season, 1, BEGINS + 2 * HOUR)
    assert not Game.objects.get().ended and Challenge.objects.get().ended is None
    resign_games_of(1, BEGINS + 3 * HOUR)
    assert read_ladder_order(season) == "021"


def test_a_game_that_ends_between_look_and_act_is_declined_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    season = begin(3)
    challenge_player(season, 2, 1)
    monkeypatch.setattr(challenges, "may_decline", lambda match: True)
    play_turns(Game.objects.get(), 2, now=BEGINS + HOUR)
    game = Game.objects.get()
    play.resign(game_id=game.pk, seat=1, now=BEGINS + HOUR)
    with pytest.raises(LeagueRefused, match="too late to decline"):
        decline(season, 1, BEGINS + 2 * HOUR)


@pytest.mark.parametrize("how", ["resign", "abort"])
def test_who_leaves_the_first_game_at_once_has_declined(how: str) -> None:
    season = begin(3, best_of=3)
    challenge_player(season, 2, 0)
    game = Game.objects.get()
    getattr(play, how)(game_id=game.pk, seat=0, now=BEGINS + HOUR)
    advance_seasons(BEGINS + HOUR)
    made = Challenge.objects.get()
    assert made.declined and made.ended == BEGINS + HOUR and made.match.winner is None
    assert Fixture.objects.count() == 1, "a declined match doesn't go on"
    assert read_ladder_order(season) == "012"


def test_who_ends_the_own_challenge_has_not_let_the_other_decline() -> None:
    season = begin(3)
    challenge_player(season, 2, 0)
    play.abort(game_id=Game.objects.get().pk, seat=1, now=BEGINS + HOUR)
    advance_seasons(BEGINS + DAY)
    made = Challenge.objects.get()
    assert made.ended is None and not made.declined


def test_in_a_later_game_nobody_declines() -> None:
    season = begin(3, best_of=3)
    challenge_player(season, 2, 0)
    play_turns(Game.objects.get(), 2, now=BEGINS + HOUR)
    resign_games_of(0, BEGINS + 2 * HOUR)
    with pytest.raises(LeagueRefused, match="too late to decline"):
        decline(season, 0, BEGINS + 3 * HOUR)
    resign_games_of(0, BEGINS + 3 * HOUR)
    assert not Challenge.objects.get().declined and read_ladder_order(season) == "201"


def test_who_withdraws_has_not_declined_and_loses_the_place() -> None:
    season = begin(3)
    challenge_player(season, 2, 0)
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=BEGINS + HOUR)
    advance_seasons(BEGINS + HOUR)
    assert read_ladder_order(season) == "21" and not Challenge.objects.get().declined


def test_who_lets_the_time_run_out_has_not_declined() -> None:
    season = begin(3)
    challenge_player(season, 2, 0)
    play.resign(game_id=Game.objects.get().pk, seat=0, now=BEGINS + DAY)
    Seat.objects.filter(index=0).update(state=SeatState.TIMED_OUT)  # as when the time had run out
    Game.objects.update(ending=Ending.TIME_OUT)
    advance_seasons(BEGINS + DAY)
    assert not Challenge.objects.get().declined and read_ladder_order(season) == "201"


def test_nobody_is_challenged_while_away() -> None:
    season = begin(4)
    challenged = get_numbered_player(1)
    play.enter_holiday(player=challenged, begin=BEGINS, end=BEGINS + 7 * DAY, now=BEGINS - DAY)
    for now in (BEGINS, BEGINS + 7 * DAY - HOUR):
        with pytest.raises(LeagueRefused) as refusal:
            challenge_player(season, 3, 1, now)
        assert refusal.value.code == "challenge_away"
    challenge_player(season, 3, 2, BEGINS)
    play.enter_holiday(player=get_numbered_player(2), begin=BEGINS, end=BEGINS + 7 * DAY, now=BEGINS - DAY)
    assert not Match.objects.filter(seats__player=challenged).exists()


def test_holidays_that_are_entered_move_the_end_of_a_challenge() -> None:
    season = begin(3)
    challenged = get_numbered_player(1)
    for first in (10, 33):  # the second begins in the time that the first one adds
        begins = BEGINS + first * DAY
        play.enter_holiday(player=challenged, begin=begins, end=begins + 7 * DAY, now=BEGINS)
    play.enter_holiday(player=challenged, begin=BEGINS + 60 * DAY, end=BEGINS + 63 * DAY, now=BEGINS)
    made = challenge_player(season, 2, 1)
    assert made.match.ends == Game.objects.get().clock.ends == BEGINS + 44 * DAY


def begin_with_blocks(number: int, blocks: list[tuple[int, int]], late: bool = False, **rules: Any) -> Season:
    challenges = ChallengeRules(**rules, declines=1)
    league = make_league(rules=Rules.usual(2), schedule=Schedule.LADDER, challenges=challenges)
    season = league.seasons.get()
    people = register_players(season, number)
    for order, (player, blocked) in enumerate(blocks):
        since = BEGINS + order * HOUR if late else BEGINS - (len(blocks) - order) * HOUR
        Block.objects.create(player=people[player], blocked=people[blocked], since=since)
    advance_seasons(BEGINS)
    season.refresh_from_db()
    return season


@pytest.mark.parametrize("blocks", [[(3, 1)], [(1, 3)]])
def test_between_two_who_block_each_other_a_challenge_counts_as_declined(
    blocks: list[tuple[int, int]],
) -> None:
    season = begin_with_blocks(5, blocks)
    mail.outbox.clear()
    made = challenge_player(season, 3, 1)
    assert made.declined and made.ended == BEGINS and made.match.decided == BEGINS
    assert not Game.objects.exists() and not mail.outbox
    assert read_ladder_order(season) == "01234"
    assert count_declines_left(season.divisions.get(), get_numbered_player(1).pk) == 1, "it costs nothing"
    with pytest.raises(LeagueRefused, match="You two have just played"):
        challenge_player(season, 3, 1, BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    challenge_player(season, 3, 2, BEGINS + DAY)
    assert Game.objects.count() == 1


def test_two_who_block_each_other_play_where_the_challenger_reaches_nobody_else() -> None:
    season = begin_with_blocks(3, [(0, 1)])
    assert not challenge_player(season, 1, 0).declined
    assert Game.objects.count() == 1


def test_blocks_of_after_the_beginning_count_for_nothing() -> None:
    season = begin_with_blocks(5, [(1, 3)], late=True)
    assert not challenge_player(season, 3, 1, BEGINS + DAY).declined


def test_only_the_two_oldest_blocks_of_a_player_count() -> None:
    season = begin_with_blocks(6, [(5, 1), (5, 2), (5, 4)], reach=5)
    assert not challenge_player(season, 5, 4).declined
    resign_games_of(5, BEGINS + HOUR)
    assert challenge_player(season, 5, 2, BEGINS + DAY).declined
