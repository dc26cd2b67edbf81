"""Games in which a seat has timed out."""

from datetime import timedelta
from typing import Any

from games import play
from games.clocks import Ladder, TimeoutStep
from games.models import Game, Kind, Notice, SeatState
from tests.games.factories import NOW, heart_beats, make_game, play_turns

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CLAIM = Ladder(excuses=0, holiday=False, last=TimeoutStep.CLAIM)


def time_out(game: Game) -> Game:
    """Send every notice of *game* and run the sweep an hour after its deadline; return the game."""
    assert game.deadline is not None
    now = game.deadline + HOUR
    heart_beats(now)
    Notice.objects.exclude(kind=Kind.TABLE).filter(sent=None, dropped=None).update(sent=NOW)
    play.lose_on_time(game_id=game.pk, now=now)
    game.refresh_from_db()
    return game


def make_offered_game(**settings: Any) -> Game:
    """Make a game of three in which the caretaker keeps Clara's seat, and has played its first turn."""
    settings.setdefault("ladder", Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE))
    game = time_out(play_turns(make_game(seats=3, **settings), 5))
    assert game.seats.get(index=2).state == SeatState.OFFERED
    return play_turns(game, 1, now=get_time_after_last_move(game))


def get_time_after_last_move(game: Game) -> Any:
    """The moment a minute after the last move, when the caretaker has just been called."""
    assert game.turn_began is not None
    return max(game.turn_began, game.moves.latest("version").at) + MINUTE


def make_claimable_game(**settings: Any) -> Game:
    """A game in which Bruno may claim the win over Anna."""
    return time_out(play_turns(make_game(ladder=CLAIM, **settings), 4))
