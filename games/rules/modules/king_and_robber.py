"""King and Robber Baron: completing the largest city, or the longest road, wins the card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..events import Event, register_event
from ..module import Holding, Module, Option
from ..scoring import build_bonus, count_completed
from ..state import State, replace_slice
from ..tiles import CITY, ROAD
from ..turn import Slot, Step

if TYPE_CHECKING:
    from ..ruleset import RuleSet

NAME = "king-and-robber"
CARDS = {"king": CITY, "robber": ROAD}
"""The kind of feature for which each card is held."""
COUNTED = {CITY: "cities", ROAD: "roads"}


class Card(NamedTuple):
    """The holder of a card, and the size of the largest feature completed so far (KR-5)."""

    holder: int | None = None
    tiles: int = 0


@register_event
class CardTaken(NamedTuple):
    """*seat* has completed the largest feature of the card's kind so far, of so many *tiles*."""

    seat: int
    card: str
    tiles: int


def _take_card(state: State, event: CardTaken) -> State:
    return replace_slice(state, NAME, {**state.slices[NAME], event.card: Card(event.seat, event.tiles)})


def _in_play(rules: RuleSet) -> Iterator[str]:
    return (card for card in CARDS if rules.options[card])


class Award(Step):
    """The seat on turn takes the card for a feature strictly larger than any before (KR-2 to KR-6, KR-10).

    With ``continuous`` the holder before is paid for each feature completed now (KR-11).
    """

    slot = Slot.AWARD

    def run(self, state: State) -> Iterable[Event]:
        if not state.completed:
            return
        for card in _in_play(state.rules):
            features = [state.board.features[code] for code in state.completed]
            sizes = [feature.tiles for feature in features if feature.kind == CARDS[card]]
            held: Card = state.slices[NAME][card]
            if sizes and held.holder is not None and state.rules.options["king_and_robber"] == "continuous":
                count = len(sizes)
                yield build_bonus(state, held.holder, card, count, count, COUNTED[CARDS[card]])
            if max(sizes, default=0) > held.tiles:
                yield CardTaken(state.turn_seat, card, max(sizes))


class KingAndRobber(Module):
    """Both cards, each of which may be left out (KR-12)."""

    name = NAME
    options = (
        Option("king_and_robber", ("completed", "10-each", "15-or-40", "continuous"), "KR-11"),
        Option("king", (True, False), "KR-12"),
        Option("robber", (True, False), "KR-12"),
    )
    changes = {CardTaken: _take_card}
    scorings = dict.fromkeys(CARDS)

    def initial(self, rules: RuleSet) -> dict[str, Card]:
        return {card: Card() for card in _in_play(rules)}

    def steps(self) -> Iterable[Step]:
        return (Award(),)

    def holdings(self, state: State, seat: int) -> Iterable[Holding]:
        for card, kept in state.slices[NAME].items():
            if kept.holder == seat:
                yield Holding(card, tiles=kept.tiles)

    def finish(self, state: State) -> Iterable[Event]:
        """Yield the scorings of the cards at the end, to their holders (KR-7, KR-9, KR-11, KR-13)."""
        held = {card: kept.holder for card, kept in state.slices[NAME].items() if kept.holder is not None}
        both = len(held) == 2 and len(set(held.values())) == 1
        for card, seat in held.items():
            worth = state.rules.options["king_and_robber"]
            kind = CARDS[card]
            if worth == "completed":
                count = count_completed(state, kind)
                yield build_bonus(state, seat, card, count, count, COUNTED[kind])
            elif worth == "10-each":
                yield build_bonus(state, seat, card, 1, 10, "cards")
            elif worth == "15-or-40":
                yield build_bonus(state, seat, card, 1, 20 if both else 15, "cards")
