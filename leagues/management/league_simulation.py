"""Simulation of a league for some seasons, with faults.

Registration, draws, results and promotions use the services of ``leagues/seasons`` and ``games/play``, with a
simulated clock. Only the acts of people are random.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models import Q

from accounts.models import Player
from games import clocks, heartbeat, play
from games.clocks import USUAL_CLOCK, AtEnd
from games.exceptions import Refused, TooMany
from games.models import Game, Status
from games.play import positions
from games.rules import RuleSet
from games.rules.playout import pick_random_action
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.formats.base import Format
from leagues.lookup import find_format
from leagues.models import (
    AWAITS_ROUND,
    Division,
    EntryState,
    Fixture,
    League,
    Match,
    Phase,
    Season,
    Team,
    TeamMatch,
)
from leagues.schedules.team_rules import TeamRules
from leagues.seasons import ladders
from leagues.seasons.extending import WHOLE_SEASON, PartKind, SeasonPart
from leagues.seasons.results import has_consequences
from leagues.seasons.settling import check_may_settle
from leagues.seasons.teams.line_ups import list_spare_players, load_squad_by_rating
from leagues.selectors.desk import list_unfinished_games
from leagues.selectors.division_lines import build_line
from leagues.settings import ChallengeRules, CupRules, LeagueSettings, Schedule
from leagues.standings import ComparisonRule, Rules, Withdrawn

BEGAN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)
MOVED = 2
"""Maximum number of players or teams that move up and down per division."""

TIMES_OUT, RESIGNS = 0.06, 0.04
"""With faults, probabilities that a player never returns to a game, and that they resign it."""

WITHDRAWS = 0.06
"""With faults, probability that a player withdraws in a season."""

JOINS = 0.5
"""With faults, probability that a newcomer joins a season of duels after somebody withdrew."""

PUTS_LINE_UP, REPLACES = 0.3, 0.5
"""Probabilities that a captain submits a line-up on a day, and that they send a substitute."""

CHALLENGES = 0.3
"""Probability that a player on a ladder makes a challenge on a day."""

COMES, RETURNS, BREAKS_OFF = 0.1, 0.2, 0.05
"""With faults, probabilities per day that a newcomer joins a ladder and that a player who left returns, and
the probability that a game there is broken off before it has well begun."""

LADDER = ChallengeRules(reach=3, rest=2 * DAY, length=8 * DAY, declines=1)
LADDER_SEASON = 30 * DAY

EXTENDS = 0.1
"""With faults, probability per day that an organiser extends something (STAND-16)."""

CORRECTS = 0.6
"""With corrections, probability that an organiser corrects a result on a day, and after the season."""

PENALISES = 0.7
"""With penalties, probability that an organiser sets penalty points on a day, and after the season."""

DAWDLES, DECIDES = 0.2, 0.15
"""With late decisions, probability that a game is played slowly until its hard end, and the probability per
day that an organiser decides how one counts."""

DELAYED, ENDS_EARLY = 0.6, 0.15
"""With late decisions, probability that a round is drawn much too late, and that organisers end the season
instead."""

MOST_DELAYED = 150
"""Maximum delay of a round, in days."""

MOST_TAKEN = 7
"""Maximum penalty, in halves of a point."""

KILLED = 0.3
"""With faults, probability that a worker is killed during a task."""

MOST_STATEMENTS = 60
"""Upper limit of the number of SQL statements after which a worker is killed."""


class WorkerKilled(BaseException):
    """Raised in place of killing a worker."""


@dataclass(frozen=True, kw_only=True)
class LeagueSimulationPlan:
    """Parameters of a simulation."""

    divisions: int = 10
    players: int = 8  # per division
    seats: int = 2
    seasons: int = 5
    seed: int = 1
    faults: bool = False
    schedule: Schedule = Schedule.ROUND_ROBIN
    rounds: int = 0  # 0: the usual number of the schedule
    best_of: int = 1
    withdrawn: Withdrawn = Withdrawn.KEEP
    duplicate: bool = False  # all tables of a round draw the same tiles
    comparison: ComparisonRule = ComparisonRule.TIE_BREAK  # its use for single players with the same tiles
    cup: CupRules = field(default_factory=CupRules)
    teams: int = 0  # per division; 0: single players
    boards: int = 3
    protest: timedelta = timedelta()  # time for protests before anything follows from a result
    corrections: bool = False  # organisers correct results, in protest time and later
    penalties: bool = False  # organisers take points, and give them back
    late_decisions: bool = False  # games are decided late, and rounds are drawn late (STAND-20)
    turns: int | None = None  # turns until a player resigns; none: games are played to the end

    @property
    def format(self) -> Format:
        return find_format(self.schedule, self.seats)

    @property
    def settings(self) -> LeagueSettings:
        moves = self.divisions > 1 and self.format.divided
        moved = min(MOVED, (self.teams or self.players) // 2) if moves else 0
        usual = Rules.usual(self.seats, best_of=self.best_of, up=moved, down=moved)
        settings = LeagueSettings(
            rules=RuleSet.of(seats=self.seats),
            standings=replace(usual.comparing(self._comparison), withdrawn=self.withdrawn),
            schedule=self.schedule,
            rounds=self.rounds or self._usual_rounds,
            division_size=self.teams or self.players,
            duplicate=self.duplicate,
            cup=self.cup,
            protest=self.protest,
            clock=replace(USUAL_CLOCK, at_end=AtEnd.ORGANISER) if self.late_decisions else USUAL_CLOCK,
            late_until=100 if self.faults and self.seats == 2 and not self.teams else 0,
            teams=self._team_rules,
        )
        if self.format.has_challenges:
            return replace(settings, length=LADDER_SEASON, challenges=LADDER)
        return settings

    @property
    def _comparison(self) -> ComparisonRule:
        compared = self.duplicate and self.format.in_tables and not self.teams
        return self.comparison if compared else ComparisonRule.SHOWN

    @property
    def _team_rules(self) -> TeamRules | None:
        if not self.teams:
            return None
        return TeamRules(boards=self.boards, least=self.boards, most=self.boards + 2)

    @property
    def _usual_rounds(self) -> int:
        if self.schedule == Schedule.SWISS:
            return min(5, self.players - 1)
        return 1 if self.seats == 2 else self.players - 1


class LeagueSimulation:
    """One league in an empty database. The sweep runs whenever time moves."""

    def __init__(self, plan: LeagueSimulationPlan) -> None:
        self.plan = plan
        self.lot = random.Random(plan.seed)
        self.lot_of_organiser = random.Random(plan.seed)
        self.lot_of_delays = random.Random(plan.seed)
        self.dawdling: dict[int, bool] = {}  # by game
        self.now = BEGAN
        self.league = self._found_league()

    @property
    def now(self) -> datetime:
        return self._now

    @now.setter
    def now(self, at: datetime) -> None:
        self._now = at
        heartbeat.set_beat(at)

    def run(self) -> Iterator[dict[str, Any]]:
        """Play all seasons; yield a line for each season and division when the season is closed."""
        for number in range(1, self.plan.seasons + 1):
            season = self.league.seasons.get(number=number)
            self._register(season)
            self.now = max(self.now, season.begins) + MINUTE
            self._advance()
            self._play(season)
            self._correct(season)
            self._penalise(season)
            for division in Division.objects.filter(season=season).order_by("level"):
                yield build_line(division)

    def _found_league(self) -> League:
        founder = self._person("Founder")
        founder.user_permissions.add(Permission.objects.get(codename="found_league"))
        founder = Player.objects.get(pk=founder.pk)
        return seasons.found_league(
            founder=founder,
            name="Simulated league",
            settings=self.plan.settings,
            now=self.now,
            expected=self.plan.divisions * (self.plan.teams or self.plan.players),
        )

    def _person(self, name: str) -> Player:
        player = Player.objects.create_user(name, undo_seconds=0)
        address = f"{name.lower()}@example.invalid"  # inviting requires a confirmed address
        EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
        return player

    def _register(self, season: Season) -> None:
        """Fill all divisions."""
        if self.plan.teams:
            self._register_teams(season)
            return
        there = season.entries.filter(state=EntryState.REGISTERED).count()
        for _ in range(self.plan.divisions * self.plan.players - there):
            self.now += MINUTE
            person = self._person(f"Player{Player.objects.count():04}")
            seasons.register(season_id=season.pk, player=person, now=self.now)

    def _register_teams(self, season: Season) -> None:
        """Fill all divisions with teams, each with one player or two more than boards."""
        for _ in range(self.plan.divisions * self.plan.teams - season.teams.count()):
            self.now += MINUTE
            captain = self._person(f"Player{Player.objects.count():04}")
            name = f"Team{Team.objects.count():03}"
            seasons.found_team(season_id=season.pk, captain=captain, name=name, now=self.now)
        for team in season.teams.order_by("pk"):
            wanted = self.plan.boards + self.lot.randrange(1, 3)
            while len(load_squad_by_rating(team)) < wanted:
                person = self._person(f"Player{Player.objects.count():04}")
                seasons.join_team(team_id=team.pk, player=person, now=self.now, token=team.token)

    def _captains_act(self, season: Season) -> None:
        """Set some line-ups and replace some players who withdrew."""
        for team in Team.objects.filter(season=season, state="playing").order_by("pk"):
            if self.lot.random() < PUTS_LINE_UP:
                self._put_line_up(team)
            for match in self._short_boards(team):
                spare = list_spare_players(team, match.at_board.board.team_match)
                if spare and self.lot.random() < REPLACES:
                    self._replace(team, match, self.lot.choice(spare).player)

    def _put_line_up(self, team: Team) -> None:
        following = TeamMatch.objects.filter(Q(first=team) | Q(second=team), begins__gt=self.now)
        match = following.order_by("begins").first()
        squad = [entry.player_id for entry in load_squad_by_rating(team)]
        if match is None or len(squad) < self.plan.boards:
            return
        players = self.lot.sample(squad, self.plan.boards)
        with suppress(LeagueRefused):  # it is too late
            seasons.put_line_up(
                match_id=match.pk, team_id=team.pk, captain=team.captain, players=players, now=self.now
            )

    def _short_boards(self, team: Team) -> list[Match]:
        gone = team.season.entries.filter(state=EntryState.WITHDRAWN).values("player")
        waiting = Match.objects.filter(
            Q(at_board__first__in=gone, at_board__board__team_match__first=team)
            | Q(at_board__second__in=gone, at_board__board__team_match__second=team),
            waits=True,
        )
        return list(waiting.order_by("pk"))

    def _replace(self, team: Team, match: Match, player: Player) -> None:
        with suppress(LeagueRefused):  # it is too late
            seasons.substitute(
                match_id=match.pk, team_id=team.pk, captain=team.captain, player=player, now=self.now
            )

    def _advance(self) -> None:
        """Run the scheduler; with faults its task comes twice, and workers are killed."""
        for _ in range(2 if self.plan.faults else 1):
            self._survive(lambda: seasons.advance(self.now, seconds=3600))

    def _survive(self, task: Callable[[], object]) -> None:
        """Run *task*; if its worker is killed, another one runs it again."""
        if self.plan.faults and self.lot.random() < KILLED:
            try:
                with dying_after(self.lot.randrange(1, MOST_STATEMENTS)):
                    task()
            except WorkerKilled:
                pass  # its transaction is rolled back, and the message comes again
            else:
                return
        task()

    def _play(self, season: Season) -> None:
        """Play the season to its end: each day play out all open games."""
        leaving = self._leaving(season)
        idle = 0
        while Season.objects.get(pk=season.pk).phase == Phase.RUNNING:
            self.now += DAY
            if self.plan.teams:
                self._captains_act(season)
            if self.plan.format.has_challenges:
                self._ladder_acts(season)
            if self.plan.faults and self.lot_of_organiser.random() < EXTENDS:
                self._extend(season)
            if self.plan.late_decisions:
                self._decide(season)
                if self._delay(season):
                    continue
            season.refresh_from_db()
            games = self._open_games(season)
            idle = 0 if games else idle + 1  # days, but a delay of a round is only one
            if idle > 30 and self.now > season.ends + 30 * DAY:
                raise RuntimeError(f"season {season.number} does not end")
            for game in games:
                if leaving and self.lot.random() < 0.05:
                    self._withdraw(season, leaving.pop())
                    self._come_late(season)
                if self._dawdles(game):
                    self._dawdle(game)
                else:
                    self._play_out(game)
                self.now += SECOND  # no two results come at once, so that anybody can say which was first
                self._survive(partial(seasons.record_result, game, self.now))
            self._correct(season)
            self._penalise(season)
            self._advance()

    def _dawdles(self, game: int) -> bool:
        """Return whether *game* is played so slowly that it reaches its hard end."""
        if not self.plan.late_decisions or self.plan.format.has_challenges:
            return False
        if game not in self.dawdling:
            self.dawdling[game] = self.lot_of_delays.random() < DAWDLES
        return self.dawdling[game]

    def _dawdle(self, pk: int) -> None:
        """Play one turn of a slow game, or end it when its time is over."""
        game = Game.objects.get(pk=pk)
        if game.status != Status.PLAYING or game.clock.ends is None:
            return
        if self.now >= game.clock.ends or (game.deadline is not None and self.now > game.deadline):
            play.lose_on_time(game_id=pk, now=self.now)
        elif game.awaited is not None and game.turn_began is not None and game.turn_began <= self.now:
            seat = game.seats.get(index=game.awaited)
            self._turn(game, "time-out" if seat.played_by_program else "web", self.now)
            play.score(game_id=pk, now=self.now)

    def _decide(self, season: Season) -> None:
        """Let an organiser decide some of the games that reached their hard end; others count by time."""
        for fixture in list_unfinished_games(season, self.now):
            if self.lot_of_delays.random() >= DECIDES:
                continue
            players = check_may_settle(fixture)
            ranks = dict(zip(self.lot_of_delays.sample(players, len(players)), itertools.count(1)))
            asked = partial(
                seasons.settle,
                fixture_id=fixture.pk,
                ranks=self.lot_of_delays.choice([ranks, None]),
                who=self.league.founder,
                reason="Out of time",
                now=self.now,
            )
            self._survive(asked)

    def _delay(self, season: Season) -> bool:
        """Let a round be drawn much later than its results are known, or the season end instead. Return
        whether time has passed."""
        waits = season.divisions.filter(AWAITS_ROUND).exists() or season.format.waits_for_finals(season)
        if not waits or self._open_games(season) or self.lot_of_delays.random() >= DELAYED:
            return False
        self.now += self.lot_of_delays.randint(1, MOST_DELAYED) * DAY
        if self.lot_of_delays.random() < ENDS_EARLY:
            asked = partial(
                seasons.end_early,
                season_id=season.pk,
                who=self.league.founder,
                reason="Too late",
                now=self.now,
            )
            with suppress(LeagueRefused):  # there is time enough
                self._survive(asked)
        self._advance()
        return True

    def _penalise(self, season: Season) -> None:
        """Let an organiser set some penalty points at random."""
        if not self.plan.penalties or self.lot_of_organiser.random() >= PENALISES:
            return
        contenders = list(season.contenders.find_in_tables(season).order_by("pk"))
        points = Decimal(self.lot_of_organiser.randrange(MOST_TAKEN + 1)) / 2
        asked = partial(
            seasons.set_penalty,
            contender=self.lot_of_organiser.choice(contenders),
            points=points,
            who=self.league.founder,
            reason="Unfair",
            now=self.now,
        )
        with suppress(LeagueRefused):  # the player has as many points already
            self._survive(asked)

    def _extend(self, season: Season) -> None:
        """Let an organiser extend a match, a round or the season."""
        season.refresh_from_db()
        undecided = Match.objects.filter(division__season=season, decided=None).order_by("pk")
        parts = [
            WHOLE_SEASON,
            *(SeasonPart(PartKind.ROUND, division.pk) for division in season.divisions.order_by("level")),
            *(SeasonPart(PartKind.MATCH, match.pk) for match in undecided[:1]),
        ]
        asked = partial(
            seasons.extend,
            season_id=season.pk,
            part=self.lot_of_organiser.choice(parts),
            by=DAY,
            who=self.league.founder,
            reason="Slow",
            now=self.now,
        )
        with suppress(LeagueRefused, TooMany):  # nothing is played there, or it was extended four times today
            self._survive(asked)
        self._check_ends(season)

    def _check_ends(self, season: Season) -> None:
        """Check that every game ends with its match, unless its end has passed."""
        playing = Fixture.objects.filter(match__division__season=season, game__status=Status.PLAYING)
        for fixture in playing.select_related("game", "match__division__season"):
            ends = fixture.game.clock.ends if fixture.game is not None else None
            if ends is not None and self.now < ends != fixture.match.latest_end:
                raise RuntimeError(f"game {fixture.game} does not end with its match")

    def _correct(self, season: Season) -> None:
        """Let an organiser correct a result at random. Brackets are corrected only before others have met
        because of them: from then on they record who moved on, not who has won."""
        if not self.plan.corrections or self.lot.random() >= CORRECTS:
            return
        fixtures = Fixture.objects.select_related("match__division__season").order_by("pk")
        settled = fixtures.filter(match__division__season=season, settled__isnull=False)
        found = [
            one for one in settled if not season.format.has_cross_table or not has_consequences(one.match)
        ]
        if not found:
            return
        fixture = self.lot.choice(found)
        players = [seat["player"] for seat in fixture.seats or ()]
        ranks = dict(zip(self.lot.sample(players, len(players)), itertools.count(1)))
        self.now += SECOND
        self._survive(
            lambda: seasons.settle(
                fixture_id=fixture.pk, ranks=ranks, who=self.league.founder, reason="A mistake", now=self.now
            )
        )

    def _leaving(self, season: Season) -> list[Player]:
        if not self.plan.faults:
            return []
        players = [entry.player for entry in season.entries.select_related("player").exclude(division=None)]
        return [player for player in players if self.lot.random() < WITHDRAWS]

    def _withdraw(self, season: Season, player: Player) -> None:
        self._survive(lambda: seasons.withdraw(season_id=season.pk, player=player, now=self.now))

    def _come_late(self, season: Season) -> None:
        """Let a newcomer take a free place at random."""
        if self.plan.seats > 2 or self.lot.random() >= JOINS:
            return
        newcomer = self._person(f"Player{Player.objects.count():04}")
        with suppress(LeagueRefused):  # it is too late, or all rounds are drawn
            self._survive(lambda: seasons.join(season_id=season.pk, player=newcomer, now=self.now))

    def _ladder_acts(self, season: Season) -> None:
        """Make challenges, some of which are refused; with faults players join, and come back."""
        division = season.divisions.get()
        for player in list(ladders.load_order(division)):
            if self.lot.random() < CHALLENGES:
                self._challenge(season, player, ladders.load_order(division))
        if self.plan.faults and self.lot.random() < COMES:
            self._join_ladder(season, self._person(f"Player{Player.objects.count():04}"))
        gone = season.entries.filter(state=EntryState.WITHDRAWN, row=None).select_related("player")
        for entry in gone.order_by("pk"):
            if self.lot.random() < RETURNS:
                self._join_ladder(season, entry.player)

    def _challenge(self, season: Season, challenger: int, order: Sequence[int]) -> None:
        """Challenge a player near, who may be too far above or busy."""
        place = order.index(challenger)
        near = order[max(0, place - LADDER.ladder.reach - 1) : place]
        if not near:
            return
        pair = Player.objects.in_bulk([challenger, challenged := self.lot.choice(near)])
        self.now += SECOND
        with suppress(LeagueRefused, TooMany):
            self._survive(
                lambda: seasons.challenge(
                    season_id=season.pk,
                    player=pair[challenger],
                    challenged=pair[challenged],
                    now=self.now,
                )
            )

    def _join_ladder(self, season: Season, player: Player) -> None:
        self.now += SECOND
        with suppress(LeagueRefused):  # the season is over
            self._survive(lambda: seasons.register(season_id=season.pk, player=player, now=self.now))

    def _open_games(self, season: Season) -> list[int]:
        unsettled = Fixture.objects.filter(match__division__season=season, settled=None)
        return list(unsettled.order_by("pk").values_list("game", flat=True))

    def _play_out(self, pk: int) -> None:
        """Play a game to its end; open games run in parallel, a minute to a turn."""
        game = Game.objects.get(pk=pk)
        if self.plan.faults and self.plan.format.has_challenges and self.lot.random() < BREAKS_OFF:
            with suppress(Refused):  # it is over, or has well begun
                play.abort(game_id=game.pk, seat=game.awaited or 0, now=self.now)
            game.refresh_from_db()
        stops = self._stops()
        while game.status == Status.PLAYING and game.awaited is not None:
            assert game.turn_began is not None
            now = game.turn_began + MINUTE
            self.now = max(self.now, now)
            heartbeat.set_beat(now)  # the game may be behind others
            seat = game.seats.get(index=game.awaited)
            if seat.played_by_program:  # in place of a player who left a table of three or more
                self._turn(game, "time-out", now)
            elif stops is not None and game.ply >= stops[0]:
                stops[1](game, now)
            else:
                self._turn(game, "web", now)
            game.refresh_from_db()
        play.score(game_id=pk, now=self.now)

    def _stops(self) -> tuple[int, Callable[[Game, datetime], None]] | None:
        """The ply at which somebody leaves the game, and how; None where it is played to its end."""
        chance = self.lot.random()
        if self.plan.faults and chance < TIMES_OUT:
            return self.lot.randrange(0, 40), self._time_out
        if self.plan.faults and chance < TIMES_OUT + RESIGNS:
            return self.lot.randrange(0, 40), self._resign
        return None if self.plan.turns is None else (self.plan.turns, self._resign)

    def _turn(self, game: Game, how: str, now: datetime) -> None:
        action = pick_random_action(positions.load_position(game), self.lot)
        play.play(
            game_id=game.pk,
            seat=game.awaited or 0,
            action=action,
            expected_version=game.version,
            now=now,
            how=how,
        )

    def _time_out(self, game: Game, now: datetime) -> None:
        """Let the awaited player never come back: excuses and holidays pass, then the seat is lost."""
        assert game.deadline is not None
        late = game.deadline + 2 * clocks.ARRIVAL
        self.now = max(self.now, late)
        heartbeat.set_beat(late)
        play.lose_on_time(game_id=game.pk, now=late)

    def _resign(self, game: Game, now: datetime) -> None:
        play.resign(game_id=game.pk, seat=game.awaited or 0, now=now)


@contextmanager
def dying_after(statements: int) -> Iterator[None]:
    """Raise ``WorkerKilled`` after this number of statements to the database."""
    left = statements

    def send(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0 and not sql.startswith(("ROLLBACK", "RELEASE", "SAVEPOINT")):
            raise WorkerKilled
        return execute(sql, params, many, context)

    with connection.execute_wrapper(send):
        yield
