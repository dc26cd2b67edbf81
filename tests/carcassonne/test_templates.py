"""Tests of all templates."""

from collections import Counter

from django.conf import settings
from django.template import engines
from django.template.library import import_library

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


def test_a_filter_is_found_in_one_library() -> None:
    engine = engines["django"].engine  # type: ignore[attr-defined]
    libraries = [import_library(path) for path in engine.libraries.values()]
    names = Counter(name for library in [*libraries, *engine.template_builtins] for name in library.filters)
    assert names["halves"] == 1
    assert not [name for name, count in names.items() if count > 1]
