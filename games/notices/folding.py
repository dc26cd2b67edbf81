"""Which notices go out together in one mail: those of a player who wants them folded, or once a day."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.notice_preferences import TOGETHER, Channel, Timing
from games.models import Notice
from games.notices import notice_facts

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
    ours = [one for one in batch if one.recipient_id == notice.recipient_id and one.timing in timings]
    mine = {one.pk for one in ours}
    owed = Notice.objects.filter(recipient=notice.recipient, channel=notice.channel, timing__in=timings)
    others = owed.filter(sent=None, dropped=None, claimed=None).exclude(pk__in=mine)
    related = others.select_related("game", "recipient", "invitation__inviter").order_by("next_try", "pk")
    found = [one for one in ours if one.pk != notice.pk] + list(related[:MOST])
    notice_facts.read(found)
    return found[: MOST - 1]
