"""The rules of a game, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Game, Visibility
from games.pages.rulebook import contents
from games.selectors.lists import build_table_agreement
from games.words import rule_sets

SEEN_BY: Mapping[str, Any] = {
    Visibility.PUBLIC: gettext_lazy("Public: everyone can see the board and the table talk."),
    Visibility.LINK: gettext_lazy("By link: anyone with the link can see the board and the table talk."),
    Visibility.PRIVATE: gettext_lazy("Private: only the players can see the board and the table talk."),
}


class GameRules(NamedTuple):
    """The rules of a game. The texts are callables, as templates cache them for all viewers."""

    seen_by: str
    brief: Callable[[], tuple[tuple[str, str], ...]]
    all: Callable[[], list[tuple[str, str]]]
    pages: Callable[[], list[contents.Page]]  # of the rule book


def build_game_rules(game: Game) -> GameRules:
    """Return the rules by which *game* is played."""
    return GameRules(
        seen_by=_seen_by(game),
        brief=lambda: _rules(game),
        all=lambda: [(_("Time"), build_table_agreement(game).text), *rule_sets.list_rules(game.rules)],
        pages=lambda: contents.list_pages_for_rules(game.rules),
    )


def _rules(game: Game) -> tuple[tuple[str, str], ...]:
    return (
        *rule_sets.list_rules_in_brief(game.rules),
        (_("Time"), build_table_agreement(game).line),
        (_("Rated"), _("yes") if game.rated else _("no")),
        (_("Hints"), _aids(game)),
        (_("Visible to"), _seen_by(game)),
    )


def _seen_by(game: Game) -> str:
    if game.deal is not None and game.deal.sealed:
        return _(
            "Its players. Other games draw the same tiles, so nobody else can see the board "
            "and the table talk until all of them are over."
        )
    return str(SEEN_BY[game.visibility])


def _aids(game: Game) -> str:
    """Say whether aids are shown: things that players could also work out themselves."""
    if not game.purist:
        return _("all: chances, dead spaces, majorities, points to come")
    if game.ended:
        return _("none while the game was played")
    return _("none until the game is over")
