"""Tests of the fonts: their letters, and the files that a page loads at once."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from fontTools.ttLib import TTFont

from carcassonne.management.commands import fonts
from tests.html import Page

FILES = {
    (family.file, script): f"{family.file}-{script}" for family in fonts.FAMILIES for script in fonts.SCRIPTS
}
SIGNS = set("★⌘🔒✓✗×…–—−←→↑↓⟲⟳☰•·±≥≤№ ‑\u00a0\u00ad\u2060\n\t\r")
"""Characters that a font of the device may show, as ours lack them."""
PRELOADED = {
    "en": {"latin"},
    "is": {"latin"},
    "pl": {"latin", "latin-ext"},
    "sk": {"latin", "latin-ext"},
    "ru": {"latin", "cyrillic"},
}


def faces() -> dict[str, str]:
    """The ranges that the style sheet gives each file."""
    css = (Path(settings.BASE_DIR) / "static" / "css" / "fonts.css").read_text(encoding="utf-8")
    return dict(re.findall(r"fonts/([\w-]+)\.woff2.*?unicode-range: ([^;]+);", css, re.DOTALL))


def letters(file: str) -> set[int]:
    """The code points in the font *file*."""
    return set(TTFont(fonts.FOLDER / f"{file}.woff2").getBestCmap())


def translated(language: str) -> str:
    """All texts of *language*, joined."""
    path = Path(settings.BASE_DIR) / "locale" / language / "LC_MESSAGES" / "django.po"
    with path.open("rb") as file:
        texts = [message.string for message in read_po(file) if message.id]
    return "".join(text if isinstance(text, str) else "".join(text) for text in texts)


def test_style_sheet_asks_each_file_for_the_letters_cut_into_it() -> None:
    assert set(faces()) == {*FILES.values(), "sans-names"}
    for (_family, script), file in FILES.items():
        asked = faces()[file].replace("U+", "").replace(",", " ")
        assert set(fonts.code_points(asked)) == set(fonts.code_points(fonts.SCRIPTS[script])), file


def test_names_of_languages_need_only_the_file_that_has_their_letters() -> None:
    shown = letters("sans-latin") | letters("sans-names")
    named = "".join(name for _code, name in settings.LANGUAGES)
    assert not [letter for letter in named if ord(letter) not in shown]
    asked = faces()["sans-names"].replace("U+", "").replace(",", " ")
    assert set(fonts.code_points(asked)) <= letters("sans-names")
    assert (fonts.FOLDER / "sans-names.woff2").stat().st_size < 3000


def test_no_two_files_are_asked_for_one_letter() -> None:
    ranges = [set(fonts.code_points(ranges)) for ranges in fonts.SCRIPTS.values()]
    assert len(set.union(*ranges)) == sum(map(len, ranges))


@pytest.mark.parametrize("language", ["is", "pl", "ru", "sk"])
@pytest.mark.parametrize("family", [family.file for family in fonts.FAMILIES])
def test_both_typefaces_have_every_letter_of_the_translations(family: str, language: str) -> None:
    shown = set.union(*(letters(f"{family}-{script}") for script in PRELOADED[language]))
    wanted = {letter for letter in translated(language) if letter not in SIGNS}
    assert sorted(letter for letter in wanted if ord(letter) not in shown) == []


def test_figures_are_of_one_width_and_height() -> None:
    """The sans has such figures only; the serif has them where CSS asks for lining and tabular ones."""
    sans = TTFont(fonts.FOLDER / "sans-latin.woff2")
    names = [sans.getBestCmap()[ord(digit)] for digit in "0123456789"]
    assert len({sans["hmtx"][name][0] for name in names}) == 1
    serif = TTFont(fonts.FOLDER / "serif-latin.woff2")
    offered = {record.FeatureTag for record in serif["GSUB"].table.FeatureList.FeatureRecord}
    assert {"lnum", "tnum"} <= offered


def test_reserved_name_is_not_carried() -> None:
    for file in FILES.values():
        names = TTFont(fonts.FOLDER / f"{file}.woff2")["name"]
        assert not [id for id in (1, 3, 4, 6) if "source" in (names.getDebugName(id) or "").lower()]
        assert "Open Font License" in (names.getDebugName(13) or "")


@pytest.mark.django_db
@pytest.mark.parametrize("language", list(PRELOADED))
def test_a_page_fetches_at_once_what_its_language_is_written_in(client, language: str) -> None:
    client.cookies.load({settings.LANGUAGE_COOKIE_NAME: language})
    links = Page(client.get("/")).all("link[rel=preload][as=font]")
    files = {
        f"/static/fonts/{family.file}-{script}.woff2"
        for family in fonts.FAMILIES
        for script in PRELOADED[language]
    }
    assert {link["href"] for link in links} == files
    assert all(link.has_attr("crossorigin") for link in links)  # or the browser fetches them twice
