"""Tests of tasks: each does what is due by the rows, once, however often it runs."""

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from celery import Task
from celery.app.task import Context
from django.conf import settings as site
from django.utils import timezone

from core.models import FailedTask
from games import clocks, heartbeat, play, tasks
from games.bots import house
from games.models import Ending, Game, Kind, Notice, PersonalTime, SeatState, Status
from games.play import clock_pauses, holidays, positions
from games.play.audit import find_differences
from tests.games.factories import NOW, heart_beats, make_game, make_table, play_turns, reminders

pytestmark = pytest.mark.django_db
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def at_once(settings: Any) -> None:
    """Run queued tasks at once."""
    from carcassonne.celery import app

    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def told(game: Game) -> Game:
    """Mark all notices of *game* as sent."""
    Notice.objects.filter(sent=None, dropped=None).exclude(kind=Kind.REMINDER).update(sent=NOW)
    game.refresh_from_db()
    return game


def test_the_bot_plays_its_turn_and_only_its_own() -> None:
    game = play_turns(make_game(bots=1), 1)
    assert (game.awaited, game.deadline) == (1, None)
    tasks.play_bot(game.pk)
    game.refresh_from_db()
    assert (game.awaited, game.ply) == (0, 2)
    assert game.moves.get(ply=2).how == "bot"
    tasks.play_bot(game.pk)
    game.refresh_from_db()
    assert game.ply == 2


def test_a_bot_task_that_comes_second_is_harmless(monkeypatch: Any) -> None:
    game = play_turns(make_game(bots=1), 1)
    choose = house.choose

    def slow(state: Any, **how: Any) -> Any:
        """Let another worker play first."""
        action = choose(state, **how)
        play.play(game_id=game.pk, seat=1, action=action, expected_version=3, now=timezone.now(), how="bot")
        legal = list(positions.load_position_at(game, 3).legal_actions())
        return next(other for other in legal if other != action)

    monkeypatch.setattr(house, "choose", slow)
    tasks.play_bot(game.pk)
    game.refresh_from_db()
    assert (game.ply, find_differences(game)) == (2, [])


def test_bots_play_one_after_the_other_without_a_request() -> None:
    game = play_turns(make_game(seats=4, bots=3), 1)
    tasks.sweep()
    tasks.sweep()
    tasks.sweep()
    game.refresh_from_db()
    assert (game.awaited, game.ply) == (0, 4)


def test_a_seat_that_left_is_played_without_meeples() -> None:
    game = play_turns(make_game(seats=3), 3)
    play.resign(game_id=game.pk, seat=0, now=NOW)
    before = sum(meeple.seat == 0 for meeple in positions.load_position(game).state.meeples())
    for _ in range(8):
        tasks.play_bot(game.pk)
        game = play_turns(game, 2)
    assert game.moves.filter(seat=0, how="time-out", ply__isnull=False).count() == 8
    assert not any("deploy" in move.action for move in game.moves.filter(seat=0, how="time-out"))
    after = sum(meeple.seat == 0 for meeple in positions.load_position(game).state.meeples())
    assert after <= before


def test_the_sweep_scores_a_game_whose_message_was_lost() -> None:
    game = play_turns(make_game())
    assert game.status == Status.SCORING
    tasks.sweep()
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    version = game.version
    tasks.sweep()
    tasks.score(game.pk)
    game.refresh_from_db()
    assert game.version == version


def test_the_sweep_lets_those_lose_whose_time_is_up() -> None:
    game = told(play_turns(make_game(), 4))
    with time_machine.travel(game.deadline + 30 * SECOND, tick=False):
        heart_beats(timezone.now())
        tasks.sweep()
        game.refresh_from_db()
        assert game.status == Status.PLAYING
    with time_machine.travel(game.deadline + 61 * SECOND, tick=False):
        tasks.sweep()
        game.refresh_from_db()
    assert (game.status, game.ending) == (Status.FINISHED, Ending.TIME_OUT)
    assert game.notices.filter(kind=Kind.GAME_OVER).count() == 2


def test_with_more_seats_the_bot_takes_over_at_the_deadline_and_the_game_goes_on(
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = told(play_turns(make_game(seats=3), 5))
    assert game.awaited == 2
    with time_machine.travel(game.deadline + 2 * HOUR, tick=False):
        heart_beats(timezone.now())
        with django_capture_on_commit_callbacks(execute=True):
            tasks.sweep()
    game.refresh_from_db()
    assert (game.status, game.awaited, game.ply) == (Status.PLAYING, 0, 6)
    assert game.seats.get(index=2).state == SeatState.TIMED_OUT
    assert game.moves.get(ply=6).how == "time-out"
    assert game.deadline is not None
    assert find_differences(game) == []


def test_a_deadline_within_an_outage_moves_before_anything_expires() -> None:
    within, after = told(make_game(days_per_move=1)), told(make_game(days_per_move=3))
    began = NOW + DAY - HOUR  # the last beat, an hour before the first deadline
    heart_beats(began)
    with time_machine.travel(began + 5 * HOUR, tick=False):
        tasks.sweep()
    within.refresh_from_db()
    assert (within.status, within.deadline) == (Status.PLAYING, NOW + DAY + 16 * HOUR)
    assert reminders(within) == [NOW + 12 * HOUR + 16 * HOUR]
    deadline = after.deadline
    after.refresh_from_db()
    assert after.deadline == deadline + 5 * HOUR
    with time_machine.travel(began + 5 * HOUR + 30 * SECOND, tick=False):
        tasks.sweep()
    within.refresh_from_db()
    assert within.deadline == NOW + DAY + 16 * HOUR


def test_an_unsent_notice_puts_the_deadline_off(mailoutbox: list[Any], settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1  # no server listens there
    game = play_turns(make_game(days_per_move=1), 4)
    ends = game.deadline
    with time_machine.travel(ends + 2 * HOUR, tick=False):
        heart_beats(timezone.now())
        tasks.sweep()
        game.refresh_from_db()
        assert game.status == Status.PLAYING
        assert game.deadline > timezone.now()
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        Notice.objects.filter(kind=Kind.YOUR_TURN).update(next_try=timezone.now())
        tasks.deliver_notices()
        game.refresh_from_db()
    told_at = game.notices.get(kind=Kind.YOUR_TURN, version=game.turn_version)
    assert game.deadline == ends + (told_at.sent - told_at.due)
    assert reminders(game) == [game.deadline - 12 * HOUR]


def test_a_game_that_fails_keeps_no_other_from_its_deadline(monkeypatch: Any) -> None:
    broken, sound = (told(make_game(days_per_move=1)) for _ in range(2))
    lose = play.lose_on_time

    def fail(*, game_id: int, now: Any) -> bool:
        if game_id == broken.pk:
            raise RuntimeError("a fault of ours")
        return lose(game_id=game_id, now=now)

    monkeypatch.setattr(play, "lose_on_time", fail)
    with time_machine.travel(NOW + DAY + 2 * clocks.ARRIVAL, tick=False):
        heart_beats(timezone.now())
        tasks.sweep()
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.status, sound.ending) == (Status.PLAYING, Ending.TIME_OUT)


@pytest.mark.parametrize(
    "piece", ["queue_scoring", "queue_bots", "queue_delivery", "queue_deadlines", "queue_closing"]
)
def test_a_piece_of_the_sweep_that_fails_keeps_no_other_from_being_done(
    piece: str, monkeypatch: Any, mailoutbox: list[Any]
) -> None:
    scoring = play_turns(make_game())
    with_bot = play_turns(make_game(bots=1), 1)
    late = make_game(days_per_move=1)
    table = make_table()

    def fail(now: Any) -> None:
        raise RuntimeError("a fault of ours")

    fail.__name__ = piece
    monkeypatch.setattr(tasks, piece, fail)
    with time_machine.travel(NOW + 29 * DAY, tick=False):
        heart_beats(timezone.now())
        Notice.objects.filter(game=late).update(sent=NOW)
        tasks.sweep()
    for game in (scoring, with_bot, late, table):
        game.refresh_from_db()
    done = {
        "queue_scoring": scoring.status == Status.FINISHED,
        "queue_bots": with_bot.ply == 2,
        "queue_delivery": bool(mailoutbox),
        "queue_deadlines": late.ending == Ending.TIME_OUT,
        "queue_closing": table.ending == Ending.EXPIRED,
    }
    assert done == {name: name != piece for name in done}


def test_the_sweep_has_all_done_by_others_the_most_urgent_first(monkeypatch: Any) -> None:
    queued: list[tuple[str, Any]] = []

    def queue(task: Task, args: Any = (), **options: Any) -> None:
        queued.append((task.name.rpartition(".")[2], options["expires"]))

    monkeypatch.setattr(Task, "apply_async", queue)
    play_turns(make_game())
    play_turns(make_game(bots=1), 1)
    make_table()
    told(make_game(days_per_move=1))
    heart_beats(NOW)
    with time_machine.travel(NOW + 29 * DAY, tick=False):
        tasks.sweep()
        assert [name for name, _ in queued] == [
            "score",
            "play_bot",
            "deliver_notices",
            "move_deadlines",  # the heart had stood still
            "close_tables",
        ]
        assert play.note_all_outages(seconds=1)
        Game.objects.filter(status=Status.PLAYING, deadline__isnull=False).update(deadline=NOW)
        queued.clear()
        tasks.sweep()
        assert "expire" in [name for name, _ in queued]
    assert {expires for _, expires in queued} == {site.SWEEP_SECONDS}, "the next one queues them anew"


@pytest.mark.parametrize("task", ["expire", "move_deadlines", "close_tables"])
def test_what_takes_long_goes_on_behind_the_bots_that_wait(task: str, monkeypatch: Any) -> None:
    """Slice by slice, until nothing is left, and never beyond the time that the sweep gave it."""
    for _ in range(3):
        told(make_game(days_per_move=1))
        make_table()
    monkeypatch.setattr(tasks, "SECONDS_A_SLICE", -1.0)
    monkeypatch.setattr(clock_pauses, "CHUNK", 1)
    slices: list[tuple[Any, Any]] = []
    real = getattr(tasks, task)

    def queue(self: Task, args: Any = (), **options: Any) -> None:
        slices.append((tuple(args), options["expires"]))

    monkeypatch.setattr(Task, "apply_async", queue)
    now = NOW + 29 * DAY
    with time_machine.travel(now, tick=False):
        if task == "move_deadlines":
            heart_beats(NOW)
            heartbeat.beat(now)
        else:
            heart_beats(now)
        until = now + 7 * SECOND
        real.request_stack.push(Context(expires=until.isoformat()))
        try:
            real()
            runs = 1
            while slices and runs < 9:
                args, expires = slices.pop()
                assert expires == until
                real(*json.loads(json.dumps(args)))
                runs += 1
        finally:
            real.request_stack.pop()
    assert runs == {"expire": 3, "close_tables": 3, "move_deadlines": 3 + 1}[task]
    if task == "expire":
        assert not Game.objects.filter(status=Status.PLAYING).exists()
    elif task == "close_tables":
        assert not Game.objects.filter(status=Status.OPEN).exists()
    else:
        assert not heartbeat.list_noted_outages()


def test_a_game_that_fails_again_and_again_keeps_those_after_it_from_nothing(monkeypatch: Any) -> None:
    games = [told(make_game(days_per_move=1)) for _ in range(3)]
    monkeypatch.setattr(tasks, "GAMES_A_SLICE", 1)
    lose = play.lose_on_time

    def fail(*, game_id: int, now: Any) -> bool:
        if game_id == games[0].pk:
            raise RuntimeError("a fault of ours")
        return lose(game_id=game_id, now=now)

    monkeypatch.setattr(play, "lose_on_time", fail)
    with time_machine.travel(NOW + DAY + 2 * clocks.ARRIVAL, tick=False):
        heart_beats(timezone.now())
        tasks.sweep()
    assert [Game.objects.get(pk=game.pk).ending for game in games] == ["", Ending.TIME_OUT, Ending.TIME_OUT]


def test_holidays_of_which_a_game_has_not_heard_are_not_called_followed(monkeypatch: Any) -> None:
    games = [told(make_game()) for _ in range(3)]
    player = games[0].seats.get(index=0).player
    for game in games[1:]:
        game.seats.filter(index=0).update(player=player)
    PersonalTime.objects.create(player=player, changes=1)
    done: list[int] = []

    def fail(*, game_id: int, now: Any) -> None:
        done.append(game_id)
        if len(done) == 2:
            raise RuntimeError("a fault of ours")

    monkeypatch.setattr(play, "follow_holidays", fail)
    monkeypatch.setattr(tasks, "SECONDS_OF_HOLIDAYS", -1.0)
    tasks.follow_holidays(player.pk)
    assert holidays.find_players_to_follow().exists() and len(done) == 2
    FailedTask.objects.update(until=timezone.now())  # it has rested
    tasks.follow_holidays(player.pk)
    assert not holidays.find_players_to_follow().exists() and len(done) == 5


def test_a_sweep_hands_out_the_games_that_wait_the_longest(monkeypatch: Any) -> None:
    games = [play_turns(make_game(bots=1, now=NOW - n * HOUR), 1, now=NOW - n * HOUR) for n in range(3)]
    monkeypatch.setattr(tasks, "GAMES_A_SWEEP", 2)
    tasks.sweep()
    assert [Game.objects.get(pk=game.pk).ply for game in games] == [1, 2, 2]


def test_the_sweep_closes_tables_that_nobody_joined() -> None:
    table = make_table()
    with time_machine.travel(NOW + 29 * DAY, tick=False):
        tasks.sweep()
    table.refresh_from_db()
    assert (table.status, table.ending) == (Status.ABORTED, Ending.EXPIRED)


def test_the_sweep_looks_at_every_game_with_a_fixed_number_of_queries(
    django_assert_max_num_queries: Any,
) -> None:
    for _ in range(5):
        told(make_game(now=timezone.now()))
    with django_assert_max_num_queries(27):  # with those of the one task that it has done at once here
        tasks.sweep()
