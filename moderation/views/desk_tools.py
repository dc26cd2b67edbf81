"""Other tools of moderators: search, measures in force, notes, names and texts."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Player
from accounts.requests import PlayerRequest
from games.exceptions import Refused
from games.pages.own_mails import build_mail_rows
from games.selectors.own_notices import load_own_mails
from moderation.acts import moderator_notes, named_things
from moderation.forms.desk import DeskSearchForm, ModeratorNoteForm, RenameForm, TemplateForm
from moderation.pages.current_measures import build_in_force_page
from moderation.pages.search import build_search_page
from moderation.pages.warning_texts import build_template_page, build_templates_page
from moderation.views.desk import require_moderator

MAILS_ON_A_PAGE = 20
FIRST_PAGES = 1000
"""Maximum page number."""


@require_moderator
@require_safe
def search(request: PlayerRequest) -> HttpResponse:
    """Search players and games by name, and texts of cases."""
    form = DeskSearchForm(request.GET)
    text = form.cleaned_data["q"].strip() if form.is_valid() else ""
    kind, number = request.GET.get("in", ""), _page_number(request)
    found = build_search_page(text, request.user, kind, number) if text else ()
    return render(request, "moderation/search.html", {"form": form, "found": found})


@require_moderator
@require_safe
def in_force(request: PlayerRequest) -> HttpResponse:
    """List the measures in force, sorted by their end."""
    page = build_in_force_page(request.user, timezone.now(), _page_number(request))
    return render(request, "moderation/in_force.html", {"page": page})


@require_moderator
@require_POST
def note(request: PlayerRequest, username: str) -> HttpResponse:
    """Add a note about a player."""
    player = get_object_or_404(Player, username=username)
    if player == request.user:
        raise PermissionDenied
    form = ModeratorNoteForm(request.POST)
    try:
        if not form.is_valid():
            raise Refused("moderator_note", n=moderator_notes.LONGEST_NOTE)
        text = form.cleaned_data["text"]
        moderator_notes.write(player=player, author=request.user, text=text, now=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The note is saved. Players never read it."))
    return redirect("moderation:desk_person", username)


@require_moderator
@require_safe
def mails(request: PlayerRequest, username: str) -> HttpResponse:
    """Show the recent mails to a player with their delivery; games are named where the moderator may see
    them."""
    player = get_object_or_404(Player, username=username)
    if player == request.user:
        raise PermissionDenied
    page = load_own_mails(player, request.GET, MAILS_ON_A_PAGE, timezone.now())
    rows = build_mail_rows(page, request.user)
    context = {"player": player, "page": page, "rows": rows}
    return render(request, "moderation/mails.html", context)


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def rename(request: PlayerRequest, kind: str, key: str) -> HttpResponse:
    """Show the form to rename a table, a team or a league, preview it, and rename it when confirmed."""
    thing = named_things.find(kind, key)
    if thing is None:
        raise Http404
    if not named_things.may_rename(request.user, thing):
        raise PermissionDenied
    form = RenameForm(thing, request.POST.dict() if request.method == "POST" else None)
    told: list[str] | None = None
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(request.user, timezone.now())
        try:
            if "confirmed" in request.POST:
                named_things.rename(asked)
                messages.success(request, _("Done and logged, and we've told the player."))
                return redirect("moderation:desk_rename", kind, key)
            named_things.check_rename(asked)
            told = [player.username for player in named_things.list_recipients(thing)]
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(thing)
    context = {"thing": thing, "title": named_things.format_title(thing), "form": form, "told": told}
    return render(request, "moderation/rename.html", context)


@require_moderator
@require_safe
def templates(request: PlayerRequest) -> HttpResponse:
    """The texts that moderators can send."""
    return render(request, "moderation/templates.html", {"lines": build_templates_page()})


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def template(request: PlayerRequest, name: str = "") -> HttpResponse:
    """Edit a text in every language, or add a new one."""
    page = build_template_page(name)
    if page is None:
        raise Http404
    form = TemplateForm(
        name, page.texts, page.seen, request.POST.dict() if request.method == "POST" else None
    )
    if form.is_bound and form.is_valid():
        try:
            form.save(request.user, timezone.now())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The text is saved. What was sent before stays as it was sent."))
            return redirect("moderation:desk_templates")
    return render(request, "moderation/template.html", {"page": page, "form": form})


def _page_number(request: PlayerRequest) -> int:
    """The requested page; the first one if it is invalid."""
    asked = request.GET.get("page", "")
    return (
        min(max(int(asked), 1), FIRST_PAGES)
        if asked.isascii() and asked.isdecimal() and len(asked) < 9
        else 1
    )
