"""Places in a knock-out: whose they are, and how far they have led."""

from __future__ import annotations

from django.utils.translation import gettext as _

from leagues.models import Season, Seed
from leagues.pages.team_tables import team_who
from leagues.pages.who import Who, who
from leagues.words import rounds

THIRD = 3


def seed_who(season: Season, seed: Seed) -> Who:
    """Whose place *seed* is; it was read with its player and team."""
    if seed.team is not None:
        return team_who(seed.team, season)
    assert seed.player is not None
    return who(seed.player)


def how_far(rank: int, first: int, *, pending: bool) -> str:
    """How far somebody with this *rank* has come where so many are *first*, in words; nothing below the third
    place. With *pending* that is played for just now."""
    if rank == THIRD and pending:
        return _("plays for third place")
    return _("still in") if rank == 1 < first else rounds.rank(rank)
