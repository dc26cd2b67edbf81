"""The news feed of a league: results and events of seasons."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts.references import show_rows
from core.outputs import PlainFeed
from games.words.grammar import capitalise
from leagues.models import League, LogEntry, Match, TeamMatch
from leagues.selectors.feed import (
    LATEST,
    load_decided_matches,
    load_decided_team_matches,
    load_log_news,
)
from leagues.selectors.serialiser import count_games_won
from leagues.views.conditional import answer_if_changed
from leagues.words.criteria import format_number
from leagues.words.log import describe_act

Item = Match | TeamMatch | LogEntry
KEYS = {Match: "match", TeamMatch: "team-match", LogEntry: "log"}
"""First parts of the ids of items."""


class LeagueFeed(Feed):
    """The news feed of a league."""

    feed_type = PlainFeed

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        shown = get_object_or_404(League, slug=kwargs["slug"])
        return answer_if_changed(
            request, shown, lambda: super(LeagueFeed, self).__call__(request, league=shown)
        )

    def get_object(self, request: HttpRequest, league: League) -> League:
        return league

    def title(self, league: League) -> str:
        return league.name

    def subtitle(self, league: League) -> str:
        return _("Results and seasons of {name}").format(name=league.name)

    def link(self, league: League) -> str:
        return league.get_absolute_url()

    def items(self, league: League) -> list[Item]:
        """Return the latest news, the newest first."""
        news: list[Item] = [
            *load_decided_matches(league),
            *load_decided_team_matches(league),
            *show_rows(load_log_news(league)),
        ]
        return sorted(news, key=self.item_pubdate, reverse=True)[:LATEST]

    def item_title(self, item: Item) -> str:
        if isinstance(item, Match):
            won = count_games_won(item)
            told = (f"{seat.player} {format_number(won[seat.player_id])}" for seat in item.seats.all())
            return ", ".join(told)
        if isinstance(item, TeamMatch):
            return f"{item.first} – {item.second} {item.score}"
        act = describe_act(item.act)
        return capitalise(act) if item.season is None else f"{item.season.name}: {act}"

    def item_description(self, item: Item) -> str:
        if isinstance(item, LogEntry):
            return item.reason
        return _("{season}, {division}").format(season=item.division.season.name, division=item.name)

    def item_link(self, item: Item) -> str:
        if isinstance(item, LogEntry):
            return (item.season or item.league).get_absolute_url()
        return item.get_absolute_url()

    def item_guid(self, item: Item) -> str:
        return f"tag:{settings.SITE_HOST},2026:{KEYS[type(item)]}-{item.pk}"

    def item_updateddate(self, item: Item) -> datetime:
        return self.item_pubdate(item)

    def item_pubdate(self, item: Item) -> datetime:
        if isinstance(item, Match):
            assert item.decided is not None
            return item.decided
        return item.at  # type: ignore[union-attr]
