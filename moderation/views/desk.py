"""Views of the moderators' desk: queues, games and players, with previews of acts."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.interests import Recusal
from accounts.models import Player
from accounts.reauthentication import redirect_staff
from accounts.requests import PlayerRequest
from games import access
from games.exceptions import Refused, StaleTurn
from games.models import ActKind, Game
from games.play import moderation
from games.play.moderation import ModerationRequest
from games.selectors.seats import list_seat_names, load_seats_of
from moderation.forms.desk import DeskSearchForm, ModeratorNoteForm
from moderation.forms.games import FORMS, BulkForm
from moderation.pages import bulk_acts, desk
from moderation.pages.effects import Effect, build_two_boards, describe_preview
from moderation.pages.person import build_person_page

View = Callable[..., HttpResponseBase]

LEFT = "moderation/left_to_others.html"


def require_signed_in(view: View) -> View:
    """Require a signed-in player for *view*, of the staff only with a recent second factor."""

    @wraps(view)
    def respond(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        elsewhere = redirect_staff(request) if request.user.is_staff else None
        return elsewhere or view(request, *args, **kwargs)

    return login_required(respond)


def require_moderator(view: View) -> View:
    """Require a signed-in moderator for *view*."""

    @wraps(view)
    def respond(request: PlayerRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not access.is_moderator(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return require_signed_in(respond)


def render_left_to_others(request: PlayerRequest, recused: Recusal) -> HttpResponse:
    """Render who decides instead of the moderator, without details of the case."""
    context = {"refused": recused.sentence, "heading": _("For another moderator"), "reported": True}
    return render(request, LEFT, context, status=HTTPStatus.FORBIDDEN)


@require_moderator
@require_safe
def queues(request: PlayerRequest) -> HttpResponse:
    """Show the queues of the desk."""
    context = {"sections": desk.build_queues(request.user, timezone.now()), "search": DeskSearchForm()}
    return render(request, "moderation/desk.html", context)


@require_signed_in
@require_safe
def case(request: PlayerRequest, code: str) -> HttpResponse:
    """Show a game with all acts."""
    game = _get_moderated_game(request, code)
    page = desk.build_case(game, request.user, timezone.now())
    return render(request, "moderation/case.html", {"case": page})


@require_signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def act(request: PlayerRequest, code: str, act: str) -> HttpResponse:
    """Show the form of an act on a game, preview its effects, and perform it when confirmed."""
    game, kind = _get_moderated_game(request, code), act.replace("-", "_")
    if kind not in FORMS:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = FORMS[kind](game, list_seat_names(load_seats_of(game)), request.GET.dict(), sent)
    effect: Effect | None = None
    overtaken = False
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        asked = form.build_request(request.user, timezone.now())
        try:
            if "stop" in request.POST:
                game, asked = _stop_game(asked)
                form.show_anew(game)
                messages.info(request, _("The game is stopped. Take your time to decide, then let it go on."))
                if kind == ActKind.PAUSE:
                    return redirect("moderation:desk_game", code)
            if "confirmed" in request.POST:
                form.act(asked)
                messages.success(request, _("Done, and in the log of the game."))
                return redirect("moderation:desk_game", code)
            effect = describe_preview(moderation.preview(asked, form.act))
        except Refused as refused:
            if isinstance(refused, StaleTurn):
                game = refused.game
                overtaken = moderation.can_be_stopped(game, asked.now)
            form.add_error(None, refused.message)
            form.show_anew(game)
    context = {"game": game, "form": form, "effect": effect, "overtaken": overtaken}
    if effect is not None and kind == ActKind.ROLL_BACK:
        context["boards"] = build_two_boards(game, request.user, form.cleaned_data["ply"])
    return render(request, "moderation/act.html", context)


def _stop_game(asked: ModerationRequest) -> tuple[Game, ModerationRequest]:
    """Stop the game; return it, and the request for its new version."""
    moderation.stop_first(asked)
    game = Game.objects.get(pk=asked.game_id)
    return game, asked._replace(expected_version=game.version)


@require_moderator
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: PlayerRequest, username: str) -> HttpResponse:
    """Show a player's page, and perform an act on all their running games; each is done or refused by
    itself."""
    player = get_object_or_404(Player, username=username)
    if player == request.user:
        raise PermissionDenied
    form, now = BulkForm(request.POST if request.method == "POST" else None), timezone.now()
    lines: list[bulk_acts.BulkLine] = []
    if form.is_bound and form.is_valid() and "change" not in request.POST:
        if "confirmed" in request.POST:
            done, overtaken = bulk_acts.act_in_all(form, player, request.user, now)
            said = ngettext("Done in {n} game.", "Done in {n} games.", done).format(n=done)
            messages.success(request, said)
            if overtaken:
                moved = ngettext(
                    "{n} game has moved on since, and nothing was done there. Look again.",
                    "{n} games have moved on since, and nothing was done there. Look again.",
                    overtaken,
                ).format(n=overtaken)
                messages.warning(request, moved)
            return redirect("moderation:desk_person", username)
        lines = bulk_acts.preview_all(form, player, request.user, now)
    heading = _("All games of {name}").format(name=player.username) if lines else player.username
    games = bulk_acts.find_seats(player)
    context = {
        "player": player,
        "heading": heading,
        "form": form,
        "lines": lines,
        "games": games,
        "page": None if lines else build_person_page(player, request.user, now),
        "note_form": ModeratorNoteForm(),
    }
    return render(request, "moderation/person.html", context)


def _get_moderated_game(request: PlayerRequest, code: str) -> Game:
    """The game, if the user may moderate it."""
    game = get_object_or_404(Game, code=code)
    if not access.may_moderate(request.user, game):
        raise PermissionDenied
    return game
