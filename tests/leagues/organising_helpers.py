"""Acts of organisers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Entry, Fixture, Season
from tests.html import Page
from tests.leagues.season_helpers import BEGINS

LATER = BEGINS + DAY


def get_organiser() -> Player:
    return Player.objects.get(username="Founder")


def settle_fixture(fixture: Fixture, ranks: dict[Player, int] | None, **other: Any) -> Fixture:
    given = {"who": get_organiser(), "reason": "They agreed", "now": LATER, **other}
    by_pk = None if ranks is None else {who.pk: rank for who, rank in ranks.items()}
    return seasons.settle(fixture_id=fixture.pk, ranks=by_pk, **given)


def replace_player(season: Season, leaving: Player, substitute: Player, **other: Any) -> Entry:
    given = {"who": get_organiser(), "reason": "Gone", "now": LATER, **other}
    offer = seasons.ask_substitute(season_id=season.pk, leaving=leaving, substitute=substitute, **given)
    return seasons.accept_offer(offer_id=offer.pk, player=substitute, now=given["now"])


def admit_player(season: Season, newcomer: Player, now: datetime = LATER) -> Entry:
    return seasons.admit(
        season_id=season.pk, player=newcomer, who=get_organiser(), reason="There is room", now=now
    )


def get_fixture_between(*players: Player) -> Fixture:
    fixtures = Fixture.objects.filter(match__seats__player=players[0])
    return fixtures.get(match__seats__player=players[1])


def confirmed(shown: Page) -> dict[str, str]:
    """The data that confirm the act in the preview *shown*."""
    versions = [str(field["value"]) for field in shown.all("input[name=version]")]
    return {"confirmed": "yes", "version": "".join(versions)}
