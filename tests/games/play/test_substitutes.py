"""Tests of seats that timed out: a caretaker keeps them, their players return, others take them over."""

from datetime import timedelta
from typing import Any

import pytest

from games import clocks, play, tasks
from games.clocks import ClockSettings, Ladder, TimeoutStep
from games.exceptions import Refused
from games.models import Ending, Game, Kind, Notice, SeatState, Status
from games.play import positions
from games.play.audit import find_differences
from games.play.moderation import ModerationRequest, pause
from games.tables import say_goodbye
from tests.games.factories import NOW, keeps_time, make_game, make_player, play_turns, reminders
from tests.games.play.decision_helpers import make_transferring_game
from tests.games.play.substitute_helpers import (
    CLAIM,
    DAY,
    HOUR,
    MINUTE,
    get_time_after_last_move,
    make_claimable_game,
    make_offered_game,
    time_out,
)
from tests.moderation.reporting import moderator

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def refused(code: str, **asked: Any) -> None:
    with pytest.raises(Refused) as refusal:
        play.take_over(**asked)
    assert refusal.value.code == code


def test_a_substitute_is_as_reliable_as_the_table_asks() -> None:
    game = make_offered_game(min_reliability=90)
    emma = make_player("Emma")
    keeps_time(emma, *[False] * 12, True, True)
    refused("reliability_low", game_id=game.pk, seat=2, player=emma, now=get_time_after_last_move(game))
    keeps_time(emma, *[False] * 40)
    play.take_over(game_id=game.pk, seat=2, player=emma, now=get_time_after_last_move(game))


def test_the_caretaker_plays_with_meeples_and_is_no_turn_of_the_player() -> None:
    game = time_out(
        play_turns(
            make_game(seats=3, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE)), 2
        )
    )
    assert (game.awaited, game.deadline, game.calendar) == (2, None, None)
    tasks.play_bot(game.pk)
    game.refresh_from_db()
    move = game.moves.filter(seat=2, ply__isnull=False).latest("version")
    assert (move.how, game.awaited) == ("bot", 0)
    assert "deploy" in move.action, "the house bot would be foolish not to on an empty board"
    assert find_differences(game) == []


def test_the_player_and_the_others_are_told_of_the_offer() -> None:
    game = make_offered_game()
    told = Notice.objects.filter(kind=Kind.TABLE)
    assert {notice.recipient.username for notice in told} == {"Anna", "Bruno", "Clara"}
    assert {notice.version for notice in told} == {game.moves.get(action__type="offered").version}


def test_a_stranger_takes_the_seat_over_with_a_full_bank_and_the_record_says_who_went_and_came() -> None:
    game = make_offered_game()
    emma, clara = make_player("Emma"), game.seats.get(index=2).player
    now = get_time_after_last_move(game)
    play.take_over(game_id=game.pk, seat=2, player=emma, now=now)
    seat = game.seats.get(index=2)
    assert (seat.player, seat.state, seat.takeovers) == (emma, SeatState.PLAYING, 1)
    assert seat.bank == 3 * DAY
    act = game.moves.latest("version")
    assert act.action == {"type": "take_over", "gone": clara.pk, "came": emma.pk}
    told = Notice.objects.filter(version=act.version, kind=Kind.TABLE)
    assert {notice.recipient for notice in told} == {clara, *(game.seats.get(index=n).player for n in (0, 1))}
    game = play_turns(game, 2, now=now + MINUTE)
    assert (game.awaited, game.deadline is not None) == (2, True)
    game = play_turns(game, 1, now=now + HOUR)
    assert game.moves.filter(ply__isnull=False).latest("ply").how == "web"
    assert find_differences(game) == []


def test_a_second_click_changes_nothing_and_a_second_player_comes_too_late() -> None:
    game = make_offered_game()
    emma = make_player("Emma")
    for _ in range(2):
        play.take_over(game_id=game.pk, seat=2, player=emma, now=get_time_after_last_move(game))
    assert game.moves.filter(action__type="take_over").count() == 1
    refused(
        "not_offered",
        game_id=game.pk,
        seat=2,
        player=make_player("Felix"),
        now=get_time_after_last_move(game),
    )


def test_who_may_not_take_a_seat_over() -> None:
    game = make_offered_game()
    asked: dict[str, Any] = {"game_id": game.pk, "seat": 2, "now": get_time_after_last_move(game)}
    refused("may_not_take_over", **asked, player=game.seats.get(index=0).player)
    refused("may_not_take_over", **asked, player=make_player("Robot", is_bot=True))
    refused("not_offered", **asked | {"seat": 1}, player=make_player("Emma"))
    refused("account_closed", **asked, player=make_player("Gone", is_active=False))
    Game.objects.filter(pk=game.pk).update(visibility="private")
    refused("may_not_take_over", **asked, player=make_player("Felix"))


def test_who_was_replaced_does_not_come_back_by_another_seat() -> None:
    game = make_offered_game()
    clara = game.seats.get(index=2).player
    play.take_over(game_id=game.pk, seat=2, player=make_player("Emma"), now=get_time_after_last_move(game))
    game = time_out(play_turns(game, 1, now=get_time_after_last_move(game)))
    assert game.seats.get(index=1).state == SeatState.OFFERED
    game = play_turns(game, 1, now=get_time_after_last_move(game))
    refused("sat_here", game_id=game.pk, seat=1, player=clara, now=get_time_after_last_move(game))


def test_a_seat_is_taken_over_once() -> None:
    game = make_offered_game()
    play.take_over(game_id=game.pk, seat=2, player=make_player("Emma"), now=get_time_after_last_move(game))
    game = time_out(play_turns(game, 2, now=get_time_after_last_move(game)))
    assert game.seats.get(index=2).state == SeatState.OFFERED
    game = play_turns(game, 1, now=get_time_after_last_move(game))
    refused(
        "not_offered",
        game_id=game.pk,
        seat=2,
        player=make_player("Felix"),
        now=get_time_after_last_move(game),
    )
    play.come_back(game_id=game.pk, seat=2, now=get_time_after_last_move(game))
    assert game.seats.get(index=2).played_by_person


def test_nobody_sits_down_while_the_caretaker_is_about_to_play() -> None:
    game = make_offered_game()
    game = play_turns(game, 2, now=get_time_after_last_move(game))
    assert game.awaited == 2
    refused(
        "caretaker_plays",
        game_id=game.pk,
        seat=2,
        player=make_player("Emma"),
        now=get_time_after_last_move(game),
    )
    with pytest.raises(Refused):
        play.come_back(game_id=game.pk, seat=2, now=get_time_after_last_move(game))


def test_the_player_comes_back_until_somebody_has_taken_over() -> None:
    game = make_offered_game()
    for _ in range(2):
        play.come_back(game_id=game.pk, seat=2, now=get_time_after_last_move(game))
    seat = game.seats.get(index=2)
    assert (seat.state, seat.bank) == (SeatState.PLAYING, 3 * DAY)
    assert game.moves.filter(action__type="come_back").count() == 1
    assert find_differences(Game.objects.get(pk=game.pk)) == []


def test_a_seat_that_was_lost_is_not_come_back_to() -> None:
    game = play_turns(make_game(seats=3), 1)
    play.resign(game_id=game.pk, seat=2, now=NOW + HOUR)
    with pytest.raises(Refused) as refusal:
        play.come_back(game_id=game.pk, seat=2, now=NOW + HOUR)
    assert refusal.value.code == "seat_lost"


def test_after_the_hard_end_nobody_sits_down() -> None:
    clock = ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=NOW + 30 * DAY)
    game = make_offered_game(clock=clock)
    refused("time_is_over", game_id=game.pk, seat=2, player=make_player("Emma"), now=NOW + 30 * DAY)


def test_a_moderators_hold_moves_the_hard_end_for_whoever_sits_down_too() -> None:
    ends = NOW + 30 * DAY
    game = make_offered_game(clock=ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=ends))
    pause(ModerationRequest(game.pk, moderator(), "Let us look.", ends - DAY), ends + 2 * DAY)
    play.come_back(game_id=game.pk, seat=2, now=ends + DAY)
    assert game.seats.get(index=2).state == SeatState.PLAYING


def test_a_substitute_has_time_although_the_total_was_used_up() -> None:
    game = make_offered_game(clock=ClockSettings(start=2 * DAY, gain=DAY, cap=2 * DAY, total=2 * DAY))
    game.seats.filter(index=2).update(spent=2 * DAY, bank=timedelta())
    play.take_over(game_id=game.pk, seat=2, player=make_player("Emma"), now=get_time_after_last_move(game))
    game = play_turns(game, 2, now=get_time_after_last_move(game))
    assert game.deadline - game.turn_began == DAY


def test_an_account_that_is_closed_leaves_the_seat_that_is_kept_for_it() -> None:
    game = make_offered_game()
    say_goodbye(player=game.seats.get(index=2).player, now=get_time_after_last_move(game))
    assert game.seats.get(index=2).state == SeatState.RESIGNED


def test_the_result_belongs_to_whoever_sits_there() -> None:
    game = make_offered_game()
    emma = make_player("Emma")
    play.take_over(game_id=game.pk, seat=2, player=emma, now=get_time_after_last_move(game))
    game = play_turns(Game.objects.get(pk=game.pk), now=get_time_after_last_move(game))
    play.score(game_id=game.pk, now=get_time_after_last_move(game))
    seat = game.seats.get(index=2)
    assert (seat.player, bool(seat.result)) == (emma, True)
    assert find_differences(Game.objects.get(pk=game.pk)) == []


def test_who_loses_many_games_on_time_at_once_loses_only_the_first_three_rated() -> None:
    games = [
        play_turns(make_game(rated=True, now=NOW + n * MINUTE), 2, now=NOW + n * MINUTE) for n in range(5)
    ]
    ended = [time_out(game) for game in games]
    assert {game.status for game in ended} == {Status.FINISHED}
    assert {game.ending for game in ended} == {Ending.TIME_OUT}
    assert [game.rated for game in ended] == [True, True, True, False, False]
    assert [game.seats.get(index=0).left_at for game in ended] == [
        game.turn_began + 3 * DAY for game in games
    ], "by the record alone: the deadline, not when the sweep came by"
    much_later = play_turns(make_game(rated=True, now=NOW + 9 * DAY), 2, now=NOW + 9 * DAY)
    assert time_out(much_later).rated


class TestClaims:
    def test_the_opponent_claims_the_win(self) -> None:
        game = make_claimable_game()
        deadline = game.claimable
        assert (game.status, game.deadline) == (Status.PLAYING, deadline + clocks.CLAIM_FOR)
        play.claim_win(game_id=game.pk, seat=1, now=deadline + DAY)
        game.refresh_from_db()
        assert (game.status, game.ending) == (Status.FINISHED, Ending.TIME_OUT)
        loser = game.seats.get(index=0)
        assert (loser.state, loser.left_at) == (SeatState.TIMED_OUT, deadline)
        assert find_differences(game) == []

    def test_who_is_late_may_still_play(self) -> None:
        game = make_claimable_game()
        game = play_turns(game, 1, now=game.claimable + DAY)
        assert (game.awaited, game.claimable) == (1, None)
        assert find_differences(game) == []

    def test_after_seven_days_it_is_a_loss_by_itself(self) -> None:
        game = make_claimable_game()
        due = game.claimable
        assert time_out(game).status == Status.FINISHED
        assert game.seats.get(index=0).left_at == due

    def test_nobody_claims_for_nothing(self) -> None:
        game = play_turns(make_game(ladder=CLAIM), 4)
        for seat in (0, 1):
            with pytest.raises(Refused):
                play.claim_win(game_id=game.pk, seat=seat, now=NOW + HOUR)
        game = time_out(game)
        with pytest.raises(Refused):
            play.claim_win(game_id=game.pk, seat=0, now=game.claimable + DAY)

    def test_three_days_from_now_are_given_instead(self) -> None:
        game = make_claimable_game()
        now = game.claimable + 2 * DAY
        play.give_days(game_id=game.pk, seat=1, to=0, days=3, now=now)
        game.refresh_from_db()
        assert (game.claimable, game.deadline) == (None, now + 3 * DAY)
        with pytest.raises(Refused):
            play.give_days(game_id=game.pk, seat=1, to=0, days=3, now=now)
        game = time_out(game)
        assert game.claimable == now + 3 * DAY
        assert find_differences(game) == []

    def test_reminders_follow_the_deadline(self) -> None:
        game = make_claimable_game()
        now = game.claimable + 2 * DAY
        play.give_days(game_id=game.pk, seat=1, days=3, now=now)
        game.refresh_from_db()
        assert {now < at < game.deadline for at in reminders(game)} == {True}


class TestGivenTime:
    def test_it_is_added_to_the_bank_above_the_cap_too(self) -> None:
        game = make_game(seats=3)
        before = game.deadline
        play.give_days(game_id=game.pk, seat=1, days=7, now=NOW + HOUR)
        game.refresh_from_db()
        assert [seat.bank for seat in game.seats.order_by("index")] == [10 * DAY, 3 * DAY, 10 * DAY]
        assert game.deadline == before + 7 * DAY
        assert game.moves.latest("version").action == {"type": "give", "to": [0, 2], "days": 7}

    def test_once_in_each_turn_of_who_gets_it(self) -> None:
        game = make_game(seats=3)
        play.give_days(game_id=game.pk, seat=1, to=0, days=1, now=NOW)
        with pytest.raises(Refused):
            play.give_days(game_id=game.pk, seat=2, to=0, days=1, now=NOW)
        play.give_days(game_id=game.pk, seat=2, days=1, now=NOW)
        assert game.moves.latest("version").action["to"] == [1]
        game = play_turns(game, 1, now=NOW + HOUR)
        play.give_days(game_id=game.pk, seat=2, to=0, days=1, now=NOW + HOUR)
        game.refresh_from_db()
        assert find_differences(game) == []

    @pytest.mark.parametrize(("to", "days"), [(1, 1), (0, 0), (0, 8)])
    def test_not_to_oneself_nor_too_much(self, to: int, days: int) -> None:
        game = make_game()
        with pytest.raises(Refused):
            play.give_days(game_id=game.pk, seat=1, to=to, days=days, now=NOW)


def test_silence_answers_off_turn_before_a_win_can_be_claimed() -> None:
    game = make_transferring_game()
    Game.objects.filter(pk=game.pk).update(ladder_steps=CLAIM.to_json())
    game.refresh_from_db()
    awaited = game.awaited
    assert positions.load_position(game).legal_actions().default_answer() is not None
    game = time_out(game)
    assert game.claimable is None
    assert game.moves.filter(seat=awaited, how="time-out", ply__isnull=False).exists()
