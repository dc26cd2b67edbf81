"""Tests of values that rows parse from their JSON."""

from dataclasses import replace

import pytest

from tests.leagues.season_helpers import make_league


@pytest.mark.django_db
def test_settings_are_parsed_once_and_never_stale():
    season = make_league().seasons.get()
    ways = {
        "assignment": lambda row, stored: setattr(row, "agreed", stored),
        "refresh": lambda row, stored: row.refresh_from_db(),
    }
    for row in (season, season.league):
        for name, change in ways.items():
            before = row.settings
            assert row.settings is before, "parsed once"
            after = replace(before, length=2 * before.length)
            type(row).objects.filter(pk=row.pk).update(agreed=after.to_json())
            change(row, after.to_json())
            assert row.settings == after, (type(row), name)
