"""Tests of the limit on simultaneous password hashes, and that pages work meanwhile."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts import hashing
from accounts.hashing import BoundedPasswordHasher, HashingGate, TooManyHashes
from accounts.models import Player
from tests.accounts.guessing_helpers import ATTACKER, LOGIN, RIGHT_PASSWORD, make_browser, try_password
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code
from tests.accounts.signing_in import sign_in
from tests.html import Page

OTHER = "a field of seven sheep"


@pytest.fixture(autouse=True)
def quick(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PASSWORD_HASHERS = ["accounts.hashing.BoundedPasswordHasher"]
    monkeypatch.setattr(BoundedPasswordHasher, "iterations", 100)
    monkeypatch.setattr(hashing, "gate", HashingGate(1, 2))


@pytest.fixture
def full() -> Iterator[None]:
    """A gate whose places to hash and to wait are all taken."""
    held, stop = Event(), Event()
    places = Counter[str]()

    def hold() -> None:
        with hashing.gate.hold_turn():
            held.set()
            stop.wait(30)

    def wait() -> None:
        places["waits"] += 1
        with hashing.gate.hold_turn():
            pass

    with ThreadPoolExecutor(3) as pool:
        pool.submit(hold)
        held.wait(30)
        waiting = [pool.submit(wait) for _ in range(2)]
        while hashing.gate._places._value:  # type: ignore[attr-defined]
            assert not any(one.done() for one in waiting)
        yield
        stop.set()


def test_the_site_hashes_behind_the_gate(settings: Settings) -> None:
    from carcassonne import settings as of_the_site

    assert of_the_site.PASSWORD_HASHERS == ["accounts.hashing.BoundedPasswordHasher"]
    assert of_the_site.PASSWORD_HASHES_AT_ONCE == 1


def test_hashes_of_before_go_on() -> None:
    of_before = PBKDF2PasswordHasher().encode(RIGHT_PASSWORD, "salt")
    assert check_password(RIGHT_PASSWORD, of_before) and not check_password(OTHER, of_before)
    assert make_password(RIGHT_PASSWORD).startswith("pbkdf2_sha256$")


def test_one_hashes_two_wait_and_all_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most, lock, everybody_asked = 0, 0, Lock(), Event()

    def slow(*args: Any, **kwargs: Any) -> str:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        everybody_asked.wait(30)
        with lock:
            at_once -= 1
        return "hash"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", slow)
    outcomes = Counter[str]()

    def hash_one(number: int) -> None:
        try:
            BoundedPasswordHasher().encode(RIGHT_PASSWORD, "salt")
            outcome = "hashed"
        except TooManyHashes:
            outcome = "refused"
        with lock:
            outcomes[outcome] += 1
            if outcomes["refused"] == 13:
                everybody_asked.set()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(hash_one, range(16)))
    assert outcomes == {"hashed": 3, "refused": 13} and most == 1


def test_who_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "LONGEST_WAIT", 0.01)
    gate = HashingGate(1, 1)
    with gate.hold_turn(), pytest.raises(TooManyHashes), gate.hold_turn():
        pytest.fail("two at once")
    with gate.hold_turn():
        gate.check()


def _asked_to_wait(response: Any) -> bool:
    page = Page(response)
    return (
        response.status_code == 503
        and response["Retry-After"] == "5"
        and "try again in a moment" in page.text("main")
    )


@pytest.mark.django_db
class TestEveryPageThatHashes:
    def test_signing_in(self, anna: Player, full: None) -> None:
        for email, password in (
            (anna.email, RIGHT_PASSWORD),
            (anna.email, "wrong"),
            ("nobody@example.org", RIGHT_PASSWORD),
        ):
            assert _asked_to_wait(make_browser(ATTACKER).post(LOGIN, {"login": email, "password": password}))
        assert make_browser(ATTACKER).get("/").status_code == 200, "other pages go on"

    def test_signing_in_when_it_fills_up_in_between(
        self, anna: Player, full: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(HashingGate, "check", lambda self: None)
        asked = [
            make_browser(ATTACKER).post(LOGIN, {"login": anna.email, "password": RIGHT_PASSWORD})
            for _ in range(8)
        ]
        assert all(map(_asked_to_wait, asked))
        monkeypatch.setattr(hashing, "gate", HashingGate(1, 2))
        assert try_password(make_browser(ATTACKER), anna), "they do not count as guesses"

    def test_signing_up(self, db: None, full: None) -> None:
        assert _asked_to_wait(
            make_browser(ATTACKER).post(reverse("account_signup"), {**SIGN_UP, "password1": OTHER})
        )
        assert not Player.objects.exists() and not EmailAddress.objects.exists()

    def test_signing_in_anew(self, anna: Player, full: None) -> None:
        client = sign_in(Client(), anna, ago=3600)
        assert _asked_to_wait(client.post(reverse("account_reauthenticate"), {"password": RIGHT_PASSWORD}))

    def test_changing_the_password(self, anna: Player, full: None) -> None:
        client = sign_in(Client(), anna)
        form = {"oldpassword": RIGHT_PASSWORD, "password1": OTHER, "password2": OTHER}
        assert _asked_to_wait(client.post(reverse("account_change_password"), form))

    def test_setting_a_first_password(self, anna: Player, full: None) -> None:
        anna.set_unusable_password()
        anna.save()
        client = sign_in(Client(), anna, "code")
        form = {"password1": OTHER, "password2": OTHER}
        assert _asked_to_wait(client.post(reverse("account_set_password"), form))
        anna.refresh_from_db()
        assert not anna.has_usable_password()

    def test_a_forgotten_password(self, anna: Player, full: None, monkeypatch: pytest.MonkeyPatch) -> None:
        client = make_browser(ATTACKER)
        page = client.post(reverse("account_reset_password"), {"email": anna.email}).url
        page = client.post(page, {"code": read_mailed_code(anna.email)}).url
        form = {"password1": OTHER, "password2": OTHER}
        assert _asked_to_wait(client.post(page, form))
        monkeypatch.setattr(hashing, "gate", HashingGate(1, 2))
        client.post(page, form)
        anna.refresh_from_db()
        assert anna.check_password(OTHER), "trying again a moment later is enough"


@pytest.mark.django_db(transaction=True)
def test_a_class_signs_in_at_once_behind_one_address(db: None) -> None:
    """Thirty, eight at a time; who is asked to try again in a moment does so."""
    players = [
        Player.objects.create_user(f"Pupil{at}", f"p{at}@example.org", RIGHT_PASSWORD) for at in range(30)
    ]
    for player in players:
        EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)

    def sign_one_in(player: Player) -> bool:
        try:
            client = make_browser(ATTACKER)
            for _ in range(50):
                answer = client.post(LOGIN, {"login": player.email, "password": RIGHT_PASSWORD})
                if answer.status_code != 503:
                    break
            return "_auth_user_id" in client.session
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(sign_one_in, players))
