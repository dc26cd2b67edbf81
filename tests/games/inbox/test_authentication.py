"""Tests that results of SPF, DKIM and DMARC are read from the named mail server's headers alone."""

from __future__ import annotations

import time

import pytest

from games.inbox.authentication import MailAuthentication, read_authentication
from tests.cases import for_each

US = "mx.carcassonne.example"


def read(*headers: str) -> str:
    lines = "".join(f"Authentication-Results: {value}\n" for value in headers)
    return str(read_authentication(f"Received: by x\n{lines}From: anna@example.org\n\npass\n".encode(), US))


@for_each(
    ("header", "found"),
    [
        (f"{US}; none", ""),
        (f"{US}; spf=pass smtp.mailfrom=example.org", "spf=pass"),
        (f"{US.upper()} 1; DKIM=Fail (bad signature) header.d=example.org", "dkim=fail"),
        (f"{US}; dmarc = fail (p=reject dis=none) header.from=example.org", "dmarc=fail"),
        (f"{US}; spf/1=softfail;\n dkim=none;\n\tdmarc=permerror", "spf=softfail dkim=none dmarc=permerror"),
        (f"(by (our) filter) {US} (v2); spf=pass", "spf=pass"),
        (f"{US}; dkim=fail header.d=list.example; dkim=pass header.d=example.org", "dkim=pass"),
        (f"{US}; auth=pass; arc=pass; x-spf=fail; spf=splendid", ""),
        (f"{US}; spf=fail (dmarc=pass; spf=pass) smtp.mailfrom=x", "spf=fail"),
        (f'{US}; dkim=fail reason="no; dmarc=pass" header.i=@x', "dkim=fail"),
        (f"{US}; spf=fail (never; ends; dmarc=pass", "spf=fail"),
        (f"{US}.evil.example; dmarc=pass", ""),
        ("dmarc=pass", ""),
        ("", ""),
    ],
)
def test_of_one_header(header: str, found: str) -> None:
    assert read(header) == found


def test_a_header_in_another_name_is_the_senders_own() -> None:
    assert read("mx.example.net; spf=pass; dkim=pass; dmarc=pass") == ""


def test_of_several_the_topmost_counts() -> None:
    """The topmost header counts; those below came with the message."""
    assert (
        read(f"{US}; dmarc=fail", f"{US}; spf=pass", f"{US}; dmarc=pass; spf=fail") == "spf=pass dmarc=fail"
    )


def test_without_a_name_nothing_is_read() -> None:
    raw = b"Authentication-Results: ; dmarc=pass\nAuthentication-Results: x; dmarc=pass\n\n"
    assert read_authentication(raw, "") == MailAuthentication()


@pytest.mark.parametrize("piece", ["(", "()", '"', '\\"(', ";spf=", "spf=pass;", "((\\"])
def test_hostile_headers_take_no_time(piece: str) -> None:
    raw = (f"Authentication-Results: {US};{piece * 50_000}\n" * 20 + "\n\n").encode()
    begun = time.monotonic()
    read_authentication(raw, US)
    assert time.monotonic() - begun < 1
