"""Tests of ratings beside names, wherever one chooses opponents."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import tables
from ratings import strengths
from ratings.models import Pool
from ratings.skill import RoundedStrength, Strength
from tests.games.factories import NOW, make_player, make_players, make_table
from tests.html import Page
from tests.ratings.rating_helpers import create_rating

pytestmark = pytest.mark.django_db


def beside(client: Client, url: str, where: str) -> list[str]:
    return Page(client.get(url)).texts(f"{where} .rating")


def test_the_host_of_a_table_by_the_number_of_its_seats(client: Client) -> None:
    anna = make_players(1)[0]
    create_rating(anna)
    create_rating(anna, Pool.TABLE, mu=20, sigma=7)
    make_table(host=anna, seats=2)
    make_table(host=anna, seats=3, now=NOW + timedelta(hours=1))
    assert beside(client, "/lobby/", ".host") == ["Rating 1400 ± 140 ? provisional", "Rating 1600 ± 100"]


def test_who_sits_at_an_open_table(client: Client) -> None:
    anna, bruno = make_players(2)
    create_rating(bruno, Pool.TABLE)
    table = make_table(host=anna, seats=3)
    tables.sit(game_id=table.pk, player=bruno, now=NOW)
    assert beside(client, f"/g/{table.code}/", ".place") == ["Rating 1600 ± 100"]


def test_who_invites(client: Client) -> None:
    anna = make_players(1)[0]
    create_rating(anna)
    table = make_table(host=anna)
    tables.invite(game_id=table.pk, inviter=anna, address="x@example.org", now=NOW)
    url = f"/i/{table.invitations.get().token}/"
    assert beside(client, url, ".invitation") == ["Rating 1600 ± 100"]


def test_those_whom_one_looks_for_with_both_pools(client: Client) -> None:
    anna, bruno = make_players(2)
    create_rating(bruno)
    create_rating(bruno, Pool.TABLE, mu=25)
    client.force_login(anna)
    assert beside(client, "/players/?q=bru", ".people") == [
        "Rating 1600 ± 100 in two-player games",
        "Rating 1500 ± 100 in games for three or more",
    ]


def test_on_the_page_of_a_player(client: Client) -> None:
    anna = make_players(1)[0]
    assert not Page(client.get("/players/Anna/")).has(".strengths")
    create_rating(anna)
    assert beside(client, "/players/Anna/", ".strengths") == ["Rating 1600 ± 100 in two-player games"]


def test_rest_makes_it_less_sure() -> None:
    anna = make_players(1)[0]
    create_rating(anna)
    later = timezone.now() + timedelta(days=400)
    assert strengths.load_standings([anna], later)[anna.pk].duel == RoundedStrength(
        1600, 140, provisional=True
    )
    assert Strength(30.0, 5.0).provisional is False


def test_one_query_for_all(django_assert_num_queries: Any) -> None:
    people = [make_player(f"Zoe{at}") for at in range(5)]
    for player in people:
        create_rating(player)
        create_rating(player, Pool.TABLE)
    with django_assert_num_queries(1):
        standings = strengths.load_standings([*people, None], timezone.now())
    assert len(standings) == 5 and all(standing.duel and standing.table for standing in standings.values())


def test_nothing_is_asked_for_bots_or_nobody(django_assert_num_queries: Any) -> None:
    bot = make_player("Robot", is_bot=True)
    with django_assert_num_queries(0):
        assert strengths.load_standings([None, bot], timezone.now()) == {}


class TestProspect:
    """Expected results, shown before joining a rated table (RATE-5)."""

    def test_of_a_duel(self, client: Client) -> None:
        anna, bruno = make_players(2)
        create_rating(anna, mu=31)
        table = make_table(host=anna, rated=True)
        client.force_login(bruno)
        said = "Your chance of winning: 39%"
        assert Page(client.get(f"/g/{table.code}/")).texts(".prospect") == [said]

    def test_by_the_beta_in_force(self, client: Client, settings: Any) -> None:
        settings.RATING_BETA = 12.0
        anna, bruno = make_players(2)
        create_rating(anna, mu=33)
        table = make_table(host=anna, rated=True)
        client.force_login(bruno)
        assert Page(client.get(f"/g/{table.code}/")).texts(".prospect") == ["Your chance of winning: 40%"]

    def test_of_a_larger_table_by_its_own_pool(self, client: Client) -> None:
        anna, bruno = make_players(2)
        create_rating(anna, mu=31)
        table = make_table(host=anna, seats=3, rated=True)
        client.force_login(bruno)
        said = "Your chance of beating this player: 50%"
        assert Page(client.get(f"/g/{table.code}/")).texts(".prospect") == [said]

    def test_is_said_to_nobody_else(self, client: Client) -> None:
        anna, bruno = make_players(2)
        rated_one, friendly = make_table(host=anna, rated=True), make_table(host=anna)
        assert not Page(client.get(f"/g/{rated_one.code}/")).has(".prospect")
        client.force_login(anna)
        assert not Page(client.get(f"/g/{rated_one.code}/")).has(".prospect")
        client.force_login(bruno)
        assert not Page(client.get(f"/g/{friendly.code}/")).has(".prospect")
