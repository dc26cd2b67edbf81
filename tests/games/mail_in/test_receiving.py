"""Tests of what is stored of mails that come in: each once for every recipient, and within limits."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.conduct.limits import MEGABYTE
from games.exceptions import TooMany
from games.mail_in import answering, receiving
from games.mail_in.receiving import MailTooLarge, store_mail
from games.models import Game, InboundMail, MailOutcome
from games.models.inbound_mail import MAX_BOUNDARIES, MAX_BYTES, MAX_LINES
from games.notices.reply_address import ReplyToken, build_reply_address, read_reply_address
from tests.games.factories import make_game
from tests.games.mail_in.writing import answer_last, last_mail_to, write_reply
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db
NOW = timezone.now()
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def game() -> Game:
    return make_game(now=NOW)


def write_mail(number: int, text: str = "status") -> bytes:
    return f"From: anna@example.org\r\nMessage-ID: <{number}@example.org>\r\n\r\n{text}\r\n".encode()


def build_address(game: Game, version: int = 1, player: int | None = None) -> str:
    return build_reply_address(ReplyToken(player or game.host_id or 0, game.pk, version))


def store(
    number: int, recipient: str, *, sender: str = "anna@example.org", size: int = 0, at: datetime = NOW
) -> bool:
    """Store a mail; return whether it was not too much."""
    raw = write_mail(number).ljust(size, b"x")
    try:
        return store_mail(raw, sender=sender, recipient=recipient, now=at) is not None
    except TooMany:
        return False


class TestTheSameMail:
    def test_to_two_games_is_stored_for_each(self, game: Game) -> None:
        other = make_game(now=NOW, name="Other")
        for one in (game, other):
            assert store(1, build_address(one)) and not store(1, build_address(one))
        assert InboundMail.objects.count() == 2

    def test_to_another_spelling_of_the_address_is_the_same(self, game: Game) -> None:
        address = build_address(game)
        local, _at, domain = address.partition("@")
        assert store(1, address)
        spellings = [f"{local[:-1]}{letter}@{domain}" for letter in "abcdefghijklmnopqrstuvwxyz234567"]
        same = [spelling for spelling in spellings if read_reply_address(spelling) is not None]
        assert len(same) > 1
        for one in (f"<{address.upper()}>", *same):
            assert not store(1, one), one
        assert InboundMail.objects.get().recipient == address

    def test_is_not_known_by_an_id_that_is_none(self, game: Game) -> None:
        """Programs that write a malformed Message-ID write the same one into every mail."""
        for bad in ("<>", "<@>", "<a b@c>", "unknown", f"<{'x' * 300}@example.org>"):
            for text in ("talk One", "talk Two", "talk Two"):
                raw = f"From: anna@example.org\nMessage-ID: {bad}\n\n{text}\n".encode()
                store_mail(raw, sender="", recipient=build_address(game), now=NOW)
            assert InboundMail.objects.count() == 2, bad
            InboundMail.objects.all().delete()


class TestLimits:
    def test_of_mails_to_an_address_and_of_a_sender(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "mails_stored", 3)
        one, other = build_address(game, 1), build_address(game, 2)
        assert [store(n, one, sender=f"{n}@example.net") for n in range(4)] == [True, True, True, False]
        assert [store(n, build_address(game, n)) for n in range(10, 14)] == [True, True, True, False]
        assert store(20, other, sender="bruno@example.org"), "another sender, to another address"
        assert store(21, one, sender="bruno@example.org", at=NOW + HOUR + MINUTE)

    def test_of_bytes_of_a_day(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "megabytes_stored", 1)
        assert store(1, build_address(game), size=MEGABYTE - 1000)
        assert not store(2, build_address(game, 2), size=2000), "of the sender"
        assert not store(3, build_address(game), sender="bruno@example.org", size=2000), "to the address"
        assert store(4, build_address(game), size=500)
        assert store(5, build_address(game, 2), size=2000, at=NOW + DAY + MINUTE)

    def test_count_what_is_ignored_and_has_lost_its_bytes(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "megabytes_stored", 1)
        raw = write_mail(1).ljust(MEGABYTE - 1000, b"x")
        mail = store_mail(raw, sender="mallory@example.net", recipient=build_address(game), now=NOW)
        InboundMail.objects.update(sender="")
        assert mail is not None
        answering.answer_mail(mail_id=mail.pk, now=NOW)
        assert not store(2, build_address(game), size=2000)

    def test_of_a_sender_are_counted_for_each_player(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The sender is easily forged: nobody can keep players from writing by mails in their names."""
        set_limit(monkeypatch, "mails_stored", 2)
        bruno = game.seats.get(index=1).player_id
        for number in range(2):
            assert store(number, build_address(game, number, player=bruno))
        assert not store(2, build_address(game, 2, player=bruno))
        assert store(3, build_address(game))

    def test_of_size_lines_and_boundaries(self, game: Game) -> None:
        for text in ("x" * MAX_BYTES, "\n" * MAX_LINES, "Boundary=b" * (MAX_BOUNDARIES + 1)):
            with pytest.raises(MailTooLarge):
                store_mail(write_mail(1, text), sender="", recipient=build_address(game), now=NOW)
        assert not InboundMail.objects.exists()


def test_ignored_mail_loses_its_bytes_at_once_and_answered_mail_keeps_them(game: Game) -> None:
    for headers, outcome in (
        ({"From": "mallory@example.net"}, MailOutcome.STRANGER),
        ({"Auto_Submitted": "auto-replied"}, MailOutcome.MACHINE),
        ({}, MailOutcome.STATUS),
    ):
        mail = answer_last("Anna", "status", **headers)
        assert mail.outcome == outcome and mail.size > 100
        assert bool(mail.raw) == (outcome == MailOutcome.STATUS), outcome
    reply = write_reply(last_mail_to("Anna"), "status")
    forged = receiving.store_mail(reply.as_bytes(), sender="", recipient="play+a@b.example", now=NOW)
    assert forged is not None
    answering.answer_mail(mail_id=forged.pk, now=NOW)
    assert not InboundMail.objects.get(pk=forged.pk).raw
