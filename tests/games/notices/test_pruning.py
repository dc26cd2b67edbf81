"""Tests of pruning old notices to a line while they may still be needed: in bounded steps, and once."""

from datetime import datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import play, tables, tasks, upkeep_tasks
from games.models import Bookmark, Ending, Game, Kind, Notice, PrunedNotice, Seat, Status
from games.models.notice import KEPT
from games.notices import delivery, notice_facts, pruning, unsubscribe
from games.pages import own_data
from moderation import outbox as moderation_outbox
from tests.games.factories import heart_beats, make_game, make_player, make_table, play_turns
from tests.preferences import wants_mails

pytestmark = pytest.mark.django_db

LONG_AGO = KEPT + timedelta(days=1)
original = pruning.prune


def over(game: Game) -> Game:
    """Let the awaited player resign, score the game, and send all its mails."""
    now = timezone.now()
    play.resign(game_id=game.pk, seat=game.awaited or 0, now=now)
    if Game.objects.get(pk=game.pk).status == Status.SCORING:
        play.score(game_id=game.pk, now=now)
    tasks.deliver_notices()
    game.refresh_from_db()
    assert game.ending == Ending.RESIGNED or game.status == Status.FINISHED
    return game


def age(by: timedelta = LONG_AGO) -> None:
    """Let so much time pass for all notices."""
    for notice in Notice.objects.all():
        for name in ("created", "due", "next_try", "claimed", "sent", "dropped"):
            at: datetime | None = getattr(notice, name)
            setattr(notice, name, None if at is None else at - by)
        notice.save()


@pytest.fixture
def game() -> Game:
    """A finished game, with sent and dropped notices."""
    now = timezone.now()
    heart_beats(now)
    game = make_game(now=now)
    tasks.deliver_notices()
    play_turns(game, 2, now=now)
    over(Game.objects.get(pk=game.pk))
    assert Notice.objects.exclude(sent=None).exists() and Notice.objects.exclude(dropped=None).exists()
    return Game.objects.get(pk=game.pk)


def prune() -> bool:
    return pruning.prune(timezone.now(), seconds=60)


def test_what_was_sent_becomes_a_line_and_what_was_dropped_goes(game: Game) -> None:
    Notice.objects.filter(sent=None).update(claimed=None)  # it was never claimed
    age()
    sent = Notice.objects.exclude(sent=None).order_by("pk")
    expected = list(sent.values_list("pk", "game", "recipient", "kind", "version", "sent"))
    assert not prune()
    lines = PrunedNotice.objects.order_by("pk")
    assert list(lines.values_list("pk", "game", "recipient", "kind", "version", "sent")) == expected
    assert not Notice.objects.exists()


def test_whoever_may_have_sent_before_it_was_dropped_leaves_a_line(game: Game) -> None:
    dropped = Notice.objects.exclude(dropped=None)
    dropped.update(claimed=timezone.now())
    claimed = set(dropped.values_list("pk", flat=True))
    age()
    prune()
    assert set(PrunedNotice.objects.filter(sent=None).values_list("pk", flat=True)) == claimed


def test_what_is_younger_stays(game: Game) -> None:
    age(KEPT - timedelta(hours=1))
    before = Notice.objects.count()
    assert not prune()
    assert (Notice.objects.count(), PrunedNotice.objects.count()) == (before, 0)


def test_one_that_was_sent_late_is_waited_for(game: Game) -> None:
    age()
    late = Notice.objects.order_by("pk")[1]
    Notice.objects.filter(pk=late.pk).update(sent=timezone.now() - timedelta(days=1), dropped=None)
    prune()
    assert Notice.objects.order_by("pk").first() == late
    age(KEPT)
    prune()
    assert not Notice.objects.exists()


def test_what_is_owed_stays_and_is_sent(game: Game) -> None:
    age()
    owed = Notice.objects.filter(kind=Kind.GAME_OVER).first()
    assert owed is not None
    Notice.objects.filter(pk=owed.pk).update(sent=None, claimed=None)
    prune()
    assert Notice.objects.get() == owed
    mail.outbox.clear()
    tasks.deliver_notices()
    assert [message.to for message in mail.outbox] == [[owed.recipient.email]]  # type: ignore[union-attr]


def test_what_was_pruned_is_not_sent_again(game: Game) -> None:
    age()
    prune()
    mail.outbox.clear()
    tasks.deliver_notices()
    prune()
    assert mail.outbox == []


def test_what_is_sent_again_meanwhile_is_not_pruned(game: Game) -> None:
    age()
    again = Notice.objects.filter(kind=Kind.GAME_OVER)
    delivery.send_again(notices=again, now=timezone.now())
    number = again.count()
    prune()
    assert again.count() == number
    tasks.deliver_notices()
    assert again.exclude(sent=None).count() == number


def test_old_mails_still_stop_new_ones(game: Game, client: Client) -> None:
    notice = Notice.objects.filter(kind=Kind.YOUR_TURN).exclude(sent=None).first()
    assert notice is not None and notice.recipient is not None
    link = reverse("games:unsubscribe", args=[unsubscribe.build_token(notice)])
    before = unsubscribe.read(unsubscribe.build_token(notice))
    age()
    prune()
    assert unsubscribe.read(unsubscribe.build_token(notice)) == before
    assert client.post(link, {"scope": "game"}).status_code == 200
    assert Seat.objects.get(game=game, player=notice.recipient).is_silent
    client.post(link, {"scope": "kind"})
    assert not wants_mails(Player.objects.get(pk=notice.recipient.pk), "your_turn")
    forged = unsubscribe.build_token(Notice(pk=notice.pk + 10_000))
    assert client.get(reverse("games:unsubscribe", args=[forged])).status_code == 404


def test_mails_to_addresses_stay_for_their_links(client: Client) -> None:
    table = make_table(now=timezone.now())
    tables.invite(game_id=table.pk, inviter=table.host, address="new@example.org", now=timezone.now())
    tasks.deliver_notices()
    (notice,) = Notice.objects.all()
    age()
    prune()
    link = reverse("games:unsubscribe", args=[unsubscribe.build_token(notice)])
    assert client.get(link).status_code == 200


def test_what_is_about_no_game_stays_for_its_key() -> None:
    now = timezone.now()
    anna = make_player("Anna")
    moderation_outbox.notify_incident_decided(7, 8, [anna], now=now)
    Notice.objects.update(sent=now)
    age()
    prune()
    assert Notice.objects.filter(kind=Kind.REPORT).exists()


class TestGamesThatGoOn:
    """Games that last longer than their notices are kept."""

    @pytest.fixture
    def running(self) -> Game:
        now = timezone.now()
        heart_beats(now)
        game = make_game(now=now)
        tasks.deliver_notices()
        play_turns(game, 1, now=now)
        game.refresh_from_db()
        return game

    def test_the_turn_that_lasts_keeps_its_notices(self, running: Game) -> None:
        running.refresh_from_db()
        last = Notice.objects.filter(version=running.turn_version)
        assert last.exists()
        last.update(sent=timezone.now(), dropped=None)
        kept = set(last.values_list("pk", flat=True))
        age()
        prune()
        assert set(Notice.objects.values_list("pk", flat=True)) == kept
        assert PrunedNotice.objects.filter(game=running).exists()

    def test_nobody_is_told_again_that_it_has_begun(self, running: Game) -> None:
        tasks.deliver_notices()
        Notice.objects.update(sent=timezone.now(), dropped=None, version=0)  # of an earlier turn
        age()
        prune()
        assert not Notice.objects.exists()
        now = timezone.now()
        for seat in running.seats.select_related("player"):
            notice = Notice.objects.create(
                key=f"later.{seat.index}",
                kind=Kind.YOUR_TURN,
                game=running,
                version=running.turn_version,
                recipient=seat.player,
                created=now,
                due=now,
                next_try=now,
            )
            got = PrunedNotice.objects.filter(recipient=seat.player).exclude(sent=None).exists()
            assert got and notice_facts.load_facts(notice).told_before
            PrunedNotice.objects.filter(recipient=seat.player).delete()
            vars(notice).pop("facts")
            assert not notice_facts.load_facts(notice).told_before


def test_a_batch_is_bounded_and_goes_on_where_the_last_ended(game: Game, monkeypatch: Any) -> None:
    monkeypatch.setattr(pruning, "BATCH", 2)
    age()
    before = list(Notice.objects.order_by("pk").values_list("pk", flat=True))
    assert len(before) > 4
    assert pruning.prune(timezone.now(), seconds=-1)
    assert list(Notice.objects.order_by("pk").values_list("pk", flat=True)) == before[2:]
    assert Bookmark.objects.get(name=pruning.BOOKMARK).reached == before[1]
    assert not prune()
    assert not Notice.objects.exists()


def test_queries_of_a_batch_do_not_grow_with_it(game: Game, monkeypatch: Any) -> None:
    Notice.objects.update(claimed=timezone.now())  # so that each leaves a line
    age()
    Bookmark.objects.create(name=pruning.BOOKMARK)
    asked = []
    for size in (1, 3):
        monkeypatch.setattr(pruning, "BATCH", size)
        before = PrunedNotice.objects.count()
        with CaptureQueriesContext(connection) as queries:
            assert pruning.prune(timezone.now(), seconds=-1)
        assert PrunedNotice.objects.count() == before + size
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_nothing_is_written_where_nothing_is_old(game: Game) -> None:
    age()
    prune()
    with CaptureQueriesContext(connection) as queries:
        prune()
    assert not any(query["sql"].startswith(("DELETE", "INSERT", "UPDATE")) for query in queries)


def test_who_was_killed_in_the_middle_of_a_batch_has_done_nothing(game: Game, monkeypatch: Any) -> None:
    age()
    before = set(Notice.objects.values_list("pk", flat=True))

    def killed(*args: Any, **kwargs: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(Bookmark, "save", killed)
        with pytest.raises(SystemExit):
            prune()
    assert set(Notice.objects.values_list("pk", flat=True)) == before
    assert not PrunedNotice.objects.exists()
    prune()
    assert not Notice.objects.exists()


def test_the_task_goes_on_as_long_as_there_is_more(game: Game, monkeypatch: Any) -> None:
    queued = []
    monkeypatch.setattr(upkeep_tasks.prune_notices, "delay", lambda: queued.append(True))
    monkeypatch.setattr(pruning, "BATCH", 2)
    monkeypatch.setattr(pruning, "prune", lambda now, *, seconds: original(now, seconds=-1))
    age()
    upkeep_tasks.prune_notices()
    assert queued
    while queued:
        queued.clear()
        upkeep_tasks.prune_notices()
    assert not Notice.objects.exists()


def test_players_find_lines_among_all_their_data(game: Game) -> None:
    age()
    prune()
    line = PrunedNotice.objects.order_by("pk").first()
    assert line is not None
    kept = dict(own_data.export_files(line.recipient))["old_notices.json"]
    assert kept[0] == {"game__code": game.code, "kind": line.kind, "sent": line.sent}


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("not connection.features.has_select_for_update_skip_locked")
def test_who_finds_another_at_it_leaves_it_to_them(game: Game) -> None:
    age()
    Bookmark.objects.create(name=pruning.BOOKMARK)
    pruned: list[bool] = []

    def other() -> None:
        pruned.append(prune())
        connection.close()

    with transaction.atomic():
        Bookmark.objects.select_for_update().get(name=pruning.BOOKMARK)
        thread = Thread(target=other)
        thread.start()
        thread.join(20)
        assert pruned == [False]
    assert not PrunedNotice.objects.exists()
    prune()
    assert not Notice.objects.exists()
