"""A player's private feeds, and the page with their addresses."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from accounts import feed_secrets
from accounts.models import FeedSecret, Player
from games import play
from games.clocks import DAY, ClockSettings
from games.forms.own_time import HolidayForm
from games.models import Game, Holiday, Kind, Notice, Visibility
from games.selectors.own_notices import LATEST
from tests.caches import clear_cache
from tests.games.factories import make_game, make_player, play_turns
from tests.games.visitors import signed_in
from tests.html import Page
from tests.moderation.sanctioning import suspend
from tests.permissions.table import WRITING

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
NEWS, CALENDAR = "private_news", "private_calendar"
STOPPED_BY_HOLIDAYS = ClockSettings(start=5 * DAY, gain=DAY, cap=5 * DAY)
BOTH = pytest.mark.parametrize("feed", [NEWS, CALENDAR])


@pytest.fixture
def game() -> Game:
    return make_game(now=timezone.now(), name="Toulouse")


@pytest.fixture
def token(game: Game) -> str:
    return make_token()


@pytest.fixture
def reader() -> Client:
    """A program that only knows an address."""
    return Client()


def anna() -> Player:
    return Player.objects.get(username="Anna")


def make_token() -> str:
    return feed_secrets.build_token(feed_secrets.make_secret(anna(), now=timezone.now()))


def url(feed: str, token: str) -> str:
    return reverse(f"games:{feed}", args=[token])


def owe(kind: Kind = Kind.GAME_OVER, **values: Any) -> Notice:
    """Add a sent notice to Anna to the outbox."""
    now = timezone.now()
    times = {"created": now, "due": now, "next_try": now, "sent": now}
    about = {"recipient": anna(), "game": Game.objects.get(name="Toulouse")}
    keyed = {"key": f"test.{kind}.{now}", "kind": kind}
    return Notice.objects.create(**{**keyed, **times, **about, **values})


def read_entries(answer: Any) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(answer.content).iter(f"{ATOM}entry"))


def read_titles(answer: Any) -> list[str]:
    return [entry.findtext(f"{ATOM}title") or "" for entry in read_entries(answer)]


def read_events(answer: Any) -> dict[str, Any]:
    """The events by title."""
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    return {str(event["summary"]): event for event in events}


class TestPage:
    def test_is_its_owners(self) -> None:
        assert Client().get("/feeds/").url == "/account/login/?next=/feeds/"

    def test_is_linked_from_the_settings(self, game: Game) -> None:
        page = Page(signed_in("Anna").get("/account/settings/"))
        assert page.link("Private feeds: news and calendar") == "/feeds/"

    def test_makes_no_addresses_until_one_asks(self, game: Game) -> None:
        page = Page(signed_in("Anna").get("/feeds/"))
        assert not page.all("input[readonly]") and not FeedSecret.objects.exists()

    def test_shows_addresses_that_work(self, game: Game, reader: Client) -> None:
        client = signed_in("Anna")
        answer = client.post("/feeds/renew/", follow=True)
        page = Page(answer)
        addresses = [str(field["value"]) for field in page.all("input[readonly]")]
        assert [reader.get(urlsplit(address).path).status_code for address in addresses] == [200, 200]
        assert all(address.startswith("https://carcassonne.example/feeds/") for address in addresses)
        assert page.link("Open in calendar app") == addresses[1].replace("https:", "webcal:")
        assert "no-store" in answer["Cache-Control"]
        assert Page(client.get("/feeds/")).all("input[readonly]")[0]["value"] == addresses[0]

    @BOTH
    def test_new_addresses_end_the_old_ones(self, feed: str, token: str, reader: Client) -> None:
        signed_in("Anna").post("/feeds/renew/")
        assert reader.get(url(feed, token)).status_code == 404

    @BOTH
    def test_switching_off_ends_them(self, feed: str, token: str, reader: Client) -> None:
        client = signed_in("Anna")
        assert not Page(client.post("/feeds/off/", follow=True)).all("input[readonly]")
        assert reader.get(url(feed, token)).status_code == 404

    def test_only_a_form_of_ours_changes_them(self, token: str) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(anna())
        assert client.get("/feeds/renew/").status_code == client.get("/feeds/off/").status_code == 405
        assert client.post("/feeds/renew/").status_code == client.post("/feeds/off/").status_code == 403
        assert feed_secrets.find_by_token(token) is not None


@BOTH
class TestBothFeeds:
    def test_are_kept_by_nobody_and_found_by_no_search(self, feed: str, token: str, reader: Client) -> None:
        answer = reader.get(url(feed, token))
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["X-Robots-Tag"] == "noindex"
        assert answer["Referrer-Policy"] == "same-origin"
        assert not answer.cookies

    def test_are_there_for_a_valid_token_alone(self, feed: str, token: str, reader: Client) -> None:
        head, _dot, signature = token.partition(".")
        for wrong in ("0", head, f"{head}.{signature[:-1]}", f"{head}.{'A' * len(signature)}", f"{token}0"):
            assert reader.get(url(feed, wrong)).status_code == 404
        assert reader.post(url(feed, token)).status_code == 405

    def test_who_tries_tokens_is_slowed_down_and_who_knows_one_is_not(
        self, feed: str, token: str, reader: Client, settings: Any
    ) -> None:
        clear_cache()
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guess_token": "2/m/ip"}
        assert [reader.get(url(feed, str(n))).status_code for n in range(3)] == [404, 404, 429]
        assert reader.get(url(feed, token)).status_code == 200

    def test_a_suspended_player_has_none(self, feed: str, token: str, reader: Client) -> None:
        suspend(anna(), timezone.now())
        assert reader.get(url(feed, token)).status_code == 404

    def test_speak_as_their_player_whoever_is_signed_in(self, feed: str, token: str, reader: Client) -> None:
        Player.objects.filter(username="Anna").update(language="pl")
        answer = reader.get(url(feed, token), headers={"Accept-Language": "ru"})
        reader.force_login(Player.objects.get(username="Bruno"))
        assert reader.get(url(feed, token)).content == answer.content
        Player.objects.filter(username="Anna").update(language="en")
        assert reader.get(url(feed, token)).content != answer.content

    def test_what_has_not_changed_is_not_sent_again(self, feed: str, token: str, reader: Client) -> None:
        def ask_again() -> int:
            return reader.get(url(feed, token), headers={"If-None-Match": etag}).status_code

        etag = reader.get(url(feed, token))["ETag"]
        assert ask_again() == 304
        Game.objects.update(deadline=timezone.now() + timedelta(days=9))
        assert ask_again() == 200

    def test_nothing_is_written(self, feed: str, token: str, reader: Client) -> None:
        owe()
        with CaptureQueriesContext(connection) as queries:
            reader.get(url(feed, token))
        assert not [query["sql"] for query in queries.captured_queries if WRITING.match(query["sql"])]

    def test_cost_as_many_queries_for_many_games_as_for_one(
        self, feed: str, token: str, reader: Client
    ) -> None:
        def count() -> int:
            with CaptureQueriesContext(connection) as queries:
                assert reader.get(url(feed, token)).status_code == 200
            return len(queries)

        owe()
        Holiday.objects.create(player=anna(), **holiday_at(datetime(2090, 1, 1, tzinfo=UTC)))
        few = count()
        for n in range(8):
            owe(game=make_game(now=timezone.now(), name=f"Game {n}"))
            Holiday.objects.create(player=anna(), **holiday_at(datetime(2091 + n, 1, 1, tzinfo=UTC)))
        assert count() == few <= 8

    def test_the_token_is_in_no_line_of_the_log(
        self, feed: str, token: str, reader: Client, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        reader.get(url(feed, token))
        reader.post(url(feed, token))
        feed_secrets.delete_secret(anna())
        reader.get(url(feed, token))
        assert "feeds-switched-off" in caplog.text
        assert not any(token in line for line in lines_of_the_log(caplog))


def lines_of_the_log(caplog: pytest.LogCaptureFixture) -> Iterator[str]:
    """Yield log lines as our handlers write them, without those of the test client."""
    for record in caplog.records:
        if record.name.startswith(("django.request", "carcassonne", "security", "accounts", "games")):
            yield record.getMessage()


def holiday_at(begin: datetime, days: int = 2) -> dict[str, datetime]:
    return {"begin": begin, "end": begin + timedelta(days=days), "entered": begin - timedelta(days=5)}


class TestNews:
    def test_is_a_feed_with_an_id_that_keeps_the_secret(self, token: str, reader: Client) -> None:
        answer = reader.get(url(NEWS, token))
        root = ElementTree.fromstring(answer.content)
        assert answer["Content-Type"].startswith("application/atom+xml")
        assert root.findtext(f"{ATOM}id") == f"tag:carcassonne.example,2026:player-{anna().pk}"
        assert (root.findtext(f"{ATOM}title") or "").startswith("Anna at ")
        assert root.findtext(f"{ATOM}author/{ATOM}name")

    def test_has_games_that_wait_with_their_deadline(self, game: Game, token: str, reader: Client) -> None:
        Player.objects.filter(username="Anna").update(time_zone="Asia/Kathmandu")
        Game.objects.update(deadline=datetime(2090, 3, 3, 12, 0, tzinfo=UTC))
        (entry,) = read_entries(reader.get(url(NEWS, token)))
        game.refresh_from_db()
        assert entry.findtext(f"{ATOM}title") == "Your turn: Toulouse"
        assert "17:45 (+0545)" in (entry.findtext(f"{ATOM}summary") or "")
        link = entry.find(f"{ATOM}link")
        assert link is not None and link.attrib["href"] == f"https://carcassonne.example/g/{game.code}/"
        assert entry.findtext(f"{ATOM}updated") == game.turn_began.isoformat()  # type: ignore[union-attr]

    def test_says_where_no_clock_runs(self, game: Game, token: str, reader: Client) -> None:
        Game.objects.update(deadline=None)
        (entry,) = read_entries(reader.get(url(NEWS, token)))
        assert entry.findtext(f"{ATOM}summary") == "The clock is stopped."

    def test_a_turn_is_an_entry_with_an_id_of_its_own(self, game: Game, token: str, reader: Client) -> None:
        def read_ids() -> list[str]:
            return [entry.findtext(f"{ATOM}id") or "" for entry in read_entries(reader.get(url(NEWS, token)))]

        first = read_ids()
        assert first == read_ids() and len(first) == 1
        play_turns(game, 1, now=timezone.now())
        assert read_ids() == []
        play_turns(game, 1, now=timezone.now())
        assert len(read_ids()) == 1 and read_ids() != first

    def test_does_not_tell_a_turn_before_it_stands(self, game: Game, token: str, reader: Client) -> None:
        Player.objects.update(undo_seconds=60)
        play_turns(game, 1, now=timezone.now())
        game.refresh_from_db()
        game.settles, game.awaited, game.deadline, game.calendar = timezone.now(), 0, None, None
        game.save()
        assert read_entries(reader.get(url(NEWS, token))) == []
        game.refresh_from_db()
        assert game.settles is not None

    def test_has_what_the_player_was_told_the_newest_first(self, token: str, reader: Client) -> None:
        later = timezone.now() + timedelta(hours=1)
        owe(Kind.GAME_OVER)
        owe(Kind.CONDUCT, game=None)
        owe(Kind.LEAGUE, game=None, about={"league": 4711})  # it is gone
        owe(Kind.TABLE, due=later)
        owe(Kind.TABLE, recipient=Player.objects.get(username="Bruno"))
        owe(Kind.TIME_OUT, sent=None, dropped=timezone.now(), why_dropped="stale")
        owe(Kind.REMINDER)
        owe(Kind.YOUR_TURN)
        assert read_titles(reader.get(url(NEWS, token))) == [
            "Leagues and tournaments",
            "Warnings, mutes and suspensions of mine: Messages from moderators",
            "Game over: Toulouse",
            "Your turn: Toulouse",
        ]

    def test_tells_once_what_went_out_by_several_channels(self, token: str, reader: Client) -> None:
        mail = owe(Kind.GAME_OVER)
        owe(Kind.GAME_OVER, channel="push", key=f"{mail.key}.push")
        titles = read_titles(reader.get(url(NEWS, token)))
        assert titles.count("Game over: Toulouse") == 1

    def test_names_no_game_that_the_player_cannot_see(self, token: str, reader: Client) -> None:
        hidden = make_game(now=timezone.now(), name="Hidden", visibility=Visibility.PRIVATE)
        hidden.seats.filter(player=anna()).update(player=make_player("Carl"))
        owe(game=hidden)
        answer = reader.get(url(NEWS, token))
        assert read_titles(answer) == ["Game over", "Your turn: Toulouse"]
        paths = {
            urlsplit(link.attrib["href"]).path
            for link in ElementTree.fromstring(answer.content).iter(f"{ATOM}link")
        }
        assert "/mails/" in paths and f"/g/{hidden.code}/" not in paths

    def test_ends_after_so_many(self, token: str, reader: Client) -> None:
        now = timezone.now()
        Notice.objects.bulk_create(
            Notice(
                key=f"test.{n}", kind=Kind.TABLE, recipient=anna(), game=Game.objects.get(), created=now,
                due=now, next_try=now, sent=now,
            )
            for n in range(LATEST + 5)
        )  # fmt: skip
        assert len(read_titles(reader.get(url(NEWS, token)))) == LATEST == 50

    @pytest.mark.parametrize(
        "name", ["]]><x>&amp;", "A\x1bB\ufffe\x00"[:4], "l\r\nEND:VEVENT\r\nBEGIN:VEVENT"]
    )
    def test_any_name_leaves_both_feeds_well_formed(self, name: str, token: str, reader: Client) -> None:
        Game.objects.update(name=name, deadline=datetime(2090, 3, 3, tzinfo=UTC))
        (title,) = read_titles(reader.get(url(NEWS, token)))
        assert title.startswith("Your turn: ") and "\x1b" not in title
        (event,) = read_events(reader.get(url(CALENDAR, token))).values()
        assert "\n" not in event["summary"] and "\x1b" not in event["summary"]


class TestCalendar:
    def test_has_a_deadline_in_utc_that_rings_and_links_the_game(
        self, game: Game, token: str, reader: Client
    ) -> None:
        Player.objects.filter(username="Anna").update(time_zone="America/New_York")
        Game.objects.update(deadline=datetime(2090, 3, 3, 12, 30, tzinfo=UTC))
        answer = reader.get(url(CALENDAR, token))
        assert answer["Content-Type"].startswith("text/calendar")
        event = read_events(answer)["Deadline: Toulouse"]
        assert event["dtstart"].to_ical() == b"20900303T123000Z" and "TZID" not in event["dtstart"].params
        address = f"https://carcassonne.example/g/{game.code}/"
        assert str(event["url"]) == address and address in str(event["description"])
        (alarm,) = event.walk("VALARM")
        assert (str(alarm["action"]), alarm.decoded("trigger")) == ("DISPLAY", timedelta(hours=-3))
        reload = Calendar.from_ical(answer.content)["refresh-interval"]
        assert (reload.dt, reload.params["VALUE"]) == (timedelta(hours=1), "DURATION")

    def test_has_one_event_for_each_game_that_waits(self, game: Game, token: str, reader: Client) -> None:
        make_game(now=timezone.now(), name="Albi")
        play_turns(game, 1, now=timezone.now())
        Game.objects.filter(name="Albi").update(deadline=timezone.now() + timedelta(days=1))
        assert list(read_events(reader.get(url(CALENDAR, token)))) == ["Deadline: Albi"]
        Game.objects.update(deadline=None)
        assert read_events(reader.get(url(CALENDAR, token))) == {}

    def test_a_deadline_that_moves_has_a_later_number(self, token: str, reader: Client) -> None:
        def read_deadline() -> Any:
            return read_events(reader.get(url(CALENDAR, token)))["Deadline: Albi"]

        now = timezone.now()
        game = make_game(now=now, name="Albi", clock=STOPPED_BY_HOLIDAYS)
        before = read_deadline()
        begin = now + timedelta(days=1)
        play.enter_holiday(player=anna(), begin=begin, end=begin + timedelta(days=5), now=now)
        play.follow_holidays(game_id=game.pk, now=now)
        after = read_deadline()
        assert after.decoded("dtstart") > before.decoded("dtstart")
        assert after["uid"] == before["uid"] and int(after["sequence"]) > int(before["sequence"])

    @pytest.mark.parametrize("zone", ["Europe/Warsaw", "Pacific/Auckland", "America/St_Johns"])
    def test_whole_days_of_holiday_are_days_though_the_clocks_change(
        self, zone: str, token: str, reader: Client
    ) -> None:
        """All of these zones change their clocks between the two days."""
        Player.objects.filter(username="Anna").update(time_zone=zone)
        here = ZoneInfo(zone)
        Holiday.objects.create(
            player=anna(),
            begin=datetime(2050, 3, 1, tzinfo=here),
            end=datetime(2050, 4, 11, tzinfo=here),
            entered=timezone.now(),
        )
        event = read_holiday(reader.get(url(CALENDAR, token)))
        assert event.decoded("dtstart") == date(2050, 3, 1)
        assert event.decoded("dtend") == date(2050, 4, 11)  # the day after the last one (RFC 5545, 3.6.1)

    def test_a_day_without_midnight_or_of_another_length_is_a_whole_day(
        self, token: str, reader: Client
    ) -> None:
        """Clocks go forward at midnight in the first three zones, and at another hour in Warsaw."""
        for zone, day in (
            ("Africa/Cairo", date(2050, 4, 29)),
            ("America/Santiago", date(2050, 9, 4)),
            ("Asia/Beirut", date(2050, 3, 27)),
            ("Europe/Warsaw", date(2050, 3, 27)),
            ("Europe/Warsaw", date(2050, 10, 30)),
        ):
            Player.objects.filter(username="Anna").update(time_zone=zone)
            for last in (day, day + timedelta(days=13), day + timedelta(days=20)):
                with timezone.override(zone):
                    form = HolidayForm({"begin": day, "end": last}, now=datetime(2050, 1, 1, tzinfo=UTC))
                    assert form.is_valid(), form.errors
                    begin, end = form.piece
                Holiday.objects.all().delete()
                Holiday.objects.create(player=anna(), begin=begin, end=end, entered=timezone.now())
                event = read_holiday(reader.get(url(CALENDAR, token)))
                told = event.decoded("dtstart"), event.decoded("dtend")
                assert told == (day, last + timedelta(days=1)), (zone, last)

    def test_other_holidays_are_told_to_the_minute(self, token: str, reader: Client) -> None:
        begin = datetime(2050, 7, 1, 9, 30, tzinfo=UTC)
        Holiday.objects.create(player=anna(), automatic=True, **holiday_at(begin))
        event = read_holiday(reader.get(url(CALENDAR, token)))
        assert (event.decoded("dtstart"), event.decoded("dtend")) == (begin, begin + timedelta(days=2))
        assert str(event["transp"]) == "TRANSPARENT"

    def test_holidays_of_others_and_those_long_past_are_left_out(self, token: str, reader: Client) -> None:
        Holiday.objects.create(player=anna(), **holiday_at(timezone.now() - timedelta(days=100)))
        bruno = Player.objects.get(username="Bruno")
        Holiday.objects.create(player=bruno, **holiday_at(timezone.now()))
        assert not [title for title in read_events(reader.get(url(CALENDAR, token))) if "holiday" in title]


def read_holiday(answer: Any) -> Any:
    (event,) = [event for title, event in read_events(answer).items() if title.endswith(": holiday")]
    return event
