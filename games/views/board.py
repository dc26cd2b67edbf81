"""The page of a game that has begun, and what can be done there."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect, push_url, retarget

from accounts.requests import HtmxRequest, PlayerRequest
from games import boards, draws, play, tables, words
from games.access import game_or_404, may_resign, seat_of
from games.drawing.board import sprite_name
from games.forms_board import PlayForm, StepForm, TalkForm, TransfersForm
from games.models import Game, Status
from games.positions import position_at
from games.refusals import GameOver, NotYourTurn, Refused
from games.rules import Action, IllegalAction, Place


def show(request: HtmxRequest, game: Game) -> HttpResponse:
    """The board of *game*, which has begun, with as much of a turn as the address asks for.

    htmx asks for the step of a turn alone, or whether there is any news.
    """
    if request.htmx and "since" in request.GET:
        return _news(request, game)
    return _table(request, game, request.GET.dict())


def _table(
    request: HtmxRequest, game: Game, asking: Mapping[str, str], *, status: int = HTTPStatus.OK, **more: Any
) -> HttpResponse:
    """The page, or the part of it for which htmx asked."""
    part = {"turn": "#step", "table": "#fresh"}.get(request.htmx.target or "", "")
    context = {"table": boards.table_for(game, request.user, asking, **more)}
    response = render(request, f"games/board.html{part}", context, status=HTTPStatus.OK if part else status)
    return _varying(response)


def _varying(response: HttpResponse) -> HttpResponse:
    """Let no browser take a part for the page, or an old board for the new one."""
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _news(request: HtmxRequest, game: Game) -> HttpResponse:
    """Nothing if nothing happened; else the whole table, or only the talk if nothing else is new.

    A turn that is just being put together stands in the address of the asking page and is kept.
    """
    version, _dot, said = request.GET["since"].partition(".")
    if version == str(game.version):
        if said == str(boards.last_said(game)):
            return _varying(HttpResponse(status=HTTPStatus.NO_CONTENT))
        return retarget(_talk(request, game), "#talk-lines")
    shown = urlsplit(request.htmx.current_url_abs_path or "")
    return _table(request, game, dict(parse_qsl(shown.query)))


def at_the_table(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of what a player does at a table; strangers sign in first and come back to the board."""

    def respond(request: HtmxRequest, code: str) -> HttpResponse:
        game = game_or_404(request.user, code)
        table = reverse("games:table", args=[code])
        if not request.user.is_authenticated:
            sign_in = redirect_to_login(table)
            return HttpResponseClientRedirect(sign_in.url) if request.htmx else sign_in
        return view(request, game)

    return respond


@at_the_table
def play_turn(request: HtmxRequest, game: Game) -> HttpResponse:
    """Play the turn that was sent. A refusal changes nothing and shows the board as it is now, and why."""
    if request.method != "POST":
        return redirect("games:table", game.code)
    now = timezone.now()
    form = PlayForm(request.POST)
    line = str(request.POST.get("line", ""))
    try:
        action = _sent(form, game)
        if action is None:
            return _refuse(request, game, form.complaint, line, HTTPStatus.UNPROCESSABLE_ENTITY)
        seat = seat_of(request.user, game)
        if seat is None:
            raise Refused("not_seated")
        game = play.play(
            game_id=game.pk,
            seat=seat.index,
            action=action,
            expected_version=form.cleaned_data["version"],
            now=now,
        )
    except IllegalAction as error:
        return _refuse(request, game, words.refusal(error), line, HTTPStatus.UNPROCESSABLE_ENTITY)
    except Refused as error:
        status = HTTPStatus.FORBIDDEN if isinstance(error, NotYourTurn) else HTTPStatus.CONFLICT
        return _refuse(request, game, error.message, line, status)
    said = _("Your turn is played.") if isinstance(action, Place) else _("Your answer is played.")
    if request.htmx:
        return push_url(_table(request, game, {}, sent=said), reverse("games:table", args=[game.code]))
    messages.success(request, said)
    return redirect("games:table", game.code)


def _sent(form: PlayForm, game: Game) -> Action | None:
    """The turn or answer in the valid *form*; a turn's tile is the one drawn when the page was made."""
    if not form.is_valid():
        return None
    state = position_at(game, min(form.cleaned_data["version"], game.version)).state
    if state.decision.seat is None and game.status != Status.PLAYING:
        raise GameOver
    return form.action(state.drawn)


@at_the_table
def set_transfers(request: PlayerRequest, game: Game) -> HttpResponse:
    """Let the seat answer by itself when it may move figures out of Carcassonne, or be asked again."""
    seat = seat_of(request.user, game)
    form = TransfersForm(request.POST)
    if request.method == "POST" and form.is_valid():
        try:
            if seat is None:
                raise Refused("not_seated")
            play.set_transfers(
                game_id=game.pk,
                seat=seat.index,
                transfers=form.cleaned_data["transfers"],
                now=timezone.now(),
            )
        except Refused as error:
            messages.error(request, error.message)
        else:
            messages.success(request, _("Your standing answer is kept."))
    return redirect("games:table", game.code)


def _refuse(request: HtmxRequest, game: Game, why: str, line: str, status: int) -> HttpResponse:
    game.refresh_from_db()
    return _table(request, game, {}, line=line, note=why, status=status)


@at_the_table
def resign(request: HtmxRequest, game: Game) -> HttpResponse:
    """Give the game up, after a page that asks whether that is meant."""
    seat = seat_of(request.user, game)
    if request.method != "POST":
        if not may_resign(request.user, game):
            return redirect("games:table", game.code)
        return render(request, "games/board_resign.html", {"game": game, "last_two": game.places == 2})
    try:
        if seat is None:
            raise Refused("not_seated")
        play.resign(game_id=game.pk, seat=seat.index, now=timezone.now())
    except Refused as error:
        messages.error(request, error.message)
    else:
        messages.success(request, _("You have resigned."))
    return redirect("games:table", game.code)


def talk(request: HtmxRequest, code: str) -> HttpResponse:
    """Read what was said at the table, a page at a time, or say something."""
    game = game_or_404(request.user, code)
    if request.method == "POST":
        return _say(request, code)
    return _talk(request, game)


@at_the_table
def _say(request: PlayerRequest, game: Game) -> HttpResponse:
    refused = ""
    text = TalkForm(request.POST).said()
    try:
        tables.say(game_id=game.pk, player=request.user, text=text, now=timezone.now())
    except Refused as error:
        refused = error.message
    if request.htmx:
        return _talk(request, game, refused=refused)
    if refused:
        messages.error(request, refused)
    return redirect(reverse("games:table", args=[game.code]) + "#talk")


def _talk(request: HtmxRequest, game: Game, *, refused: str = "") -> HttpResponse:
    before = request.GET.get("before", "")
    lines = boards.talk_page(game, request.user, before=int(before) if before.isdecimal() else 0)
    template = "games/_talk.html#lines" if request.htmx else "games/board_talk.html"
    return _varying(render(request, template, {"game": game, "talk": lines, "refused": refused}))


@require_safe
def ply(request: HtmxRequest, code: str, ply: int) -> HttpResponse:
    """The board as it was after that ply, and what happened in it."""
    game = game_or_404(request.user, code)
    if game.started is None:
        return redirect("games:table", code)
    slider = StepForm(request.GET)
    if slider.is_valid():
        return redirect("games:ply", code, min(slider.cleaned_data["to"], game.ply))
    if ply > game.ply:
        raise Http404
    template = "games/board_ply.html#fresh" if request.htmx.target == "moment" else "games/board_ply.html"
    return _varying(render(request, template, {"moment": boards.moment(game, ply, request.user)}))


@require_safe
def scores(request: HtmxRequest, code: str) -> HttpResponse:
    """The score sheet: by turn and by kind."""
    game = game_or_404(request.user, code)
    if game.started is None:
        return redirect("games:table", code)
    sheet, seats = boards.scores_of(game)
    context = {"game": game, "sheet": sheet, "seats": seats, "urls": boards.urls_of(game)}
    return render(request, "games/board_scores.html", context)


@require_safe
def draw(request: HtmxRequest, code: str) -> HttpResponse:
    """How the order of the tiles came about; checked, once the game has ended."""
    game = game_or_404(request.user, code)
    if game.started is None:
        return redirect("games:table", code)
    context = {"game": game, "draw": draws.draw_of(game), "sprite": static(sprite_name())}
    return render(request, "games/board_draw.html", context)


@require_safe
def record(request: HtmxRequest, code: str) -> HttpResponse:
    """The game as a record to keep. It holds what has been played and nothing of what is to come."""
    game = game_or_404(request.user, code)
    if game.started is None:
        raise Http404
    response = JsonResponse(boards.record_of(game), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{game.code}.json"'
    return response
