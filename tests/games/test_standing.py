"""Standing answers, and what is told to those who give none."""

from games.questions import question
from games.rules import Game
from tests.games.rules.boards import played, scored
from tests.games.rules.test_count import THREE, in_city, with_meeples


def test_the_question_of_the_last_turn_tells_what_that_turn_pays_and_no_more() -> None:
    """COUNT-28."""
    game = played("A base.B@2,0 field NNW; B base.B@3,0", **THREE)
    game = with_meeples(game, -2, 1, "city", "S", "A", "C")
    game = in_city(game, count="cathedral", castle="B", market="C")
    game = Game(game.state._replace(remaining={"base.E": 1}, left=1))
    game = played("C base.E@-2,2 cfff", game=game)
    assert scored(game) == []
    answers = question(game, ["Anna", "Bruno", "Clara"]).answers
    told = [effect for answer in answers for effect in answer.effects]
    assert told == [
        "If the others stay: Anna +4, Clara +4.",
        "If the others stay: Anna +4, you +4, Clara +4.",
    ]
