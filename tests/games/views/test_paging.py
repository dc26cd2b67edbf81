"""Tests of lists that are paged by key: nothing is missing, nothing is repeated."""

from datetime import timedelta
from itertools import chain

import pytest
from django.http import QueryDict

from games.models import Game, Seat, Visibility
from games.selectors.archive import BY_GAME, load_finished_games
from games.selectors.paging import Order, PagePlace
from tests.games.factories import NOW, copy_game, make_player, make_players

from .listed import finished, finished_game, page_links, signed_in

pytestmark = pytest.mark.django_db


def many_finished(number: int, **settings) -> list[Game]:
    """Make so many finished games, one minute apart, two at a time at the same moment, latest first."""
    games = copy_game(finished_game(**settings), number)
    for at, game in enumerate(games):
        game.finished = NOW - timedelta(minutes=1 + at // 2)
        Seat.objects.filter(game=game).update(ended=game.finished)
    Game.objects.bulk_update(games, ["finished"])
    return games


def walk(client, query: str = "") -> list[list[str]]:
    """The games on each page of the archive from that one on."""
    pages = []
    while query is not None:
        response = client.get(f"/archive/{query}")
        pages.append(finished(response))
        query = page_links(response).get("next")
    return pages


@pytest.mark.parametrize("query", ["", "?player=anna", "?player=anna&against=bruno"])
def test_all_games_come_once_from_the_latest_to_the_first(client, query: str) -> None:
    many_finished(44)
    whole = [game.name for game in Game.objects.order_by("-finished", "-pk")]
    pages = walk(client, query)
    assert [len(page) for page in pages] == [20, 20, 5]
    assert list(chain(*pages)) == whole


def test_the_way_back_shows_the_same_pages(client) -> None:
    many_finished(44)
    first = client.get("/archive/")
    second = client.get(f"/archive/{page_links(first)['next']}")
    third = client.get(f"/archive/{page_links(second)['next']}")
    assert "prev" not in page_links(first) and "next" not in page_links(third)
    back = client.get(f"/archive/{page_links(third)['prev']}")
    assert finished(back) == finished(second)
    again = client.get(f"/archive/{page_links(back)['prev']}")
    assert finished(again) == finished(first) and "prev" not in page_links(again)


def test_what_ends_meanwhile_moves_no_page(client) -> None:
    many_finished(30)
    first = client.get("/archive/")
    expected = finished(client.get(f"/archive/{page_links(first)['next']}"))
    finished_game(name="New")
    assert finished(client.get(f"/archive/{page_links(first)['next']}")) == expected


def test_ones_own_hidden_games_stand_among_the_others(client) -> None:
    anna = make_players(1)[0]
    games = many_finished(44)
    hidden = [game.pk for game in games[::3]]
    Game.objects.filter(pk__in=hidden).update(visibility=Visibility.PRIVATE)
    whole = [game.name for game in Game.objects.order_by("-finished", "-pk")]
    assert list(chain(*walk(signed_in(client, anna)))) == whole
    shown = [game.name for game in Game.objects.exclude(pk__in=hidden).order_by("-finished", "-pk")]
    assert list(chain(*walk(signed_in(client, make_player("Zoe"))))) == shown


def test_back_among_ones_own_hidden_games() -> None:
    anna = make_players(1)[0]
    Game.objects.filter(pk__in=[game.pk for game in many_finished(44)[::3]]).update(
        visibility=Visibility.PRIVATE
    )
    whole = list(Game.objects.order_by("-finished", "-pk"))
    asked = QueryDict(mutable=True)
    asked["before"] = BY_GAME.key_of(whole[25])
    page = load_finished_games(anna, asked, 20)
    assert page.rows == whole[5:25]
    assert (page.previous, page.further) == (BY_GAME.key_of(whole[5]), BY_GAME.key_of(whole[24]))


@pytest.mark.parametrize(
    "key",
    [
        "",
        "7",
        "x~y",
        "~",
        "~~~",
        "2026-03-01~1",
        "2026-03-01T12:00:00~1",
        "0001-01-01T00:00:00+14:00~1",
        "9999-12-31T23:59:59-12:00~1",
        "2026-03-01T12:00:00+00:00~\0",
        "2026-03-01T12:00:00+00:00~99999999999999999999999",
    ],
)
def test_nonsense_is_the_first_page(client, key: str) -> None:
    finished_game(name="Open")
    for name in ("after", "before"):
        assert Order(Game, ("-finished", "-pk")).place({name: key}) == PagePlace()
        assert finished(client.get("/archive/", {name: key})) == ["Open"]
