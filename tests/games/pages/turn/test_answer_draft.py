"""Tests of composing an answer step by step, in the panel and on the board."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

import pytest
from django.urls import reverse

from games.models import Game
from games.pages.turn.answer_draft import AnswerDraft, build_answer_query, compose_answer, list_answers
from games.pages.turn.decision import build_question
from games.play import positions
from games.rules import Game as Position
from games.rules import action_from_json
from games.rules.notation import read_any, write
from tests.games.asking import (
    ENTERING,
    LEAVING_AT_END,
    QUESTIONS,
    WALKING,
    Question,
    entering_where_the_count,
    one_way_out,
)
from tests.games.visitors import HTMX, awaited, url
from tests.html import Page, words

pytestmark = pytest.mark.django_db
every_question = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.kind)
NAMES = ("A", "B", "C", "D")


def opened(game: Game, address: str = "", **headers: str) -> Page:
    """Open the page of *game* for the awaited player, with this draft in the query."""
    response = awaited(game).get(url(game) + address, headers=headers)
    assert response.status_code == 200
    return Page(response)


def follow(game: Game, shown: Page, *ids: str) -> Page:
    """Follow the links with these *ids*, one after the other, and return the last page."""
    for id in ids:
        href = str(shown.one(f"#{id}")["href"])
        shown = opened(game, href.removeprefix(url(game)))
    return shown


def send(game: Game, shown: Page) -> str:
    """Send the answer that is *shown*, and return the stored action as a line."""
    form = shown.one(".finish form:has(#send)")
    fields = {str(element["name"]): str(element["value"]) for element in form.select("input")}
    response = awaited(game).post(str(form["action"]), fields)
    assert response.status_code == 302
    move = game.moves.get(ply=game.ply + 1)
    return write(action_from_json(move.action))


def drafts(game: Position) -> dict[str, AnswerDraft]:
    """All drafts that links lead to, by query."""
    legal = list_answers(game, NAMES)
    by_line: dict[str, AnswerDraft] = {}
    todo = [""]
    while todo:
        address = todo.pop()
        if address not in by_line:
            draft = by_line[address] = compose_answer(legal, dict(parse_qsl(address.removeprefix("?"))))
            todo += [draft.address(choice) for step in draft.steps for choice in step.choices]
            todo += [draft.build_change_query(step.name) for step in draft.steps if step.offered]
    return by_line


@every_question
def test_every_legal_answer_is_reached_step_by_step_and_no_other(asked: Question) -> None:
    legal = {write(action) for action in asked.position.legal_actions()} - {"pass"}
    reached = [write(draft.action) for draft in drafts(asked.position).values() if draft.action is not None]
    assert set(reached) == legal and len(legal) > 1


@every_question
def test_all_answers_are_told_apart_in_words_and_step_by_step(asked: Question) -> None:
    labels = [answer.label for answer in build_question(asked.position, NAMES).answers]
    assert len(labels) == len(set(labels))
    for draft in drafts(asked.position).values():
        for step in draft.steps:
            labels = [choice.label for choice in step.choices]
            assert len(labels) == len(set(labels))


@every_question
def test_at_first_nothing_is_chosen_and_the_board_has_what_the_list_has(asked: Question) -> None:
    game = asked.game()
    shown = opened(game)
    assert not shown.has(".on-board [aria-current], #turn-map [aria-current]")
    assert not shown.has(".strip li + li") or not shown.has(".strip [aria-current]")
    send = shown.one("#send")
    assert send.has_attr("disabled") and send["aria-describedby"] == "sentence"
    assert shown.text("#sentence").startswith("Choose")
    assert shown.one("form:has(#send) [name=line]")["value"] == ""
    assert not shown.has(".question details, .question [type=radio]")
    assert len(shown.all(".on-board a")) == len(shown.all("#turn-map a")) > 0
    for one in shown.all(".on-board a"):
        place = shown.one(f"#turn-map a#{one['data-lights']}")
        assert place["aria-label"] == words(one)
        assert place["href"] == one["href"] == place["hx-get"] == one["hx-get"]


def test_a_figure_is_sent_and_the_count_stays_unless_he_is_moved() -> None:
    game = ENTERING.game()
    shown = opened(game)
    assert shown.text("#turn h2") == "Send a figure to Carcassonne?"
    assert shown.texts(".strip a") == ["Follower ×5", "Large follower ×1"]
    shown = follow(game, shown, "choose-figure-1", "at-quarter-1")
    assert shown.texts(".strip [aria-current]") == ["Large follower ×1"]
    assert shown.text("#sentence") == "Your large follower goes to the market; the Count stays."
    assert shown.text("#send .online") == "Send large follower"
    assert not shown.one("#send").has_attr("disabled")
    assert shown.texts("#at-quarter-1 .name text") == ["Market", "field"]
    assert not shown.has("#turn-map .going")
    assert send(game, shown) == "enter large market"


def test_the_count_is_moved_once_somebody_taps_him() -> None:
    game = ENTERING.game()
    shown = follow(game, opened(game), "choose-figure-0", "choose-quarter-0")
    for id in ("change-count", "move-count"):
        assert shown.one(f"#{id}")["aria-label"] == "Move the Count"
    assert shown.has("#turn-map #at-quarter-0[aria-current]") and not shown.has("#at-count-1")
    shown = follow(game, shown, "move-count")
    assert shown.has("#turn-map g.target.chosen path") and not shown.has("#at-quarter-0")
    assert shown.texts("#turn .on-board a") == [
        "The Count stays",
        "The Count goes to the castle",
        "The Count goes to the market",
        "The Count goes to the blacksmith",
    ]
    shown = follow(game, shown, "at-count-2")
    assert shown.text("#sentence") == (
        "Your follower goes to the castle; the Count moves from the cathedral to the market."
    )
    assert shown.texts("#at-quarter-1 .name text") == ["Market · Count", "field"]
    assert shown.texts("#at-quarter-3 .name text") == ["Cathedral", "monastery, shrine"]
    assert shown.has("#turn-map .going path.line")
    other = follow(game, shown, "at-quarter-3")  # the Count goes where he was to go
    assert other.text("#sentence") == (
        "Your follower goes to the cathedral; the Count moves from the cathedral to the market."
    )
    back = follow(game, shown, "move-count", "at-count-0")
    assert back.text("#sentence") == "Your follower goes to the castle; the Count stays."
    assert send(game, shown) == "enter castle count market"


@pytest.mark.parametrize(("how", "there"), [("clockwise", "castle"), ("follow_meeple", "blacksmith")])
def test_where_the_rules_move_the_count_the_sentence_says_so(how: str, there: str) -> None:
    game = entering_where_the_count(how)
    shown = follow(game, opened(game), "at-quarter-2")
    stands = positions.load_position(game).state.slices["count"].stands
    line = str(shown.one(".finish form:has(#send) [name=line]")["value"])
    action = read_any(line)
    assert action in positions.load_position(game).legal_actions()
    moves = f"the Count moves from the {stands} to the {action.count_to}."
    assert shown.text("#sentence") == f"Your follower goes to the blacksmith; {moves}"
    assert not shown.has("#change-count, #move-count, [id^=at-count]")
    assert send(game, shown) == line


def test_several_figures_leave_by_further_taps() -> None:
    game = LEAVING_AT_END.game()
    shown = opened(game)
    assert not shown.has("[id^=at-to], .strip")
    shown = follow(game, shown, "at-from-0")
    assert shown.texts(".strip a") == ["1", "2"] and shown.texts(".strip [aria-current]") == ["1"]
    assert len(shown.all("#at-from-0 .ring.meant")) == 1
    assert shown.text("#sentence") == "Choose on the board where they go."
    shown = follow(game, shown, "at-from-0")
    assert shown.texts(".strip [aria-current]") == ["2"]
    assert len(shown.all("#at-from-0 .ring.meant")) == 2
    shown = follow(game, shown, "at-to-1")
    sentence = shown.text("#sentence")
    assert sentence.startswith("2 × follower of yours leave the blacksmith for the road at column ")
    assert "At the end, if the others stay: " in sentence
    assert shown.text("#send .online") == "Move out" and shown.text("#decline") == "Stay where they are"
    assert shown.text("#at-to-1 .coming text") == "×2"
    again = follow(game, shown, "at-from-0")  # as many as there are: one once more
    assert again.text("#sentence").startswith("Your follower leaves the blacksmith for the road at column ")
    assert send(game, shown).startswith("move 2 blacksmith road ")


def test_where_there_is_one_way_out_one_tap_says_it() -> None:
    game = one_way_out()
    shown = follow(game, opened(game), "at-from-0")
    assert not shown.has(".strip")
    assert shown.text("#sentence") == (
        "Your follower leaves the blacksmith for the road at column 0, row 1. "
        "If the others stay: you +3, Clara +3."
    )
    assert send(game, shown) == "move 1 blacksmith road 0,1 S"


def test_the_gingerbread_man_walks_to_the_city_that_is_tapped() -> None:
    game = WALKING.game()
    shown = opened(game)
    cities = shown.texts("#turn .on-board a")
    assert any("(north)" in city for city in cities) and any("(south)" in city for city in cities)
    assert not shown.has("#decline")
    shown = follow(game, shown, "at-city-2")
    assert shown.text("#send .online") == "Walk" and shown.has("#turn-map .going")
    said = shown.text("#sentence").removeprefix("The Gingerbread Man walks to the ")
    assert cities[2].startswith("C" + said[1:].split(".")[0])
    assert send(game, shown).startswith("gingerbread ")


def test_the_answer_is_declined_by_a_button_of_its_own() -> None:
    game = ENTERING.game()
    form = follow(game, opened(game), "choose-figure-0", "at-quarter-1").one(".finish form:has(#decline)")
    assert form.select_one("[name=line]")["value"] == "pass"


def test_one_step_comes_alone_with_the_layer_over_the_board() -> None:
    game = ENTERING.game()
    shown = opened(game, "?figure=large", **HTMX)
    assert shown.has("section#turn .question") and shown.has("svg#turn-map.targets")
    assert not shown.has("#frame")
    assert shown.one("#turn-map")["hx-target"] == "#turn"
    said = " ".join(str(shown.one("#turn")["data-say"]).split())
    assert said == "Choose a quarter on the board."


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("?figure=pig&quarter=market", {"quarter": "market"}),
        ("?figure=large&quarter=moon&count=castle", {"figure": "large", "count": "castle"}),
        ("?figure=follower&quarter=castle&count=cathedral", {"figure": "follower", "quarter": "castle"}),
        ("?step=figure", {}),
        ("?quarter=%00&count=", {}),
    ],
)
def test_of_an_address_counts_what_is_legal(address: str, kept: Mapping[str, str]) -> None:
    asked = dict(parse_qsl(address.removeprefix("?"), keep_blank_values=True))
    draft = compose_answer(list_answers(ENTERING.position, NAMES), asked)
    assert draft.asked == kept and draft.changing == ""


def test_an_answer_that_was_refused_stands_on_the_board_again() -> None:
    game = ENTERING.game()
    data = {"line": "enter large market", "version": game.version - 1}
    response = awaited(game).post(reverse("games:play", args=[game.code]), data)
    shown = Page(response)
    assert response.status_code == 409
    assert shown.text("#sentence") == "Your large follower goes to the market; the Count stays."


def test_a_line_asks_for_what_it_is_made_of() -> None:
    legal = list_answers(ENTERING.position, NAMES)
    assert build_answer_query(legal, "enter large market count castle") == {
        "figure": "large",
        "quarter": "market",
        "count": "castle",
    }
    assert build_answer_query(legal, "pass") == build_answer_query(legal, "0,0 r0") == {}
