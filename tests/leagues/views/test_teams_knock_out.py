"""Tests of the pages of knock-outs of teams: bracket, matches, teams, captains, preview, archive."""

import csv
import json
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from games.clocks import DAY, HOUR
from leagues import seasons
from leagues.models import Season, Team, TeamMatch
from leagues.schedules.team_rules import TeamRules
from leagues.selectors.coming_steps import build_steps
from leagues.settings import CupRules, Schedule
from tests.html import Page
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season
from tests.leagues.team_cup_helpers import begin_team_cup, play_team_round
from tests.leagues.team_season_helpers import ONE_BOARD, get_player, make_team, make_team_season
from tests.leagues.views.bracket_helpers import read_ties
from tests.leagues.views.feed_helpers import ATOM

pytestmark = pytest.mark.django_db

LEAGUE = "/leagues/team-cup/"
SEASON = f"{LEAGUE}1/"


def texts(season: Season) -> list[str]:
    return [" ".join([step.text, *step.waits]) for step in build_steps(season, None)]


def played(schedule: Schedule = Schedule.KNOCK_OUT, **settings: Any) -> Season:
    """Play a cup of four teams to its end."""
    season = begin_team_cup(
        "ABCD", schedule=schedule, division_size=2, cup=CupRules(third_place=True), **settings
    )
    now = BEGINS
    while season.running:
        now = play_team_round(season, now)
    return season


def test_the_bracket_leads_to_matches_and_teams(client: Client) -> None:
    season = begin_team_cup("ABC")
    page = Page(client.get(f"{SEASON}1/"))
    assert (page.text("h1"), page.texts(".round h2")) == ("Knock-out", ["Semi-finals", "Final"])
    assert read_ties(page, 1) == [["1 A"], ["2 B", "3 C"]]
    assert page.texts(".tie .state")[1].startswith("The match begins ")
    play_team_round(season, BEGINS)
    page = Page(client.get(f"{SEASON}1/"))
    assert read_ties(page, 1)[1] == ["2 B moves on 1", "3 C 0"]
    assert page.rows(".standings tbody tr") == [
        ["1", "A", "still in"],
        ["1", "B", "still in"],
        ["3", "C", "Third place"],
    ]
    assert page.rows(".players tbody tr")[0] == ["B0", "B", "1", "1", "1:0"]
    match = Page(client.get(page.all(".tie .state a")[0]["href"]))
    assert match.text("h1") == "B – C" and match.text(".outcome") == "B has won."
    assert match.link("Knock-out, Semi-finals") == f"{SEASON}1/?round=1"
    team = Page(client.get(f"{SEASON}teams/{Team.objects.get(name='C').pk}/"))
    assert team.texts(".state")[0] == "Knock-out: Third place"
    assert Page(client.get(SEASON)).texts(".standings caption") == ["Knock-out"]
    final = TeamMatch.objects.get(round=2)
    TeamMatch.objects.filter(pk=final.pk).update(begins=timezone.now() + 3 * DAY)
    client.force_login(get_player("A0"))
    assert Page(client.get(LEAGUE)).text(".task").startswith("Set the line-up against B by ")
    line_up = Page(client.get(f"{SEASON}teams/{final.first_id}/line-up/"))
    assert line_up.text("main > p:nth-of-type(2)").startswith("Final, against B.")


def test_an_even_match_says_what_decided(client: Client) -> None:
    season = begin_team_cup("AB")
    seasons.withdraw_team(team_id=Team.objects.get(name="A").pk, captain=get_player("A0"), now=BEGINS)
    seasons.withdraw_team(team_id=Team.objects.get(name="B").pk, captain=get_player("B0"), now=BEGINS)
    play_team_round(season, BEGINS)
    page = Page(client.get(f"{SEASON}1/1/1/"))
    assert page.text(".outcome") == "Nothing separates the two, so A has won as the higher seed."


def test_groups_stand_below_their_knock_out(client: Client) -> None:
    played(Schedule.GROUPS)
    page = Page(client.get(SEASON))
    assert page.texts(".standings caption") == ["Knock-out", "Group 1", "Group 2"]
    assert Page(client.get(f"{SEASON}1/")).text("h1") == "Group 1"
    assert Page(client.get(f"{SEASON}3/")).facts(".medals") == {
        "Winner": "A",
        "Finalist": "B",
        "Third place": "C",
    }
    team = Page(client.get(f"{SEASON}teams/{Team.objects.get(season__number=1, name='A').pk}/"))
    assert team.texts(".state")[:2] == ["Group 1, 1st", "Knock-out: Winner"]
    assert team.texts(".matches .state:first-child") == ["Round 1", "Semi-finals", "Final"]


class TestAfterwards:
    def test_the_champions_are_who_won_the_knock_out(self, client: Client) -> None:
        played(Schedule.GROUPS)
        page = Page(client.get(f"{LEAGUE}seasons/"))
        assert page.texts(".past .winners div") == [
            "Knock-out A",
            "Group 1 A Points: 2",
            "Group 2 B Points: 2",
        ]
        page = Page(client.get(f"{LEAGUE}champions/"))
        assert page.rows(".champions tbody tr") == [["Season 1", "A"]]
        assert page.texts(".titles li") == ["A 1 title"]
        career = Page(client.get("/careers/A0/"))
        assert career.rows(".career tbody tr")[0][1:] == ["Group 1 A", "1st", "Points 2", "champion"]
        other = Page(client.get("/careers/B0/"))
        assert not other.has(".career .badge"), "only the first of its group"

    def test_of_a_knock_out_alone_they_have_no_points(self, client: Client) -> None:
        played()
        page = Page(client.get(f"{LEAGUE}champions/"))
        assert page.rows(".champions tbody tr") == [["Season 1", "A"]]
        assert Page(client.get(f"{LEAGUE}seasons/")).texts(".past .winners div") == ["Knock-out A"]

    def test_programs_read_teams_and_their_matches(self, client: Client) -> None:
        played(Schedule.GROUPS)
        text = client.get(f"{SEASON}teams.csv").getvalue().decode("utf-8-sig")
        rows = list(csv.DictReader(text.splitlines()))
        assert [(row["division"], row["rank"], row["team"], row["board_points"]) for row in rows] == [
            ("1", "1", "A", "1"),
            ("1", "2", "D", "0"),
            ("2", "1", "B", "1"),
            ("2", "2", "C", "0"),
            *[("3", str(rank), team, "") for rank, team in enumerate("ABCD", start=1)],
        ]
        season = json.loads(client.get(f"{SEASON}season.json").getvalue())
        final = season["team_matches"][-2]
        assert (final["division"], final["round"], final["teams"], final["winner"]) == (3, 2, ["A", "B"], "A")
        assert final["boards"] == [{"board": 1, "players": [["A0", "B0"]], "points": [2, 0]}]
        assert len(season["teams"]) == 8
        entries = list(ElementTree.fromstring(client.get(f"{LEAGUE}feed/").content).iter(f"{ATOM}entry"))
        told = {entry.findtext(f"{ATOM}title"): entry.findtext(f"{ATOM}summary") for entry in entries}
        assert (told["A – B 1:0"] or "").endswith("Season 1, Knock-out, Final")
        assert "A0 1, B0 0" not in told, "boards are told with their match"

    def test_where_nobody_has_a_team_there_is_no_file_of_teams(self, client: Client) -> None:
        begin_season(2)
        assert client.get("/leagues/cup-of-foix/1/teams.csv").status_code == 404


class TestPreview:
    def test_of_registration_counts_teams_with_enough_players(self) -> None:
        season = make_team_season(
            TeamRules(boards=1, least=2, most=3), schedule=Schedule.GROUPS, division_size=2
        )
        make_team(season, "A", 2)
        make_team(season, "B", 1)
        begins = "Registration ends, and the season begins. "
        short = "With fewer than two full teams, the start is postponed."
        assert texts(season)[0] == begins + short
        for name in "CDE":
            make_team(season, name, 2)
        assert texts(season)[0] == begins + "As it stands now, 4 teams are drawn into 2 groups."

    def test_of_a_season_tells_when_rounds_begin_and_what_a_knock_out_waits_for(self) -> None:
        season = begin_team_cup("ABCD", schedule=Schedule.GROUPS, division_size=2)
        assert texts(season)[:3] == [
            "The line-ups of the next rounds close.",
            "These rounds begin, and their line-ups are shown: Group 1: Round 1 Group 2: Round 1",
            "The knock-out begins as soon as all matches of the groups are decided.",
        ]
        assert [step.at for step in build_steps(season, None)][:2] == [
            BEGINS + ONE_BOARD.begins(1) - ONE_BOARD.closes,
            BEGINS + ONE_BOARD.begins(1),
        ]
        now = play_team_round(season, BEGINS)
        assert texts(season)[1] == "These rounds begin, and their line-ups are shown: Knock-out: Semi-finals"
        advance_seasons(now + ONE_BOARD.begins(1) + HOUR)
        assert texts(season)[0] == (
            "The next rounds are drawn: Knock-out: round 2 of 2, as soon as 2 more matches are decided."
        )


@pytest.mark.parametrize(("names", "size"), [("ABCD", 2), ("ABCDEFGHI", 3)])
def test_pages_cost_the_same_however_many_play(
    client: Client, django_assert_max_num_queries: Any, names: str, size: int
) -> None:
    season = begin_team_cup(names, schedule=Schedule.GROUPS, division_size=size)
    now = BEGINS
    while not season.divisions.filter(kind="knock-out", drawn=1).exists():
        now = play_team_round(season, now)
    client.force_login(get_player("A0"))
    level = season.divisions.count()
    match = TeamMatch.objects.filter(division__level=level).values_list("number", flat=True)[0]
    team = Team.objects.get(name="A").pk
    for url in (LEAGUE, SEASON, f"{SEASON}{level}/", f"{SEASON}{level}/1/{match}/", f"{SEASON}teams/{team}/"):
        with django_assert_max_num_queries(20 if url == LEAGUE else 12):
            assert client.get(url).status_code == 200, url
