"""Tests of the lobby, and of the tables on the first page: visibility, order, and queries."""

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from games import tables
from games.clocks import HOUR, Reliability
from games.clocks.reliability import ENOUGH
from games.models import PersonalTime
from games.rules import RuleSet
from games.words import rule_sets
from tests.games.factories import (
    NOW,
    make_game,
    make_player,
    make_players,
    make_table,
)
from tests.games.guest_helpers import make_guest_game
from tests.html import Page

from .listed import cards, page_links, signed_in

pytestmark = pytest.mark.django_db


class TestLobby:
    def test_shows_strangers_public_tables_with_a_free_seat(self, client):
        anna, bruno = make_players(2)
        make_table(host=anna, name="Open")
        make_table(host=anna, name="Secret", visibility="private")
        make_table(host=anna, name="Linked", visibility="link")
        kept = make_table(host=anna, name="Kept")
        tables.invite(game_id=kept.pk, inviter=anna, player=bruno, now=NOW)
        make_game(name="Begun")
        response = client.get("/lobby/")
        assert cards(response) == ["Open"]
        for hidden in ("Secret", "Linked", "Kept", "Begun"):
            assert not Page(response).mentions(hidden)

    def test_guests_are_told_where_they_can_play_instead_of_a_button_that_fails(self, client):
        _game, zoe = make_guest_game()
        make_table(host=make_player("Bruno"), name="Open")
        client.force_login(zoe)
        page = Page(client.get("/lobby/"))
        assert not page.has(".card.table form")
        assert page.texts(".card.table .barred") == [
            "Guests play where they were invited. With an account you can sit down here."
        ]

    def test_marks_own_tables_even_private_ones(self, client):
        anna = make_players(1)[0]
        make_table(host=anna, name="Secret", visibility="private")
        response = signed_in(client, anna).get("/lobby/")
        assert cards(response) == ["Secret"]
        page = Page(response)
        assert page.texts(".card.table .badge") == ["you're in", "unrated"]
        assert not page.has(".card.table button")

    def test_filters(self, client):
        anna = make_players(1)[0]
        make_table(host=anna, name="Two", days_per_move=1)
        make_table(host=anna, name="Four", seats=4, rated=True, days_per_move=7)
        make_table(host=anna, name="Robots", seats=3, bots=1, days_per_move=7)

        def shown(query: str) -> set[str]:
            return set(cards(client.get(f"/lobby/?{query}")))

        assert shown("") == {"Two", "Four", "Robots"}
        assert shown("days=1") == {"Two"}
        assert shown("seats=4") == {"Four"}
        assert shown("rated=yes") == {"Four"}
        assert shown("rated=no") == {"Two", "Robots"}
        assert shown("people=on") == {"Two", "Four"}
        assert shown("days=7") == {"Two", "Four", "Robots"}
        assert shown("days=5-&people=on") == {"Four"}
        assert shown("days=many&sort=odd&page=x") == {"Two", "Four", "Robots"}

    def test_filters_by_sets(self, client):
        anna = make_players(1)[0]
        make_table(host=anna, name="Plain")
        make_table(host=anna, name="Wet", sets=["base", "river1"])
        make_table(host=anna, name="Wide", sets=["base", "river2", "inns-and-cathedrals"])
        assert cards(client.get("/lobby/?sets=base")) == ["Plain"]
        assert cards(client.get("/lobby/?sets=river1")) == ["Wet"]
        assert cards(client.get("/lobby/?sets=inns-and-cathedrals")) == ["Wide"]
        assert len(cards(client.get("/lobby/?sets=dragons"))) == 3

    def test_filters_by_the_language_of_the_host(self, client):
        anna, bruno = make_players(2)
        bruno.language = "pl"
        bruno.save(update_fields=["language"])
        make_table(host=anna, name="Leeds")
        make_table(host=bruno, name="Lublin")
        assert cards(client.get("/lobby/?language=pl")) == ["Lublin"]
        assert cards(client.get("/lobby/?language=en")) == ["Leeds"]

    def test_filters_that_are_set_show_their_value_and_can_be_taken_back(self, client):
        make_table(name="Two", days_per_move=1)
        page = Page(client.get("/lobby/?days=3&seats=2&sort=fast"))
        assert page.texts(".dropped") == ["2 seats", "Up to 3 days a turn"]
        assert page.values(".dropped") == ["seats", "days"]
        assert page.text("#filter-count") == "2"
        assert page.text(".narrowed .muted") == "1 table"
        answer = client.get("/lobby/?days=3&seats=2&sort=fast&drop=days")
        assert answer.url == "/lobby/?seats=2&sort=fast"

    def test_a_card_says_what_one_must_know(self, client):
        anna, bruno = make_players(2)
        table = make_table(
            host=anna, name="Albi", seats=3, sets=["base", "river1"], rated=True, days_per_move=2
        )
        tables.sit(game_id=table.pk, player=bruno, now=NOW, colour="red")
        page = Page(client.get("/lobby/"))
        assert page.text(".card.table .badge") == "rated"
        assert page.link("Anna") == "/players/Anna/"
        assert page.texts(".card.table .with-sets li") == ["Base game", "The River"]
        (time,) = page.texts(".card.table .agreed")
        assert time.startswith(
            "2 days a move; missing a deadline costs your seat. 2 days for each turn; holidays don't stop "
            "the clock. When a player runs out of time: "
        )
        assert "it ends by" in time
        assert page.text(".card.table .taken") == "Anna Bruno 3 seats, 1 free"
        assert len(page.all(".card.table .taken .empty-seat")) == 1

    def test_tells_how_fast_the_host_usually_is(self, client):
        anna, bruno = make_players(2)
        for host in (anna, bruno):
            make_table(host=host, name=f"{host}s")
        known = Reliability()
        for _ in range(ENOUGH):
            known = known.after(6 * HOUR)
        PersonalTime.objects.create(player=anna, **asdict(known.after(None)))
        PersonalTime.objects.create(player=bruno, turns=ENOUGH - 1)
        page = Page(client.get("/lobby/"))
        assert page.texts(".card.table .habit") == ["93% on time", "usually plays within 6 hours"]

    def test_order(self, client):
        anna, bruno = make_players(2)
        early = make_table(host=anna, name="Early", seats=3, days_per_move=2)
        make_table(host=anna, name="Late", seats=3, days_per_move=1, now=NOW + timedelta(hours=1))
        tables.sit(game_id=early.pk, player=bruno, now=NOW)
        assert cards(client.get("/lobby/")) == ["Late", "Early"]
        assert cards(client.get("/lobby/?sort=full")) == ["Early", "Late"]
        assert cards(client.get("/lobby/?sort=fast")) == ["Late", "Early"]

    def test_says_what_differs_from_the_standard_game(self, client):
        make_table(options={"fields": "none"})
        page = Page(client.get("/lobby/"))
        assert page.texts(".card.table .special") == ["Fields: no farmers, fields score nothing"]

    def test_pages_keep_the_filters(self, client):
        anna = make_players(1)[0]
        for _ in range(21):
            make_table(host=anna)
        response = client.get("/lobby/?seats=2")
        assert Page(response).text("nav.pages span") == "Page 1 of 2"
        assert page_links(response) == {"next": "?seats=2&page=2"}

    def test_htmx_gets_the_tables_alone(self, client):
        part = client.get("/lobby/", headers={"HX-Request": "true"})
        assert Page(part).roots() == ["section#tables", "span#filter-count"]
        back = client.get("/lobby/", headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
        assert Page(back).has("html #tables")

    @pytest.mark.parametrize("count", [1, 12])
    def test_costs_the_same_for_many(self, client, count, django_assert_max_num_queries):
        anna, bruno = make_players(2)
        for number in range(count):
            table = make_table(host=anna, seats=4)
            tables.invite(game_id=table.pk, inviter=anna, address=f"{number}@example.org", now=NOW)
        signed_in(client, bruno)
        with django_assert_max_num_queries(7):
            client.get("/lobby/")


def test_only_public_games_are_offered_to_strangers_on_the_first_page(client):
    anna = make_players(1)[0]
    make_table(host=anna, name="Open")
    make_table(host=anna, name="Secret", visibility="private")
    response = client.get("/")
    assert cards(response) == ["Open"] and not Page(response).mentions("Secret")


def test_house_rules_of_the_standard_game_are_none():
    assert rule_sets.list_additions(RuleSet.of(seats=3)) == []


@pytest.mark.parametrize("language", ["en", "pl"])
def test_visitors_see_the_first_page_as_it_was_for_some_seconds(
    client: Client, settings: Any, language: str, django_assert_num_queries: Any
) -> None:
    settings.LOBBY_SECONDS = 5
    caches["process"].clear()
    make_table(name="Albi")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    first = Page(client.get("/lobby/"))
    make_table(name="Foix")
    with django_assert_num_queries(0):
        again = Page(client.get("/lobby/"))
    assert first.texts(".card.table h3") == again.texts(".card.table h3") == ["Albi"]
    assert again.one("html")["lang"] == language
    assert len(Page(client.get("/lobby/?page=1")).all(".card.table")) == 2, "what is asked for is looked up"
    assert len(Page(signed_in(client, make_player("Zoe")).get("/lobby/")).all(".card.table")) == 2
    caches["process"].clear()
