"""Tests of delivery in batches: few queries, claims that don't expire, shared work."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import tasks
from games.models import GIVEN_UP, Channel, Game, Kind, Notice
from games.notices import delivery, email, letters, notice_facts
from games.play import clock_pauses, positions
from tests.games.factories import copy_game, make_game, new_process, play_turns

pytestmark = pytest.mark.django_db
SLOW = timedelta(seconds=2)


def owe(games: list[Game], each: int = 1) -> None:
    """Owe so many notices of a turn about each of *games*, and nothing else."""
    now = timezone.now()
    Notice.objects.filter(sent=None).update(dropped=now)
    Notice.objects.bulk_create(
        Notice(
            key=f"your_turn.{game.code}.{game.turn_version}.{number}.again",
            kind=Kind.YOUR_TURN,
            channel=Channel.EMAIL,
            game=game,
            version=game.turn_version,
            recipient=game.seats.get(index=game.awaited).player,
            created=now,
            due=now,
            next_try=now,
        )
        for game in games
        for number in range(each)
    )


def waiting() -> int:
    return Notice.objects.filter(sent=None, dropped=None).count()


@pytest.fixture
def game() -> Game:
    return play_turns(make_game(now=timezone.now()), 4, now=timezone.now() - timedelta(hours=1))


def test_one_more_mail_costs_two_more_queries(game: Game, monkeypatch: Any) -> None:
    """It is marked by itself before and after, so that a crash repeats one and it is known which; all else is
    read for the whole batch."""
    monkeypatch.setattr(delivery, "HOLD", 60.0)  # one batch, however slow the machine is
    asked = []
    for number in (5, 25):
        owe(copy_game(game, number))
        new_process()
        with CaptureQueriesContext(connection) as queries:
            assert not delivery.deliver_due(seconds=60)
        assert waiting() == 0
        asked.append(len(queries))
    assert asked[1] - asked[0] <= 2 * 20
    assert asked[0] <= 2 * 5 + 14, "of a batch, with the looks that find none left"


class SlowServer:
    """Mail server that takes two seconds for a mail, by a simulated clock."""

    def __init__(self, monkeypatch: Any, clock: Any) -> None:
        self.sent: list[int] = []
        self.longest = timedelta()
        self.seconds, self.clock = 0.0, clock
        monkeypatch.setattr(delivery, "time", SimpleNamespace(monotonic=lambda: self.seconds))
        monkeypatch.setattr(email, "send", self.send)

    def send(self, notice: Notice, connection: Any) -> str:
        self.seconds += SLOW.total_seconds()
        self.clock.shift(SLOW)
        self.sent.append(notice.pk)
        claimed = Notice.objects.values_list("claimed", flat=True).get(pk=notice.pk)
        assert claimed is not None, "in our hands while it is sent"
        self.longest = max(self.longest, timezone.now() - claimed)
        return ""


@pytest.fixture
def slow(monkeypatch: Any) -> Iterator[SlowServer]:
    with time_machine.travel(datetime.now(tz=timezone.get_current_timezone()), tick=False) as clock:
        yield SlowServer(monkeypatch, clock)


def test_with_a_slow_server_no_claim_runs_out_in_somebodys_hands(game: Game, slow: SlowServer) -> None:
    owe([game], each=1000)
    rounds = 0
    while delivery.deliver_due(seconds=60):
        rounds += 1
        assert not Notice.objects.filter(sent=None).exclude(claimed=None).exists(), "given back"
    assert rounds >= 1000 * SLOW.total_seconds() / (60 + 2 * SLOW.total_seconds())
    assert len(slow.sent) == len(set(slow.sent)) == 1000
    held = timedelta(seconds=delivery.HOLD)
    assert slow.longest <= held + SLOW < delivery.LEASE / 10


def test_workers_side_by_side_share_the_work(game: Game, monkeypatch: Any) -> None:
    owe([game], each=50)
    sent: list[tuple[str, int]] = []
    worker = "one"

    def send(notice: Notice, connection: Any) -> str:
        """Let another worker deliver all that it finds while the first mail is being sent."""
        nonlocal worker
        sent.append((worker, notice.pk))
        if len(sent) == 1:
            worker = "other"
            delivery.deliver_due(seconds=60)
            worker = "one"
        return ""

    monkeypatch.setattr(email, "send", send)
    delivery.deliver_due(seconds=60)
    assert len({pk for _who, pk in sent}) == len(sent) == 50
    assert [who for who, _pk in sent].count("one") == delivery.BATCH
    assert waiting() == 0


def test_who_dies_in_a_batch_repeats_one_mail_at_most(game: Game, monkeypatch: Any) -> None:
    owe([game], each=10)
    sent: list[int] = []

    def send(notice: Notice, connection: Any) -> str:
        sent.append(notice.pk)
        if len(sent) == 3 and not dead:
            raise SystemExit
        return ""

    dead = False
    monkeypatch.setattr(email, "send", send)
    with pytest.raises(SystemExit):
        delivery.deliver_due(seconds=60)
    assert Notice.objects.filter(sent=None, dropped=None, claimed=None).count() == 7
    dead = True
    delivery.deliver_due(seconds=60)
    assert len(sent) == len(set(sent)) == 10, "the one in hand is still claimed"
    with time_machine.travel(timezone.now() + delivery.LEASE + timedelta(seconds=1), tick=False):
        delivery.deliver_due(seconds=60)
    assert len(sent) == 11 and len(set(sent)) == 10
    assert waiting() == 0


def test_a_killed_worker_leaves_claims_that_run_out(game: Game, monkeypatch: Any) -> None:
    owe([game], each=10)
    monkeypatch.setattr(delivery, "_give_back", lambda batch: None)  # no time for that
    monkeypatch.setattr(email, "send", lambda notice, connection: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        delivery.deliver_due(seconds=60)
    monkeypatch.undo()
    mail.outbox.clear()
    tasks.deliver_notices()
    assert mail.outbox == []
    with time_machine.travel(timezone.now() + delivery.LEASE + timedelta(seconds=1), tick=False):
        tasks.deliver_notices()
    assert len(mail.outbox) == 10


def test_mails_that_show_the_same_board_share_one_picture(monkeypatch: Any) -> None:
    drawn = []
    board_png = letters.render_board_png

    def counted(*args: Any, **how: Any) -> bytes:
        drawn.append(args)
        return board_png(*args, **how)

    monkeypatch.setattr(letters, "render_board_png", counted)
    make_game(seats=5, now=timezone.now())
    tasks.deliver_notices()
    assert len(mail.outbox) == 5
    assert len(drawn) == 1, "the first tile, for who begins and for those who are told that it has started"


def test_a_game_that_went_on_since_its_row_was_read_is_not_mistaken(game: Game) -> None:
    owe([game])
    (notice,) = notice_facts.load_due_notices(
        timezone.now(), delivery.MAIL, delivery.compute_lease_window(timezone.now()), 2
    )
    before = positions.load_position(game).state
    play_turns(game, 1, now=timezone.now())
    new_process()
    notice_facts.read([notice])
    assert not positions.is_cached(notice.of_game)
    assert positions.load_position(notice.of_game).state == before


def test_moves_that_were_read_together_are_those_that_are_read_alone(game: Game) -> None:
    owe([game])
    (notice,) = notice_facts.load_due_notices(
        timezone.now(), delivery.MAIL, delivery.compute_lease_window(timezone.now()), 2
    )
    alone = [letters.load_recent_moves(notice.of_game, seen) for seen in (None, 1)]
    new_process()
    notice_facts.read([notice])
    assert positions.is_cached(notice.of_game)
    with CaptureQueriesContext(connection) as queries:
        assert letters.load_recent_moves(notice.of_game, None) == alone[0]
    assert len(queries) == 0


def test_a_game_of_which_an_earlier_position_is_known_is_not_read_as_a_whole(
    game: Game, monkeypatch: Any
) -> None:
    before, since = positions.load_position(game), game.version
    game = play_turns(game, 1, now=timezone.now())
    after = positions.load_position(game).state
    new_process()
    positions.remember(game.code, since, before)
    owe([game])
    monkeypatch.setattr(positions, "rebuild", None)
    tasks.deliver_notices()
    assert len(mail.outbox) == 1 and waiting() == 0
    assert positions.is_cached(game) and positions.load_position(game).state == after


class TestWhoKillsTheSender:
    """Notices that kill the worker: its claims expire, and are counted as lost."""

    def die(self, monkeypatch: Any, *killers: int) -> list[int]:
        """Send until one of *killers* kills the worker; return the keys that were sent."""
        sent: list[int] = []

        def send(notice: Notice, connection: Any) -> str:
            if notice.pk in killers:
                raise SystemExit
            sent.append(notice.pk)
            return ""

        monkeypatch.setattr(email, "send", send)
        monkeypatch.setattr(delivery, "_give_back", lambda batch: None)
        with suppress(SystemExit):
            delivery.deliver_due(seconds=60)
        return sent

    def test_what_was_claimed_with_it_goes_within_a_minute_and_it_goes_alone(
        self, game: Game, monkeypatch: Any
    ) -> None:
        owe([game], each=5)
        first, killer, *others = Notice.objects.filter(sent=None, dropped=None).order_by("pk")
        with time_machine.travel(timezone.now(), tick=False) as clock:
            assert self.die(monkeypatch, killer.pk) == [first.pk]
            assert self.die(monkeypatch, killer.pk) == [], "claimed"
            clock.shift(timedelta(seconds=31))
            assert self.die(monkeypatch, killer.pk) == [other.pk for other in others]
            lost = [killer.attempts, killer.lost]
            for number in range(1, delivery.LOST):
                clock.shift(delivery.LEASE + timedelta(seconds=1))
                owe_more = Notice.objects.filter(pk=first.pk)
                owe_more.update(sent=None, claimed=None, next_try=timezone.now())
                assert self.die(monkeypatch, killer.pk) == [first.pk], "others first"
                killer.refresh_from_db()
                lost = [killer.attempts, killer.lost]
                assert lost == [number + 1, number]
            clock.shift(delivery.LEASE + timedelta(seconds=1))
            assert self.die(monkeypatch, killer.pk) == []
        killer.refresh_from_db()
        assert (killer.why_dropped, killer.lost) == (GIVEN_UP, delivery.LOST)
        assert killer.last_error == "Whoever sent it was killed or did not end, 3 times"
        assert waiting() == 0

    def test_those_that_go_alone_take_turns_with_batches(self, game: Game, monkeypatch: Any) -> None:
        owe([game], each=6)
        waiting_notices = list(Notice.objects.filter(sent=None, dropped=None).order_by("pk"))
        lost = {notice.pk for notice in waiting_notices[-2:]}
        ran_out = timezone.now() - delivery.LEASE - timedelta(seconds=1)
        Notice.objects.filter(pk__in=lost).update(lost=1, claimed=ran_out)
        monkeypatch.setattr(delivery, "BATCH", 2)
        sent = self.die(monkeypatch)
        assert "".join("L" if pk in lost else "." for pk in sent) == "..L..L"

    def test_one_that_kills_while_it_is_read_is_found_too(self, game: Game, monkeypatch: Any) -> None:
        """Before anything is in hand."""
        owe([game], each=4)
        killer = Notice.objects.filter(sent=None, dropped=None).order_by("pk").last()
        assert killer is not None
        read = notice_facts.read

        def die(batch: Any) -> None:
            if killer in batch:
                raise SystemExit
            read(batch)

        monkeypatch.setattr(notice_facts, "read", die)
        sent: list[int] = []
        with time_machine.travel(timezone.now(), tick=False) as clock:
            for _ in range(delivery.LOST + 2):
                sent += self.die(monkeypatch)
                clock.shift(timedelta(seconds=31))
        killer.refresh_from_db()
        assert killer.why_dropped == GIVEN_UP and len(sent) == 3 and waiting() == 0

    def test_the_clock_stands_still_until_it_is_given_up_and_no_longer(
        self, game: Game, monkeypatch: Any
    ) -> None:
        """CLOCK-7: nobody loses on time while the notice is unsent, and somebody does again after that."""
        owe([game])
        notice = Notice.objects.get(sent=None, dropped=None)
        now = timezone.now()
        Notice.objects.filter(pk=notice.pk).update(due=now - timedelta(hours=2), lost=delivery.LOST - 1)
        Notice.objects.filter(pk=notice.pk).update(claimed=now - 2 * delivery.LEASE)
        before, began = game.deadline, game.turn_began
        assert self.die(monkeypatch) == []
        game.refresh_from_db()
        assert Notice.objects.get(pk=notice.pk).why_dropped == GIVEN_UP
        assert before is not None and began is not None and game.deadline is not None
        assert abs(game.deadline - before - (now - began)) < timedelta(minutes=1)
        assert not clock_pauses.note_unsent(game, game.seats.get(index=game.awaited), timezone.now())

    @pytest.mark.parametrize(("minutes", "moves"), [(59, False), (61, True)])
    def test_one_that_comes_an_hour_late_gives_the_time_back(
        self, game: Game, minutes: int, moves: bool
    ) -> None:
        """CLOCK-7: less is on the player's own time."""
        owe([game])
        late = timedelta(minutes=minutes)
        Notice.objects.filter(sent=None, dropped=None).update(due=timezone.now() - late)
        before = game.deadline
        delivery.deliver_due(seconds=60)
        game.refresh_from_db()
        assert (game.deadline != before) == moves

    def test_one_that_is_refused_for_a_day_gives_the_time_back_too(
        self, game: Game, monkeypatch: Any
    ) -> None:
        owe([game])
        now = timezone.now()
        Notice.objects.filter(sent=None, dropped=None).update(due=now - timedelta(days=2))
        before, began = game.deadline, game.turn_began

        def refuse(notice: Notice, connection: Any) -> None:
            raise email.MailRefused("no")

        monkeypatch.setattr(email, "send", refuse)
        delivery.deliver_due(seconds=60)
        game.refresh_from_db()
        assert before is not None and began is not None and game.deadline is not None
        assert abs(game.deadline - before - (now - began)) < timedelta(minutes=1)

    def test_sent_again_by_the_staff_it_has_as_many_chances(self, game: Game) -> None:
        owe([game])
        Notice.objects.update(lost=delivery.LOST, dropped=timezone.now(), sent=None, why_dropped=GIVEN_UP)
        delivery.send_again(notices=Notice.objects.all(), now=timezone.now())
        assert set(Notice.objects.values_list("lost", "why_dropped")) == {(0, "")}
