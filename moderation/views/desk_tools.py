"""Other tools of moderators: search, measures in force, notes, names and texts."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import acts
from accounts.models import Player
from accounts.requests import PlayerRequest
from games.exceptions import Refused
from games.selectors.own_notices import link_notices, load_own_mails
from moderation.acts import moderator_notes, named_things, warning_templates
from moderation.forms.desk import (
    ClearProfileForm,
    DeskSearchForm,
    ModeratorNoteForm,
    RenameForm,
    TemplateForm,
)
from moderation.models import WarningTemplate
from moderation.selectors import current_measures, desk_search
from moderation.views.desk import require_moderator

MAILS_ON_A_PAGE = 20
FIRST_PAGES = 1000
"""Maximum page number."""

CHANGES = 20
"""Maximum number of changes of a text on its page, the newest ones."""


@require_moderator
@require_safe
def search(request: PlayerRequest) -> HttpResponse:
    """Search players and games by name, and texts of cases."""
    form = DeskSearchForm(request.GET)
    text = form.cleaned_data["q"].strip() if form.is_valid() else ""
    kind, number = request.GET.get("in", ""), _page_number(request)
    hits = desk_search.search(text, request.user, kind=kind, page=number) if text else ()
    return render(request, "moderation/search.html", {"form": form, "found": hits})


@require_moderator
@require_safe
def in_force(request: PlayerRequest) -> HttpResponse:
    """List the measures in force, sorted by their end."""
    now, number = timezone.now(), _page_number(request)
    begin = (number - 1) * current_measures.A_PAGE
    sanctions = current_measures.find_sanctions_in_force(request.user, now)
    rows = list(sanctions[begin : begin + current_measures.A_PAGE + 1])
    context = {
        "sanctions": rows[: current_measures.A_PAGE],
        "page": number,
        "more": len(rows) > current_measures.A_PAGE,
        "stopped": current_measures.find_stopped_games(request.user, now) if number == 1 else (),
    }
    return render(request, "moderation/in_force.html", context)


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
@require_POST
def clear_profile(request: PlayerRequest, username: str) -> HttpResponse:
    """Remove a player's photo and line, with a reason that they are told."""
    player = get_object_or_404(Player, username=username)
    if player == request.user:
        raise PermissionDenied
    form = ClearProfileForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give a reason: the player reads it."))
    elif player.photo or player.about:
        why = form.cleaned_data["why"]
        acts.clear_profile(actor=request.user, player=player, why=why, now=timezone.now())
        messages.success(request, _("Done and logged, and we've told the player."))
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
    links = link_notices(page.rows, request.user)
    mails = [(notice, links.get(notice.pk)) for notice in page]
    context = {"player": player, "page": page, "mails": mails}
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
    recipients: list[str] | None = None
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(request.user, timezone.now())
        try:
            if "confirmed" in request.POST:
                named_things.rename(asked)
                messages.success(request, _("Done and logged, and we've told the player."))
                return redirect("moderation:desk_rename", kind, key)
            named_things.check_rename(asked)
            recipients = [player.username for player in named_things.list_recipients(thing)]
        except Refused as refused:
            form.add_error(None, refused.message)
            form.show_anew(thing)
    context = {"thing": thing, "title": named_things.format_title(thing), "form": form, "told": recipients}
    return render(request, "moderation/rename.html", context)


@require_moderator
@require_safe
def templates(request: PlayerRequest) -> HttpResponse:
    """The texts that moderators can send."""
    return render(request, "moderation/templates.html", {"templates": warning_templates.load_templates()})


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def template(request: PlayerRequest, name: str = "") -> HttpResponse:
    """Edit a text in every language, or add a new one."""
    if name and not warning_templates.has_template(name):
        raise Http404
    texts = warning_templates.load_templates().get(name, {}) if name else {}
    seen = warning_templates.find_last_change(name) if name else 0
    form = TemplateForm(name, texts, seen, request.POST.dict() if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            form.save(request.user, timezone.now())
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("The text is saved. What was sent before stays as it was sent."))
            return redirect("moderation:desk_templates")
    changes = WarningTemplate.objects.filter(name=name).select_related("who").order_by("-pk")[:CHANGES]
    context = {"name": name, "texts": texts, "form": form, "changes": changes if name else ()}
    return render(request, "moderation/template.html", context)


def _page_number(request: PlayerRequest) -> int:
    """The requested page; the first one if it is invalid."""
    asked = request.GET.get("page", "")
    return (
        min(max(int(asked), 1), FIRST_PAGES)
        if asked.isascii() and asked.isdecimal() and len(asked) < 9
        else 1
    )
