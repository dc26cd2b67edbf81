"""Tests of moderators' renaming of teams and leagues, and of reports about their names."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Player
from games.exceptions import Refused
from games.models import Notice
from games.notices.email import compose
from leagues import seasons
from leagues.models import League, LogEntry, Team
from leagues.selectors.leagues import read_log
from leagues.templatetags.leagues import act
from moderation.acts import named_things, reports
from moderation.acts.named_things import RenameRequest
from moderation.acts.reports import Subject
from moderation.models import Category, NameChange
from tests.games.factories import NOW
from tests.leagues.team_season_helpers import ONE_BOARD, make_team, make_team_season
from tests.moderation.reporting import moderator, named

pytestmark = pytest.mark.django_db


@pytest.fixture
def team() -> Team:
    return make_team(make_team_season(ONE_BOARD), "Alpha", 1)


def wish(kind: str, key: int, name: str, who: Player | None = None, **given: Any) -> RenameRequest:
    thing = named_things.find(kind, str(key))
    assert thing is not None
    more = {"reason": "It offends.", "before": thing.name, "now": NOW, **given}
    return RenameRequest(thing, who or moderator(), name, **more)


def test_a_team_gets_another_name_its_captain_is_told_and_the_log_says_so(team: Team) -> None:
    named_things.rename(wish("team", team.pk, "Beta"))
    team.refresh_from_db()
    assert team.name == "Beta"
    change = NameChange.objects.get()
    assert (change.kind, change.key, change.before, change.owner) == (
        "team",
        str(team.pk),
        "Alpha",
        team.captain,
    )
    entry = LogEntry.objects.get(act="rename_team")
    (line,) = read_log([entry])
    assert line.who is None and "Beta" in act(line) and "Alpha" not in act(line)
    assert line.reason == "It offends."
    mail = compose(Notice.objects.get(about__topic="renamed"))
    assert mail.to == [team.captain.email] and "Beta" in mail.body and "It offends." in mail.body


def test_a_league_gets_another_name_and_keeps_its_address(team: Team) -> None:
    league = team.season.league
    named_things.rename(wish("league", league.pk, "Cup of Foix"))
    slug, league = league.slug, League.objects.get(pk=league.pk)
    assert (league.name, league.slug) == ("Cup of Foix", slug)
    assert {notice.recipient for notice in Notice.objects.filter(about__topic="renamed")} == set(
        league.organisers.all()
    )
    assert "Cup of Foix" in compose(Notice.objects.get(about__topic="renamed")).body


@pytest.mark.parametrize("name", ["", "x" * 41, "evil.example", "beta", "Alpha"])
def test_a_team_is_renamed_through_the_gate_of_teams(team: Team, name: str) -> None:
    make_team(team.season, "Beta", 1)
    with pytest.raises(Refused):
        named_things.rename(wish("team", team.pk, name))
    assert not NameChange.objects.exists() and not LogEntry.objects.filter(act="rename_team").exists()


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "Team Cup"])
def test_a_league_needs_another_name_that_fits(team: Team, name: str) -> None:
    with pytest.raises(Refused):
        named_things.rename(wish("league", team.season.league_id, name))


def test_a_second_click_is_the_first_one(team: Team) -> None:
    first = wish("team", team.pk, "Beta")
    named_things.rename(first)
    named_things.rename(first)
    assert NameChange.objects.count() == LogEntry.objects.filter(act="rename_team").count() == 1


def test_nobody_renames_what_concerns_them(team: Team) -> None:
    mira = moderator("Mira")
    seasons.join_team(team_id=team.pk, player=mira, now=NOW, token=team.token)
    for kind, key in (("team", team.pk), ("league", team.season.league_id)):
        with pytest.raises(Refused):
            named_things.rename(wish(kind, key, "Beta", mira))
        with pytest.raises(Refused):
            named_things.rename(wish(kind, key, "Beta", named("Felix")))
    mona = moderator("Mona")
    team.season.league.organisers.add(mona)
    for kind, key in (("team", team.pk), ("league", team.season.league_id)):
        with pytest.raises(Refused):
            named_things.rename(wish(kind, key, "Beta", mona))


def test_names_are_reported_and_the_case_is_about_who_answers_for_them(team: Team) -> None:
    felix = named("Felix")
    for kind, key in (("team", team.pk), ("league", team.season.league_id)):
        thing = named_things.find(kind, str(key))
        assert thing is not None
        report = reports.report(
            reporter=felix, subject=Subject.of_name(thing), category=Category.NAME, words="", now=NOW
        )
        assert report.incident.about == thing.owner and report.incident.game is None
        assert [(one.kind, one.key, one.name) for one in report.reported_names.all()] == [
            (kind, str(key), thing.name)
        ]


@pytest.mark.parametrize("key", ["0", "-1", "x", "٣", "9" * 30])
def test_what_is_not_there_is_not_found(key: str) -> None:
    assert named_things.find("team", key) is None and named_things.find("league", key) is None
