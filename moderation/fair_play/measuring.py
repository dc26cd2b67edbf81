"""Measuring of games: a sheet for each finished rated game, and its agreement with the house bot.

Games without a sheet, or with one of an earlier version, are still to be measured.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial

from django.db.models import F, Q, QuerySet

from core import batches
from games import rules
from games.models import Ending, Game, Status
from games.rules.game import build_initial_state
from games.rules.state import apply_event
from moderation.fair_play.likeness import agrees
from moderation.fair_play.sheet import BY_PERSON, build_sheets
from moderation.models import GameSheet

BATCH = 100
COUNTED = (Ending.PLAYED, Ending.TIME_OUT, Ending.RESIGNED)
FIELDS = ("seat", "ply", "action", "events", "how", "time_used", "timing")

SAMPLED = 10
"""Number of games of which one is compared with the house bot, which takes about half a second each. The
sample is taken by key, so that nobody can choose it."""


def find_unread_games() -> QuerySet[Game]:
    """Return the games without a current sheet, the earliest first."""
    over = Game.objects.filter(status=Status.FINISHED, rated=True, ending__in=COUNTED)
    return over.filter(Q(sheet=None) | ~Q(sheet__version=F("version"))).order_by("finished", "pk")


def read_games(*, stop: float) -> int:
    """Measure games until *stop* on the monotonic clock. Return their number."""
    read = 0
    while batch := list(find_unread_games().exclude(pk__in=batches.list_resting("game"))[:BATCH]):
        before = read
        for game in batch:
            read += batches.run_row(f"game {game.pk}", partial(read_game, game))
            if time.monotonic() > stop:
                return read
        if read == before:
            break  # outside of a task games that fail don't rest
    return read


def read_game(game: Game) -> None:
    """Write the sheet of a finished *game*."""
    moves = game.moves.in_force().order_by("version").values(*FIELDS)
    seats = [sheet.to_json() for sheet in build_sheets(moves, game.places)]
    fresh = {"version": game.version, "seats": seats, "agreements": None, "due": True}
    GameSheet.objects.update_or_create(game=game, defaults=fresh)


def select_unasked_sheets() -> QuerySet[GameSheet]:
    """Return the sheets of the sample without agreement with the house bot, the latest first."""
    sample = GameSheet.objects.annotate(number=F("game_id") % SAMPLED).filter(number=0)
    return sample.filter(agreements__isnull=True).select_related("game").order_by("-game_id")


def ask_the_bot(*, stop: float) -> int:
    """Compare games of the sample with the house bot, until *stop* on the monotonic clock. Return their
    number."""
    asked = 0
    for sheet in select_unasked_sheets().exclude(pk__in=batches.list_resting("bot_in"))[:BATCH]:
        if time.monotonic() > stop:
            break
        asked += batches.run_row(f"bot_in {sheet.pk}", partial(_ask_of, sheet))
    return asked


def _ask_of(sheet: GameSheet) -> None:
    fresh = {"agreements": agreements_of(sheet.game), "due": True}
    GameSheet.objects.filter(pk=sheet.pk, version=sheet.version).update(**fresh)


def agreements_of(game: Game) -> list[list[int]]:
    """Return for each seat of *game* how many of its player's turns with many choices match the house bot's,
    and the number of such turns."""
    counts = [[0, 0] for _ in range(game.places)]
    state = build_initial_state(game.rules)
    for move in game.moves.in_force().order_by("version").values("seat", "ply", "action", "events", "how"):
        if move["ply"] is not None and move["how"] in BY_PERSON and move["action"]["type"] == "place":
            same = agrees(state, rules.action_from_json(move["action"]))
            if same is not None:
                counts[move["seat"]][0] += same
                counts[move["seat"]][1] += 1
        state = _after(state, move["events"])
    return counts


def _after(state: rules.State, events: Iterable[dict[str, object]]) -> rules.State:
    for event in events:
        state = apply_event(state, rules.event_from_json(event))
    return state
