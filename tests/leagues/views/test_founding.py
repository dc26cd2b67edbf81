"""Founding a league on its page."""

from datetime import timedelta

import pytest
from django.test import Client

from leagues.forms.league import LeagueForm
from leagues.models import League
from leagues.schedules import LadderRules
from leagues.settings import ChallengeRules, CupRules, Schedule, Seeding
from leagues.standings import Withdrawn
from leagues.words import faults
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.test_seasons import founder

pytestmark = pytest.mark.django_db

URL = "/leagues/new/"


def filled(**other: object) -> dict[str, object]:
    """All that the form sends when nothing but the name is changed, and *other*."""
    fields = LeagueForm.base_fields
    first = {
        name: next(iter(getattr(field, "choices", [("", "")])))[0] if field.initial is None else field.initial
        for name, field in fields.items()
    }
    sent = {**first, "text": "For beginners", "name": "Cup of Foix", "rated": "on", **other}
    return {name: value for name, value in sent.items() if value is not None}


def test_a_founder_finds_the_way_and_founds_one(client: Client) -> None:
    client.force_login(founder())
    assert Page(client.get("/leagues/")).link("Start a league") == URL
    sent = client.post(URL, filled(seats="3", withdrawn="strike", up=1, down=3), follow=True)
    assert sent.redirect_chain[-1][0] == "/leagues/cup-of-foix/"
    page = Page(sent)
    assert page.text("h1") == "Cup of Foix" and page.text("main .text") == "For beginners"
    agreed = League.objects.get().settings
    assert (agreed.seats, agreed.rated, agreed.standings.withdrawn) == (3, True, Withdrawn.STRIKE)
    assert (agreed.standings.up, agreed.standings.down) == (1, 3)


def test_founds_groups_with_a_knock_out(client: Client) -> None:
    client.force_login(founder())
    late = {"late_best_of": "5", "late_from": "2", "third_place": "on", "from_group": "1"}
    sent = client.post(
        URL, filled(schedule="groups", best_of="3", seeding="registration", **late), follow=True
    )
    agreed = League.objects.get().settings
    assert agreed.cup == CupRules(third_place=True, longer=((2, 5),), from_group=1)
    assert (agreed.schedule, agreed.seeding) == (Schedule.GROUPS, Seeding.REGISTRATION)
    assert (agreed.standings.up, agreed.standings.down) == (0, 0)
    facts = Page(sent).facts("dl.agreed")
    assert facts["Format"] == (
        "Everyone plays everyone in their group. The first of each group goes on to a knock-out."
    )
    assert "Best of 5 in the knock-out from this round on: Semi-finals." in facts["Match"]


def test_founds_a_ladder(client: Client) -> None:
    client.force_login(founder())
    sent = client.post(
        URL, filled(schedule="ladder", reach="2", rest="0", challenge_length="20"), follow=True
    )
    rules = League.objects.get().settings.challenges
    assert rules == ChallengeRules(ladder=LadderRules(2, timedelta()), length=timedelta(days=20))
    assert Page(sent).facts("dl.agreed")["Challenges"] == (
        "You can challenge players up to 2 places above you, one at a time. "
        "If you win the challenge, you take the place; everyone between moves down. "
        "A challenge lasts 20 days at most."
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
        ({"schedule": "knock-out", "seats": "3"}, "schedule"),
        ({"schedule": "groups", "from_group": "9"}, "from_group"),
        ({"name": "New"}, "name"),
        ({"name": "???"}, "name"),
    ],
)
def test_a_fault_stands_at_its_field(client: Client, wrong: dict[str, str], field: str) -> None:
    client.force_login(founder())
    page = Page(client.post(URL, filled(**wrong)))
    assert [one["id"] for one in page.all(".errorlist")] == [f"id_{field}_error"]
    assert not League.objects.exists()


def test_a_name_is_taken_once(client: Client) -> None:
    client.force_login(founder())
    client.post(URL, filled())
    page = Page(client.post(URL, filled(name="Cup, of Foix!")))
    assert page.texts("#id_name_error") == [
        "This name is taken by another league, or looks too much like one."
    ]


def test_others_read_whom_to_ask(client: Client) -> None:
    client.force_login(make_player("Zoe"))
    assert "Start a league" not in Page(client.get("/leagues/")).texts("a")
    for answer in (client.get(URL), client.post(URL, filled())):
        assert answer.status_code == 403
        page = Page(answer)
        assert page.text(".refusal") == "You can't start leagues yet. Ask the people who run this site."
        assert not page.has("main form")
    assert not League.objects.exists()


def test_strangers_sign_in(client: Client) -> None:
    assert client.get(URL).status_code == 302


def test_every_fault_at_a_field_has_words() -> None:
    assert set(faults.FIELDS) == set(faults.FAULTS)
    assert set(faults.FIELDS.values()) <= set(LeagueForm.base_fields)
