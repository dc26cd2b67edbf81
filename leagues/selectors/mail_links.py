"""Links to the leagues that mails are about, for the reader's list of mails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from games.hooks import PageLink
from games.models import Notice
from leagues.mails import ROWS
from leagues.models import League


def link_leagues(notices: Sequence[Notice]) -> dict[int, PageLink]:
    """Link the league of each of *notices*, by primary key; at most one query for each kind of row. Notices
    whose row is gone get no link."""
    keys: dict[str, dict[int, int]] = defaultdict(dict)
    for notice in notices:
        for name, row in ROWS.items():
            if row.league is not None and notice.about.get(name):
                keys[name][notice.pk] = notice.about[name]
                break
    links: dict[int, PageLink] = {}
    for name, by_notice in keys.items():
        way = f"{ROWS[name].league}__" if ROWS[name].league else ""
        rows = ROWS[name].model._default_manager.filter(pk__in=by_notice.values())
        leagues = {
            pk: PageLink(called, League(slug=slug).get_absolute_url())
            for pk, called, slug in rows.values_list("pk", f"{way}name", f"{way}slug")
        }
        links.update({pk: leagues[row] for pk, row in by_notice.items() if row in leagues})
    return links
