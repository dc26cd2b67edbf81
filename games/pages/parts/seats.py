"""Seats beside the board: points, figures, cards, goods, tiles; and the figures in the city of
Carcassonne."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import words
from games.drawing.board import get_figure_symbol
from games.models import Seat, SeatState, Status
from games.pages.parts.player_summary import format_absence
from games.pages.scene import Scene
from games.pages.scene.picture import Miniature, build_miniature
from games.rules import State
from games.rules.tiles import FOLLOWER
from games.words import clocks, times
from games.words.expansion import TokenWords
from games.words.grammar import format_ordinal


class FigureCount(NamedTuple):
    """Figures of one kind and seat, other than followers in its hand, or in a quarter."""

    symbol: str
    name: str
    number: int


class QuarterCard(NamedTuple):
    """A quarter of Carcassonne and who is in it."""

    name: str
    chips: tuple[FigureCount, ...]
    serves: str  # the kinds of features that are joined from there
    token: str = ""  # the figure there that belongs to no seat

    @property
    def token_words(self) -> TokenWords:
        """Return what *token* is called; ``KeyError`` where there is none."""
        return words.TOKENS[self.token]


class SeatCard(NamedTuple):
    """A seat beside the board."""

    index: int  # type: ignore[assignment]  # nobody searches in this tuple
    look: int
    name: str
    url: str  # of the player's page, if there is one
    score: int
    meeples: int  # followers in hand
    others: tuple[FigureCount, ...]
    holds: tuple[str, ...]  # cards and goods, in words
    hand: tuple[Miniature, ...]  # tiles that it holds for everybody to see
    hidden: str  # its tiles that nobody else may see, in words
    awaited: bool
    mine: bool
    bank: str  # the time that it has for turns to come; empty where nothing is saved, or its clock runs
    remark: str  # resigned, lost on time, away, which place, has looked at the turn
    winner: bool

    @property
    def kept(self) -> tuple[str, ...]:
        """Goods, cards and saved time."""
        return (*self.holds, *filter(None, (self.bank,)))


def build_seat_cards(
    scene: Scene, *, then: bool = False, turn_seen: bool = False, scores: Sequence[int] | None = None
) -> tuple[SeatCard, ...]:
    """Build the seats as they stand, with other *scores* if given; *then*, in the past, without what became
    of them since. *turn_seen*: the player awaited has seen the turn, and lets the viewer know.

    The scores of a game that is over are those of its result, which may not be those of the board."""
    state, awaited = scene.state, None if then else scene.game.awaited
    now = timezone.now()
    banks = not then and scene.game.status == Status.PLAYING and clocks.saves_time(scene.game.clock)
    if scores is None:
        over = scene.game.ended and not then
        scores = [seat.score for seat in scene.seats] if over else state.scores
    return tuple(
        SeatCard(
            index=seat.index,
            look=seat.look,
            name=scene.names[seat.index],
            url=seat.player_url,
            score=scores[seat.index],
            meeples=state.supply[seat.index].get(FOLLOWER, 0),
            others=list_other_figures(state, seat),
            holds=list_holdings(state, seat.index),
            hand=_hand(state, seat.index),
            hidden=_describe_hidden_tiles(state, seat.index),
            awaited=seat.index == awaited,
            mine=seat == scene.me,
            bank=_bank(seat) if banks and seat.index != awaited else "",
            remark="" if then else _remark(seat, now, seen=turn_seen and seat.index == awaited),
            winner=not then and seat.has_won,
        )
        for seat in scene.seats
    )


def _hand(state: State, seat: int) -> tuple[Miniature, ...]:
    held = state.hands[seat] if state.hands else ()
    return tuple(build_miniature(tile) for tile in held if tile is not None)


def format_hand(tiles: Sequence[str]) -> str:
    """Tiles that a seat holds, each in words."""
    return ngettext("has this tile: {tiles}", "has these tiles: {tiles}", len(tiles)).format(
        tiles=" / ".join(tiles)
    )


def _describe_hidden_tiles(state: State, seat: int) -> str:
    held = state.hands[seat] if state.hands else ()
    count = sum(tile is None for tile in held)
    return ngettext("{n} hidden tile", "{n} hidden tiles", count).format(n=count) if count else ""


def _bank(seat: Seat) -> str:
    if seat.played_by_program:
        return ""
    return _("time bank {time}").format(time=times.format_compact(seat.bank))


def _remark(seat: Seat, now: datetime, *, seen: bool) -> str:
    said = []
    if seat.offered:
        said.append(_("the bot is standing in"))
    elif seat.state != SeatState.PLAYING:
        said.append(str(seat.get_state_display()))
    elif seat.player is not None and not seat.rank:
        said += filter(None, [format_absence(seat.player, now)])
    if seen:
        said.append(pgettext("of a turn that its player has looked at", "has seen the turn"))
    if seat.counted_rank:
        said.append(format_ordinal(seat.counted_rank))
    return ", ".join(said)


def list_other_figures(state: State, seat: Seat) -> tuple[FigureCount, ...]:
    """The figures of *seat* in hand besides followers, as far as they are in play."""
    return tuple(
        FigureCount(get_figure_symbol(seat.look, figure, ""), str(words.FIGURES[figure]), number)
        for figure, number in state.supply[seat.index].items()
        if figure != FOLLOWER and number
    )


def list_holdings(state: State, seat: int) -> tuple[str, ...]:
    """The cards and goods of *seat*, in words."""
    return tuple(words.name_holding(holding) for holding in state.holdings(seat))


def build_quarters(scene: Scene) -> tuple[QuarterCard, ...]:
    """The quarters of Carcassonne; none where the city is not in play."""
    cards = []
    for quarter in scene.state.quarters():
        inside = Counter(quarter.figures)
        chips = tuple(
            FigureCount(
                get_figure_symbol(seat.look, figure, ""),
                pgettext("figure and whose it is", "{figure} ({player})").format(
                    figure=words.FIGURES[figure], player=scene.names[seat.index]
                ),
                number,
            )
            for seat in scene.seats
            for (owner, figure), number in sorted(inside.items())
            if owner == seat.index
        )
        name = str(words.QUARTERS[quarter.name])
        cards.append(QuarterCard(name, chips, list_served(quarter.serves), quarter.token))
    return tuple(cards)


def list_served(kinds: Iterable[str]) -> str:
    """The *kinds* of features that figures join from a quarter: "monastery, shrine"."""
    return ", ".join(words.name_kind(kind) for kind in sorted(kinds))


def format_quarters(scene: Scene) -> tuple[str, ...]:
    """Return the quarters of Carcassonne as sentences."""
    return tuple(format_quarter(quarter) for quarter in build_quarters(scene))


def format_quarter(quarter: QuarterCard) -> str:
    """One quarter and who is there: "Market: follower (Anna)", after the figure of no seat."""
    who = [str(quarter.token_words.named)] if quarter.token else []
    for chip in quarter.chips:
        many = pgettext("number and figure", "{n} × {figure}").format(n=chip.number, figure=chip.name)
        who.append(chip.name if chip.number == 1 else many)
    return _("{quarter}: {who}").format(
        quarter=quarter.name[:1].upper() + quarter.name[1:], who=", ".join(who) or _("nobody")
    )
