"""The pages of the rules: one for each expansion, and some on variants; and which page explains which
option."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy

from games.rules import Option, RuleSet, list_all_options, ruleset
from games.tables.presets import NOT_OFFERED
from games.words import rule_sets
from games.words.rule_sets import SET_LINES, SETS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Page:
    """A page under ``/rules/``. Its text is the template ``games/rules/<slug>.html``."""

    slug: str
    title: StrOrPromise
    line: StrOrPromise  # its subject, in a sentence
    options: tuple[str, ...] = ()  # names of the options that it explains

    @property
    def template(self) -> str:
        return f"games/rules/{self.slug}.html"


def _of_expansions() -> Iterator[Page]:
    """Yield a page for each set, with its options; shared options belong to the first set that has them."""
    explained: set[str] = set()
    for name in SETS:
        if name in ruleset.EXPANSIONS:
            options = [
                option.name for option in ruleset.EXPANSIONS[name].options if option.name not in explained
            ]
            explained.update(options)
            yield Page(name, SETS[name], SET_LINES[name], tuple(options))


EXPANSIONS = tuple(_of_expansions())
VARIANTS = (
    Page(
        "editions",
        gettext_lazy("Editions"),
        gettext_lazy("What differs between the editions of the game, and what doesn't."),
    ),
    Page(
        "fields",
        gettext_lazy("Three ways to score fields"),
        gettext_lazy("How farmers scored at first, later, and today; and playing without them."),
        ("fields",),
    ),
    Page(
        "house-rules",
        gettext_lazy("House rules"),
        gettext_lazy("Hands of tiles, a table with edges, holes to fill, and more."),
        (
            "first_player",
            "next_tile",
            "hand",
            "start_tile",
            "unplaceable",
            "hole_bonus",
            "board_limit",
            "border_completes",
            "two_tile_city",
            "incomplete_scores",
            "sixth_player",
            "figures",
        ),
    ),
)
PAGES = {page.slug: page for page in (*EXPANSIONS, *VARIANTS)}


class ExplainedOption(NamedTuple):
    """An option as its page lists it, the usual value first."""

    name: str
    title: str
    hint: str
    rule: str
    values: list[str]


def list_explained_options(page: Page) -> list[ExplainedOption]:
    """The options that *page* explains, with all their values in words."""
    known = {option.name: option for option in list_all_options()}
    return [
        ExplainedOption(
            name,
            str(rule_sets.OPTIONS[name]),
            str(rule_sets.HINTS[name]),
            rule_sets.find_rule_number(name),
            _values(known[name]) if name in known else [],
        )
        for name in page.options
    ]


def _values(option: Option) -> list[str]:
    """Every value that is offered, in words, but the many sizes of a table only by their kind."""
    if option.name == "board_limit":
        return [
            rule_sets.format_value(option.name, "none"),
            *(str(line) for line in rule_sets.LIMITS.values()),
        ]
    offered = (value for value in option.values if value not in NOT_OFFERED.get(option.name, ()))
    return [rule_sets.format_value(option.name, value) for value in offered]


def list_pages_for_rules(rules: RuleSet) -> list[Page]:
    """The pages of interest for *rules*: those of its expansions and of its unusual options."""
    unusual = {find_page(option).slug for option in rule_sets.find_unusual_options(rules)}
    return [page for page in PAGES.values() if page.slug in rules.sets or page.slug in unusual]


def find_page(option: str) -> Page:
    """The page that explains the option called *option*."""
    return _EXPLAINED[option]


_EXPLAINED = {option: page for page in PAGES.values() for option in page.options}
