"""Tests of what a sanction prevents, and what it does not."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from games import play, tables
from games.clocks import PRESETS, Ladder, TimeoutStep
from games.exceptions import Refused
from games.models import Answer, Game, Holiday, PlanDropReason, Proposal, Seat, SeatState, Status
from games.play import moderation, plans
from games.rules import RuleSet
from games.tables.settings import TableSettings
from games.tasks import follow_suspensions
from moderation.acts import sanctions
from tests.games.factories import NOW, make_game, make_player, make_table, play_lines, some_action
from tests.games.guest_helpers import make_guest_game
from tests.games.play import moderating
from tests.games.play.plan_helpers import EAST, WEST, make_game_with_bag, make_plan
from tests.games.play.substitute_helpers import make_offered_game, time_out
from tests.moderation.sanctioning import DAY, mute, suspend, warned

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = NOW + HOUR


def anna() -> Player:
    return Player.objects.get(username="Anna")


def turn(game: Game) -> Callable[[], Game]:
    """Build a function that plays the next turn."""

    def act() -> Game:
        return play.play(
            game_id=game.pk, seat=0, action=some_action(game), expected_version=game.version, now=LATER
        )

    return act


def why_not(act: Callable[..., Any], **kwargs: Any) -> str:
    with transaction.atomic(), pytest.raises(Refused) as why:
        act(**kwargs)
    return why.value.code


def sentence(sanction: Callable[..., Any]) -> str:
    return {warned: "unread_warning", suspend: "suspended", mute: "muted"}[sanction]


@pytest.fixture
def game() -> Game:
    return make_game(seats=3)


@pytest.mark.parametrize("sanction", [warned, suspend])
class TestUnreadWarningsAndSuspensions:
    def test_keep_from_turns(self, game: Game, sanction: Any) -> None:
        deadline = game.deadline
        sanction(anna())
        assert why_not(turn(game)) == sentence(sanction)
        game.refresh_from_db()
        assert game.deadline == deadline

    def test_keep_from_planning(self, game: Game, sanction: Any) -> None:
        sanction(Player.objects.get(username="Bruno"))
        place = some_action(game)
        wish = {"game_id": game.pk, "seat": 1, "place": place, "expected_version": game.version}
        refusal = why_not(plans.make, **wish, now=NOW)
        assert refusal == sentence(sanction)

    def test_keep_from_standing_answers(self, game: Game, sanction: Any) -> None:
        sanction(anna())
        refusal = why_not(play.set_transfers, game_id=game.pk, seat=0, transfers="decline", now=NOW)
        assert refusal == sentence(sanction)

    def test_keep_from_talk_tables_seats_and_invitations(self, game: Game, sanction: Any) -> None:
        own = make_table(seats=3)
        bruno = Player.objects.get(username="Bruno")
        other = make_table(seats=3, host=bruno)
        invitation = tables.invite(game_id=other.pk, inviter=bruno, player=anna(), now=NOW)
        sanction(anna())
        agreed = TableSettings(rules=RuleSet.of(seats=2), clock=own.clock)
        assert {
            why_not(tables.say, game_id=game.pk, player=anna(), text="Hello", now=NOW),
            why_not(tables.create_table, host=anna(), settings=agreed, now=NOW),
            why_not(tables.play_the_bot, host=anna(), now=NOW),
            why_not(tables.rematch, game_id=game.pk, player=anna(), now=NOW),
            why_not(tables.sit, game_id=other.pk, player=anna(), now=NOW),
            why_not(tables.accept, token=invitation.token, player=anna(), now=NOW),
            why_not(tables.add_bot, game_id=own.pk, player=anna(), now=NOW),
            why_not(tables.invite, game_id=own.pk, inviter=anna(), player=bruno, now=NOW),
        } == {sentence(sanction)}

    def test_keep_from_seats_that_seek_a_substitute(self, sanction: Any) -> None:
        game = make_offered_game()
        felix = make_player("Felix")
        seat = game.seats.get(state=SeatState.OFFERED)
        sanction(felix, LATER)
        refusal = why_not(play.take_over, game_id=game.pk, seat=seat.index, player=felix, now=LATER + DAY)
        assert refusal == sentence(sanction)

    def test_do_not_keep_from_resigning(self, game: Game, sanction: Any) -> None:
        sanction(anna())
        play.resign(game_id=game.pk, seat=0, now=LATER)
        assert game.seats.get(index=0).state == SeatState.RESIGNED

    def test_others_play_on(self, game: Game, sanction: Any) -> None:
        sanction(Player.objects.get(username="Bruno"))
        assert turn(game)().version > game.version


def test_who_has_read_a_warning_plays_on(game: Game) -> None:
    warning = warned(anna())
    sanctions.acknowledge(sanction_id=warning.pk, player=anna(), now=NOW)
    assert turn(game)().version > game.version


class TestMuted:
    def test_play_and_say_nothing(self, game: Game) -> None:
        mute(anna())
        turn(game)()
        assert why_not(tables.say, game_id=game.pk, player=anna(), text="Hello", now=NOW) == "muted"
        tables.say(game_id=game.pk, player=anna(), text="Hello", now=NOW + 8 * DAY)

    def test_invite_without_a_line(self) -> None:
        table, bruno = make_table(seats=3), make_player("Bruno")
        mute(anna())
        invite = {"game_id": table.pk, "inviter": anna(), "player": bruno, "now": NOW}
        assert why_not(tables.invite, greeting="Come!", **invite) == "muted"
        assert tables.invite(**invite).answer == Answer.PENDING

    def test_name_no_table(self) -> None:
        agreed = TableSettings(rules=RuleSet.of(seats=2), clock=make_table().clock)
        mute(anna())
        rude = replace(agreed, name="Bruno is a fool")
        assert why_not(tables.create_table, host=anna(), settings=rude, now=NOW) == "muted"
        for name in ("", "Albi"):
            tables.create_table(host=anna(), settings=replace(agreed, name=name), now=NOW)


class TestSuspended:
    def test_offer_claim_and_give_nothing(self, game: Game) -> None:
        suspend(anna())
        at = {"game_id": game.pk, "seat": 0, "now": LATER}
        assert {
            why_not(play.propose, kind=Proposal.END, **at),
            why_not(play.claim_win, **at),
            why_not(play.give_days, days=2, **at),
            why_not(play.abort, **at),
        } == {"suspended"}

    def test_take_no_turn_back(self, game: Game) -> None:
        play.play(
            game_id=game.pk,
            seat=0,
            action=some_action(game),
            expected_version=game.version,
            now=NOW,
            undo_window=timedelta(minutes=1),
        )
        suspend(anna())
        assert why_not(play.undo, game_id=game.pk, seat=0, now=NOW) == "suspended"

    def test_do_not_come_back(self) -> None:
        game = make_offered_game()
        seat = game.seats.select_related("player").get(state=SeatState.OFFERED)
        assert seat.player is not None
        suspend(seat.player, LATER)
        now = LATER + DAY
        assert why_not(play.come_back, game_id=game.pk, seat=seat.index, now=now) == "suspended"

    def test_begin_neither_holiday_nor_emergency(self, game: Game) -> None:
        suspend(anna())
        holiday = {"player": anna(), "begin": NOW + DAY, "end": NOW + 3 * DAY, "now": NOW}
        assert why_not(play.enter_holiday, **holiday) == "suspended"
        assert why_not(play.begin_emergency, player=anna(), days=2, now=NOW) == "suspended"

    def test_no_holiday_begins_by_itself(self) -> None:
        free, bound = (make_game(clock=PRESETS["steady"], ladder=Ladder(excuses=0)) for _ in range(2))
        free = time_out(free)
        assert free.status == Status.PLAYING and Holiday.objects.exists()
        Holiday.objects.all().delete()
        suspend(anna(), days=30)
        time_out(bound)
        assert bound.seats.get(index=0).state == SeatState.TIMED_OUT
        assert not Holiday.objects.exists()

    def test_their_seat_goes_the_way_of_the_ladder(self) -> None:
        game = make_game(seats=3, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE))
        suspend(anna(), days=30)
        time_out(game)
        assert game.seats.get(index=0).state == SeatState.OFFERED
        assert game.status == Status.PLAYING

    def test_no_moderator_sets_them_on_a_seat(self, game: Game) -> None:
        emma = make_player("Emma")
        suspend(emma)
        with pytest.raises(Refused) as refused:
            moderation.replace(moderating.asked(game), 0, emma)
        assert refused.value.code == "may_not_replace"

    def test_no_moderator_sets_a_guest_on_a_rated_seat(self) -> None:
        _unrated, zoe = make_guest_game()
        with pytest.raises(Refused) as refused:
            moderation.replace(moderating.asked(make_game(rated=True)), 0, zoe)
        assert refused.value.code == "may_not_replace"

    def test_their_plans_do_not_play(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, WEST)
        suspend(Player.objects.get(username="Bruno"))
        game = play_lines(game, EAST, now=LATER)
        assert game.awaited == 1
        made.refresh_from_db()
        assert (made.dropped, made.played) == (PlanDropReason.SUSPENDED, None)

    def test_plans_of_who_has_a_warning_to_read_play(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, WEST)
        warned(Player.objects.get(username="Bruno"))
        play_lines(game, EAST, now=LATER)
        made.refresh_from_db()
        assert made.played is not None


class TestWhatFollowsASuspension:
    def test_open_tables_are_withdrawn_and_seats_freed(self) -> None:
        own = make_table(seats=3)
        other = make_table(seats=3, host=make_player("Bruno"))
        tables.sit(game_id=other.pk, player=anna(), now=NOW)
        suspend(anna(), timezone.now())
        for _again in range(2):
            follow_suspensions()
        own.refresh_from_db()
        other.refresh_from_db()
        assert (own.status, other.status) == (Status.ABORTED, Status.OPEN)
        assert not Seat.objects.filter(game=other, player=anna()).exists()

    def test_the_beat_looks_for_what_a_lost_message_forgot(self) -> None:
        names = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
        assert follow_suspensions.name in names

    def test_holidays_to_come_are_taken_back(self) -> None:
        now = timezone.now()
        player = make_player("Anna")
        for days in (-1, 9):
            Holiday.objects.create(
                player=player, begin=now + days * DAY, end=now + (days + 3) * DAY, entered=now
            )
        suspend(player, now)
        follow_suspensions()
        assert [holiday.begin for holiday in Holiday.objects.all()] == [now - DAY]

    def test_nothing_is_left_for_the_sweep(self) -> None:
        make_table(seats=3)
        assert not tables.find_suspended_players(NOW).exists()
        suspend(anna())
        assert list(tables.find_suspended_players(NOW)) == [anna()]
        tables.withdraw_all(player=anna(), now=NOW)
        assert not tables.find_suspended_players(NOW).exists()
