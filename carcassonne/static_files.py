"""Static files of a public site: minified scripts, joined style sheets, hashed names, compression."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

SCRIPTS, SHEETS = "js/", "css/"
"""Folders of the project's own scripts and style sheets; those of others are served unchanged."""


def minify_script(script: str) -> str:
    """Remove comments and white space from *script*.

    >>> minify_script("const a = 1; // one\\n\\nconst b = 2;")
    'const a=1;const b=2;'
    """
    return str(jsmin(script))


def join_sheets(sheet: Path) -> str:
    """Read *sheet* with what it imports in place of its ``@import`` lines, without comments and indentation.

    A page then asks for one file in place of many, and what sheets have in common is compressed once.
    """
    imported = re.sub(
        r'@import url\("([\w-]+\.css)"\);',
        lambda found: join_sheets(sheet.with_name(found[1])),
        re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL),
    )
    return "\n".join(filter(None, map(str.strip, imported.splitlines())))


class FilesAsSent(CompressedManifestStaticFilesStorage):
    """Storage with hashed names and compressed files; our scripts are minified, our style sheets joined."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            for name in paths:
                file = Path(self.path(name))
                if name.startswith(SCRIPTS) and name.endswith(".js"):
                    file.write_text(minify_script(file.read_text("utf-8")), "utf-8")
                elif name.startswith(SHEETS) and name.endswith(".css"):
                    file.write_text(join_sheets(file), "utf-8")
                else:
                    continue
                paths[name] = self, name  # hashed files are read from here, not from the source
        yield from super().post_process(paths, dry_run=dry_run, **options)
