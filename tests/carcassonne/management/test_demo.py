"""Tests of the demo accounts and their game."""

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from carcassonne.management.commands.demo import PASSWORD
from games.models import Game

pytestmark = pytest.mark.django_db


def test_the_demo_is_made_once_and_lets_one_sign_in(
    monkeypatch: pytest.MonkeyPatch, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(settings, "DEBUG", True)
    call_command("demo")
    call_command("demo")
    assert sorted(Player.objects.values_list("username", flat=True)) == ["anna", "bruno"]
    assert Game.objects.count() == 1
    assert PASSWORD in capsys.readouterr().out
    answers = {"login": "anna@example.org", "password": PASSWORD}
    assert client.post(reverse("account_login"), answers).status_code == 302
    assert "_auth_user_id" in client.session


def test_a_public_site_gets_no_accounts_with_a_known_password() -> None:
    with pytest.raises(CommandError):
        call_command("demo")
    assert not Player.objects.exists()
