"""Tests of the end stored with seats, by which lists find running and finished games."""

from datetime import timedelta

import pytest

from games import play, tables
from games.models import Game, Seat
from games.play import moderation
from games.play.audit import find_differences
from tests.games.factories import NOW, make_game, make_table, play_turns

from .moderating import asked

pytestmark = pytest.mark.django_db


def ended(game: Game) -> set[object]:
    return set(game.seats.values_list("ended", flat=True))


def test_when_it_is_over_and_not_before() -> None:
    game = play_turns(make_game(), 4)
    assert ended(game) == {None}
    play.resign(game_id=game.pk, seat=0, now=NOW + timedelta(hours=1))
    assert ended(game) == {NOW + timedelta(hours=1)}


def test_of_a_table_that_is_cancelled() -> None:
    table = make_table()
    tables.cancel(game_id=table.pk, player=table.host, now=NOW)
    assert ended(table) == {NOW}


def test_no_longer_when_a_moderator_lets_it_go_on() -> None:
    game = play_turns(make_game(), 4)
    game = play.resign(game_id=game.pk, seat=0, now=NOW)
    moderation.roll_back(asked(game), game.ply - 1)
    game.refresh_from_db()
    assert game.finished is None and ended(game) == {None}


def test_the_audit_finds_seats_that_lack_it() -> None:
    game = play.resign(game_id=play_turns(make_game(), 4).pk, seat=0, now=NOW)
    assert find_differences(game) == []
    Seat.objects.update(ended=None)
    assert {difference.where for difference in find_differences(game)} == {"seat 0 ended", "seat 1 ended"}
