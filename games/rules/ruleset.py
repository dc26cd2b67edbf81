"""The definition of a game before its first turn: sets, edition, options, number of seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from .board import Spot
from .errors import InvalidRuleSet
from .events import Scored
from .module import Chosen, Module, Option, Warn, answers
from .modules import HOUSE_RULES, MEETINGS, MODULES
from .placements import FigureKinds
from .tiles import (
    CITY,
    FIELD,
    FOLLOWER,
    MONASTERY,
    ROAD,
    SHRINE,
    Tile,
    get_tile,
    list_sets_with_tiles,
    load_tile_set,
)
from .turn import CORE_STEPS, Drawing, Step

EDITIONS = ("C1", "C2", "J20", "C3")
MAX_SEATS = 6

FOLLOWERS = 7  # BASE-1
CLAIMED = frozenset({CITY, ROAD, FIELD, MONASTERY, SHRINE})  # by followers; never a garden or river (BASE-17)
MOST_FIGURES = 20  # maximum of one kind; a larger number is a slip

CORE_OPTIONS = (
    Option("fields", ("third-edition", "second-edition", "first-edition", "none"), "BASE-50"),  # how they pay
    Option("two_tile_city", (4, 2), "BASE-32"),  # points for a completed city of two tiles
    Option("sixth_player", (True, False), "BASE-1"),  # whether six may play
    Option("first_player", ("random", "creator", "youngest", "most_roads"), "BASE-5"),  # the seat that begins
    Option("incomplete_scores", (True, False), "BASE-45"),  # whether what is unfinished counts at the end
)


class RuleSet:
    """Sets, edition and options of a game, with every option written out. A value; make it by :meth:`of`.

    >>> rules = RuleSet.of(sets=["base", "inns-and-cathedrals"], options={"two_tile_city": 2}, seats=4)
    >>> rules.figures, rules.strengths["large"], rules.options["two_tile_city"]
    ({'follower': 7, 'large': 1}, 2, 2)
    >>> sum(rules.composition.values())
    90
    """

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

        >>> RuleSet.of(sets=["base", "dragons"])
        Traceback (most recent call last):
            ...
        games.rules.errors.InvalidRuleSet: unknown_set (BASE-3) {'set': 'dragons'}
        """
        chosen = tuple(sets)
        there = {*list_sets_with_tiles(), *known}
        for name in chosen:
            if name not in there:
                raise InvalidRuleSet("unknown_set", "BASE-3", set=name)
        if "base" not in chosen:
            raise InvalidRuleSet("base_missing", "BASE-2")
        if len(set(chosen)) != len(chosen):
            raise InvalidRuleSet("set_twice", "BASE-3")
        if edition not in EDITIONS:
            raise InvalidRuleSet("unknown_edition", "BASE-3", edition=edition)
        here = (*HOUSE_RULES, *(known[name] for name in sorted(chosen) if name in known))
        offered = {option.name: option for option in (*CORE_OPTIONS, *_options(known.values()))}
        written = {option.name: option.default for option in (*CORE_OPTIONS, *_options(here))}
        written["figures"] = {FOLLOWER: FOLLOWERS} | {
            figure: count for module in here for figure, count in module.figures.items()
        }
        figures = {FOLLOWER} | {figure for module in known.values() for figure in module.figures}
        for name, value in (options or {}).items():
            if name == "figures":
                written[name] = _figures(value, written[name], figures)
                continue
            if name not in offered:
                raise InvalidRuleSet("unknown_option", option=name)
            if not any(value == other and type(value) is type(other) for other in offered[name].values):
                raise InvalidRuleSet("unknown_value", offered[name].rule, option=name, value=value)
            written[name] = value
        if type(seats) is not int or not 1 <= seats <= MAX_SEATS:
            raise InvalidRuleSet("seats", "BASE-1", seats=seats, most=MAX_SEATS)
        if seats == MAX_SEATS and not written["sixth_player"]:
            raise InvalidRuleSet("no_sixth_player", "BASE-1")
        together = Chosen(chosen, edition, written, seats)
        for module in (*HOUSE_RULES, *known.values()):
            refusal = module.refuses(together)
            if refusal is not None:
                raise refusal
        meetings = tuple(module for module in MEETINGS if set(module.sets) <= set(chosen))
        modules = tuple(module for module in (*here, *meetings) if module.plays(written))
        return cls(chosen, edition, written, seats, modules)

    def __reduce__(self) -> tuple[Any, ...]:
        return RuleSet, (self.sets, self.edition, self.options, self.seats, self.modules)

    def to_json(self) -> dict[str, Any]:
        """Sets, edition and all options, defaults included, as a record writes them.

        >>> RuleSet.from_json(RuleSet.of(seats=3).to_json(), seats=3) == RuleSet.of(seats=3)
        True
        """
        return {"sets": list(self.sets), "edition": self.edition, "options": dict(self.options)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], *, seats: int) -> RuleSet:
        """Return what :meth:`to_json` wrote, for *seats* players."""
        return cls.of(sets=stored["sets"], edition=stored["edition"], options=stored["options"], seats=seats)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and (self.to_json(), self.seats) == (other.to_json(), other.seats)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def composition(self) -> Mapping[str, int]:
        """Every tile in play, those that lie at the start included: id to copies (BASE-2, BASE-3)."""
        copies: Counter[str] = Counter()
        for name in self.sets:
            if name in list_sets_with_tiles():
                copies.update(load_tile_set(name).copies(self.edition))
        composition: Mapping[str, int] = copies
        for module in self.asking("copies"):
            composition = module.copies(self, composition)
        return {id: count for id, count in composition.items() if count}

    @cached_property
    def start(self) -> tuple[tuple[Tile, int, int], ...]:
        """The tiles that lie when play begins, with x and y; all with rotation 0 (BASE-4).

        >>> [(tile.id, x, y) for tile, x, y in RuleSet.of(sets=["base", "river1"]).start]
        [('river1.spring', 0, 0)]
        """
        (first,) = (tile for tile in load_tile_set("base").tiles if tile.start)
        start: Sequence[tuple[Tile, int, int]] = ((first, 0, 0),)
        for module in self.asking("start"):
            start = module.start(self, start)
        return tuple(start)

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """The start tile of the base game, where others replace it and it does not go into the bag."""
        (first,) = (tile for tile in load_tile_set("base").tiles if tile.start)
        if any(tile is first for tile, _, _ in self.start):
            return ()
        keeping = any(module.keeps_start_tile(self) for module in self.asking("keeps_start_tile"))
        return () if keeping else (first.id,)

    def adapt_start_tile(self, tile: Tile) -> Tile:
        """Return a start tile as changed by these rules."""
        for module in self.asking("prints"):
            tile = module.prints(self, tile)
        return tile

    @cached_property
    def bag(self) -> tuple[Mapping[str, int], ...]:
        """The tiles to draw, in groups that are drawn one after the other: id to copies.

        >>> [sum(group.values()) for group in RuleSet.of(sets=["base", "river1"]).bag]
        [10, 1, 71]
        """
        rest = Counter(self.composition)
        rest.subtract(tile.id for tile, _, _ in self.start)
        rest.subtract(self.removed)
        groups: Iterable[Mapping[str, int]] = [+rest]
        for module in self.asking("bag"):
            groups = module.bag(self, list(groups))
        return tuple(dict(sorted(group.items())) for group in groups)

    @cached_property
    def drawing(self) -> Drawing:
        """The way in which tiles come to the seats (BASE-7)."""
        for module in self.asking("drawing"):
            drawing = module.drawing(self)
            if drawing is not None:
                return drawing
        return Drawing()

    @cached_property
    def figures(self) -> Mapping[str, int]:
        """The figures in play that every player has before the first turn, with their numbers (BASE-1)."""
        there = {FOLLOWER, *(figure for module in self.modules for figure in module.figures)}
        return {figure: n for figure, n in self.options["figures"].items() if figure in there}

    @cached_property
    def strengths(self) -> Mapping[str, int]:
        """The strength of each figure in a majority (BASE-33)."""
        return {FOLLOWER: 1} | {
            figure: module.strengths.get(figure, 1) for module in self.modules for figure in module.figures
        }

    @cached_property
    def claims(self) -> tuple[FigureKinds, ...]:
        """The figures that need a free feature, with the kinds that they may claim (BASE-17, BASE-22)."""
        claims = {FOLLOWER: CLAIMED} | {
            figure: kinds for module in self.modules for figure, kinds in module.claims.items()
        }
        return self._remove_disabled_fields(claims)

    @cached_property
    def joins(self) -> tuple[FigureKinds, ...]:
        """The figures that need a follower of their owner there, with the kinds that they may join."""
        return self._remove_disabled_fields(
            {figure: kinds for module in self.modules for figure, kinds in module.joins.items()}
        )

    @cached_property
    def closed(self) -> frozenset[str]:
        """The ids of the tiles on which no figure may be put."""
        closing = self.asking("closes")
        return frozenset(
            id for id in self.composition if any(module.closes(self, get_tile(id)) for module in closing)
        )

    def _remove_disabled_fields(self, claims: Mapping[str, frozenset[str]]) -> tuple[FigureKinds, ...]:
        closed = frozenset({FIELD} if self.options["fields"] == "none" else ())
        return tuple((figure, kinds - closed) for figure, kinds in claims.items())

    @cached_property
    def recalled(self) -> tuple[str, ...]:
        """The figures that their owner may take back instead of deploying."""
        return tuple(figure for module in self.modules for figure in module.recalled)

    @cached_property
    def cities(self) -> tuple[str, ...]:
        """Completed cities that are no features of the board."""
        return tuple(name for module in self.modules for name in module.cities)

    @cached_property
    def turn(self) -> tuple[Step, ...]:
        """The steps after a tile is placed, in their order (BASE-6)."""
        return _in_order((*CORE_STEPS, *(step for module in self.modules for step in module.steps())))

    @cached_property
    def ending(self) -> tuple[Step, ...]:
        """The steps between the last turn and the action ``final``."""
        return _in_order(step for module in self.modules for step in module.ending())

    @cached_property
    def standing(self) -> frozenset[str]:
        """The names of the steps that a seat may answer once for the whole game (COUNT-27)."""
        return frozenset(step.name for step in (*self.turn, *self.ending) if step.standing)

    @cached_property
    def changes(self) -> Mapping[type, Any]:
        """The functions that apply the events of modules, by event."""
        return {kind: change for module in self.modules for kind, change in module.changes.items()}

    @cached_property
    def tracks(self) -> Mapping[type, tuple[Any, ...]]:
        """The functions by which modules follow events that are not their own, by event."""
        tracks: dict[type, tuple[Any, ...]] = {}
        for module in self.modules:
            for kind, track in module.tracks.items():
                tracks[kind] = (*tracks.get(kind, ()), track)
        return tracks

    @cached_property
    def warnings(self) -> tuple[Warn, ...]:
        """Warnings of what the rules advise against in this rule set."""
        chosen = Chosen(self.sets, self.edition, self.options, self.seats)
        return tuple(warning for module in self.modules for warning in module.warns(chosen))

    def asking(self, question: str) -> tuple[Module, ...]:
        """The modules that answer *question*.

        >>> [module.name for module in RuleSet.of(sets=["base", "count", "cult"]).asking("forbids")]
        ['cult']
        """
        modules = self._asking.get(question)
        if modules is None:
            modules = tuple(module for module in self.modules if answers(module, question))
            self._asking[question] = modules
        return modules

    @cached_property
    def _asking(self) -> dict[str, tuple[Module, ...]]:
        return {}


NO_FEATURES: Mapping[str, str | None] = {
    name: kind for module in MODULES.values() for name, kind in module.scorings.items()
}
"""Scorings that no kind of feature names, and the kind of feature at which they stand, if any."""


def get_scored_spot(scored: Scored) -> Spot | None:
    """The spot of the feature to which a scoring belongs; ``None`` for scorings without one, such as goods.

    >>> get_scored_spot(Scored(0, "road", 3, (), 1, 0, "W", True))
    Spot(x=1, y=0, on='road', side='W')
    >>> get_scored_spot(Scored(0, "king", 5, (), 0, 0, None, False)) is None
    True
    """
    kind = NO_FEATURES.get(scored.on, scored.on)
    return None if kind is None else Spot(scored.x, scored.y, kind, scored.side)


def list_expansion_sets() -> tuple[str, ...]:
    """The names of all sets besides the base game, sorted; some bring tiles alone, some rules alone.

    >>> list_expansion_sets()[:2]
    ('abbot', 'count')
    """
    return tuple(sorted({*list_sets_with_tiles(), *MODULES} - {"base"}))


EXPANSIONS: Mapping[str, Module] = {name: MODULES.get(name, Module()) for name in list_expansion_sets()}
"""Module of each expansion set; the default one for a set that brings only tiles."""


def find_usual_edition(sets: Iterable[str]) -> str:
    """The edition for these *sets* if none is chosen: the latest that one of them names.

    >>> find_usual_edition(["base", "river1"]), find_usual_edition(["base", "abbot"])
    ('C1', 'C2')
    """
    wanted = (EXPANSIONS[name].edition for name in sets if name in EXPANSIONS)
    return max(wanted, key=EDITIONS.index, default=EDITIONS[0])


def list_all_options() -> tuple[Option, ...]:
    """Every option that any game knows, but ``figures``.

    >>> list_all_options()[0]
    Option(name='fields', values=('third-edition', 'second-edition', 'first-edition', 'none'), rule='BASE-50')
    """
    return (*CORE_OPTIONS, *_options(MODULES.values()))


def _options(modules: Iterable[Module]) -> Iterator[Option]:
    """The options of the house rules and of *modules*, each once."""
    once = {option.name: option for module in (*HOUSE_RULES, *modules) for option in module.options}
    return iter(once.values())


def _figures(value: Any, default: Mapping[str, int], known: set[str]) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise InvalidRuleSet("unknown_value", "BASE-1", option="figures", value=value)
    for figure, count in value.items():
        if figure not in known or type(count) is not int or not 0 <= count <= MOST_FIGURES:
            raise InvalidRuleSet("unknown_value", "BASE-1", option="figures", value=dict(value))
    return dict(default) | dict(value)


def _in_order(steps: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(sorted(steps, key=lambda step: step.slot))
