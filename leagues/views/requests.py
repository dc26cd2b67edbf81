"""Views of requests to organisers, and of answers."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.references import show_rows
from accounts.requests import PlayerRequest
from games.exceptions import Refused, TooMany
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.requests import AskForm, RequestAnswerForm
from leagues.models import League, OrganiserRequest, RequestKind
from leagues.selectors.leagues import load_organisers, load_own_requests

SHOWN = 20


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: PlayerRequest, slug: str) -> HttpResponse:
    """Send a request to the organisers; the page lists the player's earlier ones with answers."""
    league = get_object_or_404(League, slug=slug)
    form = AskForm(request.POST if request.method == "POST" else None)
    status = HTTPStatus.OK
    if form.is_bound and form.is_valid():
        kind, text = RequestKind(form.cleaned_data["kind"]), form.cleaned_data["text"]
        try:
            seasons.ask(league=league, player=request.user, kind=kind, text=text, now=timezone.now())
        except (LeagueRefused, Refused) as refused:
            form.add_error(None, refused.message)
            status = HTTPStatus.TOO_MANY_REQUESTS if isinstance(refused, TooMany) else status
        else:
            asked = (
                _("We've told the organisers. You'll get their answer by email.")
                if league.find_acting_organisers(timezone.now()).exists()
                else _("We've told the site's team, who look after this league. Their answer comes by email.")
            )
            messages.success(request, asked)
            return redirect("league:ask", slug)
    context = {
        "league": league,
        "form": form,
        "organisers": load_organisers(league),
        "requests": show_rows(load_own_requests(league, request.user)[:SHOWN]),
    }
    return render(request, "leagues/ask.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: PlayerRequest, slug: str, key: int) -> HttpResponse:
    """Answer a request, for organisers."""
    asked = get_object_or_404(
        OrganiserRequest.objects.select_related("league", "player", "answered_by"), league__slug=slug, pk=key
    )
    if not seasons.may_organise(asked.league, request.user):
        raise PermissionDenied
    form = RequestAnswerForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            seasons.answer(
                request_id=asked.pk, who=request.user, text=form.cleaned_data["text"], now=timezone.now()
            )
        except LeagueRefused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("Your answer is on its way."))
            return redirect("league:desk", slug)
    (shown,) = show_rows([asked])
    context = {"league": asked.league, "form": form, "asked": shown}
    return render(request, "leagues/answer.html", context)
