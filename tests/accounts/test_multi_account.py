"""Tests of traces: the common browser, network or mailbox of accounts, as hashes that expire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts import export, multi_account, services, tasks
from accounts.email_normalization import normalize_address
from accounts.models import Player, Trace, TraceKind

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PASSWORD = "a field of seven sheep"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Anna@Example.org", "anna@example.org"),
        ("anna+chess@example.org", "anna@example.org"),
        ("a.n.na@gmail.com", "anna@gmail.com"),
        ("an.na@example.org", "an.na@example.org"),
        ("anna@googlemail.com", "anna@gmail.com"),
        ("an-na@pm.me", "anna@protonmail.com"),
        ("anna@BÜCHER.example", "anna@xn--bcher-kva.example"),
        ("ａnna@example.org.", "anna@example.org"),
        ("+@example.org", "+@example.org"),
        (".@gmail.com", ".@gmail.com"),
        ("anna", ""),
        ("@example.org", ""),
        ("anna@" + "x" * 80 + ".ö", "anna@" + "x" * 80 + ".ö"),
    ],
)
def test_spellings_of_one_mailbox_are_one(written: str, meant: str) -> None:
    assert normalize_address(written) == normalize_address(normalize_address(written)) == meant


class Browser:
    """A browser that keeps its cookies, in a network."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies: dict[str, str] = {}

    def request(self) -> HttpRequest:
        made = RequestFactory().get("/", REMOTE_ADDR=self.address)
        made.COOKIES.update(self.cookies)
        return made

    def sign_in(self, player: Player, at: datetime = NOW) -> None:
        response = HttpResponse()
        multi_account.begin(self.request(), response, player, at)
        self.cookies = {name: morsel.value for name, morsel in response.cookies.items()}


@pytest.fixture
def bruno() -> Player:
    return Player.objects.create_user("Bruno", "bruno@example.org")


def in_common(kind: TraceKind) -> dict[tuple[int, int], int]:
    return dict(multi_account.find_shared(kind))


def test_who_signs_in_with_one_browser_has_it_in_common(anna: Player, bruno: Player) -> None:
    at_home, elsewhere = Browser("192.0.2.1"), Browser("192.0.2.2")
    at_home.sign_in(anna)
    elsewhere.sign_in(bruno)
    assert in_common(TraceKind.DEVICE) == {}
    at_home.sign_in(bruno, NOW + 3 * DAY)
    assert in_common(TraceKind.DEVICE) == {(anna.pk, bruno.pk): 1}
    assert in_common(TraceKind.NETWORK) == {}  # not on one day


def test_a_network_is_shared_day_by_day_and_not_in_a_crowd(anna: Player, bruno: Player) -> None:
    for day in range(3):
        for player in (anna, bruno):
            Browser("192.0.2.1").sign_in(player, NOW + day * DAY)
    assert in_common(TraceKind.NETWORK) == {(anna.pk, bruno.pk): 3}
    for n in range(multi_account.CROWD - 1):
        Browser("192.0.2.1").sign_in(Player.objects.create_user(f"Guest{n}"), NOW)
    assert in_common(TraceKind.NETWORK) == {(anna.pk, bruno.pk): 2}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
    ],
)
def test_of_ipv6_the_first_half_counts(anna: Player, bruno: Player, one: str, other: str, same: bool) -> None:
    Browser(one).sign_in(anna)
    Browser(other).sign_in(bruno)
    assert bool(in_common(TraceKind.NETWORK)) == same


def test_two_accounts_of_one_mailbox_are_found(anna: Player, bruno: Player) -> None:
    Player.objects.filter(pk=bruno.pk).update(email="anna+two@example.org")
    Player.objects.filter(pk=anna.pk).update(email="anna@example.org")
    for player in (anna, bruno):
        Browser(f"192.0.2.{player.pk}").sign_in(Player.objects.get(pk=player.pk))
    assert in_common(TraceKind.MAILBOX) == {(anna.pk, bruno.pk): 1}


def test_rows_hold_no_address_and_networks_of_two_days_have_nothing_in_common(anna: Player) -> None:
    Player.objects.filter(pk=anna.pk).update(email="anna@example.org")
    anna.refresh_from_db()
    browser = Browser("192.0.2.1")
    browser.sign_in(anna)
    browser.sign_in(anna, NOW + DAY)
    kept = list(Trace.objects.values_list("kind", "mark"))
    assert sorted(kind for kind, _mark in kept) == ["device", "mailbox", "network", "network"]
    assert all(len(mark) == 64 and int(mark, 16) for _kind, mark in kept)


def test_is_noted_once_a_day_and_no_player_waits_for_it(
    anna: Player,
    django_assert_num_queries: DjangoAssertNumQueries,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser = Browser("192.0.2.1")
    browser.sign_in(anna)
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(multi_account, "queue_on_commit", lambda *task: asked.append(task))
    with django_assert_num_queries(0):
        for hours in (24, 25, 48):
            multi_account.record_trace(browser.request(), anna, NOW + timedelta(hours=hours))
    assert [name for name, *_told in asked] == ["accounts.tasks.note_traces"] * 2
    for _name, *told in asked:
        tasks.note_traces(*told)
    days = Trace.objects.order_by("kind", "first").values_list("kind", "first__day", "last__day")
    assert list(days) == [
        ("device", 1, 3), ("mailbox", 1, 3), ("network", 1, 1), ("network", 2, 2), ("network", 3, 3)
    ]  # fmt: skip


def test_a_clock_that_went_back_keeps_nobody_out(anna: Player) -> None:
    browser = Browser("192.0.2.1")
    browser.sign_in(anna, NOW + DAY)
    browser.sign_in(anna)
    browser.sign_in(anna, NOW - DAY)
    device = Trace.objects.get(player=anna, kind="device")
    assert device.first <= device.last == (NOW + DAY).date()


def test_is_forgotten_after_sixty_days_and_with_the_account(anna: Player, bruno: Player) -> None:
    browser = Browser("192.0.2.1")
    browser.sign_in(anna)
    browser.sign_in(bruno, NOW + 30 * DAY)
    multi_account.forget_old(now=NOW + 60 * DAY)
    assert Trace.objects.filter(player=anna).count() == 3
    multi_account.forget_old(now=NOW + 61 * DAY)
    assert not Trace.objects.filter(player=anna).exists()
    services.close_account(player=bruno, now=NOW + 62 * DAY)
    assert not Trace.objects.exists()


def test_the_file_of_all_data_says_what_is_kept(anna: Player) -> None:
    Browser("192.0.2.1").sign_in(anna)
    account = dict(export.contents(anna))["account.json"]
    assert {"kind": "network", "first": NOW.date(), "last": NOW.date()} in account["traces"]
    assert all(set(one) == {"kind", "first", "last"} for one in account["traces"])


def test_a_cookie_that_somebody_made_up_counts_for_nothing(anna: Player) -> None:
    browser = Browser("192.0.2.1")
    browser.cookies["device"] = "made-up"
    browser.sign_in(anna)
    assert browser.cookies["device"] != "made-up"


def test_signing_in_notes_it(client: Client, anna: Player) -> None:
    anna.set_password(PASSWORD)
    anna.save()
    EmailAddress.objects.get_or_create(user=anna, email=anna.email, verified=True, primary=True)
    answer = client.post(reverse("account_login"), {"login": anna.email, "password": PASSWORD})
    assert answer.status_code == 302
    assert answer.cookies["device"]["httponly"] and answer.cookies["device"]["samesite"] == "Lax"
    assert set(Trace.objects.filter(player=anna).values_list("kind", flat=True)) == set(TraceKind.values)
