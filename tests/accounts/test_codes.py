"""Tests that codes are in mails alone, and sessions hold only hashes."""

import re
from collections.abc import Callable

import pytest
from allauth.core.internal.cryptokit import normalize_user_code
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code
from tests.accounts.signing_in import sign_in
from tests.caches import clear_cache

pytestmark = pytest.mark.django_db


def ask_to_sign_in(client: Client, anna: Player) -> str:
    answer: str = client.post(reverse("account_request_login_code"), {"email": anna.email}).url
    return answer


def ask_to_reset(client: Client, anna: Player) -> str:
    answer: str = client.post(reverse("account_reset_password"), {"email": anna.email}).url
    return answer


def sign_up(client: Client, anna: Player) -> str:
    form = {**SIGN_UP, "email": "new@example.org", "username": "Newcomer"}
    answer: str = client.post(reverse("account_signup"), form).url
    return answer


def sign_up_again(client: Client, anna: Player) -> str:
    page = sign_up(client, anna)
    mail.outbox.clear()
    clear_cache()  # resets the rate limit of codes
    client.post(page, {"action": "resend"})
    return page


def change_the_address(client: Client, anna: Player) -> str:
    sign_in(client, anna)
    form = {"email": "new@example.org", "action_add": ""}
    answer: str = client.post(reverse("account_email"), form).url
    return answer


def sign_in_anew(client: Client, anna: Player) -> str:
    anna.set_unusable_password()
    anna.save()
    sign_in(client, anna, "code", ago=3600)
    page = reverse("accounts:reauthenticate_by_code")
    client.post(page, {"send": ""})
    return page


def stored() -> str:
    """The content of all sessions."""
    return " ".join(str(session.get_decoded()) for session in Session.objects.all())


@pytest.mark.parametrize(
    ("ask", "address"),
    [
        (ask_to_sign_in, "anna@example.org"),
        (ask_to_reset, "anna@example.org"),
        (sign_up, "new@example.org"),
        (sign_up_again, "new@example.org"),
        (change_the_address, "new@example.org"),
        (sign_in_anew, "anna@example.org"),
    ],
)
def test_no_session_holds_a_code_and_the_mailed_one_works(
    anna: Player, ask: Callable[[Client, Player], str], address: str
) -> None:
    client = Client()
    page = ask(client, anna)
    code = read_mailed_code(address)
    assert "'code'" in stored()
    plain = normalize_user_code(stored())
    assert code not in stored() and normalize_user_code(code) not in plain
    wrong = code[::-1] if code != code[::-1] else "BCDF-GHJK"
    assert client.post(page, {"code": wrong}).status_code == 200
    assert client.post(page, {"code": f" {code.lower().replace('-', ' ')} "}).status_code == 302


def test_what_a_session_holds_is_no_code(anna: Player) -> None:
    client = Client()
    page = ask_to_sign_in(client, anna)
    (held,) = re.findall(r"'code': '(\w{64})'", stored())
    assert client.post(page, {"code": held}).status_code == 200
    assert "_auth_user_id" not in client.session
