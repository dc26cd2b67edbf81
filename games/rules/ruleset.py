"""What defines a game before its first turn: sets, edition, options, number of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from .errors import InvalidRuleSet
from .module import Module, Option, answers
from .modules import MODULES
from .tiles import Tile, sets_with_tiles, tile_set
from .turn import CORE_ENDING, CORE_STEPS, Step

EDITIONS = ("C1", "C2", "J20", "C3")
MAX_SEATS = 6

FOLLOWER = "follower"
FOLLOWERS = 7  # BASE-1
MOST_FIGURES = 20  # of one kind; more than that is a slip

CORE_OPTIONS = (
    Option("fields", ("third-edition", "second-edition", "first-edition", "none"), "BASE-50"),
    Option("two_tile_city", (4, 2), "BASE-32"),
    Option("sixth_player", (True, False), "BASE-1"),
    Option("first_player", ("random", "creator"), "BASE-5"),
    Option("incomplete_scores", (True, False), "BASE-45"),
)


class RuleSet:
    """Sets, edition and options of a game, with every option written out. A value; make it by :meth:`of`."""

    def __init__(
        self,
        sets: tuple[str, ...],
        edition: str,
        options: Mapping[str, Any],
        seats: int,
        modules: tuple[Module, ...],
    ) -> None:
        self.sets = sets
        self.edition = edition
        self.options = options
        self.seats = seats
        self.modules = modules

    @classmethod
    def of(
        cls,
        *,
        sets: Iterable[str] = ("base",),
        edition: str = "C1",
        options: Mapping[str, Any] | None = None,
        seats: int = 2,
        known: Mapping[str, Module] = MODULES,
    ) -> RuleSet:
        """The rule set with these *sets*, *edition* and *options* for *seats* players (1 in a test record).

        Raises :class:`InvalidRuleSet` for whatever is unknown or does not go together. Rules: BASE-1, BASE-3.
        """
        chosen = tuple(sets)
        there = {*sets_with_tiles(), *known}
        for name in chosen:
            if name not in there:
                raise InvalidRuleSet("unknown_set", "BASE-3", set=name)
        if "base" not in chosen:
            raise InvalidRuleSet("base_missing", "BASE-2")
        if len(set(chosen)) != len(chosen):
            raise InvalidRuleSet("set_twice", "BASE-3")
        if edition not in EDITIONS:
            raise InvalidRuleSet("unknown_edition", "BASE-3", edition=edition)
        modules = tuple(known[name] for name in sorted(chosen) if name in known)
        offered = {option.name: option for option in CORE_OPTIONS}
        for module in known.values():
            offered |= {option.name: option for option in module.options}
        written = {option.name: option.default for option in CORE_OPTIONS}
        for module in modules:
            written |= {option.name: option.default for option in module.options}
        written["figures"] = {FOLLOWER: FOLLOWERS} | {
            figure: count for module in modules for figure, count in module.figures.items()
        }
        for name, value in (options or {}).items():
            if name == "figures":
                written[name] = _figures(value, written[name])
                continue
            if name not in offered:
                raise InvalidRuleSet("unknown_option", option=name)
            if not any(value == one and type(value) is type(one) for one in offered[name].values):
                raise InvalidRuleSet("unknown_value", offered[name].rule, option=name, value=value)
            written[name] = value
        if not 1 <= seats <= MAX_SEATS:
            raise InvalidRuleSet("seats", "BASE-1", seats=seats, most=MAX_SEATS)
        if seats == MAX_SEATS and not written["sixth_player"]:
            raise InvalidRuleSet("no_sixth_player", "BASE-1")
        return cls(chosen, edition, written, seats, modules)

    def to_json(self) -> dict[str, Any]:
        """Sets, edition and all options, defaults included, as a record writes them."""
        return {"sets": list(self.sets), "edition": self.edition, "options": dict(self.options)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], *, seats: int) -> RuleSet:
        """What :meth:`to_json` wrote, for *seats* players."""
        return cls.of(sets=stored["sets"], edition=stored["edition"], options=stored["options"], seats=seats)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and (self.to_json(), self.seats) == (other.to_json(), other.seats)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def composition(self) -> Mapping[str, int]:
        """Every tile in play, those that lie at the start included: id to copies (BASE-2, BASE-3)."""
        copies: Counter[str] = Counter()
        for name in self.sets:
            if name in sets_with_tiles():
                copies.update(tile_set(name).copies(self.edition))
        return dict(copies)

    @cached_property
    def start(self) -> tuple[tuple[Tile, int, int], ...]:
        """The tiles that lie when play begins, with x and y; all with rotation 0 (BASE-4)."""
        (first,) = (tile for tile in tile_set("base").tiles if tile.start)
        return ((first, 0, 0),)

    @cached_property
    def bag(self) -> tuple[Mapping[str, int], ...]:
        """The tiles to draw, in groups that are drawn one after the other: id to copies."""
        rest = Counter(self.composition)
        rest.subtract(tile.id for tile, _, _ in self.start)
        groups: Iterable[Mapping[str, int]] = [+rest]
        for module in self.asking("bag"):
            groups = module.bag(self, list(groups))
        return tuple(dict(sorted(group.items())) for group in groups)

    @cached_property
    def figures(self) -> Mapping[str, int]:
        """What every player has in hand before the first turn (BASE-1)."""
        return dict(self.options["figures"])

    @cached_property
    def strengths(self) -> Mapping[str, int]:
        """What each figure counts in a majority (BASE-33)."""
        return {FOLLOWER: 1} | {
            figure: strength for module in self.modules for figure, strength in module.strengths.items()
        }

    @cached_property
    def turn(self) -> tuple[Step, ...]:
        """The steps after a tile is placed, in their order (BASE-6)."""
        return _in_order((*CORE_STEPS, *(step for module in self.modules for step in module.steps())))

    @cached_property
    def ending(self) -> tuple[Step, ...]:
        """The steps between the last turn and the action ``final``."""
        return _in_order((*CORE_ENDING, *(step for module in self.modules for step in module.ending())))

    @cached_property
    def changes(self) -> Mapping[type, Any]:
        """How the events of modules apply."""
        return {kind: change for module in self.modules for kind, change in module.changes.items()}

    def asking(self, question: str) -> tuple[Module, ...]:
        """The modules that answer *question*."""
        found = self._asking.get(question)
        if found is None:
            found = tuple(module for module in self.modules if answers(module, question))
            self._asking[question] = found
        return found

    @cached_property
    def _asking(self) -> dict[str, tuple[Module, ...]]:
        return {}


def _figures(value: Any, default: Mapping[str, int]) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise InvalidRuleSet("unknown_value", "BASE-1", option="figures", value=value)
    for figure, count in value.items():
        if figure not in default or type(count) is not int or not 0 <= count <= MOST_FIGURES:
            raise InvalidRuleSet("unknown_value", "BASE-1", option="figures", value=dict(value))
    return dict(default) | dict(value)


def _in_order(steps: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(sorted(steps, key=lambda step: step.slot))
