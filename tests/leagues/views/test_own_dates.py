"""Tests of leagues' dates in a player's private calendar."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from icalendar import Calendar

from accounts import feed_secrets
from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Challenge, LineUp, Match, Season, TeamMatch
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.leagues.ladder_helpers import begin_ladder, challenge_player
from tests.leagues.season_helpers import BEGINS, begin_season, get_numbered_player, make_league
from tests.leagues.team_cup_helpers import begin_team_cup
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season, get_player, get_team_match

pytestmark = pytest.mark.django_db


def build_url(player: Player) -> str:
    token = feed_secrets.build_token(feed_secrets.make_secret(player, now=NOW))
    return reverse("games:private_calendar", args=[token])


def read_events(player: Player) -> dict[str, Any]:
    """The events of leagues in the calendar of *player* by their titles."""
    answer = Client().get(build_url(player))
    events = [
        event
        for event in Calendar.from_ical(answer.content).walk("VEVENT")
        if not str(event["uid"]).startswith("turn-")
    ]
    assert len({str(event["uid"]) for event in events}) == len(events)
    return {str(event["summary"]): event for event in events}


def read_dates(player: Player) -> dict[str, datetime]:
    return {title: event.decoded("dtstart") for title, event in read_events(player).items()}


def test_whoever_has_registered_reads_when_the_season_begins_and_ends() -> None:
    season = make_league().seasons.get()
    player = make_player("Carl")
    assert read_dates(player) == {}
    seasons.register(season_id=season.pk, player=player, now=NOW)
    expected = {
        "Cup of Foix: registration ends, season 1 begins": season.begins,
        "Cup of Foix: season 1 ends": season.ends,
    }
    assert read_dates(player) == expected
    assert read_dates(season.league.founder) == {}
    seasons.withdraw(season_id=season.pk, player=player, now=NOW)
    assert read_dates(player) == {}


def test_a_match_that_ends_before_its_season_is_told_to_those_who_play_it() -> None:
    begin_season(4, schedule=Schedule.KNOCK_OUT, rules=Rules.usual(2))
    match = Match.objects.filter(round=1).order_by("number").first()
    assert match is not None and match.ends is not None
    first, second = (seat.player for seat in match.seats.order_by("index"))
    title = f"Cup of Foix: latest end of your match with {second} (Knock-out, Semi-finals)"
    event = read_events(first)[title]
    assert event.decoded("dtstart") == match.ends
    assert str(event["url"]) == "https://carcassonne.example/leagues/cup-of-foix/1/1/"
    Match.objects.update(decided=NOW, waits=False)
    assert title not in read_dates(first)


def test_a_challenge_is_told_to_both() -> None:
    season = begin_ladder(4)
    made: Challenge = challenge_player(season, 2, 1)
    for player, other in ((1, 2), (2, 1)):
        title = f"Cup of Foix: latest end of your challenge with Player0{other}"
        assert read_dates(get_numbered_player(player))[title] == made.match.ends
    assert not [title for title in read_dates(get_numbered_player(3)) if "challenge" in title]


def test_a_team_reads_its_matches_and_captains_their_line_ups() -> None:
    begin_team_season("ABCD")
    match = get_team_match()
    teams = f"{match.first} – {match.second}"
    begins = f"Team Cup: {teams} begins (Division 1, Round 1)"
    line_up = f"Team Cup: set your line-up: {teams} (Division 1, Round 1)"
    captain, player = read_dates(get_player(f"{match.first}0")), read_dates(get_player(f"{match.first}1"))
    assert captain[begins] == player[begins] == FIRST_ROUND
    assert captain[line_up] == FIRST_ROUND - DAY and line_up not in player
    assert sum(" begins (" in title for title in player) == 3
    other = TeamMatch.objects.get(round=1, number=2).first
    assert begins not in read_dates(get_player(f"{other}1"))
    event = read_events(get_player(f"{match.first}1"))[begins]
    assert str(event["url"]) == "https://carcassonne.example/leagues/team-cup/1/1/1/1/"


def test_a_match_of_teams_that_ends_early_says_so() -> None:
    begin_team_cup("ABCD")
    match = get_team_match()
    assert match.ends is not None
    dates = read_dates(get_player(f"{match.first}0"))
    title = f"Team Cup: latest end of {match.first} – {match.second} (Knock-out, Semi-finals)"
    assert dates[title] == match.ends
    assert len([title for title in dates if "your match" in title]) == 0


def test_no_line_up_of_others_is_told_before_it_is_shown() -> None:
    begin_team_season("AB")
    match = get_team_match()
    LineUp.objects.all().delete()
    titles = " ".join(read_dates(get_player(f"{match.first}1")))
    assert not [name for name in (f"{match.second}{n}" for n in range(4)) if name in titles]


def test_a_season_that_moves_has_a_later_number() -> None:
    season: Season = begin_season(3)
    player = get_numbered_player(0)
    before = read_events(player)["Cup of Foix: season 1 ends"]
    seasons.extend(
        season_id=season.pk, by=5 * DAY, who=season.league.founder, reason="Rain", now=BEGINS + DAY
    )
    after = read_events(player)["Cup of Foix: season 1 ends"]
    assert after["uid"] == before["uid"] and int(after["sequence"]) > int(before["sequence"])
    assert after.decoded("dtstart") == before.decoded("dtstart") + 5 * DAY


def test_many_seasons_and_matches_cost_as_many_queries_as_few() -> None:
    season = begin_team_season("ABCD")
    player = get_player("A0")

    def count() -> int:
        address, client = build_url(player), Client()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        return len(queries)

    few = count()
    for number in range(3):
        settings = {"rules": season.settings.rules, "standings": season.settings.standings}
        made = seasons.found_league(
            founder=season.league.founder,
            name=f"League {number}",
            settings=type(season.settings)(**settings),
            now=NOW,
        )
        seasons.register(season_id=made.seasons.get().pk, player=player, now=NOW)
    assert count() == few <= 12
