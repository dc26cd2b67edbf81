"""Tests that a row that fails stops no other row of its batch, whichever batch it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest.mock import patch

import psycopg
import pytest
import redis.exceptions
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import IntegrityError, OperationalError
from django.utils import timezone
from django.utils.module_loading import import_string
from kombu.exceptions import OperationalError as BrokerError

from accounts import closing, export, letters, services
from accounts.models import DataExport, Letter, Player
from accounts.notice_preferences import Timing
from carcassonne.celery import app
from carcassonne.doctor import what_was_put_aside
from core import attempts, batches
from core.models import FailedTask
from games import heartbeat, tasks
from games.models import Channel, Game, Kind, Move, Notice, PersonalTime
from games.models.notice import GIVEN_UP
from games.models.notice import KEPT as NOTICES_KEPT
from games.notices import delivery
from games.play import reliability
from games.rules import RuleSet
from games.tables.guests import KEPT as GUESTS_KEPT
from leagues import seasons
from leagues.models import Season
from leagues.settings import LeagueSettings
from leagues.standings import Rules
from moderation.fair_play import measuring
from moderation.fair_play.signals import Found
from moderation.models import GameSheet, SignalKind
from ratings.models import CalibrationMonth
from tests.games.factories import (
    heart_beats,
    make_game,
    make_player,
    make_players,
    make_table,
    play_turns,
    sign_up_only,
)
from tests.leagues.season_helpers import make_founder
from tests.ratings.rated_games import Played, write

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
Keys = Callable[..., Iterable[Any]]


class Batch(NamedTuple):
    """How a batch of a task does a row: two keys of rows that *make* gives, and the function *act*, by name,
    which gets rows with the keys that *keys* finds in its arguments."""

    task: str
    make: Callable[[], Iterable[Any]]
    act: str
    keys: Keys
    args: Callable[[], tuple[Any, ...]] = tuple
    again: Callable[[], object] = bool  # makes the row due again, besides its rest
    given: Mapping[str, Callable[..., Any]] = MappingProxyType({})  # others in place of functions, by name
    repeats: bool = False  # whether rows that are done may be done once more


def pk_of_first(one: Any, *more: Any, **named: Any) -> list[int]:
    return [one.pk]


def game_id(*, game_id: int, **named: Any) -> list[int]:
    return [game_id]


def player_pk(*, player: Player, **named: Any) -> list[int]:
    return [player.pk]


def two_games(now: datetime | None = None, **chosen: Any) -> list[int]:
    """Make two running games, of which all is told."""
    games = [make_game(now=now or timezone.now(), **chosen) for _ in range(2)]
    Notice.objects.all().update(sent=timezone.now())
    return [game.pk for game in games]


def games_to_remind_of() -> list[int]:
    heart_beats(timezone.now())
    return two_games(timezone.now() - timedelta(hours=40))


def late_games() -> list[int]:
    heart_beats(timezone.now())
    return two_games(timezone.now() - 4 * DAY)


def games_in_an_outage() -> list[int]:
    now = timezone.now()
    games = two_games(now - timedelta(hours=5))
    heart_beats(now - timedelta(hours=3))
    heartbeat.beat(now)
    return games


def tables_to_close() -> list[int]:
    games = [make_table(now=timezone.now()) for _ in range(2)]
    Game.objects.update(expires=timezone.now() - DAY)
    return [game.pk for game in games]


def games_of_a_holiday() -> list[int]:
    games = two_games()
    PersonalTime.objects.create(player=make_players(1)[0], changes=1)
    return games


def played_moves() -> list[int]:
    for number in range(2):
        play_turns(make_game(now=timezone.now() - number * DAY), 1, now=timezone.now() - timedelta(hours=1))
    return list(Move.objects.filter(reliability.TELLING).order_by("pk").values_list("pk", flat=True))


def old_notices() -> list[int]:
    game = play_turns(make_game(now=timezone.now()), 2, now=timezone.now())
    old = timezone.now() - NOTICES_KEPT - DAY
    Notice.objects.all().update(created=old, due=old, sent=old, dropped=None, why_dropped="")
    past = Notice.objects.exclude(version=Game.objects.get(pk=game.pk).turn_version)
    return list(past.order_by("pk").values_list("pk", flat=True)[:2])


def finished_games() -> list[int]:
    people = make_players(2)
    games = write(Played(people, (1, 2), timezone.now() - timedelta(hours=n)) for n in (5, 4))
    return [game.pk for game in games]


def two_months() -> list[Any]:
    months = [datetime(2026, n, 1, tzinfo=timezone.get_current_timezone()).date() for n in (1, 2)]
    for month in months:
        CalibrationMonth.objects.create(month=month, changed=1, counted=0)
    return months


def two_players(**fields: Any) -> list[Player]:
    return [make_player(name, **fields) for name in ("Bea", "Carl")]


def keys(rows: Iterable[Any]) -> list[int]:
    return [row.pk for row in rows]


def idle_guests() -> list[int]:
    joined = timezone.now() - 2 * GUESTS_KEPT
    return keys(two_players(provisional=True, date_joined=joined))


def letters_to_send() -> list[int]:
    for player in two_players():
        letters.owe(player, "kept", now=timezone.now() - timedelta(minutes=1))
    return keys(Letter.objects.order_by("pk"))


def letters_are_due() -> None:
    Letter.objects.update(due=timezone.now() - timedelta(minutes=1))


def accounts_to_close() -> list[int]:
    return keys(two_players(closes=timezone.now() - closing.TIME_TO_THINK))


def old_exports() -> list[int]:
    old = timezone.now() - export.KEPT - DAY
    return keys(DataExport.objects.create(player=player, asked=old, ready=old) for player in two_players())


def unconfirmed_accounts() -> list[int]:
    players = [sign_up_only(name) for name in ("Bea", "Carl")]
    Player.objects.update(date_joined=timezone.now() - services.TIME_TO_CONFIRM - DAY)
    return keys(players)


def two_seasons() -> list[int]:
    founder = make_founder()
    agreed = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2, up=1, down=1))
    for number, name in enumerate(("Cup of Foix", "Cup of Albi")):
        league = seasons.found_league(founder=founder, name=name, settings=agreed, now=timezone.now())
        league.seasons.update(begins=timezone.now() - (5 - number) * DAY)
    return keys(load_seasons())


def load_seasons(*args: Any) -> list[Season]:
    return list(Season.objects.order_by("pk"))


def found() -> list[Found]:
    people = Player.objects.order_by("pk")
    return [Found(SignalKind.STALLING, person.pk, None, 1.0, 0.1, {}) for person in people]


def measured_games() -> list[int]:
    games = finished_games()
    for game in Game.objects.all():
        measuring.read_game(game)
    GameSheet.objects.update(due=False)
    return games[::-1]  # the latest are compared first


def sheets_to_test() -> list[int]:
    """The players of two measured games: those of the first are tested first."""
    people = [make_player(name) for name in ("Bea", "Carl", "Dora", "Emil")]
    write(Played(people[n : n + 2], (1, 2), timezone.now()) for n in (0, 2))
    for game in Game.objects.all():
        measuring.read_game(game)
    return [people[0].pk, people[2].pk]


BATCHES = (
    Batch("games.tasks.deliver_notices", games_to_remind_of, "games.outbox.remind", pk_of_first),
    Batch("games.tasks.expire", late_games, "games.play.lose_on_time", game_id),
    Batch("games.tasks.close_tables", tables_to_close, "games.tables.expire", game_id),
    Batch(
        "games.tasks.follow_holidays",
        games_of_a_holiday,
        "games.play.follow_holidays",
        game_id,
        args=lambda: (Player.objects.get(username="Anna").pk,),
        repeats=True,
    ),
    Batch("games.tasks.move_deadlines", games_in_an_outage, "games.play.clock_pauses._note", pk_of_first),
    Batch(
        "games.tasks.follow_suspensions",
        lambda: keys(two_players()),
        "games.tables.withdraw_all",
        player_pk,
        given={"games.tables.find_suspended_players": lambda *args: Player.objects.order_by("pk")},
        repeats=True,
    ),
    Batch("games.tasks.count_turns", played_moves, "games.play.reliability._took", pk_of_first),
    Batch(
        "games.upkeep_tasks.prune_notices",
        old_notices,
        "games.notices.pruning._lines",
        lambda notices: keys(notices),
    ),
    Batch("games.upkeep_tasks.forget_addresses", idle_guests, "games.tables.guests.close_account", player_pk),
    Batch(
        "games.upkeep_tasks.rate_games",
        finished_games,
        "ratings.progress.rate_result",
        lambda game, *more: [game.reference],
        repeats=True,  # in order, so all games after it, too
    ),
    Batch(
        "games.upkeep_tasks.rate_games",
        two_months,
        "ratings.calibration_months._count",
        lambda month: [month],
    ),
    Batch(
        "accounts.tasks.deliver_letters",
        letters_to_send,
        "accounts.letters.compose",
        pk_of_first,
        again=letters_are_due,
    ),
    Batch("accounts.tasks.sweep", accounts_to_close, "accounts.closing.close_account", player_pk),
    Batch("accounts.tasks.sweep", old_exports, "accounts.export._remove", pk_of_first),
    Batch(
        "accounts.tasks.remove_unconfirmed", unconfirmed_accounts, "accounts.services._remove", pk_of_first
    ),
    Batch(
        "leagues.tasks.advance",
        two_seasons,
        "leagues.seasons.steps.begin_season",
        lambda season, now: [season],
    ),
    Batch(
        "leagues.tasks.tell_organisers",
        two_seasons,
        "leagues.tasks._tell_organisers",
        pk_of_first,
        given={"leagues.selectors.desk.find_seasons_due_for_mail": load_seasons},
        repeats=True,
    ),
    Batch(
        "moderation.tasks.look_for_signals",
        lambda: keys(two_players()),
        "moderation.fair_play.signals.record",
        lambda one, **named: [one.subject],
        given={"moderation.fair_play.search.in_common": found},
        repeats=True,
    ),
    Batch(
        "moderation.tasks.search_games",
        finished_games,
        "moderation.fair_play.measuring.read_game",
        pk_of_first,
    ),
    Batch(
        "moderation.tasks.search_games",
        measured_games,
        "moderation.fair_play.measuring.agreements_of",
        pk_of_first,
    ),
    Batch(
        "moderation.tasks.search_games",
        sheets_to_test,
        "moderation.fair_play.search.of_games",
        lambda player, tested: [player],
    ),
)

NO_BATCHES = {
    "games.tasks.sweep": "looks and queues; its parts are tested below",
    "games.tasks.score": "one game",
    "games.tasks.settle": "one game",
    "games.tasks.play_bot": "one game",
    "games.mail_tasks.answer_mail": "one mail",
    "games.mail_tasks.prune_inbox": "one statement",
    "accounts.tasks.forget_sessions": "one statement for each kind of row",
    "accounts.tasks.note_traces": "one player",
    "accounts.tasks.make_export": "one export",
    "leagues.tasks.forget_requests": "one statement",
    "moderation.tasks.forget_evidence": "one statement for each kind of row",
    "games.tasks.deliver_outgoing": "delivers as deliver_notices does; each channel is tested below",
    "carcassonne.tasks.answer": "a cache",
}


class Breaking:
    """Context in which the *act* of a *batch* fails for the row *broken*; it lists the rows *tried* and
    *done*."""

    def __init__(self, batch: Batch, broken: Any) -> None:
        self.batch, self.broken = batch, broken
        self.tried: list[Any] = []
        self.done: list[Any] = []

    def __enter__(self) -> Breaking:
        real = resolve(self.batch.act)

        @wraps(real)
        def act(*args: Any, **named: Any) -> Any:
            rows = list(self.batch.keys(*args, **named))
            self.tried += rows
            if self.broken in rows:
                raise IntegrityError("the row is broken")
            result = real(*args, **named)
            self.done += rows
            return result

        self._patched = patch(self.batch.act, act)
        self._patched.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._patched.stop()


def resolve(name: str) -> Any:
    module, _dot, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


@pytest.fixture(autouse=True)
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "SAMPLED", 1)


@pytest.fixture(autouse=True)
def nothing_runs() -> Iterator[None]:
    attempts._stack().clear()
    yield
    attempts._stack().clear()


@pytest.fixture
def at_once() -> Iterator[None]:
    """Run queued tasks at once."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.mark.parametrize("batch", BATCHES, ids=lambda batch: batch.act)
def test_a_broken_row_stops_no_other_and_is_retried_later(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, other in batch.given.items():
        monkeypatch.setattr(name, other)
    task = import_string(batch.task)
    broken, other = list(batch.make())[:2]
    args = batch.args()
    with Breaking(batch, broken) as first:
        assert task.apply(args=args).state == "SUCCESS"
    assert other in first.done and broken not in first.done
    failed = FailedTask.objects.get(error="IntegrityError: the row is broken")
    assert failed.task == batch.task and failed.times == 1 and failed.rests(timezone.now())

    batch.again()
    with Breaking(batch, broken) as second:
        task.apply(args=args)
    assert broken not in second.tried, "it rests"

    FailedTask.objects.update(until=timezone.now())
    batch.again()
    with Breaking(batch, None) as third:
        task.apply(args=args)
    assert broken in third.done
    assert batch.repeats or other not in third.done
    task.apply(args=args)
    assert not FailedTask.objects.exists(), "it has succeeded"


def test_every_task_is_a_batch_of_this_table_or_says_why_it_is_none() -> None:
    tested = {batch.task for batch in BATCHES}
    assert set(settings.CELERY_TASK_ROUTES) == tested | set(NO_BATCHES)
    assert not tested & set(NO_BATCHES)


def bots_turns() -> list[int]:
    now = timezone.now()
    games = [make_game(bots=1, now=now - timedelta(hours=n)) for n in (2, 1)]
    return [play_turns(game, 1, now=game.created).pk for game in games]


def games_to_score() -> list[int]:
    now = timezone.now()
    return [play_turns(make_game(now=now), now=now - timedelta(hours=n)).pk for n in (2, 1)]


def exports_to_make() -> list[int]:
    return keys(DataExport.objects.create(player=player, asked=timezone.now()) for player in two_players())


def test_tasks_of_one_row_that_fail_are_queued_less_and_less(
    at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two hundred of them would be all that a sweep queues."""
    monkeypatch.setattr(tasks, "GAMES_A_SWEEP", 1)
    heart_beats(timezone.now())
    for task, make, act in (
        ("games.tasks.play_bot", bots_turns, "games.play.play"),
        ("games.tasks.score", games_to_score, "games.play.score"),
        ("accounts.tasks.make_export", exports_to_make, "accounts.export.make"),
    ):
        sweep = import_string("accounts.tasks.sweep" if "export" in task else "games.tasks.sweep")
        broken, other = make()

        def key(*, game_id: int = 0, pk: int = 0, **named: Any) -> list[int]:
            return [game_id or pk]

        with Breaking(Batch(task, make, act, key), broken) as breaking:
            for _time in range(2):
                sweep.apply()
        assert breaking.tried.count(broken) == 1 and other in breaking.done, task
        assert attempts.list_resting(task) == [broken], task
        FailedTask.objects.update(until=timezone.now())
        with Breaking(Batch(task, make, act, key), None) as mended:
            sweep.apply()
        assert mended.done == [broken] and not FailedTask.objects.exists(), task


@pytest.mark.parametrize("channel", Channel)
def test_a_broken_notice_stops_no_other_and_is_given_up_after_a_day(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notices keep their own count of failures."""
    now = timezone.now()
    heart_beats(now)
    games = [make_game(now=now - timedelta(minutes=n)) for n in (2, 1)]
    Notice.objects.exclude(kind=Kind.YOUR_TURN).delete()
    Notice.objects.update(channel=channel)
    broken, other = (game.notices.get() for game in games)

    class Sender:
        def send(self, notice: Notice, connection: object) -> str:
            if notice.pk == broken.pk:
                raise ValueError("the row is broken")
            return ""

    monkeypatch.setattr("games.notices.relevance.choose_timing", lambda *args: Timing.AT_ONCE)
    monkeypatch.setitem(delivery.CHANNELS, channel, Sender())
    deliver = tasks.deliver_notices if channel == Channel.EMAIL else tasks.deliver_outgoing
    for attempt in range(2):
        deliver.apply()
        for notice in (broken, other):
            notice.refresh_from_db()
        assert other.sent and broken.last_error == "ValueError: the row is broken", attempt
        assert (broken.next_try > now) == (attempt == 0)
        Notice.objects.update(due=now - delivery.PATIENCE, next_try=now - delivery.PATIENCE)
    assert broken.why_dropped == GIVEN_UP
    assert [finding.seen for finding in what_was_put_aside(0) if not finding.well] == [
        f"mail {broken.key}: ValueError: the row is broken"
    ]


def test_a_clock_that_cannot_be_credited_keeps_no_mail_from_being_marked_as_sent(
    monkeypatch: pytest.MonkeyPatch, mailoutbox: list[Any]
) -> None:
    def fail(**late: Any) -> None:
        raise ValueError("the row is broken")

    now = timezone.now()
    heart_beats(now)
    for n in (3, 2):
        make_game(now=now - timedelta(hours=n))
    Notice.objects.exclude(kind=Kind.YOUR_TURN).delete()
    monkeypatch.setattr("games.play.note_late_notice", fail)
    tasks.deliver_notices.apply()
    assert Notice.objects.filter(sent=None).count() == 0 and len(mailoutbox) == 2


def test_a_part_of_the_sweep_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def queue_scoring(now: datetime) -> None:
        raise ValueError("a fault of ours")

    def queue_closing(now: datetime) -> None:
        done.append("closing")

    for part in (queue_scoring, queue_closing):
        monkeypatch.setattr(tasks, part.__name__, part)
    for run in range(attempts.FAILED + 2):
        FailedTask.objects.update(until=timezone.now())
        tasks.sweep.apply()
        assert len(done) == run + 1
    failed = FailedTask.objects.get()
    assert failed.arguments == "queue_scoring"
    assert failed.until - failed.last == timedelta(seconds=8 * settings.SWEEP_SECONDS), "it is no row"


def unit(number: int, error: Exception | None = None) -> bool:
    """Run a unit of a task, which may fail with *error*."""

    def act() -> None:
        if error is not None:
            raise error

    attempts.begin("games.tasks.expire", "[]", "message")
    try:
        return batches.run_row(f"game {number}", act)
    finally:
        attempts.end("message", succeeded=True)


def test_a_row_rests_longer_and_longer_and_is_put_aside_in_the_end() -> None:
    rests = []
    for _time in range(attempts.FAILED):
        FailedTask.objects.update(until=timezone.now())
        assert not list(attempts.select_put_aside(timezone.now()))
        assert not unit(7, ValueError("Anna <anna@example.org> is broken"))
        failed = FailedTask.objects.get()
        rests.append(failed.until - failed.last)
    sweep = timedelta(seconds=settings.SWEEP_SECONDS)
    assert rests == [sweep * 2**n for n in range(attempts.FAILED - 1)] + [attempts.ASIDE]
    assert not unit(8, ValueError("another"))
    aside, retried = what_was_put_aside(0)
    assert (aside.well, aside.seen) == (False, "games.tasks.expire game 7: ValueError: Anna <…@…> is broken")
    assert (retried.well, retried.seen) == (
        True,
        "1 that failed, the last games.tasks.expire game 8: ValueError: another",
    )


def test_errors_that_no_row_can_cause_stop_the_batch() -> None:
    gone = OperationalError("server closed the connection unexpectedly")
    gone.__cause__ = psycopg.OperationalError("server closed the connection unexpectedly")
    for error in (gone, BrokerError("Connection refused"), redis.exceptions.ConnectionError()):
        with pytest.raises(type(error)):
            unit(7, error)
        assert not FailedTask.objects.exists(), error
    with pytest.raises(SoftTimeLimitExceeded):
        unit(7, SoftTimeLimitExceeded())
    assert FailedTask.objects.get().rests(timezone.now()), "the others come first next time"
    assert not unit(8, OperationalError("deadlock detected")), "the database is there"
