"""Tests of the settings of leagues: their bounds, and how lists summarise them."""

import json
from dataclasses import Field, dataclass, fields, replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.forms import IntegerField

from games.clocks import DAY, ClockSettings
from games.rules import RuleSet
from leagues.forms.formats import FormatFields
from leagues.forms.league import LeagueForm, build_settings, list_defaults
from leagues.schedules.team_rules import TeamRules
from leagues.setting_fields import Setting, list_settings, setting, whole
from leagues.setting_words import ALONE, CALENDAR, TEAMS
from leagues.settings import LONGEST_SEASON, MOST_ROUNDS, LeagueSettings, Schedule, alone
from leagues.standings import ComparisonRule, Rules
from leagues.words.log import NAMES, describe_change
from leagues.words.settings_text import list_facts, summarise_settings
from tests.cases import for_each
from tests.games.factories import NOW
from tests.leagues.views.founding_helpers import build_league_form_data

USUAL = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))


@for_each(
    ("changed", "fault"),
    [
        ({"registration": -DAY}, "registration"),
        ({"length": DAY - timedelta(seconds=1)}, "length"),
        ({"length": LONGEST_SEASON + timedelta(seconds=1)}, "length"),
        ({"protest": -DAY}, "protest"),
        ({"protest": 7 * DAY + timedelta(seconds=1)}, "protest"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": MOST_ROUNDS + 1}, "rounds"),
        ({"division_size": 61}, "large_division"),
        ({"late_until": -1}, "late_until"),
        ({"late_until": 101}, "late_until"),
        ({"clock": ClockSettings(start=DAY, gain=DAY, cap=DAY, ends=NOW)}, "clock"),
        ({"standings": Rules.usual(3)}, "points"),
    ],
)
def test_a_value_out_of_its_bounds_is_the_only_fault(changed: dict[str, Any], fault: str) -> None:
    assert list(USUAL.faults()) == []
    assert list(replace(USUAL, **changed).faults()) == [fault]


def test_a_series_is_told_behind_the_seats() -> None:
    series = replace(USUAL, standings=Rules.usual(2, best_of=3))
    assert summarise_settings(series).split(" · ")[:2] == ["Duels", "best of 3"]


SETTINGS = list_settings(LeagueSettings)
FORMATS = [
    FormatFields.read({"sides": sides, "schedule": schedule, "seats": seats, "duplicate": True})
    for sides in (ALONE, TEAMS)
    for schedule in Schedule
    for seats in (2, 6)
]


def build_usual(chosen: FormatFields, kind: type[LeagueSettings] = LeagueSettings) -> LeagueSettings:
    """Usual settings of a format, in which something can be said of each setting."""
    given = {**list_defaults(kind), **chosen._asdict(), "best_of": 1, "comparison": ComparisonRule.ALONE}
    said = {
        "up": 1,
        "down": 1,
        "third_place": True,
        "late_until": 50,
        "most_players": 40,
        "prize": "A cup",
        "admission": "link",
    }
    return build_settings(kind, {**given, **said})


class TestTable:
    @for_each("setting", SETTINGS)
    def test_a_setting_has_its_words_and_formats(self, setting: Setting) -> None:
        formats = [chosen for chosen in FORMATS if setting.formats(chosen)]
        assert setting.field.label and formats
        assert any(setting.describe(build_usual(chosen)) for chosen in formats)

    @for_each("setting", [each for each in SETTINGS if isinstance(each.field, IntegerField) and each.path])
    def test_the_form_and_the_settings_have_the_same_bounds(self, setting: Setting) -> None:
        field = setting.field
        assert isinstance(field, IntegerField)
        usual = replace(USUAL, teams=TeamRules())
        for bound, step in ((field.min_value, -1), (field.max_value, 1)):
            assert bound is not None
            assert setting.is_valid(setting.put(usual, field.clean(bound)))
            with pytest.raises(ValidationError):
                field.clean(bound + step)
            beyond = (bound + step) * getattr(field, "unit", 1)
            if setting.name != "reach" or step > 0:  # the ladder itself refuses to be built
                assert setting.name in setting.put(usual, beyond).faults()

    @for_each("there", fields(LeagueSettings))
    def test_every_value_has_a_name_in_the_log(self, there: Field[Any]) -> None:
        assert describe_change("edit", {"changed": {there.name: [0, 1]}}, {}).startswith(
            str(NAMES[there.name])
        )

    def test_a_stored_league_without_a_setting_has_its_default(self) -> None:
        old = USUAL.to_json()
        for name in ("duplicate", "cup", "challenges", "late_until", "most_players", "admission", "teams"):
            del old[name]
        assert LeagueSettings.from_json(old) == USUAL
        del old["protest"]
        assert not LeagueSettings.from_json(old).protest

    def test_what_a_league_stores_is_read_again(self) -> None:
        for chosen in FORMATS:
            settings = build_usual(chosen)
            assert LeagueSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsWithBreaks(LeagueSettings):
    breaks: int = setting(
        2, whole(0, 9, "Coffee breaks"), "There are {n} coffee breaks.", CALENDAR, formats=alone
    )


class FormWithBreaks(LeagueForm):
    kind = SettingsWithBreaks


class TestOneMoreSetting:
    def test_is_one_line(self) -> None:
        form = FormWithBreaks({**build_league_form_data(), "breaks": "4"})
        assert form.is_valid() and form["breaks"].label == "Coffee breaks"
        assert isinstance(form.settings, SettingsWithBreaks) and form.settings.breaks == 4
        assert "There are 4 coffee breaks." in dict(list_facts(form.settings))["Calendar"]
        assert SettingsWithBreaks.from_json(form.settings.to_json()) == form.settings
        assert "breaks" in [field.name for section in form.sections for field in section.fields]

    def test_has_its_bounds_and_default_and_formats(self) -> None:
        assert list(FormWithBreaks({**build_league_form_data(), "breaks": "10"}).errors) == ["breaks"]
        usual = SettingsWithBreaks(rules=RuleSet.of(seats=2), standings=Rules.usual(2))
        assert list(replace(usual, breaks=10).faults()) == ["breaks"]
        assert FormWithBreaks()["breaks"].value() == 2
        assert "breaks" not in FormWithBreaks({**build_league_form_data(), "sides": "teams"}).fields
