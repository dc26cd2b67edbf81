"""Tables that wait for players, as tests read them from a page."""

from django.test import Client

from accounts.models import Player
from tests.html import Page

SETTINGS = {
    "name": "Toulouse",
    "seats": "3",
    "bots": "0",
    "clock": "brisk",
    "visibility": "link",
    "preset": "standard",
}


def at_the_door(player: Player | None = None) -> Client:
    """A browser, signed in as *player*."""
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def said(response) -> list[str]:
    """What the site says on top of the page that came."""
    return Page(response).texts("#messages .message")


def missing(response, field: str) -> list[str]:
    """What is wrong with the field of this name."""
    return Page(response).texts(f".field:has([name={field}]) .errorlist li")


def places(response) -> list[str]:
    """The seats of a table that waits, in words."""
    return Page(response).texts(".places .place-name")


def buttons(response) -> list[str]:
    return Page(response).texts("#content button")
