"""Tests of reply addresses: signed, short, and case-insensitive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from games.notices.reply_address import (
    ReplyToken,
    build_reply_address,
    decode_token,
    encode_token,
    read_reply_address,
)

DOMAIN = "reply.carcassonne.example"
NUMBERS = st.integers(0, 2**35 - 1)
TOKENS = st.builds(ReplyToken, NUMBERS, NUMBERS, NUMBERS, st.booleans(), NUMBERS)


@pytest.fixture(autouse=True)
def replies(settings: Settings) -> None:
    settings.REPLY_DOMAIN = DOMAIN


@given(TOKENS)
def test_a_token_reads_as_it_was_written(token: ReplyToken) -> None:
    text = encode_token(token)
    assert decode_token(text) == decode_token(text.upper()) == token
    assert text == text.lower() and text.isalnum() and len(f"play+{text}") <= 64


@given(TOKENS, st.data())
def test_a_changed_token_is_none(token: ReplyToken, data: st.DataObject) -> None:
    text = encode_token(token)
    at = data.draw(st.integers(0, len(text) - 2))  # the last letter may hold bits that say nothing
    other = data.draw(st.sampled_from(sorted(set("abcdefghijklmnopqrstuvwxyz234567") - {text[at]})))
    assert decode_token(text[:at] + other + text[at + 1 :]) is None


@given(st.text(max_size=80))
def test_no_text_fails(text: str) -> None:
    assert decode_token(text) is None
    assert read_reply_address(f"play+{text}@{DOMAIN}") is None


def test_the_address_is_read_as_servers_write_it() -> None:
    token = ReplyToken(17, 4711, 88, confirms_resigning=True)
    address = build_reply_address(token)
    for written in (address, address.upper(), f"<{address}>", address.replace(DOMAIN, DOMAIN.title())):
        assert read_reply_address(written) == token


@pytest.mark.parametrize(
    "change", [("play+", "pay+"), ("play+", ""), (DOMAIN, "reply.example.org"), ("@", "@x."), ("+", "-")]
)
def test_another_address_is_none(change: tuple[str, str]) -> None:
    assert read_reply_address(build_reply_address(ReplyToken(1, 2, 3)).replace(*change)) is None


def test_a_former_key_still_counts(settings: Settings) -> None:
    text = encode_token(ReplyToken(1, 2, 3))
    former = settings.SECRET_KEY
    settings.SECRET_KEY = "another key, as long as it has to be, and worth nothing to anyone"
    assert decode_token(text) is None
    settings.SECRET_KEY_FALLBACKS = [former]
    assert decode_token(text) == ReplyToken(1, 2, 3)


def test_a_site_without_a_domain_has_no_addresses(settings: Settings) -> None:
    address = build_reply_address(ReplyToken(1, 2, 3))
    settings.REPLY_DOMAIN = ""
    assert build_reply_address(ReplyToken(1, 2, 3)) == ""
    assert read_reply_address(address) is None
