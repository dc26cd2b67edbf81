"""Data of the form that founds a league."""

from django.http import HttpResponse
from django.test import Client

from leagues.forms.league import LeagueForm
from leagues.models import League
from tests.html import Page


def build_league_form_data(**other: object) -> dict[str, object]:
    """Build the data of the form with nothing changed but the name and *other* fields."""
    first = {field.name: field.value() for field in LeagueForm()}
    sent = {**first, "text": "For beginners", "name": "Cup of Foix", "rated": "on", **other}
    return {name: value for name, value in sent.items() if value is not None}


def found_with_second_yes(client: Client, **fields: object) -> HttpResponse:
    """Found a league that needs confirmation, and confirm it."""
    data = build_league_form_data(**fields)
    asked = Page(client.post("/leagues/new/", data))
    assert not League.objects.exists()
    again = {"sure": "on", "sure_of": asked.one("input[name=sure_of]")["value"]}
    return client.post("/leagues/new/", data | again, follow=True)
