"""The form of a record: keys, types, start tiles. The entries are checked by ``reader``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..checks import check_keys, read_at
from ..errors import IllegalAction, InvalidRecord, InvalidRuleSet
from ..geometry import ROTATIONS, SIDES, STEP, get_cell
from ..ruleset import MAX_SEATS, RuleSet
from ..state import Laid
from ..tiles import get_tile

FORMAT, VERSION = "carcassonne-record", 1
_KEYS = {"format", "version", "sets", "edition", "options", "players", "start", "turns", "final"}


def check_record(record: Any) -> None:
    if not isinstance(record, Mapping):
        raise InvalidRecord("not an object")
    if record.get("format") != FORMAT:
        raise InvalidRecord(f"format is not {FORMAT}")
    if type(record.get("version")) is not int or record["version"] != VERSION:
        raise InvalidRecord(f"version is not {VERSION}")
    check_keys(record, _KEYS, {"description", "expect"})
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
    check_keys(expect, set(), {"scores", "events"})
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
        check_keys(event, {"player", "on", "points"}, set())
        check_player(event["player"], players)
        if not isinstance(event["on"], str) or type(event["points"]) is not int:
            raise InvalidRecord("expect: an event names a kind and a number of points")


def _type(record: Mapping[str, Any], key: str, kind: type) -> None:
    if key in record and type(record[key]) is not kind:
        raise InvalidRecord(f"{key} has the wrong type")


def check_player(player: Any, players: int) -> None:
    if type(player) is not int or not 0 <= player < players:
        raise InvalidRecord("no such player")


def read_rules(record: Mapping[str, Any]) -> RuleSet:
    sets, edition = record["sets"], record["edition"]
    if not all(isinstance(name, str) for name in sets):
        raise InvalidRecord("a set's name is not text")
    try:
        return RuleSet.of(sets=sets, edition=edition, options=record["options"], seats=len(record["players"]))
    except InvalidRuleSet as error:
        raise InvalidRecord(reason(error), rule=error.rule) from error


def read_start(record: Mapping[str, Any], rules: RuleSet) -> list[Laid]:
    start: dict[int, Laid] = {}
    used: Counter[str] = Counter()
    for tile in record["start"]:
        if not isinstance(tile, dict):
            raise InvalidRecord("a start tile is no object")
        check_keys(tile, {"tile", "at", "rotation"}, set())
        laid = Laid(known_tile(tile["tile"], rules), *read_at(tile["at"]), read_rotation(tile["rotation"]))
        used[laid.tile] += 1
        if used[laid.tile] > rules.composition[laid.tile]:
            raise InvalidRecord(f"too many copies: {laid.tile}", rule="BASE-2")
        cell = get_cell(laid.x, laid.y)
        if cell in start:
            raise InvalidRecord("two start tiles in one cell", rule="BASE-4")
        start[cell] = laid
    for cell, laid in start.items():
        sides = get_tile(laid.tile).at(laid.rotation).sides
        for side, name in enumerate(SIDES):
            near = start.get(cell + STEP[side])
            if near is None or (get_tile(near.tile).block and get_tile(laid.tile).block):
                continue
            if get_tile(near.tile).at(near.rotation).sides[(side + 2) % 4] != sides[side]:
                raise InvalidRecord(f"start tiles differ at {laid.x},{laid.y} {name}", rule="BASE-9")
    if not start:
        raise InvalidRecord("no start tile", rule="BASE-4")
    return list(start.values())


def known_tile(id: Any, rules: RuleSet) -> str:
    if not isinstance(id, str) or id not in rules.composition:
        raise InvalidRecord(f"unknown tile: {id}", rule="BASE-2")
    return id


def read_rotation(rotation: Any) -> int:
    if type(rotation) is not int or rotation not in ROTATIONS:
        raise InvalidRecord("no such rotation", rule="BASE-13")
    return rotation


def reason(error: IllegalAction | InvalidRuleSet) -> str:
    about = ", ".join(f"{name} {value}" for name, value in error.params.items())
    return error.code.replace("_", " ") + (f": {about}" if about else "")
