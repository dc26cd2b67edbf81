"""Tests of pages of games with questions: choices in words, hands, standing answers."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games.drawing.board import draw_board
from games.models import Game, Transfers
from games.pages.scene import Scene
from games.pages.scene.picture import build_board_picture
from games.pages.turn.decision import build_question
from games.pages.turn.draft import NOTHING, compose, parse_query
from games.pages.turn.hand import build_hand as hand_of
from games.play import positions
from games.rules import Draw, RuleSet
from games.rules import Game as Position
from games.rules.notation import read, write
from games.words import describe_tile
from tests.games.factories import bag_of, heart_beats, make_game, play_lines, play_turns
from tests.games.play.decision_helpers import CREATOR_BEGINS, make_entering_game, make_transferring_game
from tests.html import Page, words

pytestmark = pytest.mark.django_db


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(Player.objects.get(username=name))
    return client


def page(client: Client, game: Game, name: str = "table", *args: Any, **query: Any) -> Page:
    response = client.get(reverse(f"games:{name}", args=[game.code, *args]), query)
    assert response.status_code == 200
    return Page(response)


def now() -> dict[str, Any]:
    heart_beats(timezone.now())
    return {"now": timezone.now()}


class TestTheCount:
    def test_the_seat_asked_is_told_what_is_at_stake(self) -> None:
        game = make_transferring_game(**now())
        shown = page(signed_in("Bruno"), game)
        assert shown.text(".table-head .headline strong") == "Your answer"
        assert shown.text("#turn h2") == "Move figures out of Carcassonne?"
        assert shown.texts("#turn .stakes li") == [
            "Road of 3 tiles at column 0, row 1, 3 points. On it: Clara."
        ]

    def test_the_others_see_whom_the_game_waits_for(self) -> None:
        game = make_transferring_game(**now())
        for client in (signed_in("Anna"), Client()):
            shown = page(client, game)
            said = "Waiting for Bruno: move figures out of Carcassonne before the scoring?"
            assert shown.text(".table-head .headline strong") == said
            assert shown.has("#turn") and not shown.has("[name=line]")

    def test_the_answer_is_sent_without_javascript(self) -> None:
        game = make_transferring_game(**now())
        data = {"line": "move 1 blacksmith road 0,2 N", "version": game.version}
        response = signed_in("Bruno").post(reverse("games:play", args=[game.code]), data, follow=True)
        assert Page(response).texts("#messages p") == ["Your answer is played."]
        assert game.seats.get(index=1).score == 3

    def test_the_answer_is_sent_with_htmx(self) -> None:
        game = make_transferring_game(**now())
        data = {"line": "pass", "version": game.version}
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = signed_in("Bruno").post(reverse("games:play", args=[game.code]), data, headers=headers)
        shown = Page(response)
        assert "div#table" in shown.roots() and not shown.has("html")
        assert shown.text("#table #played") == "Your answer is played."
        assert game.seats.get(index=1).score == 0

    def test_what_may_not_be_chosen_is_refused_and_the_question_stays(self) -> None:
        game = make_transferring_game(**now())
        data = {"line": "move 2 blacksmith road 0,2 N", "version": game.version}
        response = signed_in("Bruno").post(reverse("games:play", args=[game.code]), data)
        assert response.status_code == 422
        shown = Page(response)
        assert shown.text("[role=alert]:not([hidden])") == "You can't choose this now. (rule COUNT-16)"
        assert shown.one("form:has(#decline) [name=line]")["value"] == "pass"

    def test_the_quarters_and_the_count_are_shown_to_all(self) -> None:
        game = make_transferring_game(**now())
        shown = page(Client(), game)
        assert shown.texts(".quarters li") == [
            "castle city Count",
            "market field",
            "blacksmith road follower (Bruno)",
            "cathedral monastery, shrine",
        ]

    def test_the_story_tells_it(self) -> None:
        game = make_transferring_game(**now())
        said = "Bruno sent a follower to Carcassonne: blacksmith."
        assert any(said in line for line in page(Client(), game).texts(".told li"))
        assert said in page(Client(), game, "ply", 3).texts(".story li")

    def test_the_story_tells_who_declines_and_by_which_standing_answer(self) -> None:
        game = play_lines(make_transferring_game(**now()), "pass", **now())
        # What it brings to others comes after it: the figure beside the line is Bruno's.
        last = page(Client(), game).all(".told li")[-1]
        assert words(last).startswith("Bruno declined. Clara scores 3 points")
        assert last.use and last.use["href"].endswith(f"#m{game.seats.get(index=1).look}")
        assert page(Client(), game, "ply", 6).texts(".story li")[0] == "Bruno declined."
        game = make_transferring_game(**now())
        signed_in("Bruno").post(reverse("games:transfers", args=[game.code]), {"transfers": "gain"})
        assert "Bruno's standing answer decided this." in page(Client(), game).texts(".told li")[-1]

    def test_before_sending_a_turn_the_preview_tells_who_may_interfere(self) -> None:
        game = make_entering_game(**now())
        game = play_lines(game, "enter blacksmith", "0,2 r90 road N", **now())
        shown = page(signed_in("Anna"), game, at="0,3", r=180, on="none")
        assert shown.text("#turn .sentence").startswith(
            "No meeple. Before the scoring Bruno may move figures out of Carcassonne. If everybody stays: "
            "Completes a road of 3 tiles: Clara +3."
        )


class TestStandingAnswers:
    def test_a_player_sets_one(self) -> None:
        game = make_transferring_game(**now())
        client = signed_in("Bruno")
        url = page(client, game).link("Standing answer")
        assert Page(client.get(url)).texts(".seat-choice label") == [
            "ask me each time",
            "never move any",
            "move all to where it gives me points",
        ]
        response = client.post(url, {"transfers": "gain"}, follow=True)
        assert Page(response).texts("#messages p") == ["Your standing answer is saved."]
        seat = game.seats.get(index=1)
        assert (seat.transfers, seat.score) == (Transfers.GAIN, 3)

    def test_nobody_sets_it_for_others(self) -> None:
        game = make_transferring_game(**now())
        Client().post(reverse("games:transfers", args=[game.code]), {"transfers": "gain"})
        stranger = Player.objects.create_user("Zoe", "zoe@example.org")
        client = Client()
        client.force_login(stranger)
        client.post(reverse("games:transfers", args=[game.code]), {"transfers": "gain"})
        assert set(game.seats.values_list("transfers", flat=True)) == {"ask"}
        shown = page(client, game)
        assert shown.has("#table summary") and not shown.has("details a[href$='/transfers/']")

    def test_a_game_without_the_count_has_none(self) -> None:
        game = make_game(**now())
        client = signed_in("Anna")
        shown = page(client, game)
        assert shown.has("#table summary") and not shown.has("details a[href$='/transfers/']")
        assert client.get(reverse("games:transfers", args=[game.code])).status_code == 302


def hands_game(kind: str, **settings: Any) -> Game:
    options = {**CREATOR_BEGINS, "hand": kind}
    rules = RuleSet.of(seats=2, options=options)
    first = ["base.A", "base.E", "base.U", "base.C", "base.Q", "base.S"]
    return make_game(options=options, bag=bag_of(rules, *first), **settings)


class TestHands:
    def test_the_tile_is_chosen_first_then_the_space_then_the_meeple(self) -> None:
        game = hands_game("three_hidden", **now())
        client = signed_in("Anna")
        shown = page(client, game)
        assert shown.texts("#turn > p") == ["Choose one of your tiles."]
        choices = shown.links("#turn .tile-choices a")
        assert len(choices) == 3 and not shown.has("#turn-map .mark")
        shown = Page(client.get(choices[1]))
        spaces = shown.links("#turn-map a.mark")
        assert spaces and all("tile=base.E&at=" in space for space in spaces)
        shown = Page(client.get(spaces[0]))
        assert not shown.has("#turn #send")
        shown = Page(client.get(shown.link("No meeple")))
        form = shown.one("#turn form:has(#send)")
        assert form["action"] == reverse("games:play", args=[game.code])
        (line,) = shown.values("#turn form:has(#send) [name=line]")
        assert line.startswith("base.E@")
        client.post(form["action"], {"line": line, "version": game.version})
        game.refresh_from_db()
        assert (game.ply, game.awaited) == (1, 1)

    def test_open_hands_are_for_everybody(self) -> None:
        game = hands_game("three_open", **now())
        for client in (Client(), signed_in("Bruno")):
            shown = page(client, game)
            held = [
                [str(tile["aria-label"]) for tile in seat.select(".held svg")]
                for seat in shown.all(".seats > li")
            ]
            assert held == [
                [describe_tile(id) for id in ("base.A", "base.E", "base.U")],
                [describe_tile(id) for id in ("base.C", "base.Q", "base.S")],
            ]

    @pytest.mark.parametrize("turns", [0, 5, 20])
    def test_hidden_hands_are_in_nothing_that_others_get(self, turns: int) -> None:
        game = hands_game("three_hidden", **now())
        game = play_turns(game, turns, **now())
        held = positions.load_position(game).state.hands
        for name, index in (("Anna", 0), ("Bruno", 1), ("", None)):
            client = signed_in(name) if name else Client()
            shown = page(client, game)
            for number, hand in enumerate(shown.all(".seats .held")):
                own = [describe_tile(id) for id in held[number]] if number == index else []
                assert [tile["aria-label"] for tile in hand.select("svg")] == own
                assert words(hand) == ("" if own else "3 hidden tiles")
            assert len(shown.all(".seats .held")) == 2
            record = client.get(reverse("games:record", args=[game.code])).json()
            assert all("tile" in turn or "discard" in turn for turn in record["turns"])
            placed = sum("tile" in turn for turn in record["turns"])
            assert placed == turns
            remaining = positions.load_position(game).state.remaining
            unseen = sum(remaining.values()) + sum(
                len(hand) for seat, hand in enumerate(held) if seat != index
            )
            assert sum(int(left) for left in shown.texts(".remaining li strong")) == unseen

    def test_the_held_next_tile_is_shown(self) -> None:
        options = {**CREATOR_BEGINS, "next_tile": "at_turn_end"}
        rules = RuleSet.of(seats=2, options=options)
        game = make_game(options=options, bag=bag_of(rules, "base.A", "base.E"), **now())
        shown = page(Client(), game)
        assert [tile["aria-label"] for tile in shown.all(".seats .held svg")] == [describe_tile("base.E")]


class TestFigures:
    def with_abbot_out(self) -> Game:
        """Make a game in which Anna has an abbot in a garden, and places a road."""
        rules = RuleSet.of(sets=["base", "abbot"], edition="C2", seats=2, options=CREATOR_BEGINS)
        game = make_game(
            sets=["base", "abbot"],
            edition="C2",
            options=CREATOR_BEGINS,
            bag=bag_of(rules, "base.B", "base.U", "base.U"),
            **now(),
        )
        place = next(
            action
            for action in positions.load_position(game).legal_actions()
            if action.figure and action.figure.meeple == "abbot"
        )
        game = play_lines(game, write(place), **now())
        return play_turns(game, 1, **now())

    def test_the_abbot_is_taken_back_on_the_page(self) -> None:
        game = self.with_abbot_out()
        client = signed_in("Anna")
        shown = page(client, game)
        recalls = [
            link
            for space in shown.links("#turn-map a.mark")
            for link in Page(client.get(space)).links("#turn a.choice[href*='&recall=']")
        ]
        assert recalls
        shown = Page(client.get(recalls[0]))
        (chosen,) = shown.texts("#turn a.choice[aria-current=true]")
        assert chosen.startswith("Return the abbot")
        (line,) = shown.values("#turn form:has(#send) [name=line]")
        assert "recall" in line
        assert "Back in hand: abbot (you)." in shown.text("#turn .sentence")
        client.post(reverse("games:play", args=[game.code]), {"line": line, "version": game.version})
        game.refresh_from_db()
        assert game.ply == 3

    def test_nothing_but_the_abbot_may_be_moved(self) -> None:
        """No meeple is in hand, so that none is chosen without a tap; the abbot may still come home."""
        game = self.with_abbot_out()
        anna = Player.objects.get(username="Anna")
        before = positions.load_position(game).state
        out = Position(before._replace(supply=({"follower": 0, "abbot": 0}, *before.supply[1:])))
        scene = Scene(game, anna, list(game.seats.order_by("index")), version=game.version)
        x, y = next(iter(compose(out, NOTHING).cells))
        composed = compose(out, parse_query({"at": f"{x},{y}"}))
        shown = hand_of(scene, out, composed, table="/")
        assert shown.decided
        assert [choice.label for choice in shown.strip] == ["No meeple", "Return the abbot"]
        assert shown.chosen == "No meeple."


class TestCosts:
    @pytest.mark.parametrize("name", ["Bruno", "Anna"])
    def test_the_page_of_a_question_costs_few_queries(
        self, name: str, django_assert_max_num_queries: Any
    ) -> None:
        game = make_transferring_game(**now())
        client = signed_in(name)
        page(client, game)
        with django_assert_max_num_queries(12):
            page(client, game)

    def test_an_answer_costs_few_queries(self, django_assert_max_num_queries: Any) -> None:
        game = make_transferring_game(**now())
        client = signed_in("Bruno")
        data = {"line": "move 1 blacksmith road 0,2 N", "version": game.version}
        with django_assert_max_num_queries(20):
            assert client.post(reverse("games:play", args=[game.code]), data).status_code == 302


def test_the_picture_shows_who_is_in_carcassonne_and_where_the_gingerbread_man_stands() -> None:
    game = play_lines(make_transferring_game(), "pass")
    picture = build_board_picture(positions.load_position(game).state, list(game.seats.all()))
    assert [(resident.quarter, resident.meeple) for resident in picture.residents] == [
        ("blacksmith", "follower")
    ]
    assert picture.quarter_token.quarter == "castle"
    options = {**CREATOR_BEGINS, "gingerbread": True}
    game = make_game(sets=["base", "winter"], options=options)
    picture = build_board_picture(positions.load_position(game).state, list(game.seats.all()))
    assert [(token.name, token.x, token.y) for token in picture.tokens] == [("gingerbread", 0, 0)]
    assert "gingerbread" in draw_board(picture)


def test_an_answer_tells_by_name_what_it_brings_to_those_who_give_it() -> None:
    rules = RuleSet.of(sets=("base", "winter"), edition="C1", options={"gingerbread": True}, seats=2)
    game = Position.new(rules)
    for line in ("base.F@0,-1 r90 city S", "base.U@-1,0 r0", "winter.cap-road-west@1,0 r0"):
        placed = read(line)
        game = game.play(Draw(placed.tile)).play(placed)
    (answer,) = build_question(game, ("Anna", "Bruno")).answers
    assert answer.effects == ("Anna scores 2 points for a visit of the Gingerbread Man (1 knight: 2).",)


def test_hidden_hands_are_not_in_the_admin_before_the_end() -> None:
    game = play_turns(hands_game("three_hidden", **now()), 4, **now())
    held = sum(len(hand) for hand in positions.load_position(game).state.hands)
    staff = Client()
    staff.force_login(Player.objects.create_superuser("Admin", "admin@example.org"))
    drawn = game.tiles.filter(x=None, discarded=False)
    assert drawn.count() == held
    for tile in drawn:
        address = reverse("admin:games_tile_change", args=[tile.pk])
        assert staff.get(address).status_code == 302
    for move in game.moves.filter(action__type="draw"):
        address = reverse("admin:games_move_change", args=[move.pk])
        assert staff.get(address).status_code == 302
    shown = Page(staff.get(reverse("admin:games_tile_changelist")))
    assert len(shown.all("#result_list tbody tr")) == game.tiles.filter(x__isnull=False).count()


def test_what_the_gingerbread_man_pays_is_told_with_the_players_name() -> None:
    options = {**CREATOR_BEGINS, "gingerbread": True}
    rules = RuleSet.of(sets=["base", "winter"], options=options)
    bag = bag_of(rules, "base.F", "base.U", "winter.cap-road-west")
    game = make_game(sets=["base", "winter"], options=options, bag=bag, **now())
    game = play_lines(game, "0,-1 r90 city S", "1,0 r0", "2,0 r0", now=timezone.now())
    assert positions.load_position(game).decision.kind == "gingerbread"
    shown = page(signed_in("Anna"), game, city="city,2,0,N")
    assert shown.texts("#sentence small") == [
        "Anna scores 2 points for a visit of the Gingerbread Man (1 knight: 2)."
    ]
