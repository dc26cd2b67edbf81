"""Tests of the limit of browsers in which an account is signed in."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from accounts import sessions
from accounts.models import Player
from tests.accounts.guessing_helpers import guess_at_once, make_browser, try_password
from tests.caches import clear_cache
from tests.html import Page

SETTINGS = reverse("accounts:settings")


def sign_in_at(number: int, player: Player) -> Client:
    client = make_browser(f"192.0.2.{number}")
    clear_cache()  # resets the rate limit of sign-ins
    assert try_password(client, player)
    return client


def signed_in(client: Client) -> bool:
    return client.get(SETTINGS).status_code == 200


@pytest.mark.django_db
def test_one_browser_too_many_signs_the_oldest_out(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    clients = [sign_in_at(number, anna) for number in range(5)]
    assert [signed_in(client) for client in clients] == [False, False, True, True, True]
    assert "up to 3 browsers" in Page(clients[4].get(reverse("accounts:sessions"))).text("main")


@pytest.mark.django_db
def test_sessions_that_are_over_take_no_place(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 2)
    oldest, *over = [sign_in_at(number, anna) for number in range(2)]
    for client in over:
        client.post(reverse("account_logout"))
    sign_in_at(9, anna)
    assert signed_in(oldest)


@pytest.mark.django_db(transaction=True)
def test_sign_ins_at_once_leave_no_more(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)
    monkeypatch.setattr("accounts.limits.may_sign_in", lambda *args, **kwargs: True)
    monkeypatch.setattr("accounts.limits.count_right_password", lambda *args: True)
    guess_at_once(lambda number: try_password(make_browser(f"192.0.2.{number}"), anna), 16)
    assert UserSession.objects.filter(user=anna).count() <= 3
