"""Tests of permissions to see, join, talk and resign."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from games import access, tables
from games.models import Room, Status
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns

pytestmark = pytest.mark.django_db
STRANGER = AnonymousUser()


def sees(visitor: Any, game: Any) -> bool:
    try:
        return access.get_game_or_404(visitor, game.code) == game
    except Http404:
        return False


@pytest.mark.parametrize(
    ("visibility", "seen", "listed"),
    [("public", True, True), ("link", True, False), ("private", False, False)],
)
def test_what_strangers_see(visibility: str, seen: bool, listed: bool) -> None:
    game = make_game(visibility=visibility)
    for stranger in (STRANGER, make_player("Stranger")):
        assert sees(stranger, game) is seen
        assert access.find_listed_games(stranger).filter(pk=game.pk).exists() is listed
        assert not access.may_resign(access.find_seat(stranger, game), game)


@pytest.mark.parametrize("visibility", ["public", "link", "private"])
def test_what_players_see_and_may(visibility: str) -> None:
    game = make_game(visibility=visibility)
    bruno = game.seats.get(index=1).player
    assert sees(bruno, game)
    assert access.find_listed_games(bruno).get() == game
    assert access.find_chat_room(bruno, game, seated=True) == Room.TABLE
    assert access.may_resign(access.find_seat(bruno, game), game)
    assert not access.may_join(bruno, game)


def test_nothing_is_found_under_a_guessed_code() -> None:
    with pytest.raises(Http404):
        access.get_game_or_404(STRANGER, "aaaaaaaaaaaa")


def test_an_invited_player_sees_a_private_table_and_may_join() -> None:
    game, bruno = make_table(visibility="private"), make_player("Bruno")
    assert not sees(bruno, game)
    assert not access.may_join(bruno, game)
    invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=NOW)
    assert sees(bruno, game)
    assert access.may_join(bruno, game)
    assert access.find_listed_games(bruno).get() == game
    tables.decline(token=invitation.token, player=bruno, now=NOW)
    assert not sees(bruno, game)


def test_guests_and_bots_join_nothing() -> None:
    game = make_table()
    assert not access.may_join(STRANGER, game)
    assert not access.may_join(make_player("Robot", is_bot=True), game)
    assert access.may_join(make_player("Bruno"), game)


def test_who_resigned_may_not_resign_again_but_still_sees_the_game() -> None:
    from games import play

    game = play_turns(make_game(seats=3, visibility="private"), 3)
    seat = game.seats.select_related("player").get(index=2)
    play.resign(game_id=game.pk, seat=2, now=NOW)
    assert not access.may_resign(access.find_seat(seat.player, game), game)
    assert sees(seat.player, game)


def test_spectators_talk_among_themselves_and_strangers_not_at_all() -> None:
    game, zoe = make_game(), make_player("Zoe")
    assert access.find_chat_room(zoe, game, seated=False) == Room.GALLERY
    assert access.find_chat_room(STRANGER, game, seated=False) is None
    assert access.find_chat_room(zoe, make_table(), seated=False) is None


def test_players_hear_the_spectators_when_the_game_is_over() -> None:
    game = make_game()
    assert access.list_visible_rooms(game, seated=True) == (Room.TABLE,)
    assert access.list_visible_rooms(game, seated=False) == (Room.TABLE, Room.GALLERY)
    game.status = Status.FINISHED
    assert access.list_visible_rooms(game, seated=True) == (Room.TABLE, Room.GALLERY)
