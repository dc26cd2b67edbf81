"""Comparison of tables that drew the same tiles, for visitors who may see their boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numerals import MINUS
from games.access import Visitor
from games.models import Game
from leagues.models import Division, Match, RoundDeal
from leagues.pages.names import NameLink, link_player
from leagues.selectors import round_deals as found
from leagues.standings import SeatField, compare
from leagues.standings.values import PlayerId


class ComparedLine(NamedTuple):
    """Result of a player with the tiles."""

    who: NameLink
    table: str
    url: str
    score: str
    against_field: str
    lead: str


class ComparedSeat(NamedTuple):
    """All who had the same seat, the best first, and their averages."""

    name: str
    lines: list[ComparedLine]
    score: str
    lead: str


class Comparison(NamedTuple):
    """Comparison of the games that drew the same tiles, as far as it is possible now."""

    name: str  # empty if the round has only one
    seats: list[ComparedSeat]
    state: str  # note on hidden results, and on when they are shown


def build_comparisons(
    division: Division, round: int, matches: Sequence[Match], visitor: Visitor
) -> list[Comparison]:
    """Return the comparisons of a *round* of *division*, whose *matches* were read with their games; none in
    leagues without shared draws."""
    if not division.season.settings.duplicate:
        return []
    deals = found.load_deals(division, round)
    games = found.load_comparable_games(deals, visitor)
    tables = {
        fixture.game_id: match.number
        for match in matches
        for fixture in match.fixtures.all()
        if fixture.game_id is not None
    }
    return [
        Comparison(
            name=_name(deal, deals),
            seats=_seats([game for game in games if game.deal_id == deal.deal_id], tables),
            state=_state(deal, any(game.deal_id == deal.deal_id for game in games)),
        )
        for deal in deals
    ]


def _name(deal: RoundDeal, deals: Sequence[RoundDeal]) -> str:
    named = []
    if len({one.number for one in deals}) > 1:
        named.append(_("Game {n}").format(n=deal.number))
    if len({one.seats for one in deals}) > 1:
        named.append(ngettext("{n} player", "{n} players", deal.seats).format(n=deal.seats))
    return ", ".join(named)


def _state(deal: RoundDeal, anything: bool) -> str:
    if not deal.deal.sealed:
        return "" if anything else _("None of these games was played to the end.")
    if anything:
        return _("Other games with these tiles are still being played.")
    return _(
        "The boards and the comparison are hidden until all games with these tiles are over, "
        "or for players in one of them, until their own is."
    )


def _seats(games: Sequence[Game], tables: Mapping[int, int]) -> list[ComparedSeat]:
    by_pk = {game.pk: game for game in games}
    scores = {
        game.pk: [(seat.player_id or 0, seat.score) for seat in game.seats.all()]  # 0: no league has bots
        for game in games
    }
    people: dict[PlayerId, NameLink] = {
        seat.player.pk: link_player(seat.player) for game in games for seat in game.seats.all() if seat.player
    }
    return [_seat(field, by_pk, tables, people) for field in compare(scores)]


def _seat(
    field: SeatField,
    games: Mapping[int, Game],
    tables: Mapping[int, int],
    people: Mapping[PlayerId, NameLink],
) -> ComparedSeat:
    lines = [
        ComparedLine(
            who=people[one.player],
            table=_("Table {n}").format(n=tables.get(one.table, "")),
            url=reverse("games:table", args=[games[one.table].code]),
            score=str(one.score),
            against_field=format_with_sign(one.against_field),
            lead=format_with_sign(one.lead),
        )
        for one in field.results
    ]
    return ComparedSeat(seat_name(field.seat), lines, tenths(field.score), format_with_sign(field.lead))


def seat_name(index: int) -> str:
    """Name a seat by its index; seat 0 begins."""
    names = (
        _("First seat"),
        _("Second seat"),
        _("Third seat"),
        _("Fourth seat"),
        _("Fifth seat"),
        _("Sixth seat"),
    )
    return names[index]


def tenths(value: Fraction) -> str:
    """Format a mean with one decimal in the reader's language; whole numbers have none."""
    exact = Decimal(value.numerator) / value.denominator
    rounded = abs(exact).quantize(Decimal("0.1"))
    shown = number_format(rounded, 0 if rounded == rounded.to_integral() else 1)
    return MINUS + shown if value < 0 and rounded else shown


def format_with_sign(value: Fraction) -> str:
    """Format a mean as ``tenths`` does, with its sign."""
    shown = tenths(value)
    return f"+{shown}" if value > 0 and shown != "0" else shown
