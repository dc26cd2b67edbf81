"""Tests of notice preferences: the table, its presets, and due times."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import notice_preferences
from accounts.models import Player
from accounts.notice_forms import name_cell
from accounts.notice_preferences import (
    PRESETS,
    Channel,
    MailPreset,
    NoticeEvent,
    Timing,
    choose_timing,
    compute_due,
    find_preset,
    list_timings,
    note_return,
    note_told_once,
    read_timing,
)
from tests.html import Page
from tests.preferences import mail_timing, never

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def player(**fields: Any) -> Player:
    return Player(username="Anna", email="anna@example.org", **fields)


class TestTable:
    def test_begins_with_every_event_mailed_at_once(self) -> None:
        assert {read_timing(player(), event, Channel.EMAIL) for event in NoticeEvent} == {Timing.AT_ONCE}
        assert find_preset(player()) == MailPreset.EVERY_TURN

    @pytest.mark.parametrize("preset", MailPreset)
    def test_a_preset_is_found_again(self, preset: MailPreset) -> None:
        anna = player()
        notice_preferences.apply_preset(anna, preset)
        assert find_preset(anna) == preset

    def test_reminders_come_in_every_preset(self) -> None:
        assert all(PRESETS[preset][NoticeEvent.REMINDER] == Timing.AT_ONCE for preset in MailPreset)

    def test_one_cell_changed_is_no_preset(self) -> None:
        assert find_preset(player(notice_timings=never("started"))) is None

    @pytest.mark.parametrize(
        "stored", [{"email": {"your_turn": "often"}}, {"fax": {"your_turn": "daily"}}, {}]
    )
    def test_what_is_not_known_counts_as_the_default(self, stored: Any) -> None:
        anna = player(notice_timings=stored)
        assert read_timing(anna, NoticeEvent.YOUR_TURN, Channel.EMAIL) == Timing.AT_ONCE

    def test_no_reminder_is_left_out_because_another_went_unread(self) -> None:
        for channel in Channel:
            assert Timing.ONCE not in list_timings(NoticeEvent.REMINDER, channel)
            assert Timing.ONCE in list_timings(NoticeEvent.YOUR_TURN, channel)

    def test_what_a_player_chose_for_a_game_stands_in_place_of_the_table(self) -> None:
        anna = player(notice_timings=never())
        for override in Timing:
            if override in list_timings(NoticeEvent.YOUR_TURN, Channel.EMAIL):
                chosen = choose_timing(anna, NoticeEvent.YOUR_TURN, Channel.EMAIL, override=override.value)
                assert chosen == override
        assert choose_timing(anna, NoticeEvent.YOUR_TURN, Channel.EMAIL) == Timing.NEVER

    def test_everybody_is_mailed_what_is_no_event(self) -> None:
        assert choose_timing(player(notice_timings=never()), None, Channel.EMAIL) == Timing.AT_ONCE


class TestDue:
    @pytest.mark.parametrize(
        ("zone", "hour", "due"),
        [
            ("UTC", 8, datetime(2026, 3, 2, 8, tzinfo=UTC)),
            ("UTC", 12, datetime(2026, 3, 2, 12, tzinfo=UTC)),  # not now: the mail of today has gone
            ("UTC", 20, datetime(2026, 3, 1, 20, tzinfo=UTC)),
            ("Asia/Tokyo", 8, datetime(2026, 3, 1, 23, tzinfo=UTC)),
            ("America/New_York", 6, datetime(2026, 3, 2, 11, tzinfo=UTC)),
        ],
    )
    def test_the_daily_mail_goes_out_at_the_hour_of_the_player(
        self, zone: str, hour: int, due: datetime
    ) -> None:
        assert compute_due(player(time_zone=zone, digest_hour=hour), Timing.DAILY, NOON) == due

    def test_of_a_clock_that_is_put_forward_the_hour_is_still_the_player_s(self) -> None:
        anna = player(time_zone="Europe/Prague", digest_hour=8)
        eve = datetime(2026, 3, 28, 12, tzinfo=UTC)  # the night of the change follows
        assert compute_due(anna, Timing.DAILY, eve) == datetime(2026, 3, 29, 6, tzinfo=UTC)

    def test_what_is_folded_waits_some_minutes(self) -> None:
        assert compute_due(player(), Timing.FOLDED, NOON) == NOON + notice_preferences.FOLDED_FOR

    @pytest.mark.parametrize(("hours", "waits"), [(72, True), (41, True), (39, False), (5, False)])
    def test_a_daily_mail_that_would_come_late_for_a_turn_comes_at_once(
        self, hours: int, waits: bool
    ) -> None:
        due = compute_due(player(digest_hour=8), Timing.DAILY, NOON, deadline=NOON + hours * HOUR)
        assert (due > NOON) == waits  # eight o'clock is 20 hours away

    @pytest.mark.parametrize(
        ("begin", "end", "at", "due"),
        [
            (22, 7, NOON + 11 * HOUR, NOON + 19 * HOUR),
            (22, 7, NOON + 15 * HOUR, NOON + 19 * HOUR),
            (11, 13, NOON, NOON + HOUR),
            (22, 7, NOON, NOON),
            (22, 7, NOON + 19 * HOUR, NOON + 19 * HOUR),
            (9, 9, NOON, NOON),
        ],
    )
    def test_nothing_comes_in_rest_hours(self, begin: int, end: int, at: datetime, due: datetime) -> None:
        anna = player(rest_from=time(begin), rest_to=time(end))
        assert compute_due(anna, Timing.AT_ONCE, at) == due

    def test_the_last_reminder_comes_in_rest_hours_too(self) -> None:
        anna = player(rest_from=time(11), rest_to=time(13))
        for timing in Timing:
            assert compute_due(anna, timing, NOON, last=True) == NOON


@pytest.mark.django_db
class TestOnce:
    def test_lasts_until_the_player_is_back(self, anna: Player, client: Client) -> None:
        client.force_login(anna)
        for channel in Channel:
            note_told_once(anna, channel.value)
            note_told_once(anna, channel.value)
        anna.refresh_from_db()
        assert anna.told_once.split() == [channel.value for channel in Channel]
        client.get(reverse("games:mine"))
        anna.refresh_from_db()
        assert anna.told_once == ""

    def test_a_page_of_somebody_who_was_told_nothing_writes_nothing(
        self, anna: Player, django_assert_num_queries: Any
    ) -> None:
        with django_assert_num_queries(0):
            note_return(anna)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture(autouse=True)
    def _signed_in(self, anna: Player, client: Client) -> None:
        client.force_login(anna)
        self.anna, self.client = anna, client
        self.url = reverse("accounts:notices")

    def read(self) -> tuple[Any, ...]:
        return self.anna.notice_timings, self.anna.digest_hour, self.anna.reminder_hours

    def send(self, **answers: Any) -> Any:
        response = self.client.post(self.url, answers)
        self.anna.refresh_from_db()
        return response

    @pytest.mark.parametrize("preset", MailPreset)
    def test_a_press_on_a_preset_is_enough(self, preset: MailPreset) -> None:
        assert self.send(preset=preset.value).status_code == 302
        assert find_preset(self.anna) == preset
        page = Page(self.client.get(self.url))
        pressed = page.all("button[name=preset][aria-pressed=true]")
        assert [one["value"] for one in pressed] == [preset.value]

    def test_presets_come_before_the_table(self) -> None:
        names = [element["name"] for element in Page(self.client.get(self.url)).all("main [name]")]
        assert names.index("preset") < names.index(name_cell(NoticeEvent.YOUR_TURN, Channel.EMAIL))

    @pytest.mark.parametrize(("event", "timing"), list(list(product(NoticeEvent, Timing))))
    def test_every_cell_is_saved(self, event: NoticeEvent, timing: Timing) -> None:
        cell = name_cell(event, Channel.EMAIL)
        response = self.send(**{cell: timing.value}, digest_hour="8")
        allowed = timing in list_timings(event, Channel.EMAIL)
        assert response.status_code == (302 if allowed else 200)
        expected = timing if allowed else Timing.AT_ONCE
        assert read_timing(self.anna, event, Channel.EMAIL) == expected
        others = {read_timing(self.anna, other, Channel.EMAIL) for other in NoticeEvent if other != event}
        assert others == {Timing.AT_ONCE}

    def test_hours_are_saved(self) -> None:
        self.send(digest_hour="19", first_reminder="3", second_reminder="12")
        assert (self.anna.digest_hour, self.anna.reminder_hours) == (19, [12, 3])
        self.send(digest_hour="19", first_reminder="", second_reminder="")
        assert self.anna.reminder_hours == []

    @pytest.mark.parametrize(
        "answers",
        [
            {"digest_hour": "24"},
            {"digest_hour": "-1"},
            {"first_reminder": "0"},
            {"second_reminder": "1000"},
            {"first_reminder": "9" * 5000},
            {"preset": "loud"},
            {"your_turn-email": "hourly"},
        ],
    )
    def test_nonsense_changes_nothing(self, answers: dict[str, str]) -> None:
        before = self.read()
        assert self.send(**answers).status_code in (200, 302)
        assert self.read() == before

    def test_the_table_shows_what_was_chosen(self) -> None:
        self.anna.notice_timings = mail_timing("daily", "your_turn")
        self.anna.save()
        page = Page(self.client.get(self.url))
        assert page.one("select[name='your_turn-email'] option[selected]")["value"] == "daily"
        assert not page.has("button[aria-pressed=true]")

    def test_a_channel_has_a_column_once_it_is_on(self) -> None:
        for channel in set(Channel) - {Channel.EMAIL}:
            assert not Page(self.client.get(self.url)).has(f"[name='your_turn-{channel.value}']")
            notice_preferences.switch_on_channel(self.anna, channel.value)
            assert Page(self.client.get(self.url)).has(f"[name='your_turn-{channel.value}']")

    def test_is_for_who_has_signed_in(self) -> None:
        self.client.logout()
        assert self.client.get(self.url).status_code == 302
