"""Views of the organisers' desk, with previews of acts."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts.references import show_rows
from accounts.requests import HtmxRequest, PlayerRequest
from games.exceptions import Refused, TooMany
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.desk import ACTS, OrganiserActForm
from leagues.models import League
from leagues.selectors.desk import find_current_season, lets_players_in, list_offers, load_desk
from leagues.selectors.leagues import load_announcements, load_organisers

A_PAGE = 20


@login_required
@require_safe
def desk(request: PlayerRequest, slug: str) -> HttpResponse:
    """Show the matters that need an organiser."""
    league, now = _get_organised_league(request, slug), timezone.now()
    season = find_current_season(league)
    context = {
        "league": league,
        "season": season,
        "now": now,
        "matters": load_desk(league, season, now),
        "lets_players_in": season is not None
        and (season.settings.latecomers if season.running else lets_players_in(season)),
        "offers": list_offers(season) if season is not None else [],
        "organisers": load_organisers(league),
    }
    return render(request, "leagues/desk.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: PlayerRequest, slug: str, act: str) -> HttpResponse:
    """Show the form of an organiser's act, preview its effects, and perform it when confirmed."""
    league = _get_organised_league(request, slug)
    if act not in ACTS:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    try:
        form = ACTS[act](league, find_current_season(league), request.user, request.GET.dict(), sent)
    except LeagueRefused as refused:
        messages.error(request, refused.message)
        return redirect("league:desk", slug)
    effects: list[str] = []
    version = ""
    status = HTTPStatus.OK
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        try:
            if "confirmed" in request.POST:
                form.perform(request.POST.get("version", ""), timezone.now())
                messages.success(request, str(form.done))
                return redirect("league:desk", slug)
            effects, version = form.effects(), form.preview()
        except (LeagueRefused, Refused) as refused:
            form.add_error(None, refused.message)
            if isinstance(refused, TooMany):
                status = HTTPStatus.TOO_MANY_REQUESTS
    context = _context(league, form, effects) | {"version": version}
    return render(request, "leagues/act.html", context, status=status)


@require_safe
def announcements(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the announcements of a league."""
    league = get_object_or_404(League, slug=slug)
    page = Paginator(load_announcements(league), A_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "page": page, "announcements": show_rows(page)}
    return render(request, "leagues/announcements.html", context)


def _get_organised_league(request: PlayerRequest, slug: str) -> League:
    """The league, if the player organises it."""
    league = get_object_or_404(League, slug=slug)
    if not seasons.may_organise(league, request.user):
        raise PermissionDenied
    return league


def _context(league: League, form: OrganiserActForm, effects: list[str]) -> dict[str, object]:
    return {"league": league, "form": form, "effects": effects, "asked": form.is_bound and bool(effects)}
