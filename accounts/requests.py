"""Requests with which views are called, for the type checker: our middleware has been at it."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from accounts.models import Player

Visitor = Player | AnonymousUser


class HtmxRequest(HttpRequest):
    """Anybody's request."""

    htmx: HtmxDetails


class PlayerRequest(HtmxRequest):
    """The request of somebody who is signed in: for views behind ``login_required``."""

    user: Player
