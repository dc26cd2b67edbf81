"""Tests of the clock in the set-up form: named presets and their values."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.clocks import DAY, HOUR, PRESETS, Counting, Ladder, TimeoutStep
from games.forms.clocks import ClockForm, as_sent, fill_in_clock
from games.models import Game
from tests.games.factories import make_players
from tests.html import Page

TABLE = {"name": "Albi", "seats": "3", "bots": "0", "visibility": "link", "preset": "standard"}


def form(**sent: str) -> ClockForm:
    return ClockForm({"clock": "steady", **sent})


@pytest.mark.parametrize("name", PRESETS)
def test_a_name_alone_is_a_clock(name: str) -> None:
    chosen = form(clock=name)
    assert chosen.chosen_clock == PRESETS[name]
    assert chosen.clock_differing == ""
    assert form(**as_sent(name)).chosen_clock == PRESETS[name]


def test_what_is_not_said_is_usual() -> None:
    unbound = ClockForm()
    assert unbound.chosen_clock == PRESETS["steady"]
    assert unbound.chosen_ladder(2) == Ladder.usual(2)
    assert unbound.chosen_ladder(4) == Ladder.usual(4)
    assert form().chosen_ladder(4) == Ladder.usual(4)


def test_every_value_can_be_set() -> None:
    chosen = form(
        clock_start="36",
        clock_start_unit="hours",
        clock_gain="2",
        clock_cap="60",
        clock_grace="0",
        clock_surcharge_after="10",
        clock_surcharge_after_unit="days",
        clock_total="50",
        clock_ends="2027-03-14T22:00",
        clock_weekends="stop",
        clock_holidays="count",
        excuses="3",
        spend_holiday="no",
        last_step="claim",
    )
    with timezone.override("Europe/Warsaw"):
        clock = chosen.chosen_clock
    assert clock is not None
    assert (clock.start, clock.gain, clock.cap, clock.grace) == (36 * HOUR, 2 * DAY, 60 * DAY, 0 * DAY)
    assert (clock.surcharge_after, clock.total) == (10 * DAY, 50 * DAY)
    assert clock.ends == datetime(2027, 3, 14, 21, 0, tzinfo=UTC)
    assert (clock.weekends, clock.holidays) == (Counting.STOP, Counting.COUNT)
    assert chosen.chosen_ladder(2) == Ladder(excuses=3, holiday=False, last=TimeoutStep.CLAIM)
    assert chosen.clock_differing == "12 values changed"


def test_what_was_changed_by_hand_is_kept_when_another_clock_is_chosen() -> None:
    sent = {**as_sent("steady"), "clock": "classic", "clock_gain": "2", "clock_weekends": "stop"}
    assert ClockForm(sent).chosen_clock == replace(PRESETS["classic"], gain=2 * DAY, weekends=Counting.STOP)
    again = {**fill_in_clock(sent), "clock": "brisk"}  # the form as it came back, and a third clock
    assert ClockForm(again).chosen_clock == replace(PRESETS["brisk"], gain=2 * DAY, weekends=Counting.STOP)


def test_a_surcharge_can_be_taken_from_a_clock_that_has_one() -> None:
    chosen = form(**{**as_sent("classic"), "clock_surcharge_after": ""})
    assert chosen.chosen_clock == replace(PRESETS["classic"], surcharge_after=None)


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"clock_start": "0"}, "clock_start", "Choose from 1 hour to 60 days."),
        ({"clock_gain": "61"}, "clock_gain", "Choose from 1 hour to 60 days."),
        ({"clock_gain": "1441", "clock_gain_unit": "hours"}, "clock_gain", "less than or equal to 1440"),
        ({"clock_cap": "2"}, "clock_cap", "no less than there is at first"),
        ({"clock_cap": ""}, "clock_cap", "This field is required."),
        ({"clock_grace": "61", "clock_grace_unit": "days"}, "clock_grace", "60 days at most"),
        ({"clock_surcharge_after": "0"}, "clock_surcharge_after", "from 1 hour to 60 days"),
        ({"clock_total": "2"}, "clock_total", "no less than there is at first"),
        ({"clock_total": "61"}, "clock_total", "no more than 60 days"),
        ({"clock_start": "x"}, "clock_start", "Enter a whole number."),
        ({"clock_start_unit": "weeks"}, "clock_start", "Select a valid choice"),
        ({"clock_ends": "soon"}, "clock_ends", "Enter a valid date/time."),
        ({"clock_weekends": "perhaps"}, "clock_weekends", "Select a valid choice"),
        ({"excuses": "6"}, "excuses", "Select a valid choice"),
        ({"last_step": "excuse"}, "last_step", "Select a valid choice"),
    ],
)
def test_a_wrong_value_is_named_at_its_field(sent: dict[str, str], field: str, message: str) -> None:
    wrong = ClockForm({**as_sent("steady"), **sent})
    assert list(wrong.errors) == [field]
    (why,) = wrong.errors[field]
    assert message in why
    assert wrong.wrong_in_clock
    if field.startswith("clock_"):
        assert wrong.chosen_clock is None
        assert wrong.wrong_clock == f"{wrong[field].label}: {why}"


@pytest.mark.django_db
class TestOnThePage:
    @pytest.fixture
    def door(self) -> Client:
        client = Client()
        client.force_login(make_players(1)[0])
        return client

    def test_the_table_has_the_clock_and_the_ladder(self, door: Client) -> None:
        sent = {**TABLE, **as_sent("brisk"), "clock_grace": "6", "last_step": "loss"}
        door.post("/new/", sent)
        game = Game.objects.get()
        assert game.clock == replace(PRESETS["brisk"], grace=6 * HOUR)
        assert game.ladder == Ladder(last=TimeoutStep.LOSS)

    def test_an_end_that_is_too_soon_is_said_at_its_field(self, door: Client) -> None:
        page = Page(door.post("/new/", {**TABLE, "clock": "steady", "clock_ends": "2020-01-01T12:00"}))
        (why,) = page.texts(".field:has([name=clock_ends]) .errorlist li")
        assert why == "A game needs at least a day: choose a later end."
        assert page.has("details.times[open]")
        assert not Game.objects.exists()

    def test_a_clock_without_an_end_asks_for_a_hard_one(self, door: Client) -> None:
        sent = {**TABLE, **as_sent("classic"), "seats": "6", "set_inns-and-cathedrals": "on"}
        sent |= {"clock_gain": "60", "clock_grace": "60", "clock_weekends": "stop", "filled": "standard"}
        page = Page(door.post("/new/", sent))
        (why,) = page.texts(".field:has([name=clock_ends]) .errorlist li")
        assert why.startswith("With these settings the game might never end.")
        assert not Game.objects.exists()

    def test_the_summary_says_the_clock_as_the_table_will(self, door: Client) -> None:
        page = Page(door.get("/new/"))
        said = page.text(".sum")
        door.post("/new/", {**TABLE, "clock": "steady", "seats": "2", "name": "Foix"})
        table = Page(door.get(f"/g/{Game.objects.get().code}/"))
        assert table.text(".settings .agreed > summary") in said
        in_full = [text for text in table.texts(".settings .agreed > p") if "Not counting pauses" not in text]
        assert " ".join(in_full) in page.text("#clock-in-full")

    def test_another_clock_is_spread_out_over_the_values(self, door: Client) -> None:
        sent = {**TABLE, **as_sent("steady"), "filled": "standard", "clock": "classic", "clock_gain": "5"}
        part = Page(door.post("/new/rules/", sent, headers={"HX-Request": "true"}))
        assert part.values("#clock-values [name=clock_start]") == ["30"]
        assert part.values("#clock-values [name=clock_gain]") == ["5"]
        assert part.values("#clock-values [name=clock_filled]") == ["classic"]
        assert part.text("#clock-differing") == "1 value changed"
        same = {**sent, "clock": "steady"}
        assert not Page(door.post("/new/rules/", same, headers={"HX-Request": "true"})).has("#clock-values")

    def test_no_value_is_lost_when_other_rules_are_chosen(self, door: Client) -> None:
        sent: dict[str, Any] = {**TABLE, **as_sent("steady"), "filled": "standard", "preset": "larger"}
        sent |= {
            "clock": "classic",
            "clock_gain": "5",
            "clock_total": "50",
            "excuses": "3",
            "last_step": "claim",
        }
        page = Page(door.post("/new/rules/", sent))
        assert page.values("[name=clock_start]") == ["30"]
        assert page.values("[name=clock_gain]") == ["5"]
        assert page.values("[name=clock_total]") == ["50"]
        assert page.values("[name=excuses] option[selected]") == ["3"]
        assert page.values("[name=last_step] option[selected]") == ["claim"]
        assert page.texts("label:has([name=clock][checked]) b") == ["Classic"]

    def test_the_summary_says_what_is_wrong_with_the_clock(self, door: Client) -> None:
        sent = {**TABLE, **as_sent("steady"), "filled": "standard", "clock_cap": "1"}
        part = Page(door.post("/new/rules/", sent, headers={"HX-Request": "true"}))
        assert part.texts("#notes .error") == [
            "Up to: Choose from 1 hour to 60 days, and no less than there is at first."
        ]
