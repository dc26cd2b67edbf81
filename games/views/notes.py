"""A player's private notes about a game."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import PlayerRequest
from games.exceptions import Refused
from games.forms.board import PrivateNoteForm
from games.models import Game
from games.pages.parts.notes import build_notepad, load_note, load_notes
from games.pages.scene.addresses import build_urls
from games.tables.notes import keep
from games.views.decorators import load_visible_game
from games.views.parts import vary_by_htmx


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notes(request: PlayerRequest, code: str) -> HttpResponse:
    """List the player's notes about a game, or save the submitted one."""
    game = load_visible_game(request, code)
    if request.method == "POST":
        return _keep(request, game)
    urls = build_urls(game)
    context = {"game": game, "urls": urls, "notes": load_notes(game, request.user)}
    return vary_by_htmx(render(request, "games/notes.html", context))


def _keep(request: PlayerRequest, game: Game) -> HttpResponse:
    """Save a note; on a conflict show it again with the newer text. htmx gets only the form."""
    urls, form = build_urls(game), PrivateNoteForm(request.POST)
    form.is_valid()
    ply, text, refused = form.cleaned_data.get("ply"), str(request.POST.get("text", "")), ""
    revision = form.cleaned_data.get("revision") or 0
    kept = None
    if form.errors:
        refused = form.complaint
    else:
        try:
            kept = keep(
                game=game,
                player=request.user,
                ply=ply,
                text=form.cleaned_data["text"],
                revision=revision,
                now=timezone.now(),
            )
        except Refused as error:
            refused, game.viewer_context = error.message, None  # another window may have kept one meanwhile
    if not refused:
        pad = build_notepad(game, ply, text=kept.text if kept else "", revision=kept.revision if kept else 0)
        if not request.htmx:
            messages.success(request, _("Your note is saved."))
            return redirect(urls.table if ply is None else urls.ply(ply))
    else:
        there = load_note(game, request.user, ply)
        assert there is not None
        newer = there.revision != revision
        pad = build_notepad(game, ply, text=text, revision=there.revision, kept=there.text if newer else "")
    template = "games/_note.html#sheet" if request.htmx else "games/note.html"
    context = {"game": game, "path": urls.notes, "note": pad, "refused": refused, "kept": not refused}
    status = HTTPStatus.OK if request.htmx or not refused else HTTPStatus.CONFLICT
    return vary_by_htmx(render(request, template, context, status=status))
