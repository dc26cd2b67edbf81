"""Games with questions of expansions: reproducible random play up to the wanted question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from django.utils import timezone

from games.models import Game
from games.rules import Action, Draw, Pass, RuleSet
from games.rules import Game as Position
from games.rules.modules.count import Enter, Transfer
from games.rules.modules.winter import Walk
from games.rules.notation import write
from games.rules.playout import pick_random_action
from tests.games.factories import bag_of, heart_beats, make_game, play_lines
from tests.games.play.decision_helpers import CREATOR_BEGINS, make_entering_game, make_transferring_game


@dataclass(frozen=True)
class Question:
    """Question of the step *kind* with answers that satisfy *wanted*. On the way to it *preferred* actions
    are played wherever they are legal."""

    name: str
    kind: str
    wanted: Callable[[Position, Sequence[Action]], bool]
    chosen: Mapping[str, Any]
    preferred: Sequence[Action] = field(default=())

    @cached_property
    def position(self) -> Position:
        """The position in which the rules wait for the answer."""
        for seed in range(400):
            game, random = Position.new(RuleSet.of(**self.chosen)), Random(seed)
            while game.decision.kind != "over":
                legal = game.legal_actions()
                if game.decision.kind == self.kind and self.wanted(game, list(legal)):
                    return game
                preferred = next((one for one in self.preferred if one in legal), None)
                game = game.play(preferred or pick_random_action(game, random))
        raise LookupError(f"{self.name} is not asked in 400 games")

    def game(self) -> Game:
        """Return the same game on the site."""
        game, last = self.game_and_last_line()
        return play_lines(game, last, now=timezone.now())

    def game_and_last_line(self) -> tuple[Game, str]:
        """Return the game on the site before the last action, and that action."""
        now = timezone.now()
        heart_beats(now)
        actions = [played.action for played in self.position.played]
        drawn = [action.tile for action in actions if isinstance(action, Draw)]
        lines = [write(action) for action in actions if not isinstance(action, Draw)]
        bag = bag_of(self.position.rules, *drawn)
        return play_lines(make_game(bag=bag, now=now, **self.chosen), *lines[:-1], now=now), lines[-1]


def _both_may_enter(game: Position, legal: Sequence[Action]) -> bool:
    return (
        len({action.meeple for action in legal if isinstance(action, Enter)}) == 2
        and len(game.state.board.tiles) > 22
    )


def _several_may_leave(game: Position, legal: Sequence[Action]) -> bool:
    moves = [action for action in legal if isinstance(action, Transfer)]
    return len({move[3:] for move in moves}) > 1 and max((move.followers for move in moves), default=0) > 1


def _ways_out(game: Position, legal: Sequence[Action]) -> bool:
    return sum(isinstance(action, Transfer) for action in legal) > 1


def _two_cities_on_a_tile(game: Position, legal: Sequence[Action]) -> bool:
    cells = [(action.x, action.y) for action in legal if isinstance(action, Walk)]
    return len(cells) > 4 and len(set(cells)) < len(cells)


ENTERING = Question(
    "a follower or the large one may enter",
    "enter",
    _both_may_enter,
    {"seats": 3, "sets": ("base", "inns-and-cathedrals", "count"), "options": CREATOR_BEGINS},
)
LEAVING = Question(
    "figures may leave before the scoring",
    "transfer",
    _ways_out,
    {"seats": 3, "sets": ("base", "count"), "options": CREATOR_BEGINS},
)
LEAVING_AT_END = Question(
    "several figures may leave a quarter at once, for several features",
    "transfer_at_end",
    _several_may_leave,
    {"seats": 4, "sets": ("base", "count"), "options": {**CREATOR_BEGINS, "count_final": "all_quarters"}},
    (Enter("blacksmith"), Pass()),
)
WALKING = Question(
    "the Gingerbread Man may walk to several cities, two of them on one tile",
    "gingerbread",
    _two_cities_on_a_tile,
    {"seats": 2, "sets": ("base", "winter"), "options": {**CREATOR_BEGINS, "gingerbread": True}},
)
QUESTIONS = (ENTERING, LEAVING, LEAVING_AT_END, WALKING)


def entering_where_the_count(moves: str) -> Game:
    """Make a game in which Bruno has completed Anna's road and may enter, with the option ``count_move``."""
    now = timezone.now()
    heart_beats(now)
    return make_entering_game(now=now, options={"count_move": moves})


def one_way_out() -> Game:
    """Make a game in which Bruno may move one figure to the only road that is about to be scored."""
    now = timezone.now()
    heart_beats(now)
    return make_transferring_game(now=now)
