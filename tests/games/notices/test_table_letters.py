"""Tests of mails about events at a table other than turns."""

from typing import Any

import pytest

from games import play
from games.models import Game, Kind, Notice, Seat
from games.notices import relevance, web_push
from games.notices.email import compose
from games.play import moderation
from tests.games.factories import NOW, make_game, make_player
from tests.games.play.moderating import asked
from tests.games.play.substitute_helpers import (
    DAY,
    get_time_after_last_move,
    make_claimable_game,
    make_offered_game,
)

pytestmark = pytest.mark.django_db


def mails(game: Game, act: str) -> dict[str, Any]:
    """The mails about the last *act* of the game, by recipient."""
    version = game.moves.filter(action__type=act).latest("version").version
    notices = Notice.objects.filter(game=game, version=version, kind=Kind.TABLE).select_related("recipient")
    return {notice.recipient.username: compose(notice) for notice in notices}


def test_the_player_learns_that_the_seat_is_kept_and_how_to_come_back() -> None:
    sent = mails(make_offered_game(name="Albi"), "offered")
    assert sent["Clara"].subject == "The bot is standing in for you in Albi"
    assert "You can come back until someone else takes your seat" in sent["Clara"].body
    assert sent["Anna"].subject == "The bot is standing in for a player in Albi"
    assert "come back until" not in sent["Anna"].body


def test_who_was_replaced_and_those_who_stay_learn_who_came() -> None:
    game = make_offered_game(name="Albi")
    play.take_over(game_id=game.pk, seat=2, player=make_player("Emma"), now=get_time_after_last_move(game))
    sent = mails(game, "take_over")
    assert set(sent) == {"Anna", "Bruno", "Clara"}
    assert sent["Clara"].subject == "Emma has taken over your seat in Albi"
    assert "You lost this game on time." in sent["Clara"].body
    assert sent["Anna"].subject == "Emma has taken over a seat in Albi"


def test_a_private_board_is_linked_for_those_alone_who_still_sit_there() -> None:
    game = make_offered_game(name="Albi")
    play.take_over(game_id=game.pk, seat=2, player=make_player("Emma"), now=get_time_after_last_move(game))
    Game.objects.filter(pk=game.pk).update(visibility="private")
    sent = mails(game, "take_over")
    assert game.code in sent["Anna"].body
    assert game.code not in sent["Clara"].body and f"/{game.code}/" not in sent["Clara"].alternatives[0][0]
    clara = Notice.objects.get(game=game, recipient__username="Clara", version=game.version + 1)
    assert game.code not in web_push.compose(clara).url


def test_whom_a_moderator_replaced_gets_no_link_to_a_private_board() -> None:
    game = make_game(name="Albi", visibility="private")
    act = moderation.replace(asked(game), 0, make_player("Emma"))
    told = Notice.objects.filter(game=game, version=act.version, kind=Kind.MODERATION)
    sent = {notice.recipient.username: compose(notice) for notice in told if notice.recipient}
    assert "Moderator actions in this game" in sent["Bruno"].body and game.code in sent["Bruno"].body
    assert "Emma" in sent["Anna"].body and "Moderator actions" not in sent["Anna"].body
    assert game.code not in sent["Anna"].body and f"/{game.code}/" not in sent["Anna"].alternatives[0][0]


def test_both_sides_learn_that_the_win_may_be_claimed() -> None:
    sent = mails(make_claimable_game(name="Albi"), "claimable")
    assert sent["Anna"].subject == "Your time has run out in Albi"
    assert sent["Bruno"].subject == "Anna has run out of time in Albi"
    assert "You can claim the win" in sent["Bruno"].body


def test_whom_time_is_given_learns_it() -> None:
    game = make_game(name="Albi")
    play.give_days(game_id=game.pk, seat=1, days=2, now=NOW)
    assert mails(game, "give")["Anna"].subject == "Bruno has given you time in Albi"


def test_what_is_past_is_not_told_any_more() -> None:
    game = make_offered_game()
    told = Notice.objects.filter(kind=Kind.TABLE, game=game, recipient__username="Clara")
    assert relevance.why_not(told.get(), NOW) == ""
    play.come_back(game_id=game.pk, seat=2, now=get_time_after_last_move(game))
    assert relevance.why_not(told.get(), NOW) == "stale"
    Seat.objects.filter(game=game, index=0).update(notice_timing="never")
    anna = Notice.objects.filter(kind=Kind.TABLE, recipient__username="Anna").latest("pk")
    assert relevance.why_not(anna, NOW) == "unwanted"


def test_a_claim_that_was_answered_is_not_told_any_more() -> None:
    game = make_claimable_game()
    play.give_days(game_id=game.pk, seat=1, days=3, now=game.claimable + DAY)
    told = Notice.objects.filter(kind=Kind.TABLE, recipient__username="Bruno").earliest("pk")
    assert relevance.why_not(told, NOW) == "stale"
