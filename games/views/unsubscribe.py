"""The page that stops mails, and a mail program's one click."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.limits import slows_guessing
from games.models import Kind
from games.notices import unsubscribe

SCOPES = ("kind", "game", "all")


@csrf_exempt  # mail programs post here by themselves, without cookies; the signed token is the permission
@require_http_methods(["GET", "HEAD", "POST"])
@slows_guessing
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """A page that asks which mails to stop, and the answer to its form and to a mail program's one click."""
    wish = unsubscribe.read(token)
    language = wish.player.language if wish.player else translation.get_language()
    of_no_game = wish.game is None or wish.kind in (Kind.INVITATION, Kind.DECLINED)
    scopes = [scope for scope in SCOPES if scope != "game" or not of_no_game]
    if wish.player is None:
        scopes = ["all"]
    scope = request.POST.get("scope", scopes[0])
    if scope not in scopes:
        scope = scopes[0]
    state = "asked"
    if request.method == "POST":
        state = "resumed" if "resume" in request.POST else "stopped"
        unsubscribe.switch_mails(wish, scope, on=state == "resumed")
    with translation.override(language):
        context = {"wish": wish, "scopes": scopes, "scope": scope, "state": state}
        return render(request, "mails/stop.html", context)
