"""Rule sets in words: every set, edition, option, value, refusal and warning of the engine."""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from games.pages.rulebook import contents
from games.rules import InvalidRuleSet, RuleSet, Warn, list_all_options
from games.rules.modules import MODULES
from games.rules.ruleset import EDITIONS
from games.rules.tiles import list_sets_with_tiles
from games.tables import presets
from games.words import rule_sets
from tests.cases import for_each

ENGINE = Path(__file__).parents[3] / "games" / "rules"
SOURCE = "\n".join(path.read_text() for path in sorted(ENGINE.rglob("*.py")))


def codes(kind: str) -> set[str]:
    """The codes with which the engine makes values of *kind*."""
    return set(re.findall(rf'{kind}\(\s*"(\w+)"', SOURCE))


def test_every_set_has_a_name_and_a_line():
    sets = {"base", *list_sets_with_tiles(), *MODULES}
    assert set(rule_sets.SETS) == set(rule_sets.SET_LINES) == sets


def test_every_edition_has_a_name():
    assert set(rule_sets.EDITIONS) == set(EDITIONS)


def test_every_option_has_a_name_a_hint_and_a_rule():
    names = {option.name for option in list_all_options()} | {"figures"}
    assert set(rule_sets.OPTIONS) == set(rule_sets.HINTS) == names
    assert all(re.fullmatch(r"[A-Z]+-\d+", rule_sets.find_rule_number(name)) for name in names)


@for_each("option", list_all_options())
def test_every_value_is_worded_and_no_two_alike(option):
    told = [rule_sets.format_value(option.name, value) for value in option.values]
    assert all(told)
    assert len(set(told)) == len(told)


def test_nothing_is_worded_that_the_engine_does_not_know():
    known = {(option.name, value) for option in list_all_options() for value in option.values}
    assert set(rule_sets.VALUES) <= known


def test_the_size_of_a_table_is_told_in_numbers():
    assert rule_sets.format_value("board_limit", "fixed 19x21").startswith("19 × 21 spaces")
    assert rule_sets.format_value("board_limit", "shifting 9x11").startswith("9 × 11 spaces")


def test_every_refusal_and_every_warning_has_its_sentence():
    assert codes("InvalidRuleSet") == set(rule_sets.BAD_RULE_SETS)
    assert codes("Warn") == set(rule_sets.WARNINGS)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"sets": ("base", "casino")}, "There is no set called casino. (rule BASE-3)"),
        ({"options": {"hand": "five"}}, "five isn't a value of the option Hand of tiles. (rule HR-3)"),
        ({"options": {"dice": 1}}, "There is no option called dice."),
        ({"sets": ("base", "abbot")}, "The abbot needs an edition with gardens."),
        (
            {"sets": ("base", "count"), "options": {"start_tile": "in_bag"}},
            "The Count of Carcassonne has its own start",
        ),
        ({"options": {"gingerbread": True}}, "The option The Gingerbread Man needs the set Winter Edition."),
    ],
)
def test_refusals_name_what_is_wrong(chosen, told):
    with pytest.raises(InvalidRuleSet) as caught:
        RuleSet.of(**chosen)
    assert rule_sets.explain_bad_rule_set(caught.value).startswith(told)


def test_warnings_name_the_rule():
    (warn,) = RuleSet.of(sets=("base", "count", "river2")).warnings
    assert "The rules advise against" in rule_sets.format_warning(warn)
    assert rule_sets.format_warning(Warn(warn.code, "RIVER-18")).endswith("(rule RIVER-18)")


class TestInShort:
    def test_the_standard_game_needs_no_word(self):
        assert rule_sets.list_additions(RuleSet.of(seats=3)) == []
        assert [heading for heading, _text in rule_sets.list_rules_in_brief(RuleSet.of())] == [
            "Sets",
            "Edition",
            "Tiles",
        ]

    def test_only_what_is_not_usual_is_told(self):
        rules = RuleSet.of(sets=("base", "river1", "abbot"), edition="C2", options={"hole_bonus": True})
        assert rule_sets.list_additions(rules) == [
            "The River",
            "The Abbot",
            "Extra turn for filling a hole: yes",
        ]
        assert rule_sets.list_rules_in_brief(rules)[2] == ("Tiles", "83")

    def test_an_abbot_without_gardens_is_told(self):
        rules = RuleSet.of(sets=("base", "abbot"), options={"abbot_without_gardens": True})
        assert rule_sets.list_additions(rules)[1:] == [
            "First edition",
            "Abbot in an edition without gardens: yes",
        ]

    def test_options_without_effect_are_not_told(self):
        rules = RuleSet.of(options={"river_uturn": "last_bend"})
        assert rule_sets.list_additions(rules) == []

    def test_figures_are_told_by_number(self):
        rules = RuleSet.of(options={"figures": {"follower": 5}})
        assert rule_sets.list_additions(rules) == ["Meeples of each player: 5 × follower"]

    def test_all_of_it_names_every_option(self):
        rules = RuleSet.of(sets=("base", "winter"), seats=2)
        assert len(rule_sets.list_rules(rules)) == 3 + len(rules.options)


@pytest.mark.parametrize("name", presets.PRESETS)
def test_presets_go_together_without_a_warning(name):
    assert presets.PRESETS[name].rules(seats=6).warnings == ()


def test_the_preset_of_everything_leaves_out_only_what_is_advised_against():
    assert set(MODULES) - presets.PRESETS["everything"].sets == {"river2"}


@pytest.mark.parametrize(
    ("chosen", "count"),
    [
        ({}, 0),
        ({"sets": ("base", "count", "river1")}, 0),
        ({"options": {"sixth_player": False}}, 0),
        ({"options": {"fields": "none"}}, 1),
        ({"options": {"fields": "second-edition", "hole_bonus": True}}, 2),
        ({"sets": ("base", "winter"), "options": {"gingerbread": True}}, 1),
        ({"sets": ("base", "count", "river2")}, 1),
    ],
)
def test_rated_games_are_played_by_the_usual_rules(chosen, count):
    assert len(presets.list_rating_obstacles(RuleSet.of(**chosen))) == count


class TestRulebook:
    def test_every_set_and_every_option_has_a_page(self):
        assert set(MODULES) < set(contents.PAGES)
        for name in rule_sets.OPTIONS:
            assert name in contents.find_page(name).options

    def test_no_option_has_two_pages(self):
        explained = [option for page in contents.PAGES.values() for option in page.options]
        assert len(explained) == len(set(explained))

    def test_a_game_leads_to_the_pages_that_concern_it(self):
        rules = RuleSet.of(sets=("base", "count"), options={"fields": "none", "hole_bonus": True})
        assert [page.slug for page in contents.list_pages_for_rules(rules)] == [
            "count",
            "fields",
            "house-rules",
        ]
        assert contents.list_pages_for_rules(RuleSet.of()) == []

    def test_options_are_listed_with_all_their_values(self):
        (fields,) = contents.list_explained_options(contents.PAGES["fields"])
        assert (fields.rule, len(fields.values)) == ("BASE-50", 4)
        listed = {
            option.name: option for option in contents.list_explained_options(contents.PAGES["house-rules"])
        }
        assert len(listed["board_limit"].values) == 3


@pytest.mark.parametrize("language", ["pl", "sk", "is", "ru"])
def test_every_language_can_tell_every_rule_set(language):
    rules = presets.PRESETS["everything"].rules(seats=5)
    with override(language):
        assert all(heading and text for heading, text in rule_sets.list_rules(rules))
