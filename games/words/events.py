"""Sentences for the events of the rules that readers see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.numerals import format_minus
from games.rules import (
    Answered,
    Asked,
    Completed,
    Dealing,
    Dealt,
    Deployed,
    Discarded,
    Drawn,
    Event,
    Finished,
    FurtherTurn,
    HandReady,
    LastTurnPlayed,
    Placed,
    PutAside,
    PutBack,
    Returned,
    Scored,
    Started,
    TurnPassed,
    get_tile,
)

from .grammar import add_article
from .scores import format_term
from .vocabulary import describe_tile, name_cell, name_figure, name_kind, name_spot

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from games.rules.tiles import Rotated

FURTHER: dict[str, StrOrPromise] = {
    "hole": gettext_lazy("{player} fills a hole and gets another turn."),
}
"""Sentences about a further turn, by its source."""


def _describe_placement(event: Placed, names: Sequence[str]) -> str:
    return _("{player} placed a tile at {place}.").format(
        player=names[event.seat], place=name_cell(event.x, event.y)
    )


def _describe_deployment(event: Deployed, names: Sequence[str], lying: Rotated | None = None) -> str:
    return _("{player} deployed a {figure}: {spot}.").format(
        player=names[event.seat],
        figure=name_figure(event.meeple, event.on),
        spot=name_spot(event.on, event.side, lying),
    )


def _describe_completion(event: Completed, names: Sequence[str]) -> str:
    if event.on in ("monastery", "garden", "shrine"):
        return _("{player} completed a {kind}.").format(player=names[event.seat], kind=name_kind(event.on))
    return ngettext(
        "{player} completed a {kind} of {n} tile.", "{player} completed a {kind} of {n} tiles.", event.tiles
    ).format(player=names[event.seat], kind=name_kind(event.on), n=event.tiles)


def _describe_scoring(event: Scored, names: Sequence[str]) -> str:
    return ngettext(
        "{player} scores {n} point for a {kind} ({terms}).",
        "{player} scores {n} points for a {kind} ({terms}).",
        event.points,
    ).format(
        player=names[event.seat],
        n=event.points,
        kind=name_kind(event.on),
        terms=", ".join(format_term(term) for term in event.terms),
    )


def _describe_return(event: Returned, names: Sequence[str]) -> str:
    return _("{player}'s {figure} came home.").format(
        player=names[event.seat], figure=name_figure(event.meeple, event.on)
    )


def _describe_discard(event: Discarded, names: Sequence[str]) -> str:
    return _("A tile didn't fit anywhere and left the game: {tile}. {player} drew again.").format(
        tile=describe_tile(event.tile), player=names[event.seat]
    )


def _put_aside(event: PutAside, names: Sequence[str]) -> str:
    return _("A tile didn't fit anywhere and was set aside: {tile}. {player} drew again.").format(
        tile=describe_tile(event.tile), player=names[event.seat]
    )


def _describe_draw(event: Drawn, names: Sequence[str]) -> str:
    return _("{player} drew a tile.").format(player=names[event.seat])


_SILENT = (Asked, Answered, Dealing, HandReady)

SENTENCES: dict[type, Callable[[Any, Sequence[str]], str]] = {
    Placed: _describe_placement,
    Deployed: _describe_deployment,
    Completed: _describe_completion,
    Scored: _describe_scoring,
    Returned: _describe_return,
    Discarded: _describe_discard,
    Drawn: _describe_draw,
    TurnPassed: lambda event, names: _("It's {player}'s turn.").format(player=names[event.seat]),
    LastTurnPlayed: lambda event, names: _("The last tile was played."),
    Finished: lambda event, names: _("The final scoring is complete."),
    FurtherTurn: lambda event, names: str(FURTHER[event.source]).format(player=names[event.seat]),
    Started: lambda event, names: _("The start tile was drawn and placed."),
    PutAside: _put_aside,
    PutBack: lambda event, names: _("Tiles that were set aside went back into the bag."),
    Dealt: lambda event, names: _("{player} drew a tile to hold.").format(player=names[event.seat]),
}

FORETOLD: set[type] = {FurtherTurn}
"""Events, besides completed features, that a preview tells in the same words as the page does afterwards."""

ECHOED: set[type] = {Deployed, Returned}
"""Events that result from an answer and are told by its own words."""


CLOSES: dict[str, StrOrPromise] = {
    "city": gettext_lazy("closes a city"),
    "road": gettext_lazy("closes a road"),
    "monastery": gettext_lazy("completes a monastery"),
    "garden": gettext_lazy("completes a garden"),
    "shrine": gettext_lazy("completes a shrine"),
}


class TurnSummary(NamedTuple):
    """A turn in one line."""

    parts: tuple[str, ...]  # place, figure, completed features, and other effects
    gains: Mapping[int, int]  # points by seat


def summarise_turn(events: Sequence[Event], names: Sequence[str]) -> TurnSummary | None:
    """Summarise the *events* of one move: "5, 0", "highwayman", "closes a road"; 3 points. Events that aren't
    a tile, figure, feature or score keep their sentence. ``None`` if no tile was placed."""
    placed = next((event for event in events if isinstance(event, Placed)), None)
    if placed is None:
        return None
    parts, gains = [f"{format_minus(placed.x)}, {format_minus(placed.y)}"], Counter[int]()
    closed = Counter(event.on for event in events if isinstance(event, Completed))
    parts += [name_figure(event.meeple, event.on) for event in events if isinstance(event, Deployed)]
    parts += [f"{CLOSES[on]} × {n}" if n > 1 else str(CLOSES[on]) for on, n in closed.items()]
    for event in events:
        if isinstance(event, Scored):
            gains[event.seat] += event.points
        elif is_told(event) and not isinstance(event, Placed | Deployed | Completed | Returned):
            parts.append(tell_event(event, names).rstrip("."))
    return TurnSummary(tuple(parts), +gains)


def tell_events(events: Iterable[Event], names: Sequence[str]) -> tuple[str, ...]:
    """Describe the *events* of one move that belong in a story, with the names of spots on the tile
    placed."""
    sentences = []
    lying: Rotated | None = None
    for event in events:
        if isinstance(event, Placed):
            lying = get_tile(event.tile).at(event.rotation)
        if isinstance(event, Deployed):
            sentences.append(add_article(_describe_deployment(event, names, lying)))
        elif is_told(event):
            sentences.append(tell_event(event, names))
    return tuple(sentences)


def tell_event(event: Event, names: Sequence[str]) -> str:
    """Describe *event* in a sentence with the players' *names* by seat; empty for internal events."""
    return "" if isinstance(event, _SILENT) else add_article(SENTENCES[type(event)](event, names))


UNTOLD = (Answered, Asked, Dealing, Dealt, Drawn, HandReady, LastTurnPlayed, TurnPassed)
"""Events that pages and mails tell otherwise or not at all: that a turn begins, or a tile is drawn."""


def is_told(event: Event) -> bool:
    """Return whether *event* belongs in a story."""
    return not isinstance(event, UNTOLD) and not (isinstance(event, Scored) and not event.points)
