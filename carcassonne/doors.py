"""What no request passes, whatever it asks for: these come before all other middleware."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port

Respond = Callable[[HttpRequest], HttpResponse]


def own_port(get_response: Respond) -> Respond:
    """Refuse a ``Host`` with a port that is not ours: Django looks at its name only.

    Else whoever asks chooses a part of every absolute address that is made from it, and of every key.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        host = request.get_host()
        port = split_domain_port(host)[1]
        if port and port not in map(str, settings.ALLOWED_PORTS):
            raise DisallowedHost(f"{host!r} has another port than SITE_URL.")
        return get_response(request)

    return respond


def bounded(get_response: Respond) -> Respond:
    """Refuse a body that is larger than any form of ours, before anybody reads it.

    Django bounds what it reads into memory, but takes files of any length.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig(f"A body of {length} bytes")
        return get_response(request)

    return respond
