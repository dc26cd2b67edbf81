"""Stopping mails with one click: a signed token says whose mails, and which."""

from dataclasses import dataclass

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from games.models import Game, Kind, Notice, Seat, SilentAddress
from games.outbox import PREFERENCES

SALT = "games.notices.unsubscribe"
SCOPES = ("kind", "game", "all")


@dataclass(frozen=True)
class Wish:
    """Which mails a token stops: those to *player*, or to an *address* that has no account."""

    player: Player | None
    address: str
    kind: Kind
    game: Game | None


def token_for(notice: Notice) -> str:
    """The token in the mail of *notice*. It never runs out: old mails must be able to stop new ones."""
    who = {"p": notice.recipient_id} if notice.recipient_id else {"a": notice.address}
    return signing.Signer(salt=SALT).sign_object({**who, "k": notice.kind, "g": notice.game_id})


def read(token: str) -> Wish:
    """What *token* stops.

    :raises Http404: it is none of ours
    """
    try:
        told = signing.Signer(salt=SALT).unsign_object(token)
    except signing.BadSignature as error:
        raise Http404 from error
    player = Player.objects.filter(pk=told.get("p")).first()
    return Wish(player, told.get("a", ""), Kind(told["k"]), Game.objects.filter(pk=told["g"]).first())


def switch_mails(wish: Wish, scope: str, *, on: bool = False) -> None:
    """Stop the mails of the wish's kind, of its game, or all, or let them come again. Twice is harmless."""
    if wish.player is None:
        address = wish.address.lower()
        if on:
            SilentAddress.objects.filter(address=address).delete()
        else:
            SilentAddress.objects.get_or_create(address=address, defaults={"since": timezone.now()})
    elif scope == "game":
        Seat.objects.filter(player=wish.player, game=wish.game).update(mails=on)
    else:
        names = [PREFERENCES[wish.kind]] if scope == "kind" else list(PREFERENCES.values())
        for name in names:
            setattr(wish.player, name, on)
        wish.player.save(update_fields=sorted(set(names)))


@csrf_exempt  # mail programs post here by themselves, without cookies; the signed token is the permission
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """A page that asks which mails to stop, and the answer to its form and to a mail program's one click."""
    wish = read(token)
    language = wish.player.language if wish.player else translation.get_language()
    scopes = [scope for scope in SCOPES if scope != "game" or wish.kind != Kind.INVITATION]
    if wish.player is None:
        scopes = ["all"]
    scope = request.POST.get("scope", scopes[0])
    if scope not in scopes:
        scope = scopes[0]
    state = "asked"
    if request.method == "POST":
        state = "resumed" if "resume" in request.POST else "stopped"
        switch_mails(wish, scope, on=state == "resumed")
    with translation.override(language):
        context = {"wish": wish, "scopes": scopes, "scope": scope, "state": state}
        return render(request, "mails/stop.html", context)
