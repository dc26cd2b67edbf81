"""Views that inspect a board: a feature, open space or quarter, lists of all, and overlays."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest
from games.models import Game
from games.pages.board import build_board_page
from games.pages.history.ply import build_moment, load_scene
from games.pages.inspection import facts, layers
from games.pages.inspection.layers import NothingThere, QuarterTarget, Target
from games.pages.scene import Scene
from games.views.decorators import load_visible_game
from games.views.parts import vary_by_htmx

KEPT_FOR = 24 * 60 * 60


def or_404(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view of a place on the board to answer 404 if nothing is there."""

    @wraps(view)
    def respond(request: HtmxRequest, code: str, *args: str, **kwargs: str) -> HttpResponse:
        try:
            return view(request, code, *args, **kwargs)
        except NothingThere as error:
            raise Http404 from error

    return respond


@slows_reading
@require_safe
def layer(request: HtmxRequest, code: str) -> HttpResponse:
    """Return the links over the board; the address has the version, so browsers may cache them."""
    scene = _scene(request, code)
    drawn = layers.draw_link_layer(scene, by_keyboard="keys" in request.GET)
    response = HttpResponse(drawn)
    if request.GET.get("v") == str(scene.game.version):
        patch_cache_control(response, private=True, max_age=KEPT_FOR)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


@slows_reading
@require_safe
def show(request: HtmxRequest, code: str, show: str) -> HttpResponse:
    """Show an overlay on the board, and its switches."""
    game, ply = _load_game_and_ply(request, code)
    shown = layers.build_inspection(load_scene(game, request.user, ply), show)
    if not request.htmx:
        on = next((switch for switch in shown.switches if switch.on), None)
        return redirect(f"{shown.close_url}?show={on.name}" if on else shown.close_url)
    return vary_by_htmx(render(request, "games/_inspect.html#switched", {"inspection": shown}))


@slows_reading
@require_safe
@or_404
def feature(request: HtmxRequest, code: str, at: str, on: str, side: str | None = None) -> HttpResponse:
    """Show a feature, highlighted on the board, with its facts."""
    return _look(request, code, layers.parse_spot(at, on, side))


@slows_reading
@require_safe
@or_404
def space(request: HtmxRequest, code: str, at: str) -> HttpResponse:
    """Show an open space and the tiles that fit it, or the tile that lies there."""
    return _look(request, code, layers.parse_place(at))


@slows_reading
@require_safe
@or_404
def quarter(request: HtmxRequest, code: str, quarter: str) -> HttpResponse:
    """Show a quarter of Carcassonne, and the figures in it."""
    return _look(request, code, QuarterTarget(quarter))


@slows_reading
@require_safe
def features(request: HtmxRequest, code: str) -> HttpResponse:
    """Show tables of all features and open spaces."""
    scene = _scene(request, code)
    context = {
        "game": scene.game,
        "scene": scene,
        "rows": facts.list_feature_rows(scene),
        "spaces": facts.list_space_rows(scene),
    }
    return vary_by_htmx(render(request, "games/features.html", context))


def _load_game_and_ply(request: HtmxRequest, code: str) -> tuple[Game, int | None]:
    """Return the game, and the ply in the query string; ``None`` for now."""
    game = load_visible_game(request, code)
    ply = request.GET.get("ply", "")
    if game.started is None or (ply and not (ply.isdecimal() and len(ply) < 6 and int(ply) <= game.ply)):
        raise Http404
    return game, int(ply) if ply else None


def _scene(request: HtmxRequest, code: str) -> Scene:
    game, ply = _load_game_and_ply(request, code)
    return load_scene(game, request.user, ply)


def _look(request: HtmxRequest, code: str, target: Target) -> HttpResponse:
    """Render the page of the board with *target* highlighted; for htmx only the highlight and the facts."""
    game, ply = _load_game_and_ply(request, code)
    if request.htmx:
        inspection = layers.build_inspection(load_scene(game, request.user, ply), target=target)
        return vary_by_htmx(render(request, "games/_inspect.html#told", {"inspection": inspection}))
    if ply is None:
        table = build_board_page(Scene.of(game, request.user), {}, target=target)
        return vary_by_htmx(render(request, "games/board.html", {"table": table}))
    past = build_moment(game, ply, request.user, target=target)
    return vary_by_htmx(render(request, "games/board_ply.html", {"moment": past}))
