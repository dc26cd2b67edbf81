"""A signed-in player reads every page in their own language and time zone."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


def personal(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Activate the player's language and zone; guests keep the browser's language and UTC."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(ZoneInfo(request.user.time_zone)):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
            return get_response(request)

    return respond
