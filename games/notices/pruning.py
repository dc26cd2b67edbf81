"""Old notices are pruned to a line: most of a game's rows told of turns that were played long ago.

The outbox is gone through by number, and a bookmark says how far; so what is to be pruned is found without an
index of its own, however many are kept. Each batch is a transaction that moves the bookmark with it.

Left as they are, and passed for good: what is still owed; what tells of a turn that still lasts, for its
reminders are counted; what is about no game, for its key says that somebody has been told; and what went to
an address, which only the notice knows. All that is little.

Readers that go back further than that ask the lines, too: links that stop mails, whether a mail tells that
the game has begun, and the export of a player's data. Keys of turns and acts contain the version of the game,
which never falls, so no key is made twice after its notice was pruned. The admin and the desk show what is
left.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import Enum, auto
from itertools import takewhile

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from games.models import Bookmark, Notice, PrunedNotice
from games.models.game import ENDED
from games.models.notice import KEPT

BATCH = 500
BOOKMARK = "pruned notices"


class PruningProgress(Enum):
    """The outcome of a batch."""

    SOME = auto()  # is gone through; there may be more
    TAKEN = auto()  # by somebody else, who is at it
    DONE = auto()  # was all that is old enough


def prune(now: datetime, *, seconds: float) -> bool:
    """Prune what is old enough, for about so many *seconds*. Answers whether more is left to do, which nobody
    else is at. May be stopped at any time, and is harmless beside another."""
    stop = time.monotonic() + seconds
    Bookmark.objects.get_or_create(name=BOOKMARK)
    while _prune_some(now) is PruningProgress.SOME:
        if time.monotonic() > stop:
            return True
    return False


@transaction.atomic
def _prune_some(now: datetime) -> PruningProgress:
    """Go through the next batch, up to the first notice that is not old enough."""
    skip = connection.features.has_select_for_update_skip_locked
    mark = Bookmark.objects.filter(name=BOOKMARK).select_for_update(skip_locked=skip).first()
    if mark is None:
        return PruningProgress.TAKEN
    ahead = Notice.objects.filter(pk__gt=mark.reached).order_by("pk").only("created", "sent", "dropped")
    old = [one.pk for one in takewhile(lambda one: _last_touched(one) < now - KEPT, ahead[:BATCH])]
    if old:
        _prune(prunable().filter(pk__in=old))
        mark.reached = old[-1]
        mark.save(update_fields=["reached"])
    return PruningProgress.SOME if len(old) == BATCH else PruningProgress.DONE


def prunable() -> QuerySet[Notice]:
    """Return what may be pruned once it is old enough."""
    lasting = ~Q(game__status__in=ENDED) & Q(version=F("game__turn_version"))
    settled = Notice.objects.exclude(sent=None, dropped=None)
    return settled.filter(~lasting, game__isnull=False, recipient__isnull=False)


def _last_touched(notice: Notice) -> datetime:
    return notice.sent or notice.dropped or notice.created


def _prune(notices: QuerySet[Notice]) -> None:
    """Keep a line of each of *notices*, unless nobody can have got it, and delete them."""
    locked = list(notices.select_for_update(of=("self",)))  # nobody sends them again meanwhile
    PrunedNotice.objects.bulk_create(_lines(locked))
    Notice.objects.filter(pk__in=[notice.pk for notice in locked]).delete()


def _lines(notices: Iterable[Notice]) -> Iterator[PrunedNotice]:
    """Lines of those of *notices* that were ever in a sender's hands: who died there said nothing more."""
    for one in notices:
        assert one.game_id is not None and one.recipient_id is not None  # else it is not prunable
        if one.sent is not None or one.claimed is not None or one.attempts:
            yield PrunedNotice(
                id=one.pk,
                game_id=one.game_id,
                recipient_id=one.recipient_id,
                kind=one.kind,
                version=one.version,
                sent=one.sent,
            )
