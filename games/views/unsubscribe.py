"""The page to unsubscribe from mails, and one-click unsubscribing by mail programs."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from accounts.limits import slows_guessing
from games.models import Kind
from games.notices import unsubscribe

SCOPES = ("kind", "game", "all")


@csrf_exempt  # mail programs post here by themselves, without cookies; the signed token is the permission
@require_http_methods(["GET", "HEAD", "POST"])
@slows_guessing
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page to unsubscribe, and handle its form and a mail program's one click."""
    try:
        wish = unsubscribe.read(token)
    except unsubscribe.LinkExpired:
        return render(request, "mails/stop.html", {"state": "expired"}, status=410)
    if "resume" in request.POST:
        return _resume(request, token, wish)
    of_no_game = wish.game is None or wish.kind in (Kind.INVITATION, Kind.DECLINED)
    scopes = [scope for scope in SCOPES if scope != "game" or not of_no_game]
    if wish.player is None:
        scopes = ["all"]
    elif wish.of_all:
        scopes.reverse()
    scope = request.POST.get("scope", scopes[0])
    if scope not in scopes:
        scope = scopes[0]
    context: dict[str, object] = {"scopes": scopes, "scope": scope, "state": "asked"}
    if request.method == "POST":
        stopped = unsubscribe.stop_mails(wish, scope)
        context["state"] = "stopped"
        context["resume"] = unsubscribe.build_resume_token(token, stopped) if stopped else ""
    return _page(request, wish, context)


@csrf_protect  # only our own page lets mails come again: a mail that was passed on must not
def _resume(request: HttpRequest, token: str, wish: unsubscribe.StopRequest) -> HttpResponse:
    unsubscribe.resume_mails(wish, token, request.POST["resume"])
    return _page(request, wish, {"state": "resumed"})


def _page(request: HttpRequest, wish: unsubscribe.StopRequest, context: dict[str, object]) -> HttpResponse:
    with translation.override(wish.player.spoken_language if wish.player else translation.get_language()):
        return render(request, "mails/stop.html", {"wish": wish, **context})
