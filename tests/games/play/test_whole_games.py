"""Tests of whole games with random events: resignations, timeouts, repeated requests."""

import random
from datetime import datetime, timedelta

import pytest

from games import play
from games.bots import house
from games.exceptions import GameOver, NotYourTurn, StaleTurn
from games.models import Game, Move, Notice, Result, SeatState, Status
from games.play import positions
from games.play.audit import find_differences, find_draw_faults
from tests.games.factories import NOW, heart_beats, make_game

pytestmark = pytest.mark.django_db


def live(game: Game, chance: random.Random) -> None:
    """Play *game* to its end with random events."""
    now = NOW
    while game.status == Status.PLAYING:
        now += timedelta(minutes=chance.randint(1, 600))
        heart_beats(now)
        what = chance.random()
        seat = game.seats.get(index=game.awaited)
        if what < 0.01:
            play.resign(game_id=game.pk, seat=chance.randrange(game.places), now=now)
        elif what < 0.02 and game.deadline is not None:
            now = game.deadline + timedelta(hours=1)
            heart_beats(now)
            Notice.objects.filter(game=game, sent=None, dropped=None).update(sent=now)
            assert play.lose_on_time(game_id=game.pk, now=now)
        else:
            take_turn(game, seat.left, seat.played_by_program, now, chance)
        game.refresh_from_db()
    if game.status == Status.SCORING:
        assert play.score(game_id=game.pk, now=now)
    game.refresh_from_db()


def take_turn(game: Game, left: bool, by_program: bool, now: datetime, chance: random.Random) -> None:
    position = positions.load_position(game)
    action = chance.choice(list(position.legal_actions()))
    if left:
        action = house.choose(position.state, figures=False)
    if game.deadline is not None:
        now = min(now, game.deadline)
    turn = {
        "game_id": game.pk,
        "seat": game.awaited,
        "action": action,
        "expected_version": game.version,
        "now": now,
        "how": ("time-out" if left else "bot") if by_program else "web",
    }
    after = play.play(**turn)
    if chance.random() < 0.1:
        assert play.play(**turn).version == after.version, "the same again is a success"
    if chance.random() < 0.1:
        with pytest.raises((StaleTurn, NotYourTurn, GameOver)):
            play.play(**(turn | {"action": action._replace(x=action.x + 60)}))


@pytest.mark.parametrize("story", range(6))
def test_whatever_happens_the_rows_say_what_the_moves_say(story: int) -> None:
    chance = random.Random(story)
    seats = chance.randint(2, 5)
    game = make_game(
        seats=seats,
        bots=chance.randint(0, seats - 1),
        days_per_move=chance.choice((1, 2, 3, 5, 7, 14)),
        options={"first_player": "random"},
    )
    live(game, chance)
    assert find_differences(game) == []
    assert find_draw_faults(game) == []
    versions = list(Move.objects.filter(game=game).order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, game.version + 1))
    assert not Notice.objects.filter(game=game, sent=None, dropped=None, kind="your_turn").exists()
    if game.status == Status.FINISHED:
        ranks = sorted(game.seats.values_list("state", "rank"))
        worst_who_stayed = max(rank for state, rank in ranks if state == SeatState.PLAYING)
        assert all(rank > worst_who_stayed for state, rank in ranks if state != SeatState.PLAYING)
        winners = game.seats.exclude(result=Result.LOST)
        assert {seat.rank for seat in winners} == {1}
    else:
        assert game.rated is False
