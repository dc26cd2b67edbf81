"""Tests of the result of a game in words."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from games import play
from games.models import Ending, Game, SeatState, Status
from games.pages.parts.result import build_result, find_decisive_turn
from games.pages.scene import Scene
from tests.games.factories import NOW, heart_beats, make_game, play_turns

pytestmark = pytest.mark.django_db


def ended(
    *scores: int,
    ranks: tuple[int, ...] = (),
    ending: str = Ending.PLAYED,
    states: dict[int, str] | None = None,
) -> Game:
    """A game that ended so, with a rank by score unless given; its board doesn't matter."""
    game = make_game(seats=len(scores), now=NOW)
    ranks = ranks or tuple(1 + sum(other > score for other in scores) for score in scores)
    for index, (score, rank) in enumerate(zip(scores, ranks, strict=True)):
        state = (states or {}).get(index, SeatState.PLAYING)
        game.seats.filter(index=index).update(score=score, rank=rank, state=state)
    Game.objects.filter(pk=game.pk).update(
        status=Status.FINISHED, ending=ending, finished=NOW, awaited=None, deadline=None
    )
    game.refresh_from_db()
    game.loaded_seats = None
    return game


def told(game: Game, seat: int | None = None) -> tuple[str, str]:
    """The heading and the second line for the player of *seat*, or for an onlooker."""
    player: Any = AnonymousUser() if seat is None else game.seats.get(index=seat).player
    found = build_result(Scene.of(game, player))
    return found.heading, found.remark.replace("\N{NO-BREAK SPACE}", " ")


def test_who_won_is_told_with_the_points_between_first_and_second() -> None:
    game = ended(100, 97, 96)
    assert told(game, 0) == ("You won by 3 points", "100 to Bruno's 97 and Clara's 96")
    assert told(game, 1) == ("Anna won by 3 points", "100 to your 97 and Clara's 96")
    assert told(game) == ("Anna won by 3 points", "100 to Bruno's 97 and Clara's 96")


def test_one_point_is_one() -> None:
    assert told(ended(50, 51))[0] == "Bruno won by 1 point"


def test_shared_places_are_a_draw() -> None:
    game = ended(97, 97, 96)
    assert told(game) == ("Anna and Bruno drew at 97", "ahead of Clara's 96")
    assert told(game, 1) == ("You and Anna drew at 97", "ahead of Clara's 96")
    assert told(game, 2) == ("Anna and Bruno drew at 97", "ahead of your 96")


def test_all_may_share_the_first_place() -> None:
    assert told(ended(40, 40)) == ("Anna and Bruno drew at 40", "")


def test_by_resignation_and_on_time_the_reason_takes_the_second_line() -> None:
    resigned = ended(10, 30, ranks=(1, 2), ending=Ending.RESIGNED, states={1: SeatState.RESIGNED})
    assert told(resigned, 0) == ("You won", "Bruno resigned.")
    assert told(resigned, 1) == ("Anna won", "You resigned.")
    late = ended(
        10, 30, 4, ranks=(1, 2, 2), ending=Ending.TIME_OUT, states=dict.fromkeys((1, 2), SeatState.TIMED_OUT)
    )
    assert told(late) == ("Anna won", "Bruno and Clara ran out of time.")


def test_moderators_and_the_hard_end_are_told() -> None:
    assert told(ended(10, 30, ranks=(1, 2), ending=Ending.DECIDED)) == (
        "Anna won",
        "A moderator decided the result.",
    )
    game = ended(10, 30, ranks=(1, 2), ending=Ending.HARD_END)
    assert told(game, 0)[1] == "Time was up for the game, and you had used less of it."
    assert told(game, 1)[1] == "Time was up for the game, and Anna had used less of it."
    assert told(ended(10, 30, ranks=(1, 1), ending=Ending.HARD_END)) == (
        "Anna and Bruno drew",
        "Time was up for the game.",
    )


def test_whoever_left_is_not_whom_the_winner_beat() -> None:
    """Bruno resigned with more points, and ranks last."""
    game = ended(20, 30, 15, ranks=(1, 3, 2), states={1: SeatState.RESIGNED})
    assert told(game) == ("Anna won by 5 points", "20 to Clara's 15 and Bruno's 30")


def test_a_game_that_ended_early_has_no_winner() -> None:
    game = play.resign(game_id=make_game(now=NOW).pk, seat=0, now=NOW)
    assert told(game, 1) == (
        f"{game.name} ended early",
        "The game ended before everyone had played: a player resigned.",
    )


def test_where_points_did_not_decide_there_is_no_turning_point() -> None:
    heart_beats(timezone.now())
    game = play_turns(make_game(now=timezone.now()), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    moves = list(game.moves.in_force().order_by("version").values_list("ply", "events"))
    scene = Scene.of(game, AnonymousUser())
    found = find_decisive_turn(scene, moves)
    assert found is not None and 1 <= found.turn <= game.ply
    for ending in (Ending.RESIGNED, Ending.TIME_OUT, Ending.DECIDED, Ending.HARD_END):
        game.ending = ending
        assert find_decisive_turn(scene, moves) is None
    game.ending = Ending.PLAYED
    for seat in scene.seats:
        seat.rank = 3 - (seat.rank or 0)  # a moderator found otherwise
    assert find_decisive_turn(scene, moves) is None
