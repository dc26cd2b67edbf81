"""Founding a league on its page."""

import pytest
from django.test import Client

from leagues.forms.league import LeagueForm
from leagues.models import League
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
    assert Page(client.get("/leagues/")).link("Found a league") == URL
    sent = client.post(URL, filled(seats="3", withdrawn="strike", up=1, down=3), follow=True)
    assert sent.redirect_chain[-1][0] == "/leagues/cup-of-foix/"
    page = Page(sent)
    assert page.text("h1") == "Cup of Foix" and page.text("main .text") == "For beginners"
    agreed = League.objects.get().settings
    assert (agreed.seats, agreed.rated, agreed.standings.withdrawn) == (3, True, Withdrawn.STRIKE)
    assert (agreed.standings.up, agreed.standings.down) == (1, 3)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"seats": "3", "best_of": "3"}, "best_of"),
        ({"seats": "4", "schedule": "swiss"}, "schedule"),
        ({"seats": "6", "division_size": "5", "up": "0"}, "division_size"),
        ({"up": "5", "down": "5"}, "down"),
        ({"preset": "first"}, "rated"),
        ({"length": "0"}, "length"),
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
    assert page.texts("#id_name_error") == ["There is a league with this name already."]


def test_others_read_whom_to_ask(client: Client) -> None:
    client.force_login(make_player("Zoe"))
    assert "Found a league" not in Page(client.get("/leagues/")).texts("a")
    for answer in (client.get(URL), client.post(URL, filled())):
        assert answer.status_code == 403
        page = Page(answer)
        assert page.text(".refusal") == "You may not found leagues yet. Ask the people who run this site."
        assert not page.has("main form")
    assert not League.objects.exists()


def test_strangers_sign_in(client: Client) -> None:
    assert client.get(URL).status_code == 302


def test_every_fault_at_a_field_has_words() -> None:
    assert set(faults.FIELDS) == set(faults.FAULTS)
    assert set(faults.FIELDS.values()) <= set(LeagueForm.base_fields)
