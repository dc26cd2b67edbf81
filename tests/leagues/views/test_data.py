"""Leagues for programs: feed, calendar, CSV and JSON."""

import codecs
import csv
import io
import json
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games.clocks import DAY
from games.models import Game
from leagues import seasons
from leagues.models import Fixture, Season
from tests.html import Page
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, make_league, play_out_season
from tests.leagues.team_season_helpers import THREE_BOARDS, begin_team_season
from tests.leagues.views.feed_helpers import ATOM

pytestmark = pytest.mark.django_db
URL = "/leagues/cup-of-foix/"


def read(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode("utf-8-sig")


@pytest.fixture
def over() -> Season:
    season = begin_season(3, division_size=4)
    play_out_season(season, BEGINS + DAY)
    return season


def test_the_feed_has_results_and_seasons(
    client: Client, over: Season, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12):
        answer = client.get(f"{URL}feed/")
    assert answer["Content-Type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    assert root.findtext(f"{ATOM}title") == "Cup of Foix"
    titles = [entry.findtext(f"{ATOM}title") or "" for entry in root.iter(f"{ATOM}entry")]
    assert {"Player00 1, Player01 0", "Season 1: began the season"} <= {
        ", ".join(sorted(title.split(", "))) for title in titles
    }
    link = next(
        entry.find(f"{ATOM}link")
        for entry in root.iter(f"{ATOM}entry")
        if "Player00" in (entry.findtext(f"{ATOM}title") or "")
    )
    assert link is not None and "/leagues/cup-of-foix/1/1/?round=" in link.attrib["href"]


def test_what_has_not_changed_is_not_sent_again(client: Client, over: Season) -> None:
    paths = ("feed/", "calendar.ics", "1/tables.csv", "1/games.csv", "1/season.json")
    for second, path in enumerate(paths):
        etag = client.get(URL + path)["ETag"]
        assert client.get(URL + path, headers={"If-None-Match": etag}).status_code == 304, path
        Fixture.objects.update(settled=BEGINS + 20 * DAY + timedelta(seconds=second))
        assert client.get(URL + path, headers={"If-None-Match": etag}).status_code == 200, path


def test_the_calendar_has_when_seasons_begin_and_end(client: Client, db: None) -> None:
    season = make_league().seasons.get()
    answer = client.get(f"{URL}calendar.ics")
    assert answer["Content-Type"].startswith("text/calendar")
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    assert [(str(event["summary"]), event.decoded("dtstart")) for event in events] == [
        ("Cup of Foix: registration ends, season 1 begins", season.begins),
        ("Cup of Foix: season 1 ends", season.ends),
    ]
    assert str(events[0]["url"]) == "https://carcassonne.example/leagues/cup-of-foix/1/"


def test_the_calendar_of_teams_has_each_round_once_however_many_divisions_play_it(
    client: Client, db: None
) -> None:
    season = begin_team_season("ABCDEF", division_size=3)
    assert season.divisions.count() == 2
    answer = client.get(reverse("league:calendar", args=[season.league.slug]))
    events = Calendar.from_ical(answer.content).walk("VEVENT")
    told = {str(event["summary"]): event.decoded("dtstart") for event in events}
    assert len(events) == len(told) == len({event["uid"] for event in events})
    begins = BEGINS + THREE_BOARDS.begins(1)
    assert told["Team Cup: season 1, begins: Round 1"] == begins
    assert told["Team Cup: season 1, line-ups due: Round 1"] == begins - DAY
    assert len(told) == 2 + 2 * 3


def test_tables_and_games_as_csv(client: Client, over: Season) -> None:
    raw = b"".join(client.get(f"{URL}1/tables.csv").streaming_content)
    assert raw.startswith(codecs.BOM_UTF8), "for Excel"
    tables = list(csv.DictReader(io.StringIO(read(client.get(f"{URL}1/tables.csv")))))
    assert [(row["player"], row["rank"], row["points"]) for row in tables] == [
        ("Player00", "1", "4"),
        ("Player01", "2", "2"),
        ("Player02", "3", "0"),
    ]
    games = list(csv.DictReader(io.StringIO(read(client.get(f"{URL}1/games.csv")))))
    assert len(games) == 3
    assert {"Player00 1 forfeit", "Player02 2 forfeit"} in [set(row["seats"].split("; ")) for row in games]


def test_private_games_are_nowhere(client: Client, over: Season) -> None:
    kept = Game.objects.order_by("pk").first()
    assert kept is not None
    Game.objects.exclude(pk=kept.pk).update(visibility="private")
    found = json.loads(read(client.get(f"{URL}1/season.json")))
    assert [game["game"] for game in found["games"]] == [kept.code]
    assert len(found["tables"]) == 3 and found["settings"]["seats"] == 2


def test_pages_lead_to_them(client: Client, over: Season) -> None:
    page = Page(client.get(URL))
    assert page.links("link[rel=alternate]") == [f"{URL}feed/", f"{URL}calendar.ics"]
    assert Page(client.get(f"{URL}1/")).links(".downloads a") == [
        f"{URL}1/{name}" for name in ("tables.csv", "games.csv", "season.json")
    ]
    for path in ("feed/", "calendar.ics", "1/season.json"):
        assert client.get(f"/leagues/nowhere/{path}").status_code == 404


def test_calendars_follow_a_season_that_is_moved(client: Client, db: None) -> None:
    """A program that has the event takes one with a later number in its place (RFC 5545, 3.8.7.4)."""
    season = make_league().seasons.get()

    def events() -> list[Any]:
        return Calendar.from_ical(client.get(f"{URL}calendar.ics").content).walk("VEVENT")  # type: ignore[no-any-return]

    def dated() -> set[tuple[int, Any, Any]]:
        return {
            (int(event["sequence"]), event.decoded("dtstamp"), event.decoded("last-modified"))
            for event in events()
        }

    first = events()
    assert dated() == {(0, season.opened, season.opened)}
    advance_seasons(season.begins)  # nobody has come: it begins later
    put_off = season.begins
    season.refresh_from_db()
    assert season.begins > put_off and dated() == {(1, put_off, put_off)}
    again = events()
    assert [one["uid"] for one in again] == [one["uid"] for one in first]
    assert [one.decoded("dtstart") for one in again] == [season.begins, season.ends]
    longer = season.ends + 5 * DAY
    who, later = season.league.founder, season.begins - DAY
    seasons.extend(season_id=season.pk, by=5 * DAY, who=who, reason="Rain", now=later)
    assert dated() == {(2, later, later)} and events()[1].decoded("dtstart") == longer
