"""Private notes of a player about a game: one on the whole, one for each ply. Nobody else ever reads them."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from games.access import Visitor, glance
from games.models import Game, Note
from games.pages.scene.addresses import urls_of


class Notepad(NamedTuple):
    """A note with what its form needs; *revision* is 0 while there is none."""

    heading: str
    ply: int | None
    text: str
    revision: int
    ply_url: str
    kept: str = ""  # what another window has kept meanwhile


def notepad(game: Game, ply: int | None, *, text: str = "", revision: int = 0, kept: str = "") -> Notepad:
    """The notepad of *ply*, or of the game as a whole."""
    if ply is None:
        heading = _("Your notes")
    else:
        heading = _("Your note on turn {n}").format(n=ply) if ply else _("Your note on the beginning")
    return Notepad(heading, ply, text, revision, "" if ply is None else urls_of(game).ply(ply), kept)


def note_for(game: Game, viewer: Visitor, ply: int | None = None) -> Notepad | None:
    """The note of *viewer* on *ply*, or on the game as a whole; ``None`` for strangers, who have none.
    No query where it is known that there is none."""
    if not viewer.is_authenticated:
        return None
    known = glance(viewer, game)
    if known is not None and not known.noted:
        return notepad(game, ply)
    for note in Note.objects.filter(game=game, player=viewer, ply=ply):  # there is one at most
        return notepad(game, ply, text=note.text, revision=note.revision)
    return notepad(game, ply)


def notes_of(game: Game, player: Player) -> list[Notepad]:
    """All notes of *player* about *game*: that on the whole first, then ply by ply."""
    notes = Note.objects.filter(game=game, player=player).order_by("ply")
    found = [notepad(game, note.ply, text=note.text, revision=note.revision) for note in notes]
    return sorted(found, key=lambda one: -1 if one.ply is None else one.ply)
