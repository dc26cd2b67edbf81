"""Evidence of reports: a copy of the state at the time of the report.

``found`` is a JSON object. Instants are in ISO 8601, durations in seconds, players are primary keys, so that
closed accounts aren't named any more. All parts are optional:

- ``name``: the person's name, where the name is reported
- ``game``: its code, name, status, version, ply, deadline, and the seat awaited
- ``seats``: of each its player or bot, state, score, and clock
- ``turns``: the moves around it (:data:`games.selectors.moves.FIELDS`), each with its time and the points it
  brought by seat. What is drawn is left out, and no event tells what only one seat may see.
- ``talk``: the messages around the reported one
- ``copy``: the text of a deleted message
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from games.models import Game, Message, Move, Seat
from games.rules import RuleSet, Scored, event_from_json, event_to_json
from games.rules.visibility import hide_secrets_of_event
from moderation.models import Evidence, Incident, NameChange, Report, ReportedName

AROUND = 5
"""Turns before and after the one that is reported."""

LATELY = 12
"""Number of moves kept if no turn is named: the last ones."""

CONTEXT = 10
"""Messages before and after the one that is reported."""

KEPT = timedelta(days=365)
"""Time after the closing of an incident for which its evidence is kept."""

LONGEST_KEPT = timedelta(days=730)
"""Time after the opening of an incident for which its evidence is kept at most, even if it is undecided."""

COPIES_KEPT = timedelta(days=30)
"""Time during which a message can still be reported after its author deleted it."""

Found = dict[str, Any]


def gather(
    *, incident: Incident, message: Message | None, ply: int | None, name: bool, now: datetime
) -> Evidence:
    """Store evidence of *incident* as it is now, around *message* or the turn *ply* if one is reported. With
    *name* the person's name is what is reported."""
    facts: Found = {"name": incident.about.username} if name else {}
    if incident.game is not None:
        facts |= _of_game(incident.game, ply)
    if message is not None:
        facts["talk"] = _talk_around(message)
    return Evidence.objects.create(incident=incident, message=message, ply=ply, at=now, found=facts)


def keep_copy(message: Message, now: datetime) -> Evidence:
    """Store the text of *message*, which is about to be deleted."""
    return Evidence.objects.create(message=message, at=now, found={"copy": message.text})


def _of_game(game: Game, ply: int | None) -> Found:
    return {
        "game": {
            "code": game.code,
            "name": game.name,
            "status": game.status,
            "version": game.version,
            "ply": game.ply,
            "awaited": game.awaited,
            "deadline": _instant(game.deadline),
        },
        "seats": [_seat(seat) for seat in game.seats.order_by("index")],
        "turns": [_turn(move, game.rules) for move in _moves_around(game, ply)],
    }


def _seat(seat: Seat) -> Found:
    return {
        "player": seat.player_id,
        "bot": seat.bot,
        "state": seat.state,
        "left": _instant(seat.left_at),
        "score": seat.score,
        "rank": seat.rank,
        "bank": seat.bank.total_seconds(),
        "spent": seat.spent.total_seconds(),
        "excuses": seat.excuses,
    }


def _moves_around(game: Game, ply: int | None) -> list[Move]:
    """The moves of seats, and acts of the table, around *ply* or the latest; the oldest first."""
    moves = game.moves.in_force().exclude(action__type__in=["draw", "final"])
    if ply is None:
        return list(moves.order_by("-version")[:LATELY])[::-1]
    return list(moves.filter(ply__range=(max(1, ply - AROUND), ply + AROUND)).order_by("version"))


def _turn(move: Move, played: RuleSet) -> Found:
    events = [event_from_json(stored) for stored in move.events]
    points: Counter[int] = Counter()
    for event in events:
        if isinstance(event, Scored):
            points[event.seat] += event.points
    return {
        "version": move.version,
        "ply": move.ply,
        "seat": move.seat,
        "action": move.action,
        "events": [event_to_json(hide_secrets_of_event(played, event, None)) for event in events],
        "how": move.how,
        "at": _instant(move.at),
        "used": None if move.time_used is None else move.time_used.total_seconds(),
        "points": {str(seat): brought for seat, brought in sorted(points.items())},
    }


def _talk_around(message: Message) -> list[Found]:
    """The messages around *message* in its chat, with the kept copies of deleted ones."""
    room = Message.objects.filter(game=message.game_id, room=message.room)
    before = list(room.filter(pk__lt=message.pk).order_by("-pk")[:CONTEXT])[::-1]
    after = list(room.filter(pk__gt=message.pk).order_by("pk")[:CONTEXT])
    lines = [*before, message, *after]
    copies = _copies([line.pk for line in lines if line.deleted])
    return [
        {
            "message": line.pk,
            "author": line.author_id,
            "at": _instant(line.at),
            "text": copies.get(line.pk, line.text),
            "deleted": line.deleted is not None,
        }
        for line in lines
    ]


def _copies(deleted: Sequence[int]) -> dict[int, str]:
    """The texts of *deleted* messages, by key."""
    if not deleted:
        return {}
    kept = Evidence.objects.filter(incident=None, message__in=deleted)
    return {pk: facts["copy"] for pk, facts in kept.values_list("message", "found")}


def _instant(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def forget_old(*, now: datetime) -> int:
    """Delete the evidence of incidents that were closed a year ago, or opened two years ago, the texts of
    their reports, and copies of deleted messages after a month. The person, category and verdict stay."""
    old = Incident.objects.filter(Q(closed__lt=now - KEPT) | Q(opened__lt=now - LONGEST_KEPT))
    forgotten = Evidence.objects.filter(incident__in=old).forget()
    forget_words(Report.objects.filter(incident__in=old))
    ReportedName.objects.filter(report__incident__in=old).exclude(name="").update(name="")
    NameChange.objects.all().forget_old(now - KEPT)
    return forgotten + Evidence.objects.filter(incident=None, at__lt=now - COPIES_KEPT).forget()


def forget_words(reports: QuerySet[Report]) -> None:
    """Delete the texts of *reports*."""
    reports.exclude(words="").update(words="")


def list_players(facts: Iterable[Found]) -> set[int]:
    """Return the keys of all players in evidence."""
    keys: set[int | None] = set()
    for fact in facts:
        keys |= {seat["player"] for seat in fact.get("seats", ())}
        keys |= {line["author"] for line in fact.get("talk", ())}
    return {key for key in keys if key is not None}
