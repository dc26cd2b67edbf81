"""Which notices go out together in one mail: those of a player who wants them folded, or once a day; and the
notice of a turn that the answer to a mail tells already."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.notice_preferences import TOGETHER, Channel, Timing
from games.models import Kind, Notice
from games.notices import notice_facts
from games.notices.reply_letters import tells_turn

MOST = 30
"""Maximum number of notices in one mail; the others come in the next."""


def find_companions(notice: Notice, batch: Sequence[Notice]) -> list[Notice]:
    """Return the notices that can go into the same mail as *notice*: of its *batch*, which the caller has
    claimed, and of unclaimed ones, even if they are not due yet.

    A daily mail includes notices to be folded, but not the other way round.
    """
    if notice.channel != Channel.EMAIL or notice.timing not in TOGETHER:
        return []
    timings = TOGETHER if notice.timing == Timing.DAILY else (Timing.FOLDED,)
    ours = [other for other in batch if other.recipient_id == notice.recipient_id and other.timing in timings]
    mine = {companion.pk for companion in ours}
    owed = Notice.objects.filter(recipient=notice.recipient, channel=notice.channel, timing__in=timings)
    others = owed.filter(sent=None, dropped=None, claimed=None).exclude(pk__in=mine)
    related = others.select_related("game", "recipient", "invitation__inviter").order_by("next_try", "pk")
    companions = [companion for companion in ours if companion.pk != notice.pk] + list(related[:MOST])
    notice_facts.read(companions)
    return companions[: MOST - 1]


def find_told_turn(answer: Notice, batch: Sequence[Notice]) -> Notice | None:
    """Return the notice of the turn that *answer*, a letter written just now, tells already: of its *batch*,
    which the caller has claimed, or an unclaimed one, even if it is not due yet."""
    if not tells_turn(answer):
        return None
    game = answer.of_game
    turns = Notice.objects.filter(game=game, version=game.turn_version, kind=Kind.YOUR_TURN)
    turn = turns.filter(recipient=answer.recipient, channel=answer.channel, sent=None, dropped=None).first()
    if turn is None or turn.claimed is None:
        return turn
    return next((other for other in batch if other.pk == turn.pk), None)
