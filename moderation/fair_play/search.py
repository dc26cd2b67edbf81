"""The search for signals of unfair play, in bounded steps that continue where the last one stopped.

Newly measured games are due: their players are tested, each in their last games. Traces that accounts share
are compared all at once, as there are few.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from math import log10

from django.db.models import Count, Q

from accounts import multi_account
from accounts.models import TraceKind
from core import batches
from games.models import Seat
from moderation import hooks
from moderation.fair_play import helping, likeness, measuring, signals, stalling, throwing
from moderation.fair_play.history import (
    Read,
    list_games_together,
    list_opponents,
    load_last_games,
    measure_popularity,
)
from moderation.fair_play.likeness import BotAgreement
from moderation.fair_play.signals import Found
from moderation.models import GameSheet, SignalKind

SHEETS = 500
"""Maximum number of due games processed at a time."""

SHOWN = 30
"""Maximum number of codes of games in a signal, the latest."""

LEAST_DAYS = 5
"""Minimum number of days in one network; on fewer, two accounts may have met in a train."""

LEAST_P = 1e-12
"""Lower limit of p-values; no test is reliable beyond it."""


@dataclass(frozen=True, slots=True)
class Tested:
    """Numbers of people to test, and of ordered pairs of those who played together often enough."""

    people: int
    pairs: int


@dataclass(slots=True)
class SearchReport:
    """Statistics of a search."""

    read: int = 0
    asked: int = 0
    looked_at: int = 0
    found: int = 0
    done: bool = False


def compare_accounts(now: datetime) -> int:
    """Search for accounts that share traces. Return the number of signals."""
    signals.forget_old(now=now)
    findings = list(in_common())
    for finding in findings:
        unit = f"{finding.kind.value} {finding.subject} {finding.other}"
        batches.run_row(unit, partial(signals.record, finding, now=now))
    return len(findings)


def search_games(now: datetime, *, seconds: float) -> SearchReport:
    """Search games for about *seconds*; the rest is left to the next call."""
    stop, report = time.monotonic() + seconds, SearchReport()
    report.read = measuring.read_games(stop=stop - seconds / 2)
    report.asked = measuring.ask_the_bot(stop=stop - seconds / 4)
    tested, rates, known = count_tested(), agreement_by_person(), set[int]()
    due = GameSheet.objects.filter(due=True).exclude(pk__in=batches.list_resting("players_of"))

    def test_players(sheet: GameSheet) -> None:
        seats = Seat.objects.filter(game=sheet.game_id, player__is_bot=False)
        for player in seats.values_list("player", flat=True):
            if player is None or player in known:
                continue
            for finding in chain(of_games(player, tested), of_agreement(player, rates)):
                signals.record(finding, now=now)
                report.found += 1
            known.add(player)
        GameSheet.objects.filter(pk=sheet.pk, version=sheet.version).update(due=False)

    for sheet in due.order_by("game")[:SHEETS]:
        if time.monotonic() > stop:
            return report
        batches.run_row(f"players_of {sheet.pk}", partial(test_players, sheet))
    report.looked_at = len(known)
    report.done = (
        not GameSheet.objects.filter(due=True).exists() and not measuring.find_unread_games().exists()
    )
    return report


def in_common() -> Iterator[Found]:
    """Yield the pairs of accounts that have sat at one rated table, or are in one season, and share a
    browser, a mailbox, or a network on many days. The base rate is the share of all pairs that share as
    much."""
    accounts = multi_account.count_known()
    everybody = accounts * (accounts - 1) / 2
    for kind, of_kind, least in (
        (TraceKind.DEVICE, SignalKind.DEVICE, 1),
        (TraceKind.MAILBOX, SignalKind.MAILBOX, 1),
        (TraceKind.NETWORK, SignalKind.NETWORK, LEAST_DAYS),
    ):
        shared = {pair: number for pair, number in multi_account.find_shared(kind).items() if number >= least}
        met = met_at_rated_tables(list(shared))
        for pair in sorted({*met, *find_pairs_in_one_contest(list(shared))}):
            codes = met.get(pair, [])
            as_much = sum(number >= shared[pair] for number in shared.values())
            data = {
                "shared": shared[pair],
                "games": codes[:SHOWN],
                "together": len(codes),
                "pairs_sharing": as_much,
                "accounts": accounts,
            }
            yield Found(of_kind, *pair, shared[pair], min(1.0, as_much / everybody), data)


def met_at_rated_tables(pairs: Sequence[multi_account.Pair]) -> Mapping[multi_account.Pair, list[str]]:
    """Return the pairs that have sat at one rated table, with the codes of these games, the latest first."""
    people = {player for pair in pairs for player in pair}
    rows = Seat.objects.filter(player__in=people, game__rated=True, game__started__isnull=False)
    tables: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for player, code, game in rows.order_by("-game").values_list("player", "game__code", "game"):
        tables[player].append((code, game))
    met: dict[multi_account.Pair, list[str]] = {}
    for first, second in pairs:
        there = set(tables[second])
        codes = [code for code, game in tables[first] if (code, game) in there]
        if codes:
            met[first, second] = codes
    return met


def find_pairs_in_one_contest(pairs: Sequence[multi_account.Pair]) -> set[multi_account.Pair]:
    """Return those of *pairs* who are in one contest besides a table, such as a season of a league.

    Contests of other applications are found through ``moderation.hooks.CONTESTS``.
    """
    people = {player for pair in pairs for player in pair}
    contests = [set(players) for source in hooks.CONTESTS for players in source(people)] if people else []
    return {(one, other) for one, other in pairs if any({one, other} <= players for players in contests)}


def count_tested() -> Tested:
    """Count the people and pairs tested on the whole site; two queries."""
    people = Seat.objects.filter(game__sheet__isnull=False, player__is_bot=False).values("player")
    pairs = (
        Seat.objects.filter(game__sheet__isnull=False, player__is_bot=False)
        .filter(Q(game__seats__player__gt=0) & Q(game__seats__player__is_bot=False))
        .values("player", "game__seats__player")
        .annotate(games=Count("game", distinct=True))
        .filter(games__gte=throwing.LEAST_TOGETHER)
    )
    everybody = people.distinct().count()
    # Everybody is a pair with themselves there, if they have as many games.
    alone = people.annotate(games=Count("game")).filter(games__gte=throwing.LEAST_TOGETHER).count()
    return Tested(everybody, pairs.count() - alone)


def of_games(player: int, tested: Tested) -> Iterator[Found]:
    """Yield the signals of the last games of *player*."""
    games = load_last_games(player)
    yield from _of_helping(player, games, tested)
    yield from _of_stalling(player, games, tested)
    yield from _of_throwing(player, games, tested)


def _of_helping(player: int, games: Sequence[Read], tested: Tested) -> Iterator[Found]:
    for other in list_opponents(player, games):
        shared = list_games_together(player, other, games)
        measured = helping.measure_helping(shared)
        if measured is None or not helping.is_significant(measured, tested.pairs):
            continue
        measured = helping.measure_helping(shared, measure_popularity(other, player))
        if measured is not None and helping.is_significant(measured, tested.pairs):
            rows = [[game.code, game.given, *game.others] for game in shared[:SHOWN]]
            data = {**asdict(measured), "rows": rows, "tested": tested.pairs}
            yield Found(SignalKind.HELPING, player, other, _score(measured.p), _rate(measured.p), data)


def _of_stalling(player: int, games: Sequence[Read], tested: Tested) -> Iterator[Found]:
    paces = []
    for game in games:
        at = game.index(player)
        pace = None if at is None else stalling.measure_pace(game.code, game.chairs[at].sheet)
        if pace is not None:
            paces.append(pace)
    measured = stalling.measure_stalling(paces)
    if measured is not None and stalling.is_significant(measured, tested.people):
        rows = [[pace.code, round(2**pace.slowed, 2), pace.behind] for pace in paces[:SHOWN]]
        data = {**asdict(measured), "factor": measured.factor, "rows": rows, "tested": tested.people}
        yield Found(SignalKind.STALLING, player, None, _score(measured.p), _rate(measured.p), data)


def _of_throwing(player: int, games: Sequence[Read], tested: Tested) -> Iterator[Found]:
    played = []
    for game in games:
        at = game.index(player)
        if at is None:
            continue
        mine = game.chairs[at]
        others = [chair for seat, chair in enumerate(game.chairs) if seat != at and chair.player is not None]
        above = frozenset(
            chair.player
            for chair in others
            if chair.player is not None and (chair.rank or 9) < (mine.rank or 9)
        )
        met = frozenset(chair.player for chair in others if chair.player is not None)
        played.append(throwing.PlayedGame(game.code, met, above, mine.sheet.score, mine.sheet.left))
    thrown = throwing.find_thrown(played)
    for other in list_opponents(player, games):
        measured = throwing.measure_throwing(played, thrown, other)
        if measured is not None and throwing.is_significant(measured, tested.pairs):
            rows = [
                [game.code, game.score, game.left, game.code in measured.codes]
                for game in played
                if other in game.opponents
            ]
            data = {**asdict(measured), "rows": rows[:SHOWN], "tested": tested.pairs}
            yield Found(SignalKind.THROWING, player, other, _score(measured.p), _rate(measured.p), data)


def agreement_by_person() -> Mapping[int, BotAgreement]:
    """Count everybody's agreement with the house bot in the sample, in seats that nobody else had meanwhile;
    one query."""
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    rows = Seat.objects.filter(game__sheet__agreements__isnull=False, player__is_bot=False)
    agreement_rows = rows.values_list("player", "index", "game__sheet__agreements", "game__sheet__seats")
    for player, index, agreements, seats in agreement_rows:
        if not seats[index]["same"]:
            continue
        same, turns = (agreements or {})[index]
        sums[player][0] += same
        sums[player][1] += turns
    return {player: BotAgreement(*counted) for player, counted in sums.items()}


def of_agreement(player: int, rates: Mapping[int, BotAgreement]) -> Iterator[Found]:
    """Yield the signal of the turns of *player* in the sample, compared with others."""
    if player not in rates:
        return
    others = [rate for other, rate in rates.items() if other != player]
    measured = likeness.measure_likeness(rates[player], others)
    if measured is not None and likeness.is_significant(measured, len(rates)):
        data = {**measured._asdict(), "own": measured.own._asdict(), "tested": len(rates)}
        yield Found(SignalKind.PROGRAM, player, None, _score(measured.p), _rate(measured.p), data)


def _score(p: float) -> float:
    return -log10(max(p, LEAST_P))


def _rate(p: float) -> float:
    return min(1.0, max(p, LEAST_P))
