"""The visibility of hands for one seat. Hands that only their owner may see are removed before the state
leaves the server.

With open hands, or none, everything is visible to everybody.
"""

from __future__ import annotations

from collections import Counter

from .events import Dealt, Event
from .ruleset import RuleSet
from .state import State


def are_hands_hidden(rules: RuleSet) -> bool:
    """Return whether only their owners may see hands (HR-3).

    >>> are_hands_hidden(RuleSet.of(options={"hand": "three_hidden"}))
    True
    >>> are_hands_hidden(RuleSet.of(options={"hand": "three_open"}))
    False
    """
    return bool(rules.options.get("hand") == "three_hidden")


def hide_secrets(state: State, seat: int | None) -> State:
    """*state* as *seat* may see it, or a spectator if ``None``; the whole state once the game is over.

    A tile in another's hand becomes ``None``, and is counted in ``remaining``, so that unseen and undrawn
    tiles can't be told apart. ``left`` stays the number of tiles in the bag.

    >>> from games.rules import Draw, Game
    >>> game = Game.new(RuleSet.of(options={"hand": "three_hidden"})).play(Draw("base.E"))
    >>> hide_secrets(game.state, 0).hands, hide_secrets(game.state, 1).hands
    ((('base.E',), ()), ((None,), ()))
    >>> hide_secrets(game.state, 0).remaining["base.E"], hide_secrets(game.state, 1).remaining["base.E"]
    (4, 5)
    """
    if state.over or not are_hands_hidden(state.rules) or not state.hands:
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


def hide_secrets_of_event(rules: RuleSet, event: Event, seat: int | None, *, over: bool = False) -> Event:
    """*event* as *seat* may see it: a tile dealt to another seat becomes an empty string.

    >>> rules = RuleSet.of(options={"hand": "three_hidden"})
    >>> [hide_secrets_of_event(rules, Dealt(0, "base.E"), seat).tile for seat in (0, 1)]
    ['base.E', '']
    """
    if isinstance(event, Dealt) and are_hands_hidden(rules) and event.seat != seat and not over:
        return event._replace(tile="")
    return event
