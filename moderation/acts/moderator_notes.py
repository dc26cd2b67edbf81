"""Notes about people that moderators write for each other. Players never read them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from accounts.models import Player
from accounts.references import says
from games import access
from games.exceptions import Refused
from moderation.models import ModeratorNote

LONGEST_NOTE = 2000


@transaction.atomic
def write(*, player: Player, author: Player, text: str, now: datetime) -> ModeratorNote:
    """Add a note about *player*. A repeated text by the same *author* is taken as a second click and adds
    none.

    :raises Refused: *author* is no moderator or *player* themselves, the account is closed, or the text is
        empty or too long
    """
    locked = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if (
        locked.closed is not None
        or locked.is_bot
        or author.pk == player.pk
        or not access.is_moderator(author)
    ):
        raise Refused("may_not_note")
    text = text.strip()
    if not 0 < len(text) <= LONGEST_NOTE:
        raise Refused("moderator_note", n=LONGEST_NOTE)
    last = ModeratorNote.objects.filter(player=player).order_by("-pk").first()
    if last is not None and last.author_id == author.pk and says(last, text=text):
        return last
    return ModeratorNote.objects.create(player=player, author=author, at=now, text=text)


def forget(player: Player) -> None:
    """Remove the notes about *player*, whose account is being closed."""
    ModeratorNote.objects.forget(player)
