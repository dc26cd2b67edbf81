"""The page of one's own time: calendar, holidays, rest hours, an emergency."""

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games.clocks import DAY, PRESETS, ClockSettings
from games.forms.own_time import HolidayForm
from games.models import Emergency, Game, Holiday
from tests.games.factories import heart_beats, make_game
from tests.games.visitors import signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db

WARSAW = ZoneInfo("Europe/Warsaw")
NOON = datetime(2026, 3, 10, 12, 0, tzinfo=WARSAW)


@pytest.fixture
def clock() -> Any:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture
def client(clock: Any) -> Client:
    """Anna's browser; she lives in Warsaw, and is awaited in two games."""
    heart_beats(timezone.now())
    make_game(clock=PRESETS["steady"], name="Toulouse", now=timezone.now())
    make_game(clock=ClockSettings.per_move(2), name="Albi", now=timezone.now())
    Player.objects.filter(username="Anna").update(time_zone="Europe/Warsaw")
    return signed_in("Anna")


def anna() -> Player:
    return Player.objects.get(username="Anna")


def post(client: Client, where: str, **data: Any) -> Page:
    return Page(client.post(f"/time/{where}", data, follow=True))


def hours(**changed: Any) -> dict[str, Any]:
    usual = {"time_zone": "Europe/Warsaw", "rest_from": "", "rest_to": "", "auto_holiday": "on"}
    return usual | changed


class TestCalendar:
    def test_a_stranger_signs_in_first(self) -> None:
        assert Client().get("/time/").headers["Location"].startswith("/account/login/")

    def test_shows_two_months_with_deadlines_that_lead_to_the_games(self, client: Client) -> None:
        page = Page(client.get("/time/"))
        assert page.texts(".month caption") == ["March 2026", "April 2026"]
        days = {cell.split()[0]: cell for cell in page.texts(".month td:not(.none)")[:31]}
        assert days["12"] == "12 12:00 Albi"
        assert days["14"] == "14 00:00 Toulouse"
        game = Game.objects.get(name="Albi")
        assert page.link("12:00 Albi") == f"/g/{game.code}/"
        assert page.text(".month td[aria-current=date]") == "10"

    def test_shows_holidays_weekends_and_rest(self, client: Client) -> None:
        Player.objects.filter(username="Anna").update(
            weekend_days=[5, 6], rest_from=time(22), rest_to=time(7)
        )
        post(client, "holidays/", begin="2026-03-20", end="2026-03-21")
        page = Page(client.get("/time/"))
        assert page.texts(".month td.holiday") == ["20 holiday", "21 holiday weekend"]
        assert len(page.all(".month td.weekend")) == 17
        assert "Your rest hours are 22:00 to 07:00 every day" in page.text("main")

    def test_many_deadlines_on_a_day_are_counted(self, client: Client) -> None:
        for _ in range(3):
            make_game(clock=ClockSettings.per_move(2), now=timezone.now())
        page = Page(client.get("/time/"))
        assert page.link("1 more") == "/games/"

    def test_costs_few_queries(self, client: Client, django_assert_max_num_queries: Any) -> None:
        with django_assert_max_num_queries(7):
            assert client.get("/time/").status_code == 200

    def test_is_in_the_menu(self, client: Client) -> None:
        assert Page(client.get("/lobby/")).link("My time") == "/time/"


class TestHoliday:
    def test_from_a_day_to_a_day(self, client: Client) -> None:
        page = post(client, "holidays/", begin="2026-03-20", end="2026-03-22")
        holiday = Holiday.objects.get()
        assert holiday.begin == datetime(2026, 3, 20, tzinfo=WARSAW)
        assert holiday.end == datetime(2026, 3, 23, tzinfo=WARSAW)
        assert page.text(".entered strong") == "20 March – 22 March"
        assert page.texts(".left dd") == ["27 days", "30 days"]

    def test_at_once(self, client: Client) -> None:
        post(client, "holidays/", begin="", end="2026-03-12")
        assert Holiday.objects.get().begin == NOON
        assert Holiday.objects.get().end == datetime(2026, 3, 13, tzinfo=WARSAW)

    def test_today_begins_now(self, client: Client) -> None:
        post(client, "holidays/", begin="2026-03-10", end="2026-03-12")
        assert Holiday.objects.get().begin == NOON

    @pytest.mark.parametrize(
        ("begin", "end", "said"),
        [
            ("2026-03-20", "2026-03-19", "The last day is before the first."),
            ("2026-03-09", "2026-03-12", "A holiday can't start in the past."),
            ("", "2026-03-10", "A holiday lasts at least a day."),
            ("2026-04-01", "2026-04-22", "A holiday lasts at most 21 days"),
            ("", "", "This field is required."),
            ("2026-03-20", "9999-12-31", "Enter a valid date."),
            ("0001-01-01", "2026-03-12", "Enter a valid date."),
        ],
    )
    def test_says_what_is_wrong(self, client: Client, begin: str, end: str, said: str) -> None:
        page = post(client, "holidays/", begin=begin, end=end)
        assert said in page.text(".enter")
        assert not Holiday.objects.exists()

    @pytest.mark.parametrize(
        ("first", "last", "length"),
        [
            ("2026-03-29", "2026-03-29", timedelta(days=1)),  # the clocks are put forward
            ("2026-10-20", "2026-11-09", timedelta(days=21)),  # and back
            ("2026-10-25", "2026-10-26", timedelta(days=2, hours=1)),
        ],
    )
    def test_a_day_is_a_day_whatever_the_clocks_do(self, first: str, last: str, length: timedelta) -> None:
        with timezone.override(WARSAW):
            form = HolidayForm({"begin": first, "end": last}, now=NOON)
            assert form.is_valid()
            assert form.piece.end - form.piece.begin == length

    def test_cancelling(self, client: Client) -> None:
        post(client, "holidays/", begin="2026-03-20", end="2026-03-22")
        pk = Holiday.objects.get().pk
        page = post(client, f"holidays/{pk}/cancel/")
        assert "Your holiday is cancelled." in page.text("#messages")
        assert not Holiday.objects.exists()
        assert "There is no such holiday." in post(client, f"holidays/{pk}/cancel/").text("#messages")

    def test_ending_says_when(self, client: Client, clock: Any) -> None:
        post(client, "holidays/", begin="", end="2026-03-20")
        clock.move_to(NOON + 3 * DAY)
        client = signed_in("Anna")
        page = Page(client.get("/time/"))
        assert page.text(".entered button") == "End it on Sat 14 Mar, 00:00"
        post(client, f"holidays/{Holiday.objects.get().pk}/cancel/")
        assert Holiday.objects.get().end == NOON + 3.5 * DAY

    def test_nobody_cancels_those_of_others(self, client: Client) -> None:
        post(client, "holidays/", begin="2026-03-20", end="2026-03-22")
        page = post(signed_in("Bruno"), f"holidays/{Holiday.objects.get().pk}/cancel/")
        assert "There is no such holiday." in page.text("#messages")

    def test_games_that_it_does_not_stop_are_named(self, client: Client) -> None:
        assert Page(client.get("/time/")).texts(".unstopped a") == ["Albi"]


class TestHours:
    def test_are_saved(self, client: Client) -> None:
        sent = hours(rest_from="22:00", rest_to="07:00", weekend_days=["5", "6"])
        page = post(client, "hours/", **sent)
        assert "They apply from your next turn." in page.text("#messages")
        player = anna()
        assert (player.rest_from, player.rest_to, player.weekend_days) == (time(22), time(7), [5, 6])
        assert len(page.all("#hours input[checked]")) == 3

    def test_a_turn_that_has_begun_keeps_its_own(self, client: Client) -> None:
        before = Game.objects.get(name="Toulouse").deadline
        post(client, "hours/", **hours(rest_from="22:00", rest_to="07:00"))
        assert Game.objects.get(name="Toulouse").deadline == before

    def test_switching_the_automatic_holiday_off(self, client: Client) -> None:
        sent = hours()
        del sent["auto_holiday"]
        post(client, "hours/", **sent)
        assert not anna().auto_holiday

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"rest_from": "20:00", "rest_to": "08:01"}, "Rest hours are at most 12 hours a day."),
            ({"rest_from": "20:00"}, "Fill in both times, or neither."),
            ({"weekend_days": ["1", "2", "3", "4"]}, "A weekend has at most three days."),
            ({"time_zone": "Moon/Base"}, "Select a valid choice."),
        ],
    )
    def test_says_what_is_wrong(self, client: Client, changed: dict[str, Any], said: str) -> None:
        page = post(client, "hours/", **hours(**changed))
        assert said in page.text("#hours")
        assert anna().rest_from is None and anna().weekend_days == []


class TestEmergency:
    def test_stops_all_games_and_lets_them_go_on(self, client: Client) -> None:
        page = post(client, "emergency/", days="7")
        emergency = Emergency.objects.get()
        assert (emergency.begin, emergency.end) == (NOON, NOON + 7 * DAY)
        assert "are stopped until Tue 17 Mar, 12:00" in page.text("main")
        assert len(page.all(".month td.stopped")) == 8
        page = post(client, "emergency/end/")
        assert Emergency.objects.get().end == NOON
        assert "You can stop all your games again from 6 September 2026." in page.text("main")

    @pytest.mark.parametrize("days", ["15", "0", "", "x"])
    def test_not_for_longer(self, client: Client, days: str) -> None:
        page = post(client, "emergency/", days=days)
        assert "one day at least and 14 at most" in page.text("#messages")
        assert not Emergency.objects.exists()
