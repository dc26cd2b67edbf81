"""What views are called with, for the type checker: our middleware has been at it."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import Player


class HtmxRequest(HttpRequest):
    """Anybody's request."""

    htmx: HtmxDetails


class PlayerRequest(HtmxRequest):
    """The request of somebody who is signed in: for views behind ``login_required``."""

    user: Player
