"""Simulated games of honest and dishonest people, on which the tests and docs/fair-play.md rest.

    python -m tests.moderation.fair_play.simulating

prints the shares of honest pairs and people that are found, as in the document.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.bots import house
from games.rules import Action, Game, RuleSet, event_to_json
from games.rules.events import Scored
from games.rules.playout import pick_random_action
from moderation.fair_play import chance, helping, likeness, stalling, throwing
from moderation.fair_play.helping import Together
from moderation.fair_play.likeness import BotAgreement
from moderation.fair_play.sheet import SeatSheet, build_sheets
from moderation.fair_play.stalling import Pace
from moderation.fair_play.throwing import PlayedGame

Chooser = Callable[[Game, Random], Action]
TRIES = 40


def helper_of(friend: int) -> Chooser:
    """A player who chooses, of a few legal turns, the one that brings *friend* most."""

    def choose(game: Game, random: Random) -> Action:
        seat = game.decision.seat
        legal = game.legal_actions()
        some = random.sample(range(len(legal)), min(TRIES, len(legal)))

        def gift(number: int) -> int:
            events = game.play(legal[number]).played[-1].events
            scored = [event for event in events if isinstance(event, Scored)]
            to = sum(scored.points for scored in scored if scored.seat == friend)
            return to - sum(scored.points for scored in scored if scored.seat == seat)

        return legal[max(some, key=gift)]

    return choose


def house_bot(game: Game, random: Random) -> Action:
    """A player who plays as the house bot does."""
    return house.choose(game.state)


def play_out(choosers: Sequence[Chooser], random: Random) -> tuple[SeatSheet, ...]:
    """Play a whole game of the base set, with one chooser at each seat; return its sheets."""
    game = Game.new(RuleSet.of(seats=len(choosers)))
    moves: list[dict[str, Any]] = []
    while game.decision.kind != "over":
        seat = game.decision.seat
        action = pick_random_action(game, random) if seat is None else choosers[seat](game, random)
        game = game.play(action)
        events = [event_to_json(event) for event in game.played[-1].events]
        moves.append(
            {
                "seat": seat,
                "ply": None if seat is None else len(moves) + 1,
                "action": {
                    "type": "draw" if seat is None else game.played[-1].action.__class__.__name__.lower()
                },
                "events": events,
                "how": "web",
                "time_used": None,
                "timing": None,
            }
        )
    return build_sheets(moves, len(choosers))


def at_table(code: str, giver: int, receiver: int, sheets: Sequence[SeatSheet]) -> Together:
    """The game from the view of the seats *giver* and *receiver*."""
    given = sheets[giver].given
    others = tuple(points for seat, points in enumerate(given) if seat not in (giver, receiver))
    return Together(code, given[receiver], others)


@dataclass(frozen=True)
class Bank:
    """Honest games, from which pairs draw their common ones."""

    games: tuple[tuple[SeatSheet, ...], ...]

    @classmethod
    def of(cls, count: int, random: Random, seats: int = 4, chooser: Chooser = pick_random_action) -> Bank:
        return cls(tuple(play_out([chooser] * seats, random) for _ in range(count)))

    def pair(self, games: int, random: Random) -> list[Together]:
        """Draw the games of an honest pair: so many, each at any two seats."""
        together = []
        for number in range(games):
            sheets = random.choice(self.games)
            giver, receiver = random.sample(range(len(sheets)), 2)
            together.append(at_table(str(number), giver, receiver, sheets))
        return together


def honest_pace(random: Random) -> Pace:
    """The pace of a player whose times are independent of the score: log-normal, as those of people are.
    They are clearly behind in a quarter of the games."""
    early, late = (3600 * 2 ** random.gauss(0, 1.2) for _ in range(2))
    best, half = round(random.gauss(38, 6)), round(random.gauss(-2, 16))
    pace = stalling.measure_pace("", SeatSheet((), early, late, half, best, None, 0, True))
    assert pace is not None
    return pace


def honest_games(count: int, friends: int, random: Random) -> list[PlayedGame]:
    """Random duels of a player with so many opponents; one in twenty they resign, ahead or behind."""
    games = []
    for number in range(count):
        other = random.randrange(1, friends + 1)
        own, theirs = (round(random.gauss(80, 15)) for _ in range(2))
        left = own - theirs if random.random() < 0.05 else None
        above = frozenset({other} if left is not None or theirs > own else ())
        games.append(PlayedGame(str(number), frozenset({other}), above, own, left))
    return games


def honest_agreements(people: int, turns: int, random: Random) -> list[BotAgreement]:
    """Players' agreement with the bot: each has a rate of their own, about a third."""
    agreements = []
    for _ in range(people):
        rate = random.betavariate(7, 14)
        agreements.append(BotAgreement(sum(random.random() < rate for _ in range(turns)), turns))
    return agreements


def share(of: Iterator[bool]) -> float:
    answers = list(of)
    return sum(answers) / len(answers)


def helping_found(bank: Bank, pairs: int, games: int, random: Random) -> float:
    """The share of honest pairs that are found at one look by chance, however small the effect."""

    def found() -> Iterator[bool]:
        for _ in range(pairs):
            told = helping.measure_helping(bank.pair(games, random))
            assert told is not None
            yield told.p <= chance.RARE

    return share(found())


def helping_ever_shown(bank: Bank, pairs: int, games: int, random: Random) -> float:
    """The share of honest pairs that are shown at some time, with a look after every game."""

    def found() -> Iterator[bool]:
        for _ in range(pairs):
            played = bank.pair(games, random)
            looks = (
                helping.measure_helping(played[:number]) for number in range(helping.LEAST_GAMES, games + 1)
            )
            yield any(helping.is_significant(told, 1) for told in looks if told is not None)

    return share(found())


def stalling_found(people: int, games: int, random: Random) -> float:
    """The share of honest people that are found at one look."""

    def found() -> Iterator[bool]:
        for _ in range(people):
            told = stalling.measure_stalling([honest_pace(random) for _ in range(games)])
            yield told is not None and told.p <= chance.RARE

    return share(found())


def throwing_found(people: int, games: int, random: Random) -> float:
    """The share of pairs of honest people that are found at one look."""

    def found() -> Iterator[bool]:
        for _ in range(people):
            played = honest_games(games, 8, random)
            thrown = throwing.find_thrown(played)
            for other in range(1, 9):
                told = throwing.measure_throwing(played, thrown, other)
                yield told is not None and told.p <= chance.RARE

    return share(found())


def likeness_found(sites: int, people: int, turns: int, random: Random) -> float:
    """The share of honest people that are found, on sites of so many."""

    def found() -> Iterator[bool]:
        for _ in range(sites):
            everybody = honest_agreements(people, turns, random)
            for number, own in enumerate(everybody):
                told = likeness.measure_likeness(own, [*everybody[:number], *everybody[number + 1 :]])
                yield told is not None and told.p <= chance.RARE

    return share(found())


def main() -> None:
    random = Random(12)
    by_lot, by_bots = Bank.of(400, random), Bank.of(60, random, chooser=house_bot)
    told: dict[str, Callable[[], float]] = {
        "helping, 10 games by lot": lambda: helping_found(by_lot, 10_000, 10, random),
        "helping, 40 games by lot": lambda: helping_found(by_lot, 3_000, 40, random),
        "helping, shown at any of 40 games by lot": lambda: helping_ever_shown(by_lot, 300, 40, random),
        "helping, 10 games of bots": lambda: helping_found(by_bots, 10_000, 10, random),
        "helping, 40 games of bots": lambda: helping_found(by_bots, 3_000, 40, random),
        "helping, shown at any of 40 games of bots": lambda: helping_ever_shown(by_bots, 300, 40, random),
        "stalling, 40 games": lambda: stalling_found(10_000, 40, random),
        "throwing, 60 duels with 8 opponents": lambda: throwing_found(1_000, 60, random),
        "likeness, sites of 50 people, 100 turns": lambda: likeness_found(100, 50, 100, random),
    }
    for what, rate in told.items():
        sys.stdout.write(f"{what}: {1000 * rate():.2f} of 1,000\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
