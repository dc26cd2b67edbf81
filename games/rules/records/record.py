"""Reading and writing a game as JSON, in the format that ``tests/conformance/README.md`` defines.

A record holds one entry for each placed or discarded tile, and one for each answer that needs its own.
Reading checks every entry by the rules, and stops at the first one at fault.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..actions import Final, Place, action_to_json, get_form
from ..errors import InvalidRecord
from ..events import Discarded, LastTurnPlayed, Placed, PutAside, Scored, Started
from ..game import Game, Played
from ..ruleset import RuleSet
from ..state import Laid
from .reader import Reader, Turn
from .schema import FORMAT, VERSION, check_record, read_rules, read_start

__all__ = ["FORMAT", "VERSION", "Replay", "Turn", "find_differences", "loads", "replay", "write"]


class Replay(NamedTuple):
    """A record played through."""

    game: Game
    turns: tuple[Turn, ...]
    scorings: tuple[Scored, ...]  # of turns and of the end

    @property
    def by_kind(self) -> tuple[Counter[str], ...]:
        """Each player's points by kind of feature."""
        sums: tuple[Counter[str], ...] = tuple(Counter() for _ in self.game.state.scores)
        for scored in self.scorings:
            sums[scored.seat][scored.on] += scored.points
        return sums


def loads(text: str | bytes) -> Any:
    """Parse JSON, but refuse a key that is given twice. Raises :class:`InvalidRecord`.

    >>> loads('{"final": true}')
    {'final': True}
    >>> loads('{"final": true, "final": false}')
    Traceback (most recent call last):
        ...
    games.rules.errors.InvalidRecord: key given twice: final
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) != len(pairs):
            twice = [key for key, n in Counter(key for key, _ in pairs).items() if n > 1]
            raise InvalidRecord(f"key given twice: {twice[0]}")
        return values

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(f"not JSON: {error}") from None


def replay(record: Any) -> Replay:
    """Play *record* through, checking every entry; ``expect`` is for :func:`find_differences`.

    Raises :class:`InvalidRecord` with the first entry at fault and the rule.

    >>> from games.rules.playout import Random, play_random_game
    >>> game = play_random_game(RuleSet.of(), Random(7))
    >>> record = write(game.rules, ["Anna", "Bruno"], game.played, final=True)
    >>> replay(record).game.state.scores == game.state.scores
    True
    """
    check_record(record)
    rules = read_rules(record)
    start = read_start(record, rules)
    entries = record["turns"]
    drawn = Counter(entry["tile"] for entry in entries if _places(entry))
    lying = Counter(laid.tile for laid in start)
    held = Counter(rules.removed)
    more = any(drawn[id] + lying[id] > rules.composition[id] - held[id] for id in held)
    reader = Reader(Game.new(rules, start=start, with_removed=more), start, entries)
    reader.read(final=record["final"])
    game, scorings = reader.game, reader.scorings
    if record["final"]:
        game = game.play(Final())
        scorings += (event for event in game.events if isinstance(event, Scored))
    return Replay(game, tuple(reader.turns), tuple(scorings))


def _places(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("tile"), str)


def find_differences(record: Mapping[str, Any], played: Replay) -> list[str]:
    """Return the differences between the outcome and what the record expects.

    >>> from games.rules.playout import Random, play_random_game
    >>> played = Replay(play_random_game(RuleSet.of(), Random(7)), (), ())
    >>> find_differences({"expect": {"scores": [1000, None]}}, played)
    ['player 0 has 42 points, expected 1000']
    """
    expect = record.get("expect") or {}
    differences = []
    for player, score in enumerate(expect.get("scores", ())):
        got = played.game.state.scores[player]
        if score is not None and score != got:
            differences.append(f"player {player} has {got} points, expected {score}")
    left = Counter((scored.seat, scored.on, scored.points) for scored in played.scorings)
    for event in expect.get("events", ()):
        key = event["player"], event["on"], event["points"]
        if left[key]:
            left[key] -= 1
        else:
            differences.append(
                f"no scoring of {event['points']} on {event['on']} for player {event['player']}"
            )
    return differences


def write(
    rules: RuleSet,
    players: Sequence[str],
    played: Iterable[Played],
    *,
    start: Iterable[Laid] | None = None,
    final: bool,
    description: str | None = None,
) -> dict[str, Any]:
    """The record of a game of *players* in seat order, from its *played* actions, oldest first.

    >>> from games.rules import Draw
    >>> game = Game.new(RuleSet.of()).play(Draw("base.E")).play(Place("base.E", 0, -1, 180))
    >>> write(game.rules, ["Anna", "Bruno"], game.played, final=False)["turns"]
    [{'player': 0, 'tile': 'base.E', 'at': [0, -1], 'rotation': 180}]
    """
    if start is None:
        start = [Laid(tile.id, x, y, 0) for tile, x, y in rules.start]
    lying = list(start)
    turns: list[dict[str, Any]] = []
    turn: dict[str, Any] = {}
    ended = False
    for action, events in played:
        form = get_form(action)
        if form is not None and form.key and form.inline:
            turn[form.key] = form.store(action)
        elif form is not None and form.key:
            seat = events[0]._asdict()["seat"]  # the first event of an answer has the seat that gave it
            entry = {"player": seat, form.key: form.store(action)}
            turns.append({**entry, "at_end": True} if ended else entry)
        for event in events:
            if isinstance(event, Placed) and isinstance(action, Place):
                turn = _entry(event.seat, action)
                turns.append(turn)
            elif isinstance(event, Discarded | PutAside):
                turns.append({"player": event.seat, "discard": event.tile})
            elif isinstance(event, Started):
                lying.append(Laid(event.tile, 0, 0, 0))
            ended |= isinstance(event, LastTurnPlayed)
    return {
        "format": FORMAT,
        "version": VERSION,
        **({} if description is None else {"description": description}),
        **rules.to_json(),
        "players": list(players),
        "start": [{"tile": laid.tile, "at": [laid.x, laid.y], "rotation": laid.rotation} for laid in lying],
        "turns": turns,
        "final": final,
    }


def _entry(player: int, action: Place) -> dict[str, Any]:
    stored = action_to_json(action)
    del stored["type"]
    return {"player": player, **stored}
