"""Sentences for refusals by the rules and for unreadable lines, saying what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy, pgettext

from games.rules import IllegalAction
from games.rules.notation import BadNotation

from .grammar import add_article
from .vocabulary import FIGURES, KINDS, SIDES

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_REFUSALS = {
    "place_first": gettext_lazy("Place the tile first."),
    "draw_first": gettext_lazy("No tile has been drawn yet."),
    "other_tile": gettext_lazy("This is not the tile that was drawn."),
    "no_such_tile_left": gettext_lazy("There are no copies of this tile left."),
    "not_adjacent": gettext_lazy("The tile must touch another one. Choose one of the marked spaces."),
    "no_such_rotation": gettext_lazy(
        "You can only rotate a tile by quarter turns: 0, 90, 180 or 270 degrees."
    ),
    "cell_taken": gettext_lazy("There is already a tile there. Choose one of the marked spaces."),
    "edge_differs": gettext_lazy("Rotated that way, the tile's {side} side doesn't match its neighbour."),
    "forbidden_placement": gettext_lazy("The rules of this game don't allow the tile there."),
    "no_such_spot": gettext_lazy(
        "There's no such spot for a meeple on this tile. Choose one of the marked spots."
    ),
    "none_in_supply": gettext_lazy("You have no {figure} left in your supply."),
    "no_farmers": gettext_lazy("This game is played without farmers."),
    "occupied": gettext_lazy("That {kind} is already taken. Choose a free one, or no meeple."),
    "wrong_figure": gettext_lazy("A {figure} can't go there."),
    "nothing_to_recall": gettext_lazy("You have no figure to return from there."),
    "not_offered": gettext_lazy("You can't choose this now."),
    "drawn_too_early": gettext_lazy("Other tiles come first."),
    "no_figures_here": gettext_lazy("You can't put a meeple on this tile."),
    "no_follower_there": gettext_lazy("The {figure} needs one of your followers there."),
    "game_over": gettext_lazy("The game is over."),
    "final_scoring_waits": gettext_lazy("The last tile has been played; the final scoring is in progress."),
}

FORBIDDEN: dict[str, StrOrPromise] = {
    "HR-10": gettext_lazy("That space is off the table. Choose one of the marked spaces."),
}
"""Refusals of placements that match their neighbours but are forbidden by a rule, by its number."""


def explain_refusal(error: IllegalAction) -> str:
    """Say why the rules refuse, as a sentence that says what to do and names the rule."""
    params = dict(error.params)
    side = params.get("side")
    forbidden = FORBIDDEN.get(error.rule) if error.code == "forbidden_placement" else None
    sentence = str(forbidden or _REFUSALS[error.code]).format(
        **{
            **params,
            "side": SIDES.get(side, "") if side else "",
            "kind": KINDS.get(params.get("on", ""), ""),
            "figure": FIGURES.get(params.get("meeple", ""), ""),
        }
    )
    return pgettext("a sentence and the number of the rule", "{sentence} (rule {rule})").format(
        sentence=add_article(sentence), rule=error.rule
    )


_BAD_LINES = {
    "no_turn": gettext_lazy("“{line}” isn't a turn. For example, type: {example}"),
    "no_such_space": gettext_lazy("There is no space with the number {number}. Choose one from the list."),
    "no_such_spot": gettext_lazy("There is no spot with the letter {letter} on this tile."),
    "no_tile": gettext_lazy("The line doesn't say which tile. Start it with the name of one: {example}"),
    "no_such_tile": gettext_lazy("There is no tile called {tile}."),
    "no_such_rotation": gettext_lazy("r{rotation} isn't a quarter turn. Type r0, r90, r180 or r270."),
    "no_such_figure": gettext_lazy("“{word}” isn't a figure. Leave it out for a follower."),
    "no_such_feature": gettext_lazy("“{word}” isn't a feature. Type city, road, field or monastery."),
    "no_such_side": gettext_lazy(
        "“{word}” isn't a side. Type N, E, S or W, or for a field a half such as NNE."
    ),
}


def explain_bad_line(error: BadNotation, *, example: str = "") -> str:
    """Say what is wrong with a line of notation, as a sentence. *example*: a line as it could be written
    now."""
    usual = "base.U@3,-1 r90" if error.code == "no_tile" else "3,-1 r90 city N"
    return str(_BAD_LINES[error.code]).format(**error.params, example=example or usual)
