"""Pages about the game and this site."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.requests import HtmxRequest
from games.drawing.board import draw_board
from games.pages.rulebook import contents, example_boards, examples
from games.pages.rulebook.example import Example
from games.selectors import lists
from games.views.parts import render_page_or_part
from games.words import clocks


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the front page; players are redirected to their games."""
    if request.user.is_authenticated:
        return redirect("games:mine")
    board = draw_board(example_boards.build_panorama())
    return render(request, "games/home.html", {"board": board, "games": lists.load_newest_tables()})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules in brief, with examples."""
    context = {
        "examples": _draw_examples(examples.EXAMPLES),
        "expansions": contents.EXPANSIONS,
        "variants": contents.VARIANTS,
        "clock": clocks.build_usual_clock(),
    }
    return render(request, "games/rules.html", context)


def _draw_examples(shown: Mapping[str, Example]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "title": example.title,
            "board": draw_board(example_boards.build_example_picture(name, example)),
            "sentences": example_boards.list_sentences(example),
        }
        for name, example in shown.items()
    }


@require_safe
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of an expansion, or of variants."""
    page = contents.PAGES.get(slug)
    if page is None:
        raise Http404
    context = {
        "page": page,
        "examples": _draw_examples(examples.OF_PAGES.get(slug, {})),
        "options": contents.list_explained_options(page),
        "expansions": contents.EXPANSIONS,
        "variants": contents.VARIANTS,
    }
    return render(request, page.template, context)


@require_safe
def keys(request: HtmxRequest) -> HttpResponse:
    """Show the keyboard shortcuts: a page, or a dialog over any page."""
    return render_page_or_part(request, "games/keys.html", "sheet", {})


@require_safe
@cache_control(max_age=31_536_000, public=True, immutable=True)
def icon(request: HttpRequest, count: int) -> HttpResponse:
    """Return the site's icon with the number of games that wait for a turn."""
    shown = {"count": count if count < 10 else "9+"}
    return render(request, "games/icon.svg", shown, content_type="image/svg+xml")
