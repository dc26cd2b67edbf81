"""The chat at a table and among spectators."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from accounts.requests import HtmxRequest, PlayerRequest
from games import tables
from games.exceptions import Refused, TooMany
from games.forms.board import TalkForm
from games.models import Game, Room
from games.pages.parts import chat
from games.pages.scene import Scene
from games.views.decorators import load_visible_game, players_only, render_too_many
from games.views.parts import vary_by_htmx


def talk(request: HtmxRequest, code: str) -> HttpResponse:
    """Show a page of the table's chat, or post a message."""
    return _read_or_say(request, code, Room.TABLE)


def gallery(request: HtmxRequest, code: str) -> HttpResponse:
    """Show a page of the spectators' chat, or post a message."""
    return _read_or_say(request, code, Room.GALLERY)


def _read_or_say(request: HtmxRequest, code: str, room: Room) -> HttpResponse:
    if request.method == "POST":
        return _say(request, code, room=room)
    return _talk(request, load_visible_game(request, code), room)


@players_only
def _say(request: PlayerRequest, game: Game, room: Room) -> HttpResponse:
    refused = ""
    text = TalkForm(request.POST).read_text()
    try:
        tables.say(game_id=game.pk, player=request.user, room=room, text=text, now=timezone.now())
    except TooMany as error:
        if not request.htmx:
            return render_too_many(request, error, game)
        response = _talk(request, game, room, refused=error.message)
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return response
    except Refused as error:
        refused = error.message
    if request.htmx:
        return _talk(request, game, room, refused=refused)
    if refused:
        messages.error(request, refused)
    return redirect(game.get_absolute_url() + f"#{room}")


def _talk(request: HtmxRequest, game: Game, room: Room, *, refused: str = "") -> HttpResponse:
    before = request.GET.get("before", "")
    page = int(before) if before.isdecimal() and len(before) < 19 else 0
    lines = chat.load_talk(Scene.of(game, request.user), room, before=page)
    if lines is None:
        raise Http404
    template = "games/_talk.html#lines" if request.htmx else "games/board_talk.html"
    return vary_by_htmx(render(request, template, {"game": game, "talk": lines, "refused": refused}))
