"""Tests of the pages of the rules, and of their examples, which the engine plays."""

from dataclasses import replace

import pytest

from games.drawing.board import draw_board
from games.pages.rulebook import contents, example_boards, examples
from games.rules import IllegalAction
from games.words import rule_sets
from tests.html import Page, words

EXAMPLES = {
    f"{page}/{name}": example for page, shown in examples.OF_PAGES.items() for name, example in shown.items()
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_every_example_obeys_the_rules_and_shows_something(example):
    shown = example_boards.play(example)
    assert shown.scored or shown.open_cells or any(shown.state.meeples())
    assert len(example_boards.list_sentences(example)) == len(shown.scored)


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_every_example_can_be_drawn(example):
    assert "<svg" in draw_board(example_boards.build_example_picture("example", example))


@pytest.mark.parametrize(
    ("name", "scored"),
    [
        ("river2/river_volcano", [("city", 0, 4)]),
        ("abbot/abbot_recall", [("garden", 0, 6)]),
        ("abbot/abbot_garden", [("garden", 0, 9)]),
        ("inns-and-cathedrals/inn", [("road", 0, 8)]),
        ("inns-and-cathedrals/cathedral", [("city", 0, 15)]),
        ("inns-and-cathedrals/cathedral_open", [("city", 0, 0)]),
        ("inns-and-cathedrals/large", [("city", 0, 8)]),
        ("traders-and-builders/goods", [("goods", 1, 10)]),
        ("traders-and-builders/builder", [("road", 0, 5)]),
        ("traders-and-builders/pig", [("field", 0, 4)]),
        ("king-and-robber/king", [("king", 1, 2), ("robber", 0, 3)]),
        ("king-and-robber/crossing", [("city", 0, 6)]),
        ("cult/duel", [("shrine", 0, 9)]),
        ("count/count_enter", [("road", 0, 3)]),
        ("count/count_leave", [("road", 0, 3), ("road", 1, 3)]),
        ("count/count_field", [("field", 0, 3)]),
        ("winter/gingerbread_leaves", [("gingerbread", 0, 2)]),
        ("winter/gingerbread_completed", [("gingerbread", 0, 3), ("city", 0, 8)]),
        ("fields/third_edition", [("field", 0, 6), ("field", 0, 3)]),
        ("fields/second_edition", [("field", 0, 6), ("field", 0, 0)]),
        ("fields/first_edition", [("field", 0, 4), ("field", 0, 4)]),
        ("house-rules/hole", [("monastery", 0, 9)]),
        ("house-rules/border", [("road", 0, 9)]),
        ("house-rules/small_city", [("city", 0, 2)]),
    ],
)
def test_examples_bring_what_their_page_tells(name, scored):
    assert [
        (scored.on, scored.seat, scored.points) for scored in example_boards.play(EXAMPLES[name]).scored
    ] == scored


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("river1/river_bend", {(2, 1)}),
        ("river2/river_fork", {(1, -1), (2, 0)}),
        ("river2/river_apart", {(2, -1)}),
        ("cult/limit", {(0, -1), (0, 3)}),
    ],
)
def test_examples_mark_where_the_tile_fits(name, cells):
    assert set(example_boards.play(EXAMPLES[name]).open_cells) == cells


@pytest.mark.parametrize(
    ("name", "tiles"),
    [
        ("river2/river_volcano", ((4, 1, 0), (3, 1, 0))),
        ("traders-and-builders/builder", ((3, 0, 0), (-1, 0, 0))),
        ("abbot/abbot_recall", ((2, 1, 0),)),
    ],
)
def test_both_tiles_of_a_double_turn_are_outlined(name, tiles):
    assert example_boards.play(EXAMPLES[name]).last == tiles


def test_the_volcano_of_the_example_would_take_no_figure():
    """RIVER-15."""
    shown = EXAMPLES["river2/river_volcano"]
    turns = (*shown.turns[:-2], f"{shown.turns[-2]} field NNW")
    with pytest.raises(IllegalAction) as refused:
        example_boards.play(replace(shown, turns=turns))
    assert refused.value.rule == "RIVER-15"


def test_a_sum_shows_its_parts():
    assert example_boards.list_sentences(EXAMPLES["inns-and-cathedrals/inn"]) == [
        "Blue scores 8 points for the road. (4 + 4)"
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", contents.PAGES)
class TestPages:
    def test_tells_its_rules_with_every_example_and_option(self, client, slug, django_assert_num_queries):
        with django_assert_num_queries(0):
            page = Page(client.get(f"/rules/{slug}/"))
        shown = contents.PAGES[slug]
        assert page.text("h1") == shown.title
        for name, example in examples.OF_PAGES.get(slug, {}).items():
            told = words(page.one(f"figure:has(#example-{name})"))
            assert all(sentence in told for sentence in example_boards.list_sentences(example))
        for option in shown.options:
            assert page.text(f"#option-{option} small") == rule_sets.find_rule_number(option)

    def test_leads_to_all_the_others(self, client, slug):
        links = Page(client.get(f"/rules/{slug}/")).links("nav .pages a")
        assert sorted(links) == sorted(f"/rules/{other}/" for other in set(contents.PAGES) - {slug})

    @pytest.mark.parametrize("language", ["pl", "sk", "is", "ru"])
    def test_works_in_every_language(self, client, slug, language):
        client.cookies["django_language"] = language
        page = Page(client.get(f"/rules/{slug}/"))
        assert page.one("html")["lang"] == language

    def test_carries_no_inline_code(self, client, slug):
        page = Page(client.get(f"/rules/{slug}/"))
        assert page.has("main") and page.inline_code() == []


@pytest.mark.django_db
def test_the_rules_in_brief_lead_to_every_page(client):
    links = Page(client.get("/rules/")).links("#more a")
    assert sorted(links) == sorted(f"/rules/{slug}/" for slug in contents.PAGES)


@pytest.mark.django_db
def test_there_is_no_page_of_what_there_is_not(client):
    assert client.get("/rules/casino/").status_code == 404


@pytest.mark.django_db
def test_the_gingerbread_tiles_are_called_a_stand_in(client):
    page = Page(client.get("/rules/winter/"))
    (told,) = page.texts("article p:-soup-contains('stand-in')")
    assert told.startswith("In the box, six extra tiles show his sign.")
