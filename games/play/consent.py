"""Consent to offers: the seats that must agree, and the end of offers that lapse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.models import Game, Offer, Outcome, Proposal, Seat

OFFER_FOR = timedelta(days=7)
"""Time during which an offer can be agreed to."""


def find_seats_to_ask(seats: Sequence[Seat], proposer: int) -> list[Seat]:
    """Return the seats that must agree to what *proposer* proposes: the other people who play. Programs
    always agree, and players who have left, or whose seat a caretaker keeps, are not asked."""
    return [seat for seat in seats if seat.index != proposer and seat.played_by_person]


def list_open_offers(game: Game, now: datetime) -> QuerySet[Offer]:
    """Return the offers in *game* that may be agreed to *now*, the oldest first."""
    return game.offers.filter(answered=None, made__gt=now - OFFER_FOR).order_by("pk")


def close(offers: Iterable[Offer], game: Game, outcome: Outcome, now: datetime) -> None:
    """Store the *outcome* of *offers* of *game*, which is locked; the caller writes the row of the game."""
    keys = [offer.pk for offer in offers]
    Offer.objects.filter(pk__in=keys).update(answered=now, outcome=outcome)
    game.open_offers = game.offers.filter(answered=None).count()


def lapse(game: Game, now: datetime, kinds: Iterable[Proposal] = tuple(Proposal)) -> None:
    """Close the open offers of these *kinds*, because the situation they were made in has changed. No query
    if there are none."""
    if game.open_offers:
        close(game.offers.filter(answered=None, kind__in=kinds), game, Outcome.LAPSED, now)
