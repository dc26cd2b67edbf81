"""Tests of which notices are still relevant when they are to be sent."""

import pytest
from pytest_django.fixtures import Settings

from games import play, tables
from games.models import Game, Kind, Notice
from games.notices import relevance
from games.notices.reply_address import ReplyToken
from games.notices.reply_options import build_reply_options
from games.pages.scene import Scene
from tests.games.factories import NOW, make_game, make_player, make_table

pytestmark = pytest.mark.django_db


def owe(kind: Kind, game: Game, name: str) -> Notice:
    player = make_player(name)
    return Notice.objects.create(
        key=f"test.{kind}", kind=kind, game=game, recipient=player, created=NOW, due=NOW, next_try=NOW
    )


def test_that_a_table_waits_is_told_while_it_does() -> None:
    table = make_table()
    notice = owe(Kind.NUDGE, table, "Zoe")
    assert relevance.why_not(notice, NOW) == "stale", "nobody has been asked to keep it"
    Game.objects.filter(pk=table.pk).update(nudged=NOW)
    assert relevance.why_not(Notice.objects.get(pk=notice.pk), NOW) == ""
    tables.cancel(game_id=table.pk, player=table.host, now=NOW)
    assert relevance.why_not(Notice.objects.get(pk=notice.pk), NOW) == "stale"


def test_who_invited_and_has_left_hears_nothing_of_the_answer() -> None:
    table = make_table(seats=3)
    bruno, clara = make_player("Bruno"), make_player("Clara")
    tables.sit(game_id=table.pk, player=bruno, now=NOW)
    asked = tables.invite(game_id=table.pk, inviter=bruno, player=clara, now=NOW)
    tables.leave(game_id=table.pk, player=bruno, now=NOW)
    tables.decline(token=asked.token, player=clara, now=NOW)
    told = {
        notice.recipient: relevance.why_not(notice, NOW) for notice in Notice.objects.filter(kind="declined")
    }
    assert told == {bruno: "stale", table.host: ""}


@pytest.mark.parametrize(("kind", "why"), [(Kind.MODERATION, ""), (Kind.GAME_OVER, "unwanted")])
def test_who_sits_there_no_longer_hears_of_moderators_alone(kind: Kind, why: str) -> None:
    assert relevance.why_not(owe(kind, make_game(), "Zoe"), NOW) == why


def test_players_hear_of_moderators_too() -> None:
    game = make_game()
    notice = owe(Kind.MODERATION, game, "Zoe")
    notice.recipient = game.seats.get(index=0).player
    assert relevance.why_not(notice, NOW) == ""
    play.resign(game_id=game.pk, seat=0, now=NOW)
    assert relevance.why_not(Notice.objects.get(pk=notice.pk), NOW) == ""


def test_without_a_domain_for_replies_no_mail_can_be_answered(settings: Settings) -> None:
    game = make_game()
    scene = Scene.of(game, game.seats.get(index=game.awaited).player)
    settings.REPLY_DOMAIN = "reply.example.org"
    assert build_reply_options(scene) is not None
    settings.REPLY_DOMAIN = ""
    assert build_reply_options(scene) is None


def test_only_the_question_whether_to_resign_has_an_address_that_confirms_it() -> None:
    assert not ReplyToken(1, 2, 3).confirms_resigning
