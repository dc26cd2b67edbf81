"""Common parts of all acts of moderators: permission, repeats, the game's lock, the log, and notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import partial, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec

from django.db import transaction

from accounts import references
from accounts.models import Player
from games import access, clocks, outbox
from games.conduct import own_stops
from games.conduct.interests import TableRecusal, find_recusal_from_table, must_be_impartial
from games.exceptions import Refused, StaleTurn
from games.hooks import follow_ended_game
from games.models import ActKind, Game, How, ModerationAct, Notice, Seat, Status, find_people_at
from games.play import timing
from games.play.ledger import Ledger
from games.play.timeline import MODERATE
from games.play.turns import finalise_turn, lock_game_unsettled, play_automatic_moves, queue_what_follows
from games.words.people import remove_marks

P = ParamSpec("P")
LONGEST_REASON = 500


class ModerationRequest(NamedTuple):
    """Request for an act: who wants it, on which game, why, and which version of the game they saw (``None``:
    the current one). *opened* is when the case was opened; ``None`` is now."""

    game_id: int
    who: Player
    reason: str
    now: datetime
    expected_version: int | None = None
    opened: datetime | None = None


@dataclass
class ModerationContext:
    """Context of an act: the locked game, and what the act has done so far."""

    ledger: Ledger
    reason: str
    version: int = 0  # version of the move that records the act
    longest: timedelta | None = None  # of a stop in the moderator's own matters

    @property
    def game(self) -> Game:
        return self.ledger.game

    @property
    def now(self) -> datetime:
        return self.ledger.now

    def must_be_played(self) -> None:
        """:raises Refused: the game is not being played"""
        if self.game.status != Status.PLAYING:
            raise Refused("nothing_running")

    def person_at(self, index: int) -> Seat:
        """Return the seat *index*, whose player has not left the game, which is being played.

        :raises Refused: there is none
        """
        self.must_be_played()
        seat = next((seat for seat in self.ledger.seats if seat.index == index), None)
        if seat is None or seat.player is None or seat.left:
            raise Refused("not_a_person_there")
        return seat

    def record_act(self, act: str, *, seat: int | None = None, **details: Any) -> None:
        """Record the act in the game, with the details *details*."""
        details = {"act": act, "reason": self.reason, **details}
        self.ledger.record_act(MODERATE, seat=seat, how=How.MODERATOR, **details)
        self.version = self.game.version

    def last(self, *kinds: ActKind) -> ModerationAct | None:
        """Return the last act of these *kinds* that has not been undone."""
        acts = ModerationAct.objects.filter(game=self.game, kind__in=kinds, undone_by=None)
        return acts.order_by("-pk").first()

    def set_deadline(self) -> None:
        """Compute the deadline again, and plan its reminders."""
        game = self.game
        if game.calendar is not None and game.awaited is not None:
            timing.set_deadline(game, self.ledger.seats[game.awaited])
            outbox.remind_anew(game, self.ledger.seats[game.awaited], now=self.now)

    def leave_time(self) -> None:
        """Keep the deadline at least twelve hours away (CLOCK-13), in a game that has been written."""
        if self.game.calendar is not None:
            timing.add_floor(self.game, self.now + clocks.AFTER_STOP, timing.HOLD)
            self.set_deadline()
            self.game.save(update_fields=["floors", "deadline"])

    def play_on(self, act: str, **details: Any) -> None:
        """Continue the game, which may have ended, from its record as it now stands, and notify everybody."""
        game, turn_before = self.game, self.game.turn_version
        self.record_act(act, waits=True, **details)
        self.ledger.reopen()
        outbox.drop_game_ended(game, now=self.now)
        play_automatic_moves(self.ledger, turn_before, How.MODERATOR)
        self.leave_time()
        self.tell()

    def write(self, gone: Iterable[Player] = ()) -> None:
        """Write everything, and notify everybody at the table and those who have *gone* from it."""
        self.ledger.write()
        self.tell(gone)

    def tell(self, gone: Iterable[Player] = ()) -> None:
        """Notify the same people after everything has been written; nobody gets two notices."""
        outbox.tell_moderation(self.game, self.ledger.seats, self.version, now=self.now, gone=gone)
        queue_what_follows(self.game, self.ledger.seats)


Do = Callable[Concatenate[ModerationContext, P], ModerationAct | None]
"""Function that carries out an act and returns the earlier act that it undoes."""


class ActTerms(Enum):
    """Terms on which a moderator may do an act on a game."""

    JUDGING = auto()  # only without an interest shared with any of its players
    STOP = auto()  # as that, or for a day (``games.conduct.own_stops``)
    CONSEQUENCE = auto()  # follows from a sanction, whose terms were checked


def moderation_act(
    kind: ActKind, terms: ActTerms = ActTerms.JUDGING
) -> Callable[[Do[P]], Callable[Concatenate[ModerationRequest, P], ModerationAct]]:
    """Decorate a function that carries out an act of *kind* with checks and logging."""

    def decorate(do: Do[P]) -> Callable[Concatenate[ModerationRequest, P], ModerationAct]:
        @wraps(do)
        @transaction.atomic
        def act(asked: ModerationRequest, *args: P.args, **kwargs: P.kwargs) -> ModerationAct:
            game = lock_game_unsettled(asked.game_id, asked.now)
            people = find_people_at(game.pk)
            reason = references.store(_clean_reason(asked.reason), people)  # for both record and log
            if terms is not ActTerms.CONSEQUENCE and not access.may_moderate(asked.who, game):
                raise Refused("may_not_moderate")
            if game.started is None:
                raise Refused("not_begun")
            if asked.expected_version not in (None, game.version):
                done = _find_same_act(asked, kind, reason)
                if done is None:
                    raise StaleTurn(game)
                return done
            opened = ModerationContext(Ledger(finalise_turn(game, asked.now), asked.now), reason)
            recused = None
            if terms is not ActTerms.CONSEQUENCE:
                recused = find_recusal_from_table(asked.who, list(people), opened=asked.opened)
            stopped = _find_stop_in_own_matter(terms, recused)
            if stopped is not None:
                own_stops.check(asked.who, stopped.players, stopped.recusal, asked.now)
                opened.longest = own_stops.LONGEST
            elif recused is not None:
                must_be_impartial(recused.recusal)
            before = snapshot(opened.ledger)
            opened.game.moderated = True
            undoes = do(opened, *args, **kwargs)
            if opened.game.ended or before["finished"]:
                transaction.on_commit(partial(follow_ended_game, opened.game.pk))
            made = ModerationAct.objects.create(
                game=opened.game,
                version=opened.version,
                kind=kind,
                who=asked.who,
                at=asked.now,
                reason=reason,
                before=before,
                after=snapshot(opened.ledger),
                undoes=undoes,
                own_matter=True if recused is not None else None,
            )
            if stopped is not None:
                own_stops.record(asked.who, stopped.players, stopped.recusal, asked.now, act=made)
            return made

        return act

    return decorate


def _find_stop_in_own_matter(terms: ActTerms, recused: TableRecusal | None) -> TableRecusal | None:
    """*recused* if the act is a stop that is allowed for a day although others could do it."""
    if terms is not ActTerms.STOP or recused is None or recused.recusal.may_act:
        return None
    return recused


class Preview(NamedTuple):
    """The effect that an act would have, and the people who would be notified."""

    act: ModerationAct  # which was not kept
    told: tuple[Player, ...]


def preview(asked: ModerationRequest, act: Callable[[ModerationRequest], ModerationAct]) -> Preview:
    """Carry out *act*, return its effect, and roll it back.

    :raises Refused: it can't be done
    """
    with transaction.atomic():
        done = act(asked)
        owed = Notice.objects.filter(game=asked.game_id, created=asked.now, dropped=None)
        recipients = {notice.recipient for notice in owed.select_related("recipient") if notice.recipient}
        transaction.set_rollback(True)
    return Preview(done, tuple(sorted(recipients, key=lambda player: player.username)))


def snapshot(ledger: Ledger) -> dict[str, Any]:
    """Return what an act may change of a game and its seats, for the log: nothing hidden from players."""
    game, held = ledger.game, timing.find_hold(ledger.game, ledger.now)
    return {
        "status": game.status,
        "finished": game.ended,
        "ply": game.ply,
        "awaited": game.awaited,
        "deadline": _iso(game.deadline),
        "held": held is not None,
        "held_until": None if held is None or held.end == clocks.FOREVER else _iso(held.end),
        "rated": game.rated,
        "tiles_left": ledger.position.state.left,
        "seats": [
            {
                "player": seat.player_id,
                "state": seat.state,
                "score": seat.score,
                "rank": seat.rank,
                "bank": seat.bank.total_seconds(),
            }
            for seat in ledger.seats
        ],
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _clean_reason(reason: str) -> str:
    """:raises Refused: there is none, or it is too long"""
    said = remove_marks(" ".join(reason.split()))
    if not said:
        raise Refused("say_why")
    if len(said) > LONGEST_REASON:
        raise Refused("reason_too_long")
    return said


def _find_same_act(asked: ModerationRequest, kind: ActKind, reason: str) -> ModerationAct | None:
    """The act that was recorded for the same request, as after a double click."""
    acts = ModerationAct.objects.filter(game=asked.game_id, version__gt=asked.expected_version)
    first = acts.order_by("version").first()
    if first is None or (first.kind, first.who_id) != (kind, asked.who.pk):
        return None
    return first if references.says(first, reason=reason) else None
