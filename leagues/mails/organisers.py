"""Mails to the organisers of a league."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from games.conduct.blocks import find_blocked_pairs
from leagues.mails.base import LeagueMail, at_second
from leagues.models import League, LogEntry, OrganiserRequest, find_staff


class OrganiserMail(LeagueMail):
    """A mail to those who organise a league."""

    def matters(self) -> bool:
        return self.league.find_deciders(self.now).filter(pk=self.reader.pk).exists()


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
        cls.owe(league.find_deciders(now), at_second(league, now), now=now, league=league)


class Inherited(OrganiserMail, kind="inherited"):
    """The reader, of the staff, looks after a league that has no acting organiser."""

    @classmethod
    def tell(cls, log: LogEntry) -> None:
        """Tell the staff, with the *log* entry."""
        cls.owe(find_staff(), log, now=log.at, log=log)


class NextSeasonWaits(OrganiserMail, kind="next-season-waits"):
    """The next season isn't opened: something is at stake, and the reader organises the league alone."""

    @classmethod
    def tell(cls, log: LogEntry) -> None:
        """Tell who decides, with the *log* entry."""
        cls.owe(log.league.find_deciders(log.at), log, now=log.at, log=log)


class RequestMade(OrganiserMail, kind="asked"):
    """A player asks the organisers."""

    @classmethod
    def tell(cls, request: OrganiserRequest) -> None:
        """Tell those who decide and are not kept apart from the player by a block."""
        deciders = list(request.league.find_deciders(request.asked).exclude(pk=request.player_id))
        apart = find_blocked_pairs([request.player_id, *(decider.pk for decider in deciders)])
        free = [decider for decider in deciders if frozenset((decider.pk, request.player_id)) not in apart]
        cls.owe(free, request, now=request.asked, request=request)

    def matters(self) -> bool:
        return self.request.answered is None and super().matters()
