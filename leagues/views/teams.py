"""Views of teams: founding, joining, line-ups and matches."""

from collections.abc import Callable, Mapping
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import slows_guessing, slows_reading
from accounts.models import Player
from accounts.requests import HtmxRequest, PlayerRequest
from core.numerals import parse_key
from games.views.confirmation import ConfirmationQuestion, confirmation_required
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.forms.team import LineUpForm, TeamForm, TeamInviteForm
from leagues.models import Season, Team, TeamMatch
from leagues.seasons.teams.line_ups import plan_line_up
from leagues.seasons.teams.squads import require_team_rules
from leagues.selectors.board_records import BoardRecord, count_records
from leagues.selectors.own_team import (
    find_line_up_task,
    find_next_line_up,
    find_next_match,
    list_ready_members,
    list_short_boards,
    load_own_team,
)
from leagues.selectors.teams import (
    connect_match,
    load_members,
    load_squad,
    load_team_matches,
    load_teams,
    load_teams_with_places,
    prefetch_boards,
)
from leagues.views.decorators import show_refusals
from leagues.views.named_rows import get_division_or_404, get_player_or_404, get_season_or_404
from leagues.words import settings_text

Act = Callable[[PlayerRequest, Team], str]


@slows_reading
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: HtmxRequest, slug: str, number: int) -> HttpResponse:
    """All teams of a season, and a form to found one."""
    season = _season(slug, number)
    form = TeamForm(request.POST if request.method == "POST" else None)
    if form.is_bound and not isinstance(request.user, Player):
        return redirect("account_login")
    if form.is_bound and form.is_valid():
        try:
            made = seasons.found_team(
                season_id=season.pk,
                captain=cast("Player", request.user),
                name=form.cleaned_data["name"],
                now=timezone.now(),
            )
        except LeagueRefused as refused:
            form.add_error("name", refused.message)
        else:
            messages.success(request, _("Your team has been created. Invite players, or send them the link."))
            return redirect("league:team", slug, number, made.pk)
    context = {
        "league": season.league,
        "season": season,
        "teams": load_teams(season),
        "own": load_own_team(season, request.user, timezone.now()),
        "size": " ".join(map(season.settings.describe, ("boards", "most"))),
        "form": form,
    }
    return render(request, "leagues/team_list.html", context)


@slows_reading
@require_safe
def team(request: HtmxRequest, slug: str, number: int, key: int) -> HttpResponse:
    """Show a team, with the actions of its captain and players."""
    season, shown = _team(slug, number, key)
    user, now = request.user, timezone.now()
    squad, matches = load_squad(shown), load_team_matches(shown)
    records = count_records(matches)
    joined = sum(member.joined is not None for member in squad)
    leads = shown.is_led_by(user.pk)
    acts = leads and not season.is_over
    own = next((member for member in squad if member.player_id == user.pk), None)
    plays = own is not None and own.is_playing
    context = {
        "league": season.league,
        "season": season,
        "team": shown,
        "members": [
            (member, records.get(member.player_id, BoardRecord()))
            for member in squad
            if member.joined is not None or leads
        ],
        "joined": joined,
        "missing": require_team_rules(season).least - joined,
        "matches": matches,
        "acts": acts,
        "captains": acts and shown.captain_id == user.pk,
        "plays": plays and not season.is_over,
        "invited": season.is_open and own is not None and own.is_asked,
        "available": own is not None and own.available,
        "task": find_line_up_task(shown, user, now),
        "line_up": find_next_line_up(shown, matches, squad, leads=leads, now=now) if plays else None,
        "form": TeamInviteForm(),
        "link": request.build_absolute_uri(shown.get_join_url()) if acts else "",
    }
    return render(request, "leagues/team_page.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def line_up(request: PlayerRequest, slug: str, number: int, key: int) -> HttpResponse:
    """Let the captain set the line-up of the next match."""
    season, shown = _team(slug, number, key)
    if not shown.is_led_by(request.user.pk):
        raise Http404
    now = timezone.now()
    squad = load_squad(shown)
    members = list_ready_members(squad)
    context = {
        "league": season.league,
        "season": season,
        "team": shown,
        "members": members,
        "short": list_short_boards(shown, squad, now),
    }
    match = find_next_match(shown, now) if season.running else None
    if match is not None:
        plan = plan_line_up(shown, match, require_team_rules(season).boards)
        data = request.POST if request.method == "POST" else None
        form = LineUpForm(data, members=members, now=plan.players)
        if form.is_bound and form.is_valid():
            try:
                seasons.put_line_up(
                    match_id=match.pk,
                    team_id=shown.pk,
                    captain=request.user,
                    players=form.players,
                    now=now,
                )
            except LeagueRefused as refused:
                form.add_error(None, refused.message)
            else:
                messages.success(request, _("The line-up is set."))
                return redirect("league:line_up", slug, number, key)
        context |= {"match": match, "left": match.closes - now, "plan": plan, "form": form}
    return render(request, "leagues/team_line_up.html", context)


def _ask_before_leaving(slug: str, number: int, key: int, act: str) -> ConfirmationQuestion | None:
    if act not in ("leave", "withdraw"):
        return None
    _season_here, team = _team(slug, number, key)
    back = team.get_absolute_url()
    if act == "leave":
        title = _("Leave {team}?").format(team=team.name)
        consequence = _("You no longer play for this team, and you leave the season.")
        return ConfirmationQuestion(title, consequence, _("Yes, leave"), _("No, stay in"), back)
    title = _("Withdraw {team}?").format(team=team.name)
    consequence = _("The whole team leaves this season. The league's rules say what becomes of its matches.")
    return ConfirmationQuestion(title, consequence, _("Yes, withdraw"), _("No, stay in"), back)


@login_required
@require_POST
@confirmation_required(_ask_before_leaving)
@show_refusals
def act(request: PlayerRequest, slug: str, number: int, key: int, act: str) -> HttpResponse:
    """Perform one of ``ACTS`` on a team."""
    if act not in ACTS:
        raise Http404
    _season_here, shown = _team(slug, number, key)
    try:
        told = ACTS[act](request, shown)
    except LeagueRefused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, told)
    if not Team.objects.filter(pk=key).exists():
        return redirect("league:teams", slug, number)
    return redirect("league:line_up" if act == "substitute" else "league:team", slug, number, key)


@login_required
@slows_guessing
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: PlayerRequest, slug: str, number: int, token: str) -> HttpResponse:
    """Show the team of an invitation link, with its players and a button to join."""
    season = _season(slug, number)
    shown = get_object_or_404(season.teams.select_related("captain"), token=token)
    players = [member.player for member in load_members(shown) if member.joined is not None]
    if request.method == "POST":
        try:
            seasons.join_team(team_id=shown.pk, player=request.user, now=timezone.now(), token=token)
        except LeagueRefused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _("You're in this team."))
            return redirect("league:team", slug, number, shown.pk)
    context = {"team": shown, "players": players, "season": season, "league": season.league}
    return render(request, "leagues/team_join.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: PlayerRequest, slug: str, number: int, key: int) -> HttpResponse:
    """Let a player answer the invitation of a team."""
    season, shown = _team(slug, number, key)
    members = load_members(shown)
    own = next((member for member in members if member.player_id == request.user.pk), None)
    if own is None or own.invited is None:
        raise Http404
    if request.method == "POST":
        answer = {"accept": _join, "decline": _decline}.get(request.POST.get("answer", ""))
        if answer is None:
            return HttpResponseBadRequest("accept or decline")
        try:
            messages.success(request, answer(request, shown))
        except LeagueRefused as refused:
            messages.error(request, refused.message)
        return redirect("league:team", slug, number, key)
    context = {
        "league": season.league,
        "season": season,
        "team": shown,
        "member": own,
        "players": [member.player for member in members if member.joined is not None],
        "facts": [
            *settings_text.list_team_facts(season.settings),
            (_("Time"), season.settings.describe("clock")),
        ],
    }
    return render(request, "leagues/team_invitation.html", context)


@require_safe
def match(request: HtmxRequest, slug: str, number: int, level: int, round: int, match: int) -> HttpResponse:
    """A match of two teams, board by board."""
    division = get_division_or_404(slug, number, level)
    meetings = prefetch_boards(TeamMatch.objects.all())
    shown = get_object_or_404(meetings, division=division, round=round, number=match)
    season = division.season
    context = {
        "league": season.league,
        "season": season,
        "match": connect_match(shown, season),
        "may_settle": seasons.may_settle(season, request.user),
        "now": timezone.now(),
    }
    return render(request, "leagues/team_match.html", context)


def _invite(request: PlayerRequest, team: Team) -> str:
    seasons.invite(
        team_id=team.pk, captain=request.user, name=request.POST.get("name", ""), now=timezone.now()
    )
    return _("Invited: the invitation is on the league's page, and we've emailed it, too.")


def _join(request: PlayerRequest, team: Team) -> str:
    seasons.join_team(team_id=team.pk, player=request.user, now=timezone.now())
    return _("You're in this team.")


def _decline(request: PlayerRequest, team: Team) -> str:
    seasons.decline(team_id=team.pk, player=request.user, now=timezone.now())
    return _("You have declined the invitation.")


def _remove(request: PlayerRequest, team: Team) -> str:
    seasons.remove(
        team_id=team.pk, captain=request.user, player=get_player_or_404(request), now=timezone.now()
    )
    return _("Removed from the team.")


def _hand_over(request: PlayerRequest, team: Team) -> str:
    seasons.hand_over(
        team_id=team.pk, captain=request.user, player=get_player_or_404(request), now=timezone.now()
    )
    return _("The team has a new captain.")


def _name_vice_captain(request: PlayerRequest, team: Team) -> str:
    player = get_player_or_404(request) if request.POST.get("player") else None
    seasons.name_vice_captain(team_id=team.pk, captain=request.user, player=player, now=timezone.now())
    return _("The team has a new vice-captain.") if player else _("The team has no vice-captain now.")


def _new_link(request: PlayerRequest, team: Team) -> str:
    seasons.renew_link(team_id=team.pk, captain=request.user)
    return _("Here is a new link; the old one no longer works.")


def _available(request: PlayerRequest, team: Team) -> str:
    available = request.POST.get("available") == "yes"
    seasons.set_available(team_id=team.pk, player=request.user, available=available, now=timezone.now())
    return _("You can play again.") if available else _("Your captain can see that you can't play.")


def _substitute(request: PlayerRequest, team: Team) -> str:
    seasons.substitute(
        match_id=parse_key(request.POST.get("match")),
        team_id=team.pk,
        captain=request.user,
        player=get_player_or_404(request),
        now=timezone.now(),
    )
    return _("The substitute plays on.")


def _leave(request: PlayerRequest, team: Team) -> str:
    seasons.withdraw(season_id=team.season_id, player=request.user, now=timezone.now())
    return _("You have left the team.")


def _withdraw(request: PlayerRequest, team: Team) -> str:
    seasons.withdraw_team(team_id=team.pk, captain=request.user, now=timezone.now())
    return _("The team has withdrawn from this season.")


ACTS: Mapping[str, Act] = {
    "invite": _invite,
    "join": _join,
    "decline": _decline,
    "remove": _remove,
    "captain": _hand_over,
    "vice-captain": _name_vice_captain,
    "link": _new_link,
    "available": _available,
    "substitute": _substitute,
    "leave": _leave,
    "withdraw": _withdraw,
}


def _season(slug: str, number: int) -> Season:
    """The season, if teams play there."""
    season = get_season_or_404(slug, number)
    if not season.contenders.in_teams:
        raise Http404
    return season


def _team(slug: str, number: int, key: int) -> tuple[Season, Team]:
    team = get_object_or_404(
        load_teams_with_places(), season__league__slug=slug, season__number=number, pk=key
    )
    return team.season, team
