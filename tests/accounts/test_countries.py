"""Tests of the countries that players show on their profile."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation

from accounts import export
from accounts.countries import list_choices, list_countries, name_country
from accounts.services import close_account
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.html import Page

URL = "/account/profile/"


def test_every_country_has_a_name_in_every_language() -> None:
    assert len(list_countries()) > 240
    named = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            choices = list_choices()
            assert choices[0][0] == "" and {code for code, _name in choices[1:]} == list_countries()
            assert all(len(name) > 2 for _code, name in choices)
            named[language] = name_country("DE")
    assert named == {"en": "Germany", "pl": "Niemcy", "sk": "Nemecko", "is": "Þýskaland", "ru": "Германия"}


@pytest.mark.django_db
class TestChoosing:
    def test_none_is_shown_until_one_is_chosen(self) -> None:
        anna = make_player("Anna")
        client = sign_in(Client(), anna)
        country = "select[name=country] option[selected]"
        assert Page(client.get(URL)).texts(country) in ([], ["Don't show a country"])
        assert "🇮🇸" not in Page(client.get("/players/Anna/")).text(".who")
        client.post(URL, {"about": "", "country": "IS"})
        anna.refresh_from_db()
        assert anna.country == "IS"
        assert Page(client.get(URL)).texts(country) == ["Iceland"]
        assert "🇮🇸 Iceland" in Page(client.get("/players/Anna/")).texts(".who p")
        others, found = sign_in(Client(), make_player("Bruno")), {"q": "Anna"}
        assert "🇮🇸 Iceland" in Page(others.get("/players/", found)).text(".people li")
        client.post(URL, {"about": "", "country": ""})
        assert Page(others.get("/players/", found)).text(".people li") == "Anna"

    @pytest.mark.parametrize("sent", ["XX", "is", "Iceland", "EU"])
    def test_what_is_no_country_is_refused_and_changes_nothing(self, sent: str) -> None:
        anna = make_player("Anna", country="SK", about="As before")
        answer = sign_in(Client(), anna).post(URL, {"about": "New", "country": sent})
        assert sent in Page(answer).text(".errorlist li")
        anna.refresh_from_db()
        assert (anna.country, anna.about) == ("SK", "As before")

    def test_one_that_a_release_has_lost_is_shown_by_its_code(self) -> None:
        anna = make_player("Anna", country="YU")
        client = sign_in(Client(), anna)
        assert "🇾🇺 YU" in Page(client.get("/players/Anna/")).texts(".who p")
        assert client.get(URL).status_code == 200


@pytest.mark.django_db
class TestEndings:
    def test_a_closed_account_keeps_none(self) -> None:
        anna = make_player("Anna", country="PL")
        close_account(player=anna, now=timezone.now())
        anna.refresh_from_db()
        assert anna.country == ""

    def test_the_own_data_have_it(self) -> None:
        anna = make_player("Anna", country="PL")
        assert dict(export.contents(anna))["account.json"]["profile"]["country"] == "PL"
