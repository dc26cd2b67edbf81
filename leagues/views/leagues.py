"""Views of leagues, seasons and divisions, and of taking part in them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest, PlayerRequest
from core.numerals import parse_key
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.league import LeagueForm
from leagues.models import League, Phase, Season
from leagues.seasons.admission import build_join_token
from leagues.selectors.archive import load_season_champions
from leagues.selectors.coming_steps import build_steps
from leagues.selectors.leagues import (
    ALIVE,
    count_later_log_entries,
    find_latest_announcement,
    find_leagues,
    find_own_entry,
    load_current_seasons,
    load_latest_seasons,
    load_log,
    load_organisers,
    load_registered,
    load_tables,
    load_with_founder,
    read_log,
)
from leagues.selectors.memberships import find_membership
from leagues.selectors.own_season import load_own_season
from leagues.selectors.own_team import load_own_team
from leagues.selectors.protests import load_division_notes, load_season_notes
from leagues.selectors.taking import find_ways_to_take_part
from leagues.selectors.teams import load_teams
from leagues.settings import Admission
from leagues.views.decorators import show_refusals
from leagues.views.named_rows import get_division_or_404, get_player_or_404, get_season_or_404

Act = Callable[..., Any]
LEAGUES_PAGE = 30
LOG_PAGE = 50
LATEST = 10
"""Entries of the log on the page of a league."""
EARLIER = 5
MOST_NAMED = 60
"""Registered players on the page of a league."""
DIVISIONS = 10
PLAYERS = 100


@slows_reading
@require_safe
def leagues(request: HtmxRequest) -> HttpResponse:
    """List all leagues, or those that match a search."""
    searched = request.GET.get("q", "").replace("\0", "").strip()[:60]  # PostgreSQL takes no NUL
    page = Paginator(find_leagues(searched), LEAGUES_PAGE).get_page(request.GET.get("page"))
    seasons_now = load_current_seasons(page)
    lines = [(league, seasons_now.get(league.pk)) for league in page]
    context = {
        "searched": searched,
        "page": page,
        "open": [line for line in lines if line[1] is not None and line[1].is_open],
        "running": [line for line in lines if line[1] is not None and line[1].running],
        "closed": [line for line in lines if line[1] is None],
        "may_found": request.user.has_perm(seasons.MAY_FOUND),
        "now": timezone.now(),
    }
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
    visitor, now = request.user, timezone.now()
    latest = load_latest_seasons(shown, EARLIER + 1)
    current = next((season for season in latest if season.phase in ALIVE), None)
    own = find_membership(latest[0], visitor) if latest else None
    teams = load_own_team(current, visitor, now) if current and current.contenders.in_teams else None
    organises = shown.organised or visitor.is_superuser  # type: ignore[attr-defined]
    context = {
        "league": shown,
        "organisers": load_organisers(shown),
        "organises": organises,
        "current": current,
        "settings": (current or shown).settings,
        "you": load_own_season(own, teams, visitor, now) if own is not None else None,
        "teams": teams,
        "link": _build_join_link(request, shown, current) if organises else "",
        "announcement": find_latest_announcement(shown),
        "seasons": [season for season in latest if season is not current],
        "log": read_log(load_log(shown)[:LATEST]),
        "now": now,
    }
    if current is None and latest and not shown.settings.again:
        context["champions"] = load_season_champions(latest[0])
    if current is not None:
        token = _token(request.GET)
        context["taking"] = find_ways_to_take_part(current, visitor, own, now, token)
        context["coming"] = build_steps(current, own)
        if current.is_open and teams is None:
            context["players"] = players = load_registered(current)[:MOST_NAMED]
            context["more"] = current.players - len(players)  # type: ignore[attr-defined]
    return render(request, "leagues/league.html", context)


def _build_join_link(request: HtmxRequest, league: League, current: Season | None) -> str:
    """Return the link to register that organisers give to players; empty where none is required."""
    if (current or league).settings.admission != Admission.LINK:
        return ""
    return request.build_absolute_uri(f"{league.get_absolute_url()}?token={build_join_token(league.pk)}")


@slows_reading
@require_safe
def log(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the log of a league."""
    shown = get_object_or_404(League, slug=slug)
    visitor = request.user
    private = visitor.is_authenticated and seasons.may_organise(shown, visitor)
    number = request.GET.get("page") or _find_log_page(shown, request.GET.get("entry"))
    page = Paginator(load_log(shown), LOG_PAGE).get_page(number)
    context = {"league": shown, "page": page, "log": read_log(page, private=private)}
    return render(request, "leagues/log.html", context)


def _find_log_page(league: League, asked: str | None) -> int:
    """Return the number of the page of the log with the entry of primary key *asked*; 1 if there is none."""
    key = parse_key(asked)
    return count_later_log_entries(league, key) // LOG_PAGE + 1 if key else 1


@slows_reading
@require_safe
def season(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """A season with the tables of its divisions."""
    shown, now = get_season_or_404(slug, number), timezone.now()
    in_teams = shown.contenders.in_teams
    context: dict[str, Any] = {
        "league": shown.league,
        "season": shown,
        "now": now,
        "notes": load_season_notes(shown, now),
        "champions": load_season_champions(shown),
    }
    if in_teams or shown.phase in (Phase.RUNNING, Phase.CLOSED):
        context["page"] = page = Paginator(load_tables(shown), DIVISIONS).get_page(request.GET.get("page"))
        context["tables"] = [(division, division.format.list_rows(division)) for division in page]
        if in_teams and not page:
            context["teams"] = load_teams(shown)
    else:
        page_of_entries = Paginator(load_registered(shown), PLAYERS).get_page(request.GET.get("page"))
        context |= {"page": page_of_entries, "entries": list(page_of_entries)}
    if not in_teams:
        own = find_own_entry(shown, request.user)
        context["taking"] = find_ways_to_take_part(shown, request.user, own, now)
    return render(request, "leagues/season.html", context)


@slows_reading
@require_safe
def division(request: HtmxRequest, slug: str, number: int, level: int) -> HttpResponse:
    """A division: table, cross table, and the matches of a round; or a knock-out, or a ladder."""
    shown = get_division_or_404(slug, number, level)
    page = shown.format.load_page(shown, request.GET.get("round"), request.user, timezone.now())
    common = {
        "league": shown.season.league,
        "may_settle": seasons.may_settle(shown.season, request.user),
        "notes": load_division_notes(shown, timezone.now()),
        "division": shown,
    }
    return render(request, shown.format.template, common | page)


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
        season.league.get_absolute_url(),
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
