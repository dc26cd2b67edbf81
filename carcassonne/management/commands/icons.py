"""``manage.py icons``: writes the icons of the installed site, and the picture of links to it.

Run it after any change to static/img/tower.svg, to the drawing, or to the landscape of the first page.
"""

import re
from pathlib import Path
from typing import Any

import resvg_py
from django.conf import settings
from django.core.management.base import BaseCommand

from games.drawing.picture import PREVIEW_SIZE, render_board_png
from games.pages.rulebook.example_boards import build_panorama

PAPER = "#efe3c8"
ICONS = (  # name, width in pixels, share of it that the tower takes, whether paper lies behind it
    ("icon-192", 192, 1.0, False),
    ("icon-512", 512, 1.0, False),
    ("maskable-512", 512, 0.62, True),  # all of it within the circle that every mask leaves
    ("apple-touch-icon", 180, 0.8, True),
)


class Command(BaseCommand):
    help = "Write static/previews/site.png, and the icons of the installed site to static/img."

    def handle(self, *args: Any, **options: Any) -> None:
        static = Path(settings.BASE_DIR) / "static"
        width, height = PREVIEW_SIZE
        preview = render_board_png(build_panorama(), width=width, height=height, margin=0)
        # Not in static/img, which installed sites fetch whole.
        (static / "previews" / "site.png").write_bytes(preview)
        folder = static / "img"
        tower = (folder / "tower.svg").read_text()
        for name, width, share, paper in ICONS:
            path = folder / f"{name}.png"
            picture = icon(tower, share, PAPER if paper else "none")
            path.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=picture, width=width)))
            self.stdout.write(f"{path.relative_to(settings.BASE_DIR)}: {path.stat().st_size / 1024:.0f} KB")


def icon(tower: str, share: float, paper: str) -> str:
    """The square drawing *tower*, centred in a square of the colour *paper*."""
    drawing = re.sub(r"<svg [^<>]*>|</svg>", "", tower)
    edge = 64 / share
    start = (64 - edge) / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{start:g} {start:g} {edge:g} {edge:g}">'
        f'<rect x="{start:g}" y="{start:g}" width="{edge:g}" height="{edge:g}" fill="{paper}"/>'
        f"{drawing}</svg>"
    )
