"""Players as rows."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection

from accounts.models import Player

pytestmark = pytest.mark.django_db


def test_name_is_unique_in_any_case() -> None:
    Player.objects.create_user("Anna", "anna@example.org")
    with pytest.raises(IntegrityError):
        Player.objects.create_user("anna", "other@example.org")


def test_address_is_unique_in_any_case() -> None:
    Player.objects.create_user("Anna", "anna@example.org")
    with pytest.raises(IntegrityError):
        Player.objects.create(username="Bruno", email="ANNA@example.org")


def test_many_accounts_may_be_without_an_address() -> None:
    Player.objects.create_user("closed-1")
    Player.objects.create_user("closed-2")
    assert Player.objects.filter(email="").count() == 2


@pytest.mark.parametrize("name", ["Anna", "a.b", "Jean-Luc", "x_1", "42"])
def test_sane_names_are_taken(name: str) -> None:
    Player(username=name, email="a@example.org", password="!").full_clean()


@pytest.mark.parametrize("name", ["", "-x", "x-", "a b", "a@b", "Анна", "a\n", "<b>", "x" * 31])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Player(username=name, email="a@example.org", password="!").full_clean()


def test_unknown_time_zone_is_refused() -> None:
    with pytest.raises(ValidationError):
        Player(username="anna", password="!", time_zone="Mars/Olympus").full_clean()


def test_who_wanted_no_mail_about_a_turn_gets_none_about_a_beginning() -> None:
    """Migration 0004: both had one switch before."""
    Player.objects.create_user("Anna", "anna@example.org", mails_your_turn=True)
    Player.objects.create_user("Bruno", "bruno@example.org", mails_your_turn=False)
    import_module("accounts.migrations.0004_mails_started").as_for_turns(apps, connection.schema_editor())
    wanted = Player.objects.filter(is_bot=False).values_list("username", "mails_started")
    assert dict(wanted) == {"Anna": True, "Bruno": False}
