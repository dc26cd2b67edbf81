"""Services that play, settle, resign and end games.

Each makes one complete change or none: it locks the game's row, lets the rules decide, and writes moves,
seats, game and pending notices in one transaction. Work that follows (mails, the bot's turn, the final
scoring) is queued for after the commit; the rows say what is left to do, so nothing depends on the message.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import transaction

from accounts.models import Player
from core.task_queue import queue_on_commit
from games import clocks, heartbeat, outbox, rules
from games.exceptions import GameOver, NotYourTurn, OutOfTime, Refused, StaleTurn
from games.hooks import follow_ended_game
from games.models import (
    Colour,
    Ending,
    Game,
    How,
    Proposal,
    Seat,
    SeatState,
    Status,
    Transfers,
)
from games.play import bag_storage, consent, plans, timeouts
from games.play.ledger import Ledger
from games.rules import standing_answers

NOTHING = timedelta()


class Mover(NamedTuple):
    """Seat that may undo what it has just played."""

    seat: int
    undo_window: timedelta


@transaction.atomic
def play(
    *,
    game_id: int,
    seat: int,
    action: rules.Action,
    expected_version: int,
    now: datetime,
    how: str = How.WEB,
    undo_window: timedelta = NOTHING,
) -> Game:
    """Play *action* for *seat*, and the automatic moves that follow; or raise and leave everything as it was.

    Within *undo_window* it may be undone: until then no tile is drawn for another person, who is not
    notified, unless that person looks at the game (``settle``).

    An action is a turn, or the answer to a step that asks *seat*, which may not be on turn.

    *now* is when the turn was received: one received in time counts, however long it waited for the lock.
    Repeating the turn that was last accepted succeeds and changes nothing.

    :raises StaleTurn: the game has moved on since ``expected_version``
    :raises NotYourTurn: another seat is awaited
    :raises GameOver: nothing is awaited any more
    :raises Refused: its player is suspended, or has a warning to read first
    :raises OutOfTime: the turn was received after its deadline
    :raises IllegalAction: the rules refuse
    """
    game = lock_game_unsettled(game_id, now)
    if is_repeat(game, seat, action, expected_version):
        return game
    game = finalise_turn(game, now)
    if not game.turn_version <= expected_version <= game.version:
        raise GameOver if game.ended else StaleTurn(game)
    if game.status != Status.PLAYING:
        raise Refused("not_begun") if game.status == Status.OPEN else GameOver
    ledger = Ledger(game, now)
    by_program = how in (How.BOT, How.TIME_OUT)
    if game.awaited != seat or ledger.seats[seat].played_by_program != by_program:
        raise NotYourTurn
    if not by_program:
        ledger.must_be_free_to_act(seat)
    if ledger.held:
        raise Refused("held")
    if timeouts.decide_last_step(ledger, now) is not None:
        raise OutOfTime
    turn_before = game.turn_version
    ledger.act(action, seat=seat, how=how)
    play_automatic_moves(ledger, turn_before, how, Mover(seat, undo_window) if undo_window else None)
    return game


@transaction.atomic
def settle(*, game_id: int, now: datetime, seen_by: int | None = None) -> bool:
    """Make the last turn final if its undo window is over, or another seat has seen it. Return whether this
    call did so."""
    game = lock_game_unsettled(game_id, now)
    if game.settles is None:
        return False
    # A time further ahead than any window was stored before the system clock was set back.
    if now < game.settles <= now + clocks.LONGEST_UNDO and (
        seen_by is None or seen_by == find_last_mover(game)
    ):
        return False
    finalise_turn(game, now)
    return True


def find_last_mover(game: Game) -> int | None:
    """Return the seat that last played itself, not by a plan or a timeout."""
    own = game.moves.in_force().filter(ply__isnull=False).exclude(how__in=[How.PLAN, How.TIME_OUT])
    return own.order_by("-version").values_list("seat", flat=True).first()


def begin(game: Game, *, now: datetime) -> None:
    """Begin *game*, whose row is locked and whose seats are all taken: seed, first seat, first draw."""
    seats = list(game.seats.order_by("index"))
    first = bag_storage.fill(game)
    _take_seats(seats, first)
    game.status = Status.PLAYING
    game.started = now
    game.expires = None
    ledger = Ledger(game, now)
    for seat in ledger.seats:
        seat.bank = timedelta() if seat.bot else game.clock.start
    _draw(ledger, How.TASK)
    ledger.await_next()
    ledger.write()
    outbox.tell_game_began(game, ledger.seats, now=now)
    queue_what_follows(game, ledger.seats)


@transaction.atomic
def resign(*, game_id: int, seat: int, now: datetime, how: str = How.WEB) -> Game:
    """Resign *seat*. With two seats the game ends; with more the house bot plays its turns, without meeples.

    :raises GameOver: there is nothing left to resign from
    :raises Refused: the game has not begun, or its hard end has passed (CLOCK-24)
    """
    game = lock_game(game_id, now)
    if game.status == Status.OPEN:
        raise Refused("not_begun")
    ledger = Ledger(game, now)
    if ledger.seats[seat].left:
        return game
    if game.status != Status.PLAYING:
        raise GameOver
    timeouts.must_not_be_over(game, now)
    leave(ledger, seat, SeatState.RESIGNED, how)
    return game


def resign_all(*, player: Player, now: datetime) -> None:
    """Resign every game that *player* still plays."""
    sitting = [SeatState.PLAYING, SeatState.OFFERED]
    seats = Seat.objects.filter(player=player, state__in=sitting, game__status=Status.PLAYING)
    for game_id, index in seats.order_by("game").values_list("game", "index"):
        try:
            resign(game_id=game_id, seat=index, now=now)
        except Refused:
            continue  # the game ended between the query and the lock, or is about to end as its clock says


@transaction.atomic
def set_transfers(*, game_id: int, seat: int, transfers: str, now: datetime) -> Game:
    """Set the standing answer of *seat* for when it may move figures out of Carcassonne, or ask it again.

    If the seat is being asked just now, this answers, unless its time is over or a moderator has stopped the
    game.
    """
    game = lock_game(game_id, now)
    if game.status == Status.OPEN:  # seats move round when the game begins, and the answer would stay behind
        raise Refused("not_begun")
    if game.ended:
        raise GameOver
    ledger = Ledger(game, now)
    mine = ledger.seats[seat]
    if mine.left:
        raise GameOver
    ledger.must_be_free_to_act(seat)
    mine.transfers = Transfers(transfers)
    mine.save(update_fields=["transfers"])
    if game.status != Status.PLAYING or game.awaited != seat or ledger.held:
        return game
    before, step = game.version, timeouts.decide_last_step(ledger, now)
    answer = None if step is not None else find_automatic_answer(ledger)
    if answer is not None:
        turn_before = game.turn_version
        ledger.act(answer, seat=seat, how=How.PLAN)
        play_automatic_moves(ledger, turn_before, How.PLAN)
    elif game.version > before:  # an excuse or holiday was used: the seat still has to decide
        ledger.write()
    return game


@transaction.atomic
def score(*, game_id: int, now: datetime) -> bool:
    """Play the action ``final`` of a game that waits for it. Return whether this call did so."""
    game = lock_game(game_id, now)
    if game.status != Status.SCORING:
        return False
    ledger = Ledger(game, now)
    ledger.act(rules.Final(), seat=None, how=How.TASK)
    end(ledger, Status.FINISHED, Ending.PLAYED)
    return True


def open_ledger_at_seat(game_id: int, seat: int, now: datetime) -> tuple[Ledger, Seat]:
    """Lock a running game, and return its ledger and the seat of a person who plays in it.

    :raises Refused: the game is not being played, its hard end has passed (CLOCK-24), nobody plays there, or
        who does is suspended
    """
    game = lock_game(game_id, now)
    if game.status != Status.PLAYING:
        raise Refused("not_begun") if game.status == Status.OPEN else GameOver
    timeouts.must_not_be_over(game, now)
    ledger = Ledger(game, now)
    mine = ledger.seats[seat]
    if not mine.played_by_person:
        raise Refused("not_seated")
    ledger.must_not_be_suspended(seat)
    return ledger, mine


def lock_game(game_id: int, now: datetime) -> Game:
    """Lock the row of a game until the transaction is over, and return it; a turn that could be undone
    becomes final."""
    return finalise_turn(lock_game_unsettled(game_id, now), now)


def finalise_turn(game: Game, now: datetime) -> Game:
    """Make the last turn of *game*, which is locked, final, do what follows from it, and return the game."""
    if game.settles is None:
        return game
    last = game.moves.in_force().filter(ply__isnull=False).latest("version")
    game.settles = None
    play_automatic_moves(Ledger(game, now), game.turn_version, last.how)
    return lock_game_unsettled(game.pk, now)


def lock_game_unsettled(game_id: int, now: datetime) -> Game:
    """Lock the row of a game and return it; a turn that can be undone stays so."""
    return heartbeat.lock_game(game_id, now)


def is_repeat(game: Game, seat: int, action: rules.Action, expected_version: int) -> bool:
    """Return whether this very turn was accepted before: a double click, or a retry after a lost response."""
    if expected_version >= game.version:
        return False
    played = game.moves.in_force().filter(version__gt=expected_version, ply__isnull=False)
    first = played.order_by("version").values_list("seat", "action").first()
    return first == (seat, rules.action_to_json(action))


def play_automatic_moves(ledger: Ledger, turn_before: int, how: str, mover: Mover | None = None) -> None:
    """Draw tiles and play standing answers, default answers and planned turns until a person or bot must
    decide, or until the *mover*'s undo window begins."""
    game = ledger.game
    consent.lapse(game, ledger.now, [Proposal.UNDO])
    while True:
        if mover is not None and _may_undo(ledger, mover):
            _hold(ledger, turn_before, mover)
            return
        if ledger.put_back or ledger.position.decision.kind == "draw":
            _draw(ledger, how)
        ledger.await_next()
        answer = find_automatic_answer(ledger)
        if answer is None:  # ``Pass()`` is an answer, too, though an empty tuple
            answer = plans.take_planned_turn(ledger)
        if answer is None:
            break
        assert game.awaited is not None
        left = ledger.seats[game.awaited].left
        ledger.act(answer, seat=game.awaited, how=How.TIME_OUT if left else How.PLAN)
    ledger.write()
    outbox.tell_turn_played(game, ledger.seats, turn_before, now=ledger.now)
    queue_what_follows(game, ledger.seats)


def _may_undo(ledger: Ledger, mover: Mover) -> bool:
    """Return whether nothing but a draw for another person comes next."""
    if ledger.position.decision.kind != "draw" or ledger.put_back:
        return False
    turn_seat = ledger.position.state.turn_seat
    return turn_seat != mover.seat and ledger.seats[turn_seat].played_by_person


def _hold(ledger: Ledger, turn_before: int, mover: Mover) -> None:
    game = ledger.game
    ends = game.clock.ends
    until = ledger.now + mover.undo_window
    ledger.open_undo_window(until if ends is None else max(ledger.now, min(until, ends)))
    ledger.write()
    outbox.drop_stale(game, turn_before, now=ledger.now)
    queue_on_commit("games.tasks.settle", game.pk, countdown=mover.undo_window.total_seconds())


def find_automatic_answer(ledger: Ledger) -> rules.Action | None:
    """The answer of a seat that need not be asked: it has left, or has given a standing answer."""
    seat = ledger.position.decision.seat
    if seat is None:
        return None
    if ledger.seats[seat].left:
        return ledger.position.legal_actions().default_answer()
    return standing_answers.answer(ledger.position.state, ledger.seats[seat].transfers)


def _draw(ledger: Ledger, how: str) -> None:
    """Return tiles to the bag as the rules say, then draw for the next seat, again if a tile fits nowhere."""
    if ledger.put_back:
        bag_storage.put_back(ledger.bag(), ledger.game, ledger.put_back, draws=ledger.draws)
    ledger.put_back = []
    while ledger.position.decision.kind == "draw":
        ledger.act(rules.Draw(ledger.bag().order.pop(0)), seat=None, how=how)


def _take_seats(seats: list[Seat], first: int) -> None:
    """Rotate the players so that place *first* becomes seat 0, and assign the colours nobody chose."""
    sitting = [(seat.index, seat.player, seat.bot, seat.notice_timing, seat.colour) for seat in seats]
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(player=None, bot="", colour="")
    free = [colour for colour in Colour.values if colour not in {colour for *_, colour in sitting}]
    rotated = sitting[first:] + sitting[:first]
    for seat, (place, player, robot, timing, colour) in zip(seats, rotated, strict=True):
        seat.sat, seat.player, seat.bot, seat.notice_timing = place, player, robot, timing
        seat.colour = colour or free.pop(0)
    Seat.objects.bulk_update(seats, ["sat", "player", "bot", "notice_timing", "colour"])


def leave(ledger: Ledger, index: int, state: SeatState, how: str) -> None:
    """Take seat *index* out of the game: end the game, or let the house bot play on for the seat."""
    game, now = ledger.game, ledger.now
    seat = ledger.seats[index]
    resigned = state == SeatState.RESIGNED
    consent.lapse(game, now)
    seat.state, seat.left_at = state, _left_at(game, now, resigned=resigned)
    if not resigned and game.rated:
        game.rated = _time_out_counts(seat)
    if index in ledger.planning:
        plans.forget_seat(seat)
    ledger.record_act("resign" if resigned else "time_out", seat=index, how=how)
    staying = [other for other in ledger.seats if not other.left]
    if len(staying) < 2 or not any(other.player_id for other in staying):
        moved = set(game.moves.in_force().filter(ply__isnull=False).values_list("seat", flat=True))
        status = Status.FINISHED if len(moved) == game.places else Status.ABORTED
        end(ledger, status, Ending.RESIGNED if resigned else Ending.TIME_OUT)
        return
    if game.awaited == index:
        stop_clock(ledger)
        if find_automatic_answer(ledger) is not None:
            play_automatic_moves(ledger, game.turn_version, how)
            return
    ledger.write()
    queue_what_follows(game, ledger.seats)


def _left_at(game: Game, now: datetime, *, resigned: bool) -> datetime:
    """The time at which a seat leaves *game*: on a timeout, when its time was over."""
    return now if resigned else min(game.claimable or game.deadline or now, now)


def _time_out_counts(seat: Seat) -> bool:
    """Return whether the loss on time of *seat* is rated, by its player's earlier losses (CLOCK-21)."""
    assert seat.left_at is not None
    others = Seat.objects.filter(player=seat.player_id, state=SeatState.TIMED_OUT).exclude(pk=seat.pk)
    lost = others.filter(left_at__lte=seat.left_at).order_by("left_at").values_list("left_at", flat=True)
    earlier = [at for at in lost if at is not None]
    return clocks.mark_rated_timeouts([*earlier, seat.left_at])[-1]


def end(ledger: Ledger, status: Status, ending: Ending, ranks: Sequence[int] | None = None) -> None:
    """Close the game, with these *ranks* if given, and notify everybody."""
    game = ledger.game
    consent.lapse(game, ledger.now)
    turn_before = game.turn_version
    ledger.end(status, ending, bag_storage.load_seed_to_show(game), ranks)
    for index in ledger.planning:
        plans.forget_seat(ledger.seats[index])
    ledger.write()
    bag_storage.show_shared_seed(game)
    outbox.tell_game_ended(game, ledger.seats, turn_before, now=ledger.now)
    queue_what_follows(game, ledger.seats)
    transaction.on_commit(partial(follow_ended_game, game.pk))


def queue_what_follows(game: Game, seats: Sequence[Seat]) -> None:
    """Queue the tasks that are due after the commit. What is to be told before a program plays is told after
    it, some seconds later, as one mail may then do for two."""
    if game.awaited is not None and seats[game.awaited].played_by_program:
        queue_on_commit("games.tasks.play_bot", game.pk)
        return
    queue_on_commit("games.tasks.deliver_notices")
    if game.status == Status.SCORING:
        queue_on_commit("games.tasks.score", game.pk)


def offer(ledger: Ledger, index: int) -> None:
    """Let a caretaker play for *index*, until its player comes back or somebody takes over."""
    game, seat = ledger.game, ledger.seats[index]
    if not any(other.played_by_person for other in ledger.seats if other != seat):
        leave(ledger, index, SeatState.TIMED_OUT, How.TIME_OUT)
        return
    consent.lapse(game, ledger.now)
    seat.state = SeatState.OFFERED
    ledger.record_act("offered", seat=index, how=How.TIME_OUT)
    outbox.tell_table_act(game, ledger.seats, now=ledger.now)
    if game.awaited == index:
        stop_clock(ledger)
    ledger.write()
    queue_what_follows(game, ledger.seats)


def stop_clock(ledger: Ledger) -> None:
    """Stop the clock: the seat awaited will be played by a program, which has none."""
    game = ledger.game
    game.deadline = game.calendar = game.claimable = None
    outbox.drop_stale(game, game.turn_version, now=ledger.now)
