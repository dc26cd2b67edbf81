"""Tests of steps that ask seats, also those not on turn: by an answer, by the clock, by standing answers."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from games import clocks, play, tasks
from games.exceptions import NotYourTurn, Refused
from games.models import Game, Kind, Notice, SeatState, Status, Transfers
from games.notices import email
from games.pages.history.ply import build_scores
from games.pages.parts.score_sheet import format_scored_place
from games.pages.scene import Scene
from games.play import positions
from games.play.audit import find_differences
from games.rules import RuleSet, action_from_json
from games.rules.modules.count import Enter
from games.words import describe_tile, name_kind
from tests.games.factories import (
    NOW,
    bag_of,
    heart_beats,
    make_game,
    make_table,
    play_lines,
    play_turns,
    reminder_now,
)
from tests.games.play.decision_helpers import CREATOR_BEGINS, make_entering_game, make_transferring_game
from tests.html import Page, words

pytestmark = pytest.mark.django_db


class TestEntering:
    def test_the_seat_on_turn_is_awaited_for_a_further_ply(self) -> None:
        game = make_entering_game()
        assert positions.load_position(game).decision == ("enter", 1)
        assert (game.awaited, game.ply, game.status) == (1, 2, Status.PLAYING)
        assert game.tiles.count() == 2  # the next tile waits for the answer (COUNT-26)

    def test_the_answer_is_a_ply_and_the_next_tile_is_drawn(self) -> None:
        game = make_entering_game()
        game = play_lines(game, "enter castle count market")
        assert (game.awaited, game.ply) == (2, 3)
        move = game.moves.get(ply=3)
        assert move.action == {
            "type": "enter",
            "quarter": "castle",
            "meeple": "follower",
            "count_to": "market",
        }
        assert positions.load_position(game).state.slices["count"].stands == "market"
        assert game.seats.get(index=1).meeples == 6

    def test_another_seat_is_refused(self) -> None:
        game = make_entering_game()
        with pytest.raises(NotYourTurn):
            play.play(game_id=game.pk, seat=2, action=Enter("castle"), expected_version=game.version, now=NOW)

    def test_the_repeat_of_the_answer_changes_nothing(self) -> None:
        game = make_entering_game()
        answer = {
            "game_id": game.pk,
            "seat": 1,
            "action": Enter("castle"),
            "expected_version": game.version,
            "now": NOW,
        }
        version = play.play(**answer).version
        assert play.play(**answer).version == version


class TestTransfers:
    def test_a_seat_that_is_not_on_turn_is_asked_with_a_deadline_of_its_own(self) -> None:
        game = make_transferring_game()
        assert positions.load_position(game).decision == ("transfer", 1)
        assert (game.awaited, positions.load_position(game).state.turn_seat) == (1, 0)
        assert game.deadline == game.turn_began + timedelta(days=3)
        assert Notice.objects.filter(kind=Kind.YOUR_TURN, recipient__username="Bruno", dropped=None).exists()

    def test_what_is_moved_scores(self) -> None:
        game = play_lines(make_transferring_game(), "move 1 blacksmith road 0,2 N")
        scores = list(game.seats.order_by("index").values_list("score", flat=True))
        assert scores[1] == scores[2] == 3
        assert find_differences(game) == []

    def test_time_that_runs_out_passes_and_loses_nothing(self) -> None:
        game = make_transferring_game()
        assert game.deadline is not None
        late = game.deadline + clocks.ARRIVAL + timedelta(seconds=1)
        heart_beats(late)
        Notice.objects.filter(dropped=None).update(sent=NOW)
        assert play.lose_on_time(game_id=game.pk, now=late)
        game.refresh_from_db()
        assert game.status == Status.PLAYING
        assert game.seats.get(index=1).state == SeatState.PLAYING
        assert game.moves.get(ply=game.ply).action == {"type": "pass"}
        assert game.moves.get(ply=game.ply).how == "time-out"
        assert game.seats.get(index=2).score == 3

    def test_a_seat_that_has_left_passes_at_once(self) -> None:
        game = make_entering_game()
        play_lines(game, "enter blacksmith")
        play.resign(game_id=game.pk, seat=1, now=NOW)
        game = play_lines(game, "0,2 r90 road N", "0,3 r180")
        passed = game.moves.filter(seat=1, action__type="pass").get()
        assert passed.how == "time-out"
        assert game.seats.get(index=2).score == 3

    def test_a_seat_that_leaves_while_it_is_asked_passes_at_once(self) -> None:
        game = make_transferring_game()
        play.resign(game_id=game.pk, seat=1, now=NOW)
        game.refresh_from_db()
        assert positions.load_position(game).decision.kind == "enter"
        assert game.seats.get(index=2).score == 3
        assert find_differences(game) == []


class TestStandingAnswers:
    def test_never_moves_nothing_and_nobody_waits(self) -> None:
        game = make_entering_game()
        play_lines(game, "enter blacksmith")
        play.set_transfers(game_id=game.pk, seat=1, transfers="never", now=NOW)
        game = play_lines(game, "0,2 r90 road N", "0,3 r180")
        passed = game.moves.filter(seat=1, action__type="pass").get()
        assert (passed.how, game.seats.get(index=1).score) == ("plan", 0)
        assert find_differences(game) == []

    def test_gain_moves_to_where_it_brings_points(self) -> None:
        game = make_entering_game()
        play_lines(game, "enter blacksmith")
        play.set_transfers(game_id=game.pk, seat=1, transfers="gain", now=NOW)
        game = play_lines(game, "0,2 r90 road N", "0,3 r180")
        moved = game.moves.filter(seat=1, action__type="transfer").get()
        assert (moved.how, game.seats.get(index=1).score) == ("plan", 3)

    def test_a_standing_answer_given_while_asked_answers(self) -> None:
        game = make_transferring_game()
        play.set_transfers(game_id=game.pk, seat=1, transfers="gain", now=NOW)
        game.refresh_from_db()
        assert game.seats.get(index=1).score == 3
        assert game.seats.get(index=1).transfers == Transfers.GAIN
        assert game.awaited != 1

    def test_an_unknown_one_is_refused(self) -> None:
        game = make_entering_game()
        with pytest.raises(ValueError, match="always"):
            play.set_transfers(game_id=game.pk, seat=1, transfers="always", now=NOW)

    def test_none_is_given_before_it_is_known_who_sits_where(self) -> None:
        table = make_table(sets=["base", "count"], seats=3)
        with pytest.raises(Refused) as error:
            play.set_transfers(game_id=table.pk, seat=0, transfers="never", now=NOW)
        assert error.value.code == "not_begun"
        assert table.seats.get(index=0).transfers == Transfers.ASK


SETS = {
    "count": {"sets": ["base", "count", "inns-and-cathedrals"], "options": {"count_final": "all_quarters"}},
    "rounds": {
        "sets": ["base", "count", "river1"],
        "options": {"count_final_order": "rounds", "count_final": "all_quarters"},
    },
    "gingerbread": {"sets": ["base", "winter", "king-and-robber", "cult"], "options": {"gingerbread": True}},
    "traders": {"sets": ["base", "traders-and-builders", "river2"], "options": {"hole_bonus": True}},
    "abbot": {"sets": ["base", "abbot"], "edition": "C2", "options": {"next_tile": "at_turn_end"}},
    "open hands": {"sets": ["base", "river1"], "options": {"hand": "three_open"}},
    "hidden hands": {"sets": ["base"], "options": {"hand": "three_hidden"}},
    "back in the bag": {
        "sets": ["base", "river1"],
        "options": {"unplaceable": "back_in_bag", "board_limit": "fixed 9x9"},
    },
    "start in the bag": {"sets": ["base"], "options": {"start_tile": "in_bag"}},
}


@pytest.mark.parametrize("name", SETS)
def test_whole_games_of_every_kind_agree_with_their_record(name: str) -> None:
    chosen = SETS[name]
    game = make_game(seats=3, **{**chosen, "options": {**CREATOR_BEGINS, **chosen["options"]}})
    game = play_turns(game)
    assert game.status == Status.SCORING
    play.score(game_id=game.pk, now=NOW + timedelta(days=1))
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert find_differences(game) == []


class TestMails:
    def mail(self, game: Game, kind: str, name: str) -> tuple[str, list[str], Page]:
        notice = Notice.objects.filter(game=game, kind=kind, recipient__username=name, dropped=None)
        mail = email.compose(notice.order_by("pk").last())
        return mail.subject, str(mail.body).split("\n"), Page(str(mail.alternatives[0][0]))

    def test_who_is_asked_reads_the_question_the_stakes_and_every_answer(self) -> None:
        game = make_transferring_game()
        subject, body, html = self.mail(game, "your_turn", "Bruno")
        assert subject == f"{game.name} is waiting for your answer – 3 days left"
        stake = "Road of 3 tiles at column 0, row 1, 3 points. On it: Clara."
        answers = {
            "Stay where they are": "If the others stay: Clara +3.",
            "Follower from the blacksmith to the road at column 0, row 1": (
                "If the others stay: you +3, Clara +3."
            ),
        }
        residents = [
            "Castle: the Count",
            "Market: nobody",
            "Blacksmith: follower (Bruno)",
            "Cathedral: nobody",
        ]
        heading = "Move figures out of Carcassonne before the scoring?"
        assert heading in body
        asked = body.index("What's at stake")
        assert body[asked + 1 : asked + 3] == [f"  {stake}", ""]
        first = body.index("Your choices") + 1
        said = [line.strip() for line in body[first : first + 4]]
        assert dict(zip(said[::2], said[1::2], strict=True)) == answers
        quarters = body.index("The city of Carcassonne") + 1
        assert body[quarters : quarters + 4] == [f"  {resident}" for resident in residents]
        assert body[-3].endswith("the program answers for you; you won't lose because of it.")
        assert html.texts("p > strong")[0] == heading
        assert html.texts("ul > li") == [stake, *(" ".join(answer) for answer in answers.items()), *residents]

    def test_a_reminder_asks_again(self) -> None:
        game = make_transferring_game()
        reminder_now(game)
        subject, body, _html = self.mail(game, "reminder", "Bruno")
        assert subject.endswith(" is still waiting for your answer")  # its time is long over
        assert "Your choices" in body
        assert not any("could lose on time" in line for line in body)

    def test_whose_turn_it_is_may_enter(self) -> None:
        subject, body, html = self.mail(make_entering_game(), "your_turn", "Bruno")
        assert " is waiting for your answer" in subject
        castle = body.index("  Follower to the castle")
        assert body[castle + 1 : castle + 3] == ["    The Count stays", "    The Count goes to the market"]
        (whole,) = html.texts("ul > li:-soup-contains('to the castle')")
        assert whole.startswith("Follower to the castle The Count stays The Count goes to the market")

    def test_where_to_answer_stands_before_all_that_may_be_answered(self) -> None:
        game = make_entering_game()
        _subject, body, html = self.mail(game, "your_turn", "Bruno")
        address = f"https://carcassonne.example/g/{game.code}/"
        answers = body.index("Your choices")
        assert body.index(address) < answers and body[answers + 1] == "  Send no one"
        heading = next(element for element in html.all("strong") if words(element) == "Your choices")
        button = html.one("a:-soup-contains('Answer')")
        assert button["href"] == address and button.find_next("strong") is heading
        assert len(html.all("li li")) == 16, "each quarter, wherever the Count goes"

    def test_a_hand_is_in_the_mail_of_its_owner_only(self) -> None:
        options = {**CREATOR_BEGINS, "hand": "three_hidden"}
        rules = RuleSet.of(seats=2, options=options)
        first = ["base.B", "base.C", "base.X", "base.E", "base.E", "base.E"]
        game = make_game(options=options, bag=bag_of(rules, *first))
        _subject, body, html = self.mail(game, "your_turn", "Anna")
        held = [describe_tile(tile) for tile in first[:3]]
        hand = body.index("You have these tiles to choose from:") + 1
        assert body[hand : hand + 3] == [f"  {tile}" for tile in held]
        assert html.texts("ul > li") == held
        _subject, body, html = self.mail(game, "started", "Bruno")
        assert not any(tile in line for tile in held for line in body)
        assert not any(html.mentions(tile) for tile in held)
        assert html.rows("table tr") == [
            ["", "Anna", "0", "7 meeples in hand"],
            [
                "",
                "Bruno",
                "0",
                "7 meeples in hand; has these tiles: city north / city north / city north",
            ],
        ]


@pytest.mark.parametrize("name", ["count", "gingerbread", "abbot", "hidden hands"])
def test_bots_play_and_answer_through_their_task(name: str) -> None:
    chosen = SETS[name]
    game = make_game(seats=3, bots=2, **{**chosen, "options": {**CREATOR_BEGINS, **chosen["options"]}})
    plies = 0
    while game.status == Status.PLAYING and plies < 25:
        if game.seats.get(index=game.awaited).bot:
            tasks.play_bot(game.pk)
        else:
            play_turns(game, 1)
        game.refresh_from_db()
        assert game.ply > plies
        plies = game.ply
    assert find_differences(game) == []


def test_cards_and_goods_are_on_the_score_sheet_without_a_place() -> None:
    game = make_game(seats=3, sets=["base", "king-and-robber", "traders-and-builders"])
    play_turns(game)
    play.score(game_id=game.pk, now=NOW + timedelta(days=1))
    game.refresh_from_db()
    shown = build_scores(Scene.of(game, AnonymousUser()), None)["sheet"]
    scored = [one for part in shown.parts for _seat, _player, one, _total in part.lines]
    places = {name_kind(one.on): format_scored_place(one) for one in scored}
    assert places["King"] == "" and places["city"].startswith("column")
    assert sum(points[0] for _kind, points in shown.kinds) == shown.totals[0] == game.seats.get(index=0).score


def test_the_gingerbread_man_walks_by_the_rules_when_time_runs_out() -> None:
    """WINTER-14."""
    game = make_game(sets=["base", "winter"], options={**CREATOR_BEGINS, "gingerbread": True})
    while positions.load_position(game).decision.kind != "gingerbread":
        assert game.status == Status.PLAYING, "over before the man had to walk"
        game = play_turns(game, 1)
    seat, ply = game.awaited, game.ply
    legal = positions.load_position(game).legal_actions()
    assert game.deadline is not None
    late = game.deadline + clocks.ARRIVAL + timedelta(seconds=1)
    heart_beats(late)
    Notice.objects.filter(dropped=None).update(sent=NOW)
    assert play.lose_on_time(game_id=game.pk, now=late)
    move = game.moves.get(ply=ply + 1)
    assert (move.seat, move.how) == (seat, "time-out")
    assert action_from_json(move.action) == legal.default_answer()
    assert game.seats.get(index=seat).state == SeatState.PLAYING
