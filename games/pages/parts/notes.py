"""Private notes of a player about a game: one on the whole, one for each ply. Nobody else ever reads them."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import Player
from games.access import Visitor, get_viewer_context
from games.models import Game, Note
from games.pages.scene.addresses import build_urls


class Notepad(NamedTuple):
    """A note with what its form needs; *revision* is 0 while there is none."""

    heading: str
    ply: int | None
    text: str
    revision: int
    ply_url: str
    kept: str = ""  # text saved meanwhile from another window


def build_notepad(
    game: Game, ply: int | None, *, text: str = "", revision: int = 0, kept: str = ""
) -> Notepad:
    """The notepad of *ply*, or of the game as a whole."""
    if ply is None:
        heading = _("Your notes")
    else:
        heading = _("Your note on turn {n}").format(n=ply) if ply else _("Your note on the start")
    return Notepad(heading, ply, text, revision, "" if ply is None else build_urls(game).ply(ply), kept)


def load_note(game: Game, viewer: Visitor, ply: int | None = None) -> Notepad | None:
    """Return *viewer*'s note on *ply*, or on the game as a whole; ``None`` for anonymous viewers. No query if
    it is known that there is none."""
    if not viewer.is_authenticated:
        return None
    known = get_viewer_context(viewer, game)
    if known is not None and not known.noted:
        return build_notepad(game, ply)
    for note in Note.objects.filter(game=game, player=viewer, ply=ply):  # there is one at most
        return build_notepad(game, ply, text=note.text, revision=note.revision)
    return build_notepad(game, ply)


def load_notes(game: Game, player: Player) -> list[Notepad]:
    """All notes of *player* about *game*: that on the whole first, then ply by ply."""
    notes = Note.objects.filter(game=game, player=player).order_by("ply")
    notepads = [build_notepad(game, note.ply, text=note.text, revision=note.revision) for note in notes]
    return sorted(notepads, key=lambda notepad: -1 if notepad.ply is None else notepad.ply)
