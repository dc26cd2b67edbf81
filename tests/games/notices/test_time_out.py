"""Tests of mails to players whose time has run out, and of who may go on."""

from html import unescape
from typing import Any

import pytest

from games import play
from games.clocks import DAY, HOUR, PRESETS, Ladder
from games.models import Game, Kind, Notice
from games.notices import email, relevance
from tests.games.factories import NOW, heart_beats, make_game, play_turns
from tests.preferences import never

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    heart_beats(NOW)
    return make_game(clock=PRESETS["steady"], ladder=Ladder(excuses=1), name="Toulouse")


def sweep(game: Game, days: float) -> None:
    Notice.objects.filter(dropped=None).update(sent=NOW)
    heart_beats(NOW + days * DAY)
    play.lose_on_time(game_id=game.pk, now=NOW + days * DAY)


def text_of(number: int) -> Any:
    notice = Notice.objects.filter(kind=Kind.TIME_OUT).order_by("pk")[number]
    mail = email.compose(notice)
    return mail.subject, " ".join(str(mail.body).split()), str(mail.alternatives[0][0])


def test_an_excuse_says_what_there_is_anew_and_how_often_it_comes(game: Game) -> None:
    sweep(game, 4)
    subject, text, html = text_of(0)
    assert subject == "Your time ran out in Toulouse: excused this time"
    assert "You're excused this time, and have another 1 d. You won't be excused again in this game." in text
    assert "Please play by 6 March 2026" in text
    assert "You won't be excused again" in unescape(html)


def test_a_holiday_says_what_it_cost_and_what_is_left(game: Game) -> None:
    sweep(game, 4)
    sweep(game, 5.5)
    subject, text, _html = text_of(1)
    assert subject == "A day of your holiday has started in Toulouse"
    assert "a day of your holiday started automatically" in text
    assert "It cost 1 of your 30 days a year; you have 29 d left in 2026." in text
    assert "My time" in text


def test_who_has_played_since_need_not_be_told(game: Game) -> None:
    sweep(game, 4)
    notice = Notice.objects.get(kind=Kind.TIME_OUT)
    assert relevance.why_not(notice, NOW + 4 * DAY) == ""
    play_turns(game, 1, now=NOW + 4 * DAY + HOUR)
    notice.refresh_from_db()
    assert relevance.why_not(Notice.objects.get(pk=notice.pk), NOW + 5 * DAY) == "stale"


def test_who_wants_none_is_not_told(game: Game) -> None:
    player = game.seats.get(index=0).player
    assert player is not None
    player.notice_timings = never("time_out")
    player.save(update_fields=["notice_timings"])
    sweep(game, 4)
    assert not Notice.objects.filter(kind=Kind.TIME_OUT).exists()
