"""Tests of planned turns: played when due, dropped when their premises change, and secret."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import close_account
from games import play
from games.exceptions import GameOver, Refused, StaleTurn
from games.models import Game, How, Kind, Notice, Plan, PlanDropReason, SeatState, Status
from games.play import plans, positions
from games.play.audit import find_differences
from games.rules import Deploy, Place
from games.rules.planning import suppose_turn
from tests.games.factories import NOW, make_game, make_table, new_process, play_lines, play_turns
from tests.games.play.decision_helpers import make_entering_game
from tests.games.play.plan_helpers import EAST, WEST, make_game_with_bag, make_plan

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=3)
HIGHWAYMAN = Deploy("follower", "road", "W")
CITY = Place("base.E", 0, -1, 180)
HAND = {"first_player": "creator", "hand": "three_hidden"}


def lying(game: Game) -> list[tuple[int, int]]:
    return [(tile.x, tile.y) for tile in positions.load_position(game).state.placed]


class TestPlaying:
    def test_a_planned_turn_is_played_as_soon_as_its_tile_is_drawn(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, WEST._replace(figure=HIGHWAYMAN))
        game = play_lines(game, EAST, now=LATER)
        move = game.moves.get(ply=2)
        assert (move.seat, move.how, move.at, move.time_used) == (1, How.PLAN, LATER, timedelta(0))
        assert (game.awaited, game.ply, game.status) == (0, 2, Status.PLAYING)
        assert lying(game)[-1] == (-1, 0)
        made.refresh_from_db()
        assert (made.played, made.dropped, made.settled) == (move.version, "", move.version - 1)
        assert find_differences(game) == []

    def test_nobody_is_told_that_it_was_their_turn(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        make_plan(game, WEST)
        play_lines(game, EAST, now=LATER)
        told = Notice.objects.filter(kind=Kind.YOUR_TURN).values_list("recipient__username", flat=True)
        assert set(told) == {"Anna"}

    def test_a_plan_for_another_tile_is_not_played_and_falls_away(self) -> None:
        game = make_game_with_bag("base.U", "base.V", "base.U", "base.U")
        made = make_plan(game, WEST)
        game = play_lines(game, EAST)
        assert game.awaited == 1
        made.refresh_from_db()
        assert (made.settled, made.dropped, made.played) == (game.turn_version, "", None)
        game = play_lines(game, "2,0 r0", "0,1 r0")
        assert game.awaited == 1 and (-1, 0) not in lying(game)

    def test_the_first_that_can_be_played_is(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        make_plan(game, Place("base.V", -1, 0, 180))
        make_plan(game, Place("base.U", 1, 0, 0))
        make_plan(game, WEST)
        make_plan(game, Place("base.U", 0, 1, 0))
        game = play_lines(game, EAST)
        assert lying(game)[-1] == (-1, 0)
        rows = Plan.objects.order_by("number").values_list("dropped", "played")
        assert [*rows] == [("", None), (PlanDropReason.TAKEN, None), ("", game.version - 1), ("", None)]

    def test_plans_may_follow_each_other_from_seat_to_seat_but_each_is_for_one_turn(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.U", "base.U", "base.V", seats=3)
        make_plan(game, Place("base.U", -1, 0, 0), seat=1)
        make_plan(game, Place("base.U", -2, 0, 0), seat=2, after=(-1, 0))
        game = play_lines(game, EAST)
        assert [*game.moves.filter(how=How.PLAN).values_list("seat", flat=True)] == [1, 2]
        assert (game.awaited, game.ply) == (0, 3)
        assert not Plan.objects.in_force().exists()

    def test_a_tile_that_is_known_already_is_played_when_the_turn_comes(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V", options={"next_tile": "at_turn_end"})
        with pytest.raises(Refused, match="rules"):
            make_plan(game, CITY)
        make_plan(game, WEST)
        game = play_lines(game, EAST)
        assert (game.awaited, lying(game)[-1]) == (0, (-1, 0))

    def test_one_of_a_hand_of_three(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.U", "base.V", "base.U", "base.E",
                        options={"hand": "three_hidden"})  # fmt: skip
        make_plan(game, CITY)
        make_plan(game, Place("base.V", -1, 0, 180))
        game = play_lines(game, f"base.U@{EAST}")
        assert (game.awaited, lying(game)[-1]) == (0, (0, -1))

    def test_any_tile_that_may_lie_like_that(self) -> None:
        game = make_game_with_bag("base.U", "base.H", "base.V")
        made = make_plan(game, CITY, any_tile=True)
        assert {"base.E", "base.H"} <= made.rests_on.keys() and "base.U" not in made.rests_on
        game = play_lines(game, EAST)
        assert game.moves.get(ply=2).action["tile"] == "base.H"

    def test_while_another_is_asked_a_question_the_next_turn_can_be_planned(self) -> None:
        game = make_entering_game()
        seat = (game.awaited or 0) ^ 1
        legal = suppose_turn(positions.load_position(game), seat).legal_actions()
        place = next(action for action in legal if isinstance(action, Place))
        make_plan(game, place, seat=seat)
        assert Plan.objects.in_force().count() == 1


class TestAfter:
    def test_a_plan_waits_for_a_tile_on_its_space(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        make_plan(game, WEST, after=(1, 0))
        assert lying(play_lines(game, EAST))[-1] == (-1, 0)

    def test_and_falls_away_where_none_was_laid(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, WEST, after=(0, -1))
        game = play_lines(game, EAST)
        made.refresh_from_db()
        assert (game.awaited, made.dropped, made.played) == (1, "", None)

    def test_the_next_one_is_played_where_none_was_laid(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        make_plan(game, WEST, after=(0, -1))
        make_plan(game, Place("base.U", 0, 1, 0))
        assert lying(play_lines(game, EAST))[-1] == (0, 1)

    def test_beside_that_tile_the_rules_alone_are_asked(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        beyond = make_plan(game, Place("base.U", 2, 0, 0, HIGHWAYMAN), after=(1, 0))
        assert beyond.rests_on == {"base.U": None}
        assert lying(play_lines(game, EAST))[-1] == (2, 0)

    def test_they_may_refuse(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, Place("base.U", 2, 0, 0, HIGHWAYMAN), after=(1, 0))
        game = play_lines(game, EAST + " road E")
        made.refresh_from_db()
        assert (game.awaited, made.dropped) == (1, PlanDropReason.FIGURE)

    def test_the_space_must_be_empty_and_beside_a_tile(self) -> None:
        game = make_game_with_bag("base.U")
        for at in ((0, 0), (7, 7)):
            with pytest.raises(Refused, match="empty space"):
                make_plan(game, WEST, after=at)


class TestDropping:
    @pytest.mark.parametrize(
        ("place", "played", "reason"),
        [
            (Place("base.U", 1, 0, 0), EAST, PlanDropReason.TAKEN),
            (WEST._replace(figure=HIGHWAYMAN), f"{EAST} road E", PlanDropReason.FIGURE),
            (WEST, f"{EAST} road E", PlanDropReason.STANDING),
        ],
    )
    def test_a_plan_whose_ground_has_changed_is_dropped(
        self, place: Place, played: str, reason: PlanDropReason
    ) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        made = make_plan(game, place)
        game = play_lines(game, played)
        made.refresh_from_db()
        assert (made.dropped, made.settled, made.played) == (reason, game.turn_version, None)
        assert (game.awaited, game.ply) == (1, 1)

    def test_a_tile_that_no_longer_fits(self) -> None:
        game = make_game_with_bag("base.U", "base.A", "base.V")
        made = make_plan(game, Place("base.A", 2, 0, 0), after=(1, 0))
        play_lines(game, EAST)
        made.refresh_from_db()
        assert made.dropped == PlanDropReason.UNFIT

    def test_a_road_that_would_now_be_complete(self) -> None:
        game = make_game_with_bag("base.A", "base.A", "base.V")
        made = make_plan(game, Place("base.A", -1, 0, 270))
        play_lines(game, "1,0 r90")
        made.refresh_from_db()
        assert made.dropped == PlanDropReason.COMPLETION

    def test_who_plays_is_told_by_mail_as_ever(self) -> None:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        make_plan(game, WEST)
        game = play_lines(game, f"{EAST} road E")
        assert (
            Notice.objects.get(kind=Kind.YOUR_TURN, version=game.turn_version).recipient.username == "Bruno"
        )


class TestMaking:
    def test_a_second_click_adds_nothing(self) -> None:
        game = make_game_with_bag("base.U")
        one, two = make_plan(game, WEST), make_plan(game, WEST)
        assert one == two and Plan.objects.count() == 1

    def test_what_is_not_legal_can_not_be_planned(self) -> None:
        game = make_game_with_bag("base.U")
        for place in (
            WEST._replace(x=9), WEST._replace(rotation=90), WEST._replace(tile="base.none"),
            WEST._replace(figure=Deploy("large", "road", "W")), WEST._replace(rotation=17),
        ):  # fmt: skip
            with pytest.raises(Refused, match="rules"):
                make_plan(game, place)

    def test_a_tile_that_is_used_up_can_not_be_planned(self) -> None:
        game = make_game_with_bag("base.C")
        with pytest.raises(Refused, match="rules"):
            make_plan(game, Place("base.C", 0, -1, 0))

    def test_who_is_awaited_plays_and_does_not_plan(self) -> None:
        game = make_game_with_bag("base.U")
        with pytest.raises(Refused, match="is waiting for you"):
            make_plan(game, WEST, seat=0)

    def test_a_board_that_has_moved_on(self) -> None:
        game = make_game_with_bag("base.U", "base.V", "base.U", seats=3)
        version = game.version
        play_lines(game, EAST)
        with pytest.raises(StaleTurn):
            make_plan(game, WEST, seat=2, expected_version=version)

    def test_nothing_is_planned_in_a_game_that_has_not_begun_or_is_over(self) -> None:
        table = make_table()
        with pytest.raises(Refused, match="hasn't started"):
            make_plan(table, WEST, seat=0)
        game = make_game_with_bag("base.U")
        play.resign(game_id=game.pk, seat=0, now=NOW)
        with pytest.raises(GameOver):
            make_plan(game, WEST)

    def test_nothing_is_planned_by_who_has_left(self) -> None:
        game = make_game_with_bag("base.U", seats=3)
        play.resign(game_id=game.pk, seat=2, now=NOW)
        with pytest.raises(GameOver):
            make_plan(game, WEST, seat=2)

    def test_there_are_not_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(plans, "MOST_PLANS", 1)
        game = make_game_with_bag("base.U")
        make_plan(game, WEST)
        make_plan(game, WEST)
        with pytest.raises(Refused, match="a lot of"):
            make_plan(game, CITY)

    def test_plans_of_turns_that_are_over_go_when_the_next_are_made(self) -> None:
        game = make_game_with_bag("base.U", "base.V", "base.U", "base.U", "base.V", "base.V")
        make_plan(game, WEST)
        game = play_lines(game, EAST, "2,0 r0")
        make_plan(game, CITY)
        assert [plan.place for plan in Plan.objects.all()] == [CITY]


class TestOrder:
    @pytest.fixture
    def game(self) -> Game:
        game = make_game_with_bag("base.U")
        for place in (WEST, CITY, Place("base.U", 0, 1, 0)):
            make_plan(game, place)
        return game

    def order(self) -> list[tuple[int, int]]:
        return [(plan.place.x, plan.place.y) for plan in Plan.objects.in_force().order_by("number")]

    def test_one_goes_up(self, game: Game) -> None:
        last = Plan.objects.get(number=2)
        plans.move_up(game_id=game.pk, seat=1, plan=last.pk)
        assert self.order() == [(-1, 0), (0, 1), (0, -1)]
        plans.move_up(game_id=game.pk, seat=1, plan=last.pk)
        plans.move_up(game_id=game.pk, seat=1, plan=last.pk)
        assert self.order() == [(0, 1), (-1, 0), (0, -1)]

    def test_one_goes_away(self, game: Game) -> None:
        pk = Plan.objects.get(number=1).pk
        plans.remove(game_id=game.pk, seat=1, plan=pk)
        plans.remove(game_id=game.pk, seat=1, plan=pk)
        assert self.order() == [(-1, 0), (0, 1)]
        make_plan(game, CITY)
        assert self.order() == [(-1, 0), (0, 1), (0, -1)]

    def test_those_of_others_stay_as_they_are(self, game: Game) -> None:
        before = self.order()
        pk = Plan.objects.get(number=1).pk
        other = make_game_with_bag("base.U")
        for game_id, seat in ((game.pk, 0), (other.pk, 1)):
            plans.remove(game_id=game_id, seat=seat, plan=pk)
            plans.move_up(game_id=game_id, seat=seat, plan=pk)
        assert self.order() == before


class TestEnding:
    def three(self) -> Game:
        game = make_game_with_bag("base.U", "base.U", "base.U", seats=3)
        make_plan(game, WEST, seat=1)
        make_plan(game, WEST, seat=2)
        return game

    def test_who_resigns_plays_nothing_any_more(self) -> None:
        game = self.three()
        play.resign(game_id=game.pk, seat=1, now=NOW)
        assert [plan.seat.index for plan in Plan.objects.all()] == [2]
        game = play_lines(game, EAST)
        assert game.awaited == 1 and not game.moves.filter(how=How.PLAN).exists()

    def test_who_loses_on_time_neither(self) -> None:
        game = self.three()
        seat = game.seats.get(index=1)
        seat.state, seat.left_at = SeatState.TIMED_OUT, NOW
        seat.save()
        game = play_lines(game, EAST)
        assert game.awaited == 1 and not game.moves.filter(how=How.PLAN).exists()

    def test_no_plan_outlives_its_game(self) -> None:
        game = make_game_with_bag("base.U")
        make_plan(game, WEST)
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert not Plan.objects.exists()

    def test_no_plan_outlives_its_account(self) -> None:
        game = self.three()
        close_account(player=game.seats.get(index=2).player, now=NOW)  # type: ignore[misc]
        assert [plan.seat.index for plan in Plan.objects.all()] == [1]

    @pytest.mark.parametrize("settings", [{}, {"sets": ["base", "count"]}, {"options": HAND}], ids=str)
    def test_rows_and_rules_agree_however_many_turns_are_planned(self, settings: dict[str, Any]) -> None:
        """Every turn of Bruno's is planned, for any tile."""
        game = make_game(**settings)
        for _ in range(40):
            mine = suppose_turn(positions.load_position(game), 1).legal_actions()
            if game.awaited == 0 and len(mine):
                place = mine[len(mine) // 2]
                assert isinstance(place, Place)
                make_plan(game, place, any_tile=True)
            game = play_turns(game, 1)
        assert game.moves.filter(how=How.PLAN, action__type="place").count() > 3
        assert find_differences(game) == []


class TestCosts:
    def queries(self, *, planned: int) -> int:
        game = make_game_with_bag("base.U", "base.U", "base.V")
        for place in [WEST, Place("base.U", 0, 1, 0), CITY][:planned]:
            make_plan(game, place)
        new_process()
        with CaptureQueriesContext(connection) as captured:
            play_lines(game, EAST)
        return len(captured)

    def test_a_turn_costs_nothing_more_without_plans_and_little_with_them(self) -> None:
        """Beside the two for plans, the turn that is played lays a tile that was drawn before."""
        none, one, three = (self.queries(planned=n) for n in (0, 1, 3))
        assert one - none <= 3
        assert three == one
