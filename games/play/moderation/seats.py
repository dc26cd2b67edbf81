"""Acts of moderators that change who sits at a seat."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import Player
from games import access, clocks, outbox
from games.clocks import TimeoutStep
from games.conduct import active_sanctions
from games.exceptions import Refused
from games.models import ActKind, How, ModerationAct, Move, Seat, SeatState, Transfers
from games.play import consent, plans
from games.play.deals import knows_tiles
from games.play.locks import lock_player
from games.play.moderation.base import ModerationContext, ModerationRequest, moderation_act
from games.play.substitutes import compute_bank_when_taken
from games.play.turns import leave, offer, stop_clock


def replace(asked: ModerationRequest, seat: int, player: Player | None) -> ModerationAct:
    """Let *player*, or the house bot if ``None``, play on at *seat*, with meeples, until it is given back."""
    with transaction.atomic():
        if player is None:
            return _caretaker(asked, seat)
        lock_player(player)  # players come before games
        return _replace(asked, seat, player)


@moderation_act(ActKind.REPLACE)
def _caretaker(opened: ModerationContext, seat: int) -> None:
    mine = opened.person_at(seat)
    if mine.state == SeatState.REPLACED:
        raise Refused("not_a_person_there")
    consent.lapse(opened.game, opened.now)
    plans.forget_seat(mine)
    mine.state = SeatState.REPLACED
    if opened.game.awaited == seat:
        stop_clock(opened.ledger)
    opened.record_act("caretaker", seat=seat)
    opened.write()


@moderation_act(ActKind.REPLACE)
def _replace(opened: ModerationContext, seat: int, player: Player) -> None:
    mine = opened.person_at(seat)
    gone = mine.player
    assert gone is not None
    if not _may_sit_down(opened, player):
        raise Refused("may_not_replace")
    total = opened.game.clock.total
    if total is not None:  # time used by the previous player
        mine.spent = min(mine.spent, total - clocks.compute_refill(opened.game.clock))
    _sit_down(opened, mine, player, "replace", gone=gone.pk, came=player.pk)
    opened.tell([gone])


def give_back(asked: ModerationRequest, seat: int) -> ModerationAct:
    """Give *seat* back to the player whom a moderator has replaced there."""
    with transaction.atomic():
        replaced = _last_replaced(asked.game_id, seat)
        if replaced is not None:
            lock_player(_owner(replaced, seat))
        return _give_back(asked, seat)


@moderation_act(ActKind.GIVE_BACK)
def _give_back(opened: ModerationContext, seat: int) -> ModerationAct:
    mine = opened.person_at(seat)
    replaced = _last_replaced(opened.game.pk, seat)
    if replaced is None:
        raise Refused("not_replaced")
    owner, sitting = _owner(replaced, seat), mine.player
    assert sitting is not None
    if owner == sitting:
        _sit_down(opened, mine, owner, "give_back")
        opened.tell()
        return replaced
    if not _may_sit_down(opened, owner):
        raise Refused("may_not_replace")
    _sit_down(opened, mine, owner, "give_back", gone=sitting.pk, came=owner.pk)
    opened.tell([sitting])
    return replaced


@moderation_act(ActKind.LADDER)
def hand_to_ladder(opened: ModerationContext, seat: int) -> None:
    """Apply the last step of the game's ladder to *seat* (CLOCK-19) at once, as if its time were over: it is
    offered to a substitute, or loses."""
    mine = opened.person_at(seat)
    if mine.state != SeatState.PLAYING:
        raise Refused("not_a_person_there")
    opened.record_act("ladder", seat=seat)
    if opened.game.ladder.last == TimeoutStep.SUBSTITUTE:
        offer(opened.ledger, seat)
    else:
        leave(opened.ledger, seat, SeatState.TIMED_OUT, How.MODERATOR)


def _sit_down(opened: ModerationContext, seat: Seat, player: Player, act: str, **details: Any) -> None:
    """Seat *player* at *seat*; if the game waits for it, the turn begins again."""
    game, ledger = opened.game, opened.ledger
    consent.lapse(game, opened.now)
    plans.forget_seat(seat)
    if seat.player != player:
        seat.player, seat.notice_timing, seat.transfers = player, "", Transfers.ASK
        seat.save(update_fields=["player", "notice_timing", "transfers"])
    seat.state = SeatState.PLAYING
    seat.bank = compute_bank_when_taken(seat, game.clock)
    awaited, turn_before = game.awaited == seat.index, game.turn_version
    opened.record_act(act, seat=seat.index, **details, **({"waits": True} if awaited else {}))
    if awaited:
        ledger.await_next()
    ledger.write()
    if awaited:
        outbox.tell_turn_played(game, ledger.seats, turn_before, now=opened.now)


def _may_sit_down(opened: ModerationContext, player: Player) -> bool:
    """Return whether *player* may take a seat: a person without one here who is not suspended, has an account
    if the game is rated, and knows no tile that is still to come."""
    game = opened.game
    if player.is_bot or active_sanctions.find_suspension_end(player, opened.now):
        return False
    if player.provisional and not access.takes_guests(game):
        return False
    if any(seat.player_id == player.pk for seat in opened.ledger.seats):
        return False
    return game.deal is None or not knows_tiles(game.deal, [player.pk], but=game)


def _last_replaced(game_id: int, seat: int) -> ModerationAct | None:
    """The moderator's act that put *seat* into its present hands, if it was one."""
    handed = Move.objects.filter(game=game_id, seat=seat).filter(
        Q(action__type__in=["take_over", "hand_over", "come_back"])
        | Q(action__act__in=["replace", "caretaker", "give_back"])
    )
    last = handed.order_by("-version").first()
    if last is None or last.action.get("act") not in ("replace", "caretaker"):
        return None
    return ModerationAct.objects.filter(game=game_id, version=last.version).first()


def _owner(replaced: ModerationAct, seat: int) -> Player:
    """The player who sat at *seat* before the act *replaced*."""
    return Player.objects.get(pk=replaced.before["seats"][seat]["player"])
