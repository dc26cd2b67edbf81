"""Holding what is stored against what the code says: every move decided again, every column counted again."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from games import clocks, rules
from games.clocks import allowed
from games.models import Game, Move, Seat, Status
from games.play import bag, timing
from games.play.filling import draws_first_seat
from games.play.ledger import final_ranks
from games.rules.state import apply

TABLE_ACTS = (
    "resign",
    "time_out",
    "excuse",
    "holiday",
    "claimable",
    "offered",
    "emergency",
    "emergency_over",
    "take_over",
    "come_back",
    "claim_win",
    "give",
    "propose",
    "agree",
    "decline",
    "withdraw",
    "end",
    "abort",
    "pause",
    "resume",
    "undo",
    "call_off",
    "extend",
)
UNDO = "undo"
"""The act with which the game comes to wait for another seat."""


class Difference(NamedTuple):
    """Something stored that is not what it should be. *where* is a move's version, or a column."""

    where: str
    stored: object
    expected: object

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored!r}, expected {self.expected!r}"


def differences(game: Game) -> list[Difference]:
    """Where *game* differs from its own moves, and its moves from what the rules decide today."""
    if game.started is None:
        return []
    seats = list(game.seats.order_by("index"))
    moves = list(game.moves.order_by("version"))
    state, found = _replay(game, moves)
    found += _columns(game, seats, moves, state)
    found += _times(game, seats, moves)
    found += _tiles(game, state)
    found += [
        Difference(f"draw {fault.draw} ({fault.code})", fault.stored, fault.expected)
        for fault in draw_faults(game)
    ]
    return found


def draw_faults(game: Game) -> list[bag.Fault]:
    """What is wrong with the draw of *game*; nothing to check before its seed is shown, or for a given
    bag."""
    seed = game.shown_seed
    if not seed:
        return []
    first = None
    if draws_first_seat(game):
        first = game.seats.values_list("sat", flat=True).get(index=0)
    return bag.faults(
        seed=bytes.fromhex(seed),
        seed_hash=game.seed_hash,
        code=game.draw_code,
        groups=game.rules.bag,
        drawn=list(game.tiles.order_by("draw").values_list("kind", flat=True)),
        returned=returned(game),
        seats=game.places,
        first_seat=first,
        how=game.rules.options["first_player"],
    )


def returned(game: Game) -> list[tuple[int, str]]:
    """The tiles that went back into the bag, each with the number of draws before it (HR-6)."""
    if game.rules.options["unplaceable"] != "back_in_bag":
        return []
    draws, found = 0, []
    moves = game.moves.in_force().order_by("version")
    for action, events in moves.values_list("action", "events"):
        draws += action["type"] == "draw"
        for event in events:
            if event["type"] == "put_back":
                found += [(draws, tile) for tile in event["tiles"]]
    return found


def _replay(game: Game, moves: list[Move]) -> tuple[rules.State, list[Difference]]:
    """The state after *moves*, by what is stored, and where the rules decide otherwise."""
    found = []
    state = rules.Game.new(game.rules).state
    for number, move in enumerate(moves, 1):
        if move.version != number:
            found.append(Difference(f"move {move.version}", move.version, number))
        if move.withdrawn is not None or move.action["type"] in TABLE_ACTS:
            continue
        try:
            expected = _decided(state, move)
            if _plain(expected) != _plain(move.events):
                found.append(Difference(f"move {move.version}", move.events, expected))
            for stored in move.events:
                state = apply(state, rules.event_from_json(stored))
        except Exception as error:  # whatever a damaged row makes of the state, say where and look no further
            found.append(Difference(f"move {move.version}", move.events, f"{type(error).__name__}: {error}"))
            break
    return state, found


def _decided(state: rules.State, move: Move) -> object:
    """The events of *move* as the rules decide them now, or why they refuse."""
    try:
        decided = rules.Game(state).play(rules.action_from_json(move.action)).events
    except rules.IllegalAction as error:
        return f"refused: {error}"
    return [rules.event_to_json(event) for event in decided]


def _plain(value: object) -> object:
    """*value* as JSON would give it back: lists for tuples."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


def _columns(game: Game, seats: list[Seat], moves: list[Move], state: rules.State) -> Iterator[Difference]:
    in_force = [move for move in moves if move.withdrawn is None]
    expected: dict[str, object] = {
        "version": len(moves),
        "ply": sum(move.ply is not None for move in in_force),
        "tiles_left": state.left,
        "open_offers": game.offers.filter(answered=None).count(),
    }
    if not game.ended:
        kind, asked = state.decision
        if game.settles is not None and kind == "draw":  # the last turn may still be undone
            asked = state.turn_seat
        expected["awaited"] = asked
        expected["status"] = Status.SCORING if kind == "final" else Status.PLAYING
        silent = set(TABLE_ACTS) - {UNDO}  # the game goes on waiting
        expected["turn_version"] = max(move.version for move in in_force if move.action["type"] not in silent)
        if asked is not None and seats[asked].played_by_program:
            expected["deadline"] = None
    for name, value in expected.items():
        if getattr(game, name) != value:
            yield Difference(name, getattr(game, name), value)
    ranks = final_ranks(state.scores, [seat.left for seat in seats])
    for seat, rank in zip(seats, ranks, strict=True):
        counted = {
            "score": state.scores[seat.index],
            "meeples": sum(state.supply[seat.index].values()),
            "rank": rank if game.status == Status.FINISHED else None,
        }
        for name, value in counted.items():
            if getattr(seat, name) != value:
                yield Difference(f"seat {seat.index} {name}", getattr(seat, name), value)


def _times(game: Game, seats: list[Seat], moves: list[Move]) -> Iterator[Difference]:
    """Where the banks are not what the record of the turns makes of them (CLOCK-15, 16, 19)."""
    clock = game.clock
    bank = [timedelta() if seat.bot else clock.start for seat in seats]
    spent = [timedelta()] * len(seats)
    timings = {move.version: (move.seat, move.timing) for move in moves}
    for move in moves:
        if move.seat is None:
            continue
        if move.action["type"] == UNDO:
            for version in reversed(move.action["moves"]):
                _uncharge(*timings[version], bank, spent)
        index = move.seat
        _act_of_table(move.action, index, clock, bank, spent)
        if move.timing is None:
            continue
        stored = timedelta(seconds=move.timing["bank"])
        if stored != bank[index]:
            yield Difference(f"move {move.version} bank", stored, bank[index])
        cost = timing.counted(move.timing, clock, spent[index])
        charged = timedelta(seconds=move.timing["charged"])
        if charged != cost.charged:
            yield Difference(f"move {move.version} charged", charged, cost.charged)
        bank[index] = cost.after
        spent[index] += cost.charged
    for seat in seats:
        for name, value in (("bank", bank[seat.index]), ("spent", spent[seat.index])):
            if getattr(seat, name) != value:
                yield Difference(f"seat {seat.index} {name}", getattr(seat, name), value)


def _uncharge(
    seat: int | None, told: dict[str, Any] | None, bank: list[timedelta], spent: list[timedelta]
) -> None:
    """Give *seat* back what a move cost that was taken back, as its timing has *told*."""
    if seat is not None and told is not None:
        bank[seat] += timedelta(seconds=told["bank"]) - timedelta(seconds=told["after"])
        spent[seat] -= timedelta(seconds=told["charged"])


def _act_of_table(
    act: dict[str, Any], seat: int, clock: clocks.ClockSettings, bank: list[timedelta], spent: list[timedelta]
) -> None:
    """What *act* of *seat* does to *bank* and *spent*, which are by seat."""
    anew: dict[int, timedelta] = {}
    match act["type"]:
        case "excuse":
            anew = {seat: clocks.filled(clock)}
        case "give":
            span = act["days"] * clocks.DAY
            anew = dict.fromkeys(act.get("anew", ()), span)
            for index in set(act["to"]) - set(anew):
                bank[index] += span
        case "come_back" | "take_over":
            bank[seat] = max(bank[seat], clocks.filled(clock))
            if act["type"] == "take_over" and clock.total is not None:
                spent[seat] = min(spent[seat], clock.total - clocks.filled(clock))
    for index, span in anew.items():
        spent[index] += allowed(clock, bank[index], spent[index])
        bank[index] = span


def _tiles(game: Game, state: rules.State) -> Iterator[Difference]:
    rows = list(game.tiles.order_by("draw"))
    lying = sorted((row.kind, row.x, row.y, row.rotation) for row in rows if row.x is not None)
    at_start = len(game.rules.start)
    placed = sorted(tuple(laid) for laid in list(state.placed)[at_start:])
    if lying != placed:
        yield Difference("tiles placed", lying, placed)
    gone = sorted(row.kind for row in rows if row.discarded)
    expected = sorted([*state.discarded, *state.aside, *(tile for _draws, tile in returned(game))])
    if gone != expected:
        yield Difference("tiles discarded", gone, expected)
