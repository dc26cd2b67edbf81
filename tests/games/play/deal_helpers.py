"""Deals, and games that share the draw of one."""

from typing import Any

from accounts.models import Player
from games import play, tables
from games.clocks import Ladder, TimeoutStep
from games.models import Deal, Game
from games.rules import RuleSet
from games.tables.settings import TableSettings
from tests.games.factories import NOW, make_player, play_turns

NO_SUBSTITUTE = Ladder(excuses=0, holiday=False, last=TimeoutStep.LOSS)


def make_table_settings(seats: int = 2, ladder: Ladder = NO_SUBSTITUTE, **options: Any) -> TableSettings:
    sets = options.pop("sets", ("base",))
    return TableSettings(rules=RuleSet.of(seats=seats, sets=sets, options=options), ladder=ladder)


def make_deal(seats: int = 2, **rules: Any) -> Deal:
    return play.create_deal(rules=make_table_settings(seats, **rules).rules, now=NOW)


def get_or_make_player(name: str) -> Player:
    return Player.objects.filter(username=name).first() or make_player(name)


def begin_game_of_deal(deal: Deal | None, *names: str, **rules: Any) -> Game:
    """Begin a game of the players of these names, with the draw of *deal*."""
    settings = make_table_settings(len(names), **rules)
    return tables.begin_game(
        players=[get_or_make_player(name) for name in names], settings=settings, now=NOW, deal=deal
    )


def list_drawn_kinds(game: Game) -> list[str]:
    return list(game.tiles.order_by("draw").values_list("kind", flat=True))


def play_and_resign(game: Game, turns: int = 2) -> Game:
    """Play some *turns* of *game*, and let the awaited player resign."""
    game = play_turns(game, turns)
    assert game.awaited is not None
    play.resign(game_id=game.pk, seat=game.awaited, now=NOW)
    game.refresh_from_db()
    assert game.ended
    return game


def close_deal(deal: Deal) -> Deal:
    play.close_deal(deal_id=deal.pk, now=NOW)
    deal.refresh_from_db()
    return deal
