"""Tests that simultaneous guesses count one by one, and that others in the same network can sign in."""

from collections.abc import Callable
from threading import Barrier

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import tables
from games.models import Game, Notice
from games.notices.unsubscribe import build_token
from tests.accounts.guessing_helpers import ATTACKER, ELSEWHERE, guess_at_once, make_browser, try_password
from tests.accounts.sign_up_helpers import read_mailed_code
from tests.games.factories import make_game, make_player, make_table
from tests.preferences import wants_mails

pytestmark = pytest.mark.django_db(transaction=True)
TRIES = 100
ALLOWED = 20  # wrong links a minute, from one network


def asked_at_once(address: Callable[[int], str]) -> list[int]:
    """The statuses of a hundred requests from one network, begun together in eights."""
    answers: list[int] = []
    together = Barrier(8)

    def guess(number: int) -> None:
        if number < 8:
            together.wait(timeout=30)
        answers.append(make_browser(ATTACKER).get(address(number)).status_code)

    guess_at_once(guess, TRIES)
    return answers


@pytest.mark.parametrize(
    "name", ["games:unsubscribe", "games:invitation", "accounts:keep", "accounts:undo_address"]
)
def test_a_hundred_links_tried_at_once_are_slowed_down_and_none_is_right(anna: Player, name: str) -> None:
    answers = asked_at_once(lambda number: reverse(name, args=[f"{number:022}"]))
    assert sorted(answers) == [404] * ALLOWED + [429] * (TRIES - ALLOWED)


def test_links_near_a_right_one_are_no_better(anna: Player) -> None:
    """A token that is known but for its last letter."""
    game = make_game()
    known = build_token(Notice.objects.filter(recipient=anna).latest("pk"))
    letters = [letter for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGH" if letter != known[-1]]
    answers = asked_at_once(
        lambda number: reverse("games:unsubscribe", args=[known[:-1] + letters[number % len(letters)]])
    )
    assert set(answers) == {404, 429} and answers.count(404) <= ALLOWED
    assert Game.objects.filter(pk=game.pk).exists() and wants_mails(
        Player.objects.get(pk=anna.pk), "your_turn"
    )


def test_who_has_a_right_link_is_let_in_from_a_network_that_guesses(anna: Player) -> None:
    table = make_table(visibility="private")
    david = make_player("David")
    tables.invite(game_id=table.pk, inviter=anna, player=david, now=timezone.now())
    (invitation,) = table.invitations.all()
    asked_at_once(lambda number: reverse("games:invitation", args=[f"{number:022}"]))
    for network in (ATTACKER, ELSEWHERE):
        right = reverse("games:invitation", args=[invitation.token])
        assert make_browser(network).get(right).status_code == 200
    stop = reverse("games:unsubscribe", args=[build_token(Notice.objects.latest("pk"))])
    assert make_browser(ATTACKER).get(stop).status_code == 200


def test_neighbours_sign_in_while_a_hundred_codes_are_guessed(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By password and by code; so does the owner of the code that was guessed at, with a new one."""
    bruno = make_player("Bruno")
    bruno.set_password("seven tiles of road")
    bruno.save()
    first = make_browser(ATTACKER)
    page = first.post(reverse("account_request_login_code"), {"email": anna.email}).url

    def guess(number: int) -> None:
        client = make_browser(ATTACKER)
        client.cookies = first.cookies
        client.post(page, {"code": f"GUESS-{number}"})

    guess_at_once(guess, TRIES)
    assert "_auth_user_id" not in first.session
    assert try_password(make_browser(ATTACKER), bruno)
    for player in (bruno, anna):
        neighbour = make_browser(ATTACKER)
        page = neighbour.post(reverse("account_request_login_code"), {"email": player.email}).url
        neighbour.post(page, {"code": read_mailed_code(player.email)})
        assert "_auth_user_id" in neighbour.session


def test_one_code_is_guessed_no_oftener_from_many_sessions(anna: Player) -> None:
    """Each code belongs to the session that asked for it: others can't try it at all."""
    owner = make_browser(ELSEWHERE)
    page = owner.post(reverse("account_request_login_code"), {"email": anna.email}).url
    code = read_mailed_code(anna.email)
    signed_in: list[Client] = []

    def steal(number: int) -> None:
        thief = make_browser(f"192.0.2.{number}")
        thief.post(page, {"code": code})
        if "_auth_user_id" in thief.session:
            signed_in.append(thief)

    guess_at_once(steal, TRIES)
    assert not signed_in
    owner.post(page, {"code": code})
    assert "_auth_user_id" in owner.session
