"""Tests of random games of any kind, played on their pages, with random links opened on the way.

``WALKS=100 make test ARGS="tests/games/test_random_walks.py"`` plays a hundred games.
"""

import os
from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play, tables, tasks
from games.models import Game, Notice, Status
from games.play import positions
from games.rules import RuleSet
from games.rules.playout import pick_random_rules
from games.tables.settings import TableSettings
from tests.games.factories import heart_beats, make_player, make_players
from tests.games.visitors import url

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WALKS = int(os.environ.get("WALKS", "2"))
ELSEWHERE = ("/account/", "/admin/", "/static/", "/new/", "/outbox/")


class Form(NamedTuple):
    """Form that plays: its URL, its hidden fields and the lines to choose from."""

    address: str
    fields: dict[str, str]
    lines: list[str]


class Page(HTMLParser):
    """Links and forms of a page."""

    def __init__(self, address: str, html: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.steps: list[str] = []  # links that put a turn together
        self.forms: list[Form] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(self._from_here(of.get("action", "")), {}, []))
        elif tag == "input" and self.forms and of.get("name"):
            form = self.forms[-1]
            if of["name"] == "line" and of.get("type") in ("radio", "hidden"):
                form.lines.append(of["value"])
            else:
                form.fields[of["name"]] = of.get("value", "")
        for name in ("href", "xlink:href", "hx-get", "src", "data-src"):
            address = self._from_here(of.get(name, "#"))
            if of.get(name, "#")[:1] != "#" and not address.startswith(("http", *ELSEWHERE)):
                self.links.append(address)
                if {"mark", "choice", "turn"} & set(of.get("class", "").split()):
                    self.steps.append(address)

    def _from_here(self, link: str) -> str:
        return urljoin(self.address, urlsplit(link)._replace(fragment="").geturl())


def opened(client: Client, address: str, **headers: Any) -> Page:
    """Open a page that must exist, following redirects."""
    answer = client.get(address, headers=headers, follow=True)
    assert answer.status_code in (200, 204, 304, 429), (address, answer.status_code)
    html = answer.content.decode() if answer.get("Content-Type", "").startswith("text/html") else ""
    return Page(answer.request["PATH_INFO"], html)


def played_on_the_page(game: Game, client: Client, chance: Random) -> bool:
    """Compose a turn by following links at random, and send it."""
    page = opened(client, url(game))
    for _ in range(8):
        ready = [form for form in page.forms if form.address.endswith("/play/") and form.lines]
        if ready and (not page.steps or chance.random() < 0.6):
            form = chance.choice(ready)
            line = chance.choice(form.lines)
            answer = client.post(form.address, {**form.fields, "line": line}, follow=True)
            assert answer.status_code == 200, (form.address, line, answer.status_code)
            before = game.version
            game.refresh_from_db()
            assert game.version > before, (form.address, line)
            return True
        if not page.steps:
            return False
        page = opened(client, chance.choice(page.steps))
    return False


def begun(rules: RuleSet, chance: Random) -> Game:
    players = make_players(rules.seats)
    for player in players:
        player.language = chance.choice(settings.LANGUAGES)[0]
        player.save()
    now = timezone.now()
    agreed = TableSettings(rules=rules, purist=chance.random() < 0.2)
    game = tables.create_table(host=players[0], settings=agreed, now=now)
    for player in players[1:]:
        tables.sit(game_id=game.pk, player=player, now=now)
    game.refresh_from_db()
    return game


def visitors(game: Game) -> Iterator[tuple[Player | AnonymousUser, Client]]:
    for player in [*Player.objects.all(), AnonymousUser()]:
        client = Client(headers={"Accept-Language": "ru"})
        if isinstance(player, Player):
            client.force_login(player)
        yield player, client


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_walk_through_a_game(seed: int) -> None:
    chance = Random(f"walk {seed}")
    heart_beats(timezone.now())
    make_player("Onlooker")
    game = begun(pick_random_rules(chance), chance)
    clients = dict(visitors(game))
    seats = {seat.index: clients[seat.player] for seat in game.seats.select_related("player")}
    while game.status in (Status.PLAYING, Status.SCORING):
        if game.awaited is None:
            tasks.score(game.pk)
        elif chance.random() < 0.8 or not played_on_the_page(game, seats[game.awaited], chance):
            play.play(
                game_id=game.pk,
                seat=game.awaited,
                action=chance.choice(list(positions.load_position(game).legal_actions())),
                expected_version=game.version,
                now=timezone.now(),
            )
        game.refresh_from_db()
        if chance.random() < 0.1:
            tasks.deliver_notices()
        if chance.random() < 0.15 or game.status == Status.FINISHED:
            look_around(game, chance.choice([*clients.values()]), chance)
    tasks.deliver_notices()
    assert not Notice.objects.exclude(last_error="").values_list("kind", "last_error")


def look_around(game: Game, client: Client, chance: Random) -> None:
    """Open the game's page and the visitor's games, then a few of what they link to."""
    links = {link for page in (url(game), "/games/", "/archive/") for link in opened(client, page).links}
    for _ in range(5):
        links |= set(opened(client, chance.choice(sorted(links))).links)
