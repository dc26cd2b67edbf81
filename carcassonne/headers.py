"""Headers that every answer has besides: what a page may use of the browser, and how long it may be kept."""

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
    """Say what pages of ours never ask of a browser, whoever may have got a script into one. Static
    files, of which a page asks for many, are none."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path.startswith(settings.STATIC_URL):
            response.setdefault("Permissions-Policy", PERMISSIONS)
        return response

    return respond


def private_pages(get_response: Respond) -> Respond:
    """Let no browser keep a page of somebody who is signed in, and forget what it kept when they sign out.

    What has an ETag, or says how long it may be kept (files, pictures), is left alone: it is the sign-out
    that clears it. What works without a connection has a storage of its own, which a script clears.
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
