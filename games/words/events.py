"""What happened, as sentences: one for each event of the rules that a reader is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

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
)
from games.rules.modules.count import CountMoved, Entered, Transferred
from games.rules.modules.cult import DuelLost
from games.rules.modules.king_and_robber import CardTaken
from games.rules.modules.traders_and_builders import GoodsTaken
from games.rules.modules.winter import GingerbreadLeft, GingerbreadMoved

from .grammar import with_an
from .scores import term
from .vocabulary import FIGURES, GOODS, QUARTERS, cell, figure, kind, spot, tile_words

FURTHER = {
    "hole": gettext_lazy("{player} fills a hole and has one more turn."),
    "volcano": gettext_lazy("{player} places the volcano and has one more turn."),
    "builder": gettext_lazy("{player}'s builder brings one more turn."),
}
"""What brings a further turn."""


def _placed(event: Placed, names: Sequence[str]) -> str:
    return _("{player} placed a tile at {place}.").format(
        player=names[event.seat], place=cell(event.x, event.y)
    )


def _deployed(event: Deployed, names: Sequence[str]) -> str:
    return _("{player} deployed a {figure}: {spot}.").format(
        player=names[event.seat],
        figure=figure(event.meeple, event.on),
        spot=spot(event.on, event.side),
    )


def _completed(event: Completed, names: Sequence[str]) -> str:
    if event.on in ("monastery", "garden", "shrine"):
        return _("{player} completed a {kind}.").format(player=names[event.seat], kind=kind(event.on))
    return ngettext(
        "{player} completed a {kind} of {n} tile.", "{player} completed a {kind} of {n} tiles.", event.tiles
    ).format(player=names[event.seat], kind=kind(event.on), n=event.tiles)


def _scored(event: Scored, names: Sequence[str]) -> str:
    return ngettext(
        "{player} scores {n} point for a {kind} ({terms}).",
        "{player} scores {n} points for a {kind} ({terms}).",
        event.points,
    ).format(
        player=names[event.seat],
        n=event.points,
        kind=kind(event.on),
        terms=", ".join(term(one) for one in event.terms),
    )


def _returned(event: Returned, names: Sequence[str]) -> str:
    return _("A {figure} of {player} comes home.").format(
        player=names[event.seat], figure=figure(event.meeple, event.on)
    )


def _discarded(event: Discarded, names: Sequence[str]) -> str:
    return _("A tile fits nowhere and leaves the game: {tile}. {player} draws again.").format(
        tile=tile_words(event.tile), player=names[event.seat]
    )


def _put_aside(event: PutAside, names: Sequence[str]) -> str:
    return _("A tile fits nowhere and is put aside: {tile}. {player} draws again.").format(
        tile=tile_words(event.tile), player=names[event.seat]
    )


def _drawn(event: Drawn, names: Sequence[str]) -> str:
    return _("{player} draws a tile.").format(player=names[event.seat])


def _card_taken(event: CardTaken, names: Sequence[str]) -> str:
    return _("{player} takes the {card}.").format(player=names[event.seat], card=kind(event.card))


def _goods_taken(event: GoodsTaken, names: Sequence[str]) -> str:
    return pgettext("goods of a completed city", "{player} takes {n} × {goods}.").format(
        player=names[event.seat], n=event.tokens, goods=GOODS[event.goods]
    )


def _transferred(event: Transferred, names: Sequence[str]) -> str:
    return _("A {figure} of {player} leaves the {quarter}: {spot} at {place}.").format(
        figure=FIGURES[event.meeple],
        player=names[event.seat],
        quarter=QUARTERS[event.quarter],
        spot=spot(event.on, event.side),
        place=cell(event.x, event.y),
    )


_SILENT = (Asked, Answered, Dealing, HandReady)

_SENTENCES: Mapping[type, Callable[[Any, Sequence[str]], str]] = {
    Placed: _placed,
    Deployed: _deployed,
    Completed: _completed,
    Scored: _scored,
    Returned: _returned,
    Discarded: _discarded,
    Drawn: _drawn,
    TurnPassed: lambda event, names: _("It is {player}'s turn.").format(player=names[event.seat]),
    LastTurnPlayed: lambda event, names: _("The last tile is played."),
    Finished: lambda event, names: _("The final scoring is done."),
    FurtherTurn: lambda event, names: str(FURTHER[event.source]).format(player=names[event.seat]),
    Started: lambda event, names: _("The start tile is drawn and laid."),
    PutAside: _put_aside,
    PutBack: lambda event, names: _("The tiles put aside go back into the bag."),
    Dealt: lambda event, names: _("{player} draws a tile to hold.").format(player=names[event.seat]),
    CardTaken: _card_taken,
    GoodsTaken: _goods_taken,
    DuelLost: lambda event, names: _("The {kind} at {place} is beaten: its figures go home.").format(
        kind=kind(event.on), place=cell(event.x, event.y)
    ),
    Entered: lambda event, names: _("{player} sends a {figure} to Carcassonne: {quarter}.").format(
        player=names[event.seat], figure=FIGURES[event.meeple], quarter=QUARTERS[event.quarter]
    ),
    CountMoved: lambda event, names: _("The Count goes to the {quarter}.").format(
        quarter=QUARTERS[event.quarter]
    ),
    Transferred: _transferred,
    GingerbreadMoved: lambda event, names: _("The Gingerbread Man walks to the city at {place}.").format(
        place=cell(event.x, event.y)
    ),
    GingerbreadLeft: lambda event, names: _("The Gingerbread Man leaves the board."),
}


def event_sentence(event: Event, names: Sequence[str]) -> str:
    """*event* as a sentence with the players' *names* by seat; empty for what only moves the game on."""
    return "" if isinstance(event, _SILENT) else with_an(_SENTENCES[type(event)](event, names))


UNTOLD = (Answered, Asked, Dealing, Dealt, Drawn, HandReady, LastTurnPlayed, TurnPassed)
"""What a page or a mail says in other words, or not at all: that a turn begins, or a tile is drawn."""


def tells(event: Event) -> bool:
    """Whether *event* belongs into a story."""
    return not isinstance(event, UNTOLD) and not (isinstance(event, Scored) and not event.points)
