"""Tests that the audit after a fault run finds faults."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from benchmarks.load import audit
from benchmarks.load.swarm import SentTurn
from games import play
from games.models import Channel, Game, How, InboundMail, Kind, MailOutcome, MailState, Move, Notice
from games.notices.email import message_id
from games.rules import action_from_json
from games.rules.notation import write
from tests.games.factories import make_game, play_turns

pytestmark = pytest.mark.django_db


def begun(game: Game) -> dict[str, tuple[int, int]]:
    return {game.code: (game.ply, game.turn_version)}


def ledger(game: Game) -> list[dict[str, Any]]:
    """The ledger of the players of *game*."""
    names = dict(game.seats.values_list("index", "player__username"))
    return [
        asdict(
            SentTurn(
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
    assert audit.turns(sent, start).wrong == []
    assert audit.turns([*sent, sent[-1]], start).wrong == [], "a double click is told twice that it is played"


def test_turns_are_missed_doubled_and_unknown(before: Any) -> None:
    game, start = before
    play_turns(game, 4, now=timezone.now())
    sent = ledger(game)
    [lost] = audit.turns([*sent, {**sent[-1], "version": game.version + 20}], start).wrong
    assert "was accepted and is not there" in lost
    [unknown] = audit.turns(sent[:-1], start).wrong
    assert "nobody sent ply 4" in unknown
    [refused] = audit.turns([*sent[:-1], {**sent[-1], "said": "refused"}], start).wrong
    assert "was refused and is there" in refused
    assert audit.turns([*sent[:-1], {**sent[-1], "said": "unknown"}], start).wrong == []


def test_every_turn_has_its_notice_and_every_mail_arrives(before: Any) -> None:
    game, start = before
    play_turns(game, 3, now=timezone.now())
    first = Notice.objects.filter(kind=Kind.YOUR_TURN).earliest("pk")
    Notice.objects.filter(pk=first.pk).update(sent=timezone.now(), dropped=None, why_dropped="")
    came = {message_id(first): 1}
    assert audit.mails(came, start).wrong == []
    assert audit.mails({}, start).wrong == [f"{first.key} was sent and did not arrive"]
    assert audit.mails({**came, "<x@y>": 1}, start).wrong == ["<x@y> arrived and is not marked as sent"]
    stale = Notice.objects.filter(kind=Kind.YOUR_TURN, why_dropped="stale").latest("pk")
    unmarked = [f"{message_id(stale)} arrived and is not marked as sent"]
    assert audit.mails({**came, message_id(stale): 1}, start).wrong == unmarked, "nobody ever had it in hand"
    Notice.objects.filter(pk=stale.pk).update(claimed=timezone.now())
    assert audit.mails({**came, message_id(stale): 1}, start).wrong == [], (
        "its sender was killed, then it was played"
    )
    Notice.objects.filter(kind=Kind.YOUR_TURN).exclude(pk=first.pk).latest("pk").delete()
    assert audit.mails(came, start).wrong == [f"{game.code}: 4 turns have begun, 3 were to be told"]


def test_an_answer_to_a_reply_tells_the_turn_that_is_sent_with_it(before: Any) -> None:
    game, start = before
    play_turns(game, 3, now=timezone.now())
    turn = Notice.objects.filter(kind=Kind.YOUR_TURN).earliest("pk")
    now = timezone.now()
    Notice.objects.filter(pk=turn.pk).update(sent=now, dropped=None, why_dropped="")
    times = dict.fromkeys(("created", "due", "next_try", "sent"), now)
    answer = Notice.objects.create(
        key="reply.1", kind=Kind.REPLY, game=game, recipient=turn.recipient, **times
    )
    assert audit.mails({message_id(answer): 1}, start).wrong == []
    Notice.objects.filter(pk=answer.pk).update(sent=timezone.now() - timedelta(hours=1))
    assert audit.mails({message_id(answer): 1}, start).wrong == [f"{turn.key} was sent and did not arrive"]


def test_turns_are_counted_by_what_their_players_were_told(before: Any) -> None:
    game, start = before
    play_turns(game, 4, now=timezone.now())
    sent = ledger(game)
    unanswered = [{**sent[0], "said": "unknown"}, *sent[1:], sent[1]]
    assert audit.turns(unanswered, start).counted == {
        "stored": 4,
        "accepted and present": 3,
        "unanswered and present": 1,
    }


def test_mails_are_counted_as_owed_delivered_and_unmarked(before: Any) -> None:
    game, start = before
    play_turns(game, 3, now=timezone.now())
    turns = Notice.objects.filter(kind=Kind.YOUR_TURN).order_by("pk")
    last, first = turns.latest("pk"), turns.earliest("pk")
    turns.filter(pk=last.pk).update(sent=timezone.now())
    turns.filter(pk=first.pk).update(claimed=timezone.now())
    counted = audit.mails({message_id(last): 2, message_id(first): 1}, start).counted
    assert (counted["delivered"], counted["not marked"]) == (1, 1)
    assert counted["stale"] == turns.filter(why_dropped="stale").count() > 0
    assert counted["owed"] == Notice.objects.filter(dropped=None).count()


def test_a_final_scoring_may_wait_a_minute_with_all_parts_there() -> None:
    game = play_turns(make_game(now=timezone.now()), now=timezone.now())
    assert audit.scorings([]).wrong == [f"{game.code} is not scored"]
    last = game.moves.filter(ply__isnull=False).latest("version").at.timestamp()
    at = datetime.fromtimestamp(last + 100, tz=UTC)
    play.score(game_id=game.pk, now=at)
    assert audit.scorings([]).wrong == [f"{game.code} was scored after 100 s"]
    scorings = audit.scorings([("redis", last + 10, last + 50)])
    assert scorings.wrong == []
    assert (scorings.counted["while a part was away"], round(scorings.counted["latest"])) == (1, 60)
    assert audit.scorings([("redis", last + 10, last + 30)]).wrong == [f"{game.code} was scored after 80 s"]
    of_the_web = [("web", last + 10, last + 50), ("a child of worker of notices", last, last + 90)]
    assert audit.scorings(of_the_web).wrong == [f"{game.code} was scored after 100 s"], "it needs neither"


@pytest.mark.parametrize(
    ("intervals", "outside"),
    [
        ([], 10),
        ([(0, 5), (25, 30)], 10),
        ([(12, 14), (13, 15)], 7),
        ([(12, 18), (13, 15)], 4),
        ([(5, 12), (19, 40)], 7),
        ([(5, 40)], 0),
    ],
)
def test_seconds_in_which_nothing_was_away(intervals: list[tuple[float, float]], outside: float) -> None:
    assert audit.seconds_outside(10, 20, intervals) == outside


def test_a_result_is_what_the_actions_alone_come_to() -> None:
    game = play_turns(make_game(now=timezone.now()), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    assert audit.results() == audit.Found([], {"finished": 1, "replayed": 1})
    seat = game.seats.get(index=1)
    game.seats.filter(index=1).update(score=seat.score + 1)
    [wrong] = audit.results().wrong
    assert wrong.startswith(f"{game.code} ended with")
    game.seats.filter(index=1).update(score=seat.score)
    last = game.moves.filter(ply__isnull=False).latest("version")
    Move.objects.filter(pk=last.pk).update(withdrawn=timezone.now())
    [wrong] = audit.results().wrong
    assert "is refused" in wrong


def test_replies_are_there_once_and_play_once() -> None:
    game = play_turns(make_game(now=timezone.now()), 2, now=timezone.now(), how=How.MAIL)
    for number, seat in enumerate(game.seats.order_by("index")):
        InboundMail.objects.create(
            key=str(number),
            raw=b"",
            recipient="play@reply.example",
            received=timezone.now(),
            next_try=timezone.now(),
            state=MailState.DONE,
            outcome=MailOutcome.PLAYED,
            player=seat.player,
        )
    sound = audit.Found([], {"there": 2, "played": 2, "stale": 0})
    assert audit.replies(["<a@x>", "<b@x>"]) == sound
    assert audit.replies(["<a@x>"]).wrong == ["1 replies were confirmed, 2 are there"], (
        "or was it stored twice"
    )
    mail = InboundMail.objects.get(key="0")
    InboundMail.objects.filter(pk=mail.pk).update(outcome=MailOutcome.STALE)
    [twice] = audit.replies(["<a@x>", "<b@x>"]).wrong
    assert twice == f"player {mail.player_id}: 0 replies played 1 turns"
    InboundMail.objects.filter(pk=mail.pk).update(outcome=MailOutcome.PLAYED, state=MailState.FAILED)
    assert audit.replies(["<a@x>", "<b@x>"]).wrong == [f"reply {mail.pk} is failed after 0 attempts"]


def test_every_notice_by_webhook_or_push_has_come() -> None:
    game = make_game(now=timezone.now())
    assert game.notices.update(channel=Channel.PUSH, sent=timezone.now()) == 2
    none: dict[str, int] = {}
    assert audit.posts({"webhook": none, "push": {"Anna": 1, "Bruno": 2}}).wrong == []
    [lost] = audit.posts({"webhook": none, "push": {"Anna": 1}}).wrong
    assert lost == "1 notices went to Bruno by push, 0 posts came"


def change(move: Move, took: timedelta | None) -> None:
    """Store another time of *move*, which the site never does."""
    QuerySet(Move).filter(pk=move.pk).update(time_used=took)


def test_no_time_is_negative_and_no_turn_is_charged_twice() -> None:
    now = timezone.now()
    game = play_turns(make_game(now=now), 4, now=now + timedelta(hours=1))
    assert audit.times() == audit.Found([], {"turns": 4})
    move = game.moves.get(ply=3)
    for took in (None, -timedelta(hours=1), timedelta(days=1)):
        change(move, took)
        assert [line for line in audit.times().wrong if "ply 3" in line], took
    change(move, move.time_used)
    seat = game.seats.get(index=0)
    assert seat.spent
    game.seats.filter(index=0).update(spent=2 * seat.spent)
    [twice] = audit.times().wrong
    assert twice == f"{game.code}: seat 0 was charged {2 * seat.spent}, not {seat.spent}"
