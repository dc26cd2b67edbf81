"""Our own scripts stay small: measured compressed, so that comments and names are free."""

import gzip
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string

ALL = 12 * 1024
"""Bytes of all scripts together, each compressed by itself as a server sends it."""
OFFLINE = 3_200
"""Bytes of what works without a connection: js/offline.js and the worker."""


def compressed_sizes() -> dict[str, int]:
    scripts = {file.name: file.read_bytes() for file in Path(settings.BASE_DIR, "static/js").glob("*.js")}
    scripts["worker.js"] = render_to_string("worker.js", {"kept": "{}"}).encode()
    return {name: len(gzip.compress(script, compresslevel=6)) for name, script in scripts.items()}


def test_own_scripts_stay_small() -> None:
    sizes = compressed_sizes()
    assert len(sizes) > 5
    assert sum(sizes.values()) <= ALL, sizes


def test_what_works_without_a_connection_stays_small() -> None:
    sizes = compressed_sizes()
    assert sizes["offline.js"] + sizes["worker.js"] <= OFFLINE, sizes
