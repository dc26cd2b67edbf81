"""``manage.py fonts``: subsets the two font families to the weights and letters that the site shows.

Their sources are two packages of the npm registry, unpacked:

    npm pack source-sans@3.52.0 @fontsource-variable/alegreya@5.3.0

Source is a reserved font name, which altered copies may not carry, so ours has another.
"""

import logging
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand

FOLDER = Path(settings.BASE_DIR) / "static" / "fonts"
FEATURES = ("ccmp", "kern", "liga", "locl", "lnum", "mark", "mkmk", "rvrn", "tnum")
LANGUAGES = ["DFLT.dflt", "latn.dflt", "cyrl.dflt"]
"""Systems of letter forms: none of the site's languages has its own, as Serbian, Catalan and others have."""
SCRIPTS = {  # as static/css/fonts.css asks for them
    # English, Icelandic, and what all languages share: digits, punctuation, arrows, signs of sums
    "latin": "0020-007E 00A0 00A7 00AB 00AD 00B0 00B1 00B7 00BB-00BE 00C0-00FF 2009 2010-2014 "
    "2018-201A 201C-201E 2022 2026 202F 2032 2033 2039 203A 20AC 2190-2193 2212 2260 2264 "
    "2265",
    # Polish, Slovak
    "latin-ext": "0104-0107 010C-010F 0118-0119 0139-013A 013D-013E 0141-0144 0147-0148 0154-0155 "
    "015A-015B 0160-0161 0164-0165 0179-017E",
    # names from nearby: Czech, Hungarian, French, Croatian
    "latin-ext-rare": "0110-0111 011A-011B 0150-0153 0158-0159 016E-0171",
    "cyrillic": "0401 0410-044F 0451 2116",  # Russian
}
NAMES = "čРусский"  # in the names of the languages, which stand on every page: a file of their own


class Family(NamedTuple):
    """Font family with its source files and range of weights."""

    file: str
    name: str
    source: str  # within the folder of packages; {script} where each has a file of its own
    weights: tuple[int, int]
    licence: str


FAMILIES = (
    Family(
        "sans",
        "Correspondence Sans",
        "source-sans/VF/SourceSans3VF-Upright.ttf",
        (400, 700),
        "source-sans/LICENSE.md",
    ),
    Family(
        "serif",
        "Alegreya",
        "alegreya/files/alegreya-{script}-wght-normal.woff2",
        (600, 600),
        "alegreya/LICENSE",
    ),
)


class Command(BaseCommand):
    help = "Write the fonts to static/fonts, from the packages that static/fonts/README.md names."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("packages", type=Path, help="folder with source-sans/ and alegreya/, unpacked")

    def handle(self, *args: Any, packages: Path, **options: Any) -> None:
        logging.getLogger("fontTools").setLevel(logging.WARNING)
        FOLDER.mkdir(exist_ok=True)
        for family in FAMILIES:
            for script, ranges in SCRIPTS.items():
                path = FOLDER / f"{family.file}-{script}.woff2"
                source = family.source.format(script=script.removesuffix("-rare"))
                write_subset(packages / source, family, ranges, path)
                self.stdout.write(
                    f"{path.relative_to(settings.BASE_DIR)}: {path.stat().st_size / 1024:.1f} KB"
                )
            if family.file == "sans":
                named = " ".join(f"{ord(letter):04X}" for letter in sorted(set(NAMES)))
                write_subset(packages / family.source, family, named, FOLDER / "sans-names.woff2")
            licence = (packages / family.licence).read_text(encoding="utf-8")
            (FOLDER / f"LICENCE-{family.file}").write_text(licence, encoding="utf-8")


def code_points(ranges: str) -> Iterator[int]:
    """Yield the code points in *ranges*, such as ``"0020-007E 2116"``."""
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


def write_subset(source: Path, family: Family, ranges: str, path: Path) -> None:
    """Cut *source* down to the letters of *ranges* and the weights of *family*, and write it to *path*."""
    # Only whoever makes the fonts anew needs these: requirements-dev.txt has them.
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(source, recalcTimestamp=False)  # the same font from the same source
    options = Options(
        layout_features=list(FEATURES),
        layout_scripts=LANGUAGES,
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        hinting=False,
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=list(code_points(ranges)))
    subsetter.subset(font)
    lightest, boldest = family.weights
    limits: Any = {"wght": lightest if lightest == boldest else (lightest, lightest, boldest)}
    instancer.instantiateVariableFont(font, limits, inplace=True)
    rename(font, family)
    font.flavor = "woff2"
    font.save(path)


def rename(font: Any, family: Family) -> None:
    """Replace the font's names by that of *family*; the copyright stays."""
    names = {
        1: family.name,
        3: f"{family.name} {family.weights}",
        4: family.name,
        6: family.name.replace(" ", ""),
        13: "This Font Software is licensed under the SIL Open Font License, Version 1.1.",
        14: "https://openfontlicense.org",
    }
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)  # for Windows, in Unicode, in English: what all read
