"""Tests of signing up by the link of a mailed invitation, which fills in and confirms the address."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import tables
from games.models import Answer, Invitation, Notice
from games.notices.email import compose
from tests.accounts.sign_up_helpers import SIGN_UP
from tests.games.factories import NOW, make_player, make_table
from tests.html import Page

pytestmark = pytest.mark.django_db
GUEST = "guest@example.com"


@pytest.fixture
def asked() -> Invitation:
    anna = make_player("Anna")
    table = make_table(host=anna, visibility="private")
    return tables.invite(game_id=table.pk, inviter=anna, address=GUEST, now=NOW)


def link(asked: Invitation) -> str:
    return reverse("games:invitation", args=[asked.token])


def mailed_link(asked: Invitation) -> str:
    """The path of the link in the mail."""
    text = compose(Notice.objects.get(invitation=asked)).body
    match = re.search(rf"{settings.SITE_URL}(/i/\S+)", text)
    assert match is not None, text
    return match[1]


def follow(asked: Invitation) -> Client:
    """Open the link of the mail in a new browser."""
    browser = Client()
    response = browser.get(mailed_link(asked))
    assert (response.status_code, response.url) == (302, link(asked)), "the address bar proves nothing"
    return browser


def filled_in(browser: Client) -> str:
    return str(Page(browser.get(reverse("account_signup"))).one("[name=email]").get("value", ""))


def sign_up(browser: Client, asked: Invitation, address: str) -> str:
    """Sign up with *address*, and return the URL of the redirect."""
    form = {**SIGN_UP, "username": "Zoe", "email": address, "language": "en", "next": link(asked)}
    response = browser.post(reverse("account_signup"), form)
    assert response.status_code == 302, response.context["form"].errors
    return str(response.url)


def confirmed(address: str) -> bool:
    return EmailAddress.objects.filter(email=address, verified=True).exists()


@pytest.mark.parametrize("kept", [GUEST, "Guest@Example.com"])
def test_who_keeps_the_address_is_in_at_once_and_sits_down(asked: Invitation, kept: str) -> None:
    browser = follow(asked)
    assert filled_in(browser) == GUEST
    assert sign_up(browser, asked, kept) == link(asked)
    assert mail.outbox == [] and confirmed(GUEST)
    zoe = Player.objects.get(username="Zoe")
    assert int(browser.session["_auth_user_id"]) == zoe.pk
    browser.post(link(asked), {"answer": "accept"})
    assert asked.game.seats.filter(player=zoe).exists()


def test_another_address_is_confirmed_as_ever(asked: Invitation) -> None:
    browser = follow(asked)
    assert reverse("account_email_verification_sent") in sign_up(browser, asked, "zoe@example.com")
    assert [message.to for message in mail.outbox] == [["zoe@example.com"]]
    assert not EmailAddress.objects.filter(verified=True).exclude(user__username="Anna").exists()
    assert not EmailAddress.objects.filter(email=GUEST).exists()


@pytest.mark.parametrize("answer", [Answer.WITHDRAWN, Answer.DECLINED, Answer.ACCEPTED, Answer.EXPIRED])
def test_a_link_that_was_used_meanwhile_confirms_nothing(asked: Invitation, answer: Answer) -> None:
    path, browser, late = mailed_link(asked), follow(asked), Client()
    Invitation.objects.filter(pk=asked.pk).update(answer=answer)
    assert reverse("account_email_verification_sent") in sign_up(browser, asked, GUEST)
    assert not confirmed(GUEST)
    assert late.get(path).url == link(asked)
    assert filled_in(late) == ""


def test_who_declines_finds_nothing_filled_in(asked: Invitation) -> None:
    browser = follow(asked)
    browser.post(link(asked), {"answer": "decline"})
    assert filled_in(browser) == ""


@pytest.mark.parametrize("query", ["", "?mailed=", "?mailed=nonsense"])
def test_the_address_of_its_page_proves_nothing(asked: Invitation, query: str) -> None:
    """It is what people pass on."""
    browser = Client()
    browser.get(link(asked) + query, follow=True)
    assert filled_in(browser) == ""
    assert reverse("account_email_verification_sent") in sign_up(browser, asked, GUEST)
    assert not confirmed(GUEST)


def test_the_mail_of_another_invitation_proves_nothing(asked: Invitation) -> None:
    table = make_table(host=asked.inviter, name="Foix")
    other = tables.invite(game_id=table.pk, inviter=asked.inviter, address="zoe@example.com", now=NOW)
    browser = Client()
    browser.get(mailed_link(other).replace(other.token, asked.token))
    assert filled_in(browser) == ""


def test_it_confirms_once(asked: Invitation) -> None:
    """A second account from the same browser gets a mail."""
    browser = follow(asked)
    sign_up(browser, asked, "zoe@example.com")
    browser.post(reverse("account_logout"))
    form = {**SIGN_UP, "username": "Yves", "email": GUEST}
    assert reverse("account_email_verification_sent") in browser.post(reverse("account_signup"), form).url
    assert not confirmed(GUEST)


def test_an_address_with_an_account_gets_the_mail_that_says_so(asked: Invitation) -> None:
    browser = follow(asked)
    owner = make_player("Guest")
    Player.objects.filter(pk=owner.pk).update(email=GUEST)
    EmailAddress.objects.filter(user=owner).update(email=GUEST, verified=True)
    assert reverse("account_email_verification_sent") in sign_up(browser, asked, GUEST)
    assert [message.to for message in mail.outbox] == [[GUEST]]
    assert "_auth_user_id" not in browser.session


def test_a_mail_to_an_account_proves_no_address(asked: Invitation) -> None:
    """The account may have another address by then."""
    browser = follow(asked)
    yves = make_player("Yves")
    Invitation.objects.filter(pk=asked.pk).update(player=yves)
    sign_up(browser, asked, GUEST)
    assert not confirmed(GUEST)
    Notice.objects.filter(invitation=asked).update(recipient=yves, address="")
    assert mailed_link(asked) == link(asked)


def test_the_inviter_never_sees_the_link(asked: Invitation) -> None:
    browser = Client()
    browser.force_login(asked.inviter)
    for address in (reverse("games:table", args=[asked.game.code]), "/games/", "/lobby/"):
        assert not Page(browser.get(address)).has(f"[href*='{asked.token}'], [action*='{asked.token}']")
