"""Requests to organisers, for the player and for the desk."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from accounts.models import Player
from accounts.references import show_rows
from leagues.models import League, OrganiserRequest
from leagues.pages.names import NameLink, link_player
from leagues.selectors import leagues as found

SHOWN = 20


class RequestLine(NamedTuple):
    """A request with its answer, if there is one."""

    key: int
    who: NameLink
    kind: str
    text: str
    asked: datetime
    answer: str
    answered: datetime | None
    answered_by: NameLink | None


def list_own_requests(league: League, player: Player) -> list[RequestLine]:
    """The latest requests of *player* to the organisers of *league*."""
    return [build_line(one) for one in show_rows(found.load_own_requests(league, player)[:SHOWN])]


def list_open_requests(league: League) -> list[RequestLine]:
    """Return the requests to *league* without an answer, the oldest first."""
    return [build_line(one) for one in show_rows(found.load_open_requests(league)[:SHOWN])]


def build_line(request: OrganiserRequest) -> RequestLine:
    """Build the line of *request*, whose texts were loaded with ``references.show_rows``."""
    return RequestLine(
        key=request.pk,
        who=link_player(request.player),
        kind=str(request.get_kind_display()),
        text=request.text,
        asked=request.asked,
        answer=request.answer,
        answered=request.answered,
        answered_by=link_player(request.answered_by) if request.answered_by is not None else None,
    )
