"""Leagues: what there are, taking part, and how they stand."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import HtmxRequest, PlayerRequest
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.league import LeagueForm
from leagues.models import Division, League, Season
from leagues.pages import division as division_pages
from leagues.pages import league as pages
from leagues.pages import season as season_pages

Act = Callable[..., Any]


@require_safe
def leagues(request: HtmxRequest) -> HttpResponse:
    """All leagues."""
    may_found = request.user.has_perm(seasons.MAY_FOUND)
    context = {"leagues": pages.all_leagues(timezone.now()), "may_found": may_found}
    return render(request, "leagues/leagues.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found(request: PlayerRequest) -> HttpResponse:
    """Found a league, for who has the right; the others read whom to ask."""
    may_found = request.user.has_perm(seasons.MAY_FOUND)
    form = LeagueForm(request.POST if request.method == "POST" and may_found else None)
    if form.is_bound and form.is_valid() and form.settings is not None:
        named = {key: form.cleaned_data[key] for key in ("name", "text")}
        try:
            made = seasons.found(founder=request.user, settings=form.settings, now=timezone.now(), **named)
        except LeagueRefused as refused:
            form.add_error("name" if refused.code == "name_taken" else None, refused.message)
        else:
            messages.success(request, _("The league is founded, and registration is open."))
            return redirect("league:league", made.slug)
    context = {"form": form, "refusal": "" if may_found else LeagueRefused("may_not_found").message}
    return render(request, "leagues/found.html", context, status=200 if may_found else 403)


@require_safe
def league(request: HtmxRequest, slug: str) -> HttpResponse:
    """A league, its seasons, and what has been done in it."""
    shown = get_object_or_404(League.objects.select_related("founder"), slug=slug)
    return render(
        request, "leagues/league.html", {"page": pages.page_of(shown, request.user, timezone.now())}
    )


@require_safe
def log(request: HtmxRequest, slug: str) -> HttpResponse:
    """All that was done in a league."""
    shown = get_object_or_404(League, slug=slug)
    page, lines = pages.log_page(shown, request.GET.get("page"))
    return render(request, "leagues/log.html", {"league": shown, "page": page, "lines": lines})


@require_safe
def season(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """A season with the tables of its divisions."""
    shown = season_pages.page_of(_season(slug, number), timezone.now(), request.GET.get("page"))
    return render(request, "leagues/season.html", {"shown": shown, "page": shown.page})


@require_safe
def division(request: HtmxRequest, slug: str, number: int, level: int) -> HttpResponse:
    """A division: table, cross table, and the matches of a round."""
    divisions = Division.objects.select_related("season__league")
    shown = get_object_or_404(divisions, season__league__slug=slug, season__number=number, level=level)
    page = division_pages.page_of(shown, request.GET.get("round"))
    return render(request, "leagues/division.html", {"page": page, "league": shown.season.league})


@login_required
@require_POST
def register(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Take part in a season."""
    told = _("You are registered. The season begins by itself; you will find your games in your list.")
    return _done(request, _season(slug, number), seasons.register, told, now=timezone.now())


@login_required
@require_POST
def withdraw(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Leave a season."""
    told = _("You have withdrawn from this season.")
    return _done(request, _season(slug, number), seasons.withdraw, told, now=timezone.now())


@login_required
@require_POST
def stay(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Say whether to play the next season, too."""
    stays = request.POST.get("stays") == "yes"
    told = _("You will be registered for the next season, too.") if stays else _("You play this season only.")
    return _done(request, _season(slug, number), seasons.stay, told, stays=stays)


def _done(request: PlayerRequest, season: Season, act: Act, told: str, **more: Any) -> HttpResponse:
    """What a player does about *season*, and what is said then; whoever did it stands before the league."""
    try:
        act(season_id=season.pk, player=request.user, **more)
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, told)
    return redirect("league:league", season.league.slug)


def _season(slug: str, number: int) -> Season:
    return get_object_or_404(Season.objects.select_related("league"), league__slug=slug, number=number)
