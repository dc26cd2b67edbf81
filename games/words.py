"""Sentences in the reader's language for what the rules say in codes: errors, events, tiles' parts.

The rules know codes and parameters only. Everything here is worded when it is shown or sent, so it comes in
the language that is active then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _

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
    IllegalAction,
    LastTurnPlayed,
    Placed,
    PutAside,
    PutBack,
    Returned,
    Scored,
    Started,
    Term,
    TurnPassed,
)
from games.rules.modules.count import CountMoved, Entered, Transferred
from games.rules.modules.cult import DuelLost
from games.rules.modules.king_and_robber import CardTaken
from games.rules.modules.traders_and_builders import GoodsTaken
from games.rules.modules.winter import GingerbreadLeft, GingerbreadMoved
from games.rules.notation import BadNotation
from games.rules.tiles import FIELD, tile

KINDS = {
    "city": gettext_lazy("city"),
    "road": gettext_lazy("road"),
    "field": gettext_lazy("field"),
    "monastery": gettext_lazy("monastery"),
    "garden": gettext_lazy("garden"),
    "shrine": gettext_lazy("shrine"),
    "river": gettext_lazy("river"),
    "king": gettext_lazy("King"),
    "robber": gettext_lazy("Robber Baron"),
    "goods": gettext_lazy("majority of goods"),
    "gingerbread": gettext_lazy("visit of the Gingerbread Man"),
}
FIGURES = {
    "follower": gettext_lazy("follower"),
    "large": gettext_lazy("large follower"),
    "abbot": gettext_lazy("abbot"),
    "builder": gettext_lazy("builder"),
    "pig": gettext_lazy("pig"),
}
ROLES = {
    "city": gettext_lazy("knight"),
    "road": gettext_lazy("highwayman"),
    "field": gettext_lazy("farmer"),
    "monastery": gettext_lazy("monk"),
    "shrine": gettext_lazy("heretic"),
}
SIDES = {
    "N": gettext_lazy("north"),
    "E": gettext_lazy("east"),
    "S": gettext_lazy("south"),
    "W": gettext_lazy("west"),
    "NNW": gettext_lazy("north, western half"),
    "NNE": gettext_lazy("north, eastern half"),
    "ENE": gettext_lazy("east, northern half"),
    "ESE": gettext_lazy("east, southern half"),
    "SSE": gettext_lazy("south, eastern half"),
    "SSW": gettext_lazy("south, western half"),
    "WSW": gettext_lazy("west, southern half"),
    "WNW": gettext_lazy("west, northern half"),
    "I": gettext_lazy("enclosed, first"),
    "II": gettext_lazy("enclosed, second"),
}
QUARTERS = {
    "castle": gettext_lazy("castle"),
    "market": gettext_lazy("market"),
    "blacksmith": gettext_lazy("blacksmith"),
    "cathedral": gettext_lazy("cathedral"),
}
GOODS = {
    "wine": gettext_lazy("wine"),
    "grain": gettext_lazy("grain"),
    "cloth": gettext_lazy("cloth"),
}
SIGNS = {
    "inn": gettext_lazy("an inn"),
    "cathedral": gettext_lazy("a cathedral"),
    "wine": gettext_lazy("wine"),
    "grain": gettext_lazy("grain"),
    "cloth": gettext_lazy("cloth"),
    "pig_herd": gettext_lazy("a pig herd"),
}
"""What else is drawn on a feature of a tile."""
FURTHER = {
    "hole": gettext_lazy("{player} fills a hole and has one more turn."),
    "volcano": gettext_lazy("{player} places the volcano and has one more turn."),
    "builder": gettext_lazy("{player}'s builder brings one more turn."),
}
"""What brings a further turn."""


def kind(on: str) -> str:
    """``city`` in the reader's language."""
    return str(KINDS[on])


def spot(on: str, side: str | None) -> str:
    """A spot of a tile: "city (north)", "monastery"."""
    if side is None:
        return kind(on)
    return pgettext("a spot of a tile: kind of feature (side)", "{kind} ({side})").format(
        kind=kind(on), side=SIDES[side]
    )


def figure(meeple: str, on: str) -> str:
    """What a meeple is called where it stands: a follower is a knight, a highwayman, a monk or a farmer."""
    if meeple == "follower":
        return str(ROLES[on])
    return str(FIGURES[meeple])


def cell(x: int, y: int) -> str:
    """A place on the board: "column 3, row -1"."""
    return _("column {x}, row {y}").format(x=x, y=y)


def tile_words(id: str, rotation: int = 0) -> str:
    """What is printed on a tile, by the sides it is turned to; fields only where there is nothing else."""
    return _tile_words(id, rotation, get_language())


@lru_cache(maxsize=8192)
def _tile_words(id: str, rotation: int, _language: str | None) -> str:
    """The words are looked up once per process and language: every page has them by the hundred."""
    parts, shields = [], 0
    lies = tile(id).at(rotation).lies
    for lie in lies:
        signs = [str(SIGNS[mark]) for mark in lie.segment.marks if mark in SIGNS]
        if lie.kind == FIELD and not signs:
            continue
        sides = ", ".join(str(SIDES[side]) for side in lie.sides)
        part = kind(lie.kind)
        if sides:
            part = pgettext("a feature of a tile and its sides", "{kind} {sides}").format(
                kind=part, sides=sides
            )
        if lie.segment.shields:
            shields = lie.segment.shields
            part = ngettext("{city} with {n} shield", "{city} with {n} shields", shields).format(
                city=part, n=shields
            )
        if signs:
            part = pgettext("a feature of a tile and what is drawn on it", "{part} with {signs}").format(
                part=part, signs=", ".join(signs)
            )
        parts.append(part)
    if "volcano" in tile(id).marks:
        parts.append(_("volcano"))
    return "; ".join(parts) or (kind(FIELD) if lies else _("The city of Carcassonne"))


COUNTED = frozenset({"tiles", "shields", "cities", "roads"})
"""Terms that bring so many points for each."""


def term(one: Term) -> str:
    """A summand of a score: "5 tiles: 10"."""
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_counted(one), points=one.points
    )


def _counted(one: Term) -> str:
    """What a summand counts: "5 tiles"."""
    names = {
        "tiles": ngettext("{n} tile", "{n} tiles", one.count),
        "shields": ngettext("{n} shield", "{n} shields", one.count),
        "cities": ngettext("{n} completed city", "{n} completed cities", one.count),
        "roads": ngettext("{n} completed road", "{n} completed roads", one.count),
        "inn": ngettext("{n} inn", "{n} inns", one.count),
        "cathedral": ngettext("{n} cathedral", "{n} cathedrals", one.count),
        "pig": _("own pig"),
        "pig_herd": _("pig herd"),
        "knights": ngettext("{n} knight", "{n} knights", one.count),
        "cards": ngettext("{n} card", "{n} cards", one.count),
        "wine": ngettext("{n} barrel of wine", "{n} barrels of wine", one.count),
        "grain": ngettext("{n} sack of grain", "{n} sacks of grain", one.count),
        "cloth": ngettext("{n} bale of cloth", "{n} bales of cloth", one.count),
    }
    return names[one.name].format(n=one.count)


def sum_of(one: Scored) -> str:
    """How a scoring adds up: "6 tiles × 1 + 2 shields × 1 = 8"."""
    said = ""
    for part in one.terms:
        sign = "−" if part.points < 0 else "+"
        said += f" {sign} {_summand(part)}" if said or part.points < 0 else _summand(part)
    return f"{said} = {one.points}" if said else str(one.points)


def _summand(part: Term) -> str:
    """*part* without its sign, as a product where it is one."""
    worth = abs(part.points)
    if part.count and part.name in COUNTED and worth == part.count * (worth // part.count):
        return pgettext("a summand of a score: what counts, points for each", "{what} × {each}").format(
            what=_counted(part), each=worth // part.count
        )
    return pgettext("a summand of a score: what counts, points", "{what}: {points}").format(
        what=_counted(part), points=worth
    )


def points(count: int) -> str:
    return ngettext("{n} point", "{n} points", count).format(n=count)


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


_A_BEFORE_VOWEL = re.compile(r"(?<![\w.-])([Aa]) (?=[aeiou])")  # and no name that ends so, such as team-a
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
    return "" if isinstance(event, _SILENT) else _with_an(_SENTENCES[type(event)](event, names))


def _with_an(sentence: str) -> str:
    """English sentences say "a {figure}"; before a vowel, as of the abbot, it is "an"."""
    return _A_BEFORE_VOWEL.sub(r"\1n ", sentence) if get_language() == "en" else sentence


_REFUSALS = {
    "place_first": gettext_lazy("Place the tile first."),
    "draw_first": gettext_lazy("No tile has been drawn yet."),
    "other_tile": gettext_lazy("This is not the tile that was drawn."),
    "no_such_tile_left": gettext_lazy("No copy of this tile is left."),
    "not_adjacent": gettext_lazy("A tile must lie beside a placed one. Choose one of the marked spaces."),
    "no_such_rotation": gettext_lazy(
        "A tile can only be turned by quarter turns: 0, 90, 180 or 270 degrees."
    ),
    "cell_taken": gettext_lazy("A tile lies there already. Choose one of the marked spaces."),
    "edge_differs": gettext_lazy("Turned like that, the tile's {side} side does not match its neighbour."),
    "forbidden_placement": gettext_lazy("The rules of this game don't allow the tile there."),
    "no_such_spot": gettext_lazy("The tile has no such spot for a meeple. Choose one of the marked spots."),
    "none_in_supply": gettext_lazy("You have no {figure} left in your supply."),
    "no_farmers": gettext_lazy("This game is played without farmers."),
    "occupied": gettext_lazy("Somebody already stands on that {kind}. Choose a free one, or no meeple."),
    "wrong_figure": gettext_lazy("A {figure} may not stand there."),
    "nothing_to_recall": gettext_lazy("No figure can be taken back there."),
    "not_offered": gettext_lazy("This can't be chosen now."),
    "drawn_too_early": gettext_lazy("Other tiles come first."),
    "no_figures_here": gettext_lazy("No meeple may be put on this tile."),
    "no_follower_there": gettext_lazy("The {figure} needs a follower of yours there."),
    "game_over": gettext_lazy("The game is over."),
    "final_scoring_waits": gettext_lazy("The last tile is played; the final scoring is under way."),
}


_FORBIDDEN = {
    "HR-10": gettext_lazy("That space lies beyond the edge of the table. Choose one of the marked spaces."),
    "RIVER-5": gettext_lazy("The river must go on where it ends. Choose one of the marked spaces."),
    "RIVER-6": gettext_lazy("The river would bend back. Turn the tile otherwise."),
    "RIVER-8": gettext_lazy(
        "The river would run into itself. Turn the tile otherwise, or choose one of the marked spaces."
    ),
    **dict.fromkeys(
        ("CULT-2", "CULT-3"),
        gettext_lazy(
            "A shrine may have only one monastery beside it, and a monastery only one shrine."
            " Choose one of the marked spaces."
        ),
    ),
}
"""Placements that match their neighbours and that a rule forbids all the same, by its number."""


def refusal(error: IllegalAction) -> str:
    """Why the rules refuse, as a sentence that says what to do and names the rule."""
    params = dict(error.params)
    side = params.get("side")
    forbidden = _FORBIDDEN.get(error.rule) if error.code == "forbidden_placement" else None
    sentence = str(forbidden or _REFUSALS[error.code]).format(
        **{
            **params,
            "side": SIDES.get(side, "") if side else "",
            "kind": KINDS.get(params.get("on", ""), ""),
            "figure": FIGURES.get(params.get("meeple", ""), ""),
        }
    )
    return pgettext("a sentence and the number of the rule", "{sentence} (rule {rule})").format(
        sentence=_with_an(sentence), rule=error.rule
    )


_BAD_LINES = {
    "no_turn": gettext_lazy("“{line}” is no turn. Write for example: {example}"),
    "no_tile": gettext_lazy("The line does not say which tile. Begin it with the name of one: {example}"),
    "no_such_tile": gettext_lazy("There is no tile called {tile}."),
    "no_such_rotation": gettext_lazy("r{rotation} is no quarter turn. Write r0, r90, r180 or r270."),
    "no_such_figure": gettext_lazy("“{word}” is no figure. Leave it out for a follower."),
    "no_such_feature": gettext_lazy("“{word}” is no feature. Write city, road, field or monastery."),
    "no_such_side": gettext_lazy("“{word}” is no side. Write N, E, S or W, for a field a half such as NNE."),
}


def bad_line(error: BadNotation, *, example: str = "") -> str:
    """What is wrong with a line of notation, as a sentence. *example*: a line as it could be written now."""
    usual = "base.U@3,-1 r90" if error.code == "no_tile" else "3,-1 r90 city N"
    return str(_BAD_LINES[error.code]).format(**error.params, example=example or usual)
