"""What mails are written from, read for many notices in a few queries."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from games.models import Kind, Move, Notice, Plan, PrunedNotice, Seat, Visit
from games.play import lately, positions
from games.selectors.moves import enough
from games.selectors.seats import mine, of_all

PICTURED = (Kind.YOUR_TURN, Kind.REMINDER, Kind.STARTED, Kind.GAME_OVER, Kind.TIME_OUT)
"""What can't be written without the position."""

TOLD_OF_BEGIN = (Kind.STARTED, Kind.YOUR_TURN)
"""Whoever has got one of them knows that the game has begun."""


@dataclass(frozen=True)
class Facts:
    """What is known of a notice about a game, and of its reader, besides its row."""

    seats: Sequence[Seat]  # of the game, in order, with their players
    seat: Seat | None  # the reader's
    seen: int | None  # the version that the reader has seen, if they have ever looked
    told_before: bool  # whether another mail has told them that the game has begun, or that it is their turn
    last_mail: datetime | None  # about the same turn
    planned: bool  # whether the reader has, or had, plans there


def rows(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """*notices* with what they are about."""
    return notices.select_related("game", "recipient", "invitation__inviter")


def read(notices: Collection[Notice]) -> None:
    """Read the facts of all *notices*, and the positions of their games: three queries, however many."""
    of_games = [notice for notice in notices if notice.game_id is not None]
    if not of_games:
        return
    seats = of_all(notice.of_game for notice in of_games)
    known = {row["pk"]: row for row in _annotated(of_games)}
    for notice in of_games:
        row = known[notice.pk]
        at_table = seats.get(notice.of_game.pk, [])
        reader = notice.recipient
        vars(notice)["facts"] = Facts(
            at_table,
            None if reader is None else mine(at_table, reader),
            row["seen"],
            row["told_before"],
            row["last_mail"],
            row["planned"],
        )
    _bring_positions(notice for notice in of_games if notice.kind in PICTURED)


def facts(notice: Notice) -> Facts:
    """What is known of *notice*, which is about a game; read now if it has not been."""
    if "facts" not in vars(notice):
        read([notice])
    found: Facts = vars(notice)["facts"]
    return found


def forget(notice: Notice, others: Iterable[Notice]) -> None:
    """What was read of *others* is no longer so where they go to whom *notice* has just told of its game."""
    for other in others:
        if other.game_id == notice.game_id and other.recipient_id == notice.recipient_id:
            vars(other).pop("facts", None)


def _annotated(notices: Iterable[Notice]) -> Iterable[Mapping[str, Any]]:
    of_reader = Notice.objects.filter(game=OuterRef("game"), recipient=OuterRef("recipient"))
    told = of_reader.filter(kind__in=TOLD_OF_BEGIN).exclude(pk=OuterRef("pk"))
    pruned = PrunedNotice.objects.filter(
        game=OuterRef("game"), recipient=OuterRef("recipient"), kind__in=TOLD_OF_BEGIN
    )
    last = of_reader.filter(version=OuterRef("version")).order_by().values("game")
    visit = Visit.objects.filter(game=OuterRef("game"), player=OuterRef("recipient"))
    plans = Plan.objects.filter(seat__game=OuterRef("game"), seat__player=OuterRef("recipient"))
    found: Iterable[Any] = Notice.objects.filter(pk__in=[notice.pk for notice in notices]).values(
        "pk",
        told_before=Exists(told.exclude(sent=None)) | Exists(pruned.exclude(sent=None)),
        last_mail=Subquery(last.annotate(last=Max("sent")).values("last")),
        seen=Subquery(visit.values("seen")[:1]),
        planned=Exists(plans),
    )
    return found


def _bring_positions(notices: Iterable[Notice]) -> None:
    """Remember the positions of the games of *notices*, and what happened there since their readers looked:
    one query for those that are not known."""
    missing: dict[int, list[Notice]] = {}
    for notice in notices:
        if not positions.known(notice.of_game):
            missing.setdefault(notice.of_game.pk, []).append(notice)
    if not missing:
        return
    # As text, because the database's converter of JSON costs more than reading all of a game at once.
    stored = Move.objects.in_force().filter(game__in=missing).order_by("game", "version")
    texts = stored.values_list(
        "game_id", "version", "ply", "seat", "how", Cast("action", TextField()), Cast("events", TextField())
    )
    for pk, found in groupby(texts, itemgetter(0)):
        _bring_position(missing[pk], list(found))


def _bring_position(notices: Sequence[Notice], stored: Sequence[tuple[Any, ...]]) -> None:
    """The same for *notices* of one game, of which all moves in force are *stored*."""
    game = notices[0].of_game
    if stored[-1][1] != game.version:
        return  # it has gone on since its row was read: whoever needs it reads it alone
    events = _parsed(move[-1] for move in stored)
    positions.rebuild(game, events)
    last = -max(enough(game, facts(notice).seen) for notice in notices)
    actions = _parsed(move[-2] for move in stored[last:])
    told = zip(stored[last:], actions, events[last:], strict=True)
    moves = [
        {"version": version, "ply": ply, "seat": seat, "action": action, "events": of_move, "how": how}
        for (_pk, version, ply, seat, how, *_texts), action, of_move in told
    ]
    lately.keep(game, moves)


def _parsed(texts: Iterable[str]) -> list[Any]:
    found: list[Any] = json.loads(f"[{','.join(texts)}]")
    return found
