"""Reliability of players in keeping time, counted from the record (``clocks/reliability.py``).

A periodic task reads on in the record where it stopped, a few minutes behind the games: by then no
transaction that could still add an earlier move is open, and a turn taken back at once is withdrawn.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from django.db import transaction
from django.db.models import Q

from core import attempts, batches
from games.models import Bookmark, How, Move, PersonalTime, Seat

BOOKMARK = "turns"
BEHIND = timedelta(minutes=5)  # more than any transaction takes
BATCH = 1000
SUMS = ("turns", "weight", "in_time", "log_seconds")

BY_HAND = (How.WEB, How.MAIL, How.API)
"""Ways of moving that count as answers of a player for whom the game has waited."""

MISSED = ("excuse", "claimable", "offered", "time_out")
"""Acts of the table that record a missed deadline; a deadline moved by a day of holiday was not missed."""

HANDED = Q(action__type__in=["offered", "come_back", "take_over"]) | Q(action__has_key="gone")
"""Acts of the table, or of moderators, after which another player, or the same one, has the seat."""

CLAIMED = Q(action__type="claimable")
"""Acts of the table after which the loss that follows is that of the same deadline."""

TELLING = (
    Q(how__in=BY_HAND, ply__isnull=False)
    | Q(how=How.TIME_OUT, timing__isnull=False)
    | Q(action__type__in=MISSED)
)
"""Filter for the moves that are counted."""


def count_turns(now: datetime, *, seconds: float) -> bool:
    """Count turns played since the last call, for about so many *seconds*. Return whether all are counted."""
    stop = time.monotonic() + seconds
    if batches.list_to_retry("move"):
        _count_failed()
    while _count_some(now):
        if time.monotonic() > stop:
            return False
    return True


@transaction.atomic
def count_anew() -> None:
    """Reset the counts, so that the next call of ``count_turns`` starts at the beginning of the record."""
    Bookmark.objects.select_for_update().filter(name=BOOKMARK).update(reached=0)
    PersonalTime.objects.update(**dict.fromkeys(SUMS, 0))


@transaction.atomic
def _count_some(now: datetime) -> bool:
    """Count a batch of moves. Return whether the batch was full."""
    # Concurrent runs wait here, so that nothing is counted twice.
    mark, _new = Bookmark.objects.select_for_update().get_or_create(name=BOOKMARK)
    moves = Move.objects.filter(TELLING, pk__gt=mark.reached).order_by("pk")[:BATCH]
    over = list(takewhile(lambda move: move.at < now - BEHIND, moves))
    if not over:
        return False
    batches.run_rows([move for move in over if move.withdrawn is None], _count)
    mark.reached = over[-1].pk
    mark.save(update_fields=["reached"])
    return len(over) == BATCH


@transaction.atomic
def _count_failed() -> None:
    """Count the moves that failed before, and are due again."""
    Bookmark.objects.select_for_update().filter(name=BOOKMARK).first()  # as above
    again = Move.objects.filter(pk__in=attempts.parse_keys(batches.list_to_retry("move"), "move"))
    batches.run_rows(list(again.filter(withdrawn=None)), _count)


def _count(moves: Sequence[Move]) -> None:
    turns: dict[int, list[timedelta | None]] = defaultdict(list)
    for player, took in _turns(moves):
        turns[player].append(took)
    _add(turns)


def _add(turns: dict[int, list[timedelta | None]]) -> None:
    """Add further *turns*, by primary key of the player, to the stored sums; each is the time it took."""
    create_missing_rows(turns)
    rows = list(PersonalTime.objects.select_for_update().filter(player__in=turns).order_by("player"))
    for row in rows:
        sums = row.reliability
        for took in turns[row.player_id]:
            sums = sums.after(took)
        for name in SUMS:
            setattr(row, name, getattr(sums, name))
    PersonalTime.objects.bulk_update(rows, SUMS)


def create_missing_rows(players: Iterable[int]) -> None:
    """Create the missing rows of *players*, given by primary key; one query."""
    rows = [PersonalTime(player_id=player) for player in sorted(players)]
    PersonalTime.objects.bulk_create(rows, ignore_conflicts=True)


def _turns(moves: Sequence[Move]) -> Iterator[tuple[int, timedelta | None]]:
    """Yield the player of each of *moves* and its time on a running clock; ``None`` for a missed deadline."""
    games = {move.game_id for move in moves}
    seats = Seat.objects.filter(game__in=games).values_list("game", "index", "player")
    sitting: dict[tuple[int, int | None], int | None] = {(game, index): who for game, index, who in seats}
    handed: dict[tuple[int, int | None], list[Move]] = defaultdict(list)
    acts = Move.objects.filter(HANDED | CLAIMED, game__in=games, withdrawn=None)
    for act in acts.order_by("version"):
        handed[act.game_id, act.seat].append(act)
    for move in moves:
        seat = move.game_id, move.seat
        before = [act.action for act in handed[seat] if act.version < move.version]
        after = [act.action for act in handed[seat] if act.version > move.version]
        player = next((act["gone"] for act in after if "gone" in act), sitting.get(seat))
        if player is None or (before and _is_counted(move, before[-1]["type"])):
            continue
        yield player, _took(move)


def _is_counted(move: Move, last_act: str) -> bool:
    """Return whether *move* is a loss by the deadline that the *last_act* of its seat has told of already. A
    loss by a moderator comes without a deadline."""
    if move.action["type"] != "time_out":
        return False
    return last_act == "offered" or (last_act == "claimable" and move.how == How.TIME_OUT)


def _took(move: Move) -> timedelta | None:
    if move.ply is None or move.how == How.TIME_OUT:
        return None
    if move.timing is None or "running" not in move.timing:
        return max(timedelta(), move.time_used or timedelta())  # before there were clocks
    return timedelta(seconds=move.timing["running"])
