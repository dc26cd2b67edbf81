"""Tests of the refusal of breached and weak passwords."""

import re
import secrets
from pathlib import Path

import pytest
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts import breaches, passwords
from accounts.models import Player
from tests.accounts.guessing_helpers import ATTACKER, ELSEWHERE, make_browser
from tests.accounts.sign_up_helpers import SIGN_UP
from tests.accounts.signing_in import sign_in
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


def meter(client: Client, **form: str) -> Page:
    return Page(client.post(reverse("accounts:strength"), form))


@pytest.mark.django_db
class TestTheMeter:
    def test_says_how_good_a_password_is(self, client: Client) -> None:
        for typed, value, said in (
            ("axbycz", "1", "too short"),
            (STOLEN[0], "1", "on a list of stolen ones"),
            ("seven tiles of road", "4", "Very strong."),
        ):
            answer = client.post(reverse("accounts:strength"), {"password1": typed})
            assert Page(answer).one("meter")["value"] == value
            told = Page(answer).all_text
            assert said in told and typed not in told

    def test_reads_the_name_and_the_address_that_stand_beside_it(self, client: Client) -> None:
        typed = "grzegorzbrzeczyszczykiewicz"
        assert int(meter(client, password1=typed).one("meter")["value"]) >= passwords.LEAST
        beside = meter(client, password1=typed, username=typed)
        assert int(beside.one("meter")["value"]) < passwords.LEAST

    def test_knows_who_is_signed_in(self, anna: Player) -> None:
        typed = "grzegorzbrzeczyszczykiewicz"
        Player.objects.filter(pk=anna.pk).update(email=f"{typed}@example.org")
        client = Client()
        client.force_login(anna)
        assert int(meter(client, password1=typed).one("meter")["value"]) < passwords.LEAST

    def test_is_empty_where_nothing_is_typed(self, client: Client) -> None:
        assert not meter(client, password1="").has("meter") and not meter(client).has("meter")

    def test_is_not_worked_out_without_end(self, settings: Settings) -> None:
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "strength": "2/m/ip"}
        asked = [
            make_browser(ATTACKER).post(reverse("accounts:strength"), {"password1": "x"}) for _ in range(3)
        ]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        assert "when you send the form" in Page(asked[2]).all_text
        assert not Page(asked[2]).has("meter")
        other = make_browser(ELSEWHERE).post(reverse("accounts:strength"), {"password1": "x"})
        assert other.status_code == 200

    def test_stands_beside_new_passwords_and_beside_no_others(self, anna: Player) -> None:
        client = sign_in(Client(), anna)
        page = Page(client.get(reverse("account_change_password")))
        fields = {field["name"]: field.get("hx-post") for field in page.all("input[type=password]")}
        assert fields == {
            "oldpassword": None,
            "password1": reverse("accounts:strength"),
            "password2": None,
        }
        assert page.one("#id_password1")["hx-params"] == "password1,username,email"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reauthenticate", "account_change_password"],
)
def test_every_password_field_has_a_button_that_shows_it(anna: Player, name: str) -> None:
    client = Client() if name in ("account_login", "account_signup") else sign_in(Client(), anna)
    page = Page(client.get(reverse(name)))
    fields = page.all("input[type=password]")
    buttons = page.all("button[data-shows]")
    assert fields and [field["id"] for field in fields] == [button["data-shows"] for button in buttons]
    for button in buttons:
        assert button["aria-pressed"] == "false" and "Show password" in button.get_text()
        assert button["type"] == "button" and button.has_attr("hidden"), "nothing without scripts"


def test_no_field_for_passwords_is_made_otherwise() -> None:
    """The button comes with Django's widget; templates make no such field by hand."""
    root = Path(__file__).parents[2]
    by_hand = re.compile(r"""type=["']?password""")
    assert [
        path for path in root.glob("templates/**/*.html") if by_hand.search(path.read_text("utf-8"))
    ] == []


@pytest.mark.django_db
def test_a_password_that_comes_too_late_is_not_kept_in_the_session(anna: Player) -> None:
    anna.set_unusable_password()
    anna.save()
    client = sign_in(Client(), anna, "code", ago=3600)
    typed = "a field of seven sheep"
    form = {"password1": typed, "password2": typed}
    answer = client.post(reverse("account_set_password"), form)
    assert answer.status_code == 302 and answer.url == reverse("account_set_password")
    sessions = [str(session.get_decoded()) for session in Session.objects.all()]
    assert sessions and not any("sheep" in session for session in sessions)
    asked = client.get(reverse("account_set_password"))
    assert asked.url.startswith(reverse("accounts:reauthenticate_by_code"))
