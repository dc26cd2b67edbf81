"""Tests of players with spaces and apostrophes in their names: they are found, reached and invited as all
others."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from games import tables
from games.forms.tables import invitees
from games.models import Game
from tests.games.factories import NOW, make_game, make_player, make_table
from tests.games.visitors import signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db
NAMES = ("Anna Maria", "O'Brien", "J.R. Ewing", "Sammy Jr.")


@pytest.mark.parametrize("name", NAMES)
def test_their_pages_have_addresses(name: str) -> None:
    make_player(name)
    bruno = make_player("Bruno")
    client = signed_in(bruno.username)
    for page in ("games:player", "leagues:career", "games:rating_history"):
        answer = client.get(reverse(page, args=[name]))
        assert answer.status_code == 200 and name in Page(answer).text("h1")
    listed = Page(client.get(reverse("games:people"), {"q": name.upper()[:4]}))
    assert reverse("games:player", args=[name]) in listed.links()
    assert client.post(reverse("games:follow_player", args=[name])).status_code == 302


def test_talk_leads_to_them(client: Client) -> None:
    game: Game = make_game(now=NOW)
    host = game.host
    host.username = "Anna Maria"
    host.save()
    tables.say(game_id=game.pk, player=host, text="Hello", now=NOW)
    said = Page(client.get(reverse("games:talk", args=[game.code])))
    assert said.text(".author") == "Anna Maria" and said.links(".author") == ["/players/Anna%20Maria/"]
    assert client.get("/players/Anna%20Maria/").status_code == 200


def test_several_are_named_in_a_line() -> None:
    people = [make_player(name) for name in ("Anna Maria", "Anna", "Maria Jones", "O'Brien", "Bruno")]
    invited = invitees("bruno ANNA MARIA o\u2019brien, @Maria Jones; guest@example.org anna")
    assert [one.player and one.player.username for one in invited] == [
        *("Bruno", "Anna Maria", "O'Brien", "Maria Jones", None, "Anna")
    ]
    assert invited[4].address == "guest@example.org" and len(people) == 5
    with pytest.raises(ValidationError) as refused:
        invitees("Anna Mariah bruno")
    assert refused.value.messages == ["There is no player called Mariah."]


def test_they_are_invited_by_name() -> None:
    table, anna = make_table(seats=3, now=NOW), make_player("Anna Maria")
    client = signed_in(table.host.username)
    client.post(reverse("games:invite", args=[table.code]), {"who": "anna maria"})
    assert table.invitations.get().player == anna
