"""Tests of standing answers (COUNT-27)."""

from typing import Any

import pytest

from games.pages.turn.decision import build_question
from games.rules import Final, Game, Pass, standing_answers
from games.rules.modules.count import Transfer
from tests.games.rules.boards import played, scored
from tests.games.rules.count_helpers import (
    THREE_SEATS,
    TO_THE_CAP,
    make_ending,
    make_majority_of_knights,
    place_in_quarters,
    place_meeples,
)
from tests.games.rules.meeting_helpers import (
    TRADERS_AND_BUILDERS,
    make_gingerbread_game,
    place_figure,
    play_last_turn,
)

IC = "inns-and-cathedrals"
ROUNDS = {"count_final_order": "rounds"}


def cap(*knights: str, sets: tuple[str, ...] = (), **quarters: str) -> Game:
    """The small city of the block with these *knights*, completed by C, and figures in the quarters."""
    chosen = {**THREE_SEATS, "sets": ["base", "count", *sets]}
    game = place_meeples(played("A base.B@2,0; B base.B@3,0", **chosen), -2, 1, "city", "S", *knights)
    return play_last_turn(place_in_quarters(game, count="market", **quarters), "C base.E@-2,2 cfff")


def gained(game: Game) -> list[Any]:
    """The answers of the asked seat that always gains; the last one is to stay or to be done."""
    seat, answers = game.decision.seat, []
    while game.decision == (game.decision.kind, seat) and game.decision.kind in game.rules.standing:
        answers.append(standing_answers.answer(game.state, standing_answers.GAIN))
        game = game.play(answers[-1])
    return answers


def test_all_go_to_where_they_bring_points() -> None:
    game = played("C base.E@-2,2 cfff", game=make_majority_of_knights())
    assert standing_answers.answer(game.state, standing_answers.ASK) is None
    assert standing_answers.answer(game.state, standing_answers.NEVER) == Pass()
    answer = standing_answers.answer(game.state, standing_answers.GAIN)
    assert answer == TO_THE_CAP._replace(followers=2)
    game = game.play(answer)
    assert standing_answers.answer(game.state, standing_answers.GAIN) == Pass(), "one against two is in vain"
    assert gained(cap("A", "A", "A", castle="B B")) == [Pass()], "two against three are in vain"


def test_whoever_would_score_anyway_stays() -> None:
    assert gained(cap("B", castle="B")) == [Pass()]
    assert gained(cap("A", "B", castle="B")) == [Pass()], "a tie pays in full"


def test_figures_of_two_kinds_reach_together_what_neither_does_alone() -> None:
    large = TO_THE_CAP._replace(meeple="large")
    assert gained(cap("A", "A", "A", sets=(IC,), castle="LB B")) == [TO_THE_CAP, large]
    assert gained(cap("A", "A", sets=(IC,), castle="LB B")) == [large, Pass()], "he alone is enough"
    assert gained(cap("A", sets=(IC,), castle="LB B")) == [TO_THE_CAP, Pass()]


def test_in_rounds_the_first_goes_though_only_the_second_reaches_the_majority() -> None:
    """COUNT-24."""
    game = place_meeples(make_ending(**ROUNDS), 2, 0, "field", "NNW", "A")
    game = place_in_quarters(game, market="B B").cut_short()
    for _ in range(2):
        game = game.play(standing_answers.answer(game.state, standing_answers.GAIN))
    assert game.play(Final()).state.scores == (9, 9, 0)


def test_a_knight_goes_where_the_gingerbread_man_pays_him() -> None:
    """COUNT-30: without any majority."""
    game = make_gingerbread_game()
    for _ in range(2):
        game = place_figure(game, "A", "follower", -2, 1, "city", "S")
    game = play_last_turn(place_in_quarters(game, count="market", castle="B"), "C base.E@-2,2 cfff")
    assert gained(game) == [TO_THE_CAP]


FARMS = "A base.B@-1,-2 field NNW; B base.B@-1,2; A base.B@2,0 field NNW; B base.B@3,0"


@pytest.mark.parametrize(("fields", "stays"), [("third-edition", False), ("first-edition", True)])
def test_fields_that_a_city_pays_together_are_looked_at_together(fields: str, stays: bool) -> None:
    """BASE-50: A has two farmers at Carcassonne, if in two fields."""
    game = place_in_quarters(played(FARMS, sets=["base", "count"], fields=fields), market="B").cut_short()
    (answer,) = gained(game)
    assert (answer == Pass()) == stays
    game = game.play(answer)
    assert (game.play(Final()).state.scores[1] == 0) == stays


@pytest.mark.parametrize(("fields", "stays"), [("third-edition", False), ("second-edition", True)])
def test_nobody_goes_where_a_city_pays_that_has_paid_already(fields: str, stays: bool) -> None:
    """BASE-50."""
    text = "A base.B@2,0; B base.B@-1,-2 field NNW"
    game = place_in_quarters(played(text, sets=["base", "count"], fields=fields), market="B").cut_short()
    assert (gained(game) == [Pass()]) == stays


def test_a_pig_is_not_forgotten() -> None:
    """TB-11: A has the majority with one farmer more, and a pig; two are worth 4."""
    text = "A base.B@2,0; B base.B@2,-1 field NNW"
    game = place_figure(
        played(text, sets=["base", "count", TRADERS_AND_BUILDERS]), "B", "pig", 2, -1, "field", "NNW"
    )
    for _ in range(2):
        game = place_figure(game, "A", "follower", 2, 0, "field", "NNW")
    game = place_in_quarters(game, market="B").cut_short()
    assert [one.on for one in gained(game)] == ["field"]
    assert game.play(gained(game)[0]).play(Final()).state.scores == (3, 4)


@pytest.mark.parametrize("scores", [True, False])
def test_what_pays_nothing_at_the_end_is_left_alone(scores: bool) -> None:
    """BASE-45, COUNT-23."""
    chosen = {"sets": ["base", "count"], "count_final": "all_quarters", "incomplete_scores": scores}
    game = place_in_quarters(played("A base.B@2,0", **chosen), count="market", blacksmith="B").cut_short()
    assert (gained(game) == [Pass()]) != scores


def test_the_question_of_the_last_turn_tells_what_that_turn_pays_and_no_more() -> None:
    """COUNT-28."""
    game = played("A base.B@2,0 field NNW; B base.B@3,0", **THREE_SEATS)
    game = place_meeples(game, -2, 1, "city", "S", "A", "C")
    game = place_in_quarters(game, count="cathedral", castle="B", market="C")
    game = Game(game.state._replace(remaining={"base.E": 1}, left=1))
    game = played("C base.E@-2,2 cfff", game=game)
    assert scored(game) == []
    answers = build_question(game, ["Anna", "Bruno", "Clara"]).answers
    told = [effect for answer in answers for effect in answer.effects]
    assert told == [
        "If the others stay: Anna +4, Clara +4.",
        "If the others stay: Anna +4, you +4, Clara +4.",
    ]


def test_a_move_is_named_as_the_list_of_moves_does() -> None:
    game = place_in_quarters(make_ending(), market="B").cut_short()
    (answer,) = gained(game)
    assert isinstance(answer, Transfer)
    assert answer in list(game.legal_actions())
