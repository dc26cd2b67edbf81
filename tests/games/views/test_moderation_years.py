"""Tests of the public summary of moderation in a year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.play import moderation
from moderation.models import Report
from moderation.selectors import yearly_counts
from moderation.selectors.yearly_counts import YearlyTally
from tests.games.factories import NOW, make_game
from tests.games.play.moderating import asked
from tests.html import Page
from tests.moderation.conduct.reporting import decide, report

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def nothing_known() -> None:
    cache.delete(yearly_counts.KEY)


def shown(client: Client) -> Page:
    return Page(client.get(reverse("moderation:moderation_years")))


def decided(category: str, verdict: str, at: datetime, hours: int) -> None:
    number = Report.objects.count()
    incident = report("Bruno", f"Player{number}", category=category, now=at).incident
    decide(incident, verdict, at + hours * HOUR)


def test_reports_by_category_and_how_long_a_decision_took(client: Client) -> None:
    decided("insults", "upheld", NOW, 1)
    decided("insults", "not_upheld", NOW, 3)
    decided("stalling", "nothing", NOW, 50)
    report(about="Clara", now=NOW)
    decided("name", "upheld", NOW - timedelta(days=400), 2)
    page = shown(client)
    assert page.texts("h2") == ["2026", "2025"]
    assert page.rows("section[aria-labelledby=year-2026] .reports tbody tr") == [
        ["Stalling", "1", "0", "0", "1"],
        ["Insults", "3", "1", "1", "0"],
    ]
    assert "within 3 h of" in page.text("section[aria-labelledby=year-2026] > p")
    assert "within 2 h of" in page.text("section[aria-labelledby=year-2025] > p")


def test_acts_on_games_by_kind(client: Client) -> None:
    now = timezone.now()
    for _number in range(2):
        game = make_game(now=now)
        moderation.pause(asked(game, now=now))
    assert shown(client).rows(".acts tr") == [["pause", "2"]]


def test_every_tally_is_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fines = YearlyTally("fines", "Fines", {"small": "small fines"}, lambda: [(2026, "small", 7)])
    monkeypatch.setattr(yearly_counts, "TALLIES", (fines,))
    assert shown(client).rows(".fines tr") == [["small fines", "7"]]


def test_nothing_yet(client: Client) -> None:
    assert shown(client).texts("#content h2") == []


def test_a_year_is_the_same_for_all_readers(client: Client) -> None:
    report(now=datetime(2026, 1, 1, 3, tzinfo=UTC))
    with timezone.override("America/New_York"):
        assert [year.number for year in yearly_counts.load_years()] == [2026]


def test_it_is_known_for_an_hour(client: Client, django_assert_max_num_queries: Any) -> None:
    decided("insults", "upheld", NOW, 1)
    shown(client)
    decided("name", "upheld", NOW, 1)
    with django_assert_max_num_queries(1):  # the cache may be in the database
        page = shown(client)
    assert page.texts(".reports tbody th") == ["Insults"]


def test_the_foot_of_every_page_leads_there(client: Client) -> None:
    page = Page(client.get(reverse("games:rules")))
    assert page.link("Moderation") == reverse("moderation:moderation_years")
