"""Nudges: once a day, of a player who has had a day for a turn."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse

from games import play, tasks
from games.clocks import DAY, ClockSettings, Counting
from games.conduct import blocks
from games.exceptions import Refused, TooMany
from games.models import Game, Holiday, Kind, Notice, Seat
from games.play.nudges import PATIENCE
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns
from tests.html import Page

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATER = NOW + PATIENCE


def make_waiting_game(**settings: Any) -> tuple[Game, Seat, Seat]:
    """Make a game, and return it with the awaited seat and an opponent's; nothing is owed."""
    game = make_game(**settings)
    Notice.objects.update(sent=NOW)
    awaited = game.seats.get(index=game.awaited)
    opponent = game.seats.exclude(index=game.awaited).filter(player__isnull=False).order_by("index")[0]
    return game, awaited, opponent


def nudges() -> list[Notice]:
    return list(Notice.objects.filter(kind=Kind.REMINDER))


@time_machine.travel(LATER, tick=False)
def test_the_player_on_turn_is_mailed_whom_they_keep_waiting() -> None:
    game, awaited, opponent = make_waiting_game()
    heart_beats(LATER)
    play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)
    tasks.deliver_notices()
    (message,) = mail.outbox
    assert message.to == [awaited.player.email]  # type: ignore[union-attr]
    assert opponent.player is not None
    name = opponent.player.username
    assert message.subject == f"{name} is waiting for you in {game.name}"
    told = f"{name} is waiting for you in {game.name}, and asked us to remind you."
    assert told in message.body and told in message.alternatives[0][0]


def test_an_opponent_has_to_wait_for_a_day() -> None:
    game, _awaited, opponent = make_waiting_game()
    with pytest.raises(Refused, match="after they've had a day"):
        play.nudge(game_id=game.pk, seat=opponent.index, now=LATER - HOUR)
    assert nudges() == []


def test_once_a_day_whoever_does() -> None:
    game, _awaited, _opponent = make_waiting_game(seats=3)
    others = game.seats.exclude(index=game.awaited)
    first, second = (seat.index for seat in others)
    play.nudge(game_id=game.pk, seat=first, now=LATER)
    for seat in (first, second):
        with pytest.raises(TooMany, match="already been nudged today"):
            play.nudge(game_id=game.pk, seat=seat, now=LATER + 5 * HOUR)
    play.nudge(game_id=game.pk, seat=second, now=LATER + 24 * HOUR)
    assert len(nudges()) == 2


def test_nobody_nudges_themselves_or_a_bot() -> None:
    game, awaited, _opponent = make_waiting_game()
    with pytest.raises(Refused):
        play.nudge(game_id=game.pk, seat=awaited.index, now=LATER)
    with_bot, awaited, _opponent = make_waiting_game(seats=3, bots=1)
    Seat.objects.filter(pk=awaited.pk).update(player=None, bot="house")
    opponent = with_bot.seats.filter(player__isnull=False)[0]
    with pytest.raises(Refused):
        play.nudge(game_id=with_bot.pk, seat=opponent.index, now=LATER)
    assert nudges() == []


def test_not_while_the_clock_stands_still() -> None:
    game, _awaited, opponent = make_waiting_game()
    begin, end = (LATER - HOUR).isoformat(), (LATER + HOUR).isoformat()
    Game.objects.filter(pk=game.pk).update(stops=[[begin, end, "pause"]])
    with pytest.raises(Refused):
        play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)


def test_not_on_a_weekend_that_stops_the_clock() -> None:
    make_player("Anna", weekend_days=[LATER.weekday()])
    for weekends, refused in ((Counting.STOP, True), (Counting.COUNT, False)):
        clock = ClockSettings(start=3 * DAY, gain=DAY, cap=7 * DAY, weekends=weekends)
        game, awaited, opponent = make_waiting_game(clock=clock)
        assert awaited.player is not None and awaited.player.username == "Anna"
        with pytest.raises(Refused) if refused else nullcontext():
            play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)


def test_not_on_holiday() -> None:
    game, awaited, opponent = make_waiting_game()
    Holiday.objects.create(player=awaited.player, begin=LATER - HOUR, end=LATER + HOUR, entered=NOW)
    with pytest.raises(Refused):
        play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)
    play.nudge(game_id=game.pk, seat=opponent.index, now=LATER + HOUR)
    assert len(nudges()) == 1


def test_not_by_who_is_blocked() -> None:
    game, awaited, opponent = make_waiting_game()
    assert awaited.player is not None and opponent.player is not None
    blocks.block(player=awaited.player, blocked=opponent.player, now=NOW)
    with pytest.raises(Refused):
        play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)
    assert nudges() == []


def test_changes_nothing_in_the_game() -> None:
    game, _awaited, opponent = make_waiting_game()
    before = Game.objects.filter(pk=game.pk).values().get()
    play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)
    assert Game.objects.filter(pk=game.pk).values().get() == before


def test_is_no_longer_sent_when_the_turn_is_played() -> None:
    game, _awaited, opponent = make_waiting_game()
    play.nudge(game_id=game.pk, seat=opponent.index, now=LATER)
    play_turns(game, 1, now=LATER)
    assert [nudge.why_dropped for nudge in nudges()] == ["stale"]


class TestBoard:
    @pytest.mark.parametrize(("hours", "shown"), [(23, False), (25, True)])
    def test_offers_it_after_a_day(self, hours: int, shown: bool, client: Client) -> None:
        game, _awaited, opponent = make_waiting_game()
        assert opponent.player is not None
        client.force_login(opponent.player)
        url = reverse("games:nudge", args=[game.code])
        with time_machine.travel(NOW + hours * HOUR, tick=False):
            page = Page(client.get(reverse("games:table", args=[game.code])))
            assert page.has(f"form[action='{url}']") == shown

    def test_offers_it_once(self, client: Client) -> None:
        game, awaited, opponent = make_waiting_game()
        assert opponent.player is not None and awaited.player is not None
        url, table = (reverse(f"games:{name}", args=[game.code]) for name in ("nudge", "table"))
        with time_machine.travel(LATER, tick=False):
            client.force_login(opponent.player)
            assert client.post(url).status_code == 302
            assert not Page(client.get(table)).has(f"form[action='{url}']")
            client.force_login(awaited.player)
            assert not Page(client.get(table)).has(f"form[action='{url}']")
        assert len(nudges()) == 1
