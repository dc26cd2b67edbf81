"""Tests of undoing turns: at once while nobody has seen anything, later by consent; nobody gains a tile by
it."""

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import play, tasks
from games.clocks import ClockSettings
from games.exceptions import Refused, StaleTurn
from games.models import Bag, Game, Kind, Move, Notice, Proposal, Status
from games.notices import reminders as to_remind
from games.play import bag, positions
from games.play.audit import find_differences, find_draw_faults
from games.play.ledger import Ledger
from games.play.undo import UndoBag, find_last_turn
from games.rules.notation import read_any
from games.selectors import overdue_games
from tests.games.asking import ENTERING
from tests.games.factories import NOW, heart_beats, make_game, new_process, play_turns, reminders, some_action
from tests.games.play.substitute_helpers import make_claimable_game

pytestmark = pytest.mark.django_db
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
WINDOW = timedelta(seconds=30)
CLOCK = ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, grace=12 * HOUR)


def move(game: Game, now: datetime = NOW + HOUR, seed: int = 0, **more: Any) -> Game:
    """Play a turn that may be undone."""
    heart_beats(now)
    turn = {"seat": game.awaited, "action": some_action(game, seed), "expected_version": game.version}
    game = play.play(game_id=game.pk, now=now, undo_window=WINDOW, **(turn | more))
    game.refresh_from_db()
    return game


def undo(game: Game, seat: int = 0, now: datetime = NOW + HOUR + SECOND) -> Game:
    play.undo(game_id=game.pk, seat=seat, now=now)
    game.refresh_from_db()
    return game


def refusal(act: Any, **asked: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(**asked)
    return refused.value.code


def rows(game: Game) -> dict[str, Any]:
    """All data that undoing must restore."""
    game = Game.objects.get(pk=game.pk)
    columns = ("status", "ply", "awaited", "turn_began", "deadline", "calendar", "stops", "floors")
    return {
        **{name: getattr(game, name) for name in (*columns, "claimable", "settles", "tiles_left")},
        "seats": list(game.seats.order_by("index").values("score", "meeples", "bank", "spent", "state")),
        "tiles": list(game.tiles.order_by("draw").values("draw", "kind", "x", "y", "rotation", "discarded")),
        "bag": Bag.objects.get(game=game).order,
        "state": positions.load_position(game).state,
    }


class TestHeldTurn:
    def test_nothing_is_drawn_and_nobody_is_told_while_it_may_be_undone(self) -> None:
        game = make_game()
        order = Bag.objects.get(game=game).order
        game = move(game)
        assert (game.awaited, game.deadline, game.calendar) == (1, None, None)
        assert game.settles == NOW + HOUR + WINDOW
        assert Bag.objects.get(game=game).order == order
        assert not Notice.objects.filter(kind=Kind.YOUR_TURN, version=game.turn_version).exists()
        assert not to_remind.due(NOW + 30 * DAY).exists()
        assert find_differences(game) == []

    def test_it_stands_when_the_window_is_over_and_the_next_clock_begins_then(self) -> None:
        game = move(make_game())
        assert not play.settle(game_id=game.pk, now=NOW + HOUR + WINDOW - SECOND)
        late = NOW + HOUR + WINDOW
        assert play.settle(game_id=game.pk, now=late)
        assert not play.settle(game_id=game.pk, now=late)
        game.refresh_from_db()
        assert (game.awaited, game.settles, game.turn_began) == (1, None, late)
        assert game.deadline == late + 3 * DAY
        assert Notice.objects.filter(kind=Kind.YOUR_TURN, version=game.turn_version).count() == 1
        assert find_differences(game) == []

    def test_it_stands_as_soon_as_another_player_looks_and_not_when_the_mover_does(self) -> None:
        game = move(make_game(seats=3))
        assert not play.settle(game_id=game.pk, now=NOW + HOUR + SECOND, seen_by=0)
        assert play.settle(game_id=game.pk, now=NOW + HOUR + SECOND, seen_by=2)
        assert refusal(play.undo, game_id=game.pk, seat=0, now=NOW + HOUR + 2 * SECOND) == "too_late_to_undo"

    @pytest.mark.parametrize("kind", ["bot", "question", "end"])
    def test_there_is_no_window_before_programs_questions_and_the_end(self, kind: str) -> None:
        if kind == "bot":
            game = move(make_game(bots=1))
        elif kind == "question":
            game, line = ENTERING.game_and_last_line()
            drawn = positions.load_position(game).state.drawn
            game = move(game, now=timezone.now(), action=read_any(line, tile=drawn))
            assert positions.load_position(game).decision.kind == ENTERING.kind
        else:
            game = make_game()
            while game.tiles_left:
                game = play_turns(game, 1)
            game = move(game)
            assert game.status == Status.SCORING
        assert game.settles is None

    def test_whatever_else_happens_lets_it_stand_first(self) -> None:
        game = move(make_game(seats=3))
        play.resign(game_id=game.pk, seat=1, now=NOW + HOUR + SECOND)
        game.refresh_from_db()
        assert (game.settles, game.awaited) == (None, 1)
        assert positions.load_position(game).decision.kind == "place"
        assert find_differences(game) == []

    def test_the_next_seat_can_not_play_before_it_has_a_tile(self) -> None:
        game = move(make_game())
        with pytest.raises(StaleTurn):
            play.play(
                game_id=game.pk,
                seat=1,
                action=some_action(play_turns(make_game(), 1)),
                expected_version=game.version,
                now=NOW + HOUR + SECOND,
            )

    def test_a_double_click_is_a_success_and_settles_nothing(self) -> None:
        game = make_game()
        asked = {"expected_version": game.version, "action": some_action(game), "seat": 0}
        move(game, **asked)
        game = move(game, **asked)
        assert (game.ply, game.settles) == (1, NOW + HOUR + WINDOW)

    def test_the_sweep_finds_a_turn_whose_message_was_lost(self) -> None:
        game = move(make_game())
        assert list(overdue_games.find_games_for_the_bot(NOW + HOUR + WINDOW - SECOND)) == []
        assert list(overdue_games.find_games_for_the_bot(NOW + HOUR + WINDOW + SECOND)) == [game.pk]
        tasks.play_bot(game.pk)
        game.refresh_from_db()
        assert (game.settles, game.deadline is not None) == (None, True)


class TestUndo:
    @pytest.mark.parametrize("seats", [2, 4])
    def test_all_is_as_it_was_to_the_second(self, seats: int) -> None:
        game = make_game(seats=seats, clock=CLOCK)
        before = rows(game)
        game = undo(move(game, now=NOW + 20 * HOUR), now=NOW + 20 * HOUR + SECOND)
        new_process()
        assert rows(game) == before
        assert find_differences(game) == []

    def test_the_record_keeps_a_trace(self) -> None:
        game = undo(move(make_game()))
        acts = game.moves.order_by("version").values_list("action__type", "withdrawn")
        assert [(act, gone is None) for act, gone in acts] == [
            ("draw", True),
            ("place", False),
            ("undo", True),
        ]
        assert game.moves.latest("version").action["moves"] == [2]

    def test_the_next_tile_is_what_it_would_have_been_whatever_is_played_instead(self) -> None:
        game = make_game()
        (coming, *_rest) = Bag.objects.get(game=game).order
        game = undo(move(game))
        game = move(game, now=NOW + 2 * HOUR, seed=5)
        play.settle(game_id=game.pk, now=NOW + 3 * HOUR)
        assert game.tiles.latest("draw").kind == coming
        game.refresh_from_db()
        assert find_differences(game) == []

    def test_reminders_are_owed_again(self) -> None:
        game = make_game()
        due = reminders(game)
        game = undo(move(game))
        assert game.deadline - DAY in set(due) & set(reminders(game))

    def test_a_second_undo_is_a_success_and_a_retried_turn_is_stale(self) -> None:
        game = make_game()
        sent = {"expected_version": game.version, "action": some_action(game), "seat": 0}
        game = undo(undo(move(game, **sent)))
        assert game.moves.filter(action__type="undo").count() == 1
        with pytest.raises(StaleTurn):
            move(game, **sent)

    def test_it_can_be_done_again_and_again(self) -> None:
        game = make_game()
        before = rows(game)
        for number in range(3):
            game = undo(move(game, seed=number, now=NOW + HOUR), now=NOW + HOUR + SECOND)
        assert rows(game) == before
        assert find_differences(game) == []

    def test_only_the_mover_may_and_only_in_the_window(self) -> None:
        game = move(make_game())
        assert refusal(play.undo, game_id=game.pk, seat=1, now=NOW + HOUR) == "not_yours_to_undo"
        late = NOW + HOUR + WINDOW + SECOND
        assert refusal(play.undo, game_id=game.pk, seat=0, now=late) == "too_late_to_undo"
        fresh = make_game()
        assert refusal(play.undo, game_id=fresh.pk, seat=0, now=NOW) == "too_late_to_undo"

    def test_an_emergency_that_began_meanwhile_still_stops_the_clock(self) -> None:
        game = move(make_game(clock=CLOCK))
        bruno = game.seats.get(index=1).player
        assert bruno is not None
        play.begin_emergency(player=bruno, days=5, now=NOW + HOUR + SECOND)
        play.follow_holidays(game_id=game.pk, now=NOW + HOUR + SECOND)
        game = undo(game, now=NOW + HOUR + 2 * SECOND)
        assert game.deadline == NOW + 3 * DAY + 12 * HOUR + 5 * DAY
        assert not play.follow_holidays(game_id=game.pk, now=NOW + 2 * HOUR), "it is recorded once"
        assert find_differences(game) == []

    def test_a_holiday_that_was_entered_meanwhile_moves_the_deadline(self) -> None:
        game = move(make_game(clock=CLOCK))
        begin = NOW + HOUR + SECOND
        play.enter_holiday(player=game.host, begin=begin, end=begin + 2 * DAY, now=begin)
        assert undo(game, now=begin + SECOND).deadline == NOW + 3 * DAY + 12 * HOUR + 2 * DAY

    def test_a_win_that_could_be_claimed_can_be_claimed_again(self) -> None:
        game = make_claimable_game(clock=CLOCK)
        before, now = rows(game), game.claimable + HOUR
        game = undo(move(game, now=now), now=now + SECOND)
        assert rows(game) == before


class TestByConsent:
    def taken_back(self, game: Game, seat: int, now: datetime = NOW + DAY) -> Game:
        play.propose(game_id=game.pk, seat=seat, kind=Proposal.UNDO, now=now)
        offer = game.offers.latest("pk")
        for other in game.seats.exclude(index=seat):
            if other.played_by_person:
                play.agree(offer_id=offer.pk, seat=other.index, now=now)
        game.refresh_from_db()
        return game

    def test_all_turns_back_to_the_proposer_s_last_are_withdrawn_and_drawn_again_in_their_order(self) -> None:
        game = play_turns(make_game(seats=3, clock=CLOCK), 3)
        order = list(game.tiles.order_by("draw").values_list("kind", flat=True))
        left = Bag.objects.get(game=game).order
        state = positions.load_position_at(game, game.moves.get(ply=1).version).state
        game = self.taken_back(game, 1)
        assert (game.ply, game.awaited, game.turn_began) == (1, 1, NOW + DAY)
        assert Bag.objects.get(game=game).order == [*order[2:], *left]
        assert positions.load_position(game).state.scores == state.scores
        assert [seat.bank for seat in game.seats.order_by("index")][1:] == [3 * DAY, 3 * DAY]
        act = game.moves.latest("version").action
        assert (act["type"], act["agreed"], len(act["moves"])) == ("undo", [1, 0, 2], 4)
        assert find_differences(game) == []
        game = play_turns(game, 2, now=NOW + DAY + HOUR)
        assert list(game.tiles.order_by("draw").values_list("kind", flat=True)) == order
        assert find_differences(game) == []

    def test_the_others_and_the_proposer_are_told(self) -> None:
        game = self.taken_back(play_turns(make_game(), 3), 0)
        notices = Notice.objects.filter(game=game, version=game.turn_version, sent=None, dropped=None)
        assert {(notice.kind, notice.recipient.username) for notice in notices} >= {
            (Kind.YOUR_TURN, "Anna"),
            (Kind.TABLE, "Anna"),
        }

    def test_an_offer_to_take_back_lapses_with_the_next_turn(self) -> None:
        game = play_turns(make_game(), 3)
        play.propose(game_id=game.pk, seat=0, kind=Proposal.UNDO, now=NOW + HOUR)
        offer = game.offers.get()
        play_turns(game, 1, now=NOW + HOUR)
        assert refusal(play.agree, offer_id=offer.pk, seat=1, now=NOW + HOUR) == "offer_gone"

    def test_against_the_house_bot_nobody_must_be_asked(self) -> None:
        game = play_turns(make_game(bots=1), 2)
        game = self.taken_back(game, 0)
        assert (game.ply, game.awaited) == (0, 0)
        assert find_differences(game) == []

    def test_who_has_not_played_can_not_take_back(self) -> None:
        game = play_turns(make_game(), 1)
        asked = {"game_id": game.pk, "seat": 1, "kind": Proposal.UNDO, "now": NOW + HOUR}
        assert refusal(play.propose, **asked) == "nothing_to_undo"


@pytest.mark.parametrize("seeded", [True, False])
def test_a_tile_that_went_back_into_the_bag_is_taken_out_where_it_went(seeded: bool) -> None:
    game = make_game(options={"first_player": "creator", "unplaceable": "back_in_bag"})
    hidden = Bag.objects.get(game=game)
    before, tile = hidden.order, game.tiles.latest("draw").kind
    groups = game.rules.bag
    seed = bytes(hidden.seed)
    at = bag.find_return_place(before, tile, seed=seed, code=game.code, n=1, groups=groups)
    hidden.order = [*before[:at], tile, *before[at:]]
    hidden.seed = seed if seeded else None
    hidden.save()
    ledger = Ledger(game, NOW)
    UndoBag(ledger).take_out([tile], draws=game.tiles.filter(kind__in=groups[-1]).count())
    ledger.write()
    restored = Bag.objects.get(game=game).order
    assert restored == before if seeded else sorted(restored) == sorted(before)


RULES: list[dict[str, Any]] = [
    {"seats": 2, "sets": ["base"]},
    {"seats": 3, "sets": ["base", "cult", "river2"], "bots": 1},
    {"seats": 4, "sets": ["base", "inns-and-cathedrals", "traders-and-builders"]},
    {"seats": 2, "options": {"first_player": "creator", "hand": "three_hidden"}},
    {"seats": 3, "options": {"first_player": "creator", "unplaceable": "back_in_bag"}},
    {"seats": 3, "sets": ["base", "count"], "clock": CLOCK},
]


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(map(str, rules.get("sets", [rules]))))
def test_random_games_with_random_undos_stay_sound(rules: dict[str, Any]) -> None:
    """Rows and moves agree all along, and at the end the seed proves every tile."""
    chance = random.Random(0)
    game, now = make_game(**rules), NOW
    while game.status == Status.PLAYING:
        now += timedelta(minutes=chance.randint(1, 100))
        heart_beats(now)
        what = chance.random()
        proposer = game.seats.get(index=chance.randrange(game.places))
        may = proposer.played_by_person and find_last_turn(game, proposer.index) is not None
        if what < 0.08 and may:
            game = TestByConsent().taken_back(game, proposer.index, now)
            assert find_differences(game) == []
        seat = game.seats.get(index=game.awaited)
        game = play.play(
            game_id=game.pk,
            seat=seat.index,
            action=chance.choice(list(positions.load_position(game).legal_actions())),
            expected_version=game.version,
            now=now,
            how="bot" if seat.played_by_program else "web",
            undo_window=timedelta(0) if seat.played_by_program else WINDOW,
        )
        game.refresh_from_db()
        if game.settles is not None:
            if chance.random() < 0.3:
                game = undo(game, seat.index, now + SECOND)
            else:
                play.settle(game_id=game.pk, now=now + WINDOW)
        game.refresh_from_db()
    assert find_differences(game) == []
    assert play.score(game_id=game.pk, now=now)
    game.refresh_from_db()
    assert find_differences(game) == []
    assert find_draw_faults(game) == []
    versions = list(Move.objects.filter(game=game).order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, game.version + 1))
