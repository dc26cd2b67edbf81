"""Tests of offers by consent: ending, pausing, breaking off; who must agree, and when an offer lapses."""

from datetime import timedelta
from typing import Any

import pytest

from games import clocks, play
from games.exceptions import GameOver, Refused
from games.models import Ending, Game, Kind, Notice, Offer, Outcome, Proposal, Status
from games.play.audit import find_differences
from tests.games.factories import NOW, make_game, play_turns, reminders

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def offer(game: Game, kind: Proposal = Proposal.END, *, seat: int = 0, now: Any = NOW, **more: Any) -> Offer:
    """Make an offer of *seat*, and return it."""
    play.propose(game_id=game.pk, seat=seat, kind=kind, now=now, **more)
    return game.offers.latest("pk")


def agree(game: Game, offer: Offer, *seats: int, now: Any = NOW) -> Game:
    for seat in seats:
        play.agree(offer_id=offer.pk, seat=seat, now=now)
    game.refresh_from_db()
    return game


def refusal(act: Any, **asked: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(**asked)
    return refused.value.code


def told(game: Game) -> set[str]:
    """The recipients of mails about the last act of the table."""
    notices = Notice.objects.filter(game=game, kind=Kind.TABLE, version=game.version)
    return {notice.recipient.username for notice in notices}


class TestEnding:
    def test_all_must_agree_and_then_the_game_has_no_winner(self) -> None:
        game = play_turns(make_game(seats=3, rated=True), 7)
        made = offer(game)
        game.refresh_from_db()
        assert (game.open_offers, told(game)) == (1, {"Bruno", "Clara"})
        game = agree(game, made, 1, 1)
        assert game.status == Status.PLAYING
        game = agree(game, made, 2)
        assert (game.status, game.ending, game.rated) == (Status.ABORTED, Ending.AGREED, False)
        assert {seat.rank for seat in game.seats.all()} == {None}
        assert game.moves.latest("version").action == {"type": "end", "agreed": [0, 1, 2]}
        assert Notice.objects.filter(game=game, kind=Kind.GAME_OVER).count() == 3
        assert find_differences(game) == []

    def test_one_who_declines_is_enough(self) -> None:
        game = play_turns(make_game(seats=3), 4)
        made = offer(game)
        for _ in range(2):
            play.decline(offer_id=made.pk, seat=2, now=NOW)
        game.refresh_from_db()
        assert (game.open_offers, told(game)) == (0, {"Anna"})
        assert refusal(play.agree, offer_id=made.pk, seat=1, now=NOW) == "offer_gone"
        assert find_differences(game) == []

    def test_who_offered_may_take_it_back(self) -> None:
        game = make_game()
        made = offer(game)
        play.decline(offer_id=made.pk, seat=0, now=NOW)
        made.refresh_from_db()
        assert made.outcome == Outcome.WITHDRAWN
        assert refusal(play.agree, offer_id=made.pk, seat=1, now=NOW) == "offer_gone"

    def test_who_offered_can_not_agree_alone(self) -> None:
        game = make_game()
        assert agree(game, offer(game), 0, 0).status == Status.PLAYING

    def test_programs_agree_by_themselves_and_who_left_has_no_say(self) -> None:
        alone = make_game(bots=1)
        offer(alone)
        alone.refresh_from_db()
        assert alone.ending == Ending.AGREED
        game = play_turns(make_game(seats=3), 4)
        play.resign(game_id=game.pk, seat=1, now=NOW)
        game.refresh_from_db()
        assert agree(game, offer(game), 2).ending == Ending.AGREED

    def test_the_same_is_offered_once_until_it_lapses_after_a_week(self) -> None:
        game = make_game(days_per_move=30)
        made = offer(game)
        asked = {"game_id": game.pk, "seat": 1, "kind": Proposal.END}
        assert refusal(play.propose, **asked, now=NOW + 6 * DAY) == "offered_already"
        assert refusal(play.agree, offer_id=made.pk, seat=1, now=NOW + 7 * DAY) == "offer_gone"
        again = offer(game, seat=1, now=NOW + 7 * DAY)
        game = agree(game, again, 0, now=NOW + 7 * DAY)
        made.refresh_from_db()
        assert (made.outcome, game.ending) == (Outcome.LAPSED, Ending.AGREED)

    def test_it_lapses_when_somebody_leaves(self) -> None:
        game = play_turns(make_game(seats=3), 4)
        made = offer(game)
        play.resign(game_id=game.pk, seat=1, now=NOW)
        game.refresh_from_db()
        assert game.open_offers == 0
        assert refusal(play.agree, offer_id=made.pk, seat=2, now=NOW) == "offer_gone"

    def test_turns_do_not_let_it_lapse(self) -> None:
        game = make_game()
        made = offer(game)
        game = play_turns(game, 2)
        assert agree(game, made, 1).ending == Ending.AGREED

    def test_a_game_that_is_over_takes_no_offer(self) -> None:
        game = make_game()
        agree(game, offer(game), 1)
        with pytest.raises(GameOver):
            offer(game)


class TestBreakingOff:
    @pytest.mark.parametrize(("seats", "sets"), [(2, ["base"]), (3, ["base", "river2"])])
    def test_before_anybody_s_second_turn_it_needs_nobody_s_consent(
        self, seats: int, sets: list[str]
    ) -> None:
        game = play_turns(make_game(seats=seats, sets=sets, rated=True), seats)
        play.abort(game_id=game.pk, seat=seats - 1, now=NOW + HOUR)
        game.refresh_from_db()
        assert (game.status, game.ending, game.rated) == (Status.ABORTED, Ending.STOPPED, False)
        assert Notice.objects.filter(game=game, kind=Kind.GAME_OVER).count() == seats
        assert find_differences(game) == []

    def test_after_a_second_turn_it_does(self) -> None:
        game = play_turns(make_game(), 3)
        assert refusal(play.abort, game_id=game.pk, seat=0, now=NOW + HOUR) == "too_late_to_abort"


class TestPause:
    UNTIL = NOW + 10 * DAY

    def paused(self, **settings: Any) -> Game:
        game = make_game(**settings)
        now = NOW + HOUR
        return agree(game, offer(game, Proposal.PAUSE, now=now, until=self.UNTIL), 1, now=now)

    def test_the_clock_stands_from_the_agreement_to_the_end(self) -> None:
        game = self.paused()
        assert game.deadline == self.UNTIL + 3 * DAY - HOUR
        assert told(game) == {"Anna"}
        assert reminders(game)
        assert all(at > self.UNTIL for at in reminders(game))
        assert find_differences(game) == []

    def test_turns_may_be_played_and_cost_nothing_and_the_next_clock_stands_too(self) -> None:
        game = play_turns(self.paused(), 1, now=NOW + 5 * DAY)
        assert game.seats.get(index=0).bank == 3 * DAY
        assert (game.awaited, game.deadline) == (1, self.UNTIL + 3 * DAY)
        assert find_differences(game) == []

    def test_one_may_end_it_and_nobody_is_late_for_twelve_hours(self) -> None:
        game = self.paused(days_per_move=1)
        now = NOW + HOUR + DAY
        play.resume(game_id=game.pk, seat=1, now=now)
        game.refresh_from_db()
        assert game.deadline == NOW + 2 * DAY
        assert refusal(play.resume, game_id=game.pk, seat=0, now=now) == "not_paused"
        assert find_differences(game) == []

    def test_the_twelve_hours(self) -> None:
        game = make_game(days_per_move=1)
        just_in_time = NOW + DAY - HOUR
        agree(game, offer(game, Proposal.PAUSE, now=NOW, until=self.UNTIL), 1, now=just_in_time)
        play.resume(game_id=game.pk, seat=1, now=just_in_time + DAY)
        game.refresh_from_db()
        assert game.deadline == just_in_time + DAY + 12 * HOUR

    @pytest.mark.parametrize("until", [None, NOW, NOW - DAY, NOW + clocks.MUTUAL_PAUSE + HOUR])
    def test_it_has_an_end_within_sixty_days(self, until: Any) -> None:
        game = make_game()
        asked = {"game_id": game.pk, "seat": 0, "kind": Proposal.PAUSE, "now": NOW, "until": until}
        assert refusal(play.propose, **asked) == "pause_dates"
        assert not game.offers.exists()

    def test_there_is_one_at_a_time(self) -> None:
        game = self.paused()
        asked = {"game_id": game.pk, "seat": 0, "kind": Proposal.PAUSE, "until": self.UNTIL + DAY}
        assert refusal(play.propose, **asked, now=NOW + 2 * HOUR) == "paused_already"

    def test_nobody_agrees_to_one_that_would_be_over(self) -> None:
        game = make_game(days_per_move=30)
        made = offer(game, Proposal.PAUSE, until=NOW + DAY)
        assert refusal(play.agree, offer_id=made.pk, seat=1, now=NOW + 2 * DAY) == "offer_gone"

    def test_while_a_program_is_awaited(self) -> None:
        game = play_turns(make_game(seats=3, bots=1), 2)
        assert (game.awaited, game.deadline) == (2, None)
        game = agree(game, offer(game, Proposal.PAUSE, until=self.UNTIL), 1)
        assert game.deadline is None
        game = play_turns(game, 1, now=NOW + HOUR)
        assert game.deadline == self.UNTIL + 3 * DAY
