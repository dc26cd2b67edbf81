"""Shared draws: rounds in which all tables draw the same tiles."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Player
from games import play
from games.models import Deal
from games.rules import RuleSet
from leagues.models import Fixture, Match, RoundDeal
from leagues.seasons.locks import lock_season


def share_deal(
    match: Match, number: int, players: Sequence[Player], rules: RuleSet, now: datetime
) -> Deal | None:
    """The draw that game *number* of *match*, by these *players*, shares with others of its round; the caller
    has locked the season.

    ``None`` where the game needs one of its own: a player has already sat with these tiles, or the draw is
    closed and its tiles are known.
    """
    shared = RoundDeal.objects.filter(
        division=match.division, round=match.round, number=number, seats=rules.seats
    )
    found = shared.select_related("deal").first()
    if found is None:
        deal = play.create_deal(rules=rules, now=now)
        RoundDeal.objects.create(
            division=match.division, round=match.round, number=number, seats=rules.seats, deal=deal
        )
        return deal
    if found.deal.closed is not None or play.knows_tiles(found.deal, [player.pk for player in players]):
        return None
    return found.deal


def find_deals_to_close() -> QuerySet[RoundDeal]:
    """The draws with which no game can begin any more: each match of the round has begun that game or is
    decided."""
    begun = Fixture.objects.filter(match=OuterRef("pk"), number=OuterRef(OuterRef("number")))
    still_to_come = Match.objects.filter(
        ~Exists(begun), division=OuterRef("division"), round=OuterRef("round"), decided=None
    )
    return RoundDeal.objects.filter(~Exists(still_to_come), deal__closed=None).order_by("pk")


@transaction.atomic
def close_deal(round_deal: int, now: datetime) -> bool:
    """Close a draw with which no game can begin any more; it becomes public when all its games are over.
    Return whether it was closed."""
    season = RoundDeal.objects.values_list("division__season", flat=True).get(pk=round_deal)
    lock_season(season)  # keeps games from beginning meanwhile
    found = find_deals_to_close().filter(pk=round_deal).first()
    if found is None:
        return False
    play.close_deal(deal_id=found.deal_id, now=now)
    return True
