"""Tests of the form that founds a league: fields of its format, suggestions, and confirmation (CLOCK-25)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leagues.forms.league import LeagueForm, build_initial
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules
from tests.leagues.views.founding_helpers import build_league_form_data


def fill_in(**fields: object) -> LeagueForm:
    return LeagueForm({name: str(value) for name, value in build_league_form_data(**fields).items()})


def list_errors(form: LeagueForm) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in form.errors.items()}


def suggest(**fields: object) -> dict[str, Any]:
    form = fill_in(**fields)
    form.is_valid()
    shown = {name: field.widget.attrs.get("placeholder") for name, field in form.fields.items()}
    return {name: value for name, value in shown.items() if value is not None}


class TestFieldsOfFormats:
    @pytest.mark.parametrize(
        ("format", "there", "missing"),
        [
            ({"schedule": "round-robin"}, {"rounds", "up", "division_size"}, {"seeding", "reach", "boards"}),
            ({"schedule": "swiss"}, {"rounds", "division_size"}, {"third_place", "seeding", "boards"}),
            (
                {"schedule": "knock-out"},
                {"seeding", "third_place"},
                {"rounds", "division_size", "reach", "reset"},
            ),
            (
                {"schedule": "double-elimination"},
                {"seeding", "reset"},
                {"rounds", "third_place", "from_group"},
            ),
            ({"schedule": "groups"}, {"from_group", "third_place", "division_size"}, {"up", "reach"}),
            ({"schedule": "ladder"}, {"reach", "challenge_length"}, {"rounds", "up", "duplicate", "tie_1"}),
            (
                {"sides": "teams"},
                {"boards", "round_days"},
                {"tie_1", "points_1", "withdrawn"},
            ),
            (
                {"sides": "world"},
                {"division_size", "from_group"},
                {"preset", "schedule", "boards"},
            ),
            ({"seats": "4"}, {"points_4"}, {"points_5", "late_until"}),
            ({"best_of": "3"}, {"tie_1"}, {"points_1"}),
        ],
    )
    def test_each_format_shows_only_its_own(
        self, format: dict[str, str], there: set[str], missing: set[str]
    ) -> None:
        fields = set(fill_in(**format).fields)
        assert there <= fields
        assert not missing & fields

    def test_fields_of_another_format_are_not_read(self) -> None:
        form = fill_in(schedule="swiss", rounds="5", expected="20", length="400", third_place="on")
        assert form.is_valid()
        assert form.settings is not None and not form.settings.cup.third_place

    def test_who_chooses_another_format_sees_its_fields_before_anything_is_founded(self) -> None:
        other = fill_in(schedule="swiss", shown="alone-round-robin-2", length="400")
        told = "You've chosen another format. Check its fields, then go on."
        assert list_errors(other) == {"__all__": [told]}
        assert fill_in(schedule="swiss", shown="alone-swiss-2", length="400").is_valid()

    def test_fields_that_appear_with_a_format_have_their_defaults(self) -> None:
        shown = set(fill_in().fields)
        data = build_league_form_data(schedule="knock-out", expected="8")
        form = LeagueForm({name: value for name, value in data.items() if name in shown}, calendar_only=True)
        assert form.is_valid()
        assert form.calendar is not None
        assert [each.matches for each in form.calendar.rounds] == [4, 2, 1]

    def test_what_the_format_before_had_does_not_stand_in_the_way(self) -> None:
        form = fill_in(withdrawn="strike", duplicate="on", comparison="tie-break")
        assert form.is_valid() and form.settings is not None
        data = {"sides": "teams", "boards": "3", "least": "3", "length": "400"}
        teams = LeagueForm(build_league_form_data(**data), initial=build_initial(form.settings))
        assert list_errors(teams) == {}

    def test_every_field_has_its_place(self) -> None:
        form = fill_in(seats="6", duplicate="on")
        placed = [field.name for section in (*form.sections, *form.folds) for field in section.fields]
        assert len(set(placed)) == len(placed)
        assert {*placed, "shown", "sure", "sure_of"} == set(form.fields)


class TestSuggestions:
    def test_a_swiss_tournament_has_enough_rounds_for_its_players(self) -> None:
        assert suggest(schedule="swiss", expected="20")["rounds"] == 6
        form = fill_in(schedule="swiss", expected="20", length="400")
        form.is_valid()
        assert form.settings is not None
        assert (form.settings.rounds, form.settings.division_size) == (6, 20)

    def test_at_tables_about_all_meet(self) -> None:
        assert suggest(seats="4", expected="10", division_size="10")["rounds"] == 3

    def test_the_season_is_long_enough(self) -> None:
        form = fill_in()
        assert form.is_valid() and form.calendar is not None and form.settings is not None
        assert not form.calendar.late
        assert form.settings.length.days % 7 == 0
        assert suggest()["length"] == form.settings.length.days
        assert suggest(schedule="ladder", best_of="3")["challenge_length"] > 130

    def test_players_move_only_between_divisions(self) -> None:
        assert (suggest(expected="8")["up"], suggest(expected="24")["up"]) == (0, 2)

    def test_suggestions_are_seen_before_anything_is_filled_in(self) -> None:
        form = LeagueForm()
        assert form.fields["expected"].widget.attrs["placeholder"] == 8
        assert form.calendar is not None and form.calendar.games_at_once == 7


class TestSecondYes:
    def test_too_short_a_season_asks_for_a_second_yes(self) -> None:
        form = fill_in(schedule="knock-out", best_of="7", expected="16", length="28")
        assert list_errors(form) == {"sure": ["Give the games more time, or say that you're sure."]}

    def test_the_yes_holds_for_the_calendar_that_was_seen(self) -> None:
        short = {"schedule": "knock-out", "best_of": "7", "expected": "16", "sure": "on"}
        seen = fill_in(**short, length="60")
        seen.is_valid()
        assert seen.calendar is not None
        days_late = seen.calendar.days_late
        assert fill_in(**short, length="60", sure_of=days_late).is_valid()
        assert "sure" in fill_in(**short, length="28", sure_of=days_late).errors
        assert "sure" in fill_in(**short, length="60").errors

    def test_a_yes_to_another_calendar_is_not_shown_as_given_to_this_one(self) -> None:
        short = {"schedule": "knock-out", "best_of": "7", "expected": "16", "length": "60", "sure": "on"}
        form = fill_in(**short, sure_of=1)
        form.is_valid()
        assert form.calendar is not None and not form["sure"].value()
        again = fill_in(**short, sure_of=form.calendar.days_late)
        assert again.is_valid() and again["sure"].value()

    def test_a_preview_asks_for_nothing(self) -> None:
        data = build_league_form_data(name="", schedule="knock-out", best_of="7", length="28")
        form = LeagueForm(data, calendar_only=True)
        assert form.is_valid()
        assert form.calendar is not None and form.calendar.late


class TestBeginning:
    def test_a_season_begins_at_noon_of_the_chosen_day(self) -> None:
        day = timezone.localtime().date() + timedelta(days=40)
        form = fill_in(begins=day.isoformat())
        assert form.is_valid() and form.first_beginning is not None and form.calendar is not None
        assert timezone.localtime(form.first_beginning).hour == 12
        assert form.calendar.begins == form.first_beginning

    @pytest.mark.parametrize("days", [0, -1, 400])
    def test_it_is_no_day_that_is_over_or_far_away(self, days: int) -> None:
        day = timezone.localtime().date() + timedelta(days=days)
        assert list_errors(fill_in(begins=day.isoformat())) == {
            "begins": ["Choose a day after today, and within a year."]
        }


class TestCourse:
    @pytest.mark.parametrize(
        ("fields", "again"),
        [
            ({}, True),
            ({"schedule": "ladder"}, True),
            ({"schedule": "knock-out"}, False),
            ({"schedule": "groups"}, False),
            ({"sides": "world"}, False),
            ({"again": "once"}, False),
            ({"schedule": "knock-out", "again": "again"}, True),
        ],
    )
    def test_a_cup_ends_once_unless_it_is_chosen_otherwise(self, fields: dict[str, str], again: bool) -> None:
        form = fill_in(**fields)
        form.is_valid()
        assert form.settings is not None and form.settings.again == again


class TestRanking:
    def test_points_and_tie_breaks_are_the_usual_ones_if_nothing_is_chosen(self) -> None:
        form = fill_in(seats="4")
        assert form.is_valid()
        assert form.settings is not None
        usual = Rules.usual(4)
        ranking = form.settings.standings
        assert (ranking.points, ranking.tie_breaks) == (usual.points, usual.tie_breaks)

    def test_they_can_be_chosen(self) -> None:
        form = fill_in(points_1="3", points_2="1", tie_1="score_difference", tie_3="lot")
        assert form.is_valid()
        assert form.settings is not None
        ranking = form.settings.standings
        assert (ranking.points, ranking.tie_breaks) == ((3, 1), ("score_difference", "lot"))
        initial = build_initial(form.settings)
        assert (initial["points_1"], initial["points_2"]) == (3, 1)
        assert (initial["tie_1"], initial["tie_2"]) == ("score_difference", "lot")

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"points_1": "1", "points_2": "3"}, "points_1"),
            ({"points_1": "0", "points_2": "0"}, "points_1"),
            ({"tie_1": "lot", "tie_2": "lot"}, "tie_1"),
        ],
    )
    def test_what_cannot_be_is_said_at_its_field(self, wrong: dict[str, str], field: str) -> None:
        assert list(fill_in(**wrong).errors) == [field]


@pytest.mark.parametrize("schedule", list(Schedule))
def test_what_was_founded_is_shown_again(schedule: Schedule) -> None:
    form = fill_in(schedule=schedule.value, expected="12", length="400", challenge_length="90")
    form.is_valid()
    assert form.settings is not None
    again = LeagueForm({**build_league_form_data(), **_as_sent(form.settings)})
    again.is_valid()
    assert again.settings == form.settings


def _as_sent(settings: LeagueSettings) -> dict[str, Any]:
    """What a browser sends of the form with these *settings*."""
    form = LeagueForm(initial=build_initial(settings))
    sent = {field.name: "on" if field.value() is True else field.value() for field in form}
    return {name: value for name, value in sent.items() if value not in (False, None)}
