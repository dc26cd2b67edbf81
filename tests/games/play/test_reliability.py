"""Tests of players' reliability: counted with each turn, and equal when recomputed from the record."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from games import play
from games.clocks import DAY, HOUR, PRESETS, Ladder, Reliability, TimeoutStep
from games.models import Ending, Game, Notice, PersonalTime
from games.play import moderation, reliability
from games.play.moderation import ModerationRequest
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns
from tests.moderation.reporting import moderator

pytestmark = pytest.mark.django_db

STEADY = PRESETS["steady"]
AT_ONCE = Ladder(excuses=0, holiday=False)


@pytest.fixture(autouse=True)
def beating() -> None:
    heart_beats(NOW + HOUR)


def kept(name: str) -> Reliability:
    """Count turns as the sweep does, and return the player's reliability."""
    assert reliability.count_turns(NOW + 100 * DAY, seconds=10)
    row = PersonalTime.objects.filter(player__username=name).first()
    return Reliability() if row is None else row.reliability


def sweep(game: Game, days: float) -> bool:
    Notice.objects.filter(dropped=None).update(sent=NOW)
    heart_beats(NOW + days * DAY)
    return play.lose_on_time(game_id=game.pk, now=NOW + days * DAY)


def test_turns_in_time_are_counted_with_what_they_took() -> None:
    game = make_game(clock=STEADY)
    play_turns(game, 1, now=NOW + HOUR)
    assert kept("Anna").turns == 1
    assert kept("Anna") == Reliability().after(HOUR)
    assert kept("Bruno") == Reliability()
    play_turns(game, 9, now=NOW + 2 * HOUR)
    assert (kept("Anna").turns, kept("Bruno").turns) == (5, 5)


def test_a_holiday_takes_no_time() -> None:
    game = make_game(clock=STEADY)
    play.enter_holiday(player=game.host, begin=NOW, end=NOW + 5 * DAY, now=NOW)
    Notice.objects.update(sent=NOW)
    heart_beats(NOW + 5 * DAY + HOUR)
    play_turns(game, 1, now=NOW + 5 * DAY + HOUR)
    assert kept("Anna") == Reliability().after(HOUR)


def test_a_day_of_holiday_that_begins_by_itself_is_no_miss() -> None:
    game = make_game(clock=STEADY, ladder=Ladder(excuses=0))
    sweep(game, 4)
    assert kept("Anna").turns == 0
    play_turns(game, 1, now=NOW + 4 * DAY)
    assert kept("Anna").in_time == 1


@pytest.mark.parametrize("last", [TimeoutStep.LOSS, TimeoutStep.SUBSTITUTE, TimeoutStep.CLAIM])
def test_each_deadline_that_is_missed_counts(last: TimeoutStep) -> None:
    game = make_game(seats=3, clock=STEADY, ladder=Ladder(excuses=1, holiday=False, last=last))
    sweep(game, 4)
    assert (kept("Anna").turns, kept("Anna").in_time) == (1, 0)
    sweep(game, 6)
    assert (kept("Anna").turns, kept("Anna").in_time) == (2, 0)


def test_the_last_person_who_is_offered_is_counted_once() -> None:
    game = make_game(
        seats=3, bots=2, clock=STEADY, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE)
    )
    assert sweep(game, 4)
    assert kept("Anna").turns == 1


@pytest.mark.parametrize("claims", [True, False])
def test_a_win_that_was_claimed_is_a_deadline_that_was_missed_once(claims: bool) -> None:
    game = make_game(clock=STEADY, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.CLAIM))
    sweep(game, 4)
    assert (kept("Anna").turns, kept("Anna").in_time) == (1, 0)
    if claims:
        play.claim_win(game_id=game.pk, seat=1, now=NOW + 5 * DAY)
    else:
        sweep(game, 12)
    game.refresh_from_db()
    assert game.ending == Ending.TIME_OUT
    assert kept("Anna").turns == 1


def test_bots_and_seats_that_have_left_count_nothing() -> None:
    game = make_game(seats=3, clock=STEADY)
    play.resign(game_id=game.pk, seat=0, now=NOW)
    play_turns(game, 3)
    assert (kept("Anna").turns, kept("Bruno").turns, kept("Clara").turns) == (0, 1, 1)


def test_turns_before_there_were_clocks_count_with_what_they_took() -> None:
    game = make_game(clock=STEADY)
    play_turns(game, 2, now=NOW + HOUR)
    stored = kept("Anna")
    without_timing(game)
    reliability.count_anew()
    assert kept("Anna") == stored


def test_a_substitute_answers_for_their_own_turns_alone() -> None:
    game = make_game(clock=STEADY, ladder=AT_ONCE)
    play_turns(game, 4, now=NOW + HOUR)
    bruno, clara = game.seats.get(index=1).player, make_player("Clara")
    assert bruno is not None
    note(game, 1, "offered")
    note(game, 1, "take_over", gone=bruno.pk, came=clara.pk)
    game.seats.filter(index=1).update(player=clara)
    play_turns(game, 4, now=NOW + 5 * HOUR)
    assert (kept("Bruno").turns, round(kept("Bruno").in_time)) == (3, 2)
    assert (kept("Clara").turns, kept("Clara").per_cent) == (2, None)
    assert kept("Clara").in_time == kept("Clara").weight


def test_whom_a_moderator_seats_answers_for_their_own_turns_alone() -> None:
    game = play_turns(make_game(clock=STEADY), 4, now=NOW + HOUR)
    bruno, clara = game.seats.get(index=1).player, make_player("Clara")
    asked = ModerationRequest(game.pk, moderator(), "As agreed.", NOW + 2 * HOUR)
    moderation.replace(asked, 1, clara)
    play_turns(game, 2, now=NOW + 3 * HOUR)
    assert (kept("Bruno").turns, kept("Clara").turns) == (2, 1)
    moderation.give_back(asked._replace(now=NOW + 4 * HOUR), 1)
    game.refresh_from_db()
    assert game.seats.get(index=1).player == bruno
    reliability.count_anew()
    assert (kept("Bruno").turns, kept("Clara").turns) == (2, 1)


def test_who_came_back_may_miss_again() -> None:
    game = make_game(seats=3, clock=STEADY, ladder=AT_ONCE)
    for act in ("offered", "come_back", "offered", "time_out"):
        note(game, 1, act)
    assert (kept("Bruno").turns, kept("Bruno").in_time) == (2, 0)


def test_nothing_is_counted_twice_and_what_is_just_played_not_yet(monkeypatch: Any) -> None:
    monkeypatch.setattr(reliability, "BATCH", 2)
    game = play_turns(make_game(clock=STEADY), 5, now=NOW)
    now = NOW + reliability.BEHIND + timedelta(minutes=3, seconds=1)
    for _ in range(3):
        assert reliability.count_turns(now, seconds=10)
    assert sum(PersonalTime.objects.values_list("turns", flat=True)) == 4
    play_turns(game, 1, now=NOW + HOUR)
    assert kept("Anna").turns + kept("Bruno").turns == 6
    first = kept("Anna"), kept("Bruno")
    reliability.count_anew()
    assert (kept("Anna"), kept("Bruno")) == first


def test_a_turn_that_was_taken_back_is_not_counted() -> None:
    game = play_turns(make_game(clock=STEADY), 2, now=NOW)
    game.moves.filter(ply=2).update(withdrawn=NOW)
    assert (kept("Anna").turns, kept("Bruno").turns) == (1, 0)


def test_nothing_to_count_costs_two_queries(django_assert_num_queries: Any) -> None:
    play_turns(make_game(clock=STEADY), 2, now=NOW)
    kept("Anna")
    with django_assert_num_queries(4):  # besides: the transaction's two ends
        reliability.count_turns(NOW + 100 * DAY, seconds=10)


def without_timing(game: Game) -> None:
    """Remove the timing of moves, as in games from before there were clocks; models refuse that."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_move SET timing = NULL WHERE game_id = %s", [game.pk])


def note(game: Game, seat: int, act: str, **told: Any) -> None:
    """Write an act of the table into the record."""
    game.refresh_from_db()
    game.version += 1
    at = NOW + 4 * HOUR + timedelta(seconds=game.version)
    game.moves.create(
        version=game.version, seat=seat, action={"type": act, **told}, events=[], schema=1, at=at, how="web"
    )
    game.save(update_fields=["version"])
