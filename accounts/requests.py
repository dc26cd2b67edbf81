"""Request types for the type checker, with what middleware adds."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import Player

Visitor = Player | AnonymousUser


class HtmxRequest(HttpRequest):
    """Request of any visitor."""

    htmx: HtmxDetails


class PlayerRequest(HtmxRequest):
    """Request of a signed-in player, for views behind ``login_required``."""

    user: Player
