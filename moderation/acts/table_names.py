"""Renaming of tables by moderators, before and after the game has started."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy

from accounts.models import Player
from accounts.notice_preferences import Timing
from core.task_queue import queue_on_commit
from games import access
from games.access import Visitor
from games.conduct.interests import find_recusal_from_table, must_be_impartial
from games.exceptions import Refused
from games.models import Game
from games.play import moderation
from games.tables.locks import lock_game
from games.tables.settings import check_name
from moderation import outbox
from moderation.acts import named_things
from moderation.acts.named_things import NamedThing, NameSource, RenameRequest
from moderation.models import NamedKind


def find(code: str) -> NamedThing | None:
    """Return the table of the game with this *code*, its host as the owner of the name."""
    game = Game.objects.select_related("host", "deal").filter(code=code).first()
    if game is None:
        return None
    return NamedThing(NamedKind.TABLE, game.code, game.name, game.host, game.get_absolute_url(), game)


@transaction.atomic
def rename_by_moderator(request: RenameRequest) -> None:
    """Rename a table and notify its players, or only its host before the game has started.

    :raises Refused: the moderator plays there, the name is invalid, or it has been changed since
    """
    assert request.thing.game is not None
    game = lock_game(request.thing.game.pk)
    if not access.may_moderate(request.who, game):
        raise Refused("may_not_moderate")
    people = [game.host, *(seat.player for seat in game.seats.select_related("player") if seat.player)]
    recused = find_recusal_from_table(request.who, people, opened=None)
    if recused is not None:
        must_be_impartial(recused.recusal)
    before, name = game.name, check_name(request.name)
    reason = named_things.check(request, current=before, name=name)
    change = named_things.record(request._replace(reason=reason), before=before, after=name)
    if game.started is not None:
        moderation.rename(moderation.ModerationRequest(game.pk, request.who, reason, request.now), name)
        return
    game.name = name
    game.save(update_fields=["name"])
    outbox.notify_table_renamed(game, change, now=request.now)
    queue_on_commit("games.tasks.deliver_notices")


def _may_see(visitor: Visitor, thing: NamedThing) -> bool:
    return thing.game is not None and access.may_see(visitor, thing.game)


def _may_rename(moderator: Player, thing: NamedThing) -> bool:
    return thing.game is not None and access.may_moderate(moderator, thing.game)


def _list_recipients(thing: NamedThing) -> tuple[Player, ...]:
    game = thing.game
    if game is None or game.started is None:
        return (thing.owner,)
    seats = game.seats.exclude(notice_timing=Timing.NEVER).select_related("player").order_by("index")
    return tuple(seat.player for seat in seats if seat.player is not None)


TABLE = NameSource(
    title=gettext_lazy("The table “{name}”"),
    find=find,
    may_see=_may_see,
    may_rename=_may_rename,
    rename=rename_by_moderator,
    told=_list_recipients,
)
