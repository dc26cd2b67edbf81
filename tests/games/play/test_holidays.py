"""Tests of holidays and emergencies: entered, cancelled, and applied to clocks (CLOCK-6, 22)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import Player
from games import play, tasks
from games.clocks import DAY, HOUR, PRESETS, ClockSettings, Ladder
from games.exceptions import Refused
from games.models import Emergency, Game, Holiday, Kind, Notice, PersonalTime, Status, Transfers
from games.play import holidays, timing
from games.play.audit import find_differences
from tests.games.factories import NOW, heart_beats, make_game, play_turns, reminders
from tests.games.play.decision_helpers import make_transferring_game

pytestmark = [pytest.mark.django_db, pytest.mark.database]

STEADY = PRESETS["steady"]
AT_ONCE = Ladder(excuses=0, holiday=False)


@pytest.fixture
def game() -> Game:
    """A game in which Anna is awaited for three days and twelve hours."""
    heart_beats(NOW)
    return make_game(clock=STEADY, ladder=AT_ONCE)


def anna() -> Player:
    return Player.objects.get(username="Anna")


def enter(begin: datetime, days: float, now: datetime = NOW, player: Player | None = None) -> Holiday:
    return play.enter_holiday(player=player or anna(), begin=begin, end=begin + days * DAY, now=now)


def cancel(holiday: Holiday, now: datetime) -> Holiday | None:
    return play.cancel_holiday(player=anna(), holiday_id=holiday.pk, now=now)


def follow(now: datetime = NOW) -> None:
    """Apply holidays to all running games, as the task does."""
    for game in Game.objects.filter(status=Status.PLAYING):
        play.follow_holidays(game_id=game.pk, now=now)


def told(now: datetime) -> None:
    """Mark all mails as sent, and let the beat tick."""
    Notice.objects.filter(dropped=None).update(sent=NOW)
    heart_beats(now)


def deadline(game: Game) -> datetime | None:
    game.refresh_from_db()
    return game.deadline


def refused(act: Any, *args: Any, **more: Any) -> str:
    with pytest.raises(Refused) as error:
        act(*args, **more)
    assert error.value.message
    return error.value.code


class TestEntering:
    def test_moves_the_deadline_where_holidays_stop_the_clock(self, game: Game) -> None:
        before = deadline(game)
        assert before == NOW + 3.5 * DAY
        enter(NOW + DAY, 5)
        follow()
        assert deadline(game) == before + 5 * DAY

    def test_moves_none_where_they_count(self) -> None:
        game = make_game(clock=ClockSettings.per_move(3))
        before = deadline(game)
        enter(NOW, 5)
        follow()
        assert deadline(game) == before

    def test_moves_none_of_another_seat(self, game: Game) -> None:
        before = deadline(game)
        enter(NOW, 5, player=Player.objects.get(username="Bruno"))
        follow()
        assert deadline(game) == before

    def test_the_reminders_move_too(self, game: Game) -> None:
        enter(NOW + DAY, 5)
        follow()
        assert max(reminders(game)) == NOW + 7.5 * DAY

    def test_entering_and_cancelling_again_and_again_reminds_all_the_same(self, game: Game) -> None:
        for _ in range(3):
            holiday = enter(NOW + 2 * DAY, 5)
            follow()
            cancel(holiday, NOW)
            follow()
        assert max(reminders(game)) == NOW + 2.5 * DAY

    def test_the_task_does_it_and_does_not_do_it_twice(self, game: Game) -> None:
        enter(NOW + DAY, 5)
        assert list(holidays.find_players_to_follow()) == [anna().pk]
        tasks.follow_holidays(anna().pk)
        assert deadline(game) == NOW + 8.5 * DAY
        assert list(holidays.find_players_to_follow()) == []
        assert not play.follow_holidays(game_id=game.pk, now=NOW)

    def test_the_sweep_finds_what_no_message_told(self, game: Game, monkeypatch: Any) -> None:
        queued: list[Any] = []
        monkeypatch.setattr(tasks.follow_holidays, "apply_async", lambda args, **more: queued.append(args))
        tasks.queue_holidays(NOW)
        assert queued == []
        enter(NOW + DAY, 5)
        tasks.queue_holidays(NOW)
        assert queued == [(anna().pk,)]

    def test_a_change_while_the_clocks_follow_is_followed_too(self, game: Game) -> None:
        enter(NOW + DAY, 2)
        change = holidays.count_changes(anna().pk)
        enter(NOW + 5 * DAY, 2)
        holidays.mark_followed(anna().pk, change)
        assert list(holidays.find_players_to_follow()) == [anna().pk]

    def test_nobody_loses_by_a_clock_that_does_not_follow_yet(self, game: Game) -> None:
        enter(NOW + DAY, 5)
        late = NOW + 4 * DAY
        told(late)
        assert not play.lose_on_time(game_id=game.pk, now=late)
        assert deadline(game) == NOW + 8.5 * DAY
        game = play_turns(game, 1, now=NOW + 8 * DAY)
        assert game.ply == 1

    @pytest.mark.parametrize(
        ("begin", "days", "code"),
        [
            (-0.1, 2, "holiday_past"),
            (0, 0.9, "holiday_short"),
            (11, 2, "holiday_twice"),
            (60, 21.1, "holiday_long"),
            (20, 17, "holiday_long"),  # it touches the one before
            (21, 20.5, "holiday_used_up"),
        ],
    )
    def test_is_refused_beyond_the_allowance(self, game: Game, begin: float, days: float, code: str) -> None:
        enter(NOW + 10 * DAY, 10)
        assert refused(enter, NOW + begin * DAY, days) == code
        assert Holiday.objects.count() == 1

    def test_each_year_has_an_allowance_of_its_own(self, game: Game) -> None:
        enter(datetime(2026, 6, 1, tzinfo=UTC), 20)
        enter(datetime(2026, 12, 22, tzinfo=UTC), 20)  # half of it next year
        assert refused(enter, datetime(2026, 8, 1, tzinfo=UTC), 1) == "holiday_used_up"
        enter(datetime(2027, 8, 1, tzinfo=UTC), 20)
        assert refused(enter, datetime(2027, 9, 1, tzinfo=UTC), 1) == "holiday_used_up"


class TestCancelling:
    def test_what_is_to_come_goes(self, game: Game) -> None:
        before = deadline(game)
        holiday = enter(NOW + DAY, 5)
        follow()
        assert cancel(holiday, NOW) is None
        follow()
        assert deadline(game) == before
        assert not Holiday.objects.exists()

    def test_what_has_begun_ends_in_twelve_hours(self, game: Game) -> None:
        holiday = enter(NOW, 10)
        later = NOW + 3 * DAY
        left = cancel(holiday, later)
        assert left is not None
        assert (left.begin, left.end) == (NOW, later + 12 * HOUR)
        follow(later)
        assert deadline(game) == NOW + 3.5 * DAY + 3.5 * DAY

    def test_it_keeps_a_day(self, game: Game) -> None:
        left = cancel(enter(NOW, 10), NOW + HOUR)
        assert left is not None
        assert left.end == NOW + DAY

    def test_what_is_about_to_begin_keeps_a_day_too(self, game: Game) -> None:
        left = cancel(enter(NOW + 11 * HOUR, 10), NOW)
        assert left is not None
        assert (left.begin, left.end) == (NOW + 11 * HOUR, NOW + 35 * HOUR)

    def test_is_refused_if_it_is_nearly_over_over_or_of_somebody_else(self, game: Game) -> None:
        holiday = enter(NOW, 2)
        assert refused(cancel, holiday, NOW + 1.5 * DAY) == "holiday_nearly_over"
        assert refused(cancel, holiday, NOW + 2 * DAY) == "holiday_over"
        bruno = Player.objects.get(username="Bruno")
        assert refused(play.cancel_holiday, player=bruno, holiday_id=holiday.pk, now=NOW) == "no_holiday"
        assert Holiday.objects.get().end == NOW + 2 * DAY


class TestEmergency:
    def test_stops_all_own_games_and_stands_in_their_record(self, game: Game) -> None:
        before = deadline(game)
        other = make_game(clock=ClockSettings.per_move(3))
        play_turns(other, 1)  # Bruno is awaited there
        waits = deadline(other)
        play.begin_emergency(player=anna(), days=7, now=NOW + HOUR)
        follow(NOW + HOUR)
        assert deadline(game) == before + 7 * DAY
        assert deadline(other) == waits + 7 * DAY
        for one in (game, other):
            last = one.moves.order_by("-version").first()
            assert last is not None
            assert (last.action["type"], last.seat) == ("emergency", 0)
            assert find_differences(one) == []

    def test_twice_followed_is_noted_once(self, game: Game) -> None:
        play.begin_emergency(player=anna(), days=7, now=NOW)
        follow()
        follow()
        assert game.moves.filter(action__type="emergency").count() == 1

    def test_goes_on_over_turns(self, game: Game) -> None:
        play.begin_emergency(player=anna(), days=7, now=NOW)
        follow()
        game = play_turns(Game.objects.get(pk=game.pk), 1, now=NOW + DAY)
        assert deadline(game) == NOW + 7 * DAY + 3.5 * DAY

    def test_nobody_loses_by_a_clock_that_does_not_follow_yet(self, game: Game) -> None:
        play.begin_emergency(player=Player.objects.get(username="Bruno"), days=7, now=NOW)
        late = NOW + 4 * DAY
        told(late)
        assert not play.lose_on_time(game_id=game.pk, now=late)
        assert deadline(game) == NOW + 10.5 * DAY
        assert game.moves.filter(action__type="emergency", seat=1).count() == 1

    def test_a_game_that_begins_meanwhile_is_not_stopped(self, game: Game) -> None:
        play.begin_emergency(player=anna(), days=7, now=NOW)
        other = make_game(clock=STEADY, now=NOW + DAY)
        follow(NOW + DAY)
        assert deadline(other) == NOW + 4.5 * DAY

    def test_ends_at_once_with_twelve_hours_for_everybody(self, game: Game) -> None:
        late = NOW + 3.4 * DAY  # 2 h 24 min are left
        play.begin_emergency(player=anna(), days=14, now=late)
        follow(late)
        play.end_emergency(player=anna(), now=late + 2 * DAY)
        follow(late + 2 * DAY)
        assert deadline(game) == late + 2.5 * DAY
        acts = game.moves.order_by("version").values_list("action__type", flat=True)
        assert list(acts)[-2:] == ["emergency", "emergency_over"]
        assert find_differences(game) == []

    def test_once_in_180_days_for_up_to_14(self, game: Game) -> None:
        who = anna()
        for days in (0, 15):
            assert refused(play.begin_emergency, player=who, days=days, now=NOW) == "emergency_days"
        play.begin_emergency(player=who, days=1, now=NOW)
        soon, then = NOW + 179 * DAY, NOW + 180 * DAY
        assert refused(play.begin_emergency, player=who, days=1, now=soon) == "emergency_again"
        play.begin_emergency(player=who, days=14, now=then)
        assert Emergency.objects.count() == 2

    def test_without_games_there_is_nothing_to_stop(self, game: Game) -> None:
        play.resign(game_id=game.pk, seat=0, now=NOW)
        assert refused(play.begin_emergency, player=anna(), days=1, now=NOW) == "nothing_to_stop"
        assert refused(play.end_emergency, player=anna(), now=NOW) == "no_emergency"


class TestByItself:
    @pytest.fixture
    def resting(self) -> Game:
        heart_beats(NOW)
        return make_game(clock=STEADY, ladder=Ladder(excuses=1))

    def sweep(self, game: Game, now: datetime) -> bool:
        told(now)
        return play.lose_on_time(game_id=game.pk, now=now)

    def test_other_games_follow_and_the_player_is_told(self, resting: Game) -> None:
        other = make_game(clock=STEADY, ladder=AT_ONCE, now=NOW + 4 * DAY)
        over = NOW + 3.5 * DAY
        assert not self.sweep(resting, over + HOUR)  # excused: a day and the grace
        again = deadline(resting)
        assert again == over + 1.5 * DAY
        assert not Holiday.objects.exists()
        assert not self.sweep(resting, again + HOUR)
        holiday = Holiday.objects.get()
        assert (holiday.begin, holiday.end, holiday.automatic) == (again, again + DAY, True)
        follow(again + HOUR)
        assert deadline(other) == NOW + 4 * DAY + 3.5 * DAY + DAY
        assert Notice.objects.filter(kind=Kind.TIME_OUT, recipient=anna()).count() == 2

    def test_a_deadline_that_came_from_a_floor_moves_to_the_end_of_the_day(self, resting: Game) -> None:
        self.sweep(resting, NOW + 4 * DAY)  # excused
        resting.refresh_from_db()
        at = NOW + 8 * DAY
        timing.add_floor(resting, at, timing.HOLIDAY)
        timing.set_deadline(resting, resting.seats.get(index=0))
        resting.save()
        assert deadline(resting) == at
        assert not self.sweep(resting, at + HOUR)
        assert deadline(resting) == Holiday.objects.get().end == at + DAY

    def test_not_for_who_has_switched_it_off(self, resting: Game) -> None:
        Player.objects.filter(username="Anna").update(auto_holiday=False)
        self.sweep(resting, NOW + 4 * DAY)
        assert self.sweep(resting, NOW + 6 * DAY)
        resting.refresh_from_db()
        assert resting.status != Status.PLAYING

    def test_not_when_the_allowance_is_spent(self, resting: Game) -> None:
        who = anna()
        for month in (4, 6):
            enter(datetime(2026, month, 1, tzinfo=UTC), 15, player=who)
        self.sweep(resting, NOW + 4 * DAY)
        assert self.sweep(resting, NOW + 6 * DAY)
        assert Holiday.objects.filter(automatic=True).count() == 0


def test_what_a_player_keeps_goes_with_the_account(game: Game) -> None:
    from accounts.services import close_account

    enter(NOW + DAY, 2)
    play.begin_emergency(player=anna(), days=1, now=NOW)
    close_account(player=anna(), now=NOW + timedelta(hours=1))
    left = Holiday.objects.count(), Emergency.objects.count(), PersonalTime.objects.count()
    assert left == (0, 0, 0)


@pytest.mark.parametrize("excuses", [0, 1])
def test_a_standing_answer_that_comes_late_loses_nothing_of_what_was_spent(excuses: int) -> None:
    heart_beats(NOW)
    ladder = Ladder(excuses=excuses)
    game = make_transferring_game(clock=STEADY, ladder=ladder)
    bruno = game.seats.get(index=1)
    late = NOW + 6 * DAY
    told(late)
    play.set_transfers(game_id=game.pk, seat=1, transfers=Transfers.ASK, now=late)
    game.refresh_from_db()
    bruno.refresh_from_db()
    last = game.moves.order_by("-version").first()
    assert last is not None
    assert (last.version, last.action["type"]) == (game.version, "excuse" if excuses else "holiday")
    assert bruno.excuses == excuses
    assert Holiday.objects.filter(automatic=True).count() == 1 - excuses
    assert find_differences(game) == []
