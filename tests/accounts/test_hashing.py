"""Tests of the limit on simultaneous password hashes, and that pages work meanwhile."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher, check_password, make_password
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django.fixtures import Settings

from accounts import hashing
from accounts.hashing import BoundedPasswordHasher, HashingGate, HashingShare, TooManyHashes
from accounts.models import Player
from carcassonne import settings as of_the_site
from core.request_slots import RequestSlots
from tests.accounts.guessing_helpers import (
    ATTACKER,
    ELSEWHERE,
    LOGIN,
    RIGHT_PASSWORD,
    make_browser,
    try_password,
)
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code
from tests.accounts.signing_in import sign_in
from tests.html import Page

OTHER = "a field of seven sheep"
NOBODY = HashingShare(False, "")


@pytest.fixture(autouse=True)
def quick(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PASSWORD_HASHERS = ["accounts.hashing.BoundedPasswordHasher"]
    monkeypatch.setattr(BoundedPasswordHasher, "iterations", 100)
    monkeypatch.setattr(hashing, "gate", HashingGate(1, 1))


class Crowd:
    """Threads that try to hash while one of them holds the only turn."""

    def __init__(self, gate: HashingGate, slots: RequestSlots | None = None) -> None:
        self.gate, self.slots = gate, slots or RequestSlots(99)
        self.stop, self.held, self.pool = Event(), Event(), ThreadPoolExecutor(50)
        self.pool.submit(self._hold)
        assert self.held.wait(30)

    def _hold(self) -> None:
        with self.slots.hold(), self.gate.hold_turn(HashingShare(False, "the first")):
            self.held.set()
            self.stop.wait(30)

    def _wait(self, share: HashingShare) -> None:
        with self.slots.hold(), self.gate.hold_turn(share):
            pass

    def ask(self, share: HashingShare, times: int = 1) -> int:
        """Ask for so many turns at once; return how many of them wait now, and weren't refused."""
        before = len(self.gate._queue)
        asked = [self.pool.submit(self._wait, share) for _ in range(times)]
        while len(self.gate._queue) - before + sum(one.done() for one in asked) < times:
            pass
        return times - sum(one.done() for one in asked)

    def end(self) -> None:
        self.stop.set()
        self.pool.shutdown()


@pytest.fixture
def full() -> Iterator[None]:
    """A gate whose places to hash and to wait are all taken."""
    crowd = Crowd(hashing.gate)
    for known in (False, True):
        assert crowd.ask(HashingShare(known, "others")) == 1
    yield
    crowd.end()


def test_the_site_hashes_behind_the_gate() -> None:
    assert of_the_site.PASSWORD_HASHERS == ["accounts.hashing.BoundedPasswordHasher"]
    assert of_the_site.PASSWORD_HASHES_AT_ONCE == 1


def test_hashes_of_before_go_on() -> None:
    of_before = PBKDF2PasswordHasher().encode(RIGHT_PASSWORD, "salt")
    assert check_password(RIGHT_PASSWORD, of_before) and not check_password(OTHER, of_before)
    assert make_password(RIGHT_PASSWORD).startswith("pbkdf2_sha256$")


def test_guessing_networks_leave_places_to_everybody_else() -> None:
    """Two networks that ask without a pause, and four honest players, each of them in both ways."""
    assert of_the_site.PASSWORD_HASHES_WAITING == 8
    crowd = Crowd(HashingGate(1, 8))
    guessing = [HashingShare(False, f"guessing {number}") for number in range(2)]
    assert [crowd.ask(share, 20) for share in guessing] == [2, 2]
    for known in (False, True):
        honest = [HashingShare(known, f"honest {number}") for number in range(4)]
        assert [crowd.ask(share) for share in honest] == [1] * 4, known
    assert [crowd.ask(share) for share in guessing] == [0, 0]
    crowd.end()


def test_one_hashes_at_a_time_in_the_order_of_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    class Noting(HashingGate):
        def _take_turn(self, ticket: Any) -> None:
            super()._take_turn(ticket)
            assert self._hashing == 1
            order.append(ticket.share.key)

    crowd = Crowd(Noting(1, 8))
    came = [HashingShare(bool(number % 2), str(number)) for number in range(8)]
    for share in came:
        assert crowd.ask(share) == 1
    crowd.end()
    assert order == ["the first", *(share.key for share in came)]
    assert not crowd.gate._queue and not crowd.gate._hashing


def test_who_waits_lends_their_slot_to_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two slots one is held by who hashes; the other is lent by who waits, and a page is made."""
    slots = RequestSlots(2)
    monkeypatch.setattr(hashing, "slots", slots)

    crowd = Crowd(HashingGate(1, 8), slots)
    assert crowd.ask(NOBODY) == 1
    with slots.hold():
        assert len(crowd.gate._queue) == 1, "a page is made meanwhile"
    crowd.end()


def test_who_waits_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "LONGEST_WAIT", 0.01)
    gate = HashingGate(1, 1)
    with gate.hold_turn(NOBODY), pytest.raises(TooManyHashes), gate.hold_turn(NOBODY):
        pytest.fail("two at once")
    assert not gate._queue, "it has left its place"
    with gate.hold_turn(NOBODY):
        gate.check(NOBODY)


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
        monkeypatch.setattr(HashingGate, "check", lambda self, share: None)
        asked = [
            make_browser(ATTACKER).post(LOGIN, {"login": anna.email, "password": RIGHT_PASSWORD})
            for _ in range(8)
        ]
        assert all(map(_asked_to_wait, asked))
        monkeypatch.setattr(hashing, "gate", HashingGate(1, 2))
        assert try_password(make_browser(ATTACKER), anna), "they do not count as guesses"

    def test_refusals_count_against_the_network_that_causes_them(
        self, anna: Player, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        known = make_browser(ATTACKER)
        assert try_password(known, anna)
        known.post(reverse("account_logout"))
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "hash_refused": "3/m/ip"}
        crowd = Crowd(hashing.gate)
        crowd.ask(HashingShare(False, "others"))
        crowd.ask(HashingShare(True, "others"))

        def ask(client: Client) -> int:
            form = {"login": anna.email, "password": RIGHT_PASSWORD}
            return client.post(LOGIN, form).status_code

        assert [ask(known) for _ in range(5)] == [503] * 5, "a known browser is not counted"
        assert [ask(make_browser(ATTACKER)) for _ in range(5)] == [503] * 3 + [429] * 2
        assert ask(make_browser(ELSEWHERE)) == 503
        crowd.end()
        assert ask(make_browser(ATTACKER)) == 429, "it has no place either, if there is one"
        assert try_password(make_browser(ELSEWHERE), anna) and try_password(known, anna)

    def test_known_browsers_have_places_of_their_own(self, anna: Player) -> None:
        known = make_browser(ATTACKER)
        assert try_password(known, anna)
        request = RequestFactory(REMOTE_ADDR=ATTACKER).post(LOGIN)
        request.user = AnonymousUser()
        network = hashing.find_share(request, anna.email)
        assert network == HashingShare(False, "203.0.113.0/24")
        request.COOKIES = {name: morsel.value for name, morsel in known.cookies.items()}
        share = hashing.find_share(request, anna.email)
        assert share.known and hashing.find_share(request, "other@example.org") == network
        request.user = anna
        assert hashing.find_share(request) == HashingShare(True, str(anna.pk))
        request.user = Player(provisional=True)
        assert hashing.find_share(request) == network, "anybody can become a guest"
        assert hashing.find_share(None) == hashing.WITHOUT_REQUEST

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
