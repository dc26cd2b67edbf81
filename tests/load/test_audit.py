"""The audit after a fault run finds what it is there to find."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from benchmarks.load import audit
from benchmarks.load.people import Sent
from games import play
from games.models import Game, Kind, Notice
from games.notices.email import message_id
from games.rules import action_from_json
from games.rules.notation import write
from tests.games.factories import make_game, play_turns

pytestmark = pytest.mark.django_db


def begun(game: Game) -> dict[str, tuple[int, int]]:
    return {game.code: (game.ply, game.turn_version)}


def ledger(game: Game) -> list[dict[str, Any]]:
    """What the players of *game* would have noted."""
    names = dict(game.seats.values_list("index", "player__username"))
    return [
        asdict(
            Sent(
                game.code,
                names[move.seat],
                move.version - 1,
                write(action_from_json(move.action), with_tile=True),
                "accepted",
            )
        )
        for move in game.moves.filter(ply__isnull=False)
    ]


@pytest.fixture
def before() -> tuple[Game, dict[str, tuple[int, int]]]:
    game = make_game(now=timezone.now())
    return game, begun(game)


def test_turns_that_are_there_once_are_well(before: Any) -> None:
    game, start = before
    play_turns(game, 4, now=timezone.now())
    sent = ledger(game)
    assert len(sent) == 4
    assert audit.turns(sent, start) == []
    assert audit.turns([*sent, sent[-1]], start) == [], "a double click is told twice that it is played"


def test_turns_are_missed_doubled_and_unknown(before: Any) -> None:
    game, start = before
    play_turns(game, 4, now=timezone.now())
    sent = ledger(game)
    [lost] = audit.turns([*sent, {**sent[-1], "version": game.version + 20}], start)
    assert "was accepted and is not there" in lost
    [unknown] = audit.turns(sent[:-1], start)
    assert "nobody sent ply 4" in unknown
    [refused] = audit.turns([*sent[:-1], {**sent[-1], "said": "refused"}], start)
    assert "was refused and is there" in refused
    assert audit.turns([*sent[:-1], {**sent[-1], "said": "unknown"}], start) == []


def test_every_turn_has_its_notice_and_every_mail_arrives(before: Any) -> None:
    game, start = before
    play_turns(game, 3, now=timezone.now())
    first = Notice.objects.filter(kind=Kind.YOUR_TURN).earliest("pk")
    Notice.objects.filter(pk=first.pk).update(sent=timezone.now(), dropped=None, why_dropped="")
    came = {message_id(first): 1}
    assert audit.mails(came, start) == []
    assert audit.mails({}, start) == [f"{first.key} was sent and did not arrive"]
    assert audit.mails({**came, "<x@y>": 1}, start) == ["<x@y> arrived and is not marked as sent"]
    stale = Notice.objects.filter(kind=Kind.YOUR_TURN, why_dropped="stale").latest("pk")
    unmarked = [f"{message_id(stale)} arrived and is not marked as sent"]
    assert audit.mails({**came, message_id(stale): 1}, start) == unmarked, "nobody ever had it in hand"
    Notice.objects.filter(pk=stale.pk).update(claimed=timezone.now())
    assert audit.mails({**came, message_id(stale): 1}, start) == [], (
        "its sender was killed, then it was played"
    )
    Notice.objects.filter(kind=Kind.YOUR_TURN).exclude(pk=first.pk).latest("pk").delete()
    assert audit.mails(came, start) == [f"{game.code}: 4 turns have begun, 3 were to be told"]


def test_a_final_scoring_may_wait_a_minute_for_the_last_part() -> None:
    game = play_turns(make_game(now=timezone.now()), now=timezone.now())
    assert audit.scorings([]) == [f"{game.code} is not scored"]
    last = game.moves.filter(ply__isnull=False).latest("version").at.timestamp()
    at = datetime.fromtimestamp(last + 100, tz=UTC)
    play.score(game_id=game.pk, now=at)
    assert audit.scorings([]) == [f"{game.code} was scored after 100 s"]
    assert audit.scorings([(last + 10, last + 50)]) == []
    assert audit.scorings([(last + 10, last + 30)]) == [f"{game.code} was scored after 70 s"]
