"""The receiver over real SMTP and LMTP on loopback."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import OperationalError

from games.mail_in import smtp
from games.models import InboundMail
from games.models.inbound_mail import MAX_BYTES
from games.notices.reply_address import ReplyToken, build_reply_address
from tests.cases import count_calls
from tests.games.factories import make_game, make_player
from tests.games.mail_in.receiver_helpers import run_receiver
from tests.games.mail_in.writing import DOMAIN
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db(transaction=True)
RAW = b"From: anna@example.org\r\nMessage-ID: <%d@example.org>\r\n\r\nstatus\r\n"


@pytest.fixture
def port() -> Iterator[int]:
    with run_receiver() as port:
        yield port


@pytest.fixture
def address() -> str:
    return build_reply_address(ReplyToken(1, 2, 3))


def send(port: int, *recipients: str, raw: bytes = RAW % 1, sender: str = "anna@example.org") -> Any:
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
        return client.sendmail(sender, recipients, raw)


def test_a_message_is_in_the_inbox_when_it_is_taken(port: int, address: str) -> None:
    send(port, address)
    mail = InboundMail.objects.get()
    assert bytes(mail.raw) == b"Return-Path: <anna@example.org>\r\n" + RAW % 1
    assert (mail.sender, mail.recipient, mail.state) == ("anna@example.org", address, "waiting")


def test_the_same_message_is_taken_once(port: int, address: str) -> None:
    send(port, address)
    send(port, address)
    assert InboundMail.objects.count() == 1


def test_a_bounce_keeps_its_empty_sender(port: int, address: str) -> None:
    send(port, address, sender="")
    assert bytes(InboundMail.objects.get().raw).startswith(b"Return-Path: <>\r\n")


@pytest.mark.parametrize(
    "recipient", ["anna@example.org", f"play+aaaa@{DOMAIN}", f"play@{DOMAIN}", f"postmaster@{DOMAIN}"]
)
def test_other_addresses_are_refused_before_anything_is_sent(port: int, recipient: str) -> None:
    with pytest.raises(smtplib.SMTPRecipientsRefused) as error:
        send(port, recipient)
    assert error.value.recipients[recipient][0] == 550
    assert not InboundMail.objects.exists()


def test_a_closed_account_is_told_to_the_sender(port: int) -> None:
    player = make_player("Zoe", is_active=False)
    address = build_reply_address(ReplyToken(player.pk, 2, 3))
    with pytest.raises(smtplib.SMTPRecipientsRefused) as error:
        send(port, address)
    assert error.value.recipients == {address: (550, smtp.CLOSED.removeprefix("550 ").encode())}
    assert not InboundMail.objects.exists()


def test_a_second_recipient_is_put_off(port: int, address: str) -> None:
    other = build_reply_address(ReplyToken(1, 2, 4))
    refused = send(port, address, other)
    assert {one: code for one, (code, _text) in refused.items()} == {other: 452}
    assert InboundMail.objects.count() == 1


def test_what_is_too_long_is_refused(port: int, address: str) -> None:
    line = b"x" * 900 + b"\r\n"
    with pytest.raises(smtplib.SMTPSenderRefused) as told:
        send(port, address, raw=RAW % 1 + line * 1200)  # its size is told first
    assert told.value.smtp_code == 552
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
        client.helo()
        client.mail("anna@example.org")
        client.rcpt(address)
        assert client.data(RAW % 1 + line * (MAX_BYTES // len(line) + 10))[0] == 552
    assert not InboundMail.objects.exists()


def test_with_the_database_away_the_sender_tries_again(
    port: int, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: object, **more: object) -> None:
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(smtp, "store_mail", away)
        with pytest.raises(smtplib.SMTPDataError) as error:
            send(port, address)
    assert error.value.smtp_code == 451
    send(port, address)
    assert InboundMail.objects.count() == 1


def test_a_fault_of_ours_loses_nothing(port: int, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **more: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(smtp, "store_mail", fail)
    with pytest.raises(smtplib.SMTPDataError) as error:
        send(port, address)
    assert error.value.smtp_code == 451


def test_a_sender_that_vanishes_leaves_nothing(port: int, address: str) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
        client.ehlo()
        client.mail("anna@example.org")
        client.rcpt(address)
        client.putcmd("data")
        client.getreply()
        client.send(b"From: anna@example.org\r\n\r\nresign\r\n")
        client.close()
    send(port, address)
    assert InboundMail.objects.count() == 1


def test_there_is_an_end_to_connections(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "MOST_CONNECTIONS", 1)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as first:
        assert first.recv(100).startswith(b"220 ")
        with socket.create_connection(("127.0.0.1", port), timeout=10) as second:
            assert second.recv(100).startswith(b"421 ")
    send_when_free(port)


def send_when_free(port: int) -> None:
    """Wait until a new connection is accepted, as an ended one no longer counts."""
    for _ in range(100):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as again:
            if again.recv(100).startswith(b"220 "):
                return
    pytest.fail("the connection still counts")


def test_so_many_connections_come_from_one_host(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtp, "MOST_OF_A_HOST", 1)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as first:
        assert first.recv(100).startswith(b"220 ")
        for host, greeting in (("127.0.0.1", b"421 "), ("127.0.0.2", b"220 ")):
            with socket.create_connection(("127.0.0.1", port), 10, source_address=(host, 0)) as other:
                assert other.recv(100).startswith(greeting), host


def test_a_sender_has_so_many_unfinished_messages_and_so_has_an_address(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(smtp, "MOST_UNFINISHED", 2)

    def begin(stack: ExitStack, sender: str, player: int, version: int) -> int:
        client = stack.enter_context(smtplib.SMTP("127.0.0.1", port, timeout=10))
        client.helo()
        client.mail(sender)
        client.rcpt(build_reply_address(ReplyToken(player, 2, version)))
        stack.callback(client.close)  # in the middle of the message
        return client.docmd("data")[0]

    with ExitStack() as stack:
        assert [begin(stack, "anna@example.org", 1, version) for version in (1, 2, 3)] == [354, 354, 451]
        assert [begin(stack, f"{n}@example.org", 2, 1) for n in (1, 2, 3)] == [354, 354, 451]
        assert begin(stack, "anna@example.org", 2, 2) == 354, "the same sender, perhaps forged, to another"
        assert begin(stack, "bruno@example.org", 1, 3) == 354, "another sender"
    with ExitStack() as stack:
        for _ in range(100):  # until the receiver has noticed that they have ended
            if begin(stack, "anna@example.org", 1, 3) == 354:
                return
    pytest.fail("messages that were not finished still count")


def test_what_is_too_much_is_refused_before_it_is_sent(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "mails_stored", 2)
    game = make_game()
    for number in range(3):
        with smtplib.SMTP("127.0.0.1", port, timeout=10) as client:
            client.helo()
            client.mail("anna@example.org")
            address = build_reply_address(ReplyToken(game.host_id, game.pk, number))
            code = client.rcpt(address)[0]
            assert code == (250 if number < 2 else 451), number
            if code == 250:
                client.data(RAW % number)


def test_more_lines_or_boundaries_than_a_reply_has_are_refused_for_good(port: int, address: str) -> None:
    for number, text in enumerate((b"\r\n" * 60_000, b"boundary=b\r\n" * 100)):
        with pytest.raises(smtplib.SMTPDataError) as error:
            send(port, address, raw=RAW % number + text)
        assert error.value.smtp_code == 552
    send(port, address)
    assert InboundMail.objects.count() == 1


def read_message(written: bytes, watch: Callable[[Any], Any] = asyncio.run) -> tuple[bytes | None, bytes]:
    """Let a connection read the message that *written* begins with; return it and what is left."""

    async def read() -> tuple[bytes | None, bytes]:
        loop = asyncio.get_running_loop()
        connection = smtp._SmtpConnection(smtp.MailReceiver(), hostname="x", loop=loop)
        connection._reader = asyncio.StreamReader(limit=1 << 20)
        for at in range(0, len(written), 100_000):
            connection._reader.feed_data(written[at : at + 100_000])
        message = await connection._read_message()
        connection._reader.feed_eof()
        return message, await connection._reader.read()

    return watch(read())


def test_a_message_ends_with_a_line_of_a_dot_alone() -> None:
    for written, message, left in (
        (b".\r\n", b"", b""),
        (b"\r\n.\r\nMAIL", b"\r\n", b"MAIL"),
        (b"..\r\n.\r\n", b".\r\n", b""),
        (b"a\n.\nb\r.\r\n.\r\n", b"a\n.\nb\r.\r\n", b""),
        (b"a.\r\n..b\r\n.\r\n.\r\n", b"a.\r\n.b\r\n", b".\r\n"),
    ):
        assert read_message(written) == (message, left), written


def test_a_message_takes_memory_and_calls_by_its_size_whatever_its_lines_are() -> None:
    """Twelve megabytes in lines of two bytes took the receiver from 121 to 470 MB."""
    for piece in (b"\r\n", b"a.\r\n", b"..\r\n", b"x"):
        written = piece * ((1 << 20) // len(piece) - 10) + b"\r\n.\r\n"
        tracemalloc.start()
        calls = count_calls(lambda written=written: read_message(written))
        _now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 6 << 20, piece
        assert calls < 3000, piece


def test_a_mail_server_delivers_by_lmtp(address: str) -> None:
    with run_receiver(lmtp=True) as port, smtplib.LMTP("127.0.0.1", port) as client:
        client.sendmail("anna@example.org", [address], RAW % 1)
        assert client.docmd("EHLO", "x")[0] == 500
    assert InboundMail.objects.count() == 1
