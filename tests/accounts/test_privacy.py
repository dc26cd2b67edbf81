"""Tests that neither pages nor their response times reveal whether an address has an account."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import Player
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code

pytestmark = pytest.mark.django_db
CODE_PAGE = reverse("account_email_verification_sent")
KNOWN, UNKNOWN = "anna@example.org", "nora@example.org"
PASSWORD = "a field of seven sheep"


@pytest.fixture(autouse=True)
def unlimited(settings: Settings, anna: Player) -> None:
    """Disable limits by network and of codes."""
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": None, "login_failed": "5/300s/key"}


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed, which take nearly all of these pages' time."""
    done: list[str] = []
    encode = MD5PasswordHasher.encode

    def count(self: MD5PasswordHasher, password: str, salt: str) -> str:
        done.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", count)
    return done


def sign_up(address: str, **fields: str) -> tuple[Client, Any]:
    client = Client(headers={"accept-language": "en"})
    return client, client.post(reverse("account_signup"), {**SIGN_UP, "email": address, **fields})


def seen(response: Any, *names: str) -> tuple[int, str, str]:
    """The page without tokens and without what the visitor typed."""
    page = re.sub(r"\b\w{64}\b", "token", response.content.decode())
    for name in (KNOWN, UNKNOWN, *names):
        page = page.replace(name, "…")
    return response.status_code, response.headers.get("Location", ""), page


@pytest.mark.parametrize("password", ["", PASSWORD])
def test_a_sign_up_gets_the_same_answers_at_the_same_price(hashed: list[str], password: str) -> None:
    answers, prices = [], []
    for address, name in ((KNOWN, "Nora"), (UNKNOWN, "Zora")):
        hashed.clear()
        client, response = sign_up(address, username=name, password1=password)
        steps = [
            response,
            client.get(CODE_PAGE),
            client.post(CODE_PAGE, {"action": "resend"}),
            client.post(CODE_PAGE, {"code": "WRONG1"}),
            client.get(reverse("account_signup")),
            client.get(reverse("account_login")),
        ]
        answers.append([seen(step, name) for step in steps])
        prices.append(list(hashed))
    assert answers[0] == answers[1]
    assert "Wrong address?" in answers[0][1][2]
    assert prices[0] == prices[1] == ([password] if password else [])


def test_a_name_is_taken_by_either_sign_up() -> None:
    for address, name in ((KNOWN, "Nora"), (UNKNOWN, "Zora")):
        sign_up(address, username=name)
        _client, response = sign_up("other@example.org", username=name)
        assert list(response.context["form"].errors) == ["username"]


def test_the_account_of_a_sign_up_with_a_known_address_has_no_address() -> None:
    sign_up(KNOWN, username="Nora", password1=PASSWORD)
    assert [letter.subject for letter in mail.outbox] == ["You already have an account"]
    nora = Player.objects.get(username="Nora")
    assert (nora.email, nora.emailaddress_set.count()) == ("", 0)
    assert list(Player.objects.unconfirmed()) == [nora]
    assert EmailAddress.objects.get(email=KNOWN).user.username == "Anna"


def test_who_mistyped_an_address_of_somebody_else_can_correct_it() -> None:
    client, _response = sign_up(KNOWN, username="Nora", password1=PASSWORD)
    client.post(CODE_PAGE, {"action": "change", "email": UNKNOWN})
    assert client.post(CODE_PAGE, {"code": read_mailed_code(UNKNOWN)}).status_code == 302
    nora = Player.objects.confirmed().get(username="Nora")
    assert nora.email == UNKNOWN and nora.check_password(PASSWORD)
    assert int(client.session["_auth_user_id"]) == nora.pk


def test_correcting_an_address_gets_the_same_answers() -> None:
    answers = []
    for address, name in ((KNOWN, "Nora"), (UNKNOWN, "Zora")):
        client, _response = sign_up(f"{name}@example.com", username=name)
        steps = [client.post(CODE_PAGE, {"action": "change", "email": address}), client.get(CODE_PAGE)]
        answers.append([seen(step, name) for step in steps])
    assert answers[0] == answers[1]


def test_a_sign_in_with_a_password_from_a_sign_up_tells_nothing(hashed: list[str]) -> None:
    """Else whoever signs up with an address learns by it whether that made an account."""
    answers, prices = [], []
    for address, name in ((KNOWN, "Nora"), (UNKNOWN, "Zora")):
        sign_up(address, username=name, password1=PASSWORD)
        hashed.clear()
        client = Client()
        tries = [
            client.post(reverse("account_login"), {"login": address, "password": PASSWORD}) for _ in range(7)
        ]
        answers.append([seen(response) for response in tries])
        prices.append(len(hashed))
    assert answers[0] == answers[1]
    assert answers[0][0] != answers[0][6], "too many tries"
    assert prices[0] == prices[1]


def test_who_did_not_confirm_in_time_signs_in_by_code_and_keeps_the_password() -> None:
    client, _response = sign_up(UNKNOWN, username="Nora", password1=PASSWORD)
    client.post(reverse("account_logout"))
    page = client.post(reverse("account_request_login_code"), {"email": UNKNOWN}).url
    client.post(page, {"code": read_mailed_code(UNKNOWN)})
    assert client.get(reverse("accounts:settings")).status_code == 200
    assert Player.objects.get(username="Nora").check_password(PASSWORD)


@pytest.mark.parametrize("way", ["account_request_login_code", "account_reset_password"])
def test_asking_for_a_code_tells_nothing(hashed: list[str], way: str) -> None:
    answers = []
    for address in (KNOWN, UNKNOWN):
        client = Client()
        asked = client.post(reverse(way), {"email": address})
        steps = [asked, client.get(asked.url), client.post(asked.url, {"code": "WRONG1"})]
        answers.append([seen(step) for step in steps])
    assert answers[0] == answers[1]
    assert hashed == []
