"""Tests of games at their hard end: closed as their clock says; nobody loses by being on turn (CLOCK-24)."""

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games import heartbeat, play, rules, tasks
from games.clocks import DAY, HOUR, AtEnd, ClockSettings, Ladder, TimeoutStep
from games.exceptions import OutOfTime, Refused
from games.models import Ending, Game, Move, Notice, Proposal, Result, Seat, SeatState, Status
from games.pages.parts.score_sheet import load_sheet
from games.pages.scene import Scene
from games.play import hard_ends
from games.play.audit import find_differences
from games.play.hard_ends import rank
from games.play.moderation import ModerationRequest, pause
from games.play.positions import load_position
from games.rules import RuleSet
from games.rules.playout import pick_random_action, pick_random_rules
from games.selectors.lists import seat_players
from games.templatetags.listed_games import final_scores
from tests.games.factories import NAMES, NOW, make_game, play_turns
from tests.html import Page
from tests.moderation.reporting import moderator

ENDS = NOW + 5 * DAY
SECOND = timedelta(seconds=1)


def make_ending_game(at_end: AtEnd = AtEnd.TIME, turns: int = 3, **made: Any) -> Game:
    """A game of two that ends in five days, after *turns* of an hour each."""
    clock = ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, ends=ENDS, at_end=at_end)
    game = make_game(clock=clock, **made)
    for number in range(turns):
        game = play_turns(game, 1, now=NOW + (number + 1) * HOUR)
    return game


def close(game: Game, at: Any = ENDS + HOUR) -> Game:
    assert lose_on_time(game, at)
    game.refresh_from_db()
    return game


def lose_on_time(game: Game, at: datetime) -> bool:
    heartbeat.set_beat(at)
    return play.lose_on_time(game_id=game.pk, now=at)


def list_ranks(game: Game) -> list[int | None]:
    return list(game.seats.order_by("index").values_list("rank", flat=True))


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ([(False, 3), (False, 1)], (2, 1)),
        ([(False, 2), (False, 2), (True, 0)], (1, 1, 3)),
        ([(True, 0), (False, 9), (True, 0)], (2, 1, 2)),
    ],
)
def test_the_least_stands_first_and_equal_ones_share(values: Any, ranks: tuple[int, ...]) -> None:
    assert rank(values) == ranks


@pytest.mark.parametrize("seed", range(10))
def test_the_board_is_scored_whatever_the_game_waits_for(seed: int) -> None:
    chance = Random(seed)
    game = rules.Game.new(pick_random_rules(chance))
    while game.decision.kind != "over":
        usual = game.decision.kind in ("draw", "place", "deploy")
        if not usual or chance.random() < 0.1:
            scores = hard_ends.score_as_it_stands(game)
            if game.decision.kind == "final":
                assert scores == tuple(game.play(rules.Final()).state.scores)
        game = game.play(pick_random_action(game, chance))


@pytest.mark.django_db
class TestByTime:
    def test_who_has_used_less_time_wins_whoever_is_on_turn(self) -> None:
        game = make_ending_game(rated=True)
        assert game.awaited == 1  # who has used an hour, and would lose as the one on turn
        Seat.objects.filter(game=game, index=0).update(spent=5 * DAY)
        game = close(game)
        assert (game.status, game.ending, game.rated) == (Status.FINISHED, Ending.HARD_END, False)
        assert list_ranks(game) == [2, 1]
        assert game.seats.get(index=1).result == Result.WON

    def test_the_turn_under_way_counts_up_to_what_it_may_be_charged(self) -> None:
        game = make_ending_game()
        seat = game.seats.get(index=1)
        charged = hard_ends.compute_charged(game, seat, ENDS)
        assert charged == seat.spent + seat.bank  # three days and one more, of nearly five
        game = close(game)
        assert list_ranks(game) == [1, 2]
        assert find_differences(game) == []

    def test_equal_shares_share_the_rank(self) -> None:
        game = make_ending_game(turns=2)
        Seat.objects.filter(game=game).update(spent=2 * DAY, bank=timedelta())
        game = close(game)
        assert list_ranks(game) == [1, 1]
        assert set(game.seats.values_list("result", flat=True)) == {Result.SHARED}

    def test_who_left_stands_last(self) -> None:
        game = make_ending_game(seats=3)
        play.resign(game_id=game.pk, seat=2, now=NOW + 4 * HOUR)
        Seat.objects.filter(game=game, index=0).update(spent=4 * DAY)
        game = close(game)
        assert list_ranks(game)[2] == 3

    def test_no_step_of_the_ladder_is_taken(self) -> None:
        game = close(make_ending_game())
        kinds = [action["type"] for action in game.moves.values_list("action", flat=True)]
        assert kinds[-1] == "hard_end"
        assert not {"excuse", "holiday", "time_out", "offered"} & set(kinds)
        assert all(seat.state == SeatState.PLAYING for seat in game.seats.all())

    def test_the_score_sheet_ends_with_the_board_as_it_stood(self) -> None:
        game = close(make_ending_game(AtEnd.SCORE, turns=40))
        sheet = load_sheet(Scene.of(game, game.host))
        assert sheet.totals == tuple(seat.score for seat in game.seats.all())
        assert sheet.parts[-1].ply is None and sheet.parts[-1].lines

    def test_lists_show_no_points_as_they_did_not_count(self) -> None:
        by_time = close(make_ending_game())
        by_score = close(make_ending_game(AtEnd.SCORE, turns=40))
        shown = seat_players([by_time, by_score], by_time.host)
        assert [bool(final_scores(game)) for game in shown] == [False, True]

    def test_it_closes_once(self) -> None:
        game = close(make_ending_game())
        assert not lose_on_time(game, ENDS + 2 * HOUR)
        assert Move.objects.filter(game=game, action__type="hard_end").count() == 1


@pytest.mark.django_db
class TestTheInstant:
    def test_a_turn_received_at_the_end_stands_and_one_after_it_does_not(self) -> None:
        game = make_ending_game()
        assert not lose_on_time(game, ENDS)
        with pytest.raises(OutOfTime):
            play_turns(game, 1, now=ENDS + SECOND)
        game = play_turns(game, 1, now=ENDS)
        assert game.status == Status.PLAYING
        close(game)

    def test_a_moderators_hold_moves_it(self) -> None:
        game = make_ending_game()
        request = ModerationRequest(game.pk, moderator(), "Let us look.", NOW + 4 * DAY)
        pause(request, ENDS + 2 * DAY)
        assert not lose_on_time(game, ENDS + DAY)
        close(game, ENDS + 2 * DAY + HOUR)

    def test_a_win_that_could_be_claimed_cannot_be_claimed_after_it(self) -> None:
        game = make_ending_game(turns=0, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.CLAIM))
        Notice.objects.update(sent=NOW)
        lose_on_time(game, NOW + 4 * DAY)
        game.refresh_from_db()
        assert game.claimable == NOW + 3 * DAY
        with pytest.raises(Refused, match="time is up"):
            play.claim_win(game_id=game.pk, seat=1, now=ENDS + SECOND)
        assert close(game).ending == Ending.HARD_END

    def test_a_game_that_waits_for_a_program_then_is_closed_by_its_task(self) -> None:
        game = make_ending_game(turns=1, bots=1)
        assert (game.awaited, game.deadline) == (1, None), "the bot is awaited, and no worker has come by"
        for at, status in ((ENDS + SECOND, Status.PLAYING), (ENDS + 2 * HOUR, Status.FINISHED)):
            heartbeat.set_beat(at)
            with time_machine.travel(at, tick=False):
                tasks.play_bot(game.pk)
            game.refresh_from_db()
            assert game.status == status, "a turn that was in time may still wait for the lock at first"
        assert game.ending == Ending.HARD_END

    def test_nobody_breaks_it_off_after_it_or_changes_how_it_is_decided(self) -> None:
        game = make_ending_game(turns=1)
        play.propose(game_id=game.pk, seat=0, kind=Proposal.UNDO, now=ENDS - HOUR)
        late: dict[str, Any] = {"seat": 1, "now": ENDS + SECOND}
        for act in (
            lambda: play.abort(game_id=game.pk, **late),
            lambda: play.propose(game_id=game.pk, kind=Proposal.END, **late),
            lambda: play.agree(offer_id=game.offers.get().pk, **late),
        ):
            with pytest.raises(Refused, match="time is up"):
                act()
        assert close(game).ending == Ending.HARD_END

    def test_nobody_resigns_after_it(self) -> None:
        game = make_ending_game()
        with pytest.raises(Refused, match="time is up"):
            play.resign(game_id=game.pk, seat=1, now=ENDS + SECOND)
        player = game.seats.get(index=0).player
        assert player is not None
        play.resign_all(player=player, now=ENDS + SECOND)  # as on closing an account
        assert close(game).ending == Ending.HARD_END

    def test_the_window_to_undo_ends_with_it(self) -> None:
        game = make_ending_game()
        now = ENDS - 10 * SECOND
        position = load_position(game)
        play.play(
            game_id=game.pk,
            seat=1,
            action=next(iter(position.legal_actions())),
            expected_version=game.version,
            now=now,
            undo_window=60 * SECOND,
        )
        game.refresh_from_db()
        assert game.settles == ENDS


@pytest.mark.django_db
class TestByScore:
    def test_the_board_is_scored_as_it_stands(self) -> None:
        game = make_ending_game(AtEnd.SCORE, turns=40, rated=True)
        position = load_position(game)
        assert hard_ends.is_half_drawn(position)
        expected = position.cut_short() if position.decision.kind == "draw" else None
        game = close(game)
        scores = list(game.seats.order_by("index").values_list("score", flat=True))
        assert (game.ending, game.rated) == (Ending.SCORED, True)
        assert scores == list(hard_ends.score_as_it_stands(position))
        assert all(score >= before for score, before in zip(scores, position.state.scores, strict=True))
        assert expected is None or expected.state.scores
        assert find_differences(game) == []

    def test_board_and_words_show_the_scores_that_decided(self, client: Client) -> None:
        game = close(make_ending_game(AtEnd.SCORE, turns=40))
        scores = list(game.seats.order_by("index").values_list("score", flat=True))
        assert scores != list(load_position(game).state.scores), "the board itself was not scored"
        shown = Page(client.get(f"/g/{game.code}/")).texts(".final-scores td:last-child")
        assert [int(score) for score in shown] == sorted(scores, reverse=True)
        end = Page(client.get(f"/g/{game.code}/end/"))
        assert [int(total) for total in end.texts(".sum + b")] == sorted(scores, reverse=True)
        assert "the board was scored as it stood" in end.text("#content")
        assert end.texts(".seat .score") == [f"{score} points" for score in scores]
        in_words = Page(client.get(f"/g/{game.code}/text/")).text("#content")
        assert all(f"{name}: {score} points" in in_words for name, score in zip(NAMES, scores, strict=False))

    def test_before_half_of_the_bag_was_drawn_time_decides(self) -> None:
        game = close(make_ending_game(AtEnd.SCORE, rated=True))
        assert (game.ending, game.rated) == (Ending.HARD_END, False)


def test_half_of_the_bag() -> None:
    from games.rules import Game as RulesGame

    assert not hard_ends.is_half_drawn(RulesGame.new(RuleSet.of()))


@pytest.mark.django_db
class TestOnTheBoard:
    def test_it_says_how_it_would_end_in_the_last_two_weeks(self, client: Client) -> None:
        now = timezone.now()
        clock = ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, ends=now + 13 * DAY)
        game = play_turns(make_game(clock=clock, now=now), 2, now=now + HOUR)
        client.force_login(game.host)
        page = Page(client.get(f"/g/{game.code}/"))
        assert "If it ended now, these would be the standings" in page.texts("#why-until p")[-1]
        assert all("time used:" in line for line in page.texts("#why-until ul.plain li"))
        assert len(page.texts("#why-until ul.plain li")) == 2
        Game.objects.filter(pk=game.pk).update(
            clock_settings=ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, ends=now + 15 * DAY).to_json()
        )
        assert not Page(client.get(f"/g/{game.code}/")).has("#why-until ul.plain")
