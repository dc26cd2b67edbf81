"""What one seat may see. Hands that only their owner may see are taken out before anything leaves.

With open hands, or none, everything is for everybody.
"""

from __future__ import annotations

from collections import Counter

from .events import Dealt, Event
from .ruleset import RuleSet
from .state import State


def hides(rules: RuleSet) -> bool:
    """Whether hands are for their owners' eyes only (HR-3).

    >>> hides(RuleSet.of(options={"hand": "three_hidden"})), hides(RuleSet.of(options={"hand": "three_open"}))
    (True, False)
    """
    return bool(rules.options.get("hand") == "three_hidden")


def view(state: State, seat: int | None) -> State:
    """*state* as *seat* may see it, or a stranger if ``None``; all of it once the game is over.

    A tile in another's hand is ``None`` there, and still counts among those that ``remaining`` lists: what is
    unseen can't be told from what is undrawn. ``left`` stays the number of tiles in the bag.

    >>> from games.rules import Draw, Game
    >>> game = Game.new(RuleSet.of(options={"hand": "three_hidden"})).play(Draw("base.E"))
    >>> view(game.state, 0).hands, view(game.state, 1).hands
    ((('base.E',), ()), ((None,), ()))
    >>> view(game.state, 0).remaining["base.E"], view(game.state, 1).remaining["base.E"]
    (4, 5)
    """
    if state.over or not hides(state.rules) or not state.hands:
        return state
    unseen: Counter[str] = Counter(state.remaining)
    hands: list[tuple[str | None, ...]] = []
    for owner, held in enumerate(state.hands):
        if owner == seat:
            hands.append(held)
        else:
            unseen.update(tile for tile in held if tile is not None)
            hands.append((None,) * len(held))
    return state._replace(hands=tuple(hands), remaining=dict(sorted(unseen.items())))


def view_event(rules: RuleSet, event: Event, seat: int | None, *, over: bool = False) -> Event:
    """*event* as *seat* may see it: the tile that another was dealt is an empty text.

    >>> rules = RuleSet.of(options={"hand": "three_hidden"})
    >>> view_event(rules, Dealt(0, "base.E"), 0), view_event(rules, Dealt(0, "base.E"), 1)
    (Dealt(seat=0, tile='base.E'), Dealt(seat=0, tile=''))
    """
    if isinstance(event, Dealt) and hides(rules) and event.seat != seat and not over:
        return event._replace(tile="")
    return event
