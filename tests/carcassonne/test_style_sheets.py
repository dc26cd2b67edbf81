"""Tests of the style sheets: each colour is defined once, and every file is short enough to read."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.base import ContentFile

from carcassonne.static_files import FilesAsSent
from tests.cases import for_each

CSS = Path(settings.BASE_DIR, "static", "css")
SHEETS = sorted(CSS.glob("*.css"))
TOKENS = CSS / "tokens.css"
NIGHT = CSS / "night.css"
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b(?![^{}]*\{)|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\(", re.IGNORECASE
)
"""Numeric colour; a selector with the same form is the id of an element."""
LINES = 400


def rules(sheet: Path) -> str:
    """A style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)


def linked(template: Path) -> list[str]:
    """The style sheets that a template links, in order, each followed by what it imports."""
    names = re.findall(r"""{% static ['"]css/([\w-]+\.css)['"] %}""", template.read_text(encoding="utf-8"))
    return [name for linked_name in names for name in (linked_name, *imported(CSS / linked_name))]


def imported(sheet: Path) -> list[str]:
    """The style sheets that a sheet imports, in order."""
    return re.findall(r'@import url\("([\w-]+\.css)"\);', rules(sheet))


TEMPLATES = {path: linked(path) for path in Path(settings.BASE_DIR, "templates").rglob("*.html")}


@for_each("sheet", SHEETS)
def test_colours_stand_in_the_tokens_alone(sheet: Path) -> None:
    if sheet not in (TOKENS, NIGHT):
        assert not COLOUR.findall(rules(sheet))


@for_each("sheet", SHEETS)
def test_a_sheet_is_short_enough_to_read(sheet: Path) -> None:
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= 120


def test_every_sheet_is_linked_and_every_link_leads_to_one() -> None:
    assert {name for names in TEMPLATES.values() for name in names} == {sheet.name for sheet in SHEETS}


def test_tokens_come_first() -> None:
    for path, names in TEMPLATES.items():
        sheets = [name for name in names if not imported(CSS / name)]
        assert "tokens.css" not in sheets[1:], path
        assert "site.css" not in sheets or sheets[:2] == ["tokens.css", "site.css"], path


def test_sheets_that_import_others_are_sent_with_them_in_their_place(tmp_path: Path) -> None:
    storage = FilesAsSent(location=tmp_path, base_url="/static/")
    texts = {
        "css/page.css": '/* of a page */\n\n@import url("first.css");\n@import url("second.css");\n',
        "css/first.css": "a {\n  color: red; /* at first */\n}\n",
        "css/second.css": "b {\n  margin: 0;\n}\n",
        "library/other.css": "/* of others */\ni {\n  margin: 0;\n}\n",
    }
    for name, text in texts.items():
        storage.save(name, ContentFile(text.encode()))
    list(storage.post_process({name: (storage, name) for name in texts}))
    sent = {name: (tmp_path / storage.stored_name(name)).read_text("utf-8") for name in texts}
    assert " ".join(sent["css/page.css"].split()) == "a { color: red; } b { margin: 0; }"
    assert sent["library/other.css"] == texts["library/other.css"]


def test_no_sheet_has_a_rule_before_what_it_imports() -> None:
    for sheet in SHEETS:
        if names := imported(sheet):
            assert rules(sheet).split() == " ".join(f'@import url("{name}");' for name in names).split()


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


# ---------------------------------------------------------------------------------------------- contrast

GROUNDS = ("paper", "sheet", "well")
TEXTS = ("ink", "muted", "link", "accent", "good", "danger")
ON_THEIR_GROUND = (  # pairs of text and ground, besides text on plain grounds
    ("accent-ink", "accent"),
    ("ink", "mark"),
    ("ink", "accent-soft"),
    ("link", "accent-soft"),
    ("accent", "accent-soft"),
    ("ink", "good-soft"),
    ("good", "good-soft"),
    ("ink", "danger-soft"),
    ("danger", "danger-soft"),
    *((f"seat{seat}-ink", f"seat{seat}") for seat in range(6)),
)
DRAWN = ("line-strong", "accent", "focus")
"""Colours of the borders of controls and of what is chosen, and of the focus ring."""


def colours(scheme: str) -> dict[str, str]:
    """The values of the colour tokens by day, or by night."""
    day, _, _print = rules(TOKENS).partition("@media print")
    listed = day if scheme == "day" else day + rules(NIGHT)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", listed))


def luminance(colour: str) -> float:
    """The relative luminance of *colour* as in WCAG 2."""
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [part / 255 for part in bytes.fromhex(digits)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_reckoned_as_wcag_does() -> None:
    assert round(contrast("#fff", "#000"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    colour = colours(scheme)
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS] + list(ON_THEIR_GROUND)
    weak = {pair: round(contrast(colour[pair[0]], colour[pair[1]]), 2) for pair in pairs}
    assert {pair: contrast for pair, contrast in weak.items() if contrast < 4.5} == {}


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_borders_of_controls_stand_out_from_their_ground(scheme: str) -> None:
    colour = colours(scheme)
    pairs = [(line, ground) for line in DRAWN for ground in (*GROUNDS, "board-table")]
    weak = {pair: round(contrast(colour[pair[0]], colour[pair[1]]), 2) for pair in pairs}
    assert {pair: contrast for pair, contrast in weak.items() if contrast < 3} == {}


@pytest.mark.parametrize("scheme", ["day", "night"])
def test_what_one_writes_in_is_lighter_than_what_it_lies_on(scheme: str) -> None:
    colour = colours(scheme)
    assert luminance(colour["well"]) > luminance(colour["sheet"]) > luminance(colour["paper"])
