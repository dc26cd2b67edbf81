"""Tests of the size of our scripts as they are sent, so that comments are free."""

import gzip
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile
from django.template.loader import render_to_string

from carcassonne.static_files import FilesAsSent, minify_script

ALL = 13_900
"""Maximum bytes of all scripts but those below, each compressed by itself as a server sends it."""
OF_FEW = {"photo.js": 600, "kept_boards.js": 700, "sound.js": 600}
"""Maximum bytes of scripts that one page alone loads, or pages of players who asked for them."""
OFFLINE = 3_000
"""Maximum bytes of the scripts that work without a connection: js/offline.js and the worker."""
NOTIFICATIONS = 1_800
"""Maximum bytes of the scripts for notifications: the page that switches them on, a part of the worker."""
OF_NOTIFICATIONS = {"push.js", "notifications.js"}


def compressed_sizes() -> dict[str, int]:
    folder = Path(settings.BASE_DIR, "static/js")
    scripts = {file.name: minify_script(file.read_text("utf-8")).encode() for file in folder.glob("*.js")}
    scripts["worker.js"] = render_to_string("worker.js", {"kept": "{}"}).encode()
    return {name: len(gzip.compress(script, compresslevel=6)) for name, script in scripts.items()}


def test_own_scripts_stay_small() -> None:
    sizes = compressed_sizes()
    assert len(sizes) > 5
    apart = OF_NOTIFICATIONS | OF_FEW.keys()
    assert sum(size for name, size in sizes.items() if name not in apart) <= ALL, sizes
    assert {name: sizes[name] for name, most in OF_FEW.items() if sizes[name] > most} == {}


def test_notifications_add_little() -> None:
    sizes = compressed_sizes()
    assert sum(sizes[name] for name in OF_NOTIFICATIONS) <= NOTIFICATIONS, sizes


def test_what_works_without_a_connection_stays_small() -> None:
    sizes = compressed_sizes()
    assert sizes["offline.js"] + sizes["worker.js"] <= OFFLINE, sizes


def test_a_public_site_sends_our_scripts_without_comments(tmp_path: Path) -> None:
    storage = FilesAsSent(location=tmp_path, base_url="/static/")
    source = Path(settings.BASE_DIR, "static/js/keys.js").read_text("utf-8")
    library = "// of others\nconst a = 1;\n"
    storage.save("js/keys.js", ContentFile(source.encode()))
    storage.save("library/other.js", ContentFile(library.encode()))
    list(storage.post_process({name: (storage, name) for name in ("js/keys.js", "library/other.js")}))
    (ours,) = tmp_path.glob("js/keys.????????????.js")
    (others,) = tmp_path.glob("library/other.????????????.js")
    assert source.startswith("//") and ours.read_text("utf-8") == minify_script(source)
    assert others.read_text("utf-8") == library
