"""Audit of stored games: every move is decided again by the rules, and every stored column computed again."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from games import rules
from games.models import Ending, Game, Move, Seat, Status
from games.play import bag, hard_ends
from games.play.bag_storage import draws_first_seat
from games.play.ledger import compute_final_ranks
from games.play.timeline import MODERATE, UNDO, Timeline
from games.rules.state import apply_event

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
    "hand_over",
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
    UNDO,
    "call_off",
    "extend",
    hard_ends.ACT,
    MODERATE,
)


class Difference(NamedTuple):
    """Difference between what is stored and what it should be. *where* is a move's version, or a column."""

    where: str
    stored: object
    expected: object

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored!r}, expected {self.expected!r}"


def find_differences(game: Game) -> list[Difference]:
    """Return where *game* differs from its own moves, and its moves from what the rules decide today."""
    if game.started is None:
        return []
    seats = list(game.seats.order_by("index"))
    moves = list(game.moves.order_by("version"))
    state, differences = _replay(game, moves)
    differences += _columns(game, seats, moves, state)
    differences += _times(game, seats, moves)
    differences += _tiles(game, state)
    differences += [
        Difference(f"draw {fault.draw} ({fault.code})", fault.stored, fault.expected)
        for fault in find_draw_faults(game)
    ]
    return differences


def find_draw_faults(game: Game) -> list[bag.Fault]:
    """Return the faults in the draw of *game*. Empty before the seed is shown, and for a given bag."""
    seed = game.shown_seed
    if not seed:
        return []
    first = None
    if draws_first_seat(game):
        first = game.seats.values_list("sat", flat=True).get(index=0)
    return bag.find_faults(
        seed=bytes.fromhex(seed),
        seed_hash=game.seed_hash,
        code=game.draw_code,
        groups=game.rules.bag,
        drawn=list(game.tiles.order_by("draw").values_list("kind", flat=True)),
        returned=find_returned_tiles(game),
        seats=game.places,
        first_seat=first,
        how=game.rules.options["first_player"],
    )


def find_returned_tiles(game: Game) -> list[tuple[int, str]]:
    """Return the tiles that went back into the bag, each with the number of draws before it (HR-6)."""
    if game.rules.options["unplaceable"] != "back_in_bag":
        return []
    draws, returned = 0, []
    moves = game.moves.in_force().order_by("version")
    for action, events in moves.values_list("action", "events"):
        draws += action["type"] == "draw"
        for event in events:
            if event["type"] == "put_back":
                returned += [(draws, tile) for tile in event["tiles"]]
    return returned


def _replay(game: Game, moves: list[Move]) -> tuple[rules.State, list[Difference]]:
    """The state after the stored events of *moves*, and where the rules decide otherwise."""
    differences = []
    state = rules.Game.new(game.rules).state
    for number, move in enumerate(moves, 1):
        if move.version != number:
            differences.append(Difference(f"move {move.version}", move.version, number))
        if move.withdrawn is not None or move.action["type"] in TABLE_ACTS:
            continue
        try:
            expected = _recompute_events(state, move)
            if _plain(expected) != _plain(move.events):
                differences.append(Difference(f"move {move.version}", move.events, expected))
            for stored in move.events:
                state = apply_event(state, rules.event_from_json(stored))
        except Exception as error:  # a damaged row can break the state in any way: report it and stop
            differences.append(
                Difference(f"move {move.version}", move.events, f"{type(error).__name__}: {error}")
            )
            break
    return state, differences


def _recompute_events(state: rules.State, move: Move) -> object:
    try:
        decided = rules.Game(state).play(rules.action_from_json(move.action)).events
    except rules.IllegalAction as error:
        return f"refused: {error}"
    return [rules.event_to_json(event) for event in decided]


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _waits_anew(move: Move) -> bool:
    """Return whether the game began a new wait by *move*: a move by the rules, an undo, or an act of the
    table that changed the seat awaited."""
    kind = move.action["type"]
    return kind == UNDO or kind not in TABLE_ACTS or bool(move.action.get("waits"))


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
        expected["turn_version"] = max(move.version for move in in_force if _waits_anew(move))
        if asked is not None and seats[asked].played_by_program:
            expected["deadline"] = None
    for name, value in expected.items():
        if getattr(game, name) != value:
            yield Difference(name, getattr(game, name), value)
    scores: Sequence[int] = state.scores
    ranks: Sequence[int] = compute_final_ranks(scores, [seat.left for seat in seats])
    decided = _find_decision(game, moves)
    if decided is not None:
        scores, ranks = decided.get("scores", scores), decided["ranks"]
    for seat, rank in zip(seats, ranks, strict=True):
        counted = {
            "score": scores[seat.index],
            "meeples": sum(state.supply[seat.index].values()),
            "rank": rank if game.status == Status.FINISHED else None,
            "ended": game.finished,
        }
        for name, value in counted.items():
            if getattr(seat, name) != value:
                yield Difference(f"seat {seat.index} {name}", getattr(seat, name), value)


def _find_decision(game: Game, moves: list[Move]) -> dict[str, Any] | None:
    """The act that decided a game otherwise than by its last turn."""
    acts = {Ending.DECIDED: "adjudicate", Ending.HARD_END: hard_ends.ACT, Ending.SCORED: hard_ends.ACT}
    act = acts.get(Ending(game.ending)) if game.ending else None
    if act is None:
        return None
    return next(m.action for m in reversed(moves) if act in (m.action["type"], m.action.get("act")))


def _times(game: Game, seats: list[Seat], moves: list[Move]) -> Iterator[Difference]:
    """Differences between the stored banks and those computed from the turns' records (CLOCK-15, 16, 19)."""
    line = Timeline(game, seats)
    for move in moves:
        counted = line.follow(move)
        if counted is None or move.timing is None:
            continue
        bank = timedelta(seconds=move.timing["bank"])
        if bank != counted.bank:
            yield Difference(f"move {move.version} bank", bank, counted.bank)
        charged = timedelta(seconds=move.timing["charged"])
        if charged != counted.cost.charged:
            yield Difference(f"move {move.version} charged", charged, counted.cost.charged)
    for seat, then in zip(seats, line.seats, strict=True):
        for name, value in (("bank", then.bank), ("spent", then.spent)):
            if getattr(seat, name) != value:
                yield Difference(f"seat {seat.index} {name}", getattr(seat, name), value)


def _tiles(game: Game, state: rules.State) -> Iterator[Difference]:
    rows = list(game.tiles.order_by("draw"))
    lying = sorted((row.kind, row.x, row.y, row.rotation) for row in rows if row.x is not None)
    at_start = len(game.rules.start)
    placed = sorted(tuple(laid) for laid in list(state.placed)[at_start:])
    if lying != placed:
        yield Difference("tiles placed", lying, placed)
    gone = sorted(row.kind for row in rows if row.discarded)
    expected = sorted([*state.discarded, *state.aside, *(tile for _draws, tile in find_returned_tiles(game))])
    if gone != expected:
        yield Difference("tiles discarded", gone, expected)
