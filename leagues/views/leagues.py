"""Leagues: what there are, taking part, and how they stand."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest, PlayerRequest
from games.views.confirmation import Question, confirmed
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.league import LeagueForm
from leagues.models import Division, Kind, League, Season
from leagues.pages import bracket as bracket_pages
from leagues.pages import division as division_pages
from leagues.pages import ladder as ladder_pages
from leagues.pages import league as pages
from leagues.pages import season as season_pages
from leagues.pages import team_tables
from leagues.pages.standings_picture import picture_url
from leagues.selectors.leagues import with_founder
from leagues.views.decorators import limits_told

Act = Callable[..., Any]


@slows_reading
@require_safe
def leagues(request: HtmxRequest) -> HttpResponse:
    """All leagues, or those that are searched, page by page."""
    searched = request.GET.get("q", "").strip()[:60]
    shown = pages.all_leagues(timezone.now(), searched, request.GET.get("page"))
    may_found = request.user.has_perm(seasons.MAY_FOUND)
    context = {"leagues": shown, "page": shown.page, "may_found": may_found}
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
            form.add_error("name" if refused.code in ("name_taken", "no_name") else None, refused.message)
        else:
            messages.success(request, _("Your league has been created, and registration is open."))
            return redirect("league:league", made.slug)
    context = {"form": form, "refusal": "" if may_found else LeagueRefused("may_not_found").message}
    return render(request, "leagues/found.html", context, status=200 if may_found else 403)


@slows_reading
@require_safe
def league(request: HtmxRequest, slug: str) -> HttpResponse:
    """A league, its seasons, and what has been done in it."""
    shown = get_object_or_404(with_founder(request.user), slug=slug)
    return render(
        request, "leagues/league.html", {"page": pages.page_of(shown, request.user, timezone.now())}
    )


@slows_reading
@require_safe
def log(request: HtmxRequest, slug: str) -> HttpResponse:
    """All that was done in a league."""
    shown = get_object_or_404(League, slug=slug)
    page, lines = pages.log_page(shown, request.GET.get("page"))
    return render(request, "leagues/log.html", {"league": shown, "page": page, "lines": lines})


@slows_reading
@require_safe
def season(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """A season with the tables of its divisions."""
    now, page = timezone.now(), request.GET.get("page")
    shown = season_pages.page_of(_season(slug, number), request.user, now, page)
    picture = picture_url(shown.first) if shown.first else ""
    return render(request, "leagues/season.html", {"shown": shown, "page": shown.page, "picture": picture})


@slows_reading
@require_safe
def division(request: HtmxRequest, slug: str, number: int, level: int) -> HttpResponse:
    """A division: table, cross table, and the matches of a round; or a knock-out, or a ladder."""
    divisions = Division.objects.select_related("season__league")
    shown = get_object_or_404(divisions, season__league__slug=slug, season__number=number, level=level)
    league = shown.season.league
    if shown.season.settings.teams is not None and shown.kind == Kind.TABLE:
        teams = team_tables.division_page(shown, pages.season_name(shown.season), request.GET.get("round"))
        return render(request, "leagues/team_division.html", {"page": teams, "league": league})
    if shown.kind == Kind.KNOCK_OUT:
        bracket = bracket_pages.page_of(shown)
        return render(request, "leagues/bracket.html", {"page": bracket, "league": league})
    if shown.kind == Kind.LADDER:
        ladder = ladder_pages.page_of(shown, request.user, timezone.now())
        return render(request, "leagues/ladder.html", {"page": ladder, "league": league})
    page = division_pages.page_of(shown, request.GET.get("round"), request.user)
    visitor = request.user
    settles = shown.season.running and visitor.is_authenticated and seasons.may_organise(league, visitor)
    context = {"page": page, "league": league, "may_settle": settles, "picture": picture_url(shown)}
    return render(request, "leagues/division.html", context)


@login_required
@require_POST
def register(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Take part in a season."""
    told = _("You're registered. The season starts automatically; you'll find your games under “My games”.")
    shown = _season(slug, number)
    if shown.running:
        told = _("You're at the bottom of the ladder and can challenge players above you.")
    return _done(request, shown, seasons.register, told, now=timezone.now())


@login_required
@require_POST
def join(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Join a season that runs."""
    told = _("You're in. Your games start automatically; you'll find them under “My games”.")
    return _done(request, _season(slug, number), seasons.join, told, now=timezone.now())


@login_required
@require_POST
def wait(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Wait for a place, in the next season or as a substitute, or wait no more."""
    shown = _season(slug, number)
    following, substitute = (request.POST.get(name) == "yes" for name in ("following", "substitute"))
    if not (following or substitute):
        return _done(request, shown, seasons.stop_waiting, _("You're no longer waiting for a place."))
    told = _("You're waiting for a place.") if following else _("You're ready to substitute.")
    wished = {"following": following, "substitute": substitute}
    return _done(request, shown, seasons.wait, told, now=timezone.now(), **wished)


def _ask_before_withdrawing(slug: str, number: int) -> Question:
    season = _season(slug, number)
    return Question(
        _("Withdraw from {league}?").format(league=season.league.name),
        _("You leave this season. The league's rules say what becomes of your games."),
        _("Yes, withdraw"),
        _("No, stay in"),
        reverse("league:league", args=[slug]),
    )


@login_required
@require_POST
@confirmed(_ask_before_withdrawing)
def withdraw(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Leave a season."""
    told = _("You've withdrawn from this season.")
    return _done(request, _season(slug, number), seasons.withdraw, told, now=timezone.now())


@login_required
@require_POST
def stay(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Say whether to play the next season, too."""
    stays = request.POST.get("stays") == "yes"
    told = (
        _("You will be registered for the next season, too.")
        if stays
        else _("You're only playing this season.")
    )
    return _done(request, _season(slug, number), seasons.stay, told, stays=stays)


@login_required
@require_POST
@limits_told
def challenge(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Challenge somebody on a ladder."""
    shown = _season(slug, number)
    asked = request.POST.get("player", "")
    challenged = get_object_or_404(Player, pk=asked if asked.isdecimal() and len(asked) < 19 else 0)
    try:
        seasons.challenge(season_id=shown.pk, player=request.user, challenged=challenged, now=timezone.now())
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("You've made the challenge, and the first game has started."))
    division = shown.divisions.order_by("level").first()
    if division is None:
        return redirect("league:season", slug, number)
    return redirect("league:division", slug, number, division.level)


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
