"""Tests of all templates."""

from django.conf import settings

WIDTH = 120
"""Maximum characters of a line, so that templates and their changes can be read side by side."""
WRITTEN = {".html", ".txt", ".js", ".svg"}


def test_no_line_is_too_long() -> None:
    folder = settings.BASE_DIR / "templates"
    sources = sorted(path for path in folder.rglob("*") if path.suffix in WRITTEN)
    assert sources
    long = [
        f"{path.relative_to(folder)}:{number} has {len(line)} characters"
        for path in sources
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert not long, "\n".join(long)
