"""Middleware that adds headers to every response: permissions of pages, and caching of private ones."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

Respond = Callable[[HttpRequest], HttpResponse]

PERMISSIONS = ", ".join(
    [
        *(
            f"{feature}=()"
            for feature in (
                "accelerometer",
                "autoplay",
                "browsing-topics",
                "camera",
                "display-capture",
                "geolocation",
                "gyroscope",
                "magnetometer",
                "microphone",
                "midi",
                "payment",
                "serial",
                "usb",
            )
        ),
        *(
            f"{feature}=(self)"
            for feature in (
                "clipboard-write",
                "fullscreen",
                "publickey-credentials-create",
                "publickey-credentials-get",
            )
        ),
    ]
)


def permissions(get_response: Respond) -> Respond:
    """Forbid browser features that our pages never use, in case of an injected script; not in static
    files."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path.startswith(settings.STATIC_URL):
            response.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    return respond


def private_pages(get_response: Respond) -> Respond:
    """Forbid browsers to store pages of signed-in players, and clear their cache after signing out.

    Responses with an ETag or a max-age (files, pictures) are left alone: signing out clears them. Offline
    pages have a storage of their own, which a script clears.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            return response  # not cached, and the database can't say who is signed in
        if request.user.is_authenticated:
            if "max-age" not in response.get("Cache-Control", "") and not response.has_header("ETag"):
                patch_cache_control(response, private=True, no_store=True)
        elif request.COOKIES.get(settings.SESSION_COOKIE_NAME) and request.session.is_empty():
            response["Clear-Site-Data"] = '"cache"'  # signed out, here or from elsewhere
        return response

    return respond
