"""Tests of simultaneous sign-ups with the same name or address."""

from typing import Any

import pytest
from allauth.account.forms import ChangeEmailForm
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.adapter import AccountAdapter
from accounts.models import Player

pytestmark = pytest.mark.django_db(transaction=True)
CODE_PAGE = reverse("account_email_verification_sent")
ANNA = {
    "email": "anna@example.org",
    "username": "Anna",
    "password1": "seven tiles of road",
    "language": "en",
    "time_zone": "UTC",
}


def rival_comes_first(monkeypatch: pytest.MonkeyPatch, **fields: str) -> None:
    """Create another account after the form was validated and before its rows are written."""
    save_user = AccountAdapter.save_user

    def late(self: AccountAdapter, *args: Any, **more: Any) -> Any:
        if not Player.objects.exists():
            rival = Player.objects.create_user(**fields)
            EmailAddress.objects.create(user=rival, email=rival.email, primary=True)
        return save_user(self, *args, **more)

    monkeypatch.setattr(AccountAdapter, "save_user", late)


def test_a_name_that_was_taken_meanwhile_is_said_to_be_taken(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival_comes_first(monkeypatch, username="ANNA", email="other@example.org")
    response = client.post(reverse("account_signup"), ANNA)
    assert response.status_code == 200
    assert list(response.context["form"].errors) == ["username"]
    assert (Player.objects.count(), EmailAddress.objects.count()) == (1, 1)
    assert mail.outbox == []


def test_an_address_that_was_taken_meanwhile_is_told_so_by_mail_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival_comes_first(monkeypatch, username="Other", email="anna@example.org")
    response = client.post(reverse("account_signup"), ANNA)
    assert (response.status_code, response.url) == (302, CODE_PAGE)
    assert [message.subject for message in mail.outbox] == ["You already have an account"]
    assert EmailAddress.objects.filter(email="anna@example.org").count() == 1


def test_an_address_changed_on_the_way_that_was_taken_meanwhile_is_told_so_by_mail_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.post(reverse("account_signup"), {**ANNA, "email": "typo@example.org"})
    clean_email = ChangeEmailForm.clean_email

    def late(self: ChangeEmailForm) -> str:
        email: str = clean_email(self)
        if not Player.objects.filter(username="Other").exists():
            rival = Player.objects.create_user("Other", email)
            EmailAddress.objects.create(user=rival, email=email, primary=True)
        return email

    monkeypatch.setattr(ChangeEmailForm, "clean_email", late)
    mail.outbox.clear()
    response = client.post(CODE_PAGE, {"action": "change", "email": "anna@example.org"})
    assert (response.status_code, response.url) == (302, CODE_PAGE)
    assert [message.subject for message in mail.outbox] == ["You already have an account"]
    assert Player.objects.get(username="Anna").email == "typo@example.org"
