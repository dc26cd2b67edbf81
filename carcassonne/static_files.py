"""Static files of a public site: minified scripts, hashed names, compression."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = "js/"
"""Folder of the project's own scripts; those of others are served unchanged."""


def minify_script(script: str) -> str:
    """Remove comments and white space from *script*.

    >>> minify_script("const a = 1; // one\\n\\nconst b = 2;")
    'const a=1;const b=2;'
    """
    return str(jsmin(script))


class ScriptsAsSent(CompressedManifestStaticFilesStorage):
    """Storage with hashed names and compressed files, in which our scripts are minified."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        if not dry_run:
            for name in paths:
                if name.startswith(OURS) and name.endswith(".js"):
                    file = Path(self.path(name))
                    file.write_text(minify_script(file.read_text("utf-8")), "utf-8")
                    paths[name] = self, name  # hashed files are read from here, not from the source
        yield from super().post_process(paths, dry_run=dry_run, **options)
