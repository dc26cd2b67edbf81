"""Names of tables, teams and leagues, and their changes by moderators.

Teams and leagues are defined in other applications, which register them in ``moderation.hooks.NAMED_THINGS``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction

from accounts.models import Player
from accounts.references import says
from games import access
from games.access import Visitor
from games.exceptions import Refused
from games.models import Game
from moderation import hooks
from moderation.models import NameChange, NamedKind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_REASON = 500


class NamedThing(NamedTuple):
    """A table, a team or a league, with the *owner*, who is responsible for its name."""

    kind: NamedKind
    key: str  # the code of a game, else a primary key
    name: str
    owner: Player
    url: str  # of its page
    game: Game | None = None  # of a table


class RenameRequest(NamedTuple):
    """Request of a moderator (*who*) to rename a thing that is called *before*."""

    thing: NamedThing
    who: Player
    name: str
    reason: str
    before: str
    now: datetime


class NameSource(NamedTuple):
    """Functions and texts for one kind of named things."""

    title: StrOrPromise  # with ``{name}``
    find: Callable[[str], NamedThing | None]  # by key
    may_see: Callable[[Visitor, NamedThing], bool]
    may_rename: Callable[[Player, NamedThing], bool]  # for moderators who have no interest in it
    rename: Callable[[RenameRequest], None]
    told: Callable[[NamedThing], tuple[Player, ...]]  # recipients of the mail


def find(kind: str, key: str) -> NamedThing | None:
    """The thing of this *kind* with this *key*, if there is one."""
    source = hooks.NAMED_THINGS.get(kind)
    return source.find(key) if source is not None else None


def _source_of(kind: str) -> NameSource:
    source = hooks.NAMED_THINGS.get(kind)
    assert source is not None, f"nobody knows of {kind}"
    return source


def list_recipients(thing: NamedThing) -> tuple[Player, ...]:
    """Return the players who get a mail about a renaming."""
    return _source_of(thing.kind).told(thing)


def may_see(visitor: Visitor, thing: NamedThing) -> bool:
    return _source_of(thing.kind).may_see(visitor, thing)


def may_rename(moderator: Player, thing: NamedThing) -> bool:
    """Return whether *moderator* may rename *thing*: it must not concern them."""
    if thing.owner.pk == moderator.pk or not access.is_moderator(moderator):
        return False
    return _source_of(thing.kind).may_rename(moderator, thing)


def format_title(thing: NamedThing) -> str:
    """Format the kind and name of a thing."""
    return str(_source_of(thing.kind).title).format(name=thing.name)


def rename(request: RenameRequest) -> None:
    """Rename a thing, log it, and notify those concerned. A repeated request is taken as a second click.

    :raises Refused: it concerns the moderator, the name is refused, or it has been changed since
    """
    if not may_rename(request.who, request.thing):
        raise Refused("may_not_moderate")
    try:
        _source_of(request.thing.kind).rename(request)
    except Refused as refused:
        if refused.code != "renamed_since" or not _is_done(request):
            raise


def check_rename(request: RenameRequest) -> None:
    """Check *request* by performing it and rolling back.

    :raises Refused: as ``rename``
    """
    with transaction.atomic():
        rename(request)
        transaction.set_rollback(True)


def _is_done(request: RenameRequest) -> bool:
    """Return whether the last change of the name was this one."""
    changes = NameChange.objects.filter(kind=request.thing.kind, key=request.thing.key)
    last = changes.order_by("-pk").first()
    if last is None:
        return False
    wanted = (request.who.pk, _in_one_line(request.name), request.before)
    return (last.who_id, last.after, last.before) == wanted and says(
        last, reason=_in_one_line(request.reason)
    )


def record(request: RenameRequest, *, before: str, after: str) -> NameChange:
    """Log a change, in the transaction that makes it."""
    thing = request.thing
    return NameChange.objects.create(
        kind=thing.kind,
        key=thing.key,
        before=before,
        after=after,
        owner=thing.owner,
        who=request.who,
        at=request.now,
        reason=request.reason,
    )


def check(request: RenameRequest, *, current: str, name: str) -> str:
    """Return the reason of *request*, in one line; the thing is locked.

    :param current: its name now
    :param name: the new name, as its kind normalises it
    :raises Refused: somebody else has renamed it since, nothing would change, or no reason is given
    """
    if current != request.before:
        raise Refused("renamed_since")
    if not name or name == current:
        raise Refused("same_name")
    reason = _in_one_line(request.reason)
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused("sanction_reason")
    return reason


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
