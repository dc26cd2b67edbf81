"""The fixed questions that an expansion answers.

An expansion is one subclass in one file under ``modules/``. It answers only the questions that concern it;
a rule set collects, per question, the modules that answer, so silent modules cost nothing. The core names
no expansion, and no module asks whether another is in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .board import Feature
    from .ruleset import RuleSet
    from .state import Event, State, Term
    from .tiles import Deploy, Rotated
    from .turn import Step


class Option(NamedTuple):
    """A typed option of a rule set. The first of its *values* is the default."""

    name: str
    values: tuple[Any, ...]
    rule: str

    @property
    def default(self) -> Any:
        return self.values[0]


class Module:
    """An expansion, or a group of house rules. Each method is one question; the default is silence."""

    name: str = ""
    options: tuple[Option, ...] = ()
    figures: Mapping[str, int] = {}  # what each player gets besides the followers
    strengths: Mapping[str, int] = {}  # what such a figure counts in a majority, where not 1
    changes: Mapping[type, Callable[[State, Any], State]] = {}  # its own events, and how they apply

    def bag(self, rules: RuleSet, groups: Sequence[Mapping[str, int]]) -> Sequence[Mapping[str, int]]:
        """The tiles in groups that are drawn one after the other, given *groups* of the rest."""
        return groups

    def initial(self, rules: RuleSet) -> Any:
        """The slice of the state that is this module's, before the first turn."""

    def steps(self) -> Iterable[Step]:
        """Steps of a turn, each with its slot."""
        return ()

    def ending(self) -> Iterable[Step]:
        """Steps between the last turn and the final scoring."""
        return ()

    def forbids(self, state: State, cell: int, tile: Rotated) -> str | None:
        """The number of the rule that forbids *tile* on *cell*, if one does."""

    def offers(self, state: State, seat: int, cell: int, tile: Rotated) -> Iterable[Deploy]:
        """What figures may be put on *tile* besides followers."""
        return ()

    def terms(self, state: State, feature: Feature, complete: bool) -> Iterable[Term]:
        """What *feature* is worth besides what the core counts."""
        return ()

    def react(self, state: State, event: Event) -> Iterable[Event]:
        """What follows an event of a turn's scoring."""
        return ()

    def finish(self, state: State) -> Iterable[Event]:
        """What the end of the game adds, after all features."""
        return ()


def answers(module: Module, question: str) -> bool:
    """Whether *module* answers *question* itself."""
    return getattr(type(module), question) is not getattr(Module, question)
