"""Views of leagues, seasons and divisions, and of taking part in them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest, PlayerRequest
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.league import LeagueForm
from leagues.models import Kind, League, Season
from leagues.pages import bracket as bracket_pages
from leagues.pages import division as division_pages
from leagues.pages import ladder as ladder_pages
from leagues.pages import league as pages
from leagues.pages import season as season_pages
from leagues.pages.membership import build_membership
from leagues.pages.penalties import build_penalty_url
from leagues.pages.protests import build_division_notes, build_season_notes
from leagues.pages.standings_picture import build_picture_url
from leagues.selectors.leagues import load_with_founder
from leagues.views.decorators import show_refusals
from leagues.views.named_rows import get_division_or_404, get_player_or_404, get_season_or_404

Act = Callable[..., Any]


@slows_reading
@require_safe
def leagues(request: HtmxRequest) -> HttpResponse:
    """List all leagues, or those that match a search."""
    searched = request.GET.get("q", "").replace("\0", "").strip()[:60]  # PostgreSQL takes no NUL
    shown = pages.build_leagues(timezone.now(), searched, request.GET.get("page"))
    may_found = request.user.has_perm(seasons.MAY_FOUND)
    context = {"leagues": shown, "page": shown.page, "may_found": may_found}
    return render(request, "leagues/leagues.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def found_league(request: PlayerRequest) -> HttpResponse:
    """Found a league; players without the permission learn whom to ask."""
    may_found = request.user.has_perm(seasons.MAY_FOUND)
    preview = "preview" in request.POST
    form = LeagueForm(request.POST if request.method == "POST" and may_found else None, calendar_only=preview)
    if form.is_bound and form.is_valid() and form.settings is not None and not preview:
        named = {key: form.cleaned_data[key] for key in ("name", "text")}
        named |= {"begins": form.first_beginning, "settings": form.settings}
        try:
            made = seasons.found_league(founder=request.user, now=timezone.now(), **named)
        except LeagueRefused as refused:
            form.add_error("name" if refused.code in ("name_taken", "no_name") else None, refused.message)
        else:
            messages.success(request, _("Your league has been created, and registration is open."))
            return redirect("league:league", made.slug)
    context = {"form": form, "refusal": "" if may_found else LeagueRefused("may_not_found").message}
    template = "leagues/found.html#founding" if request.htmx and preview else "leagues/found.html"
    return render(request, template, context, status=200 if may_found else 403)


@slows_reading
@require_safe
def league(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a league, its seasons, and its latest acts."""
    shown = get_object_or_404(load_with_founder(request.user), slug=slug)
    now = timezone.now()
    page = pages.build_page(shown, request.user, now, _token(request.GET))
    you = build_membership(page, request.user, now)
    link = request.build_absolute_uri(page.join_url) if page.join_url else ""
    return render(request, "leagues/league.html", {"page": page, "you": you, "link": link})


@slows_reading
@require_safe
def log(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the log of a league."""
    shown = get_object_or_404(League, slug=slug)
    visitor = request.user
    private = visitor.is_authenticated and seasons.may_organise(shown, visitor)
    number = request.GET.get("page") or pages.find_log_page(shown, request.GET.get("entry"))
    page, lines = pages.build_log_page(shown, number, private=private)
    return render(request, "leagues/log.html", {"league": shown, "page": page, "lines": lines})


@slows_reading
@require_safe
def season(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """A season with the tables of its divisions."""
    now, page = timezone.now(), request.GET.get("page")
    shown = season_pages.build_page(get_season_or_404(slug, number), request.user, now, page)
    picture = build_picture_url(shown.first) if shown.first else ""
    notes = build_season_notes(shown.season, now)
    context = {"shown": shown, "page": shown.page, "picture": picture, "notes": notes}
    return render(request, "leagues/season.html", context)


@slows_reading
@require_safe
def division(request: HtmxRequest, slug: str, number: int, level: int) -> HttpResponse:
    """A division: table, cross table, and the matches of a round; or a knock-out, or a ladder."""
    shown = get_division_or_404(slug, number, level)
    common = {
        "league": shown.season.league,
        "may_settle": seasons.may_settle(shown.season, request.user),
        "notes": build_division_notes(shown, timezone.now()),
        "penalty_url": build_penalty_url(shown),
    }
    if shown.kind == Kind.KNOCK_OUT:
        bracket = bracket_pages.build_page(shown)
        return render(request, "leagues/bracket.html", {"page": bracket, **common})
    if shown.kind == Kind.LADDER:
        ladder = ladder_pages.build_page(shown, request.user, timezone.now())
        return render(request, "leagues/ladder.html", {"page": ladder, **common})
    page = division_pages.build_page(shown, request.GET.get("round"), request.user)
    context = {"page": page, "picture": build_picture_url(shown), **common}
    return render(request, "leagues/division.html", context)


@login_required
@require_POST
def register(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Register the player for a season."""
    told = _("You're registered. The season starts automatically; you'll find your games under “My games”.")
    shown = get_season_or_404(slug, number)
    if shown.running:
        told = _("You're at the bottom of the ladder and can challenge players above you.")
    return _perform_act(
        request, shown, seasons.register, told, now=timezone.now(), token=_token(request.POST)
    )


@login_required
@require_POST
def join(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Let the player join a running season."""
    told = _("You're in. Your games start automatically; you'll find them under “My games”.")
    joined = {"now": timezone.now(), "token": _token(request.POST)}
    return _perform_act(request, get_season_or_404(slug, number), seasons.join, told, **joined)


@login_required
@require_POST
def wait(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Put the player on the waiting list, for the next season or as a substitute, or remove them from it."""
    shown = get_season_or_404(slug, number)
    following, substitute = (request.POST.get(name) == "yes" for name in ("following", "substitute"))
    if not (following or substitute):
        return _perform_act(request, shown, seasons.stop_waiting, _("You're no longer waiting for a place."))
    told = _("You're waiting for a place.") if following else _("You're ready to substitute.")
    wished = {"following": following, "substitute": substitute, "token": _token(request.POST)}
    return _perform_act(request, shown, seasons.wait, told, now=timezone.now(), **wished)


def _ask_before_withdrawing(slug: str, number: int) -> ConfirmationQuestion:
    season = get_season_or_404(slug, number)
    return ConfirmationQuestion(
        _("Withdraw from {league}?").format(league=season.league.name),
        _("You leave this season. The league's rules say what becomes of your games."),
        _("Yes, withdraw"),
        _("No, stay in"),
        reverse("league:league", args=[slug]),
    )


@login_required
@require_POST
@confirmation_required(_ask_before_withdrawing)
def withdraw(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Withdraw the player from a season."""
    told = _("You've withdrawn from this season.")
    return _perform_act(request, get_season_or_404(slug, number), seasons.withdraw, told, now=timezone.now())


@login_required
@require_POST
def stay(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Set whether the player plays the next season, too."""
    stays = request.POST.get("stays") == "yes"
    told = (
        _("You will be registered for the next season, too.")
        if stays
        else _("You're only playing this season.")
    )
    return _perform_act(request, get_season_or_404(slug, number), seasons.stay, told, stays=stays)


@login_required
@require_POST
@show_refusals
def challenge(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Challenge a player on a ladder."""
    shown = get_season_or_404(slug, number)
    challenged = get_player_or_404(request)
    try:
        made = seasons.challenge(
            season_id=shown.pk, player=request.user, challenged=challenged, now=timezone.now()
        )
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        if made.declined:
            messages.info(request, _("This challenge counts as declined, so nobody moves."))
        else:
            messages.success(request, _("You've made the challenge, and the first game has started."))
    return _redirect_to_ladder(shown)


def _ask_before_declining(slug: str, number: int) -> ConfirmationQuestion:
    return ConfirmationQuestion(
        _("Decline this challenge?"),
        _(
            "The game ends. If you've already declined as many challenges as the league allows in a season, "
            "your challenger takes your place."
        ),
        _("Yes, decline"),
        _("No, keep playing"),
        reverse("league:season", args=[slug, number]),
    )


@login_required
@require_POST
@confirmation_required(_ask_before_declining)
def decline_challenge(request: PlayerRequest, slug: str, number: int) -> HttpResponse:
    """Decline the challenge to the player."""
    shown = get_season_or_404(slug, number)
    try:
        seasons.decline_challenge(season_id=shown.pk, player=request.user, now=timezone.now())
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("You've declined the challenge."))
    return _redirect_to_ladder(shown)


def _redirect_to_ladder(season: Season) -> HttpResponse:
    division = season.divisions.order_by("level").first()
    if division is None:
        return redirect("league:season", season.league.slug, season.number)
    return redirect("league:division", season.league.slug, season.number, division.level)


def _perform_act(request: PlayerRequest, season: Season, act: Act, told: str, **more: Any) -> HttpResponse:
    """Call the service *act* for the player, add a message, and redirect to the league."""
    try:
        act(season_id=season.pk, player=request.user, **more)
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, told)
    return redirect("league:league", season.league.slug)


def _token(sent: QueryDict) -> str:
    return sent.get("token", "")[:100]
