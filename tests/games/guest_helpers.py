"""Guests, who join a table by an invitation and have no account."""

from datetime import datetime

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import tables
from games.models import Game, Invitation
from tests.games.factories import make_table


def make_guest_game(
    name: str = "Zoe", *, address: str = "", now: datetime | None = None, **chosen: object
) -> tuple[Game, Player]:
    """A game of Anna, who begins, and a guest of that *name*, perhaps with a confirmed *address*."""
    now = now or timezone.now()
    table = make_table(now=now, **chosen)
    asked = tables.invite_by_link(game_id=table.pk, inviter=table.host, now=now)
    guest, game = tables.sit_as_guest(
        token=asked.token, name=name, language="en", time_zone="UTC", address=address, now=now
    )
    return game, guest


def invitation_page(asked: Invitation) -> str:
    return reverse("games:invitation", args=[asked.token])


def sit_down(browser: Client, asked: Invitation, name: str = "Zoe", **more: str):
    """Press "Play as a guest" on the page of the invitation."""
    form = {"answer": "guest", "username": name, "time_zone": "Europe/Warsaw", **more}
    return browser.post(invitation_page(asked), form)
