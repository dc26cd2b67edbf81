"""Downloads of a game: its record, and its board as a picture after every ply."""

from collections.abc import Callable
from hashlib import sha256
from math import ceil
from typing import Any

from allauth.core.internal.ratelimit import consume
from allauth.core.ratelimit import respond_429
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.limits import refuse_excess, slows_reading
from accounts.requests import HtmxRequest
from games.access import get_game_or_404
from games.drawing.board import BoardPicture, find_bounds
from games.drawing.picture import PREVIEW_SIZE, render_board_png, render_standalone_svg
from games.models import Game
from games.pages.history import downloads
from games.pages.parts import thumbnails
from games.selectors.seats import load_seats_of
from games.views.decorators import load_visible_game

LONGEST = 1600
"""Maximum length of a PNG's longer side in pixels, for boards of any size."""
CELLS = (64, 48, 32, 16, 8)
"""Widths of a tile in pixels. There are few, so that a tile rendered for one board serves for all."""

MARGIN = 0.35
MONTH = 30 * 24 * 60 * 60
PNG_RATES = {"per_player": "30/m/user", "per_address": "30/m/ip"}
"""Rate limits on rendering PNGs, which costs much more than a page. Cached ones are not limited."""


def _png(picture: BoardPicture) -> bytes:
    left, top, right, bottom = find_bounds(picture)
    longest = max(right - left, bottom - top) + 2 * MARGIN
    cell = next((cell for cell in CELLS if longest * cell <= LONGEST), CELLS[-1])
    return render_board_png(picture, width=ceil((right - left + 2 * MARGIN) * cell), margin=MARGIN)


def _draw_preview(picture: BoardPicture) -> bytes:
    left, top, right, bottom = find_bounds(picture)
    width, height = PREVIEW_SIZE
    across, down = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    fitting = (cell for cell in (96, *CELLS) if across * cell <= width and down * cell <= height)
    cell = next(fitting, CELLS[-1])
    return render_board_png(picture, width=width, height=height, margin=MARGIN, largest=cell)


KINDS = {"svg": "image/svg+xml", "png": "image/png"}


@slows_reading
@require_safe
def files(request: HtmxRequest, code: str) -> HttpResponse:
    """Show the record and the downloads."""
    game = load_visible_game(request, code)
    if game.started is None:
        return redirect("games:table", code)
    return render(request, "games/board_files.html", downloads.build_context(game))


@slows_reading
@require_safe
def record(request: HtmxRequest, code: str) -> HttpResponse:
    """Return the record of the game so far, without the tiles still to be drawn."""
    game = load_visible_game(request, code)
    if game.started is None:
        raise Http404
    response = JsonResponse(downloads.build_record(game), json_dumps_params={"indent": 1})
    return _name_download(response, game, "json")


@slows_reading
@require_safe
def board(request: HtmxRequest, code: str, form: str, ply: int | None = None) -> HttpResponse:
    """Return the board as a file, after *ply* or as it stands now.

    When the game is over, past boards don't change any more, so browsers cache them, but only browsers, as
    the game may be private. Before that a turn may be taken back, and another played in its place. Answers
    429 if too many PNGs were drawn within a minute.
    """
    game = load_visible_game(request, code)
    if game.started is None or (ply is not None and ply > game.ply):
        raise Http404
    page = downloads.build_board_at(game, ply)
    etag = f'"{sha256(repr((page.key, form, get_language())).encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        drawn = render_standalone_svg(page.picture()) if form == "svg" else _kept_png(request, page, _png)
        if drawn is None:
            return _ask_to_wait(request)
        response = HttpResponse(drawn, content_type=KINDS[form])
        turn = [] if ply is None else [f"turn-{ply}"]
        _name_download(response, game, form, *turn)
    response["ETag"] = etag
    if ply is None or not game.ended:
        patch_cache_control(response, private=True, no_cache=True)
    else:
        patch_cache_control(response, private=True, max_age=MONTH)
    return response


@require_safe
def thumbnail(request: HtmxRequest, code: str, stamp: str) -> HttpResponse:
    """Return the thumbnail of the board. Browsers cache it under an address with its own stamp. Answers 429
    if too many were drawn for a network within a minute."""
    game = load_visible_game(request, code)
    if game.started is None:
        raise Http404
    picture = thumbnails.load_thumbnail(game, load_seats_of(game))
    if picture.kept is None and (refused := refuse_excess(request, "draw")):
        return refused
    response = HttpResponse(picture.load_image(), content_type="image/webp")
    if stamp == picture.key.stamp:
        patch_cache_control(response, private=True, max_age=MONTH, immutable=True)
    else:
        patch_cache_control(response, private=True, no_cache=True)
    return response


@slows_reading
@require_safe
def preview(request: HtmxRequest, code: str, version: int) -> HttpResponse:
    """Return the board after the move *version*, for links on other sites; limited as other PNGs are.

    It is what anybody may see, whoever asks. So any cache may keep it, and a later board has another address.
    """
    game = get_game_or_404(AnonymousUser(), code)
    if game.started is None or version > game.version:
        raise Http404
    drawn = _kept_png(request, downloads.build_preview(game, version), _draw_preview)
    if drawn is None:
        return _ask_to_wait(request)
    response = HttpResponse(drawn, content_type="image/png")
    patch_cache_control(response, public=True, max_age=MONTH, immutable=True)
    return response


def _ask_to_wait(request: HtmxRequest) -> HttpResponse:
    response: HttpResponse = respond_429(request)
    response["Retry-After"] = "60"
    return response


def _kept_png(
    request: HtmxRequest, kept: downloads.Kept, draw: Callable[[BoardPicture], bytes]
) -> bytes | None:
    """Return the PNG of *kept*, cached; ``None`` if too many were drawn for this visitor."""
    pictures, key = caches["pictures"], sha256(repr(kept.key).encode()).hexdigest()
    png: bytes | None = pictures.get(key)
    if png is None:
        action = "per_player" if request.user.is_authenticated else "per_address"
        if consume(request, app="games.png", action=action, config=PNG_RATES, limit_get=True):
            png = draw(kept.picture())
            pictures.set(key, png)
    return png


def _name_download(response: Any, game: Game, ending: str, *more: str) -> HttpResponse:
    """Make *response* a download with a descriptive file name: ``autumn-in-albi-K7QX-turn-12.png``."""
    name = "-".join([part for part in (slugify(game.name, allow_unicode=True), game.code, *more) if part])
    header = content_disposition_header(as_attachment=True, filename=f"{name}.{ending}")
    response["Content-Disposition"] = header
    answer: HttpResponse = response
    return answer
