"""Places in a knock-out: whose they are, and how far they have led."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.words.grammar import format_ordinal
from leagues.models import Season, Seed
from leagues.pages.names import NameLink, link_contender
from leagues.words import rounds

THIRD = 3


def link_seed(season: Season, seed: Seed) -> NameLink:
    """Return whose place *seed* is; it was read with its player and team."""
    holder = seed.team or seed.player
    assert holder is not None
    return link_contender(holder, season)


def describe_progress(rank: int, first: int, *, pending: bool) -> str:
    """Say how far somebody with this *rank* has come where so many are *first*, in words; nothing below the
    third place. With *pending* that is played for just now."""
    if rank == THIRD and pending:
        return _("plays for third place")
    return _("still in") if rank == 1 < first else rounds.format_rank(rank)


def describe_place(season: Season, rank: int, first: int) -> str:
    """Say the same of one seed of *season*; below the third place by the *rank* itself."""
    pending = season.running and season.settings.cup.third_place
    return describe_progress(rank, first, pending=pending) or format_ordinal(rank)
