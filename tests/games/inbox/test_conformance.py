"""Tests of every message of the specification against its expected outcome."""

from __future__ import annotations

import filecmp
import re
from base64 import encodebytes
from quopri import encodestring
from typing import Any

import pytest

from games.inbox.replies import describe_reply, read_reply
from tests.cases import for_each
from tests.games.inbox.conformance_helpers import CASES, EXAMPLES, ROOT, decode_message

SHARED = ROOT.parent / "shared" / "conformance-replies"

PLAIN_CASES = [
    case for case in CASES if "multipart/" not in case["raw"] and "quoted-printable" not in case["raw"]
]


@for_each("case", CASES)
def test_a_message_leads_to_what_it_expects(case: dict[str, Any]) -> None:
    assert describe_reply(read_reply(decode_message(case))) == case["expect"]


@for_each("ending", [b"\r\n", b"\r"])
@for_each("case", CASES)
def test_any_line_ends_will_do(case: dict[str, Any], ending: bytes) -> None:
    raw = decode_message(case).replace(b"\r\n", b"\n").replace(b"\n", ending)
    assert describe_reply(read_reply(raw)) == case["expect"]


@for_each("encoding", ["base64", "quoted-printable"])
@for_each("case", PLAIN_CASES)
def test_any_transfer_encoding_will_do(case: dict[str, Any], encoding: str) -> None:
    head, _, body = decode_message(case).replace(b"\r\n", b"\n").partition(b"\n\n")
    encoded = encodebytes(body) if encoding == "base64" else encodestring(body)
    head = re.sub(rb"(?mi)^Content-Transfer-Encoding:.*\n?", b"", head)
    raw = head.rstrip(b"\n") + f"\nContent-Transfer-Encoding: {encoding}\n\n".encode() + encoded
    assert describe_reply(read_reply(raw)) == case["expect"]


def test_there_are_cases() -> None:
    assert len(CASES) == 89
    assert {case["expect"]["kind"] for case in CASES} == {"play", "command", "explain", "ignore"}


@pytest.mark.skipif(
    not SHARED.is_dir(), reason="the specification lies beside the project only where it is built"
)
def test_the_copies_equal_the_specification() -> None:
    _, different, missing = filecmp.cmpfiles(EXAMPLES, SHARED, ["README.md", "cases.jsonl"], shallow=False)
    assert (different, missing) == ([], [])
