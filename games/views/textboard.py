"""The text board of a game, for screen readers."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from accounts.limits import slows_reading
from accounts.requests import HtmxRequest, PlayerRequest
from games.models import Game
from games.pages.parts.status import choose_poll_interval, format_news
from games.pages.scene import Scene
from games.pages.scene.addresses import build_urls
from games.pages.text.page import build_text_page
from games.rules.notation import MAX_TYPED_LINE
from games.views.board import read_known_version, record_visit
from games.views.decorators import load_visible_game, players_only
from games.views.parts import render_page_or_part, vary_by_htmx
from games.views.turns import play_sent, read_sent_line


@slows_reading
def text(request: HtmxRequest, code: str) -> HttpResponse:
    """Show the board in words, with the reply to the line ``say``; a POST plays a turn.

    htmx requests only the reply, or polls for news.
    """
    game = load_visible_game(request, code)
    if game.started is None:
        return redirect("games:table", code)
    if request.method == "POST":
        return _play(request, code)
    if request.htmx and "since" in request.GET:
        return _news(request, game)
    page = build_text_page(Scene.of(game, request.user), line=request.GET.get("say", "")[:MAX_TYPED_LINE])
    record_visit(request, game, page["visit"])
    return render_page_or_part(request, "games/text.html", "answer", {"page": page})


@players_only
def _play(request: PlayerRequest, game: Game) -> HttpResponse:
    attempt = play_sent(request, game)
    if not attempt.refused:
        messages.success(request, attempt.said)
        return redirect(build_urls(game).text + "?say=last#answer")
    line = read_sent_line(request)
    page = build_text_page(Scene.of(attempt.game, request.user), line=line, refused=attempt.refused)
    return vary_by_htmx(render(request, "games/text.html", {"page": page}, status=attempt.status))


def _news(request: HtmxRequest, game: Game) -> HttpResponse:
    """Return the events since the version of the polling page; nothing if there are none."""
    since = request.GET["since"]
    if since == str(game.version):
        return vary_by_htmx(HttpResponse(status=HTTPStatus.NO_CONTENT))
    scene = Scene.of(game, request.user)
    context = {
        "game": game,
        "url": build_urls(game).text,
        "news": format_news(scene, after=read_known_version(game, since)),
        "watching": choose_poll_interval(scene),
    }
    return vary_by_htmx(render(request, "games/_text_news.html", context))
