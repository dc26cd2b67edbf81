"""Tests of the pages of teams: permissions and content."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.services import close_account
from games.clocks import DAY
from games.rules import RuleSet
from leagues import seasons
from leagues.models import League, LineUp, Match, Season, TeamMatch
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.teams.boards import TIME_TO_REPLACE
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.season_helpers import BEGINS, advance_seasons, make_founder
from tests.leagues.team_season_helpers import (
    FIRST_ROUND,
    begin_team_season,
    end_games,
    get_player,
    make_team,
    make_team_season,
)
from tests.leagues.views.founding_helpers import build_league_form_data, found_with_second_yes
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season
from tests.leagues.views.team_page_helpers import (
    TEAM_LEAGUE_URL,
    TEAM_SEASON_URL,
    build_team_url,
    make_open_team_season,
)

pytestmark = pytest.mark.django_db


def drawn_now(names: str = "AB", **settings: Any) -> Season:
    """Begin a season whose first round begins in three days of real time."""
    season = begin_team_season(names, **settings)
    TeamMatch.objects.filter(round=1).update(begins=timezone.now() + 3 * DAY + timedelta(hours=1))
    TeamMatch.objects.filter(round__gt=1).update(begins=timezone.now() + 10 * DAY)
    return season


class TestFounding:
    def test_the_world_team_format_is_one_choice(self, client: Client) -> None:
        client.force_login(make_founder())
        found_with_second_yes(client, sides="world", preset="everything", seats="4", withdrawn="strike")
        agreed = League.objects.get().settings
        assert agreed.teams == TeamRules(boards=5, least=5, most=10, closes=DAY, round=7 * DAY)
        assert (agreed.rules, agreed.schedule) == (RuleSet.of(seats=2), Schedule.GROUPS)
        assert agreed.standings == Rules.usual(2, best_of=3)
        facts = Page(client.get("/leagues/cup-of-foix/")).facts("dl.agreed")
        assert facts["Teams"] == (
            "Matches at 5 boards. Teams of 5 to 10 players. In groups a round begins every 7 days. "
            "Before each match of the knock-out there are 3 days for line-ups."
        )
        assert facts["Format"] == (
            "Every team plays every other team in its group. The first 2 of each group go on to a knock-out."
        )
        assert facts["Groups"] == "Up to 4 teams each, drawn so that all are about equally strong."
        assert facts["Withdrawing"].endswith("it loses its boards, and the other team moves on.")
        assert facts["Match"].startswith(
            "Best of 3 games. Players take turns starting. If a knock-out match is drawn, the team"
        )
        assert facts["Ties"].startswith("Tie-breaks, in this order: board points, head to")

    def test_other_teams_are_described_field_by_field(self, client: Client) -> None:
        client.force_login(make_founder())
        sent = build_league_form_data(
            sides="teams", boards=3, least=3, most=4, line_up_hours=12, round_days=5, division_size=4
        )
        client.post("/leagues/new/", sent)
        teams = League.objects.get().settings.teams
        assert teams == TeamRules(boards=3, least=3, most=4, closes=DAY / 2, round=5 * DAY)

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"boards": 4}, "boards"),
            ({"least": 3}, "most"),
            ({"line_up_hours": 200}, "line_up_hours"),
            ({"seats": "3"}, "sides"),
            ({"length": 20}, "length"),
        ],
    )
    def test_a_fault_stands_at_its_field(self, client: Client, wrong: dict[str, Any], field: str) -> None:
        client.force_login(make_founder())
        page = Page(client.post("/leagues/new/", build_league_form_data(**{"sides": "teams", **wrong})))
        assert [one["id"] for one in page.all(".errorlist")] == [f"id_{field}_error"]


class TestSquads:
    def test_a_captain_founds_a_team_and_another_joins_by_the_link(self, client: Client) -> None:
        make_open_team_season()
        client.force_login(make_player("Zoe"))
        assert Page(client.get(TEAM_LEAGUE_URL)).link("Start or find a team") == f"{TEAM_SEASON_URL}teams/"
        assert not Page(client.get(TEAM_LEAGUE_URL)).has("form.register")
        page = Page(client.post(f"{TEAM_SEASON_URL}teams/", {"name": "Foix"}, follow=True))
        assert page.text("h1") == "Foix" and page.rows(".squad tbody tr")[0][0] == "Zoe captain"
        link = page.text(".link-to-join a")
        client.force_login(make_player("Yan"))
        assert Page(client.get(link)).texts(".registered li") == ["Zoe"]
        page = Page(client.post(link, follow=True))
        assert [row[0] for row in page.rows(".squad tbody tr")] == ["Zoe captain", "Yan"]
        assert not page.has(".link-to-join"), "the link is the captain's"
        assert page.texts(".state")[0] == "2 players: 1 more is needed"

    def test_an_invitation_has_a_page_and_stands_among_my_games(
        self, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        season = make_open_team_season()
        team, zoe = make_team(season, "A", players=2), make_player("Zoe")
        seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=timezone.now())
        client.force_login(zoe)
        with django_assert_max_num_queries(8):
            games = Page(client.get("/games/"))
        assert games.text("#invitations .count") == "1"
        assert games.text("#invitations p") == "A0 has invited you to play for this team, in Team Cup."
        there = games.one("#invitations h3 a")["href"]
        page = Page(client.get(there))
        assert page.texts(".registered li") == ["A0", "A1"]
        assert page.texts(".current button") == ["Accept and join", "Decline"]
        assert client.post(there, {"answer": "perhaps"}).status_code == 400
        client.post(there, {"answer": "decline"})
        page = Page(client.get(there))
        assert page.text(".current .note") == "You have declined this invitation."
        assert not page.has(".current button")
        assert not Page(client.get("/games/")).has("#invitations")
        client.force_login(team.captain)
        assert "has declined" in Page(client.get(build_team_url("A"))).texts(".squad .badge")
        assert client.get(there).status_code == 404, "nobody else has an invitation"

    def test_accepting_leads_to_the_team(self, client: Client) -> None:
        team, zoe = make_team(make_open_team_season(), "A", players=2), make_player("Zoe")
        seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=timezone.now())
        client.force_login(zoe)
        answer = client.post(f"{build_team_url('A')}invitation/", {"answer": "accept"})
        assert answer["Location"] == build_team_url("A")
        assert (
            Page(client.get(f"{build_team_url('A')}invitation/")).text(".current .note")
            == "You're in this team."
        )

    def test_who_is_invited_finds_it_on_the_page_of_the_league(self, client: Client) -> None:
        make_team(make_open_team_season(), "A", 1)
        client.force_login(get_player("A0"))
        make_player("Zoe")
        client.post(f"{build_team_url('A')}invite/", {"name": "Zoe"})
        told = Page(client.post(f"{build_team_url('A')}invite/", {"name": "Nobody"}, follow=True))
        assert told.texts(".message.error") == ["There is no player called Nobody."]
        client.force_login(get_player("Zoe"))
        form = Page(client.get(TEAM_LEAGUE_URL)).all(".invitation form")[0]
        assert form["action"] == f"{build_team_url('A')}join/"
        client.post(form["action"])
        assert Page(client.get(TEAM_LEAGUE_URL)).text(".own-team") == "Your team: A"

    def test_the_captain_removes_hands_over_and_leaves(self, client: Client) -> None:
        make_team(make_open_team_season(), "A", 3)
        client.force_login(get_player("A0"))
        client.post(f"{build_team_url('A')}remove/", {"player": get_player("A2").pk})
        client.post(f"{build_team_url('A')}captain/", {"player": get_player("A1").pk})
        page = Page(client.post(f"{build_team_url('A')}leave/", {"sure": "yes"}, follow=True))
        assert [row[0] for row in page.rows(".squad tbody tr")] == ["A1 captain"]
        client.force_login(get_player("A1"))
        page = Page(client.post(f"{build_team_url('A')}leave/", {"sure": "yes"}, follow=True))
        assert page.text("h1") == "Teams" and not page.has(".team-lines")

    def test_others_can_do_nothing(self, client: Client) -> None:
        make_team(make_open_team_season(), "A", 2)
        assert client.post(f"{TEAM_SEASON_URL}teams/", {"name": "Z"}).status_code == 302
        assert client.post(f"{build_team_url('A')}remove/", {"player": 1}).status_code == 302
        client.force_login(get_player("A1"))
        for act in ("remove", "captain", "invite", "link", "withdraw"):
            told = Page(
                client.post(
                    f"{build_team_url('A')}{act}/",
                    {"player": get_player("A0").pk, "sure": "yes"},
                    follow=True,
                )
            )
            assert told.texts(".message.error") == ["Only the captain of the team can do that."], act
        assert client.get(f"{build_team_url('A')}line-up/").status_code == 404
        assert client.get(f"{TEAM_SEASON_URL}join/wrong/").status_code == 404
        assert client.post(f"{build_team_url('A')}nothing/").status_code == 404

    @pytest.mark.parametrize("act", ["remove", "captain", "vice-captain"])
    def test_nobody_has_a_key_of_thousands_of_digits(self, client: Client, act: str) -> None:
        make_team(make_open_team_season(), "A")
        client.force_login(get_player("A0"))
        assert client.post(f"{build_team_url('A')}{act}/", {"player": "9" * 5000}).status_code == 404

    def test_leagues_without_teams_have_none(self, client: Client) -> None:
        make_open_season()
        assert client.get(f"{LEAGUE_URL}1/teams/").status_code == 404


class TestLineUp:
    def test_the_captain_is_told_and_puts_it_in_order(self, client: Client) -> None:
        drawn_now()
        client.force_login(get_player("A0"))
        task = Page(client.get(TEAM_LEAGUE_URL)).text(".task")
        assert task.startswith("Set the line-up against B by ")
        page = Page(client.get(f"{build_team_url('A')}line-up/"))
        shown = [one["value"] for one in page.all("select option[selected]")]
        assert shown == [str(get_player(name).pk) for name in ("A0", "A1", "A2")], "as it would be played"
        assert page.text(".state").endswith("2 d left.")
        order = [get_player(name).pk for name in ("A3", "A0", "A1")]
        sent = {f"board_{number}": key for number, key in enumerate(order, start=1)}
        page = Page(client.post(f"{build_team_url('A')}line-up/", sent, follow=True))
        assert page.texts(".message.success") == ["The line-up is set."]
        assert LineUp.objects.get().players == order
        page = Page(client.post(f"{build_team_url('A')}line-up/", {**sent, "board_2": order[0]}))
        assert page.texts("#id_board_2_error") == ["A player can't play on two boards."]

    def test_an_empty_board_is_told_what_it_lacks(self, client: Client) -> None:
        drawn_now()
        client.force_login(get_player("A0"))
        page = Page(client.post(f"{build_team_url('A')}line-up/", {"board_1": get_player("A0").pk}))
        assert page.texts(".errorlist li") == ["Choose a player for each board."] * 2

    def test_who_can_not_play_is_marked(self, client: Client) -> None:
        drawn_now()
        client.force_login(get_player("A1"))
        client.post(f"{build_team_url('A')}available/", {"available": "no"})
        client.force_login(get_player("A0"))
        page = Page(client.get(f"{build_team_url('A')}line-up/"))
        assert "A1 (can't play)" in page.texts("select option")
        shown = [one["value"] for one in page.all("select option[selected]")]
        assert str(get_player("A1").pk) not in shown

    def test_a_substitute_is_sent(self, client: Client) -> None:
        season = begin_team_season("AB", standings=Rules.usual(2, best_of=3))
        advance_seasons(FIRST_ROUND)
        now = timezone.now()
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=FIRST_ROUND)
        season.entries.filter(player=get_player("A1")).update(withdrew=now)
        advance_seasons(FIRST_ROUND)
        client.force_login(get_player("A0"))
        with time_machine.travel(now + TIME_TO_REPLACE, tick=False):
            assert "Someone has withdrawn" not in Page(client.get(build_team_url("A"))).text("main")
        page = Page(client.get(f"{build_team_url('A')}line-up/"))
        assert page.text(".current h2") == "Board 2: A1 has withdrawn"
        sent = {one["name"]: one["value"] for one in page.all(".current input[name=match]")}
        assert page.texts(".current select option") == ["A3"]
        client.post(f"{build_team_url('A')}substitute/", {**sent, "player": get_player("A3").pk})
        assert Match.objects.filter(seats__player=get_player("A3")).count() == 1

    @time_machine.travel(FIRST_ROUND)
    def test_who_has_closed_the_account_is_replaced(self, client: Client) -> None:
        begin_team_season("AB", standings=Rules.usual(2, best_of=3))
        advance_seasons(FIRST_ROUND)
        close_account(player=get_player("A1"), now=timezone.now())
        advance_seasons(FIRST_ROUND)
        client.force_login(get_player("A0"))
        url = build_team_url("A")
        assert "Someone has withdrawn" in Page(client.get(url)).text("main")
        page = Page(client.get(f"{url}line-up/"))
        sent = {one["name"]: one["value"] for one in page.all(".current input[name=match]")}
        client.post(f"{url}substitute/", {**sent, "player": get_player("A3").pk})
        assert Match.objects.filter(seats__player=get_player("A3")).count() == 1

    def test_who_was_invited_but_plays_for_others_is_not_replaced(self, client: Client) -> None:
        season = make_team_season(standings=Rules.usual(2, best_of=3))
        for name in "AB":
            make_team(season, name)
        invited = season.teams.get(name="A").pk
        seasons.invite(team_id=invited, captain=get_player("A0"), name="B1", now=NOW)
        advance_seasons(BEGINS)
        advance_seasons(FIRST_ROUND)
        seasons.withdraw(season_id=season.pk, player=get_player("B1"), now=FIRST_ROUND)
        season.entries.filter(player=get_player("B1")).update(withdrew=timezone.now())
        advance_seasons(FIRST_ROUND)
        for captain, is_short in (("A0", False), ("B0", True)):
            client.force_login(get_player(captain))
            url = build_team_url(captain[0])
            assert ("Someone has withdrawn" in Page(client.get(url)).text("main")) == is_short
            assert Page(client.get(f"{url}line-up/")).has(".current") == is_short


class TestResults:
    def test_table_cross_table_match_and_players(self, client: Client) -> None:
        begin_team_season("AB")
        advance_seasons(FIRST_ROUND)
        end_games(FIRST_ROUND + DAY)
        advance_seasons(FIRST_ROUND + DAY)
        page = Page(client.get(f"{TEAM_SEASON_URL}1/"))
        assert page.rows(".standings tbody tr") == [
            ["1", "A", "1", "1", "0", "0", "2", "3", "Ahead of B by match points, 2 : 0."],
            ["2", "B", "1", "0", "0", "1", "0", "0", ""],
        ]
        assert page.rows(".cross tbody tr") == [["1", "A", "×", "3:0"], ["2", "B", "0:3", "×"]]
        assert page.rows(".players tbody tr")[0] == ["A0", "A", "1", "1", "1:0"]
        match = Page(client.get(page.link("The match")))
        first = match.text("h1")[0]
        assert match.texts(".meeting .score") == ["3:0" if first == "A" else "0:3"]
        assert match.texts(".boards h2") == ["Board 1", "Board 2", "Board 3"]
        assert len(match.links(".match-games a")) == 3
        team = Page(client.get(build_team_url("A")))
        assert team.rows(".squad tbody tr")[0] == ["A0 captain", "1500", "1", "1", "1:0"]
        assert Page(client.get(TEAM_SEASON_URL)).rows(".standings tbody tr")[0][1] == "A"

    @pytest.mark.parametrize("asked", ["3", "9" * 5000, "0001" + "9" * 5000, "00012", "-1", "a"])
    def test_an_unknown_round_is_the_current_one(self, client: Client, asked: str) -> None:
        drawn_now()
        page = Page(client.get(f"{TEAM_SEASON_URL}1/?round={asked}"))
        assert page.text("h2#matches") == "Round 1"

    def test_line_ups_are_not_shown_before_the_match_begins(self, client: Client) -> None:
        drawn_now()
        page = Page(client.get(f"{TEAM_SEASON_URL}1/1/1/"))
        assert not page.has(".boards") and "Captains can set their line-ups" in page.text("main")

    @pytest.mark.parametrize(("names", "players"), [("AB", 3), ("ABCD", 5)])
    def test_costs_the_same_however_many_play(
        self, client: Client, django_assert_max_num_queries: Any, names: str, players: int
    ) -> None:
        begin_team_season(names, players)
        advance_seasons(FIRST_ROUND)
        client.force_login(get_player("A0"))
        for url in (
            TEAM_LEAGUE_URL,
            TEAM_SEASON_URL,
            f"{TEAM_SEASON_URL}1/",
            f"{TEAM_SEASON_URL}1/1/1/",
            f"{TEAM_SEASON_URL}teams/",
            build_team_url("A"),
        ):
            with django_assert_max_num_queries(20 if url == TEAM_LEAGUE_URL else 12):
                assert client.get(url).status_code == 200, url
        with django_assert_max_num_queries(12):
            assert client.get(f"{build_team_url('A')}line-up/").status_code == 200


def test_the_link_of_a_team_is_not_found_by_trying(client: Client) -> None:
    team = make_team(make_open_team_season(), "Alpha", players=1)
    client.force_login(make_player("Zoe"))
    assert client.get(f"{TEAM_SEASON_URL}join/a%00b/").status_code == 404, "databases take no NUL"
    tries = [client.get(f"{TEAM_SEASON_URL}join/guess{number}/").status_code for number in range(25)]
    assert tries == [404] * 20 + [429] * 5
    assert client.get(f"{TEAM_SEASON_URL}join/{team.token}/").status_code == 200
