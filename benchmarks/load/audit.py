"""Comparison of the site's rows with what its players know.

Reads their ledger and the mails that their server received as JSON from standard input, and writes what is
wrong as JSON; run by ``Stack.run`` with the site's settings.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import django

django.setup()

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models import Count
from django.utils import timezone

from games import rated_games, rules
from games.models import (
    Channel,
    DropReason,
    Ending,
    Game,
    How,
    InboundMail,
    Kind,
    MailOutcome,
    MailState,
    Move,
    Notice,
    Result,
    Status,
)
from games.notices.email import message_id
from games.rules import action_from_json
from games.rules.notation import write
from games.upkeep_tasks import rate_games
from leagues.models import Division, Fixture, Phase
from leagues.seasons.results import build_played_result, has_result
from leagues.selectors.division_lines import build_line
from leagues.tasks import advance
from ratings import rows
from tests.leagues import oracle

SECONDS_TO_SCORE = 60.0  # maximum time to score a game, without outages of parts it needs
AT_ONCE = 5.0  # usual time limit of scoring, in seconds
NEEDED = ("games.tasks.score", "games.tasks.sweep")
SCORES = (
    "postgresql",
    "redis",
    "beat",
    *(f"worker of {settings.CELERY_TASK_ROUTES[task]['queue']}" for task in NEEDED),
)
"""Parts without which nothing is scored."""

Outage = tuple[str, float, float]
"""Part that was down, or a child of it; begin and end, in seconds of the epoch."""


TOGETHER = timedelta(minutes=1)
"""Most time between marking two notices that went out in one mail."""


class Found(NamedTuple):
    """Faults, a line each, and counts by name."""

    wrong: list[str]
    counted: dict[str, float]


def main(asked: dict[str, Any]) -> dict[str, Any]:
    """Run the audit, or another request.

    With ``{"left": true}``: return how much the site still has to do. With ``{"tick": true}``: queue what the
    beat does every few minutes, so that nobody waits for that. Otherwise: return ``wrong``, lists of lines,
    and ``counted``, both by kind of check, from ``sent`` (a ledger), ``mails`` (how often each Message-ID
    came), ``replies`` (the Message-IDs that the receiver confirmed), ``posts`` (how many came for each
    person, by channel), ``begun`` (ply and version of each game at the start) and ``outages``.
    """
    if asked.get("left"):
        return left()
    if asked.get("tick"):
        rate_games.delay()
        advance.delay()
        return {}
    outages: list[Outage] = [(part, began, ended) for part, began, ended in asked["outages"]]
    found = {
        "turns": turns(asked["sent"], asked["begun"]),
        "mails": mails(asked["mails"], asked["begun"]),
        "replies": replies(asked["replies"]),
        "posts": posts(asked["posts"]),
        "times": times(),
        "games": verified(),
        "results": results(),
        "scorings": scorings(outages),
        "ratings": rated(),
        "leagues": leagues(),
    }
    return {
        "wrong": {name: one.wrong for name, one in found.items()},
        "counted": {name: one.counted for name, one in found.items()},
    }


def left() -> dict[str, int]:
    """The numbers of things that the site still has to do."""
    now = timezone.now()
    return {
        "notices": Notice.objects.filter(sent=None, dropped=None, next_try__lte=now).count(),
        "replies": InboundMail.objects.filter(state=MailState.WAITING).count(),
        "scorings": Game.objects.filter(status=Status.SCORING).count(),
        "turns to settle": Game.objects.exclude(settles=None).count(),
        "games to rate": rated_games.unrated_games().count(),
        "results of leagues": Fixture.objects.filter(has_result(now), settled=None).count(),
    }


def turns(sent: Sequence[Mapping[str, Any]], begun: Mapping[str, tuple[int, int]]) -> Found:
    """Check that accepted turns are stored exactly once, and that all stored turns were sent."""
    stored: dict[str, list[Move]] = {}
    for game in Game.objects.filter(code__in=begun):
        since = game.moves.filter(ply__gt=begun[game.code][0]).defer("events").order_by("version")
        stored[game.code] = list(since)
    wrong = [
        f"{code}: ply {move.ply} is withdrawn" for code in stored for move in stored[code] if move.withdrawn
    ]
    seats = {
        (game.code, seat.player.username): seat.index
        for game in Game.objects.prefetch_related("seats__player")
        for seat in game.seats.all()
        if seat.player is not None
    }
    taken: dict[int, tuple[str, int]] = {}  # by key of a move: line and version that were sent
    present: dict[str, set[int]] = defaultdict(set)  # by reported outcome: keys of the stored moves
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
            present[one["said"]].add(found.pk)
            before = taken.setdefault(found.pk, (line, version))
            if before != (line, version):
                wrong.append(f"{code}: ply {found.ply} was accepted as {before} and as {(line, version)}")
    for code, moves in stored.items():
        for move in moves:
            if move.how != How.MAIL and (move.pk not in taken or move.how != How.WEB):
                wrong.append(f"{code}: nobody sent ply {move.ply}, which came by {move.how}")
    counted = {
        "stored": sum(map(len, stored.values())),
        "accepted and present": len(present["accepted"]),
        "unanswered and present": len(present["unknown"] - present["accepted"]),
    }
    return Found(wrong, counted)


def mails(came: Mapping[str, int], begun: Mapping[str, tuple[int, int]]) -> Found:
    """Check that each event has its notices, and that sent and received mails are the same."""
    wrong = []
    ids = set()
    by_mail = Notice.objects.filter(channel=Channel.EMAIL)
    for notice in by_mail.exclude(sent=None):
        ids.add(message_id(notice))
        if message_id(notice) not in came and not _is_told_by_answer(notice, came):
            wrong.append(f"{notice.key} was sent and did not arrive")
    # Who was killed after sending has marked nothing; once the turn has been played, nobody sends it again.
    marked = set(ids)
    claimed = by_mail.exclude(claimed=None).exclude(dropped=None)
    ids |= {message_id(notice) for notice in claimed}
    wrong += [f"{unknown} arrived and is not marked as sent" for unknown in came.keys() - ids]
    failed = Notice.objects.filter(why_dropped__in=[DropReason.REFUSED, DropReason.GIVEN_UP])
    wrong += [f"{notice.key} was dropped as {notice.why_dropped}: {notice.last_error}" for notice in failed]
    first = {game.pk: begun[game.code][1] for game in Game.objects.all()}
    turns: dict[int, set[int]] = defaultdict(set)
    over: dict[int, int] = defaultdict(int)
    for game, kind, version in by_mail.values_list("game", "kind", "version"):
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
    counted = {
        "owed": by_mail.filter(dropped=None).count(),
        "delivered": len(marked & came.keys()),
        "not marked": len(came.keys() - marked),
        "stale": by_mail.filter(why_dropped="stale").count(),
        "ends": sum(over.values()),
    }
    return Found(wrong, counted)


def _is_told_by_answer(turn: Notice, came: Mapping[str, int]) -> bool:
    """Whether an answer to a reply of the player, sent together with *turn*, told it (``find_told_turn``)."""
    assert turn.sent is not None
    answers = Notice.objects.filter(
        kind=Kind.REPLY,
        channel=turn.channel,
        game=turn.game,
        recipient=turn.recipient,
        sent__range=(turn.sent - TOGETHER, turn.sent + TOGETHER),
    )
    return turn.kind == Kind.YOUR_TURN and any(message_id(answer) in came for answer in answers)


def replies(confirmed: Sequence[str]) -> Found:
    """Check that each reply that the receiver confirmed is there once, was answered, and played once."""
    wrong = []
    there = InboundMail.objects.count()
    if there != len(confirmed):
        wrong.append(f"{len(confirmed)} replies were confirmed, {there} are there")
    undone = InboundMail.objects.exclude(state__in=[MailState.DONE, MailState.IGNORED])
    wrong += [f"reply {mail.pk} is {mail.state} after {mail.attempts} attempts" for mail in undone]
    played = Counter(InboundMail.objects.filter(outcome=MailOutcome.PLAYED).values_list("player", flat=True))
    moved = Counter(
        player
        for game in Game.objects.prefetch_related("seats")
        for player in _players_of_moves_by_mail(game)
    )
    for player in played.keys() | moved.keys():
        if played[player] != moved[player]:
            wrong.append(f"player {player}: {played[player]} replies played {moved[player]} turns")
    outcomes = Counter(InboundMail.objects.values_list("outcome", flat=True))
    return Found(wrong, {"there": there, "played": played.total(), "stale": outcomes[MailOutcome.STALE]})


def _players_of_moves_by_mail(game: Game) -> list[int | None]:
    players = {seat.index: seat.player_id for seat in game.seats.all()}
    moves = game.moves.filter(how=How.MAIL, ply__isnull=False, seat__isnull=False)
    return [players[seat] for seat in moves.values_list("seat", flat=True) if seat is not None]


def posts(came: Mapping[str, Mapping[str, int]]) -> Found:
    """Check that whoever is notified by webhook or push got a post for each notice that is marked as sent."""
    wrong, counted = [], {}
    for channel in (Channel.WEBHOOK, Channel.PUSH):
        notices = Notice.objects.filter(channel=channel).exclude(sent=None)
        sent = Counter(notices.values_list("recipient__username", flat=True))
        got = Counter(came[channel])
        wrong += [
            f"{number} notices went to {name} by {channel}, {got[str(name)]} posts came"
            for name, number in sent.items()
            if got[str(name)] < number
        ]
        counted[f"{channel} sent"] = sent.total()
        counted[f"{channel} came"] = got.total()
    return Found(wrong, counted)


def times() -> Found:
    """Check the time of each turn, and that each seat was charged for its own turns, once each."""
    wrong, told = [], 0
    for game in Game.objects.exclude(started=None).prefetch_related("seats"):
        charged: dict[int, timedelta] = defaultdict(timedelta)
        moves = game.moves.in_force().filter(ply__isnull=False, seat__isnull=False)
        for move in moves.defer("events").order_by("version"):
            timing = move.timing or {}
            charged[move.seat or 0] += timedelta(seconds=timing.get("charged", 0))
            told += 1
            if move.time_used is None or move.time_used < timedelta():
                wrong.append(f"{game.code}: ply {move.ply} took {move.time_used}")
            elif "began" in timing:
                began = datetime.fromisoformat(timing["began"])
                if move.time_used != max(timedelta(), move.at - began):
                    wrong.append(
                        f"{game.code}: ply {move.ply} took {move.time_used} from {began} to {move.at}"
                    )
        for seat in game.seats.all():
            if seat.spent != charged[seat.index]:
                wrong.append(
                    f"{game.code}: seat {seat.index} was charged {seat.spent}, not {charged[seat.index]}"
                )
    return Found(wrong, {"turns": told})


def verified() -> Found:
    """The faults that `manage.py verify_games` lists."""
    said = io.StringIO()
    wrong: list[str] = []
    try:
        call_command("verify_games", stdout=said)
    except CommandError:
        wrong = said.getvalue().splitlines()
    return Found(wrong, {"verified": Game.objects.exclude(started=None).count()})


def results() -> Found:
    """Check results against a replay: of all rows of a game, only its rule set and actions are read."""
    wrong, replayed = [], 0
    for game in Game.objects.filter(status=Status.FINISHED, ending=Ending.PLAYED).iterator(chunk_size=100):
        played = rules.Game.new(game.rules)
        try:
            for action in game.moves.in_force().order_by("version").values_list("action", flat=True):
                played = played.play(action_from_json(action))
        except rules.IllegalAction as refused:
            wrong.append(f"{game.code}: {action} is refused: {refused}")
            continue
        replayed += 1
        if played.decision.kind != "over":
            wrong.append(f"{game.code} is {game.status}, and waits for {played.decision}")
        scores = played.state.scores
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        first = Result.WON if ranks.count(1) == 1 else Result.SHARED
        expected = [
            (score, rank, first if rank == 1 else Result.LOST)
            for score, rank in zip(scores, ranks, strict=True)
        ]
        stored = list(game.seats.order_by("index").values_list("score", "rank", "result"))
        if stored != expected:
            wrong.append(f"{game.code} ended with {stored}, by its actions with {expected}")
    return Found(
        wrong, {"finished": Game.objects.filter(status=Status.FINISHED).count(), "replayed": replayed}
    )


def scorings(outages: Sequence[Outage]) -> Found:
    """Check that final scorings came within a minute of the last turn, not counting outages of the parts that
    score."""
    wrong = [f"{game.code} is not scored" for game in Game.objects.filter(status=Status.SCORING)]
    away = [(began, ended) for part, began, ended in outages if part.endswith(SCORES)]
    waited, while_away = [0.0], 0
    for final in Move.objects.filter(action__type="final").select_related("game").defer("events"):
        last = final.game.moves.filter(ply__isnull=False).latest("version").at.timestamp()
        scored = final.at.timestamp()
        sound = seconds_outside(last, scored, away)
        waited.append(sound)
        while_away += any(began < scored and ended > last for began, ended in away)
        if sound > SECONDS_TO_SCORE:
            wrong.append(f"{final.game.code} was scored after {sound:.0f} s")
    return Found(
        wrong,
        {
            "scored": len(waited) - 1,
            "while a part was away": while_away,
            "after the sweep": sum(seconds > AT_ONCE for seconds in waited),
            "latest": max(waited),
        },
    )


def seconds_outside(began: float, ended: float, intervals: Sequence[tuple[float, float]]) -> float:
    """The seconds between *began* and *ended* that lie in none of the *intervals*, which may overlap."""
    outside, reached = 0.0, began
    for begin, end in sorted(intervals):
        if end > reached and begin < ended:
            outside += max(0.0, begin - reached)
            reached = max(reached, end)
    return outside + max(0.0, ended - reached)


def rated() -> Found:
    """The differences that `manage.py recompute_ratings --check` lists."""
    return Found(list(rated_games.find_differences()), {"rated": rows.count_games()})


def leagues() -> Found:
    """Check results of leagues against their games, and their tables against an oracle."""
    wrong = []
    settled = Fixture.objects.exclude(settled=None).select_related("match", "game")
    for fixture in settled:
        expected = build_played_result(fixture.match, fixture.game) if fixture.game else None
        if fixture.seats != expected:
            wrong.append(f"fixture {fixture.pk} is {fixture.seats}, its game says {expected}")
    twice = Fixture.objects.values("game").annotate(times=Count("pk")).filter(game__isnull=False, times__gt=1)
    wrong += [f"game {one['game']} is in {one['times']} fixtures" for one in twice]
    begun = Division.objects.filter(matches__fixtures__settled__isnull=False).distinct()
    tables = [(division, _table(division)) for division in begun.order_by("season", "level")]
    for division, line in tables:
        levels = [other.level for other in division.season.divisions.all()]
        highest, lowest = division.level == min(levels), division.level == max(levels)
        found = oracle.check(line, highest=highest, lowest=lowest)
        wrong += [f"season {line['season']}, division {line['division']}: {one}" for one in found]
    return Found(wrong, {"settled": settled.count(), "divisions": len(tables)})


def _table(division: Division) -> dict[str, Any]:
    """The table of *division* with its input for the oracle; without promotions before the season closes."""
    line = build_line(division)
    if division.season.phase != Phase.CLOSED:
        line["settings"] |= {"up": 0, "down": 0}
    return line


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
