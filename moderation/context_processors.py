"""Context processors of moderation."""

from functools import cache, partial

from django.http import HttpRequest
from django.utils import timezone

from accounts.models import Player
from moderation.selectors.own_sanctions import build_conduct_line


def notices_of_moderators(request: HttpRequest) -> dict[str, object]:
    """Return the visitor's line about sanctions, computed lazily."""
    user = getattr(request, "user", None)  # error pages may be rendered before authentication
    if not isinstance(user, Player) or not user.sanctioned:
        return {"conduct_line": ""}
    return {"conduct_line": cache(partial(build_conduct_line, user, timezone.now()))}
