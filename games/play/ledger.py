"""The unit of work that collects the changes of one transaction to one game's rows and writes them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Protocol

from django.db import transaction
from django.db.models import IntegerField
from django.views.decorators.debug import sensitive_variables

from accounts.models import Player
from games import rules
from games.conduct import active_sanctions
from games.models import Bag, Ending, Game, Move, Result, Seat, Status, Tile
from games.models.game import LoadedSeats
from games.models.raw_sql import MultiModelQuery
from games.models.seat_loading import load_seats
from games.play import move_cache, positions, timing
from games.rules import Dealt, Discarded, Drawn, Placed, PutAside, PutBack, Started

_SEAT_FIELDS = [
    "score",
    "meeples",
    "state",
    "left_at",
    "bank",
    "spent",
    "excuses",
    "takeovers",
    "result",
    "rank",
]
_GAME_FIELDS = [
    "status",
    "ending",
    "version",
    "ply",
    "awaited",
    "turn_version",
    "turn_began",
    "deadline",
    "remind_at",
    "remind_again",
    "calendar",
    "stops",
    "floors",
    "settles",
    "claimable",
    "open_offers",
    "moderated",
    "tiles_left",
    "rated",
    "seed_hash",
    "seed",
    "started",
    "expires",
    "finished",
]
_TILE_FIELDS = ("x", "y", "rotation", "discarded")

_STOCK = MultiModelQuery(
    """
SELECT {bag}, {tile}, (SELECT MAX(drawn.draw) FROM games_tile drawn WHERE drawn.game_id = bag.game_id)
  FROM games_bag bag
  LEFT JOIN games_tile tile ON tile.game_id = bag.game_id AND tile.x IS NULL AND NOT tile.discarded
 WHERE bag.game_id = %s
 ORDER BY tile.draw
""",
    {"bag": Bag, "tile": Tile},
    [IntegerField()],
)


class Stock:
    """The bag of a game, the number of tiles drawn from it, and the drawn tiles that are in hand."""

    @sensitive_variables("rows")
    def __init__(self, game: Game) -> None:
        rows = list(_STOCK.rows([game.pk]))
        self.hidden: Bag = rows[0].models[0]
        self.draws: int = rows[0].more[0] or 0
        self.changed = False  # whether the bag is to be written
        self.held: list[Tile] = [row.models[1] for row in rows if row.models[1] is not None]


def compute_final_ranks(scores: Sequence[int], left: Sequence[bool]) -> tuple[int, ...]:
    """Return the rank of each seat: those who resigned or lost on time rank below the rest; ties share
    (BASE-44)."""
    keys = [(gone, -score) for score, gone in zip(scores, left, strict=True)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


class ReversibleBag(Protocol):
    """Bag to which draws are given back."""

    def take(self, tile: str) -> None:
        """Put *tile* at the front of the bag."""

    def take_out(self, tiles: Sequence[str], *, draws: int) -> None:
        """Take *tiles*, which went back into the bag after so many *draws*, out of it again."""


class Ledger:
    """A locked game, its seats and its position; collects moves and writes them all at once."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.seats = load_seats(game)
        self.planning = {seat.index for seat in self.seats if seat.planned}  # seats with plans in force
        self.position = positions.load_position(game)
        self.put_back: list[str] = []  # tiles that the bag must take back
        self._seats_before = [_seat_values(seat) for seat in self.seats]
        self._ended_before = game.finished
        self._version_before = game.version
        self._withdrawn = False  # whether any move was
        self._moves: list[Move] = []
        self._changed: dict[int, Tile] = {}  # tiles drawn, placed or discarded now, by the number of the draw
        self._undrawn: list[Tile] = []  # tiles that are back in the bag

    @property
    def held(self) -> bool:
        """Return whether a moderator has stopped the game for now."""
        return timing.find_hold(self.game, self.now) is not None

    def must_be_free_to_act(self, seat: int) -> None:
        """:raises Refused: the player of *seat* is suspended, or has a warning to read first"""
        active_sanctions.must_be_free_to_act(self._player_at(seat), self.now)

    def must_not_be_suspended(self, seat: int) -> None:
        """:raises Refused: the player of *seat* is suspended"""
        active_sanctions.must_not_be_suspended(self._player_at(seat), self.now)

    def _player_at(self, seat: int) -> Player:
        player = self.seats[seat].player
        assert player is not None, "a bot asks for nothing"
        return player

    @property
    def last(self) -> Move:
        return self._moves[-1]

    def act(self, action: rules.Action, *, seat: int | None, how: str) -> None:
        """Play *action*. Raises :class:`rules.IllegalAction` and then has changed nothing."""
        after = self.position.play(action)
        for event in after.events:
            self._follow(event)
        self.position = rules.Game(after.state)  # without the actions: the rows have them
        self._append(
            rules.action_to_json(action), [rules.event_to_json(event) for event in after.events], seat, how
        )
        if seat is not None:
            self.game.ply += 1
            self.last.ply = self.game.ply
            self.seats[seat].last_played = self.now
            if self.game.turn_began is not None:
                # Not negative, even if the system clock was set back.
                self.last.time_used = max(timedelta(), self.now - self.game.turn_began)
            if seat == self.game.awaited:
                self.last.timing = timing.charge(self.game, self.seats[seat], self.now)

    def record_act(self, act: str, /, *, seat: int | None, how: str, **details: Any) -> None:
        """Record an act of the table, which the rules don't know, with the details *details*."""
        self._append({"type": act, **details}, [], seat, how)

    def _append(
        self, action: dict[str, Any], events: list[dict[str, Any]], seat: int | None, how: str
    ) -> None:
        self.game.version += 1
        self._moves.append(
            Move(
                game=self.game,
                version=self.game.version,
                seat=seat,
                action=action,
                events=events,
                schema=rules.SCHEMA,
                at=self.now,
                how=how,
            )
        )

    def _follow(self, event: rules.Event) -> None:
        """Keep the rows of tiles in step with *event*."""
        if isinstance(event, Drawn | Dealt):
            self._draw(event.tile)
        elif isinstance(event, Started):
            self._draw(event.tile)
            lying = self._take_held_tile(event.tile)
            lying.x = lying.y = lying.rotation = 0
        elif isinstance(event, Discarded | PutAside):
            self._take_held_tile(event.tile).discarded = True
        elif isinstance(event, Placed):
            lying = self._take_held_tile(event.tile)
            lying.x, lying.y, lying.rotation = event.x, event.y, event.rotation
        elif isinstance(event, PutBack):
            self.put_back += event.tiles

    @cached_property
    def _stock(self) -> Stock:
        return Stock(self.game)

    def bag(self) -> Bag:
        """Return the bag of the game, and mark it as changed."""
        self._stock.changed = True
        return self._stock.hidden

    @property
    def draws(self) -> int:
        """Number of tiles that have been drawn."""
        return self._stock.draws

    def _draw(self, kind: str) -> Tile:
        self._stock.draws += 1
        drawn = Tile(game=self.game, draw=self._stock.draws, kind=kind)
        self._stock.held.append(drawn)
        self._changed[drawn.draw] = drawn
        return drawn

    def _take_held_tile(self, kind: str) -> Tile:
        """A tile of this *kind* in hand, which is now placed or leaves the game; copies are alike."""
        tile = next(row for row in self._stock.held if row.kind == kind)
        self._stock.held.remove(tile)
        self._changed[tile.draw] = tile
        return tile

    def take_back(self, moves: Sequence[Move], bag: ReversibleBag) -> None:
        """Withdraw *moves*, which are all moves by the rules since the first of them: tiles, banks and
        position return to what they were. Tiles drawn since are given back to *bag*, the last one first."""
        rows = list(self.game.tiles.order_by("draw"))
        for move in reversed(moves):
            for stored in reversed(move.events):
                self._unfollow(rules.event_from_json(stored), rows, bag)
            if move.timing is not None and move.seat is not None:
                timing.uncharge(self.seats[move.seat], move.timing)
        self._stock.draws = len(rows)
        self._stock.held = [row for row in rows if row.x is None and not row.discarded]
        self.game.ply -= sum(move.ply is not None for move in moves)
        self._withdrawn = True
        Move.objects.filter(pk__in=[move.pk for move in moves]).update(withdrawn=self.now)
        kept = self.game.moves.in_force().order_by("version").values_list("events", flat=True)
        self.position = rules.Game.rebuild(self.game.rules, kept)

    def _unfollow(self, event: rules.Event, rows: list[Tile], bag: ReversibleBag) -> None:
        """Revert the effect of *event* on *rows*, all tiles of the game in the order of their draw."""
        if isinstance(event, Drawn | Dealt):
            undrawn = rows.pop()
            self._undrawn.append(undrawn)
            self._changed.pop(undrawn.draw, None)
            bag.take(undrawn.kind)
        elif isinstance(event, Placed):
            lying = next(row for row in rows if (row.x, row.y) == (event.x, event.y))
            lying.x = lying.y = lying.rotation = None
            self._changed[lying.draw] = lying
        elif isinstance(event, Discarded | PutAside):
            gone = next(row for row in reversed(rows) if row.kind == event.tile and row.discarded)
            gone.discarded = False
            self._changed[gone.draw] = gone
        elif isinstance(event, PutBack):
            bag.take_out(event.tiles, draws=len(rows))

    def await_next(self) -> None:
        """Make the game wait for the seat that the rules name, from now on."""
        game, decision = self.game, self.position.decision
        game.turn_version = game.version
        if decision.seat is None:
            game.turn_began = self.now
            game.awaited = None
            self._stop_waiting()
            game.status = Status.SCORING
            return
        game.awaited = decision.seat
        timing.begin(game, self.seats[decision.seat], self.now)

    def open_undo_window(self, until: datetime) -> None:
        """Draw no tile and run no clock for the next seat before *until*, as the last turn may be undone."""
        game = self.game
        game.turn_version = game.version
        game.awaited = self.position.state.turn_seat
        game.turn_began = self.now
        game.settles = until
        game.deadline = game.calendar = game.claimable = None
        game.floors = []

    def end(self, status: Status, ending: Ending, seed: str, ranks: Sequence[int] | None = None) -> None:
        """Close the game, with these *ranks* if given. Aborted games have no winner and are not rated."""
        game = self.game
        game.status, game.ending, game.seed = status, ending, seed
        game.awaited = None
        self._stop_waiting()
        game.finished = self.now
        if status == Status.ABORTED:
            game.rated = False
            return
        if ranks is None:
            ranks = compute_final_ranks(self.position.state.scores, [seat.left for seat in self.seats])
        for seat, rank in zip(self.seats, ranks, strict=True):
            seat.rank = rank
            if rank > 1:
                seat.result = Result.LOST
            else:
                seat.result = Result.WON if ranks.count(1) == 1 else Result.SHARED

    def reopen(self) -> None:
        """Mark the game, which may have ended, as being played; the caller sets the seat awaited."""
        game = self.game
        game.status, game.ending, game.seed, game.finished = Status.PLAYING, "", "", None
        for seat in self.seats:
            seat.rank, seat.result = None, ""

    def _stop_waiting(self) -> None:
        game = self.game
        game.deadline = game.calendar = game.claimable = game.settles = None
        game.stops, game.floors = [], []

    def write(self) -> None:
        """Write everything, in one query for each kind of row."""
        state = self.position.state
        for seat in self.seats:
            if self.game.ending not in (Ending.DECIDED, Ending.SCORED):
                seat.score = state.scores[seat.index]
            seat.meeples = sum(state.supply[seat.index].values())
        Move.objects.bulk_create(self._moves)
        if self._undrawn:
            Tile.objects.filter(pk__in=[row.pk for row in self._undrawn]).undraw()
        self._write_tiles()
        self._write_seats()
        if self.game.finished != self._ended_before:
            Seat.objects.filter(game=self.game).update(ended=self.game.finished)
            for seat in self.seats:
                seat.ended = self.game.finished
        self.game.tiles_left = state.left
        self.game.save(update_fields=_GAME_FIELDS)
        self.game.loaded_seats = LoadedSeats(self.game.version, self.seats)
        transaction.on_commit(self._remember)

    def _remember(self) -> None:
        """Cache the position and moves for the next request."""
        positions.remember(self.game.code, self.game.version, self.position)
        if not self._withdrawn:
            move_cache.remember(self.game.code, self._version_before, self._moves)

    def _write_tiles(self) -> None:
        """Write all changed tiles in one query, and the bag if it changed."""
        if "_stock" in self.__dict__ and self._stock.changed:
            self._stock.hidden.save(update_fields=["order"])
        tiles = [_by_draw(tile) for tile in self._changed.values()]
        Tile.objects.bulk_create(
            tiles, update_conflicts=True, unique_fields=["game", "draw"], update_fields=_TILE_FIELDS
        )

    def _write_seats(self) -> None:
        """Write the changed fields of the seats; mostly a few, of the one that played."""
        changed: list[tuple[Seat, list[str]]] = []
        for seat, before in zip(self.seats, self._seats_before, strict=True):
            fields = zip(_SEAT_FIELDS, before, _seat_values(seat), strict=True)
            news = [name for name, old, new in fields if new != old]
            if news:
                changed.append((seat, news))
        if len(changed) == 1:
            seat, news = changed[0]
            seat.save(update_fields=news)
        elif changed:
            together = sorted({name for _seat, news in changed for name in news})
            Seat.objects.bulk_update([seat for seat, _news in changed], together)


def _by_draw(tile: Tile) -> Tile:
    """A copy of *tile* without a primary key, as the upsert goes by the number of the draw."""
    values = {name: getattr(tile, name) for name in ("game_id", "draw", "kind", *_TILE_FIELDS)}
    return Tile(**values)


def _seat_values(seat: Seat) -> tuple[Any, ...]:
    return tuple(getattr(seat, field) for field in _SEAT_FIELDS)
