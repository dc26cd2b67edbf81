"""Filters for games of a list, whose seats ``selectors.lists`` has loaded: their terms, seats and results."""

from django import template

from games.models import Ending, Game, Seat
from games.pages.parts.rows import build_seat_rows
from games.play.substitutes import compute_bank_when_taken
from games.selectors.lists import build_table_agreement
from games.words import rule_sets, tables
from games.words.clocks import format_rating_range

register = template.Library()
register.filter("agreement", build_table_agreement)
register.filter("name_sets", rule_sets.name_sets)
register.filter("sets_in_words", rule_sets.format_sets)
register.filter("seat_rows", build_seat_rows)
register.filter("additions", rule_sets.list_additions)
register.filter("unusual", rule_sets.list_unusual_rules)


@register.filter
def rating_range(game: Game) -> str:
    """Say for which ratings the table is; empty for any."""
    return format_rating_range(game.min_rating, game.max_rating)


@register.filter
def seats_and_free(game: Game) -> str:
    """Say how many seats there are, and how many of them are free."""
    return tables.format_seats_and_free(game.places, game.free_seats)


@register.filter
def start(game: Game) -> str:
    """Say what must happen before the game begins."""
    return tables.describe_start([seat.kept_for for seat in game.seated if seat.kept], game.free_seats)


@register.filter
def final_scores(game: Game) -> str:
    """Join the scores of all seats, the winner's first; empty if points didn't count, as all others left, or
    time or the contest decided the game."""
    if game.verdict is not None and not game.verdict.agrees_with(game.seated):
        return ""
    if game.ending in (Ending.RESIGNED, Ending.TIME_OUT, Ending.HARD_END):
        return ""
    return " : ".join(str(seat.score) for seat in game.seats_by_rank)


@register.filter
def leavers(game: Game) -> str:
    """Name the players who left before the end."""
    return ", ".join(f"{seat.name}: {seat.absence}" for seat in game.seated if seat.absence)


@register.filter
def time_at_hand(seat: Seat) -> str:
    """Say which clock a substitute takes over with *seat*."""
    clock = seat.game.clock
    return tables.format_time_at_hand(compute_bank_when_taken(seat, clock), clock.gain)
