"""A player's private notes about a game: one on the whole, one for each ply. Nobody else can read them."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from accounts import texts
from accounts.models import Player
from games.exceptions import Refused
from games.models import Game, Note

LONGEST_NOTE = texts.KINDS["note"].most


def keep(
    *, game: Game, player: Player, ply: int | None, text: str, revision: int, now: datetime
) -> Note | None:
    """Store *text* as the note of *player*, replacing the one with *revision*; an empty text deletes it.

    *player* may see *game*. Raises :class:`Refused` and changes nothing if the note has been changed since,
    if the text is too long, or if there is no such ply.
    """
    text = texts.normalize_text("note", text)
    if len(text) > LONGEST_NOTE:
        raise Refused("note_too_long", n=LONGEST_NOTE)
    if ply is not None and not 0 <= ply <= game.ply:
        raise Refused("no_such_ply")
    try:
        with transaction.atomic():
            return _keep(game, player, ply, text, revision, now)
    except IntegrityError:  # two windows wrote the first note at once
        raise Refused("note_changed") from None


def _keep(
    game: Game, player: Player, ply: int | None, text: str, revision: int, now: datetime
) -> Note | None:
    note = Note.objects.select_for_update().filter(game=game, player=player, ply=ply).first()
    if text == (note.text if note else ""):
        return note  # a second click
    if revision != (note.revision if note else 0):
        raise Refused("note_changed")
    if note is None:
        return Note.objects.create(game=game, player=player, ply=ply, text=text, at=now)
    if not text:
        note.delete()
        return None
    note.text, note.revision, note.at = text, note.revision + 1, now
    note.save()
    return note


def forget(*, player: Player) -> None:
    """Remove all notes of *player*, whose account is being closed."""
    Note.objects.filter(player=player).delete()
