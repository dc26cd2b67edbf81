"""The dearest mails that we can think of: reading them takes work by their size alone, and not much of it."""

from __future__ import annotations

from functools import partial

import pytest

from games.inbox.authentication import read_authentication
from games.inbox.envelope import read_envelope
from games.inbox.replies import read_confirmation, read_reply
from games.mail_in.receiving import MailTooLarge, check_size
from tests.cases import count_calls
from tests.fuzz.worst_mails import MAKERS, make_mail

SIZE = 1 << 13
MOST_CALLS = 2_500_000
SERVER = "mx.example.org"


def read(raw: bytes) -> None:
    """Read a message as often as is done from its receipt to its answer."""
    try:
        check_size(raw)
    except MailTooLarge:
        return
    for _ in range(2):
        read_envelope(raw)
    read_authentication(raw, SERVER)
    read_reply(raw)
    read_confirmation(raw)


def test_a_mail_of_twice_the_size_takes_twice_the_work() -> None:
    for name in MAKERS:
        small, large = (count_calls(partial(read, make_mail(name, size))) for size in (SIZE, 2 * SIZE))
        assert large < 2.2 * small, f"{name}: {small} and {large} calls"
        assert large < MOST_CALLS, f"{name}: {large} calls"


@pytest.mark.parametrize("name", ["hundreds of parts", "sixty levels", "headers of parts"])
def test_more_parts_than_mail_programs_write_are_not_read(name: str) -> None:
    assert read_reply(make_mail(name)).kind == "explain"
