"""A league of teams: from the founding of teams to their second season, by the beat alone."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Player
from accounts.services import close_account
from games.clocks import DAY, HOUR
from games.conduct import blocks
from games.models import Game, Notice
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from leagues.models import Board, Entry, LineUp, Match, Phase, Season, Team, TeamMatch, TeamMember
from leagues.schedules.team_rules import TeamRules
from leagues.seasons.teams.boards import TIME_TO_REPLACE
from leagues.seasons.teams.tables import load_matches_with_games
from leagues.selectors.board_records import count_records
from leagues.selectors.division_lines import build_line
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules, Withdrawn
from tests.games.factories import NOW, make_player
from tests.leagues import oracle, team_oracle
from tests.leagues.organising_helpers import get_organiser, settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    make_league,
    play_out_season,
    register_players,
)
from tests.leagues.team_season_helpers import (
    DUELS,
    FIRST_ROUND,
    ONE_BOARD,
    THREE_BOARDS,
    begin_team_season,
    end_games,
    get_player,
    get_team_match,
    lose_game,
    make_team,
    make_team_season,
    make_team_settings,
)

pytestmark = pytest.mark.django_db


def at_boards(match: TeamMatch) -> list[tuple[str, str]]:
    """The players who currently play at each board, of the first team and of the second."""
    last = [board.players.order_by("number").last() for board in match.boards.order_by("number")]
    return [(str(one.first), str(one.second)) for one in last if one is not None]


def play_on(season: Season, now: datetime) -> datetime:
    """Play all rounds to the end of the season, and return when it closed."""
    while season.running:
        end_games(now)
        advance_seasons(now)
        season.refresh_from_db()
        now += THREE_BOARDS.round
        assert now < season.ends + 5 * DAY
    return now


def moved(season: Season) -> dict[str, str]:
    return dict(season.teams.exclude(moves="").order_by("name").values_list("name", "moves"))


class TestSettings:
    def test_go_into_a_row_and_back(self) -> None:
        assert LeagueSettings.from_json(make_team_settings().to_json()) == make_team_settings()
        without = make_team_settings().to_json()
        del without["teams"]  # as leagues were stored before there were teams
        assert LeagueSettings.from_json(without).teams is None

    def test_those_of_the_world_team_championship_are_possible(self) -> None:
        world = make_team_settings(TeamRules(), standings=Rules.usual(2, best_of=3), division_size=4)
        assert list(world.faults()) == []

    @pytest.mark.parametrize(
        ("settings", "fault"),
        [
            (make_team_settings(replace(THREE_BOARDS, boards=2)), "boards"),
            (make_team_settings(replace(THREE_BOARDS, least=2)), "team_size"),
            (make_team_settings(replace(THREE_BOARDS, most=2)), "team_size"),
            (make_team_settings(replace(THREE_BOARDS, round=HOUR)), "round_days"),
            (make_team_settings(replace(THREE_BOARDS, closes=8 * DAY)), "closes"),
            (make_team_settings(schedule=Schedule.SWISS), "teams"),
            (make_team_settings(standings=replace(DUELS, withdrawn=Withdrawn.STRIKE)), "withdrawn"),
            (make_team_settings(length=30 * DAY), "team_length"),
        ],
    )
    def test_that_there_can_not_be(self, settings: LeagueSettings, fault: str) -> None:
        assert fault in list(settings.faults())

    def test_of_tables_can_not_have_teams(self) -> None:
        settings = LeagueSettings(rules=RuleSet.of(seats=3), standings=Rules.usual(3), teams=THREE_BOARDS)
        assert "teams" in list(settings.faults())


class TestSquads:
    def test_players_come_by_link_or_invitation_and_play_for_one_team(self) -> None:
        season = make_team_season()
        team = make_team(season, "A", 2)
        zoe = make_player("Zoe")
        with pytest.raises(LeagueRefused, match="not invited"):
            seasons.join_team(team_id=team.pk, player=zoe, now=NOW, token="wrong")
        seasons.invite(team_id=team.pk, captain=get_player("A0"), name="zoe", now=NOW)
        seasons.join_team(team_id=team.pk, player=zoe, now=NOW)
        seasons.join_team(team_id=team.pk, player=zoe, now=NOW)
        other = make_team(season, "B", 1)
        for act in (
            lambda: seasons.join_team(team_id=other.pk, player=zoe, now=NOW, token=other.token),
            lambda: seasons.found_team(season_id=season.pk, captain=zoe, name="Z", now=NOW),
        ):
            with pytest.raises(LeagueRefused, match="already"):
                act()
        assert Entry.objects.filter(player=zoe).count() == TeamMember.objects.filter(player=zoe).count() == 1

    def test_a_name_is_taken_once_and_a_team_gets_full(self) -> None:
        season = make_team_season()
        team = make_team(season, "A", 5)
        with pytest.raises(LeagueRefused, match="This name"):
            seasons.found_team(season_id=season.pk, captain=make_player("Zoe"), name=" a ", now=NOW)
        with pytest.raises(LeagueRefused, match="full"):
            seasons.join_team(team_id=team.pk, player=get_player("Zoe"), now=NOW, token=team.token)

    def test_captains_alone_invite_remove_and_hand_over(self) -> None:
        team = make_team(make_team_season(), "A", 3)
        for act in (
            lambda: seasons.invite(team_id=team.pk, captain=get_player("A1"), name="A2", now=NOW),
            lambda: seasons.remove(
                team_id=team.pk, captain=get_player("A1"), player=get_player("A2"), now=NOW
            ),
            lambda: seasons.hand_over(
                team_id=team.pk, captain=get_player("A1"), player=get_player("A1"), now=NOW
            ),
            lambda: seasons.renew_link(team_id=team.pk, captain=get_player("A1")),
        ):
            with pytest.raises(LeagueRefused, match="captain"):
                act()
        seasons.remove(team_id=team.pk, captain=get_player("A0"), player=get_player("A2"), now=NOW)
        seasons.hand_over(team_id=team.pk, captain=get_player("A0"), player=get_player("A1"), now=NOW)
        team.refresh_from_db()
        assert team.captain == get_player("A1")
        assert [str(member.player) for member in team.members.all()] == ["A0", "A1"]

    def test_a_captain_who_leaves_is_followed_and_the_last_one_takes_the_team_along(self) -> None:
        season = make_team_season()
        team = make_team(season, "A", 2)
        seasons.withdraw(season_id=season.pk, player=get_player("A0"), now=NOW)
        team.refresh_from_db()
        assert team.captain == get_player("A1")
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=NOW)
        assert not Team.objects.exists()

    def test_a_captain_who_closes_the_account_is_followed_too(self) -> None:
        team = make_team(make_team_season(), "A", 2)
        close_account(player=get_player("A0"), now=NOW)
        team.refresh_from_db()
        assert team.captain == get_player("A1")
        assert [str(member.player) for member in team.members.all()] == ["A1"]

    def test_nobody_registers_alone(self) -> None:
        season = make_team_season()
        with pytest.raises(LeagueRefused, match="This league is for teams"):
            seasons.register(season_id=season.pk, player=make_player("Zoe"), now=NOW)


class TestRounds:
    def test_everybody_meets_everybody_a_round_a_week(self) -> None:
        season = begin_team_season("ABC")
        assert [(match.round, match.begins) for match in TeamMatch.objects.order_by("round")] == [
            (number, BEGINS + THREE_BOARDS.begins(number)) for number in (1, 2, 3)
        ]
        assert not Match.objects.exists(), "no board before its round begins"
        advance_seasons(FIRST_ROUND - HOUR)
        assert not Match.objects.exists()
        advance_seasons(FIRST_ROUND)
        advance_seasons(FIRST_ROUND)
        assert Match.objects.count() == Game.objects.count() == 3
        first, second = get_team_match().first, get_team_match().second
        begins = [game.seats.get(index=0).player for game in Game.objects.order_by("pk")]
        assert [str(one)[0] for one in begins] == [first.name, second.name, first.name]
        season.refresh_from_db()
        assert season.phase == Phase.RUNNING

    def test_teams_with_too_few_players_are_left_out(self) -> None:
        season = make_team_season()
        for name in "AB":
            make_team(season, name)
        make_team(season, "C", 2)
        advance_seasons(BEGINS)
        assert [team.state for team in Team.objects.order_by("name")] == ["playing", "playing", "short"]
        assert TeamMatch.objects.count() == 1
        advance_seasons(FIRST_ROUND)
        assert "C" not in {name[0] for pair in at_boards(get_team_match()) for name in pair}

    def test_with_one_team_the_season_is_put_off_and_at_last_cancelled(self) -> None:
        season = begin_team_season("A")
        assert (season.phase, season.postponed) == (Phase.REGISTRATION, 1)
        for _ in range(3):
            advance_seasons(season.begins)
            season.refresh_from_db()
        assert season.phase == Phase.CANCELLED

    def test_the_season_after_one_that_was_cancelled_has_its_teams(self) -> None:
        season = begin_team_season("A")
        seasons.name_vice_captain(
            team_id=Team.objects.get().pk, captain=get_player("A0"), player=get_player("A2"), now=BEGINS
        )
        about = {"who": get_organiser(), "reason": "Too few", "now": BEGINS}
        seasons.cancel_season(season_id=season.pk, **about)
        following = seasons.open_next(league=season.league, **about)
        team = following.teams.get()
        assert (team.name, team.captain, team.vice_captain) == ("A", get_player("A0"), get_player("A2"))
        assert team.members.count() == following.entries.count() == 4
        make_team(following, "B")
        advance_seasons(following.begins)
        following.refresh_from_db()
        assert following.running

    def test_the_captain_orders_the_boards_until_the_line_up_closes(self) -> None:
        begin_team_season("AB")
        match = get_team_match()
        captain, order = get_player("A0"), [get_player(name).pk for name in ("A3", "A0", "A2")]
        closes = match.begins - THREE_BOARDS.closes
        team = Team.objects.get(name="A")
        put = {"match_id": match.pk, "team_id": team.pk}
        with pytest.raises(LeagueRefused, match="captain"):
            seasons.put_line_up(**put, captain=get_player("A1"), players=order, now=BEGINS)
        for wrong in (order[:2], [*order[:2], order[0]], [*order[:2], get_player("B0").pk]):
            with pytest.raises(LeagueRefused):
                seasons.put_line_up(**put, captain=captain, players=wrong, now=BEGINS)
        seasons.put_line_up(**put, captain=captain, players=order, now=closes - HOUR)
        with pytest.raises(LeagueRefused, match="too late"):
            seasons.put_line_up(**put, captain=captain, players=order[::-1], now=closes)
        advance_seasons(FIRST_ROUND)
        side = 0 if match.first == team else 1
        assert [pair[side] for pair in at_boards(match)] == ["A3", "A0", "A2"]
        assert [pair[1 - side] for pair in at_boards(match)] == ["B0", "B1", "B2"], "else by rating"

    def test_without_one_the_last_is_used_without_who_can_not_play(self) -> None:
        begin_team_season("AB", rounds=2, division_size=2)
        team = Team.objects.get(name="A")
        order = [get_player(name).pk for name in ("A3", "A0", "A2")]
        seasons.put_line_up(
            match_id=get_team_match().pk, team_id=team.pk, captain=get_player("A0"), players=order, now=BEGINS
        )
        advance_seasons(FIRST_ROUND)
        seasons.set_available(team_id=team.pk, player=get_player("A0"), available=False, now=NOW)
        advance_seasons(BEGINS + THREE_BOARDS.begins(2))
        side = 0 if get_team_match(2).first == team else 1
        assert [pair[side] for pair in at_boards(get_team_match(2))] == ["A3", "A1", "A2"]
        made = LineUp.objects.filter(team=team).order_by("match__round")
        assert list(made.values_list("chosen", flat=True)) == [True, False]


class TestAnotherSettings:
    """Leagues that change between single players and teams."""

    def change(self, season: Season, settings: LeagueSettings) -> None:
        about = {"who": get_organiser(), "reason": "Wished for", "now": BEGINS}
        league = season.league
        seasons.edit(league=league, name=league.name, text="", settings=settings, **about)

    def test_nobody_is_registered_for_a_season_of_teams_without_one(self) -> None:
        season = begin_season(4, division_size=4)
        seasons.wait(season_id=season.pk, player=make_player("Zoe"), now=BEGINS)
        self.change(season, make_team_settings())
        play_out_season(season, BEGINS + DAY)
        following = Season.objects.get(number=2)
        assert following.settings.teams is not None
        assert not following.entries.exists() and not following.waiting.exists()

    def test_nor_if_the_season_before_was_cancelled(self) -> None:
        season = make_league().seasons.get()
        register_players(season, 2)
        self.change(season, make_team_settings())
        about = {"who": get_organiser(), "reason": "Too few", "now": BEGINS}
        seasons.cancel_season(season_id=season.pk, **about)
        assert not seasons.open_next(league=season.league, **about).entries.exists()

    def test_the_players_of_teams_play_on_alone(self) -> None:
        season = begin_team_season("ABC")
        self.change(season, LeagueSettings(rules=RuleSet.of(seats=2), standings=DUELS))
        play_on(season, FIRST_ROUND)
        following = Season.objects.get(number=2)
        assert following.entries.count() == 12
        assert not following.teams.exists()


class TestResults:
    def test_a_season_is_played_and_the_teams_are_there_again(self) -> None:
        season = begin_team_season("ABC")
        play_on(season, FIRST_ROUND)
        assert season.phase == Phase.CLOSED
        table = Team.objects.filter(season=season).order_by("row")
        assert list(table.values_list("name", "rank", "points", "board_points")) == [
            ("A", 1, "4", "6"),
            ("B", 2, "2", "3"),
            ("C", 3, "0", "0"),
        ]
        line = build_line(season.divisions.get())
        assert oracle.check(line, highest=True, lowest=True) == []
        assert oracle.check(line["teams"], highest=True, lowest=True) == []
        again = Season.objects.get(number=2)
        assert list(again.teams.order_by("order").values_list("name", "seeded")) == [
            ("A", 1),
            ("B", 1),
            ("C", 1),
        ]
        assert again.entries.count() == 12

    def test_two_divisions_move(self) -> None:
        rules = Rules.usual(2, up=1, down=1)
        season = begin_team_season("ABCDEF", 1, teams=ONE_BOARD, division_size=3, standings=rules)
        play_on(season, FIRST_ROUND)
        again = Season.objects.get(number=2)
        levels = again.teams.order_by("seeded", "order").values_list("seeded", "name")
        assert [name for level, name in levels if level == 1] == ["A", "B", "D"]

    def test_a_team_that_was_relegated_is_the_last_to_take_a_vacant_place(self) -> None:
        rules = Rules.usual(2, up=1, down=1)
        season = begin_team_season("ABCDEF", 1, teams=ONE_BOARD, division_size=3, standings=rules)
        play_on(season, FIRST_ROUND)
        assert moved(season) == {"C": "down", "D": "up"}
        again = Season.objects.get(number=2)
        seasons.withdraw(season_id=again.pk, player=get_player("A0"), now=again.begins - DAY)
        seasons.found_team(season_id=again.pk, captain=make_player("G0"), name="G", now=again.begins - DAY)
        advance_seasons(again.begins)
        drawn = [set(one.teams.values_list("name", flat=True)) for one in again.divisions.order_by("level")]
        assert drawn == [{"B", "D", "E"}, {"C", "F", "G"}]
        assert moved(season) == {"C": "down", "D": "up", "E": "up"}

    def test_a_board_counts_at_once_and_the_match_when_it_can_not_turn(self) -> None:
        begin_team_season("AB")
        advance_seasons(FIRST_ROUND)
        states = []
        for board in Board.objects.order_by("number"):
            game = board.players.get().match.fixtures.get().game  # type: ignore[union-attr]
            assert game is not None
            lose_game(game, max(str(seat.player) for seat in game.seats.all()), FIRST_ROUND + DAY)
            advance_seasons(FIRST_ROUND + DAY)
            match = get_team_match()
            a = match.first_points if match.first.name == "A" else match.second_points
            states.append((a, match.decided, Team.objects.get(season__number=1, name="A").points))
        assert states == [("1", False, "0"), ("2", True, "2"), ("3", True, "2")]


class TestLeaving:
    def test_the_captain_sends_a_substitute_for_the_next_game(self) -> None:
        season = begin_team_season("AB", standings=Rules.usual(2, best_of=3))
        advance_seasons(FIRST_ROUND)
        end_games(FIRST_ROUND + DAY)  # A leads everywhere
        advance_seasons(FIRST_ROUND + DAY)
        at = FIRST_ROUND + 2 * DAY
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=at)
        advance_seasons(at)
        short = Match.objects.get(waits=True)
        team = Team.objects.get(name="A")
        board = short.at_board.board
        Match.objects.filter(pk=short.pk).update(ends=at + 9 * DAY)  # as by an extension
        with pytest.raises(LeagueRefused, match="isn't playing on a board"):
            seasons.substitute(
                match_id=short.pk, team_id=team.pk, captain=get_player("A0"), player=get_player("A2"), now=at
            )
        seasons.substitute(
            match_id=short.pk, team_id=team.pk, captain=get_player("A0"), player=get_player("A3"), now=at
        )
        advance_seasons(at)
        last = board.players.order_by("number").last()
        assert last is not None and last.match is not None
        assert {str(last.first), str(last.second)} == {"A3", "B1"}
        assert last.match.ends == at + 9 * DAY
        assert last.match.fixtures.get().game is not None, "the third game has started"
        play_on(season, at + DAY)
        board.refresh_from_db()
        side = 0 if board.team_match.first == team else 1
        assert (board.first_points, board.second_points)[side] == 2
        records = {
            str(Player.objects.get(pk=pk)): (record.boards, record.games)
            for pk, record in count_records(load_matches_with_games(season.divisions.get())).items()
        }
        assert [records[name] for name in ("A1", "A3", "B1")] == [(1, 2), (1, 1), (1, 3)]
        assert oracle.check(build_line(season.divisions.get()), highest=True, lowest=True) == []

    @pytest.mark.parametrize(("ranks", "points"), [((1, 1), (1, 1)), ((2, 1), (0, 2))])
    def test_a_correction_of_a_game_before_the_substitution_counts_in_the_series_that_goes_on(
        self, ranks: tuple[int, int], points: tuple[int, int]
    ) -> None:
        season = begin_team_season("AB", standings=Rules.usual(2, best_of=3))
        advance_seasons(FIRST_ROUND)
        end_games(FIRST_ROUND + DAY)
        advance_seasons(FIRST_ROUND + DAY)
        at = FIRST_ROUND + 2 * DAY
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=at)
        advance_seasons(at)
        left, team = Match.objects.get(waits=True), Team.objects.get(name="A")
        seasons.substitute(
            match_id=left.pk, team_id=team.pk, captain=get_player("A0"), player=get_player("A3"), now=at
        )
        advance_seasons(at)
        first = left.fixtures.get(number=1)
        settle_fixture(first, dict(zip((get_player("A1"), get_player("B1")), ranks, strict=True)), now=at)
        advance_seasons(at)
        left.refresh_from_db()
        assert left.decided and not left.waits and left.fixtures.count() == 2
        play_on(season, at + DAY)
        board = left.at_board.board
        assert (board.first_points, board.second_points)[:: 1 if board.team_match.first == team else -1] == (
            points
        )

    def test_without_a_substitute_in_time_the_board_is_forfeited(self) -> None:
        season = begin_team_season("AB")
        advance_seasons(FIRST_ROUND)
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=FIRST_ROUND)
        advance_seasons(FIRST_ROUND + DAY)
        assert Board.objects.filter(first_points=None).count() == 2, "its only game was resigned"
        board = Board.objects.exclude(first_points=None).get()
        side = 0 if board.team_match.first.name == "A" else 1
        assert (board.first_points, board.second_points)[side] == 0

    def test_games_that_have_not_begun_wait_for_the_captain_two_days(self) -> None:
        season = begin_team_season("AB", standings=Rules.usual(2, best_of=3))
        advance_seasons(FIRST_ROUND)
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=FIRST_ROUND)
        advance_seasons(FIRST_ROUND + TIME_TO_REPLACE - HOUR)
        assert Match.objects.filter(waits=True).count() == 1
        advance_seasons(FIRST_ROUND + TIME_TO_REPLACE)
        assert not Match.objects.filter(waits=True).exists()
        assert Board.objects.exclude(first_points=None).count() == 1

    def test_where_nobody_is_left_the_board_is_forfeited_at_once(self) -> None:
        season = begin_team_season("AB", 3)
        seasons.withdraw(season_id=season.pk, player=get_player("A1"), now=BEGINS)
        advance_seasons(FIRST_ROUND)
        match = get_team_match()
        a, b = ("first", "second") if match.first.name == "A" else ("second", "first")
        empty = match.boards.get(**{f"players__{a}": None})
        assert (getattr(empty, f"{a}_points"), getattr(empty, f"{b}_points")) == (0, 2)
        assert getattr(match, f"{b}_points") == "1"

    def test_a_team_withdraws_as_a_whole(self) -> None:
        season = begin_team_season("ABC")
        advance_seasons(FIRST_ROUND)
        seasons.withdraw_team(
            team_id=Team.objects.get(name="C").pk, captain=get_player("C0"), now=FIRST_ROUND
        )
        play_on(season, FIRST_ROUND + DAY)
        gone = Team.objects.get(season=season, name="C")
        assert (gone.state, gone.points) == ("withdrawn", "0")
        assert not Season.objects.get(number=2).teams.filter(name="C").exists()
        assert oracle.check(build_line(season.divisions.get())["teams"], highest=True, lowest=True) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        LeagueSimulationPlan(divisions=1, teams=3, boards=3, seasons=1, turns=2, faults=True, seed=4),
        LeagueSimulationPlan(
            divisions=1, teams=2, boards=1, best_of=3, seasons=1, turns=2, faults=True, seed=2
        ),
    ],
)
def test_simulated_seasons_are_worked_out_anew_the_same(plan: LeagueSimulationPlan) -> None:
    lines = list(LeagueSimulation(plan).run())
    assert len(lines) == plan.seasons
    assert oracle.check_league(lines) == []
    assert oracle.check_league([line["teams"] for line in lines]) == []
    for line in lines:
        assert team_oracle.check_boards(line) == []
    assert not Game.objects.filter(status="playing").exists()


def test_the_name_of_a_team_holds_no_link() -> None:
    season, zoe = make_team_season(), make_player("Zoe")
    with pytest.raises(LeagueRefused, match="looks like a link"):
        seasons.found_team(season_id=season.pk, captain=zoe, name="evil.example", now=NOW)


@pytest.mark.parametrize("other", ["ŁÓDŹ", "Łódź!", "ł ó d ź", "Lo\u0301dz\u0301".replace("L", "Ł")])
def test_no_two_teams_of_a_season_look_alike(other: str) -> None:
    """Two teams of a season can't have names that look alike, in any alphabet and database."""
    season = make_team_season()
    seasons.found_team(season_id=season.pk, captain=make_player("Zoe"), name="Łódź", now=NOW)
    with pytest.raises(LeagueRefused, match="This name is taken"):
        seasons.found_team(season_id=season.pk, captain=make_player("Anna"), name=other, now=NOW)
    anna = get_player("Anna")
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.create(season=season, name=other, captain=anna, registered=NOW)
    elsewhere = seasons.found_league(
        founder=season.league.founder, name="Other Cup", settings=make_team_settings(), now=NOW
    )
    seasons.found_team(season_id=elsewhere.seasons.get().pk, captain=anna, name=other, now=NOW)


@pytest.mark.parametrize("turned", [False, True])
def test_captains_invite_nobody_from_whom_they_are_kept_apart(turned: bool) -> None:
    team, zoe = make_team(make_team_season(), "A", 1), make_player("Zoe")
    one, other = (zoe, team.captain) if turned else (team.captain, zoe)
    blocks.block(blocked=other, player=one, now=NOW)
    with pytest.raises(LeagueRefused, match="can't invite"):
        seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=NOW)


def test_inviting_to_a_team_and_removing_again_sends_one_mail_an_hour() -> None:
    team, zoe = make_team(make_team_season(), "A", 1), make_player("Zoe")
    for minutes in (0, 20, 59):
        now = NOW + timedelta(minutes=minutes)
        seasons.invite(team_id=team.pk, captain=team.captain, name="Zoe", now=now)
        seasons.remove(team_id=team.pk, captain=team.captain, player=zoe, now=now)
    assert Notice.objects.filter(recipient=zoe).count() == 1
