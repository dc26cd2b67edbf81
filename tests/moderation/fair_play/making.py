"""Signals with data as the search writes them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from games.models import Game
from moderation.fair_play import signals
from moderation.fair_play.helping import Together, measure_helping
from moderation.fair_play.likeness import BotAgreement, measure_likeness
from moderation.fair_play.signals import Found
from moderation.fair_play.stalling import Pace, measure_stalling
from moderation.models import Signal, SignalKind
from tests.games.factories import NOW


def data_of(kind: SignalKind, code: str) -> dict[str, Any]:
    """Data as the search writes them."""
    shared = {"shared": 7, "games": [code], "together": 1, "pairs_sharing": 2, "accounts": 21}
    helped = measure_helping([Together(code, 12, (1, 2))] * 8)
    slow = measure_stalling([Pace(code, 3.0 if n % 2 else 0.0, bool(n % 2)) for n in range(40)])
    alike = measure_likeness(BotAgreement(95, 100), [BotAgreement(30, 100)] * 12)
    assert helped and slow and alike
    thrown = {"together": 8, "thrown": 6, "games": 60, "thrown_in_all": 7, "p": 1e-5, "codes": [code]}
    return {
        SignalKind.DEVICE: shared,
        SignalKind.NETWORK: shared,
        SignalKind.MAILBOX: shared,
        SignalKind.HELPING: {**asdict(helped), "rows": [[code, 12, 1, 2]], "tested": 300},
        SignalKind.STALLING: {
            **asdict(slow),
            "factor": slow.factor,
            "rows": [[code, 8.0, True]],
            "tested": 9,
        },
        SignalKind.THROWING: {**thrown, "rows": [[code, 31, 12, True]], "tested": 300},
        SignalKind.PROGRAM: {**alike._asdict(), "own": alike.own._asdict(), "tested": 13},
    }[kind]


def make_signal(game: Game, kind: SignalKind = SignalKind.HELPING, rate: float = 0.0002) -> Signal:
    """A signal about the players of the first two seats of *game*, or of the first alone."""
    anna, bruno = (game.seats.get(index=index).player_id for index in (0, 1))
    assert anna is not None and bruno is not None
    other = None if kind in (SignalKind.STALLING, SignalKind.PROGRAM) else bruno
    signals.record(Found(kind, anna, other, 3.7, rate, data_of(kind, game.code)), now=NOW)
    return Signal.objects.get(kind=kind)
