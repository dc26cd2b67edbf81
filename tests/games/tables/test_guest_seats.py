"""Tests of the seats of a guest whose address belongs to an account: the account plays on."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.provisional import build_seats_link
from games import tables
from games.conduct import blocks
from games.models import Game, Kind, Notice, Seat
from games.play import audit
from tests.games.factories import heart_beats, make_player, make_table, play_turns
from tests.games.guest_helpers import make_guest_game
from tests.games.visitors import signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def yves() -> Player:
    """A player with an account, who plays as the guest Zoe."""
    return make_player("Yves")


@pytest.fixture
def zoe(yves: Player) -> Player:
    heart_beats(timezone.now())
    _game, guest = make_guest_game(address="", now=timezone.now())
    return guest


def find_link() -> str:
    (link,) = re.findall(r"https://carcassonne\.example(/seats/guest/\S+)", mail.outbox[-1].body)
    return link


def test_the_address_of_an_account_leads_to_signing_in_and_the_account_plays_on(
    zoe: Player, yves: Player
) -> None:
    game = Game.objects.get(seats__player=zoe)
    play_turns(game, 1, now=timezone.now())
    game.refresh_from_db()
    guest = signed_in("Zoe")
    guest.post(reverse("account_email"), {"action_add": "", "email": yves.email})
    link = find_link()
    assert Page(guest.get(link)).texts("#content button") == ["Sign in to that account"]
    assert guest.post(link).status_code == 302 and game.seats.filter(player=zoe).exists()
    away = guest.post(reverse("account_logout"), {"next": link}, follow=True)
    assert [url for url, _status in away.redirect_chain] == [
        link,
        f"{reverse('account_login')}?next={quote(link)}",
    ]
    assert Client().get(link).url == f"{reverse('account_login')}?next={quote(link)}"
    browser = signed_in("Yves")
    assert Page(browser.get(link)).texts("#content li") == [game.name]
    assert "yours now" in Page(browser.post(link, follow=True)).text("#messages")
    seat = game.seats.get(player=yves)
    assert not game.seats.filter(player=zoe).exists()
    act = game.moves.latest("version").action
    assert (act["type"], act["gone"], act["came"]) == ("hand_over", zoe.pk, yves.pk)
    game.refresh_from_db()
    assert game.awaited == seat.index
    told = Notice.objects.filter(game=game, kind=Kind.YOUR_TURN, dropped=None)
    assert set(told.values_list("recipient", flat=True)) == {yves.pk}
    play_turns(game, 1, now=timezone.now())
    board = Page(browser.get(reverse("games:table", args=[game.code])))
    assert "now has an account" in board.text("#tab-moves")
    game.refresh_from_db()
    assert list(audit.find_differences(game)) == []
    assert "no games" in Page(browser.get(link)).text("#content")


def test_a_seat_is_not_handed_over_where_the_account_may_not_sit(zoe: Player, yves: Player) -> None:
    game = Game.objects.get(seats__player=zoe)
    host = game.host
    link = build_seats_link(zoe, yves.email).removeprefix("https://carcassonne.example")
    browser = signed_in("Yves")
    sits = Seat.objects.filter(game=game, player=zoe)

    blocks.block(blocked=yves, player=host, now=timezone.now())
    assert "can't sit down" in Page(browser.post(link, follow=True)).text("#messages")
    assert sits.exists()
    blocks.unblock(blocked=yves, player=host)

    Seat.objects.filter(game=game, player=host).update(player=yves)  # the same person twice
    assert "already" in Page(browser.post(link, follow=True)).text("#messages")
    assert sits.exists()
    Seat.objects.filter(game=game, player=yves).update(player=host)

    Game.objects.filter(pk=game.pk).update(rated=True)
    assert "can't take over" in Page(browser.post(link, follow=True)).text("#messages")
    assert sits.exists()


def test_a_link_is_good_for_that_account_and_guest_alone_and_not_for_ever(
    zoe: Player, yves: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_player("Bruno")
    link = build_seats_link(zoe, "YVES@example.org").removeprefix("https://carcassonne.example")
    assert build_seats_link(zoe, "nobody@example.org") == ""
    bruno = signed_in("Bruno")
    assert bruno.post(link).status_code == 200 and not Seat.objects.filter(player__username="Bruno").exists()
    browser = signed_in("Yves")
    assert browser.get(f"{link}x").status_code == 404
    Player.objects.filter(pk=yves.pk).update(email="new@example.org")
    assert browser.get(link).status_code == 404
    Player.objects.filter(pk=yves.pk).update(email="yves@example.org")
    assert browser.get(link).status_code == 200
    then = timezone.now() + timedelta(days=15)
    monkeypatch.setattr("django.core.signing.time.time", then.timestamp)
    assert signed_in("Yves").get(link).status_code == 404


def test_a_seat_at_an_open_table_is_handed_over_too(yves: Player) -> None:
    table = make_table(seats=3, now=timezone.now())
    asked = tables.invite_by_link(game_id=table.pk, inviter=table.host, now=timezone.now())
    zoe, _game = tables.sit_as_guest(
        token=asked.token, name="Zoe", language="en", time_zone="UTC", address="", now=timezone.now()
    )
    link = build_seats_link(zoe, yves.email).removeprefix("https://carcassonne.example")
    signed_in("Yves").post(link)
    assert set(table.seats.exclude(player=None).values_list("player", flat=True)) == {table.host_id, yves.pk}
