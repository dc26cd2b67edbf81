"""Tests of what players see of each other's time: absence and reliability, on pages where they meet."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import play, tables
from games.clocks import DAY
from games.models import Game
from games.selectors import holidays
from games.words import holidays as words
from tests.games.factories import keeps_time, make_players, make_table
from tests.games.visitors import begun, signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db


def rests(name: str, begin: datetime, days: float) -> None:
    player = Player.objects.get(username=name)
    play.enter_holiday(player=player, begin=begin, end=begin + days * DAY, now=min(begin, timezone.now()))


def soon(days: float) -> datetime:
    return timezone.now() + days * DAY + timedelta(seconds=5)


class TestAway:
    @pytest.mark.parametrize("name", ["table", "text"])
    def test_stands_beside_the_name_at_the_board(self, name: str) -> None:
        game = begun()
        rests("Bruno", soon(20), 3)
        page = Page(signed_in("Anna").get(url(game, name)))
        assert page.mentions("holiday from") and not page.mentions("on holiday until")
        rests("Bruno", timezone.now(), 2)
        page = Page(signed_in("Anna").get(url(game, name)))
        assert page.mentions(f"on holiday until {words.format_last_day(soon(2), timezone.now())}")

    def test_an_emergency_too(self) -> None:
        game = begun()
        play.begin_emergency(player=Player.objects.get(username="Bruno"), days=3, now=timezone.now())
        page = Page(signed_in("Anna").get(url(game)))
        assert any("away after an emergency" in remark for remark in page.texts(".seat .remark"))

    def test_pieces_that_touch_are_one(self) -> None:
        (anna,) = make_players(1)
        rests("Anna", soon(1), 2)
        begin = anna.holidays.get().end
        rests("Anna", begin, 2)
        rests("Anna", begin + 5 * DAY, 2)
        away = holidays.find_absence(Player.objects.get(pk=anna.pk), timezone.now())
        assert away is not None
        assert away.end == begin + 2 * DAY

    def test_what_is_over_is_not_told(self) -> None:
        (anna,) = make_players(1)
        rests("Anna", soon(0), 1)
        anna = Player.objects.get(pk=anna.pk)
        assert holidays.find_absence(anna, timezone.now()) is not None
        assert holidays.find_absence(anna, soon(1.01)) is None

    def test_a_far_day_has_its_year(self) -> None:
        begin = datetime.fromisoformat("2027-03-01T12:00:00+00:00")
        told = words.format_holiday(begin, begin + DAY, begin - 310 * DAY)
        assert told == "holiday from 1 March 2027"

    def test_what_ends_at_midnight_lasts_until_the_day_before(self) -> None:
        midnight = datetime.fromisoformat("2027-01-04T00:00:00+00:00")
        assert words.format_last_day(midnight, midnight - DAY) == "3 January"


class TestWhereOpponentsAreChosen:
    def test_the_table_says_who_is_away_and_how_reliable(self) -> None:
        anna, _bruno = make_players(2)
        game = make_table(host=anna, now=timezone.now(), seats=3)
        keeps_time(anna, *[False] * 12)
        rests("Anna", timezone.now(), 2)
        page = Page(signed_in("Bruno").get(url(game)))
        habits = page.texts(".place-name .habits")
        assert habits[0] == "100% on time, usually plays within 6 hours"
        assert habits[1].startswith("on holiday until")

    def test_the_page_of_a_player_says_it(self, client: Client) -> None:
        anna, _bruno = make_players(2)
        keeps_time(anna, *[False] * 12)
        rests("Anna", soon(3), 2)
        text = Page(client.get("/players/Anna/")).text("main")
        assert "100% on time · usually plays within 6 hours" in text
        assert "holiday from" in text
        assert "on time" not in Page(client.get("/players/Bruno/")).text("main")

    def test_the_list_of_people_and_an_invitation_say_it(self) -> None:
        anna, bruno = make_players(2)
        keeps_time(anna, *[False] * 12)
        said = "100% on time, usually plays within 6 hours"
        listed = Page(signed_in("Bruno").get("/players/?q=an"))
        assert listed.text("#found .habits") == said
        game = make_table(host=anna, now=timezone.now())
        asked = tables.invite(game_id=game.pk, inviter=anna, player=bruno, now=timezone.now())
        page = Page(signed_in("Bruno").get(reverse("games:invitation", args=[asked.token])))
        assert page.text(".invitation > p .habits") == said

    def test_a_table_may_ask_for_reliability(self) -> None:
        anna, bruno, clara = make_players(3)
        game = make_table(host=anna, now=timezone.now(), seats=3, min_reliability=90)
        keeps_time(bruno, *[False] * 12, True, True)
        shares = [holidays.load_reliability(player).per_cent for player in (bruno, clara)]
        assert shares == [88, None]
        page = Page(signed_in("Bruno").post(url(game, "sit"), follow=True))
        assert "90%" in page.text(".error")
        signed_in("Clara").post(url(game, "sit"))  # a player without a history
        seated = Game.objects.get(pk=game.pk).seats.exclude(player=None).values_list("player", flat=True)
        assert set(seated) == {anna.pk, clara.pk}
