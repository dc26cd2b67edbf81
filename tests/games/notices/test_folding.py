"""Tests of notices that go out together, later, or once, by the preferences of their recipient."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.notice_preferences import FOLDED_FOR, Timing
from games import tasks
from games.models import Game, Holiday, Kind, Notice, Seat
from games.notices import delivery, email, unsubscribe
from games.notices import reminders as to_remind
from games.play import clock_pauses
from tests.games.factories import heart_beats, make_game, make_player, play_turns, reminders
from tests.html import Page
from tests.preferences import mail_timing, never

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def make_games(number: int, **fields: Any) -> tuple[Player, list[Game]]:
    """Make so many games in which it is Anna's turn, without notices to others."""
    anna = make_player("Anna", **fields)
    make_player("Bruno", notice_timings=never())
    games = []
    while len(games) < number:
        game = make_game(now=timezone.now())
        if game.awaited is not None and game.seats.get(index=game.awaited).player == anna:
            games.append(game)
        else:
            game.notices.update(dropped=timezone.now(), why_dropped="stale")
    return anna, games


def deliver(at: datetime) -> list[Any]:
    """Deliver notices at this time, and return the mails."""
    mail.outbox.clear()
    with time_machine.travel(at, tick=False):
        heart_beats(at)
        tasks.deliver_notices()
    return list(mail.outbox)


@pytest.fixture(autouse=True)
def _replies(settings: Any) -> None:
    settings.REPLY_DOMAIN = "reply.example.org"


class TestFolded:
    @time_machine.travel(NOON, tick=False)
    def test_games_of_some_minutes_are_one_mail(self) -> None:
        _anna, games = make_games(3, notice_timings=mail_timing("folded"))
        assert deliver(NOON) == []
        (message,) = deliver(NOON + FOLDED_FOR)
        assert message.subject == "3 games are waiting for you"
        for game in games:
            assert game.name in message.body and game.name in message.alternatives[0][0]
        assert Notice.objects.exclude(sent=None).count() == 3
        assert deliver(NOON + 2 * FOLDED_FOR) == []

    @time_machine.travel(NOON, tick=False)
    def test_what_is_another_players_is_in_their_mail_alone(self) -> None:
        """In one batch, and gathered by both."""
        people = [make_player(name, notice_timings=mail_timing("folded")) for name in ("Anna", "Bruno")]
        games = [make_game(now=NOON) for _ in range(6)]
        mails = {message.to[0]: message for message in deliver(NOON + FOLDED_FOR)}
        assert mails.keys() == {player.email for player in people}
        for game in games:
            for player in people:
                owed = game.notices.filter(recipient=player, dropped=None).exists()
                assert (game.name in mails[player.email].body) == owed

    @time_machine.travel(NOON, tick=False)
    def test_one_thing_is_its_ordinary_mail(self) -> None:
        _anna, (game,) = make_games(1, notice_timings=mail_timing("folded"))
        (message,) = deliver(NOON + FOLDED_FOR)
        assert message.subject.startswith(f"Your turn in {game.name}")
        assert "Reply-To" in message.extra_headers

    @time_machine.travel(NOON, tick=False)
    def test_each_game_has_a_link_for_replies_and_the_mail_has_none(self) -> None:
        make_games(2, notice_timings=mail_timing("folded"))
        (message,) = deliver(NOON + FOLDED_FOR)
        assert "Reply-To" not in message.extra_headers
        links = re.findall(r"play\+[a-z0-9.]+@reply\.example\.org", message.body)
        assert len(set(links)) == 2
        assert message.alternatives[0][0].count('href="mailto:play+') == 2
        for text in (message.body, message.alternatives[0][0]):
            assert "reply to this email" not in text and "To play, reply " in text

    @time_machine.travel(NOON, tick=False)
    def test_every_picture_is_of_its_own_section(self) -> None:
        make_games(2, notice_timings=mail_timing("folded"))
        (message,) = deliver(NOON + FOLDED_FOR)
        shown = re.findall(r'src="cid:([^"]+)"', message.alternatives[0][0])
        assert len(shown) == len(set(shown)) == 4  # a board and a tile each
        assert {picture["Content-ID"].strip("<>") for picture in message.attachments} >= set(shown)

    @time_machine.travel(NOON, tick=False)
    def test_what_is_stale_is_left_out(self) -> None:
        _anna, games = make_games(3, notice_timings=mail_timing("folded"))
        play_turns(games[0], 1, now=NOON)
        (message,) = deliver(NOON + FOLDED_FOR)
        assert message.subject == "2 games are waiting for you" and games[0].name not in message.body

    @time_machine.travel(NOON, tick=False)
    def test_a_part_that_fails_keeps_none_back(self, monkeypatch: Any) -> None:
        _anna, games = make_games(3, notice_timings=mail_timing("folded"))
        compose = email.compose_section

        def fail(notice: Notice) -> Any:
            if notice.game == games[1]:
                raise RuntimeError("a fault of ours")
            return compose(notice)

        monkeypatch.setattr(email, "compose_section", fail)
        (message,) = deliver(NOON + FOLDED_FOR)
        assert message.subject == "2 games are waiting for you"
        (left,) = Notice.objects.filter(sent=None, dropped=None)
        assert left.game == games[1] and left.attempts == 1 and left.last_error

    @time_machine.travel(NOON, tick=False)
    @pytest.mark.parametrize("error", [email.ServerAway("away"), email.MailRefused("full")])
    def test_what_can_t_be_sent_now_is_tried_again_together(self, monkeypatch: Any, error: Exception) -> None:
        make_games(3, notice_timings=mail_timing("folded"))

        def refuse(_connection: Any, _mail: Any) -> str:
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(email.Connection, "send", refuse)
            assert deliver(NOON + FOLDED_FOR) == []
        (message,) = deliver(NOON + FOLDED_FOR + HOUR)
        assert message.subject == "3 games are waiting for you"

    @time_machine.travel(NOON, tick=False)
    def test_a_mail_that_is_repeated_is_the_same_mail(self) -> None:
        make_games(2, notice_timings=mail_timing("folded"))
        (first,) = deliver(NOON + FOLDED_FOR)
        delivery.send_again(notices=Notice.objects.exclude(sent=None), now=NOON + HOUR)
        (again,) = deliver(NOON + HOUR)
        assert again.extra_headers["Message-ID"] == first.extra_headers["Message-ID"]

    @time_machine.travel(NOON, tick=False)
    def test_one_click_stops_all_mails(self) -> None:
        anna, _games = make_games(2, notice_timings=mail_timing("folded"))
        (message,) = deliver(NOON + FOLDED_FOR)
        link = message.extra_headers["List-Unsubscribe"].strip("<>")
        answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        anna.refresh_from_db()
        assert set(anna.notice_timings["email"].values()) == {"never"}
        assert unsubscribe.read(link.rstrip("/").rpartition("/")[2]).of_all

    @time_machine.travel(NOON, tick=False)
    def test_the_page_behind_its_link_offers_to_stop_all_first(self) -> None:
        make_games(2, notice_timings=mail_timing("folded"))
        (message,) = deliver(NOON + FOLDED_FOR)
        link = message.extra_headers["List-Unsubscribe"].strip("<>")
        page = Page(Client().get(link))
        assert [element["value"] for element in page.all("input[name=scope][checked]")] == ["all"]
        assert page.has(f"a[href='{reverse('accounts:notices')}']")


class TestDaily:
    @time_machine.travel(NOON, tick=False)
    def test_one_mail_a_day_tells_everything(self) -> None:
        table = mail_timing("daily")
        table["email"]["started"] = "folded"
        _anna, games = make_games(2, notice_timings=table, digest_hour=8)
        assert deliver(NOON + HOUR) == []
        (message,) = deliver(NOON + 20 * HOUR)
        assert message.subject == "2 games are waiting for you"
        assert "one a day" in message.body
        assert deliver(NOON + 21 * HOUR) == []
        assert all(game.name in message.body for game in games)

    @time_machine.travel(NOON, tick=False)
    def test_what_waits_longest_is_told_last(self) -> None:
        _anna, games = make_games(2, notice_timings=mail_timing("daily"))
        Game.objects.filter(pk=games[0].pk).update(deadline=NOON + 100 * HOUR)
        Game.objects.filter(pk=games[1].pk).update(deadline=NOON + 60 * HOUR)
        (message,) = deliver(NOON + 20 * HOUR)
        assert message.body.index(games[1].name) < message.body.index(games[0].name)

    @time_machine.travel(NOON, tick=False)
    def test_no_clock_stands_still_for_what_the_player_has_chosen(self) -> None:
        """CLOCK-7: what the player's own preferences delay stops nothing."""
        _anna, (game, _other) = make_games(2, notice_timings=mail_timing("daily"))
        before = game.deadline
        seat = game.seats.get(index=game.awaited)
        assert not clock_pauses.note_unsent(game, seat, NOON + 19 * HOUR)
        deliver(NOON + 20 * HOUR)
        game.refresh_from_db()
        assert (game.deadline, game.stops) == (before, [])

    @time_machine.travel(NOON, tick=False)
    def test_reminders_do_not_wait_for_the_daily_mail(self) -> None:
        table = mail_timing("daily")
        table["email"]["reminder"] = "at_once"
        _anna, (game,) = make_games(1, notice_timings=table, digest_hour=11)
        first = reminders(game)[0]
        assert len(deliver(NOON + 23 * HOUR)) == 1
        heart_beats(first)
        to_remind.owe(first)
        assert game.notices.filter(kind=Kind.REMINDER).get().due == first


class TestOnce:
    @time_machine.travel(NOON, tick=False)
    def test_the_next_mail_comes_after_the_player_was_here(self, client: Client) -> None:
        anna, games = make_games(2, notice_timings=mail_timing("once", "your_turn"))
        assert len(deliver(NOON)) == 1
        assert [notice.why_dropped for notice in Notice.objects.exclude(dropped=None, recipient=anna)] == [
            "told"
        ]
        client.force_login(anna)
        client.get(reverse("games:mine"))
        for game in games:
            play_turns(game, 2, now=NOON + HOUR)
        assert len(deliver(NOON + 2 * HOUR)) == 1


class TestOneGame:
    @time_machine.travel(NOON, tick=False)
    def test_has_its_own_timing(self) -> None:
        anna, (game, other) = make_games(2, notice_timings=mail_timing("daily"))
        Seat.objects.filter(game=game, player=anna).update(notice_timing=Timing.AT_ONCE)
        for one in (game, other):
            play_turns(one, 2, now=NOON + HOUR)
        told = Notice.objects.filter(kind=Kind.YOUR_TURN, recipient=anna, dropped=None)
        assert {one.game: one.timing for one in told} == {game: "at_once", other: "daily"}

    @time_machine.travel(NOON, tick=False)
    def test_is_chosen_on_its_page(self, client: Client) -> None:
        anna, (game,) = make_games(1)
        client.force_login(anna)
        url = reverse("games:seat_notices", args=[game.code])
        for name in ("games:table", "games:text"):
            page = Page(client.get(reverse(name, args=[game.code])))
            assert page.link("Notifications about this game") == url and not page.has("select"), name
        assert Page(client.get(url)).one(f".seat-choice[action='{url}'] option[selected]")["value"] == ""
        assert client.post(url, {"notice_timing": "never"}).status_code == 302
        assert Seat.objects.get(game=game, player=anna).is_silent
        assert client.post(url, {"notice_timing": "sometimes"}).status_code == 302
        assert Seat.objects.get(game=game, player=anna).is_silent
        assert Page(client.get(url)).one(".seat-choice option[selected]")["value"] == "never"

    def test_is_nobody_else_s_to_choose(self, client: Client) -> None:
        game = make_game()
        client.force_login(make_player("Clara"))
        answer = client.post(reverse("games:seat_notices", args=[game.code]), {"notice_timing": "never"})
        assert answer.status_code == 302
        assert client.get(reverse("games:seat_notices", args=[game.code])).status_code == 302
        assert not any(seat.is_silent for seat in game.seats.all())


class TestReminderHours:
    @time_machine.travel(NOON, tick=False)
    def test_are_the_player_s_own(self) -> None:
        _anna, (game,) = make_games(1, reminder_hours=[5, 2])
        assert reminders(game) == [game.deadline - 5 * HOUR, game.deadline - 2 * HOUR]

    @time_machine.travel(NOON, tick=False)
    def test_two_within_six_hours_both_come(self) -> None:
        _anna, (game,) = make_games(1, reminder_hours=[5, 2])
        assert game.deadline is not None
        deliver(NOON)
        for hours in (5, 2):
            at = game.deadline - hours * HOUR
            heart_beats(at)
            to_remind.owe(at)
            (message,) = deliver(at)
            assert message.subject == f"Still your turn in {game.name} – {hours} hours left"


class TestHoliday:
    @time_machine.travel(NOON, tick=False)
    def test_holds_mails_back_until_it_ends(self) -> None:
        anna, (game,) = make_games(1)
        holiday = Holiday.objects.create(
            player=anna, begin=NOON - HOUR, end=NOON + 30 * HOUR, entered=NOON - HOUR
        )
        assert deliver(NOON) == []
        assert deliver(NOON + 2 * HOUR) == []
        assert game.notices.filter(dropped=None, sent=None).count() == 1
        Holiday.objects.filter(pk=holiday.pk).update(end=NOON + 3 * HOUR)  # back before its time
        assert len(deliver(NOON + 4 * HOUR)) == 1

    @time_machine.travel(NOON, tick=False)
    def test_the_last_reminder_comes_all_the_same(self) -> None:
        anna, (game,) = make_games(1)
        deliver(NOON)
        first, last = reminders(game)
        Holiday.objects.create(player=anna, begin=first - HOUR, end=last + 30 * HOUR, entered=NOON)
        for at, mails in ((first, 0), (last, 1)):
            heart_beats(at)
            to_remind.owe(at)
            assert len(deliver(at)) == mails
