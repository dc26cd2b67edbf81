"""Random games that find every legal action at every decision, to measure and test the engine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

from .actions import Action
from .errors import InvalidRuleSet
from .events import event_to_json
from .game import Game
from .placements import list_drawable
from .records import record
from .ruleset import EDITIONS, MAX_SEATS, RuleSet, list_all_options, list_expansion_sets


def play_random_game(rules: RuleSet, random: Random) -> Game:
    """A whole game of random legal actions, played to the end.

    Draws are uniform over the tiles that remain, turns over the listed legal actions.

    >>> game = play_random_game(RuleSet.of(), Random(7))
    >>> game.decision.kind, game.state.scores
    ('over', (42, 22))
    """
    game = Game.new(rules)
    while game.decision.kind != "over":
        game = game.play(pick_random_action(game, random))
    return game


def pick_random_action(game: Game, random: Random) -> Action:
    """One of the legal actions: all are found, and one is picked by its number.

    >>> pick_random_action(Game.new(RuleSet.of()), Random(7))
    Draw(tile='base.I')
    """
    actions = game.legal_actions()
    if game.decision.kind == "draw":
        remaining = game.state.remaining
        copies = [remaining[tile] for tile in list_drawable(game.state)]  # in the order of the list
        (number,) = random.choices(range(len(actions)), copies)
        return actions[number]
    return actions[int(random.random() * len(actions))]


def pick_random_rules(random: Random) -> RuleSet:
    """Any sets, edition, options and number of seats that go together.

    >>> pick_random_rules(Random(2)).sets[0]
    'base'
    """
    sets = list_expansion_sets()
    while True:
        chosen = ["base", *(name for name in sets if random.random() < 0.4)]
        options = {
            option.name: random.choice(option.values)
            for option in list_all_options()
            if random.random() < 0.3
        }
        if random.random() < 0.7:  # otherwise nearly every game would have a small table
            options.pop("board_limit", None)
            options.pop("border_completes", None)
        try:
            return RuleSet.of(
                sets=chosen,
                edition=random.choice(EDITIONS),
                options=options,
                seats=random.randint(2, MAX_SEATS),
            )
        except InvalidRuleSet:
            continue


def play_checked_game(rules: RuleSet, random: Random, *, every: int = 1) -> Game:
    """A random game, checked after each *every*-th action and at its end; its record and its events must both
    give the same game. Raises ``AssertionError`` with what does not hold.

    >>> play_checked_game(RuleSet.of(), Random(7), every=50).state.over
    True
    """
    game = Game.new(rules)
    while game.decision.kind != "over":
        action, legal = pick_random_action(game, random), game.legal_actions()
        if action not in legal:
            raise AssertionError(f"listed, but not legal: {action}")
        listed = list(legal)
        if listed.count(action) != 1 or len(listed) != len(legal):
            raise AssertionError(f"not listed once: {action}")
        game = game.play(action)
        if len(game.played) % every == 0 or game.state.over:
            for wrong in find_game_faults(game):
                raise AssertionError(wrong)
    for wrong in find_replay_faults(game):
        raise AssertionError(wrong)
    return game


def find_game_faults(game: Game) -> Iterator[str]:
    """Yield violations of what must hold between any two actions.

    >>> list(find_game_faults(Game.new(RuleSet.of())))
    []
    """
    state = game.state
    out: Counter[tuple[int, str]] = Counter((meeple.seat, meeple.meeple) for meeple in state.meeples())
    for module in state.rules.asking("away"):
        out.update(module.away(state))
    for seat, supply in enumerate(state.supply):
        for figure, count in supply.items():
            if count < 0 or count + out[seat, figure] != state.rules.figures[figure]:
                yield f"seat {seat} has {count} {figure} in hand and {out[seat, figure]} out"
    if state.left != sum(state.remaining.values()):
        yield f"{state.left} tiles are left, {sum(state.remaining.values())} remain"
    seen = len(state.board.tiles) + len(state.discarded) + len(state.aside) + sum(map(len, state.hands))
    seen += state.left + (state.drawn is not None) + len(state.rules.removed)
    if seen != sum(state.rules.composition.values()):
        yield f"{seen} tiles of {sum(state.rules.composition.values())}"


def find_replay_faults(game: Game) -> Iterator[str]:
    """Yield differences between the finished *game* and those rebuilt from its record and its events."""
    names = [f"player {seat + 1}" for seat in range(game.rules.seats)]
    written = json.loads(json.dumps(record.write(game.rules, names, game.played, final=True)))
    again = record.replay(written).game.state
    if again.scores != game.state.scores:
        yield f"scores {game.state.scores}, from the record {again.scores}"
    if list(again.placed) != list(game.state.placed) or again.slices != game.state.slices:
        yield "the record gives another board"
    if sorted(again.meeples(), key=str) != sorted(game.state.meeples(), key=str):
        yield "the record gives other meeples"
    stored = json.loads(json.dumps([[event_to_json(event) for event in ply.events] for ply in game.played]))
    if Game.rebuild(game.rules, stored).state != game.state:
        yield "the events give another state"
