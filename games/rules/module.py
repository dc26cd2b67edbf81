"""The fixed questions that an expansion answers.

An expansion is one subclass in one file under ``modules/``, where it is found automatically. It answers only
the questions that concern it; a rule set collects the modules that answer each question, so the others cost
nothing. The core names no expansion, and no module checks whether another is in play; the interaction of two
is a :class:`Meeting`. An option of every game that belongs to no set is a :class:`HouseRule`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import InvalidRuleSet

if TYPE_CHECKING:
    from .board import Board, Feature
    from .events import Event, Term
    from .ruleset import RuleSet
    from .state import State
    from .tiles import Deploy, Rotated, Tile
    from .turn import Drawing, Step


Ban = Callable[[int, "Rotated"], str | None]
"""Function from a cell and a turned tile to the number of the rule that forbids it; ``None`` if none does."""


class Option(NamedTuple):
    """A typed option of a rule set. The first of its *values* is the default."""

    name: str
    values: tuple[Any, ...]
    rule: str

    @property
    def default(self) -> Any:
        return self.values[0]


class Warn(NamedTuple):
    """A warning of what the rules advise against: a code, the rule's number, and a sentence's parameters."""

    code: str
    rule: str
    params: Mapping[str, Any] = {}


class Chosen(NamedTuple):
    """The choices from which a rule set is being made, with every option written out."""

    sets: tuple[str, ...]
    edition: str
    options: Mapping[str, Any]
    seats: int


class Holding(NamedTuple):
    """Something that a seat holds besides figures and tiles, in some *number*; for a card, the *tiles* by
    which it was won."""

    name: str
    number: int = 1
    tiles: int = 0


class Token(NamedTuple):
    """A figure that belongs to no seat, and the code of the segment on which it stands."""

    name: str
    code: int


class Quarter(NamedTuple):
    """A part of a city that is not a feature, where figures wait."""

    name: str
    figures: tuple[tuple[int, str], ...]  # each with its seat, in the order in which they came
    serves: frozenset[str]  # the kinds of features onto which they may go
    token: str = ""  # the figure there that belongs to no seat


class Module:
    """An expansion, with the name of its set; a base class of several has none. Each method is one question;
    the default is no answer."""

    name: str = ""
    edition: str = "C1"  # default edition of the set
    options: tuple[Option, ...] = ()
    figures: Mapping[str, int] = {}  # each player's figures besides the followers
    strengths: Mapping[str, int] = {}  # strength of such a figure in a majority, where not 1
    claims: Mapping[str, frozenset[str]] = {}  # figure -> kinds of free features that it may claim
    joins: Mapping[str, frozenset[str]] = {}  # figure -> kinds that it joins where its owner has a follower
    recalled: tuple[str, ...] = ()  # figures that their owner may take back instead of deploying
    cities: tuple[str, ...] = ()  # completed cities that are no features; field segments marked so touch them
    scorings: Mapping[str, str | None] = {}  # its scorings that no kind of feature names -> where they stand
    order_rule: str = "BASE-4"  # the rule that orders the groups of the bag
    changes: Mapping[type, Callable[[State, Any], State]] = {}  # its own events, and how they apply
    tracks: Mapping[type, Callable[[State, Any], State]] = {}  # how other events change its slice

    # Parts in play

    def plays(self, options: Mapping[str, Any]) -> bool:
        """Return whether the module has any effect with these *options*."""
        return True

    def refuses(self, chosen: Chosen) -> InvalidRuleSet | None:
        """Return why the choices don't go together. Called on every known module, in play or not."""

    def warns(self, chosen: Chosen) -> Iterable[Warn]:
        """Return warnings of what the rules advise against among the choices."""
        return ()

    # Tiles

    def copies(self, rules: RuleSet, copies: Mapping[str, int]) -> Mapping[str, int]:
        """All tiles in play, given the *copies* that the sets hold: id to number."""
        return copies

    def start(
        self, rules: RuleSet, start: Sequence[tuple[Tile, int, int]]
    ) -> Sequence[tuple[Tile, int, int]]:
        """The tiles that lie when play begins, given those of the modules before it."""
        return start

    def keeps_start_tile(self, rules: RuleSet) -> bool:
        """Return whether the start tile of the base game goes into the bag when others replace it."""
        return False

    def bag(self, rules: RuleSet, groups: Sequence[Mapping[str, int]]) -> Sequence[Mapping[str, int]]:
        """The tiles in groups that are drawn one after the other, given *groups* of the rest."""
        return groups

    def prints(self, rules: RuleSet, tile: Tile) -> Tile:
        """A start tile as these rules read it."""
        return tile

    def drawing(self, rules: RuleSet) -> Drawing | None:
        """Return the way tiles come to the seats, if not one at the start of each turn."""

    def unplaceable(self, seat: int, tile: str) -> Event | None:
        """Return the event of a drawn tile that fits nowhere, if it does not leave the game."""

    # The board

    def board(self, rules: RuleSet, board: Board) -> Board:
        """The empty *board* on which play begins."""
        return board

    def initial(self, rules: RuleSet) -> Any:
        """The slice of the state that is this module's, before the first turn."""

    def begins(self, state: State) -> Any:
        """Return the slice of the state where it depends on the tiles that lie."""

    def forbids(self, state: State, tile: Tile) -> Ban | None:
        """Return a function that forbids cells to *tile*, if any are forbidden now. What holds for all cells
        is computed here, once."""

    def closes(self, rules: RuleSet, tile: Tile) -> str | None:
        """The number of the rule that forbids figures on *tile*, if there is one."""

    def offers(self, state: State, seat: int, cell: int, tile: Rotated) -> Iterable[Deploy]:
        """Return figures that may be put on *tile* besides those that claim or join."""
        return ()

    # The turn

    def steps(self) -> Iterable[Step]:
        """Steps of a turn, each with its slot."""
        return ()

    def ending(self) -> Iterable[Step]:
        """Steps between the last turn and the final scoring."""
        return ()

    def terms(self, state: State, feature: Feature, complete: bool) -> Iterable[Term]:
        """Return terms of the worth of *feature* besides the core's."""
        return ()

    def farm_terms(self, state: State, land: Feature, seat: int) -> Iterable[str]:
        """Return names of terms that bring *seat* one more point for each city that pays the field *land*."""
        return ()

    def react(self, state: State, event: Event) -> Iterable[Event]:
        """Return the events that follow *event*."""
        return ()

    def further(self, state: State) -> str | None:
        """Return the source of one more turn for the seat on turn, if this module gives one."""

    def away(self, state: State) -> Iterable[tuple[int, str]]:
        """The figures, each with its seat, that are neither in hand nor on the board."""
        return ()

    def finish(self, state: State) -> Iterable[Event]:
        """Return the scorings at the end of the game, after all features."""
        return ()

    # Display

    def holdings(self, state: State, seat: int) -> Iterable[Holding]:
        """Return what *seat* holds besides figures and tiles."""
        return ()

    def tokens(self, state: State) -> Iterable[Token]:
        """Return the figures on the board that belong to no seat."""
        return ()

    def quarters(self, state: State) -> Iterable[Quarter]:
        """Return places besides features where figures stand."""
        return ()

    def edges(self, state: State) -> tuple[int, int, int, int] | None:
        """The outermost columns and rows of a limited table: west, east, north, south."""


class HouseRule(Module):
    """A rule known to every game, in play with the options that select it."""


class Meeting(Module):
    """An interaction of expansions: in play where all *sets* are."""

    sets: tuple[str, ...] = ()


def answers(module: Module, question: str) -> bool:
    """Return whether *module* overrides *question*."""
    return getattr(type(module), question) is not getattr(Module, question)
