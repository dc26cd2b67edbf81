"""The site as an installable application: manifest, service worker and offline page.

The worker (``templates/worker.js``) caches the offline page with its style sheets and scripts at once; other
files when a page has used them; and ``static/js/offline.js`` adds the last boards of one player. The list of
the release's files is made here, so that a new release is a new worker with a new cache.
"""

import hashlib
import json
from pathlib import Path

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from carcassonne.static_files import minify_script

PAPER = "#efe3c8"
FOLDERS = ("css", "fonts", "games", "img", "js")
KINDS = {".css", ".js", ".png", ".svg", ".woff2"}  # pages request no other files, such as licences
BESIDES = ("django_htmx/htmx-2.min.js",)


def shell() -> list[str]:
    """The URLs of all static files that pages of this release may use."""
    root = Path(settings.BASE_DIR) / "static"
    files = (file for folder in FOLDERS for file in (root / folder).iterdir() if file.suffix in KINDS)
    own = sorted(file.relative_to(root).as_posix() for file in files)
    return [static(name) for name in (*own, *BESIDES)]


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest, which browsers need to install the site."""

    def icon(name: str, width: int, purpose: str = "any") -> dict[str, str]:
        return {
            "src": static(f"img/{name}.png"),
            "sizes": f"{width}x{width}",
            "type": "image/png",
            "purpose": purpose,
        }

    icons = [icon("icon-192", 192), icon("icon-512", 512), icon("maskable-512", 512, "maskable")]
    ways = (
        (_("Next game"), "games:next"),
        (_("My games"), "games:mine"),
        (_("Set up a table"), "games:new"),
        (_("The rules in brief"), "games:rules"),
    )
    return JsonResponse(
        {
            "id": "/",
            "name": settings.SITE_NAME,
            "short_name": "Carcassonne",
            "description": _("Build the land, a tile a day"),
            "lang": get_language(),
            "start_url": reverse("games:mine"),
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "categories": ["games"],
            "icons": icons,
            "shortcuts": [{"name": name, "url": reverse(url), "icons": icons[:1]} for name, url in ways],
        },
        content_type="application/manifest+json",
    )


@require_safe
@cache_control(no_cache=True)
@conditional_page
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker with the list of its files. Any change of them changes its version."""
    files = shell()
    away = render_to_string("offline.html", request=request)
    named = "offline", "account_logout", "games:mine", "games:push_key", "games:switch_on_device"
    urls = {name: reverse(name) for name in named}
    kept = {
        "files": files,
        "first": [file for file in files if f'"{file}"' in away],
        "lasting": not settings.DEBUG,
        "version": hashlib.sha256("\n".join([*files, away]).encode()).hexdigest()[:12],
        "away": urls["offline"],
        "signOut": urls["account_logout"],
        "notifications": {
            "script": static("js/notifications.js"),
            "home": urls["games:mine"],
            "icon": static("img/icon-192.png"),
            "pushKey": urls["games:push_key"],
            "switchOn": urls["games:switch_on_device"],
        },
        "headers": {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": "; ".join(sorted(build_policy().split("; "))),
        },
    }
    script = minify_script(render_to_string("worker.js", {"kept": json.dumps(kept)}))
    return HttpResponse(script, content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show the offline page. The worker caches it, so it holds nothing personal."""
    return render(request, "offline.html")


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("sw.js", worker, name="worker"),
    path("offline/", offline, name="offline"),
]
