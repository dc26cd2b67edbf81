"""Tests of moderators' acts: atomic, idempotent, logged, notified, undone."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, transaction

from accounts.models import Player
from games import access, play, tables
from games.clocks import DAY, HOUR, ClockSettings, Ladder, TimeoutStep
from games.exceptions import Refused
from games.models import (
    Ending,
    Game,
    Kind,
    ModerationAct,
    Move,
    Notice,
    Plan,
    SeatState,
    Status,
)
from games.notices import relevance
from games.notices.email import compose
from games.play import moderation, positions
from games.play.audit import find_differences
from tests.games.factories import (
    NOW,
    heart_beats,
    make_game,
    make_player,
    make_table,
    play_turns,
    some_action,
)
from tests.games.play.deal_helpers import (
    begin_game_of_deal,
    get_or_make_player,
    list_drawn_kinds,
    make_deal,
    play_and_resign,
)
from tests.games.play.moderating import LATER, asked

pytestmark = pytest.mark.django_db
Act = Callable[..., ModerationAct]


def refusal(act: Act, *given: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*given)
    return refused.value.code


def now(game: Game) -> Game:
    """The game as it is in the database, after a check for differences."""
    game = Game.objects.get(pk=game.pk)
    assert find_differences(game) == []
    return game


def recipients(kind: Kind, version: int) -> set[str]:
    notices = Notice.objects.filter(kind=kind, version=version, dropped=None)
    return set(notices.values_list("recipient__username", flat=True))


class TestWhoMay:
    def test_a_member_of_the_group_who_is_of_the_staff(self) -> None:
        game = make_game()
        mira = make_player("Mira", is_staff=True)
        assert not access.may_moderate(mira, game)
        mira.groups.add(Group.objects.get(name="moderator"))
        mira = Player.objects.get(pk=mira.pk)
        assert access.may_moderate(mira, game)
        assert mira.has_perm("games.view_move") and not mira.has_perm("accounts.change_player")
        mira.is_staff = False
        assert not access.may_moderate(mira, game)

    def test_roles_are_made_by_migrations(self) -> None:
        rights = dict.fromkeys(("moderator", "organiser", "administrator"), frozenset[str]())
        for name in rights:
            owned = Group.objects.get(name=name).permissions.values_list("codename", flat=True)
            rights[name] = frozenset(owned) & {"moderate_game", "found_league", "change_player"}
        assert rights == {
            "moderator": {"moderate_game"},
            "organiser": {"found_league"},
            "administrator": {"moderate_game", "found_league", "change_player"},
        }

    def test_nobody_in_a_game_that_they_play_or_were_replaced_in_a_superuser_included(self) -> None:
        game = make_game(seats=3)
        anna = game.host
        anna.is_staff = anna.is_superuser = True
        anna.save()
        assert refusal(moderation.pause, asked(game, anna)) == "may_not_moderate"
        moderation.replace(asked(game), 0, make_player("Emma"))
        assert refusal(moderation.pause, asked(game, anna)) == "may_not_moderate"


class TestOnce:
    def test_a_double_click_is_done_once_and_another_page_is_stale(self) -> None:
        game = play_turns(make_game(), 3)
        wish = asked(game)
        first = moderation.extend(wish, 2)
        assert moderation.extend(wish, 2) == first
        assert refusal(moderation.extend, wish._replace(reason="Another"), 2) == "stale_turn"
        assert ModerationAct.objects.count() == 1
        assert now(game).moderated

    @pytest.mark.parametrize(("reason", "code"), [(" ", "say_why"), ("x" * 501, "reason_too_long")])
    def test_nothing_without_a_reason(self, reason: str, code: str) -> None:
        game = make_game()
        assert refusal(moderation.abort, asked(game, reason=reason)) == code
        assert (now(game).version, ModerationAct.objects.count()) == (1, 0)

    @pytest.mark.parametrize("cancelled", [False, True])
    def test_a_table_that_never_began_is_its_hosts(self, cancelled: bool) -> None:
        table = make_table(rated=True)
        if cancelled:
            tables.cancel(game_id=table.pk, player=table.host, now=NOW)
        acts: list[tuple[Act, *tuple[Any, ...]]] = [
            (moderation.roll_back, 0),
            (moderation.unrate,),
            (moderation.abort,),
            (moderation.pause,),
        ]
        assert {refusal(act, asked(table), *given) for act, *given in acts} == {"not_begun"}

    def test_the_log_is_append_only(self) -> None:
        act = moderation.unrate(asked(make_game(rated=True)))
        for change in (
            act.save,
            act.delete,
            ModerationAct.objects.all().delete,
            lambda: ModerationAct.objects.update(reason="Another"),
            lambda: ModerationAct.objects.bulk_update([act], ["reason"]),
        ):
            with pytest.raises(TypeError):
                change()
        with pytest.raises(DatabaseError), transaction.atomic():
            super(type(ModerationAct.objects.all()), ModerationAct.objects.all()).update(reason="Another")
        assert ModerationAct.objects.get().reason == "A double account."

    def test_a_preview_says_all_and_changes_nothing(self) -> None:
        game = play_turns(make_game(seats=3), 6)
        owed = Notice.objects.count()
        seen = moderation.preview(asked(game), lambda wish: moderation.roll_back(wish, 2))
        assert (seen.act.before["ply"], seen.act.after["ply"]) == (6, 2)
        assert {str(player) for player in seen.told} == {"Anna", "Bruno", "Clara"}
        assert (now(game).ply, ModerationAct.objects.count(), Notice.objects.count()) == (6, 0, owed)


class TestPause:
    def test_nobody_plays_and_no_clock_runs_until_it_is_resumed(self) -> None:
        game = make_game()
        deadline = game.deadline
        assert deadline is not None
        paused = moderation.pause(asked(game))
        game = now(game)
        assert game.deadline is None
        turn = {"game_id": game.pk, "seat": 0, "action": some_action(game), "expected_version": game.version}
        with pytest.raises(Refused, match="moderator has stopped"):
            play.play(**turn, now=LATER + DAY)
        assert not play.lose_on_time(game_id=game.pk, now=LATER + 9 * DAY)
        assert refusal(moderation.pause, asked(game)) == "held_already"
        resumed = moderation.resume(asked(game, now=LATER + 9 * DAY))
        assert resumed.undoes == paused
        assert now(game).deadline == deadline + 9 * DAY
        heart_beats(LATER + 10 * DAY)
        play.play(**turn | {"expected_version": game.version}, now=LATER + 10 * DAY)
        assert now(game).ply == 1

    def test_one_with_an_end_is_over_by_itself(self) -> None:
        game = make_game()
        deadline = game.deadline
        assert deadline is not None
        moderation.pause(asked(game), LATER + 2 * DAY)
        assert now(game).deadline == deadline + 2 * DAY
        for until in (LATER, LATER + 400 * DAY, datetime.max.replace(tzinfo=ZoneInfo("America/Lima"))):
            assert refusal(moderation.pause, asked(game), until) == "hold_dates"
        assert refusal(moderation.resume, asked(game, now=LATER + 3 * DAY)) == "not_held"

    def test_time_is_given_to_all_or_to_one(self) -> None:
        game = make_game(seats=3)
        moderation.extend(asked(game), 2)
        moderation.extend(asked(game), 1, 2)
        banks = list(now(game).seats.order_by("index").values_list("bank", flat=True))
        assert banks == [5 * DAY, 5 * DAY, 6 * DAY]
        assert recipients(Kind.MODERATION, game.version + 1) == {"Anna", "Bruno", "Clara"}
        assert refusal(moderation.extend, asked(game), 31) == "extend_days"


class TestRollBack:
    def test_all_is_as_it_was_and_the_same_tiles_come_again(self) -> None:
        clock = ClockSettings(start=3 * DAY, gain=HOUR, cap=3 * DAY)
        game = make_game(seats=3, clock=clock)
        heart_beats(NOW + DAY)
        game = play_turns(game, 4, now=NOW + 5 * HOUR)
        before = list(game.seats.order_by("index").values("score", "meeples", "bank", "spent"))
        then = positions.load_position(game).state
        for turns in (5, 3):
            game = play_turns(game, turns, now=NOW + DAY)
            kinds = list(game.tiles.order_by("draw").values_list("kind", flat=True))
            act = moderation.roll_back(asked(game, now=NOW + DAY + turns * HOUR), 4)
            game = now(game)
            assert positions.load_position(game).state == then
            assert list(game.seats.order_by("index").values("score", "meeples", "bank", "spent")) == before
            assert (game.ply, game.awaited, game.turn_began) == (4, 1, act.at)
            withdrawn = Move.objects.get(game=game, version=act.version).action["moves"]
            kept = set(game.moves.exclude(withdrawn=None).values_list("version", flat=True))
            assert set(withdrawn) <= kept
        game = play_turns(game, 3, now=NOW + 2 * DAY)
        assert list(game.tiles.order_by("draw").values_list("kind", flat=True))[:8] == kinds[:8]

    def test_whoever_left_since_sits_there_again_with_time_to_play(self) -> None:
        game = play_turns(make_game(rated=True), 4)
        assert game.deadline is not None
        late = game.deadline + HOUR
        heart_beats(late)
        Notice.objects.filter(dropped=None).update(sent=NOW)
        assert play.lose_on_time(game_id=game.pk, now=late)
        assert now(game).status == Status.FINISHED
        moderation.roll_back(asked(game, now=late + DAY), 4)
        game = now(game)
        assert (game.status, game.ending, game.seed, game.finished) == (Status.PLAYING, "", "", None)
        assert not game.seats.exclude(state=SeatState.PLAYING, rank=None, left_at=None).exists()
        assert game.deadline is not None and game.deadline >= late + DAY + 12 * HOUR
        assert not Notice.objects.filter(kind=Kind.GAME_OVER, dropped=None).exists()
        assert Notice.objects.filter(kind=Kind.YOUR_TURN, version=game.turn_version).count() == 1

    def test_a_finished_game_is_played_to_another_end(self) -> None:
        game = play_turns(make_game(sets=("base",)), 5)
        play.propose(game_id=game.pk, seat=0, kind="end", now=LATER)  # type: ignore[arg-type]
        play.agree(offer_id=game.offers.get().pk, seat=1, now=LATER)
        assert now(game).status == Status.ABORTED
        assert refusal(moderation.roll_back, asked(game), 6) == "no_ply_to_roll_back_to"
        moderation.roll_back(asked(game), 3)
        game = play_turns(now(game), 2, now=LATER + HOUR)
        assert now(game).ply == 5

    def test_plans_are_gone_and_nobody_else_leaves(self) -> None:
        game = play_turns(make_game(), 4)
        planner = 1 - (game.awaited or 0)
        Plan.objects.create(
            seat=game.seats.get(index=planner),
            number=0,
            tile="base.V",
            action={"type": "place", "tile": "base.V", "at": [9, 9], "rotation": 0},
            rests_on={},
            schema=1,
            made_at=game.version,
            created=NOW,
        )
        moderation.roll_back(asked(game), 2)
        assert not Plan.objects.in_force().exists()

    def test_a_game_whose_player_has_gone_for_good_stays_over(self) -> None:
        game = play_turns(make_game(), 4)
        play.resign(game_id=game.pk, seat=1, now=NOW + HOUR)
        Player.objects.filter(username="Bruno").update(is_active=False)
        before = game.moves.count()
        assert refusal(moderation.roll_back, asked(game), 2) == "nobody_plays_on"
        game = now(game)
        assert (game.status, game.moves.filter(withdrawn=None).count()) == (Status.FINISHED, before)

    def test_one_of_a_shared_draw_goes_on_as_long_as_its_players_have_seen_no_other(self) -> None:
        deal = make_deal()
        first, second = (
            begin_game_of_deal(deal, *names) for names in (("Anna", "Bruno"), ("Clara", "David"))
        )
        first, second = play_and_resign(first, 6), play_turns(second, 6)
        moderation.roll_back(asked(first), 3)
        first = play_and_resign(now(first), 3)
        shorter = min(first.tiles.count(), second.tiles.count())
        assert list_drawn_kinds(first)[:shorter] == list_drawn_kinds(second)[:shorter]
        moderation.roll_back(asked(second), 4)
        play_and_resign(now(second), 1)
        assert refusal(moderation.roll_back, asked(first), 3) == "draw_shown"
        third = begin_game_of_deal(deal, "Emma", "Felix")
        assert refusal(moderation.replace, asked(third), 0, get_or_make_player("Clara")) == "may_not_replace"

    def test_who_was_replaced_in_one_of_a_shared_draw_plays_in_no_other(self) -> None:
        deal = make_deal()
        first, second = (
            begin_game_of_deal(deal, *names) for names in (("Anna", "Bruno"), ("Clara", "David"))
        )
        moderation.replace(asked(first), 0, make_player("Emma"))
        anna = get_or_make_player("Anna")
        assert refusal(moderation.replace, asked(second), 0, anna) == "may_not_replace"
        with pytest.raises(ValueError):
            begin_game_of_deal(deal, "Anna", "Felix")
        moderation.give_back(asked(now(first)), 0)
        assert now(first).seats.get(index=0).player == anna


class TestResults:
    def test_a_decision_ends_it_with_its_places_and_points(self) -> None:
        game = play_turns(make_game(seats=3, rated=True), 5)
        act = moderation.adjudicate(asked(game), [1, 1, 3], [30, 30, 7])
        game = now(game)
        assert (game.status, game.ending, game.rated) == (Status.FINISHED, Ending.DECIDED, True)
        seats = list(game.seats.order_by("index").values_list("rank", "score", "result"))
        assert seats == [(1, 30, "shared"), (1, 30, "shared"), (3, 7, "lost")]
        moderation.unrate(asked(game))
        moderation.rate(asked(game))
        assert now(game).seats.get(index=2).score == 7
        assert moderation.reopen(asked(game)).undoes == act
        game = now(game)
        assert (game.status, game.rated, game.seats.get(index=2).rank) == (Status.PLAYING, True, None)
        assert refusal(moderation.reopen, asked(game)) == "not_decided"

    @pytest.mark.parametrize(
        ("ranks", "scores", "code"),
        [
            ([1, 3], [1, 1], "ranks"),
            ([1], [1, 1], "ranks"),
            ([2, 2], [1, 1], "ranks"),
            ([1, 2], [1, -1], "scores"),
        ],
    )
    def test_places_and_points_are_what_there_can_be(self, ranks: Any, scores: Any, code: str) -> None:
        assert refusal(moderation.adjudicate, asked(make_game()), ranks, scores) == code

    def test_one_that_is_broken_off_counts_for_nobody_until_it_goes_on(self) -> None:
        game = play_turns(make_game(rated=True), 5)
        moderation.abort(asked(game))
        assert (now(game).status, now(game).rated) == (Status.ABORTED, False)
        assert refusal(moderation.abort, asked(game)) == "nothing_running"
        assert refusal(moderation.rate, asked(game)) == "rated_already"
        moderation.reopen(asked(game))
        assert now(game).rated
        mail = compose(Notice.objects.filter(kind=Kind.GAME_OVER).first())  # type: ignore[arg-type]
        assert "A double account." in mail.body


class TestSeats:
    def test_another_player_plays_on_and_gives_the_seat_back(self) -> None:
        game = play_turns(make_game(seats=3), 3)
        emma, anna = make_player("Emma"), game.host
        act = moderation.replace(asked(game), 0, emma)
        game = now(game)
        assert (game.seats.get(index=0).player, game.turn_version) == (emma, act.version)
        assert recipients(Kind.YOUR_TURN, act.version) == {"Emma"}
        assert recipients(Kind.MODERATION, act.version) == {"Anna", "Bruno", "Clara"}
        assert refusal(moderation.replace, asked(game), 1, emma) == "may_not_replace"
        assert {"Anna", "Emma"} < {str(player) for player in act.people_named()}, "who was replaced, too"
        told = Notice.objects.get(kind=Kind.MODERATION, recipient=anna)
        assert relevance.why_not(told, LATER) == ""
        mail = compose(told)
        assert "moderator" in mail.subject and "A double account." in mail.body
        assert moderation.give_back(asked(game), 0).undoes == act
        assert now(game).seats.get(index=0).player == anna
        assert refusal(moderation.give_back, asked(game), 0) == "not_replaced"

    def test_the_house_bot_plays_on_and_nobody_takes_that_seat_over(self) -> None:
        game = play_turns(make_game(seats=3), 3)
        moderation.replace(asked(game), 0, None)
        game = now(game)
        assert (game.seats.get(index=0).state, game.deadline) == (SeatState.REPLACED, None)
        for act in (
            lambda: play.come_back(game_id=game.pk, seat=0, now=LATER),
            lambda: play.take_over(game_id=game.pk, seat=0, player=make_player("Emma"), now=LATER),
        ):
            assert refusal(act) == "not_offered"
        game = play_turns(game, 1, now=LATER, how="bot")
        moderation.give_back(asked(game), 0)
        assert now(game).seats.get(index=0).played_by_person

    @pytest.mark.parametrize(
        ("last", "state"),
        [(TimeoutStep.SUBSTITUTE, SeatState.OFFERED), (TimeoutStep.LOSS, SeatState.TIMED_OUT)],
    )
    @pytest.mark.parametrize("seat", [0, 1])
    def test_the_ladder_says_what_becomes_of_a_seat(
        self, last: TimeoutStep, state: SeatState, seat: int
    ) -> None:
        ladder = Ladder(excuses=1, holiday=False, last=last)
        game = play_turns(make_game(seats=3, ladder=ladder), 3)
        moderation.hand_to_ladder(asked(game), seat)
        game = now(game)
        assert game.seats.get(index=seat).state == state
        assert (game.deadline is None) == (seat == game.awaited)
        moderation.roll_back(asked(game), 2)
        assert now(game).seats.get(index=seat).state == SeatState.PLAYING
