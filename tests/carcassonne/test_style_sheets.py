"""The style sheets: a colour is changed in one place, and every file is short enough to read."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

CSS = Path(settings.BASE_DIR, "static", "css")
SHEETS = sorted(CSS.glob("*.css"))
TOKENS = CSS / "tokens.css"
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b(?![^{}]*\{)|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(", re.IGNORECASE
)
"""A colour by number; what looks like one in a selector is the name of an element."""
LINES = 400


def rules(sheet: Path) -> str:
    """A style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)


def linked(template: Path) -> list[str]:
    """The style sheets that a template links, in order."""
    return re.findall(r"""{% static ['"]css/([\w-]+\.css)['"] %}""", template.read_text(encoding="utf-8"))


TEMPLATES = {path: linked(path) for path in Path(settings.BASE_DIR, "templates").rglob("*.html")}


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_colours_stand_in_the_tokens_alone(sheet: Path) -> None:
    if sheet != TOKENS:
        assert not COLOUR.findall(rules(sheet))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_sheet_is_short_enough_to_read(sheet: Path) -> None:
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= 120


def test_every_sheet_is_linked_and_every_link_leads_to_one() -> None:
    assert {name for names in TEMPLATES.values() for name in names} == {sheet.name for sheet in SHEETS}


def test_tokens_come_first() -> None:
    for path, names in TEMPLATES.items():
        assert "tokens.css" not in names[1:], path
        assert "site.css" not in names or names[:2] == ["tokens.css", "site.css"], path


def test_every_token_is_set_and_used() -> None:
    text = "".join(map(rules, SHEETS))
    given = set(re.findall(r"(?:^|[\s{;])(--[\w-]+):", text))
    asked = set(re.findall(r"var\((--[\w-]+)", text))
    assert asked <= given
    map_colours = {name for name in given if name.startswith("--map-")}  # the sprites ask for them
    assert given - map_colours == asked


def test_sizes_of_type_that_rules_share_are_tokens() -> None:
    sizes = Counter(
        size
        for sheet in SHEETS
        if sheet != TOKENS
        for size in re.findall(r"font-size: ([\d.]+rem);", rules(sheet))
    )
    assert not [size for size, number in sizes.items() if number > 1]
