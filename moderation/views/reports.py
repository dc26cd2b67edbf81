"""Views to report people, and to delete one's own recent messages."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from accounts.requests import PlayerRequest
from games.exceptions import Refused, TooMany
from games.views.decorators import explain_hidden_board, load_visible_game
from moderation.acts import named_things, reports
from moderation.acts.messages import delete_own
from moderation.acts.reports import Subject
from moderation.forms.reports import NameReportForm, ReportForm
from moderation.selectors.reportable import find_audible_message, load_reportable_players


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_player(request: PlayerRequest, username: str) -> HttpResponse:
    """Report a player, apart from any game."""
    shown = get_object_or_404(Player.objects.called(username))
    context = {"player": shown, "back_url": shown.get_absolute_url(), "nobody": shown.is_bot}
    return _answer(request, ReportForm(_read_post(request)), context, lambda: Subject(shown))


@login_required
@explain_hidden_board
@require_http_methods(["GET", "HEAD", "POST"])
def report_game(request: PlayerRequest, code: str) -> HttpResponse:
    """Report a player of a game, perhaps for one of its turns."""
    game = load_visible_game(request, code)
    people = load_reportable_players(game, request.user)
    form = ReportForm(
        _read_post(request),
        people=[(str(pk), player.username) for pk, player in people.items()],
        turns=game.ply,
        ply=request.GET.get("ply", ""),
    )

    def subject() -> Subject:
        data = form.cleaned_data
        return Subject(people[int(data["about"])], game, ply=data.get("ply"))

    context = {"game": game, "back_url": game.get_absolute_url(), "nobody": not people}
    return _answer(request, form, context, subject)


@login_required
@explain_hidden_board
@require_http_methods(["GET", "HEAD", "POST"])
def report_message(request: PlayerRequest, code: str, pk: int) -> HttpResponse:
    """Report a message and its author."""
    game = load_visible_game(request, code)
    message = find_audible_message(game, request.user, pk)
    if message is None:
        raise Http404
    context = {"game": game, "message": message, "back_url": message.get_absolute_url()}
    form = ReportForm(_read_post(request))
    return _answer(request, form, context, lambda: Subject(message.author, game, message=message))


@login_required
@explain_hidden_board
@require_http_methods(["GET", "HEAD", "POST"])
def delete_message(request: PlayerRequest, code: str, pk: int) -> HttpResponse:
    """Ask for confirmation, then delete a message of the player's own."""
    game = load_visible_game(request, code)
    message = get_object_or_404(game.talk, pk=pk, author=request.user)
    if request.method != "POST":
        return render(request, "moderation/delete_message.html", {"message": message})
    try:
        delete_own(message_id=message.pk, player=request.user, now=timezone.now())
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, _("The message is deleted."))
    return redirect(message)


@login_required
@explain_hidden_board
@require_http_methods(["GET", "HEAD", "POST"])
def report_name(request: PlayerRequest, kind: str, key: str) -> HttpResponse:
    """Report the name of a table, a team or a league, and its owner."""
    thing = named_things.find(kind, key)
    if thing is None:
        raise Http404
    if thing.game is not None:
        load_visible_game(request, thing.game.code)
    nobody = thing.owner == request.user or thing.owner.closed is not None
    context = {"thing": thing, "back_url": thing.url, "nobody": nobody}
    return _answer(request, NameReportForm(_read_post(request)), context, lambda: Subject.of_name(thing))


def _read_post(request: PlayerRequest) -> dict[str, str] | None:
    return request.POST.dict() if request.method == "POST" else None


def _answer(
    request: PlayerRequest,
    form: ReportForm | NameReportForm,
    context: dict[str, Any],
    subject: Callable[[], Subject],
) -> HttpResponse:
    """Render the form with what is reported; or thank the player, once the report is stored."""
    status = HTTPStatus.OK
    if form.is_bound and form.is_valid():
        try:
            reports.report(
                reporter=request.user,
                subject=subject(),
                category=form.chosen,
                words=form.cleaned_data["words"],
                now=timezone.now(),
            )
        except Refused as refused:
            form.add_error(None, refused.message)
            if isinstance(refused, TooMany):
                status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            thanks = _(
                "Thank you. Moderators will look into it. We'll email you when they have decided, but not "
                "what it means for the other player."
            )
            messages.success(request, thanks)
            return redirect(context["back_url"])
    return render(request, "moderation/report.html", {**context, "form": form}, status=status)
