"""Tests of the history of a game in words."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from core.numerals import format_minus
from games import play, words
from games.models import Ending, Game, How, Move
from games.pages.parts.score_sheet import build_sheet
from games.pages.parts.story import (
    build_final_scoring,
    build_story,
    build_story_entries,
    format_result,
    list_last_placements,
)
from games.pages.scene import Scene
from games.rules import Completed, Placed, Scored
from games.selectors.moves import load_recent_moves
from games.selectors.seats import list_seat_names
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return make_game(seats=3, now=timezone.now())


def seats_of(game: Game) -> list:
    return list(game.seats.select_related("player").order_by("index"))


def scene(game: Game, seat: int | None = None) -> Scene:
    """The scene of *game* for the player of *seat*, or for a spectator."""
    player = None if seat is None else seats_of(game)[seat].player
    return Scene.of(game, player or AnonymousUser())


def plies_told(game: Game, seat: int | None) -> list[int]:
    return [one.ply for one in build_story(scene(game, seat), load_recent_moves(game), None).told if one.ply]


def test_a_player_is_told_everything_since_their_own_last_turn(game: Game) -> None:
    game = play_turns(game, 11, now=timezone.now())
    assert [plies_told(game, seat) for seat in range(2)] == [[11], [9, 10, 11]]


def test_who_has_just_played_is_told_the_last_round(game: Game) -> None:
    game = play_turns(game, 11, now=timezone.now())
    assert plies_told(game, 1) == [9, 10, 11]


def test_people_in_the_reasons_of_moderators_are_named_by_one_query(
    game: Game, django_assert_num_queries: Any
) -> None:
    kim, lou = make_player("kim"), make_player("lou")
    acts = [
        {"type": "moderate", "act": "rate", "reason": f"Asked for by <@{player.pk}>."}
        for player in (kim, lou)
    ]
    moves = [
        {"version": number, "ply": None, "seat": None, "action": act, "events": [], "how": How.MODERATOR}
        for number, act in enumerate(acts, 1)
    ]
    at = scene(game)
    assert at.names and at.looks
    with django_assert_num_queries(1):
        told = build_story_entries(at, moves)
    assert [one.sentences[0].rpartition("by ")[2] for one in told] == ["kim.", "lou."]


def test_a_stranger_is_told_the_last_round(game: Game) -> None:
    game = play_turns(game, 11, now=timezone.now())
    assert plies_told(game, None) == [9, 10, 11]


def test_in_the_first_round_all_is_told(game: Game) -> None:
    game = play_turns(game, 2, now=timezone.now())
    assert plies_told(game, None) == [1, 2]


def test_the_moves_read_do_not_grow_with_the_game(game: Game) -> None:
    game = play_turns(game, 60, now=timezone.now())
    assert len(load_recent_moves(game)) <= 4 * 3 + 6
    assert len(load_recent_moves(game, game.version - 50)) == 50
    assert len(list_last_placements(load_recent_moves(game), 3)) == 3


def test_who_resigned_is_told(game: Game) -> None:
    game = play_turns(game, 4, now=timezone.now())
    play.resign(game_id=game.pk, seat=2, now=timezone.now())
    game.refresh_from_db()
    lines = build_story_entries(scene(game), load_recent_moves(game))
    assert lines[-1].sentences == ("Clara resigned.",)


def test_the_final_scoring_is_told_feature_by_feature_and_adds_up(game: Game) -> None:
    game = play_turns(game, now=timezone.now())
    before = [seat.score for seat in seats_of(game)]
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    seats = seats_of(game)
    parts = build_final_scoring(scene(game), load_recent_moves(game))
    gained = [seat.score - score for seat, score in zip(seats, before, strict=True)]
    for part, name, points in zip(parts, list_seat_names(seats), gained, strict=True):
        assert part.heading == f"{name}: {points} point{'' if points == 1 else 's'}"


def test_the_score_sheet_runs_to_the_scores(game: Game) -> None:
    game = play_turns(game, now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    seats = seats_of(game)
    moves = Move.objects.filter(game=game).order_by("version").values_list("ply", "events")
    sheet = build_sheet(moves, seats)
    assert sheet.totals == tuple(seat.score for seat in seats)
    assert (
        tuple(sum(column) for column in zip(*(points for _kind, points in sheet.kinds), strict=True))
        == sheet.totals
    )
    running = {name: 0 for name in list_seat_names(seats)}
    for part in sheet.parts:
        for _seat, player, scored, total in part.lines:
            running[player] += scored.points
            assert total == running[player]


def test_who_is_left_alone_wins_whatever_the_points_are() -> None:
    game = play_turns(make_game(), 6)
    game = play.resign(game_id=game.pk, seat=0, now=NOW)
    assert format_result(scene(game)) == "Bruno has won by resignation."
    game.ending = Ending.TIME_OUT
    assert format_result(scene(game)) == "Bruno has won on time."


def test_a_turn_is_told_in_one_line_and_what_it_brought(game: Game) -> None:
    game = play_turns(game, 60, now=timezone.now())
    names = scene(game).names
    lines = [entry for entry in build_story_entries(scene(game), load_recent_moves(game, 0)) if entry.ply]
    assert len(lines) == 60
    for line in lines:
        name, place, *_more = line.line.split(" · ")
        assert line.placement is not None
        assert (name, place) == (
            names[line.placement[2]],
            format_minus(f"{line.placement[0]}, {line.placement[1]}"),
        )
        assert ("knight" in line.line) == any(
            "knight: city" in said for said in line.sentences if "deployed" in said
        )
        closed = sum("completed a" in said for said in line.sentences)
        assert bool(closed) == ("closes a" in line.line or "completes a" in line.line)
        points = [
            int(number) for said in line.sentences for number in re.findall(r"scores (\d+) point", said)
        ]
        assert sum(map(int, re.findall(r"\+(\d+)", line.gains))) == sum(points)
    assert any(line.gains for line in lines)


def test_the_points_of_others_are_told_by_name() -> None:
    road = Scored(1, "road", 3, (), 0, 0, "N", True)
    mine = Scored(0, "city", 4, (), 0, 0, "N", True)
    events = [
        Placed(0, "base.A", 5, -1, 0),
        Completed(0, "road", 5, -1, "N", 3),
        Completed(0, "road", 5, -1, "S", 2),
    ]
    assert words.summarise_turn([*events, mine, road], ("Anna", "Bruno")) == (
        ("5, −1", "closes a road × 2"),
        {0: 4, 1: 3},
    )
    assert words.summarise_turn(events[1:], ("Anna", "Bruno")) is None, "no tile, no line"
