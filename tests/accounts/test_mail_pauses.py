"""Pauses of mails to addresses that refuse them."""

from __future__ import annotations

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts import letters, mail_pauses
from accounts.models import PauseCause, Player
from accounts.services import close_account
from games import tasks
from games.models import Notice
from games.notices import email
from games.notices.board_mail import BoardMail
from tests.games.factories import make_game

pytestmark = pytest.mark.django_db


def anna() -> Player:
    return Player.objects.get(username="Anna")


def deliver_a_mail() -> Notice:
    """Try to send Anna a mail."""
    game = make_game(now=timezone.now())
    tasks.deliver_notices()
    return game.notices.get(recipient__username="Anna")


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Addresses that are refused permanently."""
    addresses = {"anna@example.org"}
    send = email.Connection.send

    def refuse(self: email.Connection, letter: BoardMail) -> str:
        if addresses.intersection(letter.to):
            raise email.AddressRefused("550 no such user")
        return send(self, letter)

    monkeypatch.setattr(email.Connection, "send", refuse)
    return addresses


class TestRefusals:
    def test_of_two_mails_in_a_row_pause_mails(self, refused: set[str]) -> None:
        assert deliver_a_mail().why_dropped == "refused" and anna().mail_paused is None
        assert deliver_a_mail().why_dropped == "refused"
        assert (anna().mail_pause_cause, anna().mail_paused is not None) == ("refused", True)
        assert not Player.objects.exclude(username="Anna").exclude(mail_paused=None).exists()

    def test_with_a_mail_that_went_out_in_between_pause_nothing(self, refused: set[str]) -> None:
        deliver_a_mail()
        refused.clear()
        assert deliver_a_mail().sent
        refused.add("anna@example.org")
        deliver_a_mail()
        assert anna().mail_paused is None
        deliver_a_mail()
        assert anna().mail_paused is not None

    def test_with_something_by_another_channel_in_between_pause_mails(self, refused: set[str]) -> None:
        first = deliver_a_mail()
        Notice.objects.filter(pk=first.pk).update(
            channel="webhook", sent=timezone.now(), dropped=None, why_dropped=""
        )
        deliver_a_mail()
        assert anna().mail_paused is not None

    def test_before_mails_were_asked_for_again_are_forgotten(self, refused: set[str]) -> None:
        deliver_a_mail()
        mail_pauses.lift(anna())
        deliver_a_mail()
        assert anna().mail_paused is None

    def test_of_an_address_that_was_changed_pause_nothing(self, refused: set[str]) -> None:
        deliver_a_mail()
        mail_pauses.pause(anna(), PauseCause.REFUSED, address="old@example.org", now=timezone.now())
        assert anna().mail_paused is None


@pytest.fixture
def paused() -> None:
    game = make_game(now=timezone.now())
    game.notices.all().delete()
    mail_pauses.pause(anna(), PauseCause.BOUNCED, address="anna@example.org", now=timezone.now())


@pytest.mark.usefixtures("paused")
class TestPause:
    def test_drops_notices_with_a_reason_of_its_own(self) -> None:
        notice = deliver_a_mail()
        assert (notice.sent, notice.why_dropped) == (None, "paused")
        assert [message.to for message in mail.outbox] == [["bruno@example.org"]]

    def test_lets_letters_about_the_account_pass(self) -> None:
        letters.owe(anna(), "kept", now=timezone.now())
        letters.deliver(now=timezone.now())
        assert [message.to for message in mail.outbox] == [["anna@example.org"]]

    def test_ends_when_it_is_lifted(self) -> None:
        mail_pauses.lift(anna())
        assert deliver_a_mail().sent and anna().mail_pause_cause == ""

    def test_goes_with_the_account(self) -> None:
        close_account(player=anna(), now=timezone.now())
        assert not Player.objects.exclude(mail_paused=None).exists()

    def test_has_a_cause(self) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Player.objects.filter(username="Anna").update(mail_pause_cause="")


def test_reasons_for_dropping_are_known_ones() -> None:
    """So that each has words for its recipient (``DropReason``)."""
    make_game(now=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.update(why_dropped="lost")
