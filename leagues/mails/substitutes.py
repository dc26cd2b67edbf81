"""Mails to players who are asked to play on for somebody, and to the organisers who ask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from accounts.models import Player
from leagues.mails.base import LeagueMail
from leagues.mails.organisers import OrganiserMail
from leagues.models import OfferState, SubstituteOffer


class SubstituteAsked(LeagueMail, kind="substitute-asked"):
    """The reader is asked to play on for somebody who has left."""

    @classmethod
    def tell(cls, offer: SubstituteOffer, *, matches: int, opponents: Iterable[Player]) -> None:
        """Tell whom *offer* asks, with the number of matches and the people of their games."""
        keys = " ".join(str(player.pk) for player in opponents)
        cls.owe([offer.player], offer, now=offer.asked, offer=offer, matches=matches, opponents=keys)

    def matters(self) -> bool:
        return self.offer.state == OfferState.ASKED and self.offer.entry.season.running

    def read(self) -> dict[str, Any]:
        keys = str(self.about["opponents"]).split()
        names = Player.objects.filter(pk__in=keys).order_by("username").values_list("username", flat=True)
        return {"names": ", ".join(names)}


class SubstituteAnswered(OrganiserMail, kind="substitute-declined"):
    """A player whom the reader, an organiser, has named has declined, or hasn't answered in time."""

    @classmethod
    def tell(cls, offer: SubstituteOffer) -> None:
        """Tell the organiser who asked, if one did."""
        if offer.who is not None and offer.answered is not None:
            cls.owe([offer.who], offer, now=offer.answered, offer=offer)
