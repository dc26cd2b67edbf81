"""Views for planning the next turn. Players who can't plan are redirected to the board."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import PlayerRequest
from games.exceptions import Refused
from games.forms.board import PlanForm, PlanOrderForm
from games.models import Game
from games.pages.inspection import layers
from games.pages.scene import Scene
from games.pages.turn.draft import build_turn_query
from games.pages.turn.planner import build_plan_url, build_planner, list_spaces_open_to_others
from games.play import plans
from games.rules import Place, Placement
from games.views.board import read_known_version, read_page_query
from games.views.decorators import players_only, post_only, show_refusals
from games.views.parts import vary_by_htmx
from games.views.turns import require_seat


@players_only
def plan(request: PlayerRequest, game: Game, at: str = "") -> HttpResponse:
    """Show the planner, with the part of a turn that the query string has; or add the submitted plan.

    *at* is the space where somebody else must have played first.
    """
    try:
        after = layers.parse_place(at) if at else None
    except layers.NothingThere:
        raise Http404 from None
    if request.method == "POST":
        return _add(request, game, after)
    news = request.htmx and "since" in request.GET
    if news and read_known_version(game, request.GET["since"]) == game.version:
        return vary_by_htmx(HttpResponse(status=HTTPStatus.NO_CONTENT))
    scene = Scene.of(game, request.user)
    if not scene.may_plan:
        return HttpResponseClientRedirect(scene.urls.table) if request.htmx else redirect(scene.urls.table)
    if after is not None and after not in list_spaces_open_to_others(scene):
        url = scene.urls.plan
        return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
    asking = read_page_query(request) if news else request.GET.dict()
    shown = build_planner(scene, asking, after=after, choosing=asking.get("choose") == "space")
    part = {"turn": "#step", "table": "#planner"}.get(request.htmx.target or "", "")
    return vary_by_htmx(render(request, f"games/board_plan.html{part}", {"planner": shown}))


def _add(request: PlayerRequest, game: Game, after: tuple[int, int] | None) -> HttpResponse:
    """Add the submitted turn to the plans. A refused one is shown on the board again, with the reason."""
    scene = Scene.of(game, request.user)
    page = build_plan_url(scene, after)
    form = PlanForm(request.POST)
    place = form.action(None) if form.is_valid() else None
    if not isinstance(place, Place):
        messages.error(request, form.complaint or _("Only placing a tile can be planned."))
        return redirect(page)
    try:
        plans.make(
            game_id=game.pk,
            seat=require_seat(request, game).index,
            place=place,
            any_tile=form.cleaned_data["any_tile"],
            after=after,
            expected_version=form.cleaned_data["version"],
            now=timezone.now(),
        )
    except Refused as refused:
        messages.error(request, refused.message)
        placement = Placement(place.x, place.y, place.rotation)
        return redirect(page + build_turn_query(placement, place.figure, decided=True, tile=place.tile))
    messages.success(request, _("Your plan is saved. Only you can see it."))
    return redirect(scene.urls.plan)


@players_only
@post_only
@show_refusals
def change(request: PlayerRequest, game: Game) -> HttpResponse:
    """Move a plan up in the order of trial, or remove it."""
    form = PlanOrderForm(request.POST)
    if form.is_valid():
        act = plans.move_up if form.cleaned_data["do"] == "up" else plans.remove
        act(game_id=game.pk, seat=require_seat(request, game).index, plan=form.cleaned_data["plan"])
    return redirect("games:plan", game.code)
