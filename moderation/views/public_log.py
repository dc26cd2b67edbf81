"""Public views of moderators' acts in a game, and of yearly statistics."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import HtmxRequest
from games import access
from games.forms.board import StepForm
from games.models import Game
from games.views.decorators import load_visible_game
from moderation.pages.branch import build_branch
from moderation.pages.log import build_log
from moderation.pages.years import build_pages


@require_safe
def log(request: HtmxRequest, code: str) -> HttpResponse:
    """Show the moderators' acts in a game, with reasons."""
    return render(
        request, "moderation/log.html", {"page": build_log(_get_visible_game(request, code), request.user)}
    )


@require_safe
def branch(request: HtmxRequest, code: str, version: int, step: int | None = None) -> HttpResponse:
    """Show rolled-back moves, for players and moderators."""
    game = _get_visible_game(request, code)
    if access.find_seat(request.user, game) is None and not access.may_moderate(request.user, game):
        raise Http404
    slider = StepForm(request.GET)
    if slider.is_valid():
        return redirect("moderation:branch_step", code, version, max(1, slider.cleaned_data["to"]))
    page = build_branch(game, request.user, version, step)
    if page is None:
        raise Http404
    return render(request, "moderation/branch.html", {"page": page})


@require_safe
def years(request: HtmxRequest) -> HttpResponse:
    """Show yearly statistics of reports and acts."""
    return render(request, "moderation/years.html", {"years": build_pages()})


def _get_visible_game(request: HtmxRequest, code: str) -> Game:
    """The game, if the visitor sees or may moderate it.

    :raises Http404: otherwise
    """
    try:
        return load_visible_game(request, code)
    except Http404:
        game = Game.objects.filter(code=code).first()
        if game is None or not access.may_moderate(request.user, game):
            raise
        return game
