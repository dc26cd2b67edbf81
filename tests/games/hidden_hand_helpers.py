"""All responses about a game to those who must not see a hand."""

import re
from collections.abc import Iterator
from typing import Any

from django.test import Client
from django.urls import reverse

from games.models import Game, Notice
from games.notices import email
from tests.games.visitors import HTMX, signed_in

PAGES = (
    "table", "text", "features", "layer", "files", "scores", "draw", "record", "svg", "notes", "talk",
)  # fmt: skip
HELD = ["base.B", "base.E", "base.U"], ["base.K", "base.U", "base.G"]
"""Bruno's hands in the one game and in the other."""


def collect_answers(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the name and content of every response that anybody but Bruno can get."""
    names = [reverse(f"games:{name}", args=[game.code]) for name in PAGES]
    names += [reverse("games:ply", args=[game.code, ply]) for ply in range(game.ply + 1)]
    for x, y in ((0, -1), (1, 0), (0, 1), (-1, 0), (0, -2)):
        names.append(reverse("games:space", args=[game.code, f"{x},{y}"]))
    for show in ("fields", "spaces"):
        names.append(reverse("games:table", args=[game.code]) + f"?show={show}")
    for say in ("tile", "legal", "last", "scores", "help"):
        names.append(reverse("games:text", args=[game.code]) + f"?say={say}")
    names += ["/games/", "/players/Bruno/", reverse("games:layer", args=[game.code]) + "?ply=0"]
    names += [reverse(f"admin:games_{model}_changelist") for model in ("move", "tile", "game", "seat")]
    visitors = {"a stranger": Client()} | {name: signed_in(name) for name in ("Anna", "Clara", "Staff")}
    for visitor, client in visitors.items():
        for name in names:
            yield f"{visitor} {name}", normalize_answer(client.get(name))
        yield (
            f"{visitor} {HTMX}",
            normalize_answer(client.get(reverse("games:table", args=[game.code]), headers=HTMX)),
        )
        for id in sorted({*HELD[0], *HELD[1]}):
            line = {"line": f"{id}@0,1 r0", "version": game.version}
            response = client.post(reverse("games:play", args=[game.code]), line)
            yield f"{visitor} plays {id}", normalize_answer(response)
            yield (
                f"{visitor} brings {id}",
                normalize_answer(client.get(reverse("games:table", args=[game.code]), line)),
            )
    for notice in Notice.objects.exclude(recipient__username="Bruno").order_by("pk"):
        mail = email.compose(notice)
        said = f"{mail.subject} {mail.body} {mail.alternatives[0][0]}"
        yield notice.key, re.sub(r"/mail/stop/[^/]*/", "", said)


def normalize_answer(response: Any) -> str:
    """Return the response without what differs between requests and rows."""
    own = r'csrfmiddlewaretoken" value="\w+"|x-csrftoken": "\w+"|/games/\?since=\w+'
    shown = re.sub(own, "", response.content.decode())
    del response.headers["X-Request-ID"]
    if response.wsgi_request.path.startswith("/admin/"):
        return re.sub(r"\d+", "", shown)
    return f"{response.status_code} {response.headers} {shown}"
