"""Features and figures on a board, in words: size, place, worth and owners."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.numerals import format_minus
from games.rules import Deploy, Feature, Meeple, Recall, Spot, State
from games.rules.geometry import get_cell
from games.rules.scoring import compute_worth, list_paying_cities
from games.rules.tiles import FIELD, SURROUNDED, Rotated

from .scores import format_points
from .vocabulary import RETURNS, name_cell, name_figure, name_kind, name_side, name_spot


def format_sized(feature: Feature) -> str:
    """A feature and its size: "road of 3 tiles", "monastery with 4 tiles of nine"."""
    if feature.kind in SURROUNDED:
        here = 9 - feature.open_ends
        return ngettext("{kind} with {n} tile of nine", "{kind} with {n} tiles of nine", here).format(
            kind=name_kind(feature.kind), n=here
        )
    return format_sized_as(feature.kind, feature.tiles)


def format_sized_as(on: str, tiles: int) -> str:
    """A kind of feature and its number of tiles: "road of 3 tiles"."""
    return ngettext("{kind} of {n} tile", "{kind} of {n} tiles", tiles).format(kind=name_kind(on), n=tiles)


def format_owners(meeples: Iterable[Meeple], names: Sequence[str]) -> str:
    count: dict[int, int] = {}
    for meeple in meeples:
        count[meeple.seat] = count.get(meeple.seat, 0) + 1
    return ", ".join(
        names[seat]
        if n == 1
        else pgettext("player, number of meeples", "{player} × {n}").format(player=names[seat], n=n)
        for seat, n in sorted(count.items())
    )


def format_whereabouts(state: State, at: Spot, *, exact: bool = False) -> str:
    """Say where a spot is; and by which side, where the tile has several of the kind, or to be *exact*."""
    place = name_cell(at.x, at.y)
    lying = state.board.tiles[get_cell(at.x, at.y)]
    if at.side and (exact or sum(lie.kind == at.on for lie in lying.lies) > 1):
        place = pgettext("a place on the board (side)", "{place} ({side})").format(
            place=place, side=name_side(at.on, at.side, lying)
        )
    return place


def describe_feature(state: State, feature: Feature, names: Sequence[str], *, exact: bool = False) -> str:
    """A feature, where it lies, what it would pay now, and who stands on it; *exact* as above."""
    place = format_whereabouts(state, state.board.spot_of(feature), exact=exact)
    if feature.kind == FIELD:
        cities = len(list_paying_cities(state, feature))
        value = ngettext("{n} completed city", "{n} completed cities", cities).format(n=cities)
    else:
        pays = feature.complete or state.rules.options["incomplete_scores"]
        terms = compute_worth(state, feature, complete=feature.complete) if pays else ()
        value = format_points(sum(term.points for term in terms))
    owners = format_owners(feature.meeples, names) if feature.meeples else _("nobody")
    return _("{feature} at {place}, {value}. On it: {owners}.").format(
        feature=format_sized(feature), place=place, value=value, owners=owners
    )


def label_figure(state: State, chosen: Deploy | Recall | None, lying: Rotated | None = None) -> str:
    """Say what a turn does with a meeple, on a tile *lying* so: "Knight: city (north)"."""
    if isinstance(chosen, Deploy):
        return _("{figure}: {spot}").format(
            figure=name_figure(chosen.meeple, chosen.on).capitalize(),
            spot=name_spot(chosen.on, chosen.side, lying),
        )
    if isinstance(chosen, Recall):
        figure = state.find_recalled_figure(chosen)
        return f"{RETURNS[figure].label}: {name_cell(chosen.x, chosen.y)}"
    return _("No meeple")


def describe_edges(state: State) -> str:
    """Say how far a limited table reaches (HR-10); empty where it has no edges."""
    if state.edges is None:
        return ""
    west, east, north, south = map(format_minus, state.edges)
    said = _("The table reaches from column {west} to column {east} and from row {north} to row {south}.")
    return said.format(west=west, east=east, north=north, south=south)
