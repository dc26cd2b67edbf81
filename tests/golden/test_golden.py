"""Tests of the golden: what it overlooks, and what it finds."""

import pytest

from tests.golden.asking import Record
from tests.golden.comparison import print_comparison
from tests.golden.reduced import reduce_markup

PAGE = '<p class="b a" id="x">Two  words <a href="/one/">here</a></p>'


def test_white_space_and_the_order_of_attributes_do_not_matter() -> None:
    same = '\n<p id=x class="a b">\n Two words\n<a href="/one/">here</a></p>'
    assert reduce_markup(PAGE) == reduce_markup(same)


@pytest.mark.parametrize(
    "other", [PAGE.replace("/one/", "/two/"), PAGE.replace("Two", "Ten"), PAGE.replace('"b a"', '"b"')]
)
def test_links_words_and_classes_matter(other: str) -> None:
    assert reduce_markup(PAGE) != reduce_markup(other)


def test_tokens_do_not_matter() -> None:
    field = '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    assert reduce_markup(field.format("a")) == reduce_markup(field.format("b"))


def test_each_difference_is_printed_once_and_more_queries_are_a_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = [Record(f"page {number}", 3, ["same", "old"]) for number in range(5)]
    assert print_comparison(before, before) == 0
    after = [Record(record.key, 3, ["same", "new"]) for record in before]
    assert print_comparison(before, after) == 1
    printed = capsys.readouterr().out
    assert printed.count("-old\n+new") == 1 and "5 times" in printed
    assert print_comparison(before, [record._replace(queries=4) for record in before]) == 1
    assert print_comparison(before, before[1:]) == 1
