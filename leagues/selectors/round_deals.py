"""Shared draws of a round, and the games that can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games import access
from games.access import Visitor
from games.models import Ending, Game, Seat, SeatState, Status
from leagues.models import Division, Match, RoundDeal
from leagues.standings import SeatField, compare


def load_deals(division: Division, round: int) -> list[RoundDeal]:
    """Return the shared draws of a *round* of *division*, by game number, the larger tables first."""
    found = RoundDeal.objects.filter(division=division, round=round).select_related("deal")
    return list(found.order_by("number", "-seats"))


def load_comparable_games(deals: Sequence[RoundDeal], visitor: Visitor) -> list[Game]:
    """Return the games with these *deals* that *visitor* may see, with their seats. Only games that all have
    played to the end, as scores tell little where somebody has left. Two queries."""
    left = Seat.objects.filter(game=OuterRef("pk"), state__in=[SeatState.RESIGNED, SeatState.TIMED_OUT])
    played = Game.objects.filter(
        access.build_unsealed_filter(visitor),
        ~Exists(left),
        deal__in=[one.deal_id for one in deals],
        status=Status.FINISHED,
        ending=Ending.PLAYED,
    )
    seats = Seat.objects.select_related("player").order_by("index")
    return list(played.order_by("pk").prefetch_related(Prefetch("seats", seats)))


class Comparison(NamedTuple):
    """Comparison of the games that drew the same tiles, as far as it is possible now."""

    deal: RoundDeal
    name: str  # empty if the round has only one
    seats: tuple[SeatField, ...]
    players: Mapping[int, Player]
    games: Mapping[int, Game]


def load_comparisons(
    division: Division, round: int, matches: Sequence[Match], visitor: Visitor
) -> list[Comparison]:
    """Return the comparisons of a *round* of *division*, whose *matches* were read with their games; none in
    leagues without shared draws."""
    if not division.season.settings.duplicate:
        return []
    deals = load_deals(division, round)
    games = load_comparable_games(deals, visitor)
    fixtures = [fixture for match in matches for fixture in match.fixtures.all()]
    tables = {fixture.game_id: fixture.match.number for fixture in fixtures}
    for game in games:
        game.table_number = tables.get(game.pk, "")  # type: ignore[attr-defined]
    return [_compare([game for game in games if game.deal_id == deal.deal_id], deal, deals) for deal in deals]


def _compare(games: Sequence[Game], deal: RoundDeal, deals: Sequence[RoundDeal]) -> Comparison:
    scores = {
        game.pk: [(seat.player_id or 0, seat.score) for seat in game.seats.all()]  # 0: no league has bots
        for game in games
    }
    people = [seat.player for game in games for seat in game.seats.all() if seat.player is not None]
    return Comparison(
        deal,
        _name(deal, deals),
        compare(scores),
        {player.pk: player for player in people},
        {game.pk: game for game in games},
    )


def _name(deal: RoundDeal, deals: Sequence[RoundDeal]) -> str:
    named = []
    if len({one.number for one in deals}) > 1:
        named.append(_("Game {n}").format(n=deal.number))
    if len({one.seats for one in deals}) > 1:
        named.append(ngettext("{n} player", "{n} players", deal.seats).format(n=deal.seats))
    return ", ".join(named)
