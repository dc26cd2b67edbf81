"""A game as JSON and back: the format that ``tests/conformance/README.md`` defines.

A record gives entries, not answers: one for each placed or discarded tile. Reading one checks every entry
by the rules; the first at fault is named and nothing after it is played.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .actions import Draw, Final, Place, Recall, action_to_json
from .errors import IllegalAction, InvalidRecord, InvalidRuleSet
from .game import Game, Played
from .geometry import ROTATIONS, SIDES, STEP, cell_at
from .legal import FAR, LegalActions
from .ruleset import EDITIONS, MAX_SEATS, RuleSet
from .state import Discarded, Laid, Placed, Scored
from .tiles import Deploy
from .tiles import tile as tile_called

FORMAT, VERSION = "carcassonne-record", 1
_KEYS = {"format", "version", "sets", "edition", "options", "players", "start", "turns", "final"}


class Turn(NamedTuple):
    """What a placed tile of a record met and brought."""

    legal_placements: int
    scored: tuple[Scored, ...]


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
    """JSON, but refusing a key that is given twice. Raises :class:`InvalidRecord`."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice = [key for key, n in Counter(key for key, _ in pairs).items() if n > 1]
            raise InvalidRecord(f"key given twice: {twice[0]}")
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(f"not JSON: {error}") from None


def replay(record: Any) -> Replay:
    """Play *record* through, checking every entry; ``expect`` is for :func:`differences`.

    Raises :class:`InvalidRecord` that names the first entry at fault and the rule.
    """
    _check_keys(record)
    rules = _rules(record)
    start = _start(record, rules)
    game = Game.new(rules, start=start)
    turns: list[Turn] = []
    scorings: list[Scored] = []
    for number, entry in enumerate(record["turns"], 1):
        try:
            game, count = _enter(game, entry)
        except IllegalAction as error:
            raise InvalidRecord(_reason(error), entry=number, rule=error.rule) from None
        except InvalidRecord as error:
            raise InvalidRecord(error.reason, entry=number, rule=error.rule) from None
        if count is not None:
            scored = tuple(event for event in game.events if isinstance(event, Scored))
            turns.append(Turn(count, scored))
            scorings += scored
    if record["final"]:
        if game.decision.kind == "draw":
            game = game.cut_short()
        game = game.play(Final())
        scorings += (event for event in game.events if isinstance(event, Scored))
    return Replay(game, tuple(turns), tuple(scorings))


def differences(record: Mapping[str, Any], played: Replay) -> list[str]:
    """Where the outcome differs from what the record expects; empty where it does not."""
    expect = record.get("expect") or {}
    found = []
    for player, score in enumerate(expect.get("scores", ())):
        got = played.game.state.scores[player]
        if score is not None and score != got:
            found.append(f"player {player} has {got} points, expected {score}")
    left = Counter((scored.seat, scored.on, scored.points) for scored in played.scorings)
    for event in expect.get("events", ()):
        key = event["player"], event["on"], event["points"]
        if left[key]:
            left[key] -= 1
        else:
            found.append(f"no scoring of {event['points']} on {event['on']} for player {event['player']}")
    return found


def write(
    rules: RuleSet,
    players: Sequence[str],
    played: Iterable[Played],
    *,
    start: Iterable[Laid] | None = None,
    final: bool,
    description: str | None = None,
) -> dict[str, Any]:
    """The record of a game of *players* in seat order, from what was *played*, oldest first."""
    if start is None:
        start = (Laid(tile.id, x, y, 0) for tile, x, y in rules.start)
    turns: list[dict[str, Any]] = []
    for action, events in played:
        for event in events:
            if isinstance(event, Placed) and isinstance(action, Place):
                turns.append(_entry(event.seat, action))
            elif isinstance(event, Discarded):
                turns.append({"player": event.seat, "discard": event.tile})
    return {
        "format": FORMAT,
        "version": VERSION,
        **({} if description is None else {"description": description}),
        **rules.to_json(),
        "players": list(players),
        "start": [{"tile": laid.tile, "at": [laid.x, laid.y], "rotation": laid.rotation} for laid in start],
        "turns": turns,
        "final": final,
    }


def _entry(player: int, action: Place) -> dict[str, Any]:
    stored = action_to_json(action)
    del stored["type"]
    return {"player": player, **stored}


def _check_keys(record: Any) -> None:
    if not isinstance(record, Mapping):
        raise InvalidRecord("not an object")
    if record.get("format") != FORMAT:
        raise InvalidRecord(f"format is not {FORMAT}")
    if type(record.get("version")) is not int or record["version"] != VERSION:
        raise InvalidRecord(f"version is not {VERSION}")
    _keys(record, _KEYS, {"description", "expect"})
    _type(record, "description", str)
    _type(record, "final", bool)
    for key in ("sets", "players", "start", "turns"):
        _type(record, key, list)
    for key in ("options", "expect"):
        _type(record, key, dict)
    for name in record["players"]:
        if not isinstance(name, str):
            raise InvalidRecord("a player's name is not text")
    if not 1 <= len(record["players"]) <= MAX_SEATS:
        raise InvalidRecord(f"not 1 to {MAX_SEATS} players", rule="BASE-1")
    _check_expect(record.get("expect", {}), len(record["players"]))


def _check_expect(expect: Mapping[str, Any], players: int) -> None:
    _keys(expect, set(), {"scores", "events"})
    scores, events = expect.get("scores", []), expect.get("events", [])
    if not isinstance(scores, list) or not isinstance(events, list):
        raise InvalidRecord("expect: scores and events are lists")
    if "scores" in expect and len(scores) != players:
        raise InvalidRecord("expect: not one score for each player")
    for score in scores:
        if score is not None and type(score) is not int:
            raise InvalidRecord("expect: a score is no number")
    for event in events:
        if not isinstance(event, dict):
            raise InvalidRecord("expect: an event is no object")
        _keys(event, {"player", "on", "points"}, set())
        _player(event["player"], players)
        if not isinstance(event["on"], str) or type(event["points"]) is not int:
            raise InvalidRecord("expect: an event names a kind and a number of points")


def _keys(found: Mapping[str, Any], needed: set[str], allowed: set[str]) -> None:
    for key in sorted(needed - set(found)):
        raise InvalidRecord(f"key missing: {key}")
    for key in sorted(set(found) - needed - allowed):
        raise InvalidRecord(f"unknown key: {key}")


def _type(record: Mapping[str, Any], key: str, kind: type) -> None:
    if key in record and type(record[key]) is not kind:
        raise InvalidRecord(f"{key} has the wrong type")


def _player(player: Any, players: int) -> None:
    if type(player) is not int or not 0 <= player < players:
        raise InvalidRecord("no such player")


def _rules(record: Mapping[str, Any]) -> RuleSet:
    sets, edition = record["sets"], record["edition"]
    if not all(isinstance(name, str) for name in sets):
        raise InvalidRecord("a set's name is not text")
    if edition not in EDITIONS:
        raise InvalidRecord("unknown edition", rule="BASE-3")
    try:
        return RuleSet.of(sets=sets, edition=edition, options=record["options"], seats=len(record["players"]))
    except InvalidRuleSet as error:
        raise InvalidRecord(_reason(error), rule=error.rule) from None


def _start(record: Mapping[str, Any], rules: RuleSet) -> list[Laid]:
    start: dict[int, Laid] = {}
    used: Counter[str] = Counter()
    for one in record["start"]:
        if not isinstance(one, dict):
            raise InvalidRecord("a start tile is no object")
        _keys(one, {"tile", "at", "rotation"}, set())
        laid = Laid(_known(one["tile"], rules), *_at(one["at"]), _rotation(one["rotation"]))
        used[laid.tile] += 1
        if used[laid.tile] > rules.composition[laid.tile]:
            raise InvalidRecord(f"too many copies: {laid.tile}", rule="BASE-2")
        cell = cell_at(laid.x, laid.y)
        if cell in start:
            raise InvalidRecord("two start tiles in one cell", rule="BASE-4")
        start[cell] = laid
    for cell, laid in start.items():
        sides = tile_called(laid.tile).at(laid.rotation).sides
        for side, name in enumerate(SIDES):
            near = start.get(cell + STEP[side])
            if near and tile_called(near.tile).at(near.rotation).sides[(side + 2) % 4] != sides[side]:
                raise InvalidRecord(f"start tiles differ at {laid.x},{laid.y} {name}", rule="BASE-9")
    if not start:
        raise InvalidRecord("no start tile", rule="BASE-4")
    return list(start.values())


def _known(id: Any, rules: RuleSet) -> str:
    if not isinstance(id, str) or id not in rules.composition:
        raise InvalidRecord(f"unknown tile: {id}", rule="BASE-2")
    return id


def _at(at: Any) -> tuple[int, int]:
    if not (
        isinstance(at, list)
        and len(at) == 2
        and all(type(number) is int and abs(number) <= FAR for number in at)
    ):
        raise InvalidRecord("at is not [x, y]")
    return at[0], at[1]


def _rotation(rotation: Any) -> int:
    if type(rotation) is not int or rotation not in ROTATIONS:
        raise InvalidRecord("no such rotation", rule="BASE-13")
    return rotation


def _enter(game: Game, entry: Any) -> tuple[Game, int | None]:
    """*game* after *entry*, and how many legal placements its tile had; ``None`` for a discard."""
    if not isinstance(entry, dict):
        raise InvalidRecord("not an object")
    discard = "discard" in entry
    if discard:
        _keys(entry, {"player", "discard"}, set())
    else:
        _keys(entry, {"player", "tile", "at", "rotation"}, {"deploy", "recall"})
    _player(entry["player"], len(game.state.scores))
    if entry["player"] != game.state.turn_seat:
        raise InvalidRecord(f"wrong player: it is the turn of player {game.state.turn_seat}", rule="BASE-6")
    drawn = _known(entry["discard" if discard else "tile"], game.rules)
    game = game.play(Draw(drawn))
    fits = game.state.drawn is not None
    if discard:
        if fits:
            raise InvalidRecord(f"discard of a tile that fits: {drawn}", rule="BASE-15")
        return game, None
    if not fits:
        raise InvalidRecord(f"illegal placement: {drawn} fits nowhere", rule="BASE-15")
    action = Place(drawn, *_at(entry["at"]), _rotation(entry["rotation"]), _figure(entry))
    return game.play(action), len(LegalActions(game.state).placements)


def _figure(entry: Mapping[str, Any]) -> Deploy | Recall | None:
    if "deploy" in entry and "recall" in entry:
        raise InvalidRecord("both deploy and recall", rule="ABBOT-3")
    if "recall" in entry:
        return Recall(*_at(entry["recall"]))
    if "deploy" not in entry:
        return None
    deploy = entry["deploy"]
    if not isinstance(deploy, dict):
        raise InvalidRecord("deploy is no object")
    _keys(deploy, {"meeple", "on"}, {"side"})
    if not all(isinstance(value, str) for value in deploy.values()):
        raise InvalidRecord("deploy names its figure and spot by text")
    return Deploy(deploy["meeple"], deploy["on"], deploy.get("side"))


def _reason(error: IllegalAction | InvalidRuleSet) -> str:
    about = ", ".join(f"{name} {value}" for name, value in error.params.items())
    return error.code.replace("_", " ") + (f": {about}" if about else "")
