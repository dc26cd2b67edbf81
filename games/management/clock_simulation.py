"""A simulation of games whose players vanish, come back, rest and pause, while the site breaks down now and
then: to check that every game ends in time, and that everybody is charged for the time they used.

It uses the functions of ``games/play``, as the site does, but with its own time; the sweep's heart beats
whenever that moves, except in the outages, and a sweep runs whenever something is due. Every charge is worked
out again by ``clock_oracle``. Only tiles and times are random.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta

from allauth.account.models import EmailAddress

from accounts.models import Player
from games import clocks, heartbeat, play, rules, tables
from games.clocks import PRESETS, AtEnd, ClockSettings, Counting, Ladder, TimeoutStep
from games.exceptions import OutOfTime, Refused
from games.management.clock_oracle import Interval, KnownTurn
from games.models import (
    Ending,
    Game,
    Holiday,
    How,
    Move,
    Proposal,
    Seat,
    SeatState,
    Status,
    Visibility,
)
from games.play import claims, plans, positions, timing
from games.rules import RuleSet, count_most_decisions
from games.rules.planning import suppose_turn
from games.tables.settings import TableSettings

BEGAN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
ZONES = ("Europe/Warsaw", "Atlantic/Reykjavik", "America/New_York", "Asia/Kathmandu", "Pacific/Chatham")
LADDERS = {
    "loss": Ladder(last=TimeoutStep.LOSS),
    "loss at once": Ladder(excuses=0, holiday=False, last=TimeoutStep.LOSS),
    "substitute": Ladder(last=TimeoutStep.SUBSTITUTE),
    "claim": Ladder(last=TimeoutStep.CLAIM),
}
SWEEP_LATE = timedelta(minutes=5)
"""Maximum delay of a sweep after something is due."""

VANISHES = 0.01
"""Probability that a player vanishes after a turn, and maximum time of the absence."""
AWAY = timedelta(days=60)

BREAKS_DOWN = 0.04
"""Probability that the site breaks down during a turn, and maximum time until it is back."""
DOWN = timedelta(days=3)
SECOND = timedelta(seconds=1)

OUTAGE, HARD_END = "outage", "hard_end"  # in the rows of a game, and among its acts


@dataclass
class LadderTally:
    """The outcomes of the games under one ladder."""

    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0  # longest game, as a share of its worst case
    outages: int = 0  # that the simulation made
    charged: timedelta = timedelta()
    too_late: list[str] = field(default_factory=list)
    hanging: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # charges and credits that are not as they should be

    def is_sound(self) -> bool:
        return not (self.too_late or self.hanging or self.wrong)


@dataclass
class Habits:
    """A person's habits: how much of their time they use, and until when they are gone."""

    waits: float  # share of the time that is left
    gone_until: datetime = BEGAN


class ClockSimulation:
    """A site with some people, who play one game after the other."""

    def __init__(self, seed: int, people: int = 12, turns: int | None = None) -> None:
        """:param turns: how many are played before all resign; ``None``: games are played to their ends"""
        self.lot = random.Random(seed)
        self.turns = turns
        self.now = BEGAN
        self.players = [self._person(number) for number in range(people)]
        self.habits = {player.pk: Habits(self.lot.random() ** 2) for player in self.players}
        self._forget_game()

    def _forget_game(self) -> None:
        """Begin to note what happens in a game, from which ``clock_oracle`` knows what turns cost."""
        self.since = self.now  # the beginning of the turn under way
        self.waits = 1  # how often the game has waited for somebody
        self.excepted = timedelta()  # pauses, gifts and outages, which the worst case excludes
        self.pauses: list[Interval] = []
        self.outages: list[Interval] = []
        self.charged: Counter[int] = Counter()  # microseconds by seat
        self.wrong: list[str] = []

    def run(self, games: int) -> dict[str, LadderTally]:
        """Play so many games to their ends, a quarter under each ladder."""
        tallies = {name: LadderTally() for name in LADDERS}
        names = list(LADDERS)
        for number in range(games):
            name = names[number % len(names)]
            self._play(self._table(LADDERS[name]), tallies[name])
        return tallies

    def _move_to(self, at: datetime) -> None:
        """Let time pass until *at*, while the sweep runs."""
        self.now = at
        heartbeat.set_beat(at)

    def _person(self, number: int) -> Player:
        player = Player.objects.create_user(f"Person{number}", time_zone=self.lot.choice(ZONES))
        address = f"person{number}@example.invalid"  # nobody proposes anything without a confirmed address
        EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
        if self.lot.random() < 0.7:
            player.rest_from = time(self.lot.randrange(20, 24))
            player.rest_to = time(self.lot.randrange(5, 8))
        if self.lot.random() < 0.5:
            player.weekend_days = self.lot.choice([[5, 6], [6], [4, 5], [0, 2, 4]])
        player.auto_holiday = self.lot.random() < 0.8
        player.save()
        return player

    def _table(self, ladder: Ladder) -> Game:
        lot = self.lot
        seats = lot.choice((2, 2, 2, 3, 4))
        began = BEGAN + timedelta(minutes=lot.randrange(365 * 24 * 60))
        clock = self._clock(began)
        settings = TableSettings(
            rules=RuleSet.of(seats=seats, options={"first_player": "creator"}),
            clock=clock,
            ladder=ladder,
            visibility=Visibility.PUBLIC,
        )
        sitting = lot.sample(self.players, seats)
        self._move_to(began)
        game = tables.create_table(host=sitting[0], settings=settings, now=began)
        [tiles] = settings.rules.bag
        order = sorted(Counter(tiles).elements())
        lot.shuffle(order)
        play.give_bag(game, order)
        for player in sitting[1:]:
            game = tables.sit(game_id=game.pk, player=player, now=began)
        return game

    def _clock(self, began: datetime) -> ClockSettings:
        """Return a preset, or a random clock within the bounds of CLOCK-2; some with a hard end."""
        lot = self.lot
        ends = began + timedelta(hours=lot.randrange(24, 40 * 24)) if lot.random() < 0.25 else None
        at_end = lot.choice((AtEnd.TIME, AtEnd.SCORE))
        if lot.random() < 0.5:
            return replace(lot.choice(list(PRESETS.values())), ends=ends, at_end=at_end)
        cap = lot.randrange(1, 14 * 24)
        return ClockSettings(
            ends=ends,
            at_end=at_end,
            start=timedelta(hours=lot.randrange(1, cap + 1)),
            gain=timedelta(hours=lot.randrange(1, 72)),
            cap=timedelta(hours=cap),
            grace=timedelta(hours=lot.randrange(0, 24)),
            surcharge_after=lot.choice([None, timedelta(hours=lot.randrange(1, 240))]),
            weekends=lot.choice([Counting.COUNT, Counting.COUNT, Counting.STOP]),
            holidays=lot.choice(list(Counting)),
        )

    def _play(self, game: Game, tally: LadderTally) -> None:
        assert game.started is not None
        self._forget_game()
        worst = self._compute_worst_case(game, count_most_decisions(game.rules))
        while game.status == Status.PLAYING:
            self._live(game)
            if game.status != Status.PLAYING:
                break
            if self.turns is not None and game.ply >= self.turns:
                self._all_resign(game)
            else:
                self._step(game)
            game.refresh_from_db()
            if worst is not None and self.now - self.excepted > worst + timedelta(days=400):
                tally.hanging.append(game.code)
                return
        play.score(game_id=game.pk, now=self.now)
        self._credit_outages(game)  # the next game must not find any
        self._check_charges(game)
        tally.games += 1
        tally.endings[game.ending or Ending.PLAYED.value] += 1
        acts = Move.objects.filter(game=game, ply=None).values_list("action__type", flat=True)
        tally.acts.update(act for act in acts if act not in ("draw", "final"))
        tally.outages += len(self.outages)
        tally.charged += timedelta(microseconds=self.charged.total())
        tally.wrong += [f"{game.code}: {line}" for line in self.wrong]
        if worst is not None:
            took = (self.now - self.excepted - game.started) / (worst - game.started)
            tally.longest = max(tally.longest, took)
        if self._is_too_late(game):
            tally.too_late.append(game.code)

    def _compute_worst_case(self, game: Game, decisions: int) -> datetime | None:
        assert game.started is not None
        return clocks.compute_worst_case_end(
            replace(game.clock, ends=None),
            game.ladder,
            seats=game.places,
            decisions=decisions,
            began=game.started,
        )

    def _is_too_late(self, game: Game) -> bool:
        """Return whether *game* ended after its hard end, or later than so many turns can take, which is a
        closer bound than the worst case."""
        ends = game.clock.ends
        if ends is not None:
            back = max((end for _begin, end in self.outages), default=ends)
            if self.now > max(ends, back) + clocks.ARRIVAL + SWEEP_LATE:
                return True
        worst = self._compute_worst_case(game, self.waits)
        if worst is not None and game.clock.holidays == Counting.STOP:
            # What the bound excludes may reach into another year, with its holidays.
            years = self.now.year - (self.now - self.excepted).year
            worst += years * game.places * (1 + clocks.TAKEOVERS) * (4 * clocks.A_YEAR / 3)
        return worst is not None and self.now - self.excepted > worst

    def _all_resign(self, game: Game) -> None:
        for seat in self._people(game):
            if Game.objects.get(pk=game.pk).status == Status.PLAYING:
                play.resign(game_id=game.pk, seat=seat.index, now=self.now)

    def _live(self, game: Game) -> None:
        """Let people act besides their turns. Refusals by the site are ignored."""
        for likely, act in (
            (0.02, self._rest),
            (0.01, self._pause),
            (0.3 if game.ladder.last == TimeoutStep.SUBSTITUTE else 0.0, self._sit_down),
            (0.1, self._plan),
            (1.0 if game.claimable is not None else 0.0, self._answer_claim),
        ):
            if self.lot.random() < likely:
                with suppress(Refused):
                    act(game)
                game.refresh_from_db()

    def _people(self, game: Game) -> list[Seat]:
        return [
            seat for seat in game.seats.select_related("player").order_by("index") if seat.played_by_person
        ]

    def _rest(self, game: Game) -> None:
        people = self._people(game)
        if not people:
            return
        player = self.lot.choice(people).player
        assert player is not None
        begin = self.now + timedelta(days=20) * self.lot.random()
        end = begin + timedelta(days=self.lot.randrange(1, 12))
        play.enter_holiday(player=player, begin=begin, end=end, now=self.now)
        play.follow_holidays(game_id=game.pk, now=self.now)

    def _pause(self, game: Game) -> None:
        """Pause the game; all players who are there agree at once."""
        people = self._people(game)
        if not people or any(self.habits[seat.player_id or 0].gone_until > self.now for seat in people):
            return
        until = self.now + timedelta(days=self.lot.randrange(1, 30))
        play.propose(game_id=game.pk, seat=people[0].index, kind=Proposal.PAUSE, now=self.now, until=until)
        for seat in people[1:]:
            offer = game.offers.filter(answered=None).first()
            if offer is not None:
                play.agree(offer_id=offer.pk, seat=seat.index, now=self.now)
        if game.moves.filter(action__type="pause", version__gt=game.version).exists():
            self.pauses.append((self.now, until))
            self.excepted += until - self.now

    def _sit_down(self, game: Game) -> None:
        """Let the player of an offered seat come back, or somebody else take it over."""
        offered = game.seats.filter(state=SeatState.OFFERED).first()
        if offered is None or offered.player_id is None:
            return
        if self.habits[offered.player_id].gone_until <= self.now:
            play.come_back(game_id=game.pk, seat=offered.index, now=self.now)
        else:
            other = self.lot.choice(self.players)
            play.take_over(game_id=game.pk, seat=offered.index, player=other, now=self.now)

    def _plan(self, game: Game) -> None:
        waiting = [seat for seat in self._people(game) if seat.index != game.awaited]
        if not waiting:
            return
        seat = self.lot.choice(waiting).index
        seen = rules.Game(rules.hide_secrets(positions.load_position(game).state, seat))
        legal = suppose_turn(seen, seat).legal_actions()
        if not legal.tiles:
            return
        tile = self.lot.choice(sorted(legal.tiles))
        spaces = legal.placements_of(tile)
        if spaces:
            space = self.lot.choice(spaces)
            place = rules.Place(tile, space.x, space.y, space.rotation)
            plans.make(game_id=game.pk, seat=seat, place=place, expected_version=game.version, now=self.now)

    def _answer_claim(self, game: Game) -> None:
        others = [seat for seat in self._people(game) if seat.index != game.awaited]
        chance = self.lot.random()
        if others and chance < 0.3:
            play.claim_win(game_id=game.pk, seat=others[0].index, now=self.now)
        elif others and chance < 0.6 and game.awaited not in claims.find_seats_given_time(game):
            given = game.seats.get(index=game.awaited or 0)
            play.give_days(game_id=game.pk, seat=others[0].index, days=3, to=game.awaited, now=self.now)
            self.excepted += clocks.CLAIM_GIVES
            self._charge(given, given.bank)  # its time was over, and its turn begins again
            self.since = self.now
            self.waits += 1

    def _step(self, game: Game) -> None:
        """Carry out the next event in *game*, at its time."""
        assert game.awaited is not None
        seat = game.seats.get(index=game.awaited)
        if seat.played_by_program:
            self._move_to(self.now + 2 * SECOND)
            self._turn(game, seat)
            return
        assert game.deadline is not None and seat.player_id is not None
        habits = self.habits[seat.player_id]
        ready = max(self.now, habits.gone_until)
        ready = max(ready, self.now + (game.deadline - self.now) * habits.waits * self.lot.random())
        there = ready <= game.deadline
        if self.lot.random() < BREAKS_DOWN and self.now < game.deadline - SECOND:
            self._break_down(game, seat, min(ready, game.deadline), plays=there)
        elif there:
            if self.lot.random() < VANISHES:
                habits.gone_until = ready + AWAY * self.lot.random()
            self._move_to(ready)
            self._turn(game, seat)
        else:
            self._move_to(max(self.now, game.deadline + clocks.ARRIVAL) + SWEEP_LATE * self.lot.random())
            self._sweep(game, seat)

    def _turn(self, game: Game, seat: Seat) -> None:
        expected = None if seat.played_by_program else self._know_turn(game, seat)
        action = self.lot.choice(list(positions.load_position(game).legal_actions()))
        by_program = How.TIME_OUT if seat.left else How.BOT
        try:
            play.play(
                game_id=game.pk,
                seat=seat.index,
                action=action,
                expected_version=game.version,
                now=self.now,
                how=by_program if seat.played_by_program else How.WEB,
            )
        except OutOfTime:
            # Its hard end came while a program was to play.
            self._move_to(self.now + clocks.ARRIVAL)
            play.lose_on_time(game_id=game.pk, now=self.now)
            return
        if expected is not None:
            self._check_turn(game, seat, expected)
        self.since = self.now
        self.waits += game.moves.filter(ply__isnull=False, version__gt=game.version).count()

    def _sweep(self, game: Game, seat: Seat) -> None:
        """Let the sweep do what is due, first to credit outages: nobody is late before."""
        deadline, excuses = game.deadline, seat.excuses
        self._credit_outages(game)
        game.refresh_from_db()
        if game.deadline != deadline:
            return
        known = self._know_turn(game, seat)
        play.lose_on_time(game_id=game.pk, now=self.now)
        seat.refresh_from_db()
        if seat.excuses > excuses:
            self._charge(seat, known.bank)
            assert deadline is not None
            self.since = deadline
        self._check_hard_end(game, seat, known)

    # ------------------------------------------------------------------------------------ outages

    def _break_down(self, game: Game, seat: Seat, until: datetime, *, plays: bool) -> None:
        """Let the sweep stand still from before *until* on, for up to three days; perhaps *seat* plays in the
        meantime. The outage is credited by the sweep, or before by whoever acts first."""
        began = self.now + (until - self.now) * self.lot.random()
        began = began.replace(microsecond=0) + SECOND  # the sweep stores whole seconds
        length = clocks.OUTAGE + SECOND + DOWN * self.lot.random() ** 3
        ended = began + length
        self._move_to(began)
        self.outages.append((began, ended))
        self.excepted += length + clocks.AFTER_STOP
        if plays and self.lot.random() < 0.5:
            self.now = began + clocks.OUTAGE + SECOND + (ended - began - clocks.OUTAGE - SECOND) / 2
            self._turn(game, seat)
        self.now = ended
        heartbeat.beat(ended)
        if self.lot.random() < 0.5:
            self._credit_outages(game)

    def _credit_outages(self, game: Game) -> None:
        while not play.note_all_outages(seconds=60):
            pass
        self._check_credits(game)

    def _check_credits(self, game: Game) -> None:
        """Check that the turn under way was credited each outage that it has lived through, once."""
        game.refresh_from_db()
        if game.status != Status.PLAYING or game.calendar is None or game.turn_began is None:
            return
        lived = [outage for outage in self.outages if outage[1] > game.turn_began]
        stops = [
            (begin, end)
            for begin, end, cause in timing.read_stops(game)
            if cause == OUTAGE and end > game.turn_began
        ]
        floors = sorted(at for at, why in game.floors if why == OUTAGE)
        if stops != lived:
            self.wrong.append(f"the outages {lived} were credited as {stops}")
        if floors != [(end + clocks.AFTER_STOP).isoformat() for _begin, end in lived]:
            self.wrong.append(f"the floors after {lived} are {floors}")

    # ------------------------------------------------------------------------------------ charges

    def _know_turn(self, game: Game, seat: Seat) -> KnownTurn:
        assert seat.player is not None
        holidays = Holiday.objects.filter(player=seat.player).values_list("begin", "end")
        return KnownTurn(
            clock=game.clock,
            began=self.since,
            bank=seat.bank,
            zone=seat.player.time_zone,
            weekend=frozenset(seat.player.weekend_days),
            holidays=tuple(holidays),
            stops=(*self.pauses, *self.outages),
        )

    def _charge(self, seat: Seat, span: timedelta) -> None:
        self.charged[seat.index] += span // timedelta(microseconds=1)

    def _check_turn(self, game: Game, seat: Seat, known: KnownTurn) -> None:
        """Check the charge of the turn that *seat* has just played (CLOCK-9, 15)."""
        timed = game.moves.filter(version__gt=game.version, ply__isnull=False).earliest("version").timing
        expected = known.compute_charge(self.now)
        self._charge(seat, expected)
        times = timedelta(seconds=timed["charged"]), timedelta(seconds=timed["after"])
        if times != (expected, known.compute_bank_after(self.now)):
            self.wrong.append(
                f"seat {seat.index} used {expected} of {known.bank} from {known.began} to {self.now},"
                f" was charged {times[0]} and has {times[1]}"
            )

    def _check_charges(self, game: Game) -> None:
        """Check that each seat was charged what its turns used, and no more."""
        for seat in game.seats.order_by("index"):
            used = timedelta(microseconds=self.charged[seat.index])
            if seat.spent != used:
                self.wrong.append(f"seat {seat.index} used {used} and was charged {seat.spent}")

    def _check_hard_end(self, game: Game, seat: Seat, known: KnownTurn) -> None:
        """Check the times by which a game was decided at its hard end (CLOCK-24)."""
        act = game.moves.filter(action__type=HARD_END).values_list("action", flat=True).first()
        if act is None or "charged" not in act:
            return
        assert known.clock.ends is not None
        used = Counter(self.charged)
        used[seat.index] += known.compute_charge(known.clock.ends) // timedelta(microseconds=1)
        expected = [round(used[index] / 1_000_000) for index in range(game.places)]
        if act["charged"] != expected:
            self.wrong.append(f"its hard end counts {act['charged']}, used were {expected}")
