"""What others hold is nobody's business: games that differ in one hand alone look the same to all others."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Notice
from games.notices import email
from games.play import positions
from games.rules import RuleSet
from tests.games.factories import (
    NOW,
    bag_of,
    heart_beats,
    make_game,
    make_player,
    make_players,
    new_process,
    play_lines,
)
from tests.games.visitors import HTMX, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OPTIONS = {"first_player": "creator", "hand": "three_hidden"}
PAGES = (
    "table", "text", "features", "layer", "files", "scores", "draw", "record", "svg", "notes", "talk",
)  # fmt: skip
ANNA, CLARA = ["base.U", "base.V", "base.D"], ["base.V", "base.U", "base.W"]
HELD = ["base.B", "base.E", "base.U"], ["base.K", "base.U", "base.G"]
"""What Bruno holds in the one game and in the other."""


def deal(held: list[str]) -> Game:
    """A game of three in which Bruno holds the tiles *held*; the rest lies at the bag's bottom."""
    others = list(chain(*HELD))
    for tile in held:
        others.remove(tile)
    first = [*ANNA, *held, *CLARA]
    order = bag_of(RuleSet.of(seats=3, options=OPTIONS), *first, *others)
    rest = order[len(first) + len(others) :]
    return make_game(seats=3, options=OPTIONS, bag=[*first, *rest, *others], name="Lagny", now=timezone.now())


def told(game: Game) -> Iterator[tuple[str, str]]:
    """Everything that anybody but Bruno can ask for, by name."""
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
            yield f"{visitor} {name}", plain(client.get(name))
        yield f"{visitor} {HTMX}", plain(client.get(reverse("games:table", args=[game.code]), headers=HTMX))
        for id in sorted({*HELD[0], *HELD[1]}):
            line = {"line": f"{id}@0,1 r0", "version": game.version}
            response = client.post(reverse("games:play", args=[game.code]), line)
            yield f"{visitor} plays {id}", plain(response)
            yield f"{visitor} brings {id}", plain(client.get(reverse("games:table", args=[game.code]), line))
    for notice in Notice.objects.exclude(recipient__username="Bruno").order_by("pk"):
        mail = email.compose(notice)
        said = f"{mail.subject} {mail.body} {mail.alternatives[0][0]}"
        yield notice.key, re.sub(r"/mail/stop/[^/]*/", "", said)


def plain(response: Any) -> str:
    """What is answered, without what differs from request to request and from row to row."""
    own = r'csrfmiddlewaretoken" value="\w+"|x-csrftoken": "\w+"|/games/\?since=\w+'
    shown = re.sub(own, "", response.content.decode())
    del response.headers["X-Request-ID"]
    if response.wsgi_request.path.startswith("/admin/"):
        return re.sub(r"\d+", "", shown)
    return f"{response.status_code} {response.headers} {shown}"


def seen(held: list[str], turns: int) -> dict[str, str]:
    """All of it after so many *turns*, of a game that leaves nothing behind."""
    with transaction.atomic():
        game = deal(held)
        for _ in range(turns):
            legal = positions.position(game).legal_actions()
            at = legal.placements_of("base.U")[0]  # of which everybody has one
            play_lines(game, f"base.U@{at.x},{at.y} r{at.rotation}", now=timezone.now())
            game.refresh_from_db()
        found = dict(told(game))
        transaction.set_rollback(True)
    new_process()
    return found


@pytest.mark.parametrize("turns", [0, 2])
def test_nobody_else_can_tell_what_is_in_a_hand(turns: int, monkeypatch: Any) -> None:
    make_players(3)
    make_player("Staff", is_staff=True, is_superuser=True)
    monkeypatch.setattr("games.models.game.secrets.choice", lambda letters: letters[0])
    with time_machine.travel(NOW, tick=False):
        heart_beats(NOW)
        one, other = (seen(held, turns) for held in HELD)
    assert len(one) > 150
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
