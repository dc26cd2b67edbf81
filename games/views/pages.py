"""Pages that tell about the game and this site."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games import primer, selectors
from games.drawing.board import draw_board, sprite_name


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, for strangers; players go straight to their games."""
    if request.user.is_authenticated:
        return redirect("games:mine")
    board = draw_board(primer.panorama(static(sprite_name())))
    return render(
        request, "games/home.html", {"board": board, "lines": selectors.newest_tables(timezone.now())}
    )


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules in brief, with examples."""
    sprite = static(sprite_name())
    examples = {
        name: {
            "title": primer.EXAMPLES[name].title,
            "board": draw_board(primer.picture(name, sprite)),
            "sentences": primer.sentences(name),
        }
        for name in primer.EXAMPLES
    }
    return render(request, "games/rules.html", {"examples": examples})


@require_safe
@cache_control(max_age=31_536_000, public=True, immutable=True)
def icon(request: HttpRequest, count: int) -> HttpResponse:
    """The site's icon with the number of games that wait for a turn."""
    shown = {"count": count if count < 10 else "9+"}
    return render(request, "games/icon.svg", shown, content_type="image/svg+xml")
