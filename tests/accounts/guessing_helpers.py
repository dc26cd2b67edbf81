"""Guesses at passwords and codes, from several networks and at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import Player

RIGHT_PASSWORD = "seven tiles of road"
LOGIN = reverse("account_login")
ATTACKER, ELSEWHERE = "203.0.113.7", "198.51.100.9"


def make_browser(network: str) -> Client:
    """Return a browser without cookies, in that network."""
    return Client(headers={"x-forwarded-for": network}, REMOTE_ADDR="127.0.0.1")


def try_password(client: Client, player: Player, password: str = RIGHT_PASSWORD) -> bool:
    """Try to sign in as *player*, and return whether that succeeded."""
    client.post(LOGIN, {"login": player.email, "password": password})
    return "_auth_user_id" in client.session


def guess_at_once(guess: Callable[[int], object], tries: int = 100) -> None:
    """Call *guess* with the numbers of so many *tries*, from eight threads."""

    def own(number: int) -> None:
        try:
            guess(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(own, range(tries)))
