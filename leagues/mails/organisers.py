"""Mails to the organisers of a league."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.conduct.blocks import find_blocked_pairs
from leagues.mails.base import LeagueMail, at_second
from leagues.models import League, LogEntry, OrganiserRequest


class OrganiserMail(LeagueMail):
    """A mail to those who organise a league."""

    def matters(self) -> bool:
        return self.league.organisers.filter(pk=self.reader.pk).exists()


class Appointed(OrganiserMail, kind="appointed"):
    """The reader organises a league from now on."""

    @classmethod
    def tell(cls, player: Player, log: LogEntry) -> None:
        """Tell *player*, with the *log* entry."""
        cls.owe([player], log, now=log.at, log=log)


class DeskNews(OrganiserMail, kind="desk"):
    """The desk of the organisers has new matters."""

    @classmethod
    def tell(cls, league: League, *, now: datetime) -> None:
        cls.owe(league.organisers.filter(is_active=True), at_second(league, now), now=now, league=league)


class RequestMade(OrganiserMail, kind="asked"):
    """A player asks the organisers."""

    @classmethod
    def tell(cls, request: OrganiserRequest) -> None:
        """Tell those who are not kept apart from the player by a block."""
        organisers = list(request.league.organisers.filter(is_active=True).exclude(pk=request.player_id))
        apart = find_blocked_pairs([request.player_id, *(one.pk for one in organisers)])
        free = [one for one in organisers if frozenset((one.pk, request.player_id)) not in apart]
        cls.owe(free, request, now=request.asked, request=request)

    def matters(self) -> bool:
        return self.request.answered is None and super().matters()
