"""Tests of the service that plays turns: one whole change or none."""

from datetime import time, timedelta
from random import Random
from typing import Any

import pytest
from django.forms.models import model_to_dict

from accounts.models import Player
from games import clocks, play, rules
from games.exceptions import GameOver, NotYourTurn, OutOfTime, Refused, StaleTurn
from games.models import Bag, Ending, Game, Kind, Move, Notice, Result, SeatState, Status, Tile
from games.play import positions, timing, turns
from games.play.audit import find_differences, find_draw_faults
from games.play.ledger import compute_final_ranks
from games.rules import Deploy, IllegalAction, Place
from games.rules.playout import pick_random_action
from tests.games.factories import (
    NOW,
    heart_beats,
    make_game,
    make_table,
    new_process,
    play_turns,
    some_action,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LATER = NOW + timedelta(hours=3)


def rows() -> list[Any]:
    """All rows that a turn may write."""
    games = [model_to_dict(game) for game in Game.objects.order_by("pk")]
    seats = [model_to_dict(seat) for game in Game.objects.order_by("pk") for seat in game.seats.all()]
    others = [
        list(Move.objects.values()),
        list(Tile.objects.values()),
        list(Notice.objects.values()),
        list(Bag.objects.values("order")),
    ]
    return [*games, *seats, *others]


def take_turn(game: Game, *, in_outage: bool = False, **changed: Any) -> Game:
    turn: dict[str, Any] = {
        "game_id": game.pk,
        "seat": game.awaited,
        "action": some_action(game),
        "expected_version": game.version,
        "now": LATER,
    }
    turn |= changed
    if not in_outage:
        heart_beats(turn["now"])
    return play.play(**turn)


def test_a_game_begins_with_the_first_draw() -> None:
    game = make_game()
    assert (game.status, game.version, game.ply, game.awaited) == (Status.PLAYING, 1, 0, 0)
    assert game.deadline == NOW + timedelta(days=3)
    assert game.started == game.turn_began == NOW
    move = game.moves.get()
    assert (move.seat, move.ply, move.schema) == (None, None, rules.SCHEMA)
    assert move.events[0]["type"] == "drawn"
    assert game.tiles.get().kind == positions.load_position(game).state.drawn


def test_a_turn_writes_the_move_and_the_draw_that_follows() -> None:
    game = make_game()
    drawn = positions.load_position(game).state.drawn
    action = some_action(game)
    game = take_turn(game, action=action)
    assert (game.version, game.ply, game.awaited, game.turn_version) == (3, 1, 1, 3)
    assert game.deadline == LATER + timedelta(days=3)
    placed, draw = game.moves.filter(version__gt=1)
    assert (placed.seat, placed.ply, placed.how, placed.at) == (0, 1, "web", LATER)
    assert placed.time_used == timedelta(hours=3)
    assert rules.action_from_json(placed.action) == action
    assert (draw.seat, draw.ply) == (None, None)
    lying = game.tiles.get(draw=1)
    assert (lying.kind, lying.x, lying.y, lying.rotation) == (drawn, action.x, action.y, action.rotation)
    assert game.tiles.get(draw=2).x is None


def test_a_deployed_meeple_leaves_the_hand() -> None:
    game = make_game()
    deploying = next(action for action in positions.load_position(game).legal_actions() if action.figure)
    take_turn(game, action=deploying)
    seat = game.seats.get(index=0)
    standing = len(list(positions.load_position(Game.objects.get()).state.meeples()))
    assert seat.meeples == 7 - standing


def test_positions_are_rebuilt_from_stored_events_alone() -> None:
    game = play_turns(make_game(), 12)
    remembered = positions.load_position(game).state
    stored = game.moves.order_by("version").values_list("events", flat=True)
    rebuilt = rules.Game.rebuild(game.rules, stored).state
    assert rebuilt.scores == remembered.scores
    assert list(rebuilt.placed) == list(remembered.placed)
    assert rebuilt.decision == remembered.decision
    assert len(list(positions.load_position_at(game, game.moves.get(ply=4).version).state.placed)) == 5


def test_an_illegal_action_names_the_rule_and_writes_nothing() -> None:
    game = make_game()
    before = rows()
    action = some_action(game)
    with pytest.raises(IllegalAction) as error:
        take_turn(game, action=action._replace(x=40))
    assert error.value.rule == "BASE-8"
    with pytest.raises(IllegalAction):
        take_turn(game, action=action._replace(figure=Deploy("follower", "city", "Q")))
    with pytest.raises(IllegalAction):
        take_turn(game, action=Place("base.nothing", 0, 0, 0))
    assert rows() == before


def test_a_tile_of_the_bag_can_not_be_drawn_by_a_seat() -> None:
    game = make_game()
    with pytest.raises(IllegalAction):
        take_turn(game, action=rules.Draw("base.A"))
    with pytest.raises(IllegalAction):
        take_turn(game, action=rules.Final())


def test_a_stale_turn_is_refused_with_the_game_as_it_stands() -> None:
    game = make_game()
    play_turns(game, 2)
    before = rows()
    with pytest.raises(StaleTurn) as error:
        take_turn(game, action=some_action(Game.objects.get(), seed=3)._replace(x=-30))
    assert error.value.game.version == 5
    assert rows() == before


def test_a_turn_from_the_future_is_stale() -> None:
    game = make_game()
    with pytest.raises(StaleTurn):
        take_turn(game, expected_version=game.version + 1)


def test_the_repeat_of_the_accepted_turn_is_a_success_that_changes_nothing() -> None:
    game = make_game()
    turn = {"seat": 0, "action": some_action(game), "expected_version": 1}
    take_turn(game, **turn)
    before = rows()
    assert take_turn(game, **turn).version == 3
    assert rows() == before
    play_turns(game, 3)
    assert take_turn(game, **turn).version == 9


def test_another_turn_with_the_old_version_is_no_repeat() -> None:
    game = make_game()
    first, other = list(positions.load_position(game).legal_actions())[:2]
    take_turn(game, action=first)
    with pytest.raises(StaleTurn):
        take_turn(game, action=other)
    with pytest.raises(StaleTurn):
        take_turn(game, seat=1, action=first)


def test_another_seat_is_refused() -> None:
    game = make_game()
    before = rows()
    with pytest.raises(NotYourTurn):
        take_turn(game, seat=1)
    assert rows() == before


def test_a_person_can_not_play_for_the_bot_nor_the_bot_for_a_person() -> None:
    game = make_game(bots=1)
    with pytest.raises(NotYourTurn):
        take_turn(game, how="bot")
    game = take_turn(game)
    with pytest.raises(NotYourTurn):
        take_turn(game)
    assert take_turn(game, how="bot").awaited == 0


def test_an_open_table_can_not_be_played() -> None:
    game = make_table()
    with pytest.raises(Refused) as error:
        play.play(game_id=game.pk, seat=0, action=Place("base.A", 0, 1, 0), expected_version=0, now=LATER)
    assert error.value.code == "not_begun"


def test_a_turn_received_before_the_deadline_counts() -> None:
    game = make_game()
    assert game.deadline is not None
    heart_beats(game.deadline)
    assert take_turn(game, now=game.deadline).ply == 1


def test_a_turn_received_after_the_deadline_is_refused() -> None:
    game = make_game()
    assert game.deadline is not None
    heart_beats(game.deadline)
    Notice.objects.update(sent=NOW)
    before = rows()
    with pytest.raises(OutOfTime):
        take_turn(game, now=game.deadline + timedelta(seconds=1))
    assert rows() == before


def test_a_late_turn_counts_while_its_deadline_is_about_to_be_put_off() -> None:
    game = make_game()
    assert game.deadline is not None
    heart_beats(game.deadline - timedelta(hours=2))  # an outage, not yet dealt with
    Notice.objects.update(sent=NOW)
    assert take_turn(game, now=game.deadline + timedelta(seconds=1), in_outage=True).ply == 1


def test_a_whole_game_ends_with_the_task_that_scores() -> None:
    game = play_turns(make_game(seats=3, days_per_move=1))
    assert (game.status, game.ply, game.awaited, game.deadline) == (Status.SCORING, 71, None, None)
    assert find_differences(game) == []
    with pytest.raises(GameOver):
        play.play(game_id=game.pk, seat=0, action=rules.Final(), expected_version=game.version, now=LATER)
    assert play.score(game_id=game.pk, now=LATER)
    game.refresh_from_db()
    assert (game.status, game.ending, game.finished) == (Status.FINISHED, Ending.PLAYED, LATER)
    assert game.moves.last().how == "task"
    assert find_differences(game) == []
    assert Bag.objects.get().order == []
    ranks = {seat.score: seat.rank for seat in game.seats.all()}
    assert ranks[max(ranks)] == 1
    assert set(Notice.objects.filter(kind=Kind.GAME_OVER).values_list("recipient", flat=True)) == set(
        Player.objects.values_list("pk", flat=True)
    )


def test_scoring_again_changes_nothing() -> None:
    game = play_turns(make_game())
    assert play.score(game_id=game.pk, now=LATER)
    before = rows()
    assert not play.score(game_id=game.pk, now=LATER)
    assert rows() == before


def test_a_finished_game_takes_no_turn() -> None:
    game = play_turns(make_game())
    play.score(game_id=game.pk, now=LATER)
    game.refresh_from_db()
    for version in (game.version, 3):
        with pytest.raises(GameOver):
            play.play(
                game_id=game.pk,
                seat=0,
                action=Place("base.A", 50, 50, 0),
                expected_version=version,
                now=LATER,
            )
    with pytest.raises(GameOver):
        play.resign(game_id=game.pk, seat=0, now=LATER)


def test_the_seed_is_hidden_until_the_end_and_then_proves_the_draw() -> None:
    game = make_game(options={"first_player": "random"})
    assert len(game.seed_hash) == 64
    assert game.seed == ""
    game = play_turns(game)
    assert game.seed == ""
    play.score(game_id=game.pk, now=LATER)
    game.refresh_from_db()
    assert len(game.seed) == 64
    assert find_draw_faults(game) == []
    tile = game.tiles.get(draw=9)
    other = game.tiles.exclude(kind=tile.kind).first()
    Tile.objects.filter(pk=tile.pk).update(kind=other.kind)
    assert [fault.draw for fault in find_draw_faults(game)] == [9]


def test_a_given_bag_takes_the_place_of_the_seed() -> None:
    order = sorted(id for id, count in make_table().rules.bag[0].items() for _ in range(count))
    order.reverse()
    game = play_turns(make_game(bag=order))
    play.score(game_id=game.pk, now=LATER)
    game.refresh_from_db()
    assert list(game.tiles.values_list("kind", flat=True)) == order
    assert game.seed == game.seed_hash == ""
    with pytest.raises(ValueError, match="tiles"):
        play.give_bag(make_table(), order[1:])


def test_the_first_seat_is_drawn_by_lot_and_colours_go_round_with_their_players() -> None:
    began = set()
    for _ in range(12):
        game = make_game(seats=3, options={"first_player": "random"}, colour="pink")
        anna = game.seats.get(player__username="Anna")
        assert (anna.colour, anna.sat) == ("pink", 0)
        assert [seat.sat for seat in game.seats.all()] in ([0, 1, 2], [1, 2, 0], [2, 0, 1])
        assert len({seat.colour for seat in game.seats.all()}) == 3
        began.add(game.seats.get(index=0).sat)
    assert len(began) > 1


def test_most_roads_begin_and_everybody_may_see_what_was_drawn() -> None:
    """HR-1."""
    game = make_game(seats=3, options={"first_player": "most_roads"})
    drawn = play.load_start_draws(game)
    last = [one for one in drawn if one.round == drawn[-1].round]
    first = max(last, key=lambda one: one.roads)
    assert game.seats.get(index=0).sat == first.place
    assert {one.place for one in drawn if one.round == 1} == {0, 1, 2}
    assert play.load_start_draws(make_game(seats=3, options={"first_player": "random"})) == ()
    assert play.load_start_draws(make_game(seats=3)) == ()


def test_resigning_in_a_game_of_two_ends_it() -> None:
    game = play_turns(make_game(rated=True), 6)
    play.resign(game_id=game.pk, seat=1, now=LATER)
    game.refresh_from_db()
    assert (game.status, game.ending, game.rated) == (Status.FINISHED, Ending.RESIGNED, True)
    first, second = game.seats.all()
    assert (first.rank, first.result) == (1, Result.WON)
    assert (second.rank, second.result, second.state) == (2, Result.LOST, SeatState.RESIGNED)
    assert len(game.seed) == 64
    assert game.moves.last().action == {"type": "resign"}
    assert find_differences(game) == []
    assert list(Notice.objects.filter(kind=Kind.GAME_OVER).values_list("recipient", flat=True)) == [
        first.player_id
    ]


def test_a_game_in_which_somebody_never_moved_is_aborted_and_unrated() -> None:
    game = play_turns(make_game(rated=True), 1)
    play.resign(game_id=game.pk, seat=1, now=LATER)
    game.refresh_from_db()
    assert (game.status, game.rated) == (Status.ABORTED, False)
    assert {seat.rank for seat in game.seats.all()} == {None}
    assert find_differences(game) == []


def test_with_more_seats_the_game_goes_on_without_the_one_who_resigned() -> None:
    game = play_turns(make_game(seats=3), 4)
    on_board = sum(meeple.seat == 1 for meeple in positions.load_position(game).state.meeples())
    assert game.awaited == 1
    play.resign(game_id=game.pk, seat=1, now=LATER)
    game.refresh_from_db()
    assert (game.status, game.awaited, game.deadline) == (Status.PLAYING, 1, None)
    assert sum(meeple.seat == 1 for meeple in positions.load_position(game).state.meeples()) == on_board
    assert find_differences(game) == []
    with pytest.raises(NotYourTurn):
        take_turn(game)
    take_turn(game, how="time-out")
    game = play_turns(game)
    play.score(game_id=game.pk, now=LATER)
    game.refresh_from_db()
    assert game.seats.get(index=1).rank == 3
    assert find_differences(game) == []


def test_who_resigns_all_resigns_the_others_too_when_one_ends_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [make_game() for _ in range(3)]
    resign = turns.resign

    def in_time(*, game_id: int, **more: Any) -> Game:
        if game_id == games[1].pk:
            raise GameOver
        return resign(game_id=game_id, **more)

    monkeypatch.setattr(turns, "resign", in_time)
    play.resign_all(player=games[0].host, now=LATER)
    states = [game.seats.get(index=0).state for game in games]
    assert states == [SeatState.RESIGNED, SeatState.PLAYING, SeatState.RESIGNED]


def test_resigning_twice_is_harmless() -> None:
    game = play_turns(make_game(seats=3), 4)
    play.resign(game_id=game.pk, seat=0, now=LATER)
    before = rows()
    play.resign(game_id=game.pk, seat=0, now=LATER)
    assert rows() == before


def test_a_turn_composed_before_another_seat_resigned_is_not_stale() -> None:
    game = play_turns(make_game(seats=3), 3)
    assert game.awaited == 0
    play.resign(game_id=game.pk, seat=2, now=LATER)
    assert take_turn(game).ply == 4


def test_a_game_ends_when_only_one_still_plays_or_only_bots() -> None:
    game = play_turns(make_game(seats=3), 6)
    play.resign(game_id=game.pk, seat=0, now=LATER)
    play.resign(game_id=game.pk, seat=2, now=LATER)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert game.seats.get(index=1).result == Result.WON
    alone = play_turns(make_game(seats=3, bots=2), 6)
    play.resign(game_id=alone.pk, seat=0, now=LATER)
    alone.refresh_from_db()
    assert alone.status == Status.FINISHED


@pytest.mark.parametrize(
    ("scores", "left", "ranks"),
    [
        ((10, 20, 5), (False, False, False), (2, 1, 3)),
        ((40, 40, 31), (False, False, False), (1, 1, 3)),  # example 12 of the FAQ
        ((0, 0, 0), (False, False, False), (1, 1, 1)),  # example 23 of the base game
        ((10, 90, 5), (False, True, False), (1, 3, 2)),
        ((10, 9, 5), (False, True, True), (1, 2, 3)),
        ((0, 0), (False, False), (1, 1)),
    ],
)
def test_who_left_stands_below_the_rest(
    scores: tuple[int, ...], left: tuple[bool, ...], ranks: tuple[int, ...]
) -> None:
    assert compute_final_ranks(scores, left) == ranks


def test_losing_on_time_in_a_game_of_two() -> None:
    game = play_turns(make_game(), 4)
    assert game.deadline is not None
    Notice.objects.update(sent=NOW, dropped=None)
    after = game.deadline + clocks.ARRIVAL + timedelta(seconds=1)
    heart_beats(after)
    assert not play.lose_on_time(game_id=game.pk, now=game.deadline + timedelta(seconds=1))
    assert play.lose_on_time(game_id=game.pk, now=after)
    game.refresh_from_db()
    assert (game.status, game.ending) == (Status.FINISHED, Ending.TIME_OUT)
    loser = game.seats.get(index=0)
    assert (loser.state, loser.rank, loser.result) == (SeatState.TIMED_OUT, 2, Result.LOST)
    assert game.moves.last().how == "time-out"
    assert not play.lose_on_time(game_id=game.pk, now=after)
    assert find_differences(game) == []


def test_nobody_loses_while_the_notice_of_the_turn_is_unsent() -> None:
    game = play_turns(make_game(), 4)
    assert game.deadline is not None
    before = game.deadline
    after = game.deadline + timedelta(hours=1)
    heart_beats(after)
    assert Notice.objects.filter(kind=Kind.YOUR_TURN, sent=None, dropped=None).count() == 1
    assert not play.lose_on_time(game_id=game.pk, now=after)
    game.refresh_from_db()
    assert game.status == Status.PLAYING
    due = Notice.objects.get(kind=Kind.YOUR_TURN, sent=None, dropped=None).due
    assert game.deadline == before + (after - due), "the clock stood still (CLOCK-7)"


def test_nobody_loses_before_an_outage_is_dealt_with() -> None:
    game = play_turns(make_game(), 4)
    assert game.deadline is not None
    Notice.objects.update(sent=NOW, dropped=None)
    heart_beats(game.deadline - timedelta(hours=1))
    assert not play.lose_on_time(game_id=game.pk, now=game.deadline + timedelta(hours=1))


def test_an_account_that_is_closed_leaves_its_games() -> None:
    from accounts.services import close_account

    game = play_turns(make_game(seats=3), 6)
    anna = game.seats.get(index=0).player
    close_account(player=anna, now=LATER)
    seat = game.seats.get(index=0)
    assert (seat.state, seat.player_id) == (SeatState.RESIGNED, anna.pk)
    game.refresh_from_db()
    assert game.status == Status.PLAYING


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("turns", [1, 50])
def test_a_turn_costs_at_most_20_queries_whatever_the_game(
    seats: int, turns: int, django_assert_max_num_queries: Any
) -> None:
    game = play_turns(make_game(seats=seats), turns)
    action = some_action(game)
    new_process()
    with django_assert_max_num_queries(20):
        take_turn(game, action=action)


def test_a_calendar_has_the_hours_of_rest_of_its_player() -> None:
    resting = Player(time_zone="Europe/Warsaw", rest_from=time(22), rest_to=time(7), weekend_days=[6])
    assert timing.build_calendar(resting) == clocks.Calendar(
        "Europe/Warsaw", (time(22), time(7)), frozenset({6})
    )
    assert timing.build_calendar(Player(time_zone="UTC")).rest is None


def test_of_a_hand_the_tile_that_was_chosen_lies_on_the_board() -> None:
    """HR-3: several tiles are held, and one of them is laid."""
    heart_beats(NOW)
    game = make_game(options={"first_player": "creator", "hand": "three_open"})
    chance = Random(3)
    laid = {}
    for _ in range(14):
        action = pick_random_action(positions.load_position(game), chance)
        game = play.play(
            game_id=game.pk,
            seat=game.awaited or 0,
            action=action,
            expected_version=game.version,
            now=LATER,
        )
        if isinstance(action, Place):
            laid[action.x, action.y] = action.tile
    stored = {(row.x, row.y): row.kind for row in game.tiles.filter(x__isnull=False)}
    assert {at: stored[at] for at in laid} == laid
    assert find_differences(game) == []
