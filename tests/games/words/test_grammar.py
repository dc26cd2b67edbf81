"""Tests of ranks in English."""

from games.words.grammar import format_ordinal
from tests.cases import for_each


@for_each(
    ("n", "said"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (10, "10th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (23, "23rd"),
        (111, "111th"),
        (121, "121st"),
    ],
)
def test_a_rank_is_an_ordinal(n: int, said: str) -> None:
    assert format_ordinal(n) == said
