"""The reference: a view that inserts one row and renders one line, behind the same middleware. The site's web
processes have it besides their own with ``DJANGO_SETTINGS_MODULE=benchmarks.load.bare_settings``.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.urls import include, path
from django.utils import timezone

from games.models import Message, Room

LINE = Template("<p>{{ message.text }}</p>")


def bare(request: HttpRequest) -> HttpResponse:
    """Insert the text of a signed-in player as a message of a game."""
    assert request.user.is_authenticated
    message = Message.objects.create(
        game_id=int(request.POST["game"]),
        author=request.user,
        room=Room.TABLE,
        text=request.POST["text"],
        at=timezone.now(),
    )
    return HttpResponse(LINE.render(Context({"message": message})))


urlpatterns = [path("bare/", bare), path("", include("carcassonne.urls"))]
