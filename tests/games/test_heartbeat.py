"""Tests of the heartbeat: an outage costs nobody a game, however many deadlines fell into it."""

from datetime import timedelta
from typing import Any

import pytest

from games import clocks, heartbeat, play
from games.models import Game, Heartbeat, InboundMail, Kind, Notice, Status
from games.notices import delivery
from games.play import clock_pauses
from games.selectors import overdue_games
from tests.games.factories import NOW, heart_beats, make_game, play_turns, reminders, some_action

pytestmark = pytest.mark.django_db
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)
BEGAN, ENDED = NOW + DAY - HOUR, NOW + DAY + 4 * HOUR  # a deadline a day after NOW falls into this outage
PUSH = 16 * HOUR  # to twelve hours after the end (CLOCK-13), which is later than five (CLOCK-7)
AWAY = 5 * HOUR


def told_games(count: int, **settings: Any) -> list[Game]:
    """Make games that are awaited until a day after ``NOW``, with their notices sent."""
    games = [make_game(days_per_move=1, **settings) for _ in range(count)]
    Notice.objects.filter(kind__in=[Kind.YOUR_TURN, Kind.STARTED]).update(sent=NOW)
    return games


def an_outage() -> None:
    """Let the heartbeat stop and start again."""
    heart_beats(BEGAN)
    heartbeat.beat(ENDED)


def deadlines() -> list[Any]:
    return list(Game.objects.order_by("pk").values_list("deadline", flat=True))


def test_without_an_outage_no_deadline_moves() -> None:
    told_games(1)
    heart_beats(NOW + DAY - timedelta(minutes=5))
    heartbeat.beat(NOW + DAY)
    assert play.note_all_outages(seconds=1)
    assert deadlines() == [NOW + DAY]


def test_the_first_beat_ever_is_no_outage() -> None:
    told_games(1)
    heartbeat.beat(NOW + 3 * DAY)
    assert play.note_all_outages(seconds=1)
    assert deadlines() == [NOW + DAY]
    assert Heartbeat.objects.get().at == NOW + 3 * DAY


def test_a_sweep_that_comes_a_little_late_turns_the_heart_not_back() -> None:
    heart_beats(NOW)
    heartbeat.beat(NOW - 30 * SECOND)
    assert Heartbeat.objects.get().at == NOW


class TestAClockThatWentBack:
    """Clock set back: the last beat, and other rows, lie an hour ahead."""

    now = NOW - HOUR

    def test_the_next_beat_is_believed_and_is_no_outage(self) -> None:
        heart_beats(NOW)
        heartbeat.beat(self.now)
        assert Heartbeat.objects.get().at == self.now

    def test_an_outage_after_it_is_seen(self) -> None:
        heart_beats(NOW)
        heartbeat.beat(self.now)
        heartbeat.beat(self.now + 2 * HOUR)
        (outage,) = heartbeat.list_noted_outages()
        assert (outage.began, outage.ended) == (self.now, self.now + 2 * HOUR)

    def test_until_then_nobody_loses_on_time(self) -> None:
        (game,) = told_games(1)
        later = NOW + DAY + HOUR
        heart_beats(later + HOUR)
        assert heartbeat.stands_still(later)
        assert not play.lose_on_time(game_id=game.pk, now=later)
        heartbeat.beat(later)
        assert not heartbeat.stands_still(later)
        assert play.lose_on_time(game_id=game.pk, now=later)

    def test_no_turn_takes_less_than_no_time(self) -> None:
        (game,) = told_games(1)
        game = play.play(
            game_id=game.pk,
            seat=0,
            action=some_action(game),
            expected_version=game.version,
            now=NOW - HOUR,
        )
        move = game.moves.get(ply=1)
        assert move.time_used == timedelta()
        assert (move.timing["running"], move.timing["charged"]) == (0, 0)

    def test_a_turn_that_could_be_undone_for_seconds_can_not_be_for_an_hour(self) -> None:
        (game,) = told_games(1)
        game = play.play(
            game_id=game.pk,
            seat=0,
            action=some_action(game),
            expected_version=game.version,
            now=NOW,
            undo_window=timedelta(seconds=30),
        )
        assert game.settles is not None
        assert game.pk in overdue_games.find_games_for_the_bot(self.now)
        assert play.settle(game_id=game.pk, now=self.now)

    def test_what_was_due_is_sent_and_answered_at_once_and_not_an_hour_later(self) -> None:
        heart_beats(NOW)
        game = make_game()
        (owed,) = game.notices.filter(kind=Kind.STARTED, recipient=game.seats.get(index=1).player)
        planned = game.notices.create(
            kind=Kind.REMINDER,
            recipient=owed.recipient,
            key="later",
            due=NOW + DAY,
            next_try=NOW + DAY,
            created=NOW,
        )
        waiting = {"key": "a", "raw": b"", "recipient": "a@reply.example", "received": NOW, "next_try": NOW}
        reply = InboundMail.objects.create(**waiting)
        assert owed not in delivery.free(self.now)
        heartbeat.beat(self.now)
        assert owed in delivery.free(self.now)
        assert planned not in delivery.free(self.now)
        assert list(overdue_games.find_waiting_mails(self.now)) == [reply.pk]

    def test_who_has_just_played_is_told_after_the_usual_pause(self, settings: Any) -> None:
        settings.NOTICE_PAUSE_SECONDS = 120
        game = play_turns(make_game(), 1)
        game = play_turns(game, 1, now=self.now)  # Anna has played at noon, which has not come yet
        notice = game.notices.get(kind=Kind.YOUR_TURN, version=game.turn_version)
        assert notice.due == self.now + timedelta(seconds=120)

    def test_a_claim_that_lies_ahead_holds_nothing_up(self) -> None:
        make_game(now=self.now)
        Notice.objects.update(claimed=NOW)
        assert delivery.free(self.now).count() == 2
        Notice.objects.update(claimed=self.now)
        assert delivery.free(self.now).count() == 0


def test_a_beat_is_as_quick_after_an_outage_and_moves_nothing_itself(
    django_assert_max_num_queries: Any,
) -> None:
    told_games(3)
    heart_beats(BEGAN)
    with django_assert_max_num_queries(5):
        heartbeat.beat(ENDED)
    assert deadlines() == [NOW + DAY] * 3
    assert Heartbeat.objects.get(name=heartbeat.HEART).at == ENDED


def test_every_clock_stands_still_in_an_outage_and_reminders_move_with_the_deadlines() -> None:
    told_games(1)
    later = make_game(days_per_move=3)
    games = list(Game.objects.all())
    before = {game: reminders(game) for game in games}
    an_outage()
    assert play.note_all_outages(seconds=1)
    assert deadlines() == [NOW + DAY + PUSH, later.deadline + AWAY]
    for game in games:
        moved = AWAY if game == later else PUSH
        assert reminders(game) == [at + moved for at in before[game]] != []
    assert Heartbeat.objects.count() == 1, "the outage is over and forgotten"


def test_deadlines_move_in_chunks_and_whoever_comes_next_goes_on(monkeypatch: Any) -> None:
    told_games(5)
    monkeypatch.setattr(clock_pauses, "CHUNK", 2)
    an_outage()
    assert not play.note_all_outages(seconds=-1)
    assert sorted(deadlines()) == [NOW + DAY] * 3 + [NOW + DAY + PUSH] * 2
    heartbeat.beat(ENDED + 30 * SECOND)
    assert play.note_all_outages(seconds=1)
    heartbeat.beat(ENDED + 60 * SECOND)
    assert play.note_all_outages(seconds=1)
    assert deadlines() == [NOW + DAY + PUSH] * 5


def test_a_chunk_costs_as_much_however_many_clocks_it_holds(django_assert_num_queries: Any) -> None:
    told_games(6)
    an_outage()
    # The note twice, the games, the ends of a transaction and of a savepoint, and what is asked of all games.
    with django_assert_num_queries(10):
        clock_pauses._note_some(heartbeat.Outage("outage 260302110000", BEGAN, ENDED))
    assert deadlines() == [NOW + DAY + PUSH] * 6


def test_nobody_loses_by_a_deadline_that_is_still_to_be_moved() -> None:
    (game,) = told_games(1)
    an_outage()
    now = ENDED + 30 * SECOND
    heartbeat.beat(now)
    assert clocks.is_expired(game.deadline, now)
    assert not play.lose_on_time(game_id=game.pk, now=now)
    turn = {"seat": 0, "action": some_action(game), "expected_version": game.version}
    assert play.play(game_id=game.pk, now=now, **turn).ply == 1


def test_a_deadline_before_an_outage_is_not_excused_by_it() -> None:
    (game,) = told_games(1)
    heart_beats(NOW + DAY + HOUR)
    heartbeat.beat(ENDED)
    assert play.lose_on_time(game_id=game.pk, now=ENDED)
    game.refresh_from_db()
    assert game.status != Status.PLAYING


def test_a_reminder_of_a_deadline_that_is_to_be_moved_waits_and_moves_along(
    mailoutbox: list[Any], monkeypatch: Any
) -> None:
    (game,) = told_games(1)
    (due,) = reminders(game)
    an_outage()
    monkeypatch.setattr(delivery.timezone, "now", lambda: ENDED)
    delivery.deliver_due(seconds=1)
    assert mailoutbox == []
    assert play.note_all_outages(seconds=1)
    assert reminders(game) == [due + PUSH]
    assert not Notice.objects.filter(kind=Kind.REMINDER).exists()


def test_of_two_outages_the_older_is_dealt_with_first() -> None:
    """Of two outages the older one is applied first: deadlines that it moves may fall into the later one."""
    told_games(1)
    an_outage()
    last = NOW + DAY + PUSH - HOUR
    heart_beats(last)
    heartbeat.beat(last + 2 * HOUR)
    assert play.note_all_outages(seconds=1)
    assert deadlines() == [last + 14 * HOUR]
