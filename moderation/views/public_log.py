"""Public views of moderators' acts in a game."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import HtmxRequest
from games import access
from games.forms.board import StepForm
from games.models import Game
from games.selectors.seats import find_own_seat, list_seat_names, load_seats_of
from games.views.decorators import load_visible_game
from moderation.selectors.acts_on_games import load_logged_acts
from moderation.selectors.branches import load_branch


@require_safe
def log(request: HtmxRequest, code: str) -> HttpResponse:
    """Show the moderators' acts in a game, with reasons."""
    game = _get_visible_game(request, code)
    seats, moderates = load_seats_of(game), access.may_moderate(request.user, game)
    context = {
        "game": game,
        "logged": load_logged_acts(game, list_seat_names(seats)),
        "moderates": moderates,
        "branches": moderates or find_own_seat(seats, request.user) is not None,
    }
    return render(request, "moderation/log.html", context)


@require_safe
def branch(request: HtmxRequest, code: str, version: int, step: int | None = None) -> HttpResponse:
    """Show rolled-back moves, for players and moderators."""
    game = _get_visible_game(request, code)
    if access.find_seat(request.user, game) is None and not access.may_moderate(request.user, game):
        raise Http404
    slider = StepForm(request.GET)
    if slider.is_valid():
        return redirect("moderation:branch_step", code, version, max(1, slider.cleaned_data["to"]))
    branch = load_branch(game, request.user, version, step)
    if branch is None:
        raise Http404
    return render(request, "moderation/branch.html", {"game": game, "version": version, "branch": branch})


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
