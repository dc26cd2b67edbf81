"""Seeds of a knock-out: names and progress."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.words.grammar import format_ordinal
from leagues.models import Season, Seed
from leagues.pages.names import NameLink, link_contender
from leagues.words import rounds

THIRD = 3


def link_seed(season: Season, seed: Seed) -> NameLink:
    """Link the player or team of *seed*, which was read with both."""
    holder = seed.team or seed.player
    assert holder is not None
    return link_contender(holder, season)


def describe_progress(rank: int, first: int, *, pending: bool) -> str:
    """Describe the progress of a seed with this *rank*; empty below third place.

    :param first: number of seeds with rank 1
    :param pending: whether third place is still played for
    """
    if rank == THIRD and pending:
        return _("plays for third place")
    return _("still in") if rank == 1 < first else rounds.format_rank(rank)


def describe_place(season: Season, rank: int, sharing: int) -> str:
    """Describe the place of one seed of *season*, whose *rank* so many are *sharing*; below third place by
    the rank itself."""
    pending = season.running and season.settings.cup.third_place and sharing > 1
    return describe_progress(rank, sharing, pending=pending) or format_ordinal(rank)
