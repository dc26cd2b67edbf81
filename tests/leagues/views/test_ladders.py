"""The page of a ladder, and challenging there."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.clocks import DAY
from games.models import Game
from leagues import seasons
from leagues.models import Challenge, Season
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.test_ladders import challenge, ladder, lose, order, player
from tests.leagues.test_seasons import BEGINS

pytestmark = pytest.mark.django_db

URL = "/leagues/cup-of-foix/1/"


def running_now(number: int) -> Season:
    """A ladder that runs by the clock on the wall."""
    season = ladder(number)
    now = timezone.now()
    Season.objects.update(opened=now - 8 * DAY, begins=now - DAY, ends=now + 60 * DAY + timedelta(hours=1))
    season.refresh_from_db()
    return season


def rungs(page: Page) -> list[str]:
    return [" ".join(rung.get_text(" ").split()) for rung in page.all(".rungs > li")]


def test_says_whom_one_may_challenge_and_why_not(client: Client) -> None:
    season = running_now(6)
    now = timezone.now()
    challenge(season, 2, 1, now)
    client.force_login(player(4))
    page = Page(client.get(f"{URL}1/"))
    assert page.text("h1") == "Ladder"
    assert rungs(page) == [
        "1 Player00 too far above you",
        "2 Player01 plays against Player02",
        "3 Player02 plays against Player01",
        "4 Player03 Challenge",
        "5 Player04 you",
        "6 Player05",
    ]
    assert page.texts(".open .told") == ["Player02 challenges Player01 for their place."]


def test_challenging_begins_a_game(client: Client) -> None:
    season = running_now(3)
    client.force_login(player(2))
    button = Page(client.get(f"{URL}1/")).all(".rungs button")[0]
    sent = client.post(f"{URL}challenge/", {button["name"]: button["value"]}, follow=True)
    assert sent.redirect_chain[-1][0] == f"{URL}1/"
    page = Page(sent)
    assert page.has(".message.success") and not page.has(".rungs button")
    assert rungs(page)[:2] == ["1 Player00 plays against Player02", "2 Player01 you are in a challenge"]
    game = Game.objects.get()
    assert page.links(".matches.own .match-games a") == [f"/g/{game.code}/"]
    assert Challenge.objects.get().challenged == player(0)
    page = Page(client.post(f"{URL}challenge/", {"player": player(1).pk}, follow=True))
    assert page.texts(".message.error") == ["You're already in a challenge."]
    lose(0, timezone.now())
    page = Page(client.get(f"{URL}1/"))
    assert order(season) == "201"
    assert page.texts(".ended .told") == ["Player02 has beaten Player00 and is now above."]


def test_who_is_not_there_can_join_while_it_runs(client: Client) -> None:
    season = running_now(3)
    assert Page(client.get(f"{URL}1/")).has("main a[href*='login']")
    client.force_login(make_player("Player09"))
    page = Page(client.get(f"{URL}1/"))
    assert not page.has(".rungs button")
    client.post(str(page.one("form.register")["action"]))
    assert order(season) == "0129"
    page = Page(client.get(f"{URL}1/"))
    assert not page.has("form.register") and len(page.all(".rungs button")) == 3


def test_who_has_held_the_place_is_told(client: Client) -> None:
    season = running_now(3)
    challenge(season, 2, 0, timezone.now())
    seasons.withdraw(season_id=season.pk, player=player(2), now=timezone.now())
    lose(2, timezone.now())
    page = Page(client.get(f"{URL}1/"))
    assert page.texts(".ended .told") == ["Player00 has defended the place against Player02."]
    assert rungs(page) == ["1 Player00", "2 Player01"]
    assert Page(client.get(URL)).rows(".standings tbody tr") == [["1", "Player00", ""], ["2", "Player01", ""]]


def test_only_posts_of_players_challenge(client: Client) -> None:
    running_now(2)
    assert client.post(f"{URL}challenge/", {"player": player(0).pk}).status_code == 302
    client.force_login(player(1))
    assert client.get(f"{URL}challenge/").status_code == 405
    for asked in ("", "x", "9" * 5000, "999999"):
        assert client.post(f"{URL}challenge/", {"player": asked}).status_code == 404
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("players", [4, 14])
def test_costs_the_same_however_many_play(
    client: Client, django_assert_max_num_queries: Any, players: int
) -> None:
    season = running_now(players)
    for two in range(0, players, 2):
        challenge(season, two + 1, two, BEGINS + two * DAY / 100)
    for loser in range(0, players // 2, 2):
        lose(loser, BEGINS + DAY)
    client.force_login(player(0))
    for url in (URL, f"{URL}1/", "/leagues/cup-of-foix/"):
        with django_assert_max_num_queries(12):
            assert client.get(url).status_code == 200
