"""Tests of the pages of ratings: leaderboards, histories, calibration."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from accounts.services import close_account
from games.models import Visibility
from ratings import leaders as standing
from ratings import views as leaderboard
from ratings.models import CalibrationMonth, Pool
from ratings.skill import Calibration, Share
from tests.games.factories import NOW, make_game, make_player, make_players, sign_up_only
from tests.html import Page
from tests.ratings.rated_games import finish, rate_all
from tests.ratings.rating_helpers import create_rating

pytestmark = pytest.mark.django_db


class TestLeaderboard:
    def test_the_strongest_come_first(self, client: Client) -> None:
        anna, bruno = make_players(2)
        create_rating(anna, mu=28)
        create_rating(bruno, mu=31.04)
        page = Page(client.get("/ratings/"))
        assert page.rows(".leaders tbody tr") == [
            ["1", "Bruno", "1621 ± 100", "20"],
            ["2", "Anna", "1560 ± 100", "20"],
        ]
        assert page.links(".leaders tbody th a") == ["/players/Bruno/", "/players/Anna/"]
        assert page.links(".leaders td a")[0] == "/ratings/Bruno/?pool=duel"

    def test_each_pool_has_an_address(self, client: Client) -> None:
        anna, bruno = make_players(2)
        create_rating(anna)
        create_rating(bruno, Pool.TABLE)
        page = Page(client.get("/ratings/?pool=table"))
        assert page.texts(".leaders tbody th") == ["Bruno"]
        assert page.links(".pools a") == ["/ratings/", "/ratings/?pool=table"]
        assert page.texts(".pools [aria-current=page]") == ["Tables of three to six"]
        assert Page(client.get("/ratings/?pool=nonsense")).texts(".leaders tbody th") == ["Anna"]

    def test_who_is_provisional_has_played_little_or_is_gone_is_not_there(self, client: Client) -> None:
        anna, bruno, clara = make_players(3)
        create_rating(anna, sigma=7)
        create_rating(bruno, games=9)
        create_rating(clara)
        close_account(player=clara, now=NOW)
        page = Page(client.get("/ratings/"))
        assert not page.has(".leaders") and page.has("main > p.muted")

    def test_one_s_own_row_is_marked(self, client: Client) -> None:
        anna, bruno = make_players(2)
        create_rating(anna)
        create_rating(bruno)
        client.force_login(anna)
        assert Page(client.get("/ratings/")).texts(".leaders .own th") == ["Anna you"]

    def test_the_way_to_it_from_another_page(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leaderboard, "A_PAGE", 2)
        people = make_players(3)
        for at, player in enumerate(people):
            create_rating(player, mu=30 - at)
        client.force_login(people[2])
        page = Page(client.get("/ratings/"))
        assert not page.has(".leaders .own")
        own = page.link("Show")
        assert page.text(f"p:has(> a[href='{own}'])") == "You're 3rd. Show"
        assert Page(client.get(own)).rows(".own") == [["3", "Clara you", "1560 ± 100", "20"]]

    def test_many_are_counted_once_a_minute(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(leaderboard, "A_PAGE", 2)
        monkeypatch.setattr(standing, "EXACTLY", 3)
        caches["process"].clear()
        people = make_players(5)
        for at, player in enumerate(people):
            create_rating(player, mu=30 - at)
        client.force_login(people[4])
        first = Page(client.get("/ratings/"))
        assert first.text(".pages .muted") == "Page 1 of 3"
        own = first.link("Show")
        assert first.text(f"p:has(> a[href='{own}'])") == "You're 5th. Show"
        with CaptureQueriesContext(connection) as again:
            client.get("/ratings/")
        asked = [query["sql"] for query in again if "ratings_rating" in query["sql"]]
        counts = [sql for sql in asked if "COUNT(*)" in sql]
        assert len(counts) == 2 and all("LIMIT 4" in sql for sql in counts)
        caches["process"].clear()

    @pytest.mark.parametrize("count", [2, 60])
    def test_costs_the_same_for_many(
        self, client: Client, count: int, django_assert_max_num_queries: Any
    ) -> None:
        for at in range(count):
            create_rating(make_player(f"Zoe{at:02}"))
        last = Player.objects.latest("pk")
        client.force_login(last)
        with django_assert_max_num_queries(8):
            page = Page(client.get("/ratings/"))
        assert len(page.all(".leaders tbody tr")) == min(count, 50)


class TestHistory:
    def test_as_a_chart_and_as_a_table(self, client: Client) -> None:
        anna, bruno = make_players(2)
        finish([anna, bruno], days=0)
        finish([bruno, anna], days=1)
        rate_all()
        page = Page(client.get("/ratings/anna/"))
        assert page.text("h1") == "Rating of Anna"
        assert [row[1:] for row in page.rows(".steps tbody tr")] == [
            ["Bruno", "2nd of 2", "58%", "1494 ± 159", "−53"],
            ["Bruno", "1st of 2", "50%", "1547 ± 163", "+47"],
        ]
        assert page.links(".steps td a") == ["/players/Bruno/"] * 2
        said = "2 games: from 1547 to 1494, at least 1494, at most 1547"
        assert page.texts("svg[role=img] desc") == [said]
        assert page.has(".strength .badge")  # provisional

    def test_of_each_pool(self, client: Client) -> None:
        finish(make_players(3))
        rate_all()
        assert not Page(client.get("/ratings/Anna/")).has(".steps")
        page = Page(client.get("/ratings/Anna/?pool=table"))
        assert [row[1:3] for row in page.rows(".steps tbody tr")] == [["Bruno Clara", "1st of 3"]]

    def test_games_that_one_may_not_find_have_no_names(self, client: Client) -> None:
        anna, bruno = make_players(2)
        finish([anna, bruno], visibility=Visibility.PRIVATE, name="Secret")
        rate_all()
        page = Page(client.get("/ratings/Anna/"))
        assert not page.mentions("Secret") and not page.mentions("Bruno")
        assert len(page.all(".steps tbody tr")) == 1
        client.force_login(bruno)
        assert Page(client.get("/ratings/Anna/")).texts(".steps tbody th a") == ["Secret"]

    def test_of_nobody_who_is_gone_or_has_never_come(self, client: Client) -> None:
        anna = make_players(1)[0]
        sign_up_only("Zoe")
        close_account(player=anna, now=NOW)
        for name in ("Zoe", "Anna", "Nobody"):
            assert client.get(f"/ratings/{name}/").status_code == 404

    @pytest.mark.parametrize("count", [2, 102])
    def test_costs_the_same_for_many(
        self, client: Client, count: int, django_assert_max_num_queries: Any
    ) -> None:
        people = make_players(3)
        for at in range(count):
            finish([people[0], people[1 + at % 2]], days=at)
        rate_all()
        client.force_login(people[0])
        with django_assert_max_num_queries(8):
            page = Page(client.get("/ratings/Anna/"))
        assert len(page.all(".steps tbody tr")) == min(count, 100)


class TestCalibration:
    def count(self, calibration: Calibration) -> None:
        CalibrationMonth.objects.create(month=NOW.date().replace(day=1), sums=calibration.to_json())

    def test_expected_beside_what_came(self, client: Client, django_assert_max_num_queries: Any) -> None:
        tenths = [Share() for _ in range(10)]
        tenths[6] = Share(100, 65.0, 60.0)
        self.count(Calibration(tuple(tenths), 60.0, 62.5, Share(200, 100.0, 108.0)))
        with django_assert_max_num_queries(4):
            page = Page(client.get("/ratings/calibration/"))
        rows = page.rows(".tenths tbody tr")
        assert len(rows) == 10
        assert rows[6] == ["60 to 70%", "100", "65.0%", "60.0%", "50.2 to 69.1%"]
        assert rows[0] == ["0 to 10%", "0", "–", "–", "–"]
        assert page.texts("svg[role=img] desc") == ["expected 65.0%, actual 60.0%, in 100 games"]
        assert len(page.all("svg .interval")) == len(page.all("svg circle")) == 1
        assert page.rows(".losses tbody tr") == [
            ["The ratings of this site", "0.6000"],
            ["Elo's numbers", "0.6250"],
            ["“Always one half”", "0.6931"],
        ]
        first = page.text(".first-seat")
        assert "(200)" in first and "took 54.0%" in first and "been 50.0%" in first

    def test_before_the_first_game(self, client: Client) -> None:
        page = Page(client.get("/ratings/calibration/"))
        assert page.has("h1") and not page.has("table") and not page.has(".first-seat")


def test_they_lead_to_each_other(client: Client) -> None:
    anna = make_players(1)[0]
    create_rating(anna)
    make_game()
    client.force_login(anna)
    ways = {
        "/players/": "/ratings/",
        "/players/Anna/": "/ratings/Anna/",
        "/ratings/": "/ratings/calibration/",
        "/ratings/Anna/": "/players/Anna/",
        "/ratings/calibration/": "/ratings/",
    }
    for page, link in ways.items():
        assert link in Page(client.get(page)).links("main a"), page


def test_an_account_that_rests_leaves_the_leaderboard(client: Client) -> None:
    anna = make_players(1)[0]
    create_rating(anna)
    anna.ratings.update(settled_until=timezone.now() - timedelta(days=1))
    assert not Page(client.get("/ratings/")).has(".leaders")
