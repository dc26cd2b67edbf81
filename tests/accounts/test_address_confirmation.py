"""Tests that confirming an address ends a password that somebody else chose."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code, sign_up
from tests.accounts.signing_in import sign_in

pytestmark = pytest.mark.django_db
FOREIGN = "a foreign password 17"
GONE = "no longer valid"
CODE_PAGE = reverse("account_email_verification_sent")


@pytest.fixture
def stranger() -> Client:
    """A visitor who has signed up with Anna's address and their own password, without access to her mail."""
    client = Client()
    sign_up(client, password1=FOREIGN, language="en")
    return client


@pytest.fixture
def owner() -> Client:
    return Client(headers={"accept-language": "en"})


def sign_in_by_code(client: Client) -> Player:
    page = client.post(reverse("account_request_login_code"), {"email": "anna@example.org"}).url
    client.post(page, {"code": read_mailed_code("anna@example.org")})
    return Player.objects.get(username="Anna")


def signed_in(client: Client) -> bool:
    return client.get(reverse("accounts:settings")).status_code == 200


def said(client: Client) -> str:
    page = client.get(reverse("accounts:settings"))
    return " ".join(str(message) for message in page.context["messages"])


def test_signing_in_by_code_ends_a_foreign_password(stranger: Client, owner: Client) -> None:
    player = sign_in_by_code(owner)
    assert EmailAddress.objects.get(user=player).verified
    assert not player.has_usable_password()
    assert GONE in said(owner) and signed_in(owner)
    answers = {"login": "anna@example.org", "password": FOREIGN}
    assert stranger.post(reverse("account_login"), answers).status_code in (200, 302)
    assert not signed_in(stranger)
    assert not signed_in(Client())


def test_every_other_session_of_the_account_ends(stranger: Client, owner: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(Player.objects.get(username="Anna"))
    assert signed_in(elsewhere)
    sign_in_by_code(owner)
    assert not signed_in(elsewhere)


def test_the_sign_up_that_waits_for_a_code_is_over(stranger: Client, owner: Client) -> None:
    sign_in_by_code(owner)
    Player.objects.update(last_login=None)  # as between the code and the choice of a new password
    response = stranger.post(CODE_PAGE, {"action": "change", "email": "evil@example.org"})
    assert response.url == reverse("account_login")
    assert stranger.get(CODE_PAGE).url == reverse("account_login")
    assert Player.objects.get(username="Anna").email == "anna@example.org"


def test_a_code_for_a_new_password_ends_a_foreign_one_at_once(stranger: Client, owner: Client) -> None:
    page = owner.post(reverse("account_reset_password"), {"email": "anna@example.org"}).url
    page = owner.post(page, {"code": read_mailed_code("anna@example.org")}).url
    assert not Player.objects.get(username="Anna").has_usable_password()
    owner.post(page, {"password1": "seven tiles of road", "password2": "seven tiles of road"})
    assert Player.objects.get(username="Anna").check_password("seven tiles of road")
    assert signed_in(owner)


def test_who_signed_up_keeps_the_password(owner: Client) -> None:
    page = sign_up(owner, password1=FOREIGN)
    owner.post(page, {"code": read_mailed_code("anna@example.org")})
    assert Player.objects.get(username="Anna").check_password(FOREIGN)
    assert signed_in(owner) and GONE not in said(owner)


def test_without_a_password_nothing_is_said_of_one(owner: Client) -> None:
    Client().post(reverse("account_signup"), SIGN_UP)
    sign_in_by_code(owner)
    assert GONE not in said(owner) and signed_in(owner)


def test_an_account_made_at_the_terminal_stays_signed_in_after_two_codes(owner: Client) -> None:
    """It has no address in allauth's table: the code signs in, and a second one confirms the address."""
    Player.objects.create_superuser("Anna", "anna@example.org", FOREIGN)
    page = owner.post(reverse("account_request_login_code"), {"email": "anna@example.org"}).url
    page = owner.post(page, {"code": read_mailed_code("anna@example.org")}).url
    owner.post(page, {"code": read_mailed_code("anna@example.org")})
    assert not Player.objects.get(username="Anna").has_usable_password()
    assert signed_in(owner)


def test_another_address_for_a_confirmed_account_keeps_the_password(anna: Player, owner: Client) -> None:
    sign_in(owner, anna)
    owner.post(reverse("account_email"), {"email": "anna@other.example", "action_add": ""})
    owner.post(CODE_PAGE, {"code": read_mailed_code("anna@other.example")})
    anna.refresh_from_db()
    assert (anna.email, anna.has_usable_password()) == ("anna@other.example", True)
    assert signed_in(owner)
