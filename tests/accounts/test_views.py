"""Tests of sign-up, sign-in, settings and closing, without JavaScript."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.forms import SettingsForm
from accounts.models import Player
from accounts.services import close_account
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code, sign_up
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.html import Page

pytestmark = pytest.mark.django_db

BOARD = "/game/abc123/"


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"accept-language": "pl"})


@pytest.mark.parametrize("password", ["", "seven tiles of road"])
def test_sign_up_asks_for_a_code_and_returns_to_the_board(visitor: Client, password: str) -> None:
    code_page = sign_up(visitor, password1=password, next=BOARD)
    assert reverse("account_email_verification_sent") in code_page
    response = visitor.post(code_page, {"code": read_mailed_code("anna@example.org")})
    assert (response.status_code, response.url) == (302, BOARD)
    player = Player.objects.get()
    assert int(visitor.session["_auth_user_id"]) == player.pk
    assert (player.username, player.language, player.time_zone) == ("Anna", "pl", "Europe/Warsaw")
    assert player.has_usable_password() is bool(password)
    assert player.emailaddress_set.get().verified


def test_names_have_the_letters_of_all_languages(visitor: Client) -> None:
    answer = visitor.post(reverse("account_signup"), {**SIGN_UP, "username": "Ле\u0308ва"})
    assert answer.status_code == 302
    player = Player.objects.get(username="Лёва")
    EmailAddress.objects.filter(user=player).update(verified=True)
    page = Page(visitor.get(reverse("games:player", args=["ЛЁВА"])))
    assert page.text("h1") == "Лёва"


@pytest.mark.parametrize(
    "name", ["Роса", "m0derator", "Нouse", "C1osed-7", "house_bot", "HouseB0t", "Admin1", "support", "P0ca"]
)
def test_nobody_passes_for_somebody_else(visitor: Client, name: str) -> None:
    make_player("Poca")
    answer = visitor.post(reverse("account_signup"), {**SIGN_UP, "username": name})
    assert answer.status_code == 200 and set(answer.context["form"].errors) == {"username"}


@pytest.mark.parametrize("name", ["Gre-ta", "greta7", "GRETA"])
def test_nobody_passes_for_somebody_of_the_staff(visitor: Client, name: str) -> None:
    make_player("Greta", is_staff=True)
    answer = visitor.post(reverse("account_signup"), {**SIGN_UP, "username": name})
    assert answer.status_code == 200 and set(answer.context["form"].errors) == {"username"}
    assert visitor.post(reverse("account_signup"), {**SIGN_UP, "username": "Gretel"}).status_code == 302


def test_sign_up_guesses_the_language_of_the_browser(visitor: Client) -> None:
    page = Page(visitor.get(reverse("account_signup")))
    assert page.values("[name=language] option[selected]") == ["pl"]
    assert page.one("[name=time_zone]")["data-guess-time-zone"] == "UTC"


def test_a_wrong_code_does_not_sign_in(visitor: Client) -> None:
    code_page = sign_up(visitor)
    assert visitor.post(code_page, {"code": "WRONG1"}).status_code == 200
    assert "_auth_user_id" not in visitor.session


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("username", "anna$b"),
        ("username", "closed-7"),
        ("username", "ADMIN"),
        ("username", "bRUNO"),
        ("email", "nobody"),
        ("time_zone", "Mars/Olympus"),
        ("language", "tlh"),
        ("password1", "12345678"),
    ],
)
def test_sign_up_refuses(visitor: Client, field: str, value: str) -> None:
    Player.objects.create_user("Bruno", "bruno@example.org")
    response = visitor.post(reverse("account_signup"), {**SIGN_UP, field: value})
    assert response.status_code == 200
    assert field in response.context["form"].errors
    assert Player.objects.count() == 1


def test_an_address_that_has_an_account_is_told_so_by_mail_only(visitor: Client, anna: Player) -> None:
    code_page = sign_up(visitor, username="Other", email="Anna@Example.org")
    assert reverse("account_email_verification_sent") in code_page
    assert "Takie konto już istnieje" in mail.outbox[-1].body
    assert list(Player.objects.filter(emailaddress__email="anna@example.org")) == [anna]


def test_sign_in_by_password_returns_to_the_board(visitor: Client, anna: Player) -> None:
    page = Page(visitor.get(reverse("account_login"), {"next": BOARD}))
    assert page.values("form:has([name=password]) [name=next]") == [BOARD]
    answers = {"login": "ANNA@example.org", "password": "seven tiles of road", "next": BOARD}
    response = visitor.post(reverse("account_login"), answers)
    assert (response.status_code, response.url) == (302, BOARD)


def test_sign_in_by_code_returns_to_the_board(visitor: Client, anna: Player) -> None:
    page = visitor.get(reverse("account_login"), {"next": BOARD})
    assert f"next={BOARD.replace('/', '%2F')}" in page.context["request_login_code_url"]
    response = visitor.post(
        reverse("account_request_login_code"), {"email": "anna@example.org", "next": BOARD}
    )
    response = visitor.post(response.url, {"code": read_mailed_code("anna@example.org")})
    assert (response.status_code, response.url) == (302, BOARD)
    assert int(visitor.session["_auth_user_id"]) == anna.pk


@pytest.mark.parametrize("other", ["https://evil.example/", "//evil.example/", "http://[", "//["])
def test_sign_in_never_leads_to_another_site(visitor: Client, anna: Player, other: str) -> None:
    assert visitor.get(reverse("account_login"), {"next": other}).status_code == 200
    answers = {"login": "anna@example.org", "password": "seven tiles of road", "next": other}
    assert visitor.post(reverse("account_login"), answers).url == reverse("games:mine")


def test_a_forgotten_password_is_set_anew_with_a_code(visitor: Client, anna: Player) -> None:
    response = visitor.post(reverse("account_reset_password"), {"email": "anna@example.org"})
    response = visitor.post(response.url, {"code": read_mailed_code("anna@example.org")})
    response = visitor.post(
        response.url, {"password1": "a field of seven sheep", "password2": "a field of seven sheep"}
    )
    assert response.status_code == 302
    anna.refresh_from_db()
    assert anna.check_password("a field of seven sheep")


def test_guessing_passwords_is_slowed_down(visitor: Client, anna: Player) -> None:
    answers = {"login": "anna@example.org", "password": "wrong"}
    for _ in range(6):
        visitor.post(reverse("account_login"), answers)
    response = visitor.post(reverse("account_login"), {**answers, "password": "seven tiles of road"})
    assert response.status_code == 200
    assert "_auth_user_id" not in visitor.session


def test_another_name_of_the_host_gives_no_further_guesses(visitor: Client, anna: Player) -> None:
    answers = {"login": "anna@example.org", "password": "wrong"}
    hosts = ["localhost", "testserver", "127.0.0.1", "testserver:443", "localhost:443", "LOCALHOST"]
    for host in hosts:
        visitor.post(reverse("account_login"), answers, headers={"host": host})
    right = {**answers, "password": "seven tiles of road"}
    response = visitor.post(reverse("account_login"), right, headers={"host": "127.0.0.1:443"})
    assert response.status_code == 200
    assert "_auth_user_id" not in visitor.session


@pytest.mark.parametrize("host", ["localhost", "testserver:443"])
def test_links_in_mails_lead_to_the_sites_own_address(visitor: Client, anna: Player, host: str) -> None:
    headers = {"host": host, "accept-language": "en"}
    visitor.post(reverse("account_request_login_code"), {"email": "nobody@example.org"}, headers=headers)
    visitor.post(reverse("account_reset_password"), {"email": "nobody@example.com"}, headers=headers)
    Client().post(
        reverse("account_signup"), {**SIGN_UP, "email": anna.email, "username": "Other"}, headers=headers
    )
    pages = {
        "https://carcassonne.example" + reverse(name) for name in ("account_signup", "account_reset_password")
    }
    links = [set(re.findall(r"https?://\S+", letter.body)) for letter in mail.outbox]
    assert len(links) == 3 and all(match & pages for match in links)
    assert set().union(*links) <= pages | {"https://carcassonne.example"}


def test_settings_are_saved(visitor: Client, anna: Player) -> None:
    visitor.force_login(anna)
    page = Page(visitor.get(reverse("accounts:settings")))
    assert page.text(".field:has([name=theme]) label") == "Colours"
    answers = {"language": "sk", "time_zone": "Asia/Kolkata", "theme": "dark"}
    assert visitor.post(reverse("accounts:settings"), answers).status_code == 302
    anna.refresh_from_db()
    assert (anna.language, anna.time_zone) == ("sk", "Asia/Kolkata")


def test_only_who_asked_for_a_sound_loads_its_script(visitor: Client, anna: Player) -> None:
    visitor.force_login(anna)
    script, settings = "script[src*='sound']", reverse("accounts:settings")
    page = Page(visitor.get(settings))
    assert not page.has(script) and not page.has("[name=sound][checked]")
    answers = {"language": "en", "time_zone": "UTC", "theme": "device"}
    visitor.post(settings, {**answers, "sound": "on"})
    page = Page(visitor.get(settings))
    assert page.has(script) and page.has("[name=sound][checked]")
    visitor.post(settings, answers)
    assert not Page(visitor.get(settings)).has(script)
    visitor.logout()
    assert not Page(visitor.get("/lobby/")).has(script)


def test_each_place_is_a_zone_once_and_what_is_none_is_refused(visitor: Client, anna: Player) -> None:
    visitor.force_login(anna)
    page = Page(visitor.get(reverse("accounts:settings")))
    cities = page.texts("[name=time_zone] option")
    assert len(cities) == len(set(cities)) > 400 and "Istanbul" in cities
    assert "Asia/Calcutta" in page.one("[value='Asia/Kolkata']")["data-also"].split()
    for sent, saved in (
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("US/Pacific-New", None),
        ("localtime", None),
        ("Factory", None),
        ("Etc/GMT+5", None),
    ):
        Player.objects.filter(pk=anna.pk).update(time_zone="UTC")
        answers = {"language": "en", "time_zone": sent, "theme": "dark"}
        visitor.post(reverse("accounts:settings"), answers)
        anna.refresh_from_db()
        assert anna.time_zone == (saved or "UTC"), sent
    for stored, shown in (
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("US/Pacific-New", "UTC"),
        ("Factory", "UTC"),
        ("Etc/GMT+5", "Etc/GMT+5"),
    ):
        Player.objects.filter(pk=anna.pk).update(time_zone=stored)
        page = Page(visitor.get(reverse("accounts:settings")))
        assert page.one("[name=time_zone] option[selected]")["value"] == shown, stored


def test_settings_that_were_open_write_nothing_else(anna: Player) -> None:
    answers = {"language": "sk", "time_zone": "UTC", "theme": "device"}
    form = SettingsForm(answers, instance=Player.objects.get(pk=anna.pk))
    close_account(player=anna, now=timezone.now())  # between the reading of the row and its writing
    form.save()
    anna.refresh_from_db()
    assert (anna.language, anna.email, anna.is_active) == ("sk", "", False)
    assert anna.closed is not None


def test_a_refused_setting_changes_nothing_and_draws_the_page(visitor: Client, anna: Player) -> None:
    visitor.force_login(anna)
    response = visitor.post(
        reverse("accounts:settings"), {"language": "tlh", "time_zone": "Mars/Olympus", "theme": "pink"}
    )
    assert set(response.context["form"].errors) == {"language", "time_zone", "theme"}
    anna.refresh_from_db()
    assert anna.language == "en"


def test_pages_come_in_the_players_own_language_and_zone(visitor: Client, anna: Player) -> None:
    anna.language = "is"
    anna.save()
    visitor.force_login(anna)
    assert Page(visitor.get(reverse("accounts:settings"))).one("html")["lang"] == "is"


@pytest.mark.parametrize("shown_in", ["en", "pl", "ru"])
def test_languages_are_called_everywhere_as_their_speakers_call_them(
    visitor: Client, anna: Player, shown_in: str
) -> None:
    anna.language = shown_in
    anna.save()
    visitor.force_login(anna)
    page = Page(visitor.get(reverse("accounts:settings")))
    names = ["English", "Polski", "Slovenčina", "Íslenska", "Русский"]
    assert page.texts("select[name=language] option") == names
    assert page.texts("button[name=language]") == names


def test_a_language_chosen_in_the_footer_is_kept(visitor: Client, anna: Player) -> None:
    guest = visitor.post(reverse("set_language"), {"language": "sk", "next": reverse("account_login")})
    assert guest.url == reverse("account_login")
    assert Page(visitor.get(reverse("account_login"))).one("html")["lang"] == "sk"
    visitor.force_login(anna)
    visitor.post(reverse("set_language"), {"language": "ru"})
    visitor.post(reverse("set_language"), {"language": "tlh"})
    anna.refresh_from_db()
    assert anna.language == "ru"


def test_a_changed_address_is_confirmed_by_code(visitor: Client, anna: Player) -> None:
    sign_in(visitor, anna)
    response = visitor.post(
        reverse("account_email"), {"email": "anna@other.example", "action_add": ""}, follow=True
    )
    code_page = response.redirect_chain[-1][0]
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    visitor.post(code_page, {"code": read_mailed_code("anna@other.example")})
    anna.refresh_from_db()
    assert anna.email == "anna@other.example"


@pytest.mark.parametrize(
    "name",
    [
        "accounts:settings",
        "accounts:close",
        "accounts:sessions",
        "accounts:export",
        "accounts:export_file",
        "account_email",
        "account_change_password",
        "account_set_password",
        "mfa_index",
    ],
)
def test_a_stranger_is_asked_to_sign_in(visitor: Client, name: str) -> None:
    response = visitor.get(reverse(name))
    assert response.url == f"{reverse('account_login')}?next={reverse(name)}"


@pytest.mark.parametrize(
    "name",
    [
        "account_login",
        "account_signup",
        "account_request_login_code",
        "account_reset_password",
        "account_inactive",
    ],
)
def test_entrance_pages_carry_no_inline_code(visitor: Client, name: str) -> None:
    response = visitor.get(reverse(name))
    page = Page(response)
    assert page.has("main h1") and page.inline_code() == []
    assert (
        "script-src" in response["content-security-policy"]
        or "default-src 'self'" in response["content-security-policy"]
    )


def test_a_mail_server_that_is_away_is_said_on_the_page(
    visitor: Client, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **more: object) -> int:
        raise ConnectionRefusedError("no mail server")

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
    response = visitor.post(reverse("account_request_login_code"), {"email": "anna@example.org"}, follow=True)
    assert response.status_code == 200
    assert [message.level_tag for message in response.context["messages"]] == ["error"]


def test_a_superuser_made_at_the_terminal_confirms_the_address_and_enters_the_admin(visitor: Client) -> None:
    Player.objects.create_superuser("root", "root@example.org", "seven tiles of road")
    answers = {"login": "root@example.org", "password": "seven tiles of road", "next": reverse("admin:index")}
    code_page = visitor.post(reverse("account_login"), answers).url
    response = visitor.post(code_page, {"code": read_mailed_code("root@example.org")})
    assert response.url == reverse("admin:index")
    assert visitor.get(response.url).status_code == 200


def test_a_closed_account_can_not_sign_in(visitor: Client, anna: Player) -> None:
    close_account(player=anna, now=timezone.now())
    answers = {"login": "anna@example.org", "password": "seven tiles of road"}
    assert visitor.post(reverse("account_login"), answers).status_code == 200
    visitor.post(reverse("account_request_login_code"), {"email": "anna@example.org"})
    assert mail.outbox[-1].subject == "Nie ma konta z tym adresem"
    assert "_auth_user_id" not in visitor.session
