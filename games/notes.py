"""Private notes of a player about a game: one on the whole, one for each ply. Nobody else ever reads them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from games.access import Visitor
from games.exceptions import Refused
from games.frames import Urls
from games.models import Game, Note

LONGEST_NOTE = 4000


class Sheet(NamedTuple):
    """A note with what its form needs; *revision* is 0 while there is none."""

    heading: str
    ply: int | None
    text: str
    revision: int
    url: str
    ply_url: str
    kept: str = ""  # what another window has kept meanwhile


def sheet(ply: int | None, urls: Urls, *, text: str = "", revision: int = 0, kept: str = "") -> Sheet:
    """The sheet of *ply*, or of the game as a whole."""
    if ply is None:
        heading = _("Your notes")
    else:
        heading = _("Your note on turn {n}").format(n=ply) if ply else _("Your note on the beginning")
    return Sheet(heading, ply, text, revision, urls.notes, "" if ply is None else urls.ply(ply), kept)


def note_for(game: Game, viewer: Visitor, urls: Urls, ply: int | None = None) -> Sheet | None:
    """The note of *viewer* on *ply*, or on the game as a whole; ``None`` for strangers, who have none."""
    if not viewer.is_authenticated:
        return None
    for note in Note.objects.filter(game=game, player=viewer, ply=ply):  # there is one at most
        return sheet(ply, urls, text=note.text, revision=note.revision)
    return sheet(ply, urls)


def notes_of(game: Game, player: Player, urls: Urls) -> list[Sheet]:
    """All notes of *player* about *game*: that on the whole first, then ply by ply."""
    notes = Note.objects.filter(game=game, player=player).order_by("ply")
    found = [sheet(note.ply, urls, text=note.text, revision=note.revision) for note in notes]
    return sorted(found, key=lambda one: -1 if one.ply is None else one.ply)


def keep(
    *, game: Game, player: Player, ply: int | None, text: str, revision: int, now: datetime
) -> Note | None:
    """Keep *text* as the note of *player*, in place of the one with *revision*; an empty text removes it.

    *player* may see *game*. Raises :class:`Refused` and keeps what there was, if the note has been changed
    since, if it is too long, or if there is no such ply.
    """
    text = text.replace("\r\n", "\n").strip()
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
