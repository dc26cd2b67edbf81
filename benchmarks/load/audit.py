"""Holds what the site has stored against what its players know.

Reads their ledger and what their mail server took as JSON from standard input, and answers in JSON what is
wrong; run by ``Stack.run`` with the site's settings.
"""

from __future__ import annotations

import io
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import django

django.setup()

from django.core.management import CommandError, call_command
from django.db.models import Q
from django.utils import timezone

from games.models import Game, How, Kind, Move, Notice, Status
from games.notices.email import message_id
from games.rules import action_from_json
from games.rules.notation import write

SECONDS_TO_SCORE = 60.0  # after the last turn, or after the parts are back


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """With ``{"left": true}`` how much the site still has to do; else all that is wrong, from
    ``sent`` (a ledger), ``mails`` (how often each Message-ID came), ``begun`` (ply and version of each game
    when all began) and ``outages`` (from, to, in seconds of the epoch).
    """
    if asked.get("left"):
        return left()
    return {
        "turns": turns(asked["sent"], asked["begun"]),
        "mails": mails(asked["mails"], asked["begun"]),
        "games": verified(),
        "scorings": scorings(asked["outages"]),
        "finished": Game.objects.filter(status=Status.FINISHED).count(),
        "moves": Move.objects.count(),
        "notices": Notice.objects.exclude(sent=None).count(),
    }


def left() -> dict[str, int]:
    """What the site knows that it has to do by now."""
    now = timezone.now()
    return {
        "mails": Notice.objects.filter(sent=None, dropped=None, due__lte=now).count(),
        "scorings": Game.objects.filter(status=Status.SCORING).count(),
        "turns to settle": Game.objects.exclude(settles=None).count(),
    }


def turns(sent: Sequence[Mapping[str, Any]], begun: Mapping[str, tuple[int, int]]) -> list[str]:
    """Turns that were accepted and aren't there exactly once, and those that are there and nobody sent."""
    stored: dict[str, list[Move]] = defaultdict(list)
    for move in Move.objects.filter(ply__isnull=False).select_related("game").order_by("game", "version"):
        if move.ply > begun[move.game.code][0]:
            stored[move.game.code].append(move)
    wrong = [
        f"{code}: ply {move.ply} is withdrawn" for code in stored for move in stored[code] if move.withdrawn
    ]
    seats = {
        (game.code, seat.player.username): seat.index
        for game in Game.objects.prefetch_related("seats__player")
        for seat in game.seats.all()
        if seat.player is not None
    }
    taken: dict[int, tuple[str, int]] = {}  # by the key of a move: what was sent that it is
    for one in sent:
        code, version, line = one["code"], one["version"], one["line"]
        follows = [move for move in stored[code] if move.version > version]
        found = follows[0] if follows else None
        fits = (
            found is not None
            and found.seat == seats[code, one["person"]]
            and write(action_from_json(found.action), with_tile=True) == line
        )
        if one["said"] == "accepted" and not fits:
            wrong.append(f"{code}: {line} at version {version} was accepted and is not there")
        elif one["said"] == "refused" and fits:
            wrong.append(f"{code}: {line} at version {version} was refused and is there")
        if fits and found is not None:
            before = taken.setdefault(found.pk, (line, version))
            if before != (line, version):
                wrong.append(f"{code}: ply {found.ply} was accepted as {before} and as {(line, version)}")
    for code, moves in stored.items():
        for move in moves:
            if move.pk not in taken or move.how != How.WEB:
                wrong.append(f"{code}: nobody sent ply {move.ply}, which came by {move.how}")
    return wrong


def mails(came: Mapping[str, int], begun: Mapping[str, tuple[int, int]]) -> list[str]:
    """Events of which nobody was to be told, and mails that were to come and did not, or that nobody sent."""
    wrong = []
    ids = set()
    for notice in Notice.objects.exclude(sent=None):
        ids.add(message_id(notice))
        if message_id(notice) not in came:
            wrong.append(f"{notice.key} was sent and did not arrive")
    # Who was killed after sending has marked nothing; once the turn has been played, nobody sends it again.
    claimed = Notice.objects.exclude(claimed=None).exclude(dropped=None)
    ids |= {message_id(notice) for notice in claimed}
    wrong += [f"{unknown} arrived and is not marked as sent" for unknown in came.keys() - ids]
    failed = Notice.objects.filter(~Q(why_dropped__in=["", "stale", "moved"]))
    wrong += [f"{notice.key} was dropped as {notice.why_dropped}: {notice.last_error}" for notice in failed]
    first = {game.pk: begun[game.code][1] for game in Game.objects.all()}
    turns: dict[int, set[int]] = defaultdict(set)
    over: dict[int, int] = defaultdict(int)
    for game, kind, version in Notice.objects.values_list("game", "kind", "version"):
        if kind == Kind.YOUR_TURN and version >= first[game]:
            turns[game].add(version)
        elif kind == Kind.GAME_OVER:
            over[game] += 1
    for game in Game.objects.all():
        number = game.ply - begun[game.code][0] + (game.status == Status.PLAYING and game.settles is None)
        if len(turns[game.pk]) != number:
            wrong.append(f"{game.code}: {number} turns have begun, {len(turns[game.pk])} were to be told")
        if over[game.pk] != (game.places if game.status == Status.FINISHED else 0):
            wrong.append(f"{game.code} is {game.status}, and {over[game.pk]} were to be told that it is over")
    return wrong


def verified() -> list[str]:
    """What `manage.py verify_games` lists."""
    said = io.StringIO()
    try:
        call_command("verify_games", stdout=said)
    except CommandError:
        return said.getvalue().splitlines()
    return []


def scorings(outages: Sequence[tuple[float, float]]) -> list[str]:
    """Final scorings that came more than a minute after the last turn, or after the last of the outages that
    kept them waiting."""
    wrong = [f"{game.code} is not scored" for game in Game.objects.filter(status=Status.SCORING)]
    for final in Move.objects.filter(action__type="final").select_related("game"):
        last = final.game.moves.filter(ply__isnull=False).latest("version")
        waits = last.at.timestamp()
        for began, ended in sorted(outages):
            if began < waits + SECONDS_TO_SCORE:
                waits = max(waits, ended)
        late = final.at.timestamp() - waits
        if late > SECONDS_TO_SCORE:
            wrong.append(f"{final.game.code} was scored after {late:.0f} s")
    return wrong


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
