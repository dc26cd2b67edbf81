"""Pruning of old notices to a line: most rows of a game are about turns played long ago.

The outbox is processed by primary key with a bookmark for the progress; so old rows are found without an
index of their own. Each batch is a transaction that moves the bookmark, too.

Some rows are skipped for good: those still owed; those about a turn that still lasts; those about no game,
whose key prevents a repeat; and those to an address, which is stored nowhere else. These are few.

Code that looks further back also reads the lines: links that stop mails, the check whether a mail has said
that the game has begun, and the export of a player's data. Keys of turns and acts contain the game's version,
those of reminders their number, which never fall, so no key is used again after its notice was pruned. The
admin and the desk show what is left.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from enum import Enum, auto
from itertools import takewhile

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from core import attempts, batches
from games.models import Bookmark, Notice, PrunedNotice
from games.models.game import ENDED
from games.models.notice import KEPT

BATCH = 500
BOOKMARK = "pruned notices"


class PruningProgress(Enum):
    """The outcome of a batch."""

    SOME = auto()  # some notices were checked; there may be more
    TAKEN = auto()  # another worker is pruning
    DONE = auto()  # all that are old enough


def prune(now: datetime, *, seconds: float) -> bool:
    """Prune old notices for about so many *seconds*. Return whether more are left to do that no other worker
    is processing. It may be interrupted at any time, and run in parallel."""
    stop = time.monotonic() + seconds
    Bookmark.objects.get_or_create(name=BOOKMARK)
    failed = batches.list_to_retry("notice")
    if failed:
        _prune_all(attempts.parse_keys(failed, "notice"))
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
    old = [
        candidate.pk
        for candidate in takewhile(lambda candidate: _last_touched(candidate) < now - KEPT, ahead[:BATCH])
    ]
    if old:
        _prune_all(old)
        mark.reached = old[-1]
        mark.save(update_fields=["reached"])
    return PruningProgress.SOME if len(old) == BATCH else PruningProgress.DONE


def prunable() -> QuerySet[Notice]:
    """Return the notices that may be pruned once they are old enough."""
    lasting = ~Q(game__status__in=ENDED) & Q(version=F("game__turn_version"))
    settled = Notice.objects.exclude(sent=None, dropped=None)
    return settled.filter(~lasting, game__isnull=False, recipient__isnull=False)


def _last_touched(notice: Notice) -> datetime:
    return notice.sent or notice.dropped or notice.created


@transaction.atomic
def _prune_all(keys: Sequence[int]) -> None:
    """Prune the notices with these *keys*, as far as they may be."""
    notices = prunable().filter(pk__in=keys)
    batches.run_rows(list(notices.select_for_update(of=("self",))), _prune)  # so nobody sends them again


def _prune(notices: Sequence[Notice]) -> None:
    """Keep a line of each of *notices*, except those that nobody can have got, and delete them."""
    PrunedNotice.objects.bulk_create(_lines(notices))
    Notice.objects.filter(pk__in=[notice.pk for notice in notices]).delete()


def _lines(notices: Iterable[Notice]) -> Iterator[PrunedNotice]:
    """Yield lines of those of *notices* that a worker ever claimed, as one that died may have sent them."""
    for notice in notices:
        assert notice.game_id is not None and notice.recipient_id is not None  # else it is not prunable
        if notice.sent is not None or notice.claimed is not None or notice.attempts:
            yield PrunedNotice(
                id=notice.pk,
                game_id=notice.game_id,
                recipient_id=notice.recipient_id,
                kind=notice.kind,
                version=notice.version,
                sent=notice.sent,
            )
