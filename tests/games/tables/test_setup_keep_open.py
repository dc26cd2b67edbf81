"""Tests of open tables that nobody joins: the host is asked before they close."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client

from games import tables, tasks
from games.clocks import ClockSettings
from games.exceptions import Refused
from games.models import Ending, Game, Kind, Notice, Status
from games.notices import relevance
from games.notices.email import compose
from tests.games.factories import NOW, heart_beats, make_player, make_table
from tests.games.views.at_tables import said
from tests.games.visitors import signed_in, url
from tests.html import Page
from tests.preferences import never

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def swept(game: Game, now: Any) -> Game:
    """*game* after a sweep."""
    heart_beats(now)
    with time_machine.travel(now, tick=False):
        tasks.sweep()
        tasks.close_tables()  # queued by the call above
    game.refresh_from_db()
    return game


def test_the_host_is_asked_once_a_week_before_the_table_closes() -> None:
    game = make_table(seats=3, name="Albi")
    make_table(seats=3, name="Young", now=NOW + 10 * DAY)
    assert swept(game, NOW + 21 * DAY - timedelta(minutes=1)).nudged is None
    for hour in (1, 2, 30):
        swept(game, NOW + 21 * DAY + timedelta(hours=hour))
    (notice,) = Notice.objects.filter(kind=Kind.NUDGE)
    mail = compose(notice)
    assert (mail.subject, mail.to) == ("Keep Albi open?", ["anna@example.org"])
    waiting = "Your table Albi is still waiting for 2 players. It closes automatically on 29 March 2026."
    assert waiting in mail.body
    assert url(game, "keep") in mail.body
    assert swept(game, NOW + 28 * DAY + DAY).ending == Ending.EXPIRED


def test_one_click_keeps_it_for_another_four_weeks_and_then_it_is_asked_again() -> None:
    game = make_table(seats=3, name="Albi")
    now = NOW + 22 * DAY
    swept(game, now)
    with time_machine.travel(now + DAY, tick=False):
        page = Page(signed_in("Anna").get(url(game, "keep")))
        assert page.texts("#content button") == ["Keep it for four weeks", "Close it"]
        response = signed_in("Anna").post(url(game, "keep"), follow=True)
    assert said(response) == ["The table stays open for another four weeks."]
    game.refresh_from_db()
    assert (game.expires, game.nudged) == (now + 29 * DAY, None)
    assert relevance.why_not(Notice.objects.get(kind=Kind.NUDGE), now) == "stale"
    swept(game, now + 23 * DAY)
    assert Notice.objects.filter(kind=Kind.NUDGE).count() == 2


def test_only_the_host_of_a_table_that_waits_is_asked_and_keeps_it() -> None:
    game = make_table(seats=3)
    bruno = make_player("Bruno")
    assert signed_in("Bruno").get(url(game, "keep")).url == url(game)
    assert Client().get(url(game, "keep")).status_code == 302
    with pytest.raises(Refused):
        tables.keep_open(game_id=game.pk, player=bruno, now=NOW)
    tables.cancel(game_id=game.pk, player=game.host, now=NOW)
    with pytest.raises(Refused):
        tables.keep_open(game_id=game.pk, player=game.host, now=NOW)
    tables.expire(game_id=game.pk, now=NOW + 22 * DAY)
    assert not Notice.objects.filter(kind=Kind.NUDGE).exists()


def test_no_table_is_kept_beyond_its_hard_end() -> None:
    """A game that began later would be over at once."""
    ends = NOW + 30 * DAY
    game = make_table(seats=3, clock=ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=ends))
    swept(game, NOW + 25 * DAY)
    tables.keep_open(game_id=game.pk, player=game.host, now=NOW + 25 * DAY)
    assert swept(game, NOW + 26 * DAY).expires == ends
    assert Notice.objects.filter(kind=Kind.NUDGE).count() == 1, "there is nothing more to ask"
    assert swept(game, ends + DAY).ending == Ending.EXPIRED


def test_a_host_without_mails_is_not_asked_again_and_again() -> None:
    game = make_table(seats=3)
    game.host.notice_timings = never("table")
    game.host.save()
    assert swept(game, NOW + 22 * DAY).nudged == NOW + 22 * DAY
    assert not Notice.objects.exists()
    assert game.status == Status.OPEN
