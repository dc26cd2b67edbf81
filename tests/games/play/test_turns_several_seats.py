"""Tests of questions to several seats in one turn, and of a seat that leaves, times out, or has a standing
answer meanwhile."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import clocks, play
from games.clocks import PRESETS
from games.exceptions import StaleTurn
from games.models import Ending, Game, Kind, Notice, SeatState, Status
from games.play import positions
from games.play.audit import find_differences
from games.play.moderation import ModerationRequest, pause
from games.rules import Pass, action_from_json
from games.rules.modules.count import Transfer
from tests.games.factories import NOW, heart_beats, play_lines, some_action
from tests.games.play.decision_helpers import make_count_game, make_transferring_game
from tests.moderation.reporting import moderator

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
ANNA, BRUNO, CLARA, DAVID = range(4)


def two_asked(**settings: Any) -> Game:
    """Make a game in which Bruno completes Anna's road while David and he have a follower in the
    blacksmith: David is asked."""
    tiles = ("base.U", "base.A", "base.U", "base.A", "base.U", "base.W")
    game = make_count_game(*tiles, seats=4, **settings)
    entered = ("1,-2 r90 road N", "1,-3 r0", "enter blacksmith", "0,2 r90 road N", "0,3 r180", "pass")
    game = play_lines(game, *entered, "enter blacksmith", "-3,-1 r0 road E", "-4,-1 r0")
    assert waits(game) == ("transfer", DAVID)
    return game


def two_of_one() -> Game:
    """Make a game that asks Bruno about his two followers in the blacksmith and Anna's road."""
    game = make_count_game("base.U", "base.A", "base.U", "base.A", "base.U", "base.W", seats=2)
    entered = ("1,-2 r90 road N", "1,-3 r0", "enter blacksmith", "0,2 r90 road N", "0,3 r180", "pass")
    game = play_lines(game, *entered, "enter blacksmith", "-3,-1 r0 road E", "-4,-1 r0")
    assert waits(game) == ("transfer", BRUNO)
    return game


def waits(game: Game) -> tuple[str, int | None]:
    """The kind and seat of the decision that *game* waits for, equal in rules and rows."""
    game.refresh_from_db()
    kind, seat = positions.load_position(game).decision
    assert seat == game.awaited
    return kind, seat


def told_of_turns(game: Game) -> list[str]:
    """The names of the players with a notice of the awaited turn."""
    owed = Notice.objects.filter(game=game, kind=Kind.YOUR_TURN, version=game.turn_version, dropped=None)
    return list(owed.values_list("recipient__username", flat=True))


def expires(game: Game) -> datetime:
    """Let the time of *game* run out after all notices were sent; return when."""
    game.refresh_from_db()
    assert game.deadline is not None
    late = game.deadline + clocks.ARRIVAL + timedelta(seconds=1)
    heart_beats(late)
    Notice.objects.filter(dropped=None).update(sent=NOW)
    assert play.lose_on_time(game_id=game.pk, now=late)
    return late


MOVE = "move 1 blacksmith road -3,-1 E"


class TestTheOrder:
    def test_one_after_the_other_clockwise_each_with_time_of_its_own(self) -> None:
        """COUNT-17, and the table of decisions."""
        game = two_asked()
        assert told_of_turns(game) == ["David"]
        game = play_lines(game, MOVE, now=NOW + DAY)
        assert waits(game) == ("transfer", BRUNO)
        assert game.deadline == NOW + DAY + 3 * DAY
        assert told_of_turns(game) == ["Bruno"]
        assert game.seats.get(index=DAVID).score == 0, "nothing is scored before both have answered"
        game = play_lines(game, "pass", now=NOW + 2 * DAY)
        assert [seat.score for seat in game.seats.all()] == [6, 0, 3, 3]
        assert waits(game) == ("enter", BRUNO)
        assert game.deadline == NOW + 2 * DAY + 3 * DAY, "a second decision of the same turn"
        assert told_of_turns(game) == ["Bruno"]
        game = play_lines(game, "enter castle", now=NOW + 3 * DAY)
        assert waits(game) == ("place", CLARA)
        assert find_differences(game) == []

    def test_no_tile_is_drawn_before_all_have_answered(self) -> None:
        """COUNT-26."""
        game = two_asked()
        for line in (MOVE, "pass", "enter castle"):
            assert game.tiles.count() == 6
            game = play_lines(game, line)
        assert game.tiles.count() == 7

    def test_the_same_answer_twice_is_two_answers_and_its_repeat_is_none(self) -> None:
        game = two_of_one()
        answer: dict[str, Any] = {
            "game_id": game.pk,
            "seat": BRUNO,
            "action": Transfer("blacksmith", "follower", 1, -3, -1, "road", "E"),
            "now": NOW,
        }
        first = game.version
        again = play.play(**answer, expected_version=first).version
        assert play.play(**answer, expected_version=first).version == again
        assert waits(game) == ("transfer", BRUNO)
        play.play(**answer, expected_version=again)
        with pytest.raises(StaleTurn):
            play.play(**{**answer, "action": Pass()}, expected_version=first)
        assert [seat.score for seat in game.seats.all()] == [6, 3], "two against one"
        game.refresh_from_db()
        assert find_differences(game) == []


class TestLeaving:
    def test_who_resigns_while_asked_moves_nobody_and_the_next_is_asked(self) -> None:
        game = two_asked()
        play.resign(game_id=game.pk, seat=DAVID, now=NOW + DAY)
        assert waits(game) == ("transfer", BRUNO)
        assert game.deadline == NOW + DAY + 3 * DAY
        assert told_of_turns(game) == ["Bruno"]
        assert action_from_json(game.moves.get(ply=game.ply).action) == Pass()
        assert find_differences(game) == []

    def test_who_resigns_before_being_asked_is_passed_over_in_the_whole_turn(self) -> None:
        game = two_asked()
        deadline = game.deadline
        play.resign(game_id=game.pk, seat=BRUNO, now=NOW + DAY)
        assert waits(game) == ("transfer", DAVID)
        assert game.deadline == deadline, "another's question is not touched"
        assert told_of_turns(game) == ["David"]
        game = play_lines(game, "pass", now=NOW + DAY)
        assert waits(game) == ("place", CLARA)
        silent = game.moves.filter(how="time-out", ply__isnull=False)
        assert [(one.seat, action_from_json(one.action)) for one in silent] == [(BRUNO, Pass())] * 2
        assert find_differences(game) == []

    def test_an_answer_put_together_before_another_seat_left_counts(self) -> None:
        game = two_asked()
        version = game.version
        play.resign(game_id=game.pk, seat=BRUNO, now=NOW)
        play.play(
            game_id=game.pk,
            seat=DAVID,
            action=Transfer("blacksmith", "follower", 1, -3, -1, "road", "E"),
            expected_version=version,
            now=NOW,
        )
        assert game.seats.get(index=DAVID).score == 3

    def test_of_two_the_one_who_leaves_while_asked_ends_the_game(self) -> None:
        game = two_of_one()
        play.resign(game_id=game.pk, seat=BRUNO, now=NOW)
        game.refresh_from_db()
        assert (game.status, game.ending, game.awaited) == (Status.FINISHED, Ending.RESIGNED, None)
        assert find_differences(game) == []


class TestTime:
    def test_each_of_several_may_let_the_time_pass_and_nobody_loses(self) -> None:
        """The table of decisions: move none, no entry."""
        game = two_asked()
        for following in (("transfer", BRUNO), ("enter", BRUNO), ("place", CLARA)):
            late = expires(game)
            assert waits(game) == following
            assert game.deadline == late + 3 * DAY
            assert game.moves.get(ply=game.ply).how == "time-out"
        assert {seat.state for seat in game.seats.all()} == {SeatState.PLAYING}
        assert [seat.score for seat in game.seats.all()] == [6, 0, 3, 0]
        expires(game)
        assert game.seats.get(index=CLARA).state == SeatState.TIMED_OUT, "a turn must be played"
        game.refresh_from_db()
        assert find_differences(game) == []

    def test_a_standing_answer_that_comes_too_late_is_kept_for_the_next_time(self) -> None:
        game = make_transferring_game()
        assert game.deadline is not None
        late = game.deadline + timedelta(seconds=1)
        heart_beats(late)
        Notice.objects.filter(dropped=None).update(sent=NOW)
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers="gain", now=late)
        assert waits(game) == ("transfer", BRUNO), "an answer would be late too"
        assert game.seats.get(index=BRUNO).transfers == "gain"
        expires(game)
        assert game.seats.get(index=BRUNO).score == 0

    def test_a_standing_answer_is_charged_like_any_other(self) -> None:
        """CLOCK-15."""
        game = make_transferring_game(clock=PRESETS["steady"])
        seat = game.seats.get(index=BRUNO)
        heart_beats(NOW + 2 * DAY)
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers="gain", now=NOW + 2 * DAY)
        after = game.seats.get(index=BRUNO)
        assert after.spent - seat.spent == 2 * DAY - PRESETS["steady"].grace
        assert game.moves.filter(seat=BRUNO, how="plan").get().time_used == 2 * DAY
        game.refresh_from_db()
        assert find_differences(game) == []

    def test_a_standing_answer_in_a_game_that_is_stopped_is_kept_for_the_next_time(self) -> None:
        game = make_transferring_game()
        pause(ModerationRequest(game.pk, moderator(), "Let us look.", NOW))
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers="gain", now=NOW + DAY)
        assert waits(game) == ("transfer", BRUNO), "nobody plays meanwhile"
        assert game.seats.get(index=BRUNO).transfers == "gain"

    def test_a_standing_answer_in_an_outage_counts(self) -> None:
        game = make_transferring_game()
        assert game.deadline is not None
        heart_beats(game.deadline - timedelta(hours=2))
        Notice.objects.filter(dropped=None).update(sent=NOW)
        late = game.deadline + timedelta(seconds=1)
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers="gain", now=late)
        assert game.seats.get(index=BRUNO).score == 3


@pytest.mark.parametrize(
    ("david", "bruno", "asked", "scores"),
    [
        ("ask", "ask", [DAVID, BRUNO, BRUNO], [6, 0, 3, 0]),
        ("ask", "never", [DAVID, BRUNO], [6, 0, 3, 0]),
        ("ask", "gain", [DAVID], [6, 3, 3, 0]),
        ("never", "ask", [BRUNO, BRUNO], [6, 0, 3, 0]),
        ("never", "never", [BRUNO], [6, 0, 3, 0]),
        ("never", "gain", [], [6, 3, 3, 0]),
        ("gain", "ask", [BRUNO, BRUNO], [6, 0, 3, 3]),
        ("gain", "never", [BRUNO], [6, 0, 3, 3]),
        ("gain", "gain", [], [6, 3, 3, 3]),
    ],
)
class TestStandingAnswers:
    """Standing answers in all combinations (COUNT-27): Bruno may enter unless he has scored."""

    def run(self, game: Game, asked: list[int], scores: list[int]) -> None:
        waited = []
        while (waiting := waits(game))[0] != "place":
            waited.append(waiting[1])
            play_lines(game, "pass")
        assert waited == asked
        assert [seat.score for seat in game.seats.all()] == scores
        assert waiting == ("place", CLARA)
        assert find_differences(game) == []

    def test_given_before(self, david: str, bruno: str, asked: list[int], scores: list[int]) -> None:
        tiles = ("base.U", "base.A", "base.U", "base.A", "base.U", "base.W")
        game = make_count_game(*tiles, seats=4)
        entered = ("1,-2 r90 road N", "1,-3 r0", "enter blacksmith", "0,2 r90 road N", "0,3 r180", "pass")
        play_lines(game, *entered, "enter blacksmith", "-3,-1 r0 road E")
        for seat, choice in ((DAVID, david), (BRUNO, bruno)):
            play.set_transfers(game_id=game.pk, seat=seat, transfers=choice, now=NOW)
        self.run(play_lines(game, "-4,-1 r0"), asked, scores)

    def test_given_while_david_is_asked(
        self, david: str, bruno: str, asked: list[int], scores: list[int]
    ) -> None:
        game = two_asked()
        version = game.version
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers=bruno, now=NOW)
        assert waits(game) == ("transfer", DAVID)
        assert game.version == version
        play.set_transfers(game_id=game.pk, seat=DAVID, transfers=david, now=NOW)
        self.run(game, asked, scores)


def test_a_standing_answer_given_between_two_answers_of_one_seat_answers_the_rest() -> None:
    for choice, score in (("never", 3), ("gain", 3)):
        game = play_lines(two_of_one(), MOVE)
        play.set_transfers(game_id=game.pk, seat=BRUNO, transfers=choice, now=NOW)
        assert waits(game) == ("place", ANNA)
        assert [seat.score for seat in game.seats.all()] == [9, score]
        city = positions.load_position(game).state.slices["count"]
        assert len(city.quarters["blacksmith"]) == 1, "he scores by the tie already"


@pytest.mark.parametrize("choice", ["ask", "gain"])
def test_the_last_question_of_all(choice: str) -> None:
    """COUNT-22: whoever lets the time pass moves nobody, and then the game is scored."""
    game = make_count_game("base.U", "base.A", "base.U", "base.A", seats=3)
    entered = ("1,-2 r90 road N", "1,-3 r0", "enter market", "0,2 r90 road N", "0,3 r180", "enter market")
    game = play_lines(game, *entered)
    for seat in range(3):
        play.set_transfers(game_id=game.pk, seat=seat, transfers="never", now=NOW)
    while game.status == Status.PLAYING and waits(game)[0] != "transfer_at_end":
        if game.tiles_left == 0:
            for seat in range(3):
                play.set_transfers(game_id=game.pk, seat=seat, transfers=choice, now=NOW)
        action = Pass() if waits(game)[0] == "enter" else some_action(game, seed=game.ply)
        game = play.play(
            game_id=game.pk, seat=game.awaited, action=action, expected_version=game.version, now=NOW
        )
    asked = 0
    while game.status == Status.PLAYING:
        expires(game)
        game.refresh_from_db()
        asked += 1
    assert asked == (2 if choice == "ask" else 0)
    assert game.status == Status.SCORING
    left = positions.load_position(game).state.slices["count"].quarters["market"]
    assert len(left) == (2 if choice == "ask" else 0)
    assert play.score(game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert find_differences(game) == []
