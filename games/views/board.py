"""The page of a game that has begun, and what can be done there."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh, push_url, retarget

from accounts.requests import HtmxRequest, PlayerRequest
from games import play
from games.access import find_seat, find_seat_index, may_resign
from games.models import Game
from games.pages.board import build_board_page
from games.pages.parts import chat, status
from games.pages.scene import Scene
from games.pages.turn import offline_turns
from games.tables import visits
from games.views.confirmation import ConfirmationQuestion, ask, confirmation_required
from games.views.decorators import players_only, post_only, show_refusals
from games.views.parts import refuse_too_dear, vary_by_htmx
from games.views.turns import play_sent, read_sent_line, require_seat


def show(request: HtmxRequest, game: Game) -> HttpResponse:
    """Show the board of *game*, which has begun, with the part of a turn that the query string has.

    htmx requests only the step of a turn, or polls for news.
    """
    if request.htmx and "since" in request.GET:
        return _news(request, game)
    asking = request.GET.dict()
    if "line" not in asking:
        return _table(request, game, asking)
    turn = offline_turns.check_offline_turn(game, request.user, asking["line"], asking.get("version", ""))
    return _table(request, game, {}, **turn._asdict())


def _table(
    request: HtmxRequest, game: Game, asking: Mapping[str, str], *, status: int = HTTPStatus.OK, **more: Any
) -> HttpResponse:
    if too_many := refuse_too_dear(request, game, asking):
        return too_many
    part = {"turn": "#step", "table": "#fresh"}.get(request.htmx.target or "", "")
    template = "games/board.html"
    if game.ended:  # the whole page changes, though a turn may have been put together
        template, part = "games/board_over.html", part and "#fresh"
    table = build_board_page(Scene.of(game, request.user), asking, **more)
    context: dict[str, Any] = {"table": table}
    if table.next.waiting is not None:
        context["games_waiting"] = table.next.waiting  # not to be asked once more
    response = render(request, f"{template}{part}", context, status=HTTPStatus.OK if part else status)
    if part and game.ended:
        response = retarget(response, "#table")
    record_visit(request, game, table.seen.visit, played=table.seen.played)
    return vary_by_htmx(response)


def record_visit(
    request: HtmxRequest, game: Game, visit: visits.CurrentVisit | None, *, played: bool = False
) -> None:
    """Record the *visit* of a player, except for prefetching browsers and for polls of pages left open, whose
    player may be gone."""
    ahead = any("prefetch" in request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose"))
    if visit is None or not request.user.is_authenticated or request.method == "HEAD" or ahead:
        return
    if not ("since" in request.GET and visit.begins):
        visits.record(visit, game, request.user, played=played)


def _news(request: HtmxRequest, game: Game) -> HttpResponse:
    """Return nothing without news; else the whole table, or only the chats if nothing else is new.

    A turn that is being composed is in the address of the polling page, and is kept. A page whose viewer has
    another seat by now, or is signed out, is loaded anew.
    """
    version, _dot, said = request.GET["since"].partition(".")
    stamp = status.build_stamp(game, find_seat_index(request.user, game))
    shown = request.GET.get("as", "" if request.user.is_anonymous else stamp)
    if stamp.rstrip("hp") != shown.rstrip("hp"):
        return HttpResponseClientRefresh()
    if version == str(game.version) and stamp == shown:
        last = chat.find_last_heard(game, request.user)
        if said == str(last):
            return vary_by_htmx(HttpResponse(status=HTTPStatus.NO_CONTENT))
        game.viewer_context = None  # chat messages may have come after it
        scene = Scene.of(game, request.user)
        context = {"talks": chat.load_talks(scene), "watch": status.build_watch(scene, last)}
        return retarget(vary_by_htmx(render(request, "games/_talks.html#fresh", context)), "#talks")
    return _table(request, game, read_page_query(request), after=read_known_version(game, version))


def read_page_query(request: HtmxRequest) -> dict[str, str]:
    """Return the query of the page that sends *request*; empty if it is not one of this site."""
    try:
        shown = urlsplit(request.htmx.current_url_abs_path or "")
    except ValueError:  # the header is whatever somebody sends
        return {}
    return dict(parse_qsl(shown.query))


def read_known_version(game: Game, version: str) -> int:
    """Return the version of *game* that the page showed; the current one if *version* is invalid."""
    return int(version) if version.isdecimal() and len(version) < 10 else game.version


@players_only
@post_only
def play_turn(request: PlayerRequest, game: Game) -> HttpResponse:
    """Play the submitted turn. A refusal changes nothing, and shows the current board with the reason."""
    attempt = play_sent(request, game)
    if attempt.refused:
        line = read_sent_line(request)
        return _table(request, attempt.game, {}, line=line, refused=attempt.refused, status=attempt.status)
    if request.htmx:
        shown = _table(request, attempt.game, {}, sent=attempt.said)
        return push_url(shown, game.get_absolute_url())
    messages.success(request, attempt.said)
    return redirect("games:table", game.code)


def _ask_before_resigning(game: Game) -> ConfirmationQuestion:
    return ConfirmationQuestion(
        _("Resign from {name}?").format(name=game.name),
        _("The game ends at once and you lose it.")
        if game.places == 2
        else _(
            "You rank below all others. The house bot places your tiles from now on, without meeples; "
            "those on the board stay."
        ),
        _("Yes, resign"),
        _("No, play on"),
        game.get_absolute_url(),
    )


@players_only
@confirmation_required(_ask_before_resigning)
@show_refusals
def resign(request: PlayerRequest, game: Game) -> HttpResponse:
    """Resign, after confirmation."""
    if request.method != "POST":
        if not may_resign(find_seat(request.user, game), game):
            return redirect("games:table", game.code)
        return ask(request, _ask_before_resigning(game))
    play.resign(game_id=game.pk, seat=require_seat(request, game).index, now=timezone.now())
    messages.success(request, _("You have resigned."))
    return redirect("games:table", game.code)
