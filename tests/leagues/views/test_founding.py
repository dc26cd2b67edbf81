"""Founding a league on its page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leagues.models import League
from leagues.settings import ChallengeRules, CupRules, Schedule, Seeding
from leagues.standings import Withdrawn
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.season_helpers import make_founder
from tests.leagues.views.founding_helpers import build_league_form_data, found_with_second_yes

pytestmark = pytest.mark.django_db

URL = "/leagues/new/"


def test_a_founder_finds_the_way_and_founds_one(client: Client) -> None:
    client.force_login(make_founder())
    assert Page(client.get("/leagues/")).link("Start a league") == URL
    sent = client.post(URL, build_league_form_data(seats="3", withdrawn="strike", up=1, down=3), follow=True)
    assert sent.redirect_chain[-1][0] == "/leagues/cup-of-foix/"
    page = Page(sent)
    assert page.text("h1") == "Cup of Foix" and page.text("main .text") == "For beginners"
    agreed = League.objects.get().settings
    assert (agreed.seats, agreed.rated, agreed.standings.withdrawn) == (3, True, Withdrawn.STRIKE)
    assert (agreed.standings.up, agreed.standings.down) == (1, 3)


def test_founds_groups_with_a_knock_out(client: Client) -> None:
    client.force_login(make_founder())
    cup = {"third_place": "on", "from_group": "1", "length": "280"}
    sent = found_with_second_yes(client, schedule="groups", best_of="3", seeding="registration", **cup)
    agreed = League.objects.get().settings
    assert agreed.cup == CupRules(third_place=True, from_group=1)
    assert (agreed.schedule, agreed.seeding) == (Schedule.GROUPS, Seeding.REGISTRATION)
    assert (agreed.standings.up, agreed.standings.down) == (0, 0)
    facts = Page(sent).facts("dl.agreed")
    assert facts["Format"] == (
        "Everyone plays everyone in their group. The first of each group goes on to a knock-out."
    )


@pytest.mark.parametrize(("hours", "told"), [("36", "1 day 12 hours after the last result."), ("0", None)])
def test_says_how_long_results_can_be_protested(client: Client, hours: str, told: str | None) -> None:
    client.force_login(make_founder())
    sent = client.post(URL, build_league_form_data(protest=hours), follow=True)
    assert League.objects.get().settings.protest == timedelta(hours=int(hours))
    fact = Page(sent).facts("dl.agreed").get("Protests")
    assert fact is None if told is None else fact is not None and fact.endswith(told)


def test_founds_a_ladder(client: Client) -> None:
    client.force_login(make_founder())
    sent = found_with_second_yes(
        client, schedule="ladder", reach="2", rest="0", challenge_length="20", declines="1"
    )
    rules = League.objects.get().settings.challenges
    assert rules == ChallengeRules(reach=2, rest=timedelta(), length=timedelta(days=20), declines=1)
    assert Page(sent).facts("dl.agreed")["Challenges"] == (
        "You can challenge players up to 2 places above you, one at a time. "
        "If you win the challenge, you take the place; everyone between moves down. "
        "A challenge lasts 20 days at most. "
        "You can decline 1 challenge a season; if you decline another, your challenger takes your place. "
        "You can't be challenged while you're away, and a holiday that you've entered before makes a "
        "challenge that much longer."
    )


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"seats": "3", "best_of": "3"}, "best_of"),
        ({"seats": "4", "schedule": "swiss"}, "schedule"),
        ({"seats": "6", "division_size": "5", "up": "0"}, "division_size"),
        ({"up": "5", "down": "5"}, "down"),
        ({"preset": "first"}, "rated"),
        ({"length": "0"}, "length"),
        ({"schedule": "knock-out", "length": "20"}, "length"),
        ({"protest": "169"}, "protest"),
        ({"protest": "-1"}, "protest"),
        ({"schedule": "knock-out", "seats": "3"}, "schedule"),
        ({"schedule": "groups", "from_group": "9"}, "from_group"),
        ({"name": "New"}, "name"),
        ({"name": "???"}, "name"),
    ],
)
def test_a_fault_stands_at_its_field(client: Client, wrong: dict[str, str], field: str) -> None:
    client.force_login(make_founder())
    page = Page(client.post(URL, build_league_form_data(**wrong)))
    assert [one["id"] for one in page.all(".errorlist")] == [f"id_{field}_error"]
    assert not League.objects.exists()


def test_a_name_is_taken_once(client: Client) -> None:
    client.force_login(make_founder())
    client.post(URL, build_league_form_data())
    page = Page(client.post(URL, build_league_form_data(name="Cup, of Foix!")))
    assert page.texts("#id_name_error") == [
        "This name is taken by another league, or looks too much like one."
    ]


def test_others_read_whom_to_ask(client: Client) -> None:
    client.force_login(make_player("Zoe"))
    assert "Start a league" not in Page(client.get("/leagues/")).texts("a")
    for answer in (client.get(URL), client.post(URL, build_league_form_data())):
        assert answer.status_code == 403
        page = Page(answer)
        assert page.text(".refusal") == "You can't start leagues yet. Ask the people who run this site."
        assert not page.has("main form")
    assert not League.objects.exists()


def test_strangers_sign_in(client: Client) -> None:
    assert client.get(URL).status_code == 302


@pytest.mark.parametrize("sure", [{}, {"sure": "on"}])
def test_a_round_below_its_least_time_is_refused_whatever_is_ticked(
    client: Client, sure: dict[str, str]
) -> None:
    client.force_login(make_founder())
    data = build_league_form_data(schedule="swiss", expected="8", rounds="6", length="28", protest="0")
    asked = Page(client.post(URL, data))
    late = {"sure_of": asked.one("input[name=sure_of]")["value"]} if sure else {}
    page = Page(client.post(URL, data | sure | late))
    (told,) = page.texts("#id_length_error")
    assert told.startswith("Some rounds would be too short to play in. Give the season at least ")
    assert not League.objects.exists()
    days = next(word for word in told.split() if word.isdigit())
    longer = data | {"length": days}
    asked = Page(client.post(URL, longer))
    late = {"sure": "on", "sure_of": asked.one("input[name=sure_of]")["value"]}
    client.post(URL, longer | late)
    assert League.objects.exists(), "that many days are enough"


class TestPreview:
    def test_the_calendar_stands_beside_the_empty_form(self, client: Client) -> None:
        client.force_login(make_founder())
        page = Page(client.get(URL))
        assert page.facts(".founding-calendar > dl")["Games at once for a player"] == "7"
        assert page.texts(".calendar-rounds strong") == ["All games, side by side"]

    def test_htmx_gets_fields_and_calendar_and_nothing_is_founded(self, client: Client) -> None:
        client.force_login(make_founder())
        data = build_league_form_data(name="", schedule="knock-out", expected="8", preview="yes")
        page = Page(client.post(URL, data, headers={"HX-Request": "true"}))
        assert page.roots() == ["div#founding"]
        assert page.texts(".calendar-rounds strong") == ["Quarter-finals", "Semi-finals", "Final"]
        facts = page.facts(".founding-calendar > dl")
        assert facts["Between two rounds"].startswith("25 hours") or "1 day" in facts["Between two rounds"]
        assert "Each round has at least" in facts
        assert page.has("#id_third_place") and not page.has("#id_up")
        assert not page.has(".errorlist")
        assert not League.objects.exists()

    def test_a_double_elimination_names_its_rounds_and_keeps_one_for_the_deciding_match(
        self, client: Client
    ) -> None:
        client.force_login(make_founder())
        data = build_league_form_data(schedule="double-elimination", expected="4", length="")
        page = Page(client.post(URL, data | {"name": "", "preview": "yes"}, headers={"HX-Request": "true"}))
        assert page.texts(".calendar-rounds strong") == [
            "Winners' bracket, round 1",
            "Winners' final · Losers' bracket, round 1",
            "Losers' final",
            "Final",
            "Deciding match, if it's needed",
        ]
        assert page.has("#id_reset") and not page.has("#id_third_place")

    def test_founds_a_double_elimination_whose_final_decides(self, client: Client) -> None:
        client.force_login(make_founder())
        data = build_league_form_data(
            schedule="double-elimination", expected="4", length="280", reset="final"
        )
        sent = client.post(URL, data, follow=True)
        assert not League.objects.get().settings.cup.reset
        facts = Page(sent).facts("dl.agreed")
        assert facts["Format"] == (
            "Double elimination: if you lose a match, you play on in the losers' bracket; if you lose "
            "another, you're out. The winners of both brackets meet in the final."
        )
        assert facts["Seeds"] == "By rating. The top two can't meet before the winners' final."
        assert facts["Match"].endswith("The final decides, even if the loser hasn't lost before.")

    def test_without_javascript_the_button_shows_the_whole_page(self, client: Client) -> None:
        client.force_login(make_founder())
        page = Page(client.post(URL, build_league_form_data(preview="yes", length="20")))
        assert page.text("h1") == "Start a league"
        assert page.has(".second-yes #id_sure")
        assert not League.objects.exists()

    def test_a_season_begins_on_the_chosen_day(self, client: Client) -> None:
        client.force_login(make_founder())
        day = timezone.localtime().date() + timedelta(days=30)
        client.post(URL, build_league_form_data(begins=day.isoformat()))
        season = League.objects.get().seasons.get()
        assert timezone.localtime(season.begins).date() == day
        assert season.ends == season.begins + season.settings.length
