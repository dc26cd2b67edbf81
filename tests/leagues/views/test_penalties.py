"""Tests of penalty points in tables, with the reason and a link to the log."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leagues import seasons
from leagues.models import Entry, LogEntry, Team
from leagues.views.leagues import LOG_PAGE
from tests.html import Page
from tests.leagues.organising_helpers import LATER, get_organiser
from tests.leagues.season_helpers import (
    begin_season,
    get_numbered_player,
)
from tests.leagues.team_season_helpers import begin_team_season
from tests.leagues.views.league_page_helpers import LEAGUE_URL

pytestmark = pytest.mark.django_db

REASON = "Came late & left <early>"


def punish(contender: Entry | Team, points: str, reason: str = REASON) -> LogEntry:
    given = {"who": get_organiser(), "reason": reason, "now": LATER}
    seasons.set_penalty(contender=contender, points=Decimal(points), **given)
    return LogEntry.objects.latest("pk")


def read_points(page: Page) -> list[str]:
    """The points in a table, without further texts."""
    return [points.split()[0] for points in page.texts(".standings .points")]


@pytest.mark.parametrize("url", [f"{LEAGUE_URL}1/", f"{LEAGUE_URL}1/1/"])
def test_a_table_shows_how_many_and_why(client: Client, url: str) -> None:
    season = begin_season(4, division_size=4)
    assert not Page(client.get(url)).has(".penalty")
    log = punish(season.entries.get(player=get_numbered_player(0)), "2.5")
    page = Page(client.get(url))
    assert page.text(".standings .penalty [aria-hidden]") == "(−2½)"
    assert page.text(".standings .penalty .hidden-text") == "Penalty points: 2½"
    assert read_points(page)[-1] == "−2½"
    assert page.text(".why .penalty-reason q") == REASON
    assert page.link("Penalty points: 2½") == f"{LEAGUE_URL}log/?entry={log.pk}#entry-{log.pk}"


def test_it_is_gone_when_it_is_lifted(client: Client) -> None:
    season = begin_season(4, division_size=4)
    entry = season.entries.get(player=get_numbered_player(0))
    punish(entry, "2")
    entry.refresh_from_db()
    punish(entry, "0")
    assert not Page(client.get(f"{LEAGUE_URL}1/1/")).has(".penalty, .penalty-reason")


def test_a_table_of_teams_shows_it_too(client: Client) -> None:
    season = begin_team_season("AB")
    punish(season.teams.get(name="A"), "1")
    for url in ("/leagues/team-cup/1/", "/leagues/team-cup/1/1/"):
        page = Page(client.get(url))
        assert page.text(".of-teams .penalty .hidden-text") == "Penalty points: 1"
        assert page.text(".of-teams .penalty-reason q") == REASON


def test_the_link_leads_to_the_page_of_the_log_where_it_stands(client: Client) -> None:
    season = begin_season(4, division_size=4)
    log = punish(season.entries.get(player=get_numbered_player(0)), "2")
    LogEntry.objects.bulk_create(
        LogEntry(league=season.league, at=LATER + timedelta(minutes=n), act="announce", details={})
        for n in range(LOG_PAGE)
    )
    url = f"{LEAGUE_URL}log/"
    assert not Page(client.get(url)).has(f"#entry-{log.pk}")
    assert REASON in Page(client.get(f"{url}?entry={log.pk}")).text(f"#entry-{log.pk}")
    for asked in ("x", "²", "0", "9" * 5000):
        assert not Page(client.get(url, {"entry": asked})).has(f"#entry-{log.pk}")


def test_names_in_reasons_are_looked_up_at_once(client: Client) -> None:
    season = begin_season(4, division_size=4)
    queries = []
    for number in range(2):
        entry = season.entries.get(player=get_numbered_player(number))
        punish(entry, "1", "As Player03 says")
        with CaptureQueriesContext(connection) as caught:
            page = Page(client.get(f"{LEAGUE_URL}1/1/"))
        queries.append(len(caught))
    assert page.texts(".penalty-reason q") == ["As Player03 says"] * 2
    assert queries[0] == queries[1]


def test_files_of_a_season_have_it(client: Client) -> None:
    season = begin_season(3, division_size=4)
    punish(season.entries.get(player=get_numbered_player(0)), "1.5")
    rows = json.loads(client.get(f"{LEAGUE_URL}1/season.json").getvalue())["tables"]
    had = {row["player"]: (row["points"], row["penalty"]) for row in rows}
    assert had == {"Player00": ("-3/2", "3/2"), "Player01": ("0", "0"), "Player02": ("0", "0")}
    lines = client.get(f"{LEAGUE_URL}1/tables.csv").getvalue().decode().splitlines()
    assert lines[0].endswith(",penalty") and lines[-1].endswith(",3/2")
