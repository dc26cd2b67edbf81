"""Tests of the labels of arrows to spaces out of sight, in every language."""

import pytest
from django.conf import settings
from django.utils.translation import override

from games.words.arrows import FORMS, format_spaces_beyond

EDGES = ("north", "west", "east", "south")


@pytest.mark.parametrize(("n", "said"), [(1, "1 legal space to the west"), (2, "2 legal spaces to the west")])
def test_the_number_is_part_of_the_sentence(n: int, said: str) -> None:
    assert format_spaces_beyond("west", n) == said


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_three_numbers_show_every_form_that_a_page_may_need(language: str) -> None:
    with override(language):
        for edge in EDGES:
            forms = {format_spaces_beyond(edge, n).replace(str(n), "{n}", 1) for n in FORMS}
            every = {format_spaces_beyond(edge, n).replace(str(n), "{n}", 1) for n in range(130)}
            assert forms == every
        assert len({format_spaces_beyond(edge, 2) for edge in EDGES}) == 4
