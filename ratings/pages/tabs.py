"""The two pools as tabs, each with an address of its own."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from ratings.models import Pool


class Tab(NamedTuple):
    name: str
    url: str
    here: bool


def build_tabs(url: str, pool: Pool) -> tuple[Tab, ...]:
    """Return the tabs of the page at *url*, which shows *pool*."""
    names = {Pool.DUEL: _("Duels"), Pool.TABLE: _("Tables of three to six")}
    return tuple(
        Tab(name, url if one is Pool.DUEL else f"{url}?pool={one.value}", one is pool)
        for one, name in names.items()
    )
