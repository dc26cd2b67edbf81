"""Tests that closing an account does not end a suspension."""

import json
from datetime import datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.export import contents
from accounts.models import AddressChange, BarredAddress, Player
from accounts.services import close_account
from accounts.tasks import sweep
from moderation.acts import sanctions
from moderation.models import AppealOutcome
from tests.games.factories import NOW, make_player
from tests.moderation.sanctioning import DAY, moderator, suspend, warned

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


def sign_up(address: str) -> str:
    """Sign up with *address*, and return the subject of the mail."""
    mail.outbox.clear()
    sent = {"email": address, "username": "Newcomer", "language": "en", "time_zone": "UTC"}
    assert Client().post(reverse("account_signup"), sent).status_code == 302
    (letter,) = mail.outbox
    return letter.subject


def has_account(address: str) -> bool:
    return EmailAddress.objects.filter(email=address).exists()


def test_its_addresses_can_not_sign_up_before_the_end(anna: Player, now: datetime) -> None:
    AddressChange.objects.create(player=anna, old="before@example.org", new=anna.email)
    suspend(anna, now)
    close_account(player=anna, now=now)
    assert "yet" in sign_up("anna@example.org") and not has_account("anna@example.org")
    Player.objects.filter(username="Newcomer").delete()
    assert "yet" in sign_up("Before@example.org") and not has_account("before@example.org")


def test_nor_take_them_instead_of_another_while_signing_up(anna: Player, now: datetime) -> None:
    suspend(anna, now)
    close_account(player=anna, now=now)
    browser = Client()
    sent = {"email": "b@example.org", "username": "Newcomer", "language": "en", "time_zone": "UTC"}
    page = browser.post(reverse("account_signup"), sent).url
    browser.post(page, {"action": "change", "email": "anna@example.org"})
    assert "yet" in mail.outbox[-1].subject and not has_account("anna@example.org")


def test_the_mail_says_until_when(anna: Player, now: datetime) -> None:
    made = suspend(anna, now)
    close_account(player=anna, now=now)
    sign_up("anna@example.org")
    assert made.ends is not None
    assert f"{made.ends:%Y, %H:%M}" in mail.outbox[0].body


def test_afterwards_they_can(anna: Player, now: datetime) -> None:
    suspend(anna, now - 8 * DAY, days=8.001)
    close_account(player=anna, now=now - DAY)
    BarredAddress.objects.update(until=now)
    sign_up("anna@example.org")
    assert has_account("anna@example.org")
    sweep()
    assert not BarredAddress.objects.exists()


def test_the_address_itself_is_not_kept(anna: Player, now: datetime) -> None:
    suspend(anna, now)
    close_account(player=anna, now=now)
    assert "anna" not in BarredAddress.objects.get().mark


def test_who_is_not_suspended_may_sign_up_again(anna: Player, now: datetime) -> None:
    warned(anna, now)
    close_account(player=anna, now=now)
    assert not BarredAddress.objects.exists()


def test_lifting_frees_the_address(anna: Player, now: datetime) -> None:
    made = suspend(anna, now)
    close_account(player=anna, now=now)
    sanctions.lift(sanction_id=made.pk, who=moderator(), why="A mistake.", now=now)
    assert BarredAddress.objects.until("anna@example.org", now) is None


def test_what_was_written_goes_with_the_account(anna: Player) -> None:
    made = warned(anna, words="Anna, please.")
    appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="I am Anna.", now=NOW)
    sanctions.answer(
        appeal_id=appeal.pk, who=moderator("Mona"), outcome=AppealOutcome.UPHELD, words="Dear Anna", now=NOW
    )
    close_account(player=anna, now=NOW)
    made.refresh_from_db()
    appeal.refresh_from_db()
    assert (made.words, appeal.words, appeal.answer) == ("", "", "")


def test_the_file_of_all_data_has_sanctions_and_appeals(anna: Player) -> None:
    made = warned(anna, words="Please.", reason="Secret")
    sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=NOW)
    conduct: dict[str, Any] = dict(contents(anna))["conduct.json"]
    assert [one["words"] for one in conduct["sanctions"]] == ["Please."]
    assert [one["words"] for one in conduct["appeals"]] == ["It was my cat."]
    assert "Secret" not in json.dumps(conduct, default=str)
