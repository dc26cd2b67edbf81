"""Pages of tables that wait for players, as tests read them."""

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
    """Make a browser, signed in as *player* if there is one."""
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


def said(response) -> list[str]:
    """The messages at the top of the page."""
    return Page(response).texts("#messages .message")


def missing(response, field: str) -> list[str]:
    """The errors of the field with this name."""
    return Page(response).texts(f".field:has([name={field}]) .errorlist li")


def places(response) -> list[str]:
    """The seats of a waiting table, in words."""
    return Page(response).texts(".places .place-name")


def buttons(response) -> list[str]:
    return Page(response).texts("#content button")
