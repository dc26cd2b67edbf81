"""Tests of numerals, and that no module formats signs by itself."""

import re
from pathlib import Path

from games import words

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("accounts", "ratings", "games", "moderation", "leagues", "templates")
BY_HAND = re.compile(r"\{[^{}]*:\+d?\}|\"−\"|MINUS SIGN|\+\{\{")


def found(pattern: re.Pattern[str]) -> list[str]:
    files = (
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".html")
    )
    return [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted(files)
        if "migrations" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if pattern.search(line)
    ]


def test_only_one_module_makes_signs() -> None:
    assert found(BY_HAND) == []


def test_places_have_a_real_minus_and_are_found_by_it() -> None:
    assert words.name_cell(-1, -12) == "column −1, row −12"
    pieces = dict(words.split_at_cells("A tile at column −1, row −12."))
    assert pieces["column −1, row −12"] == (-1, -12)


def test_pip_says_nothing_but_its_errors() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text().splitlines() if "pip install" in line]
    assert len(lines) == 4
    assert all("--quiet" in line for line in lines)
