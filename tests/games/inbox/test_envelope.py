"""Tests of the identity of messages, and of their claimed senders."""

from __future__ import annotations

import random

from games.inbox.envelope import read_envelope
from tests.games.inbox.mails import mail


def test_the_message_id_makes_the_key() -> None:
    one, again = read_envelope(mail("3b")), read_envelope(mail("something else"))
    assert one.key == again.key and one.message_id == "<4bd9@example.net>"
    assert one.key != read_envelope(mail("3b", Message_ID="<other@example.net>")).key


def test_without_one_the_bytes_do() -> None:
    one = read_envelope(mail("3b", Message_ID=""))
    assert one.message_id == ""
    assert one.key == read_envelope(mail("3b", Message_ID="")).key
    assert one.key != read_envelope(mail("3c", Message_ID="")).key


def test_an_id_that_can_not_stand_in_a_header_is_not_referred_to() -> None:
    for bad in ("4bd9@example.net", "<a b@x>", "<no>", f"<{'x' * 300}@x>", "<é@x>"):
        assert read_envelope(mail("3b", Message_ID=bad)).message_id == "", bad


def test_every_sender_is_named_in_small_letters() -> None:
    senders = read_envelope(mail("3b", From="Megan <Megan@Example.NET>, bob@example.org")).senders
    assert senders == {"megan@example.net", "bob@example.org"}
    assert read_envelope(mail("3b", From="")).senders == frozenset()


def test_no_bytes_fail() -> None:
    chance = random.Random(5)
    for _ in range(300):
        assert len(read_envelope(chance.randbytes(chance.randrange(200))).key) == 64
