"""The words of an expansion: tables filled by its file under ``expansions/``.

Each is merged into the core's table of the same words; keys must be unique.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from games.rules import Action, Holding, Spot, State

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Texts = Mapping[str, "StrOrPromise"]


def _no_stakes(state: State, actions: Sequence[Action], names: Sequence[str]) -> Iterable[str]:
    return ()


class TokenWords(NamedTuple):
    """A neutral figure: its name, its name within a sentence, and a sentence that it is here."""

    title: StrOrPromise
    named: StrOrPromise
    here: StrOrPromise


class ReturnWords(NamedTuple):
    """Taking back a figure instead of deploying one."""

    label: StrOrPromise
    asks: StrOrPromise  # where the only other choice is no meeple


class Held(NamedTuple):
    """A figure in hand."""

    figure: str


class Number(NamedTuple):
    """The number of figures."""

    number: int


class InQuarter(NamedTuple):
    """A quarter, or the seat's figures of one kind in it."""

    quarter: str
    figure: str = ""


class Choice(NamedTuple):
    """A choice in an answer: ``?quarter=market`` chooses the *value* ``market`` in the *step* ``quarter``."""

    step: str
    value: str
    label: str  # no two of a step have the same
    on: Held | Number | InQuarter | Spot | None = (
        None  # a figure or a number; a place on the board; or in words
    )
    moves: str = ""  # the figure of no seat that would go there
    usual: bool = False  # whether it is the default


def format_spot_value(at: Spot) -> str:
    """The *value* of a feature in an address: ``city,3,-1,N``."""
    return ",".join(str(part) for part in (at.on, at.x, at.y, at.side) if part is not None)


class StepWords(NamedTuple):
    """The words of a step in composing an answer."""

    asks: StrOrPromise  # the question of the step
    offers: StrOrPromise = ""  # label of the link to the step, if it is optional


class Sentence(NamedTuple):
    """The effect of an answer; *parts* are its variable words by their names in the text."""

    text: str
    parts: Mapping[str, str]

    def __str__(self) -> str:
        return self.text.format(**self.parts)


class Asking(NamedTuple):
    """The words of a decision."""

    asks: StrOrPromise  # the question to the seat that must answer
    waits: StrOrPromise  # the same for the others, about {player}
    explains: StrOrPromise
    declines: StrOrPromise = ""  # the answer ``pass``
    stakes: Callable[[State, Sequence[Action], Sequence[str]], Iterable[str]] = _no_stakes  # its subject
    follows: StrOrPromise = ""  # in a preview: that it asks the same seat once its turn is played
    precedes: StrOrPromise = ""  # in a preview: that it asks {player} before the scoring
    title: StrOrPromise = ""  # the question in a few words
    steps: Mapping[str, StepWords] = {}  # by name, the steps of putting an answer together
    sends: StrOrPromise = ""  # label of the button that sends an answer


class Answering(NamedTuple):
    """The words of an answer."""

    label: Callable[[State, Any, Sequence[str]], str]  # in words, no two alike
    choices: Callable[[State, Any, Sequence[str]], Sequence[Choice]] | None = None
    """Choices that make up the answer, in order; all answers to a decision have the same steps. Without it an
    answer is chosen as a whole, by its label."""
    says: Callable[[State, Any], Sentence] | None = None  # to the seat that gives it; without it the label
    sends: Callable[[Any], str] | None = None  # the button that sends it, where that differs
    parts: Callable[[Any], tuple[str, str]] | None = None  # in a list of all: how many begin, and the rest


@dataclass(frozen=True, kw_only=True)
class Expansion:
    """The words of the sets of one file; empty tables are left out."""

    order: int = 100  # position of its sets among those offered; by name if equal
    sets: Texts
    set_lines: Texts  # description of a set in a sentence
    set_adds: Texts = field(default_factory=dict)  # contents of a set besides tiles, in up to three words
    # Rule sets
    options: Texts = field(default_factory=dict)
    hints: Texts = field(default_factory=dict)
    values: Mapping[tuple[str, Any], StrOrPromise] = field(default_factory=dict)  # neither yes nor no
    figure_counts: Texts = field(default_factory=dict)
    usual_editions: Texts = field(default_factory=dict)  # by an edition: that sets here are played with it
    bad_rule_sets: Texts = field(default_factory=dict)  # by the code of the refusal
    warnings: Texts = field(default_factory=dict)
    # Things
    kinds: Texts = field(default_factory=dict)  # kinds of scorings besides features
    figures: Texts = field(default_factory=dict)
    returns: Mapping[str, ReturnWords] = field(default_factory=dict)  # by figure
    quarters: Texts = field(default_factory=dict)
    tokens: Mapping[str, TokenWords] = field(default_factory=dict)
    signs: Texts = field(default_factory=dict)  # marks on a feature of a tile
    tile_signs: Texts = field(default_factory=dict)  # marks on a tile as a whole
    holdings: Mapping[str, Callable[[Holding], str]] = field(default_factory=dict)
    terms: Mapping[str, Callable[[int], str]] = field(default_factory=dict)  # numbers of what is counted
    earned: Mapping[str, Callable[[int], str]] = field(default_factory=dict)  # points of {player} for it
    # The turn
    forbidden: Texts = field(default_factory=dict)  # placements, by the number of the rule
    further: Texts = field(default_factory=dict)  # reasons for one more turn of {player}
    events: Mapping[type, Callable[[Any, Sequence[str]], str]] = field(default_factory=dict)
    foretold: frozenset[type] = frozenset()  # events told alike in a preview and afterwards
    echoed: frozenset[type] = frozenset()  # events that the words of an answer tell already
    decisions: Mapping[str, Asking] = field(default_factory=dict)
    answers: Mapping[type, Answering] = field(default_factory=dict)
    overdue: Texts = field(
        default_factory=dict
    )  # by the form of an answer: that it came by {player}'s silence
    standing: Texts = field(default_factory=dict)  # the same: that a standing answer of {player} gave it
