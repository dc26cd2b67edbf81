"""Tests that the list of security measures names existing tests and files."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \|$", re.MULTILINE)
ROOMS = [
    "tests",
    "core",
    "accounts",
    "ratings",
    "games",
    "moderation",
    "leagues",
    "carcassonne",
    "docs",
    ".ci",
]


def paths() -> list[str]:
    """All quoted paths of files or folders of ours."""
    quoted = re.findall(r"`([^`\s]+)`", PAGE)
    return [one for one in quoted if one.split("/")[0] in ROOMS or one.endswith((".txt", ".md"))]


def test_every_file_it_names_is_there() -> None:
    assert len(paths()) > 100
    missing = [path for path in paths() if not ((ROOT / path).exists() or (ROOT / "docs" / path).exists())]
    assert missing == []


def test_every_requirement_stands_there_once_with_an_answer_in_its_chapter() -> None:
    rows = [row for row in PAGE.splitlines() if row.startswith("| ") and row[2].isdigit()]
    numbers = [match[1] for match in ROW.finditer(PAGE)]
    assert len(numbers) == len(rows) == len(set(numbers)) > 240
    in_order = sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])
    assert numbers == in_order
    assert {number.split(".")[0] for number in numbers} == {str(chapter) for chapter in range(1, 15)}


def test_the_threats_are_told() -> None:
    threats = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "\n## Who may attack, and what holds them off\n" in threats
    assert "docs/security.md" in threats
