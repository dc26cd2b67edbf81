"""Tests of penalty points for a player or a team: the table and everything that depends on it follow."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from games.clocks import DAY, HOUR
from games.models import Notice
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, Kind, Match, Phase, Season, Team
from leagues.seasons.penalties import MOST_PENALTY, preview_penalty
from leagues.selectors.division_lines import build_line
from leagues.selectors.leagues import read_log
from leagues.settings import Schedule
from leagues.standings import DUPLICATE, Rules
from leagues.templatetags.leagues import act, change
from tests.games.factories import make_player
from tests.leagues import oracle
from tests.leagues.knock_out_helpers import begin_cup
from tests.leagues.ladder_helpers import begin_ladder
from tests.leagues.organising_helpers import LATER, get_organiser
from tests.leagues.season_helpers import (
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    list_names,
    play_out_season,
    resign_all_games,
)
from tests.leagues.team_season_helpers import FIRST_ROUND, begin_team_season, end_games, get_player

pytestmark = pytest.mark.django_db


def get_entry(season: Season, number: int = 0) -> Entry:
    return season.entries.get(player=get_numbered_player(number))


def punish(contender: Entry | Team, points: str = "2", now: datetime = LATER, **other: Any) -> Entry | Team:
    given = {"who": get_organiser(), "reason": "Came late", "now": now, **other}
    return seasons.set_penalty(contender=contender, points=Decimal(points), **given)


def play_all(now: datetime = LATER) -> None:
    """Play all open games; players with the earlier name win."""
    resign_all_games(now, choose_later_name, played=True)
    advance_seasons(now)


def agree_with_the_oracle(season: Season) -> None:
    for division in season.divisions.filter(kind=Kind.TABLE):
        line = build_line(division)
        assert oracle.check(line, highest=True, lowest=True) == []
        assert "teams" not in line or oracle.check(line["teams"], highest=True, lowest=True) == []


class TestPlayers:
    def test_the_table_follows_and_the_log_and_a_mail_say_why(self) -> None:
        season = begin_season(4, division_size=4, protest=DAY)
        play_all()
        division = season.divisions.get()
        assert list_names(division) == ["Player00", "Player01", "Player02", "Player03"]
        previewed = preview_penalty(get_entry(season), Decimal("2.5"))
        assert get_entry(season).points == "6"
        punish(get_entry(season), "2.5")
        assert list_names(division) == ["Player01", "Player00", "Player02", "Player03"]
        entry = get_entry(season)
        assert (entry.points, entry.penalty, entry.rank) == ("7/2", Decimal("2.5"), 2)
        assert [one.player for one in previewed] == [
            one.player_id for one in division.entries.order_by("row")
        ]
        log = season.league.log.get(act="penalty")
        assert entry.penalty_ruling == log
        (line,) = read_log([log])
        assert (act(line), line.reason) == ("set penalty points", "Came late")
        assert change(line) == "Player00. Division 1. Before: 0. After: 2½."
        assert Notice.objects.get(about__topic="penalty").recipient == get_numbered_player(0)
        agree_with_the_oracle(season)

    def test_it_is_changed_and_lifted_and_points_may_be_below_0(self) -> None:
        season = begin_season(4, division_size=4)
        for points, shown in (("2", "-2"), ("0.5", "-1/2"), ("0", "0")):
            punish(get_entry(season), points)
            assert get_entry(season).points == shown
        details = [log.details for log in season.league.log.filter(act="penalty").order_by("pk")]
        assert [(one["before"], one["after"]) for one in details] == [("0", "2"), ("2", "1/2"), ("1/2", "0")]

    def test_rows_decide_and_not_what_was_read_before(self) -> None:
        season = begin_season(4, division_size=4)
        season.phase = Phase.REGISTRATION
        entry = get_entry(season)
        punish(entry)
        assert (entry.penalty, get_entry(season).penalty) == (0, 2)
        with pytest.raises(LeagueRefused, match="already"):
            punish(entry)

    def test_results_that_come_later_keep_it(self) -> None:
        season = begin_season(4, division_size=4)
        punish(get_entry(season), "5")
        play_all()
        assert get_entry(season).points == "1"
        agree_with_the_oracle(season)

    def test_what_is_still_possible_follows(self) -> None:
        season = begin_season(3, division_size=4)
        assert {entry.outlook["first"]["chance"] for entry in season.entries.all() if entry.outlook} <= {
            "open"
        }
        punish(get_entry(season), "9")
        outlook = get_entry(season).outlook
        assert outlook is not None and outlook["first"]["chance"] == "out"

    def test_who_moves_up_follows_until_the_next_season_begins(self) -> None:
        season = begin_season(8, division_size=4)
        play_out_season(season, LATER)
        following = Season.objects.get(number=2)
        assert get_entry(season, 4).moves == "up"
        punish(get_entry(season, 4), "4")
        assert (get_entry(season, 4).moves, get_entry(season, 5).moves) == ("", "up")
        assert following.entries.get(player=get_numbered_player(5)).seeded == 1
        assert season.league.log.latest("pk").details["late"] is True
        advance_seasons(following.begins)
        punish(get_entry(season, 5), "4")
        assert get_entry(season, 5).moves == "up", "a season has begun on it"
        assert get_entry(following, 5).penalty == 0

    def test_swiss_rounds_are_drawn_by_what_is_left(self) -> None:
        """The first four win the first round, and would meet each other: 0 and 2, 1 and 3."""
        season = begin_season(8, schedule=Schedule.SWISS, rounds=3, division_size=8, protest=DAY)
        play_all()
        punish(get_entry(season, 0), "2", LATER + HOUR)
        punish(get_entry(season, 1), "2", LATER + HOUR)
        advance_seasons(LATER + DAY)
        assert not Match.objects.filter(round=2).exists(), "penalty points can be protested against, too"
        advance_seasons(LATER + DAY + HOUR)
        still_ahead = Match.objects.filter(round=2, seats__player=get_numbered_player(2))
        assert still_ahead.get().seats.filter(player=get_numbered_player(3)).exists()
        play_all(LATER + 2 * DAY)
        agree_with_the_oracle(season)

    def test_groups_keep_who_has_gone_on(self) -> None:
        season = begin_season(4, schedule=Schedule.GROUPS, division_size=4, rules=Rules.usual(2))
        play_all()
        group, bracket = season.divisions.order_by("level")
        seeds = list(bracket.seeds.order_by("number").values_list("player", flat=True))
        punish(get_entry(season), "7")
        assert list_names(group)[-1] == "Player00"
        assert list(bracket.seeds.order_by("number").values_list("player", flat=True)) == seeds
        (line,) = read_log([season.league.log.latest("pk")])
        assert change(line).endswith(
            "Matches and seasons that have already started because of the old table stay as they are."
        )


class TestTeams:
    def test_the_table_follows_and_all_of_the_team_are_told(self) -> None:
        season = begin_team_season("ABC")
        advance_seasons(FIRST_ROUND)
        end_games(FIRST_ROUND)
        advance_seasons(FIRST_ROUND)
        team = season.teams.exclude(points="0").get()
        before = {one.pk: one.points for one in season.teams.all()}
        gone = team.members.exclude(player=team.captain).order_by("-joined")[0].player
        seasons.withdraw(season_id=season.pk, player=gone, now=FIRST_ROUND)
        punish(team, "3", FIRST_ROUND)
        team.refresh_from_db()
        assert (before[team.pk], team.points, team.rank) == ("2", "-1", 3)
        assert {one.pk: one.points for one in season.teams.exclude(pk=team.pk)} == {
            key: points for key, points in before.items() if key != team.pk
        }
        told = {notice.recipient for notice in Notice.objects.filter(about__topic="penalty")}
        assert told == {one.player for one in team.members.exclude(player=gone)}
        (line,) = read_log([season.league.log.latest("pk")])
        assert change(line) == f"{team.name}. Division 1. Before: 0. After: 3."
        agree_with_the_oracle(season)

    def test_players_of_teams_have_no_points_of_their_own(self) -> None:
        season = begin_team_season("ABC")
        with pytest.raises(LeagueRefused, match="no table of points"):
            punish(season.entries.get(player=get_player("A0")))

    def test_who_plays_for_the_team_leaves_it_to_another_organiser(self) -> None:
        season = begin_team_season("ABC")
        mate, rival = get_player("A1"), get_player("B1")
        season.league.organisers.set([mate, rival])
        team = season.teams.get(name="A")
        with pytest.raises(LeagueRefused, match="another organiser"):
            punish(team, who=mate)
        punish(team, who=rival)
        assert season.league.log.latest("pk").details["own_matter"] is True


class TestRefusals:
    def test_who_may_not_or_says_no_reason(self) -> None:
        season = begin_season(4, division_size=4)
        refused: list[tuple[str, dict[str, Any]]] = [
            ("Only this league's organisers", {"who": make_player("Zoe")}),
            ("Give a reason", {"reason": " "}),
            ("from 0 to 99", {"points": "-1"}),
            ("from 0 to 99", {"points": str(MOST_PENALTY + 1)}),
            ("from 0 to 99", {"points": "0.3"}),
            ("already", {"points": "0"}),
        ]
        for told, given in refused:
            with pytest.raises(LeagueRefused, match=told):
                punish(get_entry(season), **given)
        assert not season.league.log.filter(act="penalty").exists()
        assert get_entry(season).penalty == 0 and season.divisions.get().penalised is None

    @pytest.mark.parametrize("begin", [lambda: begin_cup(4), lambda: begin_ladder(4)])
    def test_where_there_are_no_points(self, begin: Any) -> None:
        begin()
        with pytest.raises(LeagueRefused, match="no table of points"):
            punish(get_entry(Season.objects.get()))

    def test_where_the_comparison_decides_alone(self) -> None:
        rules = Rules((0, 0), tie_breaks=(DUPLICATE, "lot"))
        season = begin_season(4, division_size=4, duplicate=True, rules=rules)
        with pytest.raises(LeagueRefused, match="no table of points"):
            punish(get_entry(season))

    def test_before_it_begins_and_when_it_is_cancelled(self) -> None:
        season = begin_season(4, division_size=4)
        for phase in (Phase.REGISTRATION, Phase.CANCELLED):
            Season.objects.filter(pk=season.pk).update(phase=phase)
            with pytest.raises(LeagueRefused, match="isn't in progress"):
                punish(get_entry(season))

    def test_the_own_penalty(self) -> None:
        season = begin_season(4, division_size=4)
        season.league.organisers.set([get_numbered_player(0), get_numbered_player(1)])
        punish(get_entry(season), who=get_numbered_player(1))
        with pytest.raises(LeagueRefused, match="another organiser"):
            punish(get_entry(season), "0", who=get_numbered_player(0))
