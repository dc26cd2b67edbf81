"""Texts of allauth and Django in every language of the site."""

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.translation import gettext, override

from accounts import third_party_strings
from accounts.forms import ChangePasswordForm


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES if code != "en"])
def test_every_text_is_in_every_language(language: str) -> None:
    with override(language):
        for text in (*third_party_strings.FORMS, *third_party_strings.REFUSALS, *third_party_strings.DAYS):
            assert gettext(text) != text


def test_they_are_what_allauth_says() -> None:
    with override("en"):
        said = {str(text) for text in DefaultAccountAdapter.error_messages.values()}
        labels = {str(field.label) for field in ChangePasswordForm().fields.values()}
    said.add("You must type the same password each time.")  # in a form's clean()
    assert set(third_party_strings.REFUSALS) <= said
    assert labels <= set(third_party_strings.FORMS)


def test_days_are_called_as_django_calls_them() -> None:
    with override("en"):
        assert {str(day) for day in (*WEEKDAYS.values(), *WEEKDAYS_ABBR.values())} == set(
            third_party_strings.DAYS
        )


def test_no_label_is_repeated_inside_its_field() -> None:
    assert not any(field.widget.attrs.get("placeholder") for field in ChangePasswordForm().fields.values())
