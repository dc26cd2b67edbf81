"""Tests with random messages: none fails, and none plays what the player has not written."""

from __future__ import annotations

import email
import logging
import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.inbox.lines import clean_line
from games.inbox.replies import read_reply
from games.inbox.vocabulary import read_command, read_turn
from tests.games.inbox.conformance_helpers import CASES, decode_message
from tests.games.inbox.mails import FLOWED, HTML, PLAIN, mail, says
from tests.games.inbox.quote_helpers import HEADER_BLOCKS, INTRODUCTIONS

PIECES = [
    *(b"\n", b"\n\n", b"\r", b">", b"> ", b"--\n", b"--", b"=", b"=\n", b"\0", b"\xff", b"\xc3", b"<"),
    *(b">", b"</div>", b"<br>"),
    *(b"<blockquote>", b"</blockquote>", b"<!--", b"&#0;", b'"', b";", b":", b" ", b"8d\n", b"undo\n"),
    *(b"\nresign\n", b"\npass\n"),
    *(b"Content-Type: ", b"text/html", b"multipart/mixed; boundary=", b"base64", b"utf-16"),
    b"-----BEGIN PGP MESSAGE-----",
]  # fmt: skip


def mutate(raw: bytes, random: Random) -> bytes:
    for _ in range(random.randint(1, 6)):
        place = random.randrange(len(raw) + 1)
        end = place + random.randint(0, 30)
        change = random.randrange(5)
        if change == 0:
            raw = raw[:place] + raw[end:]
        elif change == 1:
            raw = raw[:place] + bytes([random.randrange(256)]) + raw[place + 1 :]
        elif change == 2:
            raw = raw[:place] + random.choice(PIECES) + raw[place:]
        elif change == 3:
            raw = raw[:place] + raw[place:end] * 2 + raw[end:]
        else:
            other = random.randrange(len(raw) + 1)
            raw = raw[:place] + raw[other : other + 30] + raw[place:]
    return raw


def unquoted_lines(raw: bytes) -> Iterator[str]:
    """Yield lines that a person may have typed, a superset found by the standard library."""
    for part in email.message_from_bytes(raw).walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            text = data.decode(errors="replace")
            soft = re.sub(r" \n(?!\n)", " ", text)
            for line in re.split(
                r"[\r\n]",
                f"{text}\n{soft}\n{unescape(re.sub('<[^>]*>', chr(10), text))}\n{' '.join(text.split())}",
            ):
                yield re.sub(r"^- ", "", clean_line(line))


@pytest.mark.parametrize("seed", range(40))
def test_a_mangled_message_never_fails_nor_plays_what_is_not_there(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    random = Random(seed)
    with caplog.at_level(logging.ERROR):
        for case in CASES:
            raw = mutate(decode_message(case), random)
            reply = read_reply(raw)
            if reply.kind == "play":
                assert reply.line in {read_turn(line) for line in unquoted_lines(raw)}, (case["id"], raw)
            elif reply.kind == "command":
                names = [command[0] for line in unquoted_lines(raw) if (command := read_command(line))]
                assert reply.name in names, (case["id"], raw)
    assert caplog.records == []  # caught errors would be logged


@settings(max_examples=500, deadline=None)
@given(
    st.binary(max_size=400),
    st.sampled_from([PLAIN, FLOWED, HTML, "multipart/mixed; boundary=b", "text/plain; charset=utf-7"]),
)
@example(b"--b\n--b--", "multipart/mixed; boundary=b")
def test_no_bytes_fail(body: bytes, kind: str) -> None:
    for raw in (body, mail(body, kind)):
        assert read_reply(raw).kind in ("play", "command", "explain", "ignore")


ANSWERS = [
    "8d",
    "-2,0 r270 city S",
    "pass",
    "undo",
    "resign",
    "status",
    "talk Hi",
    "Hello",
    "8d.",
    "enter castle",
]
TEMPTING = st.sampled_from(
    ["9c", "undo", "resign", "pass", "0,0 r0", "--", "-- ", "", ">", "talk a", "a: b", "At 10:00:"]
)
LETTERS = st.lists(
    TEMPTING | st.text(max_size=60).filter(lambda text: not re.search(r"[\r\n]", text)), max_size=12
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(ANSWERS), st.sampled_from(INTRODUCTIONS), LETTERS, st.booleans())
def test_nothing_in_a_marked_quote_changes_the_outcome(
    answer: str, introduction: str, letter: list[str], tight: bool
) -> None:
    quote = "".join(f"> {line}\n" for line in ["Hello", *letter])
    gap = "\n" if tight else "\n\n"
    assert says(f"{answer}{gap}{introduction}\n{quote}") == says(answer)
    assert says(f"{introduction}\n{quote}\n{answer}\n") == says(answer)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(ANSWERS), st.sampled_from(HEADER_BLOCKS), LETTERS)
def test_nothing_in_an_unmarked_quote_changes_the_outcome(answer: str, block: str, letter: list[str]) -> None:
    quote = "".join(f"{line}\n" for line in letter)
    assert says(f"{answer}\n\n{block}\n\n{quote}") == says(answer)
    assert says(f"{block}\n\n{quote}\n{answer}\n") == "explain"


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ANSWERS), LETTERS)
def test_nothing_in_a_signature_or_an_html_quote_changes_the_outcome(answer: str, letter: list[str]) -> None:
    harmless = [line for line in letter if "-" not in line and ":" not in line and not line.startswith(">")]
    assert says(f"{answer}\n-- \n" + "\n".join(harmless)) == says(answer)
    escaped = "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in letter)
    assert says(f"<p>{answer}</p><blockquote>{escaped}</blockquote>", HTML) == says(answer)
    assert says(f"<blockquote>{escaped}</blockquote><p>{answer}</p>", HTML) == says(answer)


def test_every_answer_here_has_an_outcome_of_its_own() -> None:
    assert [says(answer) for answer in ANSWERS] == [
        *(
            "8d",
            "-2,0 r270 city S",
            "pass",
            "undo",
            "resign",
            "status",
            "talk Hi",
            "explain",
            "8d",
            "enter castle",
        )
    ]
