"""Tests of limits against guessing and against locking others out."""

import pytest
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.redis import RedisCacheClient
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings
from redis.exceptions import ConnectionError

from accounts.models import Player
from carcassonne.cache import OWN, ForgivingRedisCache
from tests.accounts.guessing_helpers import (
    ATTACKER,
    ELSEWHERE,
    LOGIN,
    RIGHT_PASSWORD,
    guess_at_once,
    make_browser,
    try_password,
)
from tests.accounts.second_factor_helpers import activate_app, compute_app_code
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code
from tests.accounts.signing_in import sign_in
from tests.caches import clear_cache
from tests.games.factories import make_game, make_player
from tests.html import Page

pytestmark = [pytest.mark.django_db, pytest.mark.database]  # Redis counts


@pytest.fixture
def bruno() -> Player:
    player = make_player("Bruno")
    player.set_password(RIGHT_PASSWORD)
    player.save()
    return player


def attack(player: Player, tries: int, network: str = ATTACKER) -> None:
    for number in range(tries):
        try_password(make_browser(network), player, f"wrong {number}")


def test_guesses_lock_out_neither_the_owner_nor_the_neighbours(anna: Player, bruno: Player) -> None:
    known = make_browser(ATTACKER)
    assert try_password(known, anna)
    known.post(reverse("account_logout"))
    attack(anna, 7)
    assert not try_password(make_browser(ATTACKER), anna), "even the right one, for five minutes"
    assert try_password(make_browser(ELSEWHERE), anna), "the owner elsewhere"
    assert try_password(known, anna), "the owner in the same network, in a known browser"
    known.post(reverse("account_logout"))
    for number in range(60):
        try_password(make_browser(ATTACKER), Player(email=f"{number}@example.org"), "wrong")
    assert try_password(known, anna), "whatever else is tried in that network"
    clear_cache()
    assert try_password(make_browser(ATTACKER), bruno), "somebody else in the same network"


def test_guesses_from_everywhere_leave_known_browsers_and_codes(anna: Player) -> None:
    known = make_browser(ELSEWHERE)
    assert try_password(known, anna)
    known.post(reverse("account_logout"))
    for number in range(13):
        attack(anna, 4, f"192.0.2.{number}")
    assert not try_password(make_browser("192.0.2.99"), anna), "fifty an hour are enough"
    assert try_password(known, anna)
    new = make_browser("192.0.2.99")
    page = new.post(reverse("account_request_login_code"), {"email": anna.email}).url
    new.post(page, {"code": read_mailed_code(anna.email)})
    assert "_auth_user_id" in new.session


def test_a_known_browser_knows_only_its_own_players(anna: Player, bruno: Player) -> None:
    known = make_browser(ATTACKER)
    assert try_password(known, bruno)
    known.post(reverse("account_logout"))
    attack(anna, 6)
    assert not try_password(known, anna)
    forged = make_browser(ATTACKER)
    forged.cookies["known"] = "eyIxIjoieCJ9:forged:forged"
    assert not try_password(forged, anna)


@pytest.mark.parametrize("page", ["account_request_login_code", "account_reset_password"])
def test_an_address_gets_few_mails_an_hour_whether_it_has_an_account(anna: Player, page: str) -> None:
    for address in (anna.email, "nobody@example.org"):
        mail.outbox.clear()
        answers = [make_browser(f"192.0.2.{n}").post(reverse(page), {"email": address}) for n in range(9)]
        assert [answer.status_code for answer in answers] == [302] * 6 + [429] * 3
        assert len(mail.outbox) == 6


def test_a_network_gets_mails_to_strangers_sent_only_so_often(settings: Settings, anna: Player) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "mail": "3/h/ip,6/h/key"}
    known = make_browser(ATTACKER)
    assert try_password(known, anna)
    known.post(reverse("account_logout"))
    page = reverse("account_request_login_code")
    asked = [make_browser(ATTACKER).post(page, {"email": f"{n}@example.org"}).status_code for n in range(4)]
    assert asked == [302] * 3 + [429]
    assert make_browser(ELSEWHERE).post(page, {"email": "4@example.org"}).status_code == 302
    assert known.post(page, {"email": anna.email}).status_code == 302


def test_mails_that_others_ask_for_keep_no_code_from_a_known_browser(anna: Player) -> None:
    known = make_browser(ELSEWHERE)
    assert try_password(known, anna)
    known.post(reverse("account_logout"))
    for number in range(8):
        make_browser(f"192.0.2.{number}").post(reverse("account_request_login_code"), {"email": anna.email})
    page = known.post(reverse("account_request_login_code"), {"email": anna.email}).url
    known.post(page, {"code": read_mailed_code(anna.email)})
    assert "_auth_user_id" in known.session


LINKS = ["accounts:undo_address", "accounts:keep", "games:invitation", "games:unsubscribe"]


@pytest.mark.parametrize("name", LINKS)
def test_a_link_is_not_found_by_trying(anna: Player, name: str) -> None:
    client = make_browser(ATTACKER)
    tries = [client.get(reverse(name, args=[f"guess{number}"])).status_code for number in range(25)]
    assert tries == [404] * 20 + [429] * 5
    assert make_browser(ELSEWHERE).get(reverse(name, args=["guess"])).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_hundred_guesses_at_once_at_a_code_are_five(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_browser(ATTACKER)
    page = first.post(reverse("account_request_login_code"), {"email": anna.email}).url
    compared: list[str] = []
    monkeypatch.setattr(
        "allauth.account.forms.compare_user_code", lambda actual, expected: compared.append(actual)
    )

    def guess(number: int) -> None:
        client = make_browser(ATTACKER)
        client.cookies = first.cookies
        client.post(page, {"code": f"GUESS-{number}"})

    guess_at_once(guess)
    assert 1 <= len(compared) <= 5
    assert "_auth_user_id" not in first.session


@pytest.mark.django_db(transaction=True)
def test_a_hundred_guesses_at_once_at_a_password_are_five(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    monkeypatch.setattr(
        Player, "check_password", lambda self, password: bool(compared.append(password)) and False
    )
    guess_at_once(lambda number: try_password(make_browser(ATTACKER), anna, f"wrong {number}"))
    assert 1 <= len(compared) <= 5


def test_limits_hold_while_redis_is_away(anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    OWN.clear()
    away: BaseCache = ForgivingRedisCache("redis://127.0.0.1:1/0", {})

    def refuse(*args: object, **more: object) -> None:
        raise ConnectionError("away")

    monkeypatch.setattr(RedisCacheClient, "get_client", refuse)
    monkeypatch.setattr("allauth.core.internal.ratelimit.cache", away)
    attack(anna, 6)
    assert not try_password(make_browser(ATTACKER), anna)
    assert try_password(make_browser(ELSEWHERE), anna)


def test_a_network_signs_up_only_so_often(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "mail": "3/h/ip,6/h/key"}
    sign_up = reverse("account_signup")
    asked = [{**SIGN_UP, "email": f"new{at}@example.org", "username": f"Newcomer{at}"} for at in range(4)]
    answers = [make_browser(ATTACKER).post(sign_up, one).status_code for one in asked]
    assert answers == [302] * 3 + [429]
    assert make_browser(ELSEWHERE).post(sign_up, asked[3]).status_code == 302


def test_five_guesses_at_a_second_factor_are_enough(anna: Player) -> None:
    secret = activate_app(anna)
    halfway = make_browser(ATTACKER)
    asked = halfway.post(LOGIN, {"login": anna.email, "password": RIGHT_PASSWORD})
    assert asked.url == reverse("mfa_authenticate")
    for _ in range(5):
        halfway.post(asked.url, {"code": "000000"})
    halfway.post(asked.url, {"code": compute_app_code(secret)})
    assert "_auth_user_id" not in halfway.session, "even the right one, for five minutes"


def test_an_address_is_changed_ten_times_an_hour(anna: Player) -> None:
    client = sign_in(Client(), anna)
    page = reverse("account_email")
    asked = [{"email": f"other{at}@example.org", "action_add": ""} for at in range(11)]
    answers = [client.post(page, one).status_code for one in asked]
    assert answers[-1] == 429 and answers[0] == 302


def test_a_class_behind_one_address_signs_in_within_a_minute() -> None:
    """Thirty newcomers, each of whom mistypes the password once."""
    players = [make_player(f"Pupil{number}") for number in range(30)]
    for player in players:
        player.set_password(RIGHT_PASSWORD)
        player.save()
        client = make_browser(ATTACKER)
        assert not try_password(client, player, "mistyped") and try_password(client, player), player


def test_the_right_password_makes_ten_sessions_in_five_minutes_and_no_more(anna: Player) -> None:
    made = [try_password(make_browser(f"192.0.2.{at}"), anna) for at in range(96)]
    assert made == [True] * 10 + [False] * 86
    page = make_browser(ELSEWHERE).post(LOGIN, {"login": anna.email, "password": RIGHT_PASSWORD})
    assert "Too many" in Page(page).text(".errorlist")
    new = make_browser(ELSEWHERE)
    asked = new.post(reverse("account_request_login_code"), {"email": anna.email}).url
    new.post(asked, {"code": read_mailed_code(anna.email)})
    assert "_auth_user_id" in new.session, "a mailed code still signs its owner in"


@pytest.mark.django_db(transaction=True)
def test_right_passwords_at_once_make_no_more_sessions(anna: Player) -> None:
    guess_at_once(lambda number: try_password(make_browser(f"192.0.2.{number}"), anna), 24)
    assert UserSession.objects.filter(user=anna).count() <= 10


def test_nobody_learns_from_the_limit_that_a_password_is_right(anna: Player) -> None:
    for at in range(10):
        assert try_password(make_browser(f"192.0.2.{at}"), anna)
    answers = [
        Page(make_browser(ELSEWHERE).post(LOGIN, {"login": anna.email, "password": tried})).text(".errorlist")
        for tried in (RIGHT_PASSWORD, "wrong")
    ]
    assert answers[0] == answers[1]


def test_known_browsers_make_no_more_sessions_than_others(anna: Player) -> None:
    known = make_browser(ATTACKER)
    made = []
    for _ in range(12):
        made.append(try_password(known, anna))
        known.post(reverse("account_logout"))
    assert made == [True] * 10 + [False] * 2


@pytest.mark.parametrize(
    ("near", "far"),
    [
        ([f"203.0.113.{at}" for at in range(12)], "203.0.114.1"),
        ([f"2001:db8:0:{at:x}::1" for at in range(12)], "2001:db8:1::1"),
    ],
)
def test_the_network_around_has_four_times_as_much(settings: Settings, near: list[str], far: str) -> None:
    """A /24 of IPv4, a /48 of IPv6."""
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "sign_in": "2/m/ip"}

    def refused(network: str) -> bool:
        form = {"login": f"{network.replace(':', '')}@example.org", "password": "wrong"}
        return "Too many" in Page(make_browser(network).post(LOGIN, form)).text(".errorlist")

    assert [refused(network) for network in near] == [False] * 8 + [True] * 4
    assert not refused(far)


def test_the_network_around_is_counted_for_links_mails_and_pages(settings: Settings, anna: Player) -> None:
    changed = {"guess_token": "1/m/ip", "mail": "1/h/ip,6/h/key", "read": "1/m/ip"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **changed}
    networks = [f"203.0.113.{at}" for at in range(6)]
    wrong_link = reverse("games:unsubscribe", args=["guess"])
    assert [make_browser(network).get(wrong_link).status_code for network in networks] == [404] * 4 + [
        429
    ] * 2
    page = reverse("account_request_login_code")
    asked = [make_browser(one).post(page, {"email": f"{at}@example.org"}) for at, one in enumerate(networks)]
    assert [answer.status_code for answer in asked] == [302] * 4 + [429] * 2
    board = reverse("games:text", args=[make_game().code])
    assert [make_browser(network).get(board).status_code for network in networks] == [200] * 4 + [429] * 2
    assert make_browser(ELSEWHERE).get(board).status_code == 200


def test_mapped_addresses_are_those_of_ipv4(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guess_token": "1/m/ip"}
    link = reverse("games:unsubscribe", args=["guess"])
    tries = [
        make_browser(one).get(link).status_code
        for one in ("::ffff:192.0.2.1", "192.0.2.1", "::ffff:198.51.100.9")
    ]
    assert tries == [404, 429, 404]
