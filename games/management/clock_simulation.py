"""A simulation of games whose players vanish, come back, rest and pause, to check that every game ends.

It uses the functions of ``games/play``, as the site does, but with its own time; a sweep runs whenever
something is due. Only tiles and times are random.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

from allauth.account.models import EmailAddress

from accounts.models import Player
from games import clocks, heartbeat, play, rules, tables
from games.clocks import PRESETS, ClockSettings, Counting, Ladder, TimeoutStep
from games.exceptions import Refused
from games.models import (
    Ending,
    Game,
    How,
    Move,
    Proposal,
    Seat,
    SeatState,
    Status,
    Visibility,
)
from games.play import claims, plans, positions
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


@dataclass
class LadderTally:
    """The outcomes of the games under one ladder."""

    games: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0  # longest game, as a share of its worst case
    too_late: list[str] = field(default_factory=list)
    hanging: list[str] = field(default_factory=list)


@dataclass
class Habits:
    """A person's habits: how much of their time they use, and until when they are gone."""

    waits: float  # share of the time that is left
    gone_until: datetime = BEGAN


class ClockSimulation:
    """A site with some people, whose games go on in parallel."""

    def __init__(self, seed: int, people: int = 12) -> None:
        self.lot = random.Random(seed)
        self.players = [self._person(number) for number in range(people)]
        self.habits = {player.pk: Habits(self.lot.random() ** 2) for player in self.players}
        self.excepted = timedelta()  # pauses and gifts, which the current worst case excludes

    def run(self, games: int) -> dict[str, LadderTally]:
        """Play so many games to their ends, a quarter under each ladder."""
        tallies = {name: LadderTally() for name in LADDERS}
        names = list(LADDERS)
        for number in range(games):
            name = names[number % len(names)]
            self._play(self._table(LADDERS[name]), tallies[name])
        return tallies

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
        clock = self._clock()
        settings = TableSettings(
            rules=RuleSet.of(seats=seats, options={"first_player": "creator"}),
            clock=clock,
            ladder=ladder,
            visibility=Visibility.PUBLIC,
        )
        sitting = lot.sample(self.players, seats)
        began = BEGAN + timedelta(minutes=lot.randrange(365 * 24 * 60))
        game = tables.create_table(host=sitting[0], settings=settings, now=began)
        for player in sitting[1:]:
            game = tables.sit(game_id=game.pk, player=player, now=began)
        return game

    def _clock(self) -> ClockSettings:
        """Return a preset, or a random clock within the bounds of CLOCK-2."""
        lot = self.lot
        if lot.random() < 0.5:
            return lot.choice(list(PRESETS.values()))
        cap = lot.randrange(1, 14 * 24)
        return ClockSettings(
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
        now = game.started
        self.excepted = timedelta()
        worst = clocks.compute_worst_case_end(
            game.clock,
            game.ladder,
            seats=game.places,
            decisions=count_most_decisions(game.rules),
            began=game.started,
        )
        while game.status == Status.PLAYING:
            self._live(game, now)
            game.refresh_from_db()
            if game.status != Status.PLAYING:
                break
            now = self._step(game, now)
            game.refresh_from_db()
            if worst is not None and now - self.excepted > worst + timedelta(days=400):
                tally.hanging.append(game.code)
                return
        play.score(game_id=game.pk, now=now)
        tally.games += 1
        tally.endings[game.ending or Ending.PLAYED.value] += 1
        acts = Move.objects.filter(game=game, ply=None).values_list("action__type", flat=True)
        tally.acts.update(act for act in acts if act not in ("draw", "final"))
        if worst is not None:
            took = (now - self.excepted - game.started) / (worst - game.started)
            tally.longest = max(tally.longest, took)
            if took > 1:
                tally.too_late.append(game.code)

    def _live(self, game: Game, now: datetime) -> None:
        """Let people act besides their turns. Refusals by the site are ignored."""
        for likely, act, of_who_plays in (
            (0.02, self._rest, True),
            (0.01, self._pause, True),
            (0.3, self._sit_down, False),
            (0.1, self._plan, False),
        ):
            if self.lot.random() < likely and (self._people(game) or not of_who_plays):
                try:
                    act(game, now)
                except Refused:
                    continue
        if game.claimable is not None:
            self._answer_claim(game, now)

    def _people(self, game: Game) -> list[Seat]:
        return [seat for seat in game.seats.order_by("index") if seat.played_by_person]

    def _rest(self, game: Game, now: datetime) -> None:
        seat = self.lot.choice(self._people(game))
        assert seat.player is not None
        begin = now + timedelta(days=20) * self.lot.random()
        end = begin + timedelta(days=self.lot.randrange(1, 12))
        play.enter_holiday(player=seat.player, begin=begin, end=end, now=now)
        play.follow_holidays(game_id=game.pk, now=now)

    def _pause(self, game: Game, now: datetime) -> None:
        """Pause the game; all players who are there agree at once."""
        people = self._people(game)
        if any(self.habits[seat.player_id or 0].gone_until > now for seat in people):
            return
        until = now + timedelta(days=self.lot.randrange(1, 30))
        play.propose(game_id=game.pk, seat=people[0].index, kind=Proposal.PAUSE, now=now, until=until)
        for seat in people[1:]:
            offer = game.offers.filter(answered=None).first()
            if offer is not None:
                play.agree(offer_id=offer.pk, seat=seat.index, now=now)
        self.excepted += until - now

    def _sit_down(self, game: Game, now: datetime) -> None:
        """Let the player of an offered seat come back, or somebody else take it over."""
        offered = game.seats.filter(state=SeatState.OFFERED).first()
        if offered is None or offered.player_id is None:
            return
        if self.habits[offered.player_id].gone_until <= now:
            play.come_back(game_id=game.pk, seat=offered.index, now=now)
        else:
            other = self.lot.choice(self.players)
            play.take_over(game_id=game.pk, seat=offered.index, player=other, now=now)

    def _plan(self, game: Game, now: datetime) -> None:
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
            plans.make(game_id=game.pk, seat=seat, place=place, expected_version=game.version, now=now)

    def _answer_claim(self, game: Game, now: datetime) -> None:
        others = [seat for seat in self._people(game) if seat.index != game.awaited]
        chance = self.lot.random()
        if others and chance < 0.3:
            play.claim_win(game_id=game.pk, seat=others[0].index, now=now)
        elif others and chance < 0.6 and game.awaited not in claims.find_seats_given_time(game):
            play.give_days(game_id=game.pk, seat=others[0].index, days=3, to=game.awaited, now=now)
            self.excepted += clocks.CLAIM_GIVES

    def _step(self, game: Game, now: datetime) -> datetime:
        """Carry out the next event in *game*, and return its time."""
        assert game.awaited is not None
        seat = game.seats.get(index=game.awaited)
        if seat.played_by_program:
            return self._turn(game, seat, now + timedelta(seconds=2))
        assert game.deadline is not None and seat.player_id is not None
        habits = self.habits[seat.player_id]
        ready = max(now, habits.gone_until) if habits.gone_until > now else now
        ready = max(ready, now + (game.deadline - now) * habits.waits * self.lot.random())
        if ready <= game.deadline:
            if self.lot.random() < VANISHES:
                habits.gone_until = ready + AWAY * self.lot.random()
            return self._turn(game, seat, ready)
        swept = game.deadline + clocks.ARRIVAL + SWEEP_LATE * self.lot.random()
        heartbeat.set_beat(swept)  # outages are no part of the simulation
        play.lose_on_time(game_id=game.pk, now=swept)
        return swept

    def _turn(self, game: Game, seat: Seat, now: datetime) -> datetime:
        action = self.lot.choice(list(positions.load_position(game).legal_actions()))
        by_program = How.TIME_OUT if seat.left else How.BOT
        play.play(
            game_id=game.pk,
            seat=seat.index,
            action=action,
            expected_version=game.version,
            now=now,
            how=by_program if seat.played_by_program else How.WEB,
        )
        return now
