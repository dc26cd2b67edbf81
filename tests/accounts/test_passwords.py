"""Passwords of known breaches are refused without asking anybody."""

import secrets
from pathlib import Path

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import breaches, passwords
from accounts.models import Player
from tests.accounts.test_pages import SIGN_UP
from tests.html import Page

STOLEN = ["wearethechampions", "ilovesailing1", "Welcomeloveasians", "YOUJUSTHAVETO", "zazarka6655"]


@pytest.mark.parametrize("password", STOLEN)
def test_stolen_passwords_are_refused_that_the_estimate_takes(password: str) -> None:
    assert passwords.score(password) >= passwords.LEAST
    with pytest.raises(ValidationError) as refused:
        validate_password(password)
    assert refused.value.error_list[0].code == "password_breached"


@pytest.mark.parametrize("password", ["seven tiles of road", "a field of seven sheep", "Łąka pełna mgły 7"])
def test_others_are_taken(password: str) -> None:
    validate_password(password)


def test_the_file_is_sorted_and_has_what_the_documents_say() -> None:
    held = breaches.FILE.read_bytes()
    each = [held[at : at + breaches.WIDTH] for at in range(0, len(held), breaches.WIDTH)]
    assert each == sorted(set(each))
    told = f"{len(each):,} passwords of ten letters and more"
    assert told in (Path(__file__).parents[2] / "docs/accounts.md").read_text("utf-8")


def test_a_file_holds_what_was_written_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list"
    written = [secrets.token_hex(8) for _ in range(1000)]
    assert breaches.write([*written, "short"], file) == 1000
    monkeypatch.setattr(breaches, "FILE", file)
    assert all(map(breaches.is_breached, written))
    assert not any(breaches.is_breached(secrets.token_hex(8)) for _ in range(1000))
    assert not breaches.is_breached("short")


def test_letters_that_no_text_has_are_looked_up_too() -> None:
    assert not breaches.is_breached("\ud800 a lone half of a letter")


@pytest.mark.django_db
def test_signing_up_with_a_stolen_one_is_refused_in_words(client: Client) -> None:
    answer = client.post(reverse("account_signup"), {**SIGN_UP, "password1": STOLEN[0]})
    assert "on a list of stolen ones" in Page(answer).text(".errorlist")
    assert not Player.objects.exists()
