"""Tests of account management: sessions, closing, data export, change of address."""

import json
import logging
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import addresses, closing, export, letters, sessions
from accounts.models import AddressChange, ClosedName, DataExport, Letter, PauseCause, Player
from accounts.provisional import create_guest
from accounts.services import close_account
from tests.accounts.sign_up_helpers import read_mailed_code
from tests.accounts.signing_in import sign_in
from tests.html import Page

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SETTINGS = reverse("accounts:settings")
ANSWERS = {"login": "anna@example.org", "password": "seven tiles of road"}


def delivered(now: datetime | None = None) -> list[str]:
    """Send the letters that are due, and return the links in them."""
    mail.outbox.clear()
    letters.deliver(now=now or timezone.now())
    return re.findall(
        r"https://carcassonne\.example(/\S+)", " ".join(message.body for message in mail.outbox)
    )


def signed_in(client: Client) -> bool:
    return client.get(SETTINGS).status_code == 200


# ---- signing in anew

PROTECTED = [
    "accounts:close",
    "accounts:export",
    "accounts:export_file",
    "account_set_password",
    "mfa_activate_totp",
]


@pytest.mark.parametrize("name", PROTECTED)
def test_what_cannot_be_taken_back_asks_for_the_password_anew(
    client: Client, anna: Player, name: str
) -> None:
    sign_in(client, anna, ago=301)
    asked = client.get(reverse(name))
    assert asked.url == f"{reverse('account_reauthenticate')}?next={reverse(name).replace('/', '%2F')}"
    assert client.post(asked.url, {"password": "wrong"}).status_code == 200
    assert client.post(asked.url, {"password": "seven tiles of road"}).url == reverse(name)
    assert client.get(reverse(name)).status_code in (200, 302, 404)
    assert "reauthenticate" not in client.get(reverse(name)).headers.get("Location", "")


def test_who_has_no_password_is_mailed_a_code_and_goes_on_where_it_was_asked(
    client: Client, anna: Player
) -> None:
    anna.set_unusable_password()
    anna.save()
    sign_in(client, anna, "code", ago=301)
    asked = client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    assert asked.url.startswith(reverse("accounts:reauthenticate_by_code"))
    assert not mail.outbox
    client.post(asked.url, {"send": ""})
    code = read_mailed_code("anna@example.org")
    assert client.post(asked.url, {"code": "WRONG"}).status_code == 200
    client.post(asked.url, {"code": code})
    assert mail.outbox[-1].to == ["new@example.org"], "the change that was asked for goes on"


# ---- sessions


def test_one_session_is_ended_or_all_others(client: Client, anna: Player) -> None:
    phone, other, old = (
        Client(headers={"user-agent": agent}) for agent in ("Firefox Android", "Safari Mac", "-")
    )
    for browser in (client, phone, other):
        browser.post(reverse("account_login"), ANSWERS)
    old.force_login(anna)  # as before there was a list
    page = Page(client.get(reverse("accounts:sessions")))
    assert page.texts("section.card h2") == ["A browser", "Safari", "Firefox on Android"]
    (buttons,) = [page.values("button[name=session]")]
    client.post(reverse("accounts:end_session"), {"session": buttons[1]})
    assert [signed_in(browser) for browser in (client, phone, other, old)] == [True, False, True, True]
    client.post(reverse("accounts:end_session"))
    assert [signed_in(browser) for browser in (client, phone, other, old)] == [True, False, False, False]
    assert len(Page(client.get(reverse("accounts:sessions"))).all("section.card")) == 1


def test_a_session_of_thousands_of_digits_is_nobodys(client: Client, anna: Player) -> None:
    sign_in(client, anna)
    assert client.post(reverse("accounts:end_session"), {"session": "9" * 5000}).status_code == 404


def test_nobody_ends_a_session_of_somebody_else(client: Client, anna: Player) -> None:
    client.post(reverse("account_login"), ANSWERS)
    (mine,) = anna.usersession_set.all()
    stranger = sign_in(Client(), Player.objects.create_user("Bruno", "bruno@example.org"))
    for session in (mine.pk, "9" * 30, "9" * 5000):
        assert stranger.post(reverse("accounts:end_session"), {"session": session}).status_code == 404
    assert signed_in(client)


def test_a_session_that_is_over_is_forgotten_with_where_it_was(client: Client, anna: Player) -> None:
    for browser in (client, Client()):
        browser.post(reverse("account_login"), ANSWERS)
    Session.objects.filter(session_key=client.session.session_key).update(expire_date=NOW)
    sessions.forget_ended(now=timezone.now())
    assert (Session.objects.count(), anna.usersession_set.count()) == (1, 1)


# ---- closing


def ask_to_close(client: Client, anna: Player) -> Player:
    answer = sign_in(client, anna).post(reverse("accounts:close"), {"username": "anna"})
    assert answer.url == "/" and not signed_in(client)
    anna.refresh_from_db()
    return anna


def test_closing_asks_for_the_name_and_takes_a_fortnight(client: Client, anna: Player) -> None:
    assert sign_in(client, anna).post(reverse("accounts:close"), {"username": "Bruno"}).status_code == 200
    anna = ask_to_close(client, anna)
    assert anna.closed is None and anna.closes is not None
    assert closing.close_due(now=anna.closes - timedelta(minutes=1)) == 0
    assert closing.close_due(now=anna.closes) == 1
    anna.refresh_from_db()
    assert anna.closed is not None and anna.username == f"closed-{anna.pk}"
    assert not Letter.objects.exists()


def test_the_link_in_the_mail_keeps_the_account_without_signing_in(client: Client, anna: Player) -> None:
    ask_to_close(client, anna)
    (link,) = delivered()
    assert Page(client.get(link)).has("main form button")
    anna.refresh_from_db()
    assert anna.closes is not None, "mail programs that look at links keep nothing"
    client.post(link)
    anna.refresh_from_db()
    assert anna.closes is None and client.post(link).status_code == 404
    delivered()
    assert mail.outbox[0].subject == "You're keeping your account"


def test_signing_in_says_it_and_offers_to_keep(client: Client, anna: Player) -> None:
    ask_to_close(client, anna)
    answer = client.post(reverse("account_login"), {**ANSWERS, "next": "/lobby/"})
    assert answer.url == reverse("accounts:close")
    assert Page(client.get(answer.url)).texts("main form button") == ["Keep my account"]
    assert Page(client.get(SETTINGS)).link("Keep it") == answer.url
    client.post(answer.url)
    anna.refresh_from_db()
    assert anna.closes is None


def test_nothing_is_left_of_what_stood_beside_the_account(anna: Player) -> None:
    Authenticator.objects.create(user=anna, type=Authenticator.Type.TOTP, data={})
    AddressChange.objects.create(player=anna, old="old@example.org", new=anna.email)
    asked = export.ask(player=anna, now=NOW)
    assert asked is not None
    export.make(pk=asked.pk, now=NOW)
    close_account(player=anna, now=NOW)
    for rows in (Authenticator, AddressChange, DataExport, Letter):
        assert not rows.objects.exists()


@pytest.mark.parametrize("name", ["Anna", "ANNA", "AnnA", "Аnnа"])
def test_the_name_of_a_closed_account_stays_taken(client: Client, anna: Player, name: str) -> None:
    close_account(player=anna, now=NOW)
    fields = {"email": "new@example.org", "username": name, "language": "en", "time_zone": "UTC"}
    answer = client.post(reverse("account_signup"), fields)
    assert set(answer.context["form"].errors) == {"username"}


def test_the_name_of_a_closed_guest_is_free_again_after_four_weeks(anna: Player) -> None:
    zoe = create_guest(name="Zoe", language="en", time_zone="UTC")
    close_account(player=zoe, now=NOW)
    close_account(player=anna, now=NOW)
    names = ClosedName.objects
    for days, zoes in ((0, True), (27, True), (28, False)):
        now = NOW + timedelta(days=days)
        names.forget_old(now)
        assert (names.like("Z0e", now), names.like("Anna", now)) == (zoes, True), days
    names.keep("Anna", NOW)  # of a guest: the name stays what it was
    again = create_guest(name="Zoe", language="en", time_zone="UTC")
    close_account(player=again, now=NOW)
    names.keep("Zoe")  # of an account, while a guest's name is kept
    assert names.like("Anna", NOW + timedelta(days=999)) and names.like("zoe", NOW + timedelta(days=999))


# ---- all data


def test_a_file_of_all_data_is_made_told_and_fetched(client: Client, anna: Player) -> None:
    sign_in(client, anna)
    page = reverse("accounts:export")
    assert client.post(page).url == page
    assert "making it" in Page(client.get(page)).text("main .card")
    assert client.get(reverse("accounts:export_file")).status_code == 404
    (asked,) = export.list_unmade()
    export.make(pk=asked, now=timezone.now())
    assert delivered() == [page]
    answer = client.get(Page(client.get(page)).link("Download the file"))
    assert (answer["Content-Disposition"], answer["Cache-Control"]) == (
        f'attachment; filename="carcassonne-{timezone.now():%Y-%m-%d}.zip"',
        "private, no-store",
    )
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as archive:
        told = json.loads(archive.read("account.json"))
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert (told["profile"]["username"], told["addresses"][0]["email"]) == ("Anna", "anna@example.org")
    assert anna.password not in text and "session_round" not in text
    client.post(page)
    assert "tomorrow" in Page(client.get(page)).text("#messages"), "one a day"


def test_the_file_goes_with_its_row_and_is_nobody_elses(
    client: Client, anna: Player, django_capture_on_commit_callbacks: object
) -> None:
    asked = export.ask(player=anna, now=NOW)
    assert asked is not None
    export.make(pk=asked.pk, now=NOW)
    export.make(pk=asked.pk, now=NOW)
    asked.refresh_from_db()
    assert default_storage.exists(asked.file.name)
    stranger = sign_in(client, Player.objects.create_user("Bruno", "bruno@example.org"))
    assert stranger.get(reverse("accounts:export_file")).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        export.expire(now=NOW + 7 * DAY + timedelta(minutes=1))
    assert not default_storage.exists(asked.file.name)


def test_a_file_without_a_row_is_removed(db: None) -> None:
    left = default_storage.save("exports/left.zip", ContentFile(b"of a task that was stopped"))
    export.expire(now=timezone.now())
    assert default_storage.exists(left), "it may still be in the making"
    export.expire(now=timezone.now() + 2 * DAY)
    assert not default_storage.exists(left)


# ---- the address


def take_over(anna: Player) -> Client:
    """Change the address in Anna's browser, as a thief would."""
    thief = sign_in(Client(), anna)
    thief.post(reverse("account_email"), {"email": "thief@example.org", "action_add": ""})
    thief.post(reverse("account_email_verification_sent"), {"code": read_mailed_code("thief@example.org")})
    anna.refresh_from_db()
    assert anna.email == "thief@example.org"
    return thief


def test_the_old_address_is_told_and_takes_the_account_back(client: Client, anna: Player) -> None:
    thief = take_over(anna)
    Authenticator.objects.create(user=anna, type=Authenticator.Type.TOTP, data={})
    Player.objects.create_user("Squatter", "anna@example.org")  # signed up, to stand in the way
    (link,) = delivered()
    assert mail.outbox[0].to == ["anna@example.org"] and signed_in(thief)
    client.get(link)
    anna.refresh_from_db()
    assert anna.email == "thief@example.org", "looking undoes nothing"
    assert client.post(link).url == reverse("account_request_login_code")
    anna.refresh_from_db()
    assert (anna.email, anna.has_usable_password(), signed_in(thief)) == ("anna@example.org", False, False)
    (address,) = anna.emailaddress_set.all()
    assert (address.email, address.verified) == ("anna@example.org", True)
    assert not Authenticator.objects.exists()
    assert client.get(link).status_code == 404


@pytest.mark.parametrize("undone", [False, True])
def test_a_pause_of_mails_ends_with_the_address(client: Client, anna: Player, undone: bool) -> None:
    paused = {"mail_paused": timezone.now(), "mail_pause_cause": PauseCause.BOUNCED}
    Player.objects.filter(pk=anna.pk).update(**paused)
    take_over(anna)
    if undone:
        Player.objects.filter(pk=anna.pk).update(**paused)
        client.post(delivered()[0])
    anna.refresh_from_db()
    assert (anna.mail_paused, anna.mail_pause_cause) == (None, "")


def test_a_change_on_top_of_a_change_is_undone_with_it(client: Client, anna: Player) -> None:
    take_over(anna)
    (first,) = delivered()
    addresses.record_change(player=anna, old="thief@example.org", new="more@example.org", now=timezone.now())
    (second,) = delivered()
    client.post(first)
    assert client.post(second).status_code == 404
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"


def test_a_change_that_is_undone_meanwhile_is_not_undone_once_more(anna: Player) -> None:
    take_over(anna)
    addresses.record_change(player=anna, old="thief@example.org", new="more@example.org", now=timezone.now())
    first, second = AddressChange.objects.order_by("pk")
    addresses.undo(first, now=timezone.now())
    addresses.undo(second, now=timezone.now())  # whose link the thief has clicked at the same time
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    assert Letter.objects.filter(template="address_restored").count() == 1


def test_after_a_week_nothing_is_undone_and_the_old_address_is_forgotten(anna: Player) -> None:
    take_over(anna)
    change = AddressChange.objects.get()
    token = addresses.token_for(change)
    assert addresses.find_by_token(token, now=change.at + 7 * DAY - timedelta(seconds=1)) == change
    assert addresses.find_by_token(token, now=change.at + 7 * DAY) is None
    addresses.forget_old(now=change.at + 7 * DAY + timedelta(seconds=1))
    assert not AddressChange.objects.exists()


def test_an_address_that_another_account_has_confirmed_is_not_taken_from_it(
    client: Client, anna: Player
) -> None:
    take_over(anna)
    (link,) = delivered()
    bruno = Player.objects.create_user("Bruno", "anna@example.org")
    EmailAddress.objects.create(user=bruno, email=bruno.email, verified=True, primary=True)
    assert "Another account" in Page(client.post(link)).text("#messages")
    anna.refresh_from_db()
    assert anna.email == "thief@example.org"


def test_an_address_that_was_never_confirmed_gets_no_say(anna: Player) -> None:
    EmailAddress.objects.filter(user=anna).update(verified=False)
    sign_in(client := Client(), anna)
    client.post(reverse("account_email"), {"email": "new@example.org", "action_add": ""})
    client.post(reverse("account_email_verification_sent"), {"code": read_mailed_code("new@example.org")})
    anna.refresh_from_db()
    assert anna.email == "new@example.org" and not AddressChange.objects.exists()


# ---- letters, the log


def test_a_letter_that_could_not_be_sent_is_tried_again_and_given_up_after_a_week(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> int:
        raise ConnectionRefusedError("no mail server")

    letters.owe(anna, "kept", now=NOW)
    with monkeypatch.context() as away:
        away.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
        letters.deliver(now=NOW)
    letter = Letter.objects.get()
    assert (letter.attempts, letter.due) == (1, NOW + timedelta(minutes=1))
    assert letters.deliver(now=NOW) == 0
    assert letters.deliver(now=letter.due) == 1 and not Letter.objects.exists()
    letters.owe(anna, "kept", now=NOW)
    assert letters.deliver(now=NOW + 8 * DAY) == 0 and not Letter.objects.exists()


def test_a_letter_that_was_refused_for_days_holds_up_no_others(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> int:
        raise ConnectionRefusedError("no mail server")

    for _letter in range(2):
        letters.owe(anna, "kept", now=NOW)
    Letter.objects.update(attempts=60)  # every three hours for most of a week
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", refuse)
    assert letters.deliver(now=NOW) == 2
    assert set(Letter.objects.values_list("attempts", "due")) == {(61, NOW + letters.LONGEST_WAIT)}


def test_the_log_of_security_tells_who_did_what_without_names(
    client: Client, anna: Player, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "security"):
        client.post(reverse("account_login"), {**ANSWERS, "password": "wrong"})
        client.post(reverse("account_login"), ANSWERS)
        client.post(reverse("account_logout"))
    lines = [record.getMessage() for record in caplog.records if record.name == "security"]
    events = [re.search(r"event=(\S+) account=(\d+) network=(\S+)", line) for line in lines]
    assert [(match[1], int(match[2]), match[3]) for match in events if match] == [
        (event, anna.pk, "127.0.0.1") for event in ("password-wrong", "shown-who", "signed-in", "signed-out")
    ]
    assert not any("Anna" in line or "@" in line for line in lines)


@pytest.mark.parametrize(
    "password",
    [
        "short-1!",
        "1234567890",
        "password1234",
        "Anna1234567",
        "anna@example.org",
        "carcassonne",
        "seven tiles of road" * 7,
    ],
)
def test_passwords_that_are_soon_guessed_are_refused(client: Client, anna: Player, password: str) -> None:
    sign_in(client, anna)
    answers = {"oldpassword": "seven tiles of road", "password1": password, "password2": password}
    answer = client.post(reverse("account_change_password"), answers)
    assert set(answer.context["form"].errors) >= {"password1"}
