"""Tests of ``manage.py read_reply``, as called from a shell. They need no database."""

from __future__ import annotations

import io
import json
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.games.inbox.conformance_helpers import CASES, decode_message
from tests.games.inbox.mails import mail


def as_line(identity: object, raw: bytes) -> str:
    return json.dumps({"id": identity, "raw": b64encode(raw).decode()})


def run(lines: list[str], tmp_path: Path) -> list[dict[str, Any]]:
    file, out = tmp_path / "messages.jsonl", io.StringIO()
    file.write_text("\n".join(lines) + "\n")
    call_command("read_reply", "--json", str(file), stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_it_answers_in_the_same_order(tmp_path: Path) -> None:
    lines = [as_line(case["id"], decode_message(case)) for case in CASES]
    assert run(lines, tmp_path) == [{"id": case["id"], **case["expect"]} for case in CASES]


def test_no_message_makes_it_fail(tmp_path: Path) -> None:
    raws = [
        b"",
        b"\0",
        b"\xff" * 1000,
        b"\n" * 1000,
        b"From: a@b.c\n" * 5000,
        mail("talk \ud7ff\U0010ffff"),
        mail(b"\xed\xa0\x80"),
    ]
    assert [one["id"] for one in run([as_line(n, raw) for n, raw in enumerate(raws)], tmp_path)] == [
        *range(7)
    ]


def test_it_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.StringIO(as_line("a", mail("8d")) + "\n\n" + as_line("b", mail("talk Þ")))
    )
    out = io.StringIO()
    call_command("read_reply", "--json", "-", stdout=out)
    assert out.getvalue().splitlines() == [
        '{"id": "a", "kind": "play", "line": "8d"}',
        '{"id": "b", "kind": "command", "name": "talk", "text": "\\u00de"}',
    ]


def test_without_json_it_prints_words(tmp_path: Path) -> None:
    file, out = tmp_path / "messages.jsonl", io.StringIO()
    file.write_text(as_line("a", mail("8d")))
    call_command("read_reply", str(file), stdout=out)
    assert out.getvalue() == "a: play 8d\n"


def test_our_own_mail_is_ignored(tmp_path: Path, settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "Megan <megan@example.net>"
    assert run([as_line(1, mail("8d"))], tmp_path) == [{"id": 1, "kind": "ignore"}]


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"id": 1}', '{"id": 1, "raw": 2}', '{"id": 1, "raw": "a"}']
)
def test_what_is_no_message_at_all_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"messages\.jsonl:1"):
        run([line], tmp_path)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(CommandError, match="nowhere"):
        call_command("read_reply", "--json", "/nowhere")
