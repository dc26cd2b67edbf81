"""Middleware that isolates names from right to left in pages (``core.bidi``)."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from core.bidi import RUN, isolate_html

Respond = Callable[[HttpRequest], HttpResponse]


def isolate_names(get_response: Respond) -> Respond:
    """Isolate them in answers in HTML; others stay as they are."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
            return response
        html = response.content.decode()
        if RUN.search(html):
            response.content = isolate_html(html).encode()
            if response.has_header("Content-Length"):
                response["Content-Length"] = str(len(response.content))
        return response

    return respond
