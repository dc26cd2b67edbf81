"""Tests that the admin opens to staff who have just used a second factor."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.webauthn.forms import AuthenticateWebAuthnForm
from cryptography.fernet import InvalidToken
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts.models import Player
from tests.accounts.second_factor_helpers import activate_app, compute_app_code
from tests.accounts.signing_in import sign_in
from tests.html import Page

pytestmark = pytest.mark.django_db
ADMIN = reverse("admin:index")


@pytest.fixture(autouse=True)
def as_on_a_public_site(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def root() -> Player:
    return Player.objects.create_superuser("root", "root@example.org", "seven tiles of road")


def test_without_a_second_factor_staff_is_sent_to_set_one_up(client: Client, root: Player) -> None:
    sign_in(client, root)
    desk = reverse("moderation:desk")
    for answer in (
        client.get(ADMIN),
        client.post(reverse("admin:accounts_player_changelist")),
        client.get(desk),
    ):
        assert (answer.status_code, answer.url) == (302, reverse("mfa_index"))
    assert "second factor" in Page(client.get(reverse("mfa_index"))).text("#messages")


@pytest.mark.parametrize(("method", "ago"), [("password", 0), ("code", 0), ("mfa", 31 * 60)])
def test_a_password_alone_and_an_old_sign_in_do_not_open_it(
    client: Client, root: Player, method: str, ago: int
) -> None:
    secret = activate_app(root)
    sign_in(client, root, method, ago=ago)
    asked = client.get(ADMIN)
    assert asked.url.startswith(reverse("mfa_reauthenticate"))
    assert client.post(asked.url, {"code": "000000"}).status_code == 200
    back = client.post(asked.url, {"code": compute_app_code(secret)})
    assert back.url == ADMIN and client.get(ADMIN).status_code == 200


def test_who_has_just_used_a_second_factor_enters(client: Client, root: Player) -> None:
    activate_app(root)
    sign_in(client, root, "mfa")
    assert client.get(ADMIN).status_code == client.get(reverse("moderation:desk")).status_code == 200


def test_players_do_not_enter_whatever_they_have(client: Client, anna: Player) -> None:
    activate_app(anna)
    answer = sign_in(client, anna, "mfa").get(ADMIN)
    assert answer.status_code == 302 and client.get(answer.url).status_code == 403


def test_signing_in_asks_for_the_second_factor_or_a_recovery_code_once(client: Client, anna: Player) -> None:
    secret = activate_app(anna)
    codes = RecoveryCodes.activate(anna).get_unused_codes()
    answers = {"login": anna.email, "password": "seven tiles of road"}
    for code, let_in in ((compute_app_code(secret), True), (codes[0], True), (codes[0], False)):
        visitor = Client()
        asked = visitor.post(reverse("account_login"), answers)
        assert asked.url == reverse("mfa_authenticate")
        assert visitor.get(reverse("accounts:settings")).status_code == 302
        visitor.post(asked.url, {"code": code})
        assert (visitor.get(reverse("accounts:settings")).status_code == 200) is let_in


def test_secrets_are_not_legible_in_the_rows(anna: Player) -> None:
    secret = activate_app(anna)
    (row,) = Authenticator.objects.all()
    assert secret not in str(row.data) and row.wrap().validate_code(compute_app_code(secret))


def test_secrets_outlive_their_key_while_it_is_a_former_one(anna: Player, settings: Settings) -> None:
    secret = activate_app(anna)
    former = settings.SECRET_KEY
    settings.SECRET_KEY = "another key: long enough, and worth nothing to anyone either 0123456789"
    settings.SECRET_KEY_FALLBACKS = [former]
    assert Authenticator.objects.get().wrap().validate_code(compute_app_code(secret))
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        Authenticator.objects.get().wrap().validate_code(compute_app_code(secret))


def test_an_app_is_set_up_on_its_page_after_signing_in_anew(client: Client, anna: Player) -> None:
    sign_in(client, anna, ago=301)
    page = reverse("mfa_activate_totp")
    asked = client.get(page)
    assert asked.url.startswith(reverse("account_reauthenticate"))
    client.post(asked.url, {"password": "seven tiles of road"})
    shown = Page(client.get(page))
    assert shown.one(".qr img")["src"].startswith("data:image/svg+xml")
    answer = client.post(page, {"code": compute_app_code(shown.text("code"))})
    assert answer.url == reverse("mfa_view_recovery_codes")
    assert len(Page(client.get(answer.url)).texts(".codes code")) == 10
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()


HALF = '{"id": "YQ", "rawId": "YQ", "type": "public-key", "response": {"clientDataJSON": "YQ"}}'


@pytest.mark.parametrize("nonsense", ['["\\ud800"]', '{"id": "\\udfff"}', "[", "null", "{}", HALF])
def test_a_key_that_talks_nonsense_is_refused_in_words(client: Client, anna: Player, nonsense: str) -> None:
    """JSON may say what UTF-8 can't."""
    sign_in(client, anna)
    assert client.post(reverse("mfa_add_webauthn"), {"credential": nonsense}).status_code == 200
    anew = AuthenticateWebAuthnForm(data={"credential": nonsense}, user=anna)
    assert str(anew["credential"]).encode() and not anew.is_valid()
    assert client.post(reverse("mfa_login_webauthn"), {"credential": nonsense}).status_code == 302
