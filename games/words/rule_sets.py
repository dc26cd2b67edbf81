"""Sentences in the reader's language for rule sets: sets, editions, options, and conflicts.

The rules have only codes and parameters. Texts are translated when they are shown or sent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from games.rules import InvalidRuleSet, RuleSet, Warn, find_usual_edition, list_all_options

from .vocabulary import FIGURES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SETS: dict[str, StrOrPromise] = {
    "base": gettext_lazy("Base game"),
}
"""Names of the sets in the order in which they are offered: the base game, then the expansions."""

SET_LINES: dict[str, StrOrPromise] = {
    "base": gettext_lazy("Cities, roads, monasteries and fields: 72 tiles."),
}

SET_ADDS: dict[str, StrOrPromise] = {}
"""Contents of an expansion besides tiles, in up to three words."""

BOX_MINUTES, BOX_TILES = 35, 72
"""Minutes that the base game takes at a table, as its box says, and its number of tiles."""

EDITIONS: Mapping[str, StrOrPromise] = {
    "C1": gettext_lazy("First edition"),
    "C2": gettext_lazy("Second edition"),
    "J20": gettext_lazy("20th anniversary edition"),
    "C3": gettext_lazy("Third edition"),
}

USUAL_EDITIONS: dict[str, StrOrPromise] = {}
"""The edition in which a game is played if none is chosen, by an edition other than the first that a set
names."""

OPTIONS: dict[str, StrOrPromise] = {
    "fields": gettext_lazy("Fields"),
    "two_tile_city": gettext_lazy("Completed city of two tiles"),
    "sixth_player": gettext_lazy("Sixth player"),
    "first_player": gettext_lazy("First player"),
    "incomplete_scores": gettext_lazy("Incomplete features score at the end"),
    "figures": gettext_lazy("Meeples of each player"),
    "next_tile": gettext_lazy("When the next tile is drawn"),
    "hand": gettext_lazy("Hand of tiles"),
    "start_tile": gettext_lazy("Start tile"),
    "unplaceable": gettext_lazy("A tile that fits nowhere"),
    "hole_bonus": gettext_lazy("Extra turn for filling a hole"),
    "board_limit": gettext_lazy("Size of the table"),
    "border_completes": gettext_lazy("The edge of the table completes features"),
}

HINTS: dict[str, StrOrPromise] = {
    "fields": gettext_lazy("How farmers score when the game is over."),
    "two_tile_city": gettext_lazy(
        "In the oldest rules, a city this small scored half, and so did its shields."
    ),
    "sixth_player": gettext_lazy("Whether six can play."),
    "first_player": gettext_lazy("The others follow clockwise."),
    "incomplete_scores": gettext_lazy(
        "Without this, incomplete roads, cities, monasteries, shrines and gardens score "
        "nothing. Fields still score."
    ),
    "figures": gettext_lazy("How many figures of each kind every player gets."),
    "next_tile": gettext_lazy(
        "If it's drawn at the end of your turn, you can think about it while the others play."
    ),
    "hand": gettext_lazy("Choose one of three tiles to place, then draw a new one."),
    "start_tile": gettext_lazy(
        "In the bag, it's a tile like any other: the first tile drawn starts the map."
    ),
    "unplaceable": gettext_lazy(
        "It leaves the game, or goes back into the bag as soon as another tile has been placed."
    ),
    "hole_bonus": gettext_lazy("For a tile that touches others on all four sides."),
    "board_limit": gettext_lazy("Tiles don't fit beyond the limit."),
    "border_completes": gettext_lazy(
        "Roads and cities that reach the edge end there, and a monastery only needs the "
        "spaces on the table. Only with a table that doesn't shift."
    ),
}
"""Additional sentence about each option, shown where the reader chooses it or looks it up."""

FIGURE_COUNTS: dict[str, StrOrPromise] = {
    "follower": gettext_lazy("Followers of each player"),
}

YES, NO = pgettext_lazy("an option", "yes"), pgettext_lazy("an option", "no")

VALUES: dict[tuple[str, Any], StrOrPromise] = {
    ("fields", "third-edition"): gettext_lazy("3 points for each completed city, field by field"),
    ("fields", "second-edition"): gettext_lazy("3 points for each completed city, once for each player"),
    ("fields", "first-edition"): gettext_lazy("4 points for each completed city, all its fields together"),
    ("fields", "none"): gettext_lazy("no farmers, fields score nothing"),
    ("two_tile_city", 4): gettext_lazy("2 points for each tile, like any city"),
    ("two_tile_city", 2): gettext_lazy("1 point for each tile"),
    ("first_player", "random"): gettext_lazy("at random"),
    ("first_player", "creator"): gettext_lazy("the host"),
    ("first_player", "youngest"): gettext_lazy("the youngest"),
    ("first_player", "most_roads"): gettext_lazy("the player who draws the tile with the most roads"),
    ("next_tile", "at_turn_start"): gettext_lazy("when the turn begins"),
    ("next_tile", "at_turn_end"): gettext_lazy("at the end of the previous turn, for all to see"),
    ("hand", "none"): gettext_lazy("none"),
    ("hand", "three_open"): gettext_lazy("three tiles, for all to see"),
    ("hand", "three_hidden"): gettext_lazy("three tiles, which only their owner can see"),
    ("start_tile", "fixed"): gettext_lazy("lies on the table"),
    ("start_tile", "in_bag"): gettext_lazy("goes into the bag"),
    ("unplaceable", "discard"): gettext_lazy("leaves the game"),
    ("unplaceable", "back_in_bag"): gettext_lazy("goes back into the bag"),
    ("board_limit", "none"): gettext_lazy("without limit"),
}
"""Words for values that are neither yes nor no; :func:`format_value` words the numbers of table sizes."""

LIMITS: Mapping[str, StrOrPromise] = {
    "fixed": gettext_lazy("fixed: that many spaces, with the start tile in the middle"),
    "shifting": gettext_lazy("shifting: that many spaces, wherever the tiles lie"),
}
"""The kinds of a limited table."""


def format_value(name: str, chosen: Any) -> str:
    """A value of the option called *name* in words."""
    if isinstance(chosen, bool):
        return str(YES if chosen else NO)
    if isinstance(chosen, Mapping):
        return ", ".join(
            pgettext("number and figure", "{n} × {figure}").format(n=count, figure=FIGURES[figure])
            for figure, count in chosen.items()
        )
    if name == "board_limit" and chosen != "none":
        return _limit(chosen)
    return str(VALUES[name, chosen])


def _limit(chosen: str) -> str:
    kind, _space, size = chosen.partition(" ")
    width, _x, height = size.partition("x")
    sentence = {
        "fixed": _("{width} × {height} spaces, the start tile in the middle"),
        "shifting": _("{width} × {height} spaces, wherever the tiles lie"),
    }[kind]
    return sentence.format(width=width, height=height)


def format_option(name: str, chosen: Any) -> tuple[str, str]:
    """An option and its value in words."""
    return str(OPTIONS[name]), format_value(name, chosen)


def list_rules(rules: RuleSet) -> list[tuple[str, str]]:
    """*rules* in words, as pairs of heading and text: sets, edition, then every option."""
    return _what_is_played(rules) + [format_option(name, chosen) for name, chosen in rules.options.items()]


def list_rules_in_brief(rules: RuleSet) -> list[tuple[str, str]]:
    """Return *rules* in words, as pairs of heading and text, with only the options that are not as usual."""
    return _what_is_played(rules) + [
        format_option(name, chosen) for name, chosen in find_unusual_options(rules).items()
    ]


def _what_is_played(rules: RuleSet) -> list[tuple[str, str]]:
    return [
        (_("Sets"), format_sets(rules)),
        (_("Edition"), str(EDITIONS[rules.edition])),
        (_("Tiles"), str(count_tiles(rules))),
    ]


def count_tiles(rules: RuleSet) -> int:
    """Return the number of tiles in a game by *rules*."""
    return sum(rules.composition.values()) - len(rules.removed)


def count_own_tiles(name: str) -> int:
    """Return how many tiles the set called *name* brings, in its usual edition."""
    sets = ("base", name)
    composition = RuleSet.of(sets=sets, edition=find_usual_edition(sets)).composition
    return sum(count for tile, count in composition.items() if tile.partition(".")[0] == name)


def estimate_minutes(tiles: int) -> int:
    """Estimate the minutes that a game with so many *tiles* takes in person."""
    return round(tiles * BOX_MINUTES / BOX_TILES)


def list_additions(rules: RuleSet) -> list[str]:
    """List the differences between *rules* and the base game: expansions, edition, and changed options."""
    return [str(SETS[name]) for name in SETS if name in rules.sets and name != "base"] + list_unusual_rules(
        rules
    )


def list_unusual_rules(rules: RuleSet) -> list[str]:
    """List the edition of *rules* if it isn't the default, and each changed option."""
    rules_text = [str(EDITIONS[rules.edition])] if rules.edition != find_usual_edition(rules.sets) else []
    return rules_text + [
        "{}: {}".format(*format_option(name, chosen)) for name, chosen in find_unusual_options(rules).items()
    ]


def find_unusual_options(rules: RuleSet) -> dict[str, Any]:
    """Return the options of *rules* that differ from the defaults and have an effect."""
    # The usual figures depend on the sets alone; in an edition with gardens no set is refused.
    usual = RuleSet.of(sets=rules.sets, edition="C2", seats=rules.seats).options
    return {name: chosen for name, chosen in rules.options.items() if name in usual and chosen != usual[name]}


def name_sets(chosen: Collection[str]) -> list[tuple[str, StrOrPromise]]:
    """Return the slugs and names of the *chosen* sets in the usual order."""
    return [(slug, name) for slug, name in SETS.items() if slug in chosen]


def format_sets(rules: RuleSet) -> str:
    """The sets of *rules*: "Base game, The River"."""
    return ", ".join(str(name) for _slug, name in name_sets(rules.sets))


BAD_RULE_SETS: dict[str, StrOrPromise] = {
    "unknown_set": gettext_lazy("There is no set called {set}."),
    "base_missing": gettext_lazy("Every game needs the base game."),
    "set_twice": gettext_lazy("A set can be in a game only once."),
    "unknown_edition": gettext_lazy("There is no edition called {edition}."),
    "unknown_option": gettext_lazy("There is no option called {option}."),
    "unknown_value": gettext_lazy("{value} isn't a value of the option {option}."),
    "seats": gettext_lazy("A game has two to six players."),
    "no_sixth_player": gettext_lazy("Six can only play with the option for a sixth player."),
    "start_is_taken": gettext_lazy(
        "{set} has its own start, so the start tile can't come out of the bag. Leave it on the table."
    ),
    "border_needs_fixed_limit": gettext_lazy(
        "The edge can only complete features if it doesn't move: choose a fixed size."
    ),
    "needs_set": gettext_lazy("The option {option} needs the set {set}."),
    "hand_implies_next_tile": gettext_lazy(
        "With a hand of three tiles, you draw at the end of your turn anyway. Leave the drawing as usual."
    ),
    "hand_without_back_in_bag": gettext_lazy(
        "With a hand of tiles, a tile that fits nowhere leaves the game: it can't go back into the bag."
    ),
}


def explain_bad_rule_set(error: InvalidRuleSet) -> str:
    """Say what is wrong with a rule set and what to change, as a sentence with the number of the rule."""
    params = dict(error.params)
    if "option" in params:
        params["option"] = OPTIONS.get(params["option"], params["option"])
    if "set" in params:
        params["set"] = SETS.get(params["set"], params["set"])
    return _with_rule(str(BAD_RULE_SETS[error.code]).format(**params), error.rule)


WARNINGS: dict[str, StrOrPromise] = {}


def format_warning(warn: Warn) -> str:
    """Say what the rules advise against, as a sentence with the number of the rule."""
    return _with_rule(str(WARNINGS[warn.code]).format(**warn.params), warn.rule)


def _with_rule(sentence: str, rule: str) -> str:
    if not rule:
        return sentence
    return pgettext("a sentence and the number of the rule", "{sentence} (rule {rule})").format(
        sentence=sentence, rule=rule
    )


def find_rule_number(name: str) -> str:
    """The number of the rule that describes the option called *name*."""
    return _RULES[name]


_RULES = {option.name: option.rule for option in list_all_options()} | {"figures": "BASE-1"}
