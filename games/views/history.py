"""Pages about the past of a game: its plies, its end, its score sheet, its draw."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest
from games.drawing.board import find_sprite_name
from games.forms.board import ShownSeatForm, StepForm, UntilForm
from games.pages.history.draw import build_context
from games.pages.history.final_scoring import build_final_scoring_page, build_step_url
from games.pages.history.ply import build_moment, build_scores
from games.pages.scene import Scene
from games.pages.scene.addresses import build_urls
from games.views.decorators import load_visible_game
from games.views.parts import vary_by_htmx


@slows_reading
@require_safe
def ply(request: HtmxRequest, code: str, ply: int) -> HttpResponse:
    """Show the board after that ply, and what happened in it."""
    game = load_visible_game(request, code)
    if game.started is None:
        return redirect("games:table", code)
    if to := _slid(request, build_urls(game).ply, game.ply):
        return to
    if ply > game.ply:
        raise Http404
    until = UntilForm(request.GET).of(ply, game.ply)
    page = build_moment(game, ply, request.user, until=until, show=request.GET.get("show", ""))
    return _moment(request, "games/board_ply.html", page)


@slows_reading
@require_safe
def end(request: HtmxRequest, code: str, step: int = 0) -> HttpResponse:
    """Show the final scoring: all features at once, or one step."""
    game = load_visible_game(request, code)
    if game.started is None or not game.ended:
        return redirect("games:table", code)
    page = build_final_scoring_page(game, request.user, step)
    if page is None:
        raise Http404
    slid = _slid(request, partial(build_step_url, page["urls"]), page["steps"].last)
    return slid or _moment(request, "games/board_end.html", page)


def _slid(request: HtmxRequest, address: Callable[[int], str], last: int) -> HttpResponse | None:
    """Return a redirect to the step chosen on the slider, if any."""
    slider = StepForm(request.GET)
    if not slider.is_valid():
        return None
    to = min(slider.cleaned_data["to"], last)
    until = UntilForm(request.GET).of(to, last)
    return redirect(address(to) + ("" if until is None else f"?until={until}"))


def _moment(request: HtmxRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    part = "#fresh" if request.htmx.target == "moment" else ""
    return vary_by_htmx(render(request, template + part, {"moment": page}))


@slows_reading
@require_safe
def scores(request: HtmxRequest, code: str) -> HttpResponse:
    """Show the score sheet: by turn and by kind, of all seats or of one."""
    game = load_visible_game(request, code)
    if game.started is None:
        return redirect("games:table", code)
    seat = ShownSeatForm(request.GET).of(game.places)
    return render(request, "games/board_scores.html", build_scores(Scene.of(game, request.user), seat))


@slows_reading
@require_safe
def draw(request: HtmxRequest, code: str) -> HttpResponse:
    """Show how the tiles' order was drawn, and check it once the game has ended."""
    game = load_visible_game(request, code)
    if game.started is None:
        return redirect("games:table", code)
    context = {**build_context(game, request.user), "sprite": static(find_sprite_name())}
    return render(request, "games/board_draw.html", context)
