"""Tests of requirements for free seats in the form that sets a table up."""

import pytest
from django.test import Client

from games.forms.requirements import RequirementsForm
from games.models import Game
from tests.games.factories import make_players
from tests.html import Page

TABLE = {
    "name": "Agde",
    "seats": "3",
    "bots": "0",
    "visibility": "link",
    "preset": "standard",
    "clock": "steady",
}
NOTHING = {"min_reliability": 0, "min_rating": None, "max_rating": None}


def test_nothing_is_asked_unless_it_is_said() -> None:
    for form in (
        RequirementsForm(),
        RequirementsForm({}),
        RequirementsForm({"min_rating": "", "max_rating": ""}),
    ):
        assert form.chosen_requirements == NOTHING
        assert form.requirements_asked == 0


def test_what_is_said_is_asked() -> None:
    sent = {"min_reliability": "85", "min_rating": "1400", "max_rating": "1700"}
    for form in (RequirementsForm(sent), RequirementsForm(initial=sent)):
        assert form.chosen_requirements == {"min_reliability": 85, "min_rating": 1400, "max_rating": 1700}
        assert form.requirements_asked == 3


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (
            {"min_reliability": "101"},
            "Minimum reliability, in %: Ensure this value is less than or equal to 100.",
        ),
        ({"min_rating": "-1"}, "Minimum rating: Ensure this value is greater than or equal to 0."),
        ({"max_rating": "4001"}, "Maximum rating: Ensure this value is less than or equal to 4000."),
    ],
)
def test_what_is_wrong_is_said_with_its_name(sent: dict[str, str], told: str) -> None:
    form = RequirementsForm(sent)
    assert form.wrong_requirement == told
    assert form.wrong_in_requirements
    assert form.chosen_requirements == NOTHING


@pytest.mark.django_db
class TestOnThePage:
    @pytest.fixture
    def door(self) -> Client:
        client = Client()
        client.force_login(make_players(1)[0])
        return client

    def test_the_table_asks_for_it(self, door: Client) -> None:
        door.post("/new/", {**TABLE, "min_reliability": "80", "min_rating": "1400", "max_rating": "1700"})
        game = Game.objects.get()
        assert (game.min_reliability, game.min_rating, game.max_rating) == (80, 1400, 1700)

    def test_a_range_upside_down_is_said_at_its_field(self, door: Client) -> None:
        page = Page(door.post("/new/", {**TABLE, "min_rating": "1700", "max_rating": "1400"}))
        (why,) = page.texts(".field:has([name=max_rating]) .errorlist li")
        assert why == "Ratings go from 0 to 4000, and the maximum can't be below the minimum."
        assert page.has("details.times[open] .asked")
        assert "For ratings" not in page.text("#notes .sum")
        assert not Game.objects.exists()

    def test_the_summary_follows_while_one_chooses(self, door: Client) -> None:
        sent = {**TABLE, "filled": "standard", "min_rating": "1400"}
        page = Page(door.post("/new/rules/", sent, headers={"HX-Request": "true"}))
        assert "For ratings from 1400." in page.text("#notes .sum")
        assert page.text("#asked") == "1 requirement"
