"""The receiver over real SMTP and LMTP on loopback."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError

from games.mail_in import smtp
from games.models import InboundMail
from games.models.inbound_mail import MAX_BYTES
from games.notices.reply_address import ReplyToken, build_reply_address
from tests.games.mail_in.receiver_helpers import run_receiver
from tests.games.mail_in.writing import DOMAIN

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


def test_a_mail_server_delivers_by_lmtp(address: str) -> None:
    with run_receiver(lmtp=True) as port, smtplib.LMTP("127.0.0.1", port) as client:
        client.sendmail("anna@example.org", [address], RAW % 1)
        assert client.docmd("EHLO", "x")[0] == 500
    assert InboundMail.objects.count() == 1
