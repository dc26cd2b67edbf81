"""Tests of rating games: which ones, in order, once, and anew after changes."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import Player
from carcassonne.celery import app
from games import play, rated_games
from games import upkeep_tasks as tasks
from games.models import Game, Seat, SeatState, Status
from games.rated_games import find_differences, follow, rate_games
from ratings import calibration_months, progress, rows
from ratings.models import (
    CalibrationMonth,
    Pool,
    RatedGame,
    Rating,
    RatingBookmark,
    RatingChange,
    RatingPlace,
)
from ratings.skill import BEGINNING, Calibration, Strength, apply_game, apply_rest, round_strength
from tests.games.factories import NOW, make_game, make_player, make_players, play_turns
from tests.ratings.rated_games import DAY, by_lot, finish, rate_all, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return make_players(6)


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of queued tasks."""
    queued: list[str] = []
    monkeypatch.setattr(rated_games, "queue_on_commit", queued.append)
    return queued


@pytest.fixture
def at_once() -> Iterator[None]:
    """Run queued tasks at once."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


def rated_codes() -> list[str]:
    """The codes of rated games, in order."""
    return list(RatedGame.objects.order_by("ended", "code").values_list("code", flat=True))


def all_is_well() -> bool:
    return list(find_differences()) == []


class TestWhichGames:
    def test_a_game_of_two_is_a_duel_and_one_of_more_a_table(self, people: list[Player]) -> None:
        finish(people[:2])
        finish(people[:3], days=1)
        rate_all()
        pools = Rating.objects.order_by("player", "pool").values_list("player", "pool", "games")
        assert list(pools) == [
            (people[0].pk, Pool.DUEL, 1),
            (people[0].pk, Pool.TABLE, 1),
            (people[1].pk, Pool.DUEL, 1),
            (people[1].pk, Pool.TABLE, 1),
            (people[2].pk, Pool.TABLE, 1),
        ]
        assert set(RatingChange.objects.values_list("mu_before", flat=True)) == {25.0}

    def test_what_is_not_rated_not_finished_or_of_bots_is_left_out(self, people: list[Player]) -> None:
        finish(people[:2], rated=False)
        finish(people[:2], status=Status.ABORTED)
        finish([people[0], make_player("Robot", is_bot=True)])
        with_house_bot = finish(people[:2])
        with_house_bot.seats.filter(index=1).update(player=None, bot="house")
        with_caretaker = finish(people[:3])
        with_caretaker.seats.filter(index=1).update(state=SeatState.OFFERED)
        rate_all()
        assert rated_codes() == []

    def test_who_left_is_rated_with_the_rank_that_came_of_it(self, people: list[Player]) -> None:
        game = finish(people[:2], [2, 1])
        game.seats.filter(index=0).update(state=SeatState.RESIGNED, left_at=NOW)
        rate_all()
        assert Rating.objects.get(player=people[0]).mu < 25 < Rating.objects.get(player=people[1]).mu


class TestOrder:
    def test_games_are_taken_by_when_they_ended_then_by_code(self, people: list[Player]) -> None:
        codes = ["k2", "b7", "b3"]
        for code, days in zip(codes, (0, 1, 1), strict=True):
            finish(people[:2], days=days, code=code)
        rate_all()
        assert rated_codes() == ["k2", "b3", "b7"]
        history = RatingChange.objects.filter(player=people[0]).order_by("ended", "code")
        assert list(history.values_list("code", "games")) == [("k2", 1), ("b3", 2), ("b7", 3)]

    def test_a_game_goes_on_from_the_ones_before_with_the_rest_between(self, people: list[Player]) -> None:
        anna, bruno, clara = people[:3]
        finish([anna, bruno])
        finish([clara, anna], [2, 1], days=10.25)
        rate_all()
        first = apply_game([BEGINNING] * 2, [1, 2], NOW)
        second = apply_game([BEGINNING, first[0].after], [2, 1], NOW + 10.25 * DAY)
        change = RatingChange.objects.get(player=anna, games=2)
        assert change.before == apply_rest(first[0].after.strength, 10.25) == second[1].before
        assert change.career == second[1].after == Rating.objects.get(player=anna).career
        assert (change.expected, change.rank, change.seat) == (second[1].expected, 1, 1)

    @pytest.mark.parametrize("chunk", [1, 3, 7, 500])
    def test_chunks_of_any_size_come_to_the_same(
        self, people: list[Player], monkeypatch: pytest.MonkeyPatch, chunk: int
    ) -> None:
        by_lot(people, 40, seats=(2, 2, 3, 6))
        rate_all()
        at_once = stored()
        monkeypatch.setattr(progress, "CHUNK", chunk)
        progress.rebuild()
        rate_all()
        assert stored() == at_once
        assert all_is_well()

    def test_ratings_as_they_come_are_those_of_a_rebuild(self, people: list[Player]) -> None:
        for game in range(12):
            finish(random.Random(game).sample(people, 2 + game % 3), days=game / 3)
            rate_all()
        as_they_came = stored()
        RatingChange.objects.all().delete()
        RatedGame.objects.all().delete()
        Rating.objects.all().delete()
        progress.rebuild()
        rate_all()
        assert stored() == as_they_came


class TestOnce:
    def test_rating_again_changes_nothing(self, people: list[Player]) -> None:
        by_lot(people, 20)
        rate_all()
        before = stored(), list(RatingChange.objects.values_list("pk", flat=True))
        rate_all()
        tasks.rate_games()
        assert (stored(), list(RatingChange.objects.values_list("pk", flat=True))) == before

    def test_what_takes_too_long_is_left_to_the_next_time(
        self, people: list[Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", 4)
        by_lot(people, 20)
        times = 1
        while not rate_games(seconds=-1):
            times += 1
        assert times == 6
        assert len(rated_codes()) == 20
        assert all_is_well()

    def test_a_task_that_could_not_finish_queues_another(
        self, people: list[Player], monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        queued: list[str] = []
        monkeypatch.setattr(tasks, "queue_on_commit", queued.append)
        monkeypatch.setattr(progress, "CHUNK", 5)
        by_lot(people, 6)
        settings.TASK_SECONDS = -1
        tasks.rate_games()
        assert queued == ["games.upkeep_tasks.rate_games"]
        settings.TASK_SECONDS = 120
        tasks.rate_games()
        assert len(queued) == 1

    @pytest.mark.parametrize("statement", range(1, 12))
    def test_a_worker_killed_anywhere_leaves_whole_chunks(
        self, people: list[Player], monkeypatch: pytest.MonkeyPatch, statement: int
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", 3)
        by_lot(people, 8, seats=(2, 3))
        writes = count(1)

        def killed(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
            writing = sql.startswith(("INSERT", "UPDATE", "DELETE")) and "ratings_" in sql
            if writing and next(writes) == statement:
                raise Killed
            return execute(sql, *args)

        with pytest.raises(Killed), connection.execute_wrapper(killed):
            rate_all()
        assert len(rated_codes()) % 3 == 0
        assert RatingChange.objects.count() == sum(len(game.seats.all()) for game in games_that_were_rated())
        rate_all()
        assert len(rated_codes()) == 8
        assert all_is_well()


class Killed(BaseException):
    """Death of the worker."""


def games_that_were_rated() -> list[Game]:
    return list(Game.objects.filter(pk__in=RatedGame.objects.values("pk")))


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_rate_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "CHUNK", 5)
    by_lot(make_players(6), 60, seats=(2, 3))
    faults: list[BaseException] = []

    def work() -> None:
        try:
            assert rate_games(seconds=60)
        except BaseException as fault:
            faults.append(fault)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert faults == []
    assert len(rated_codes()) == 60
    assert all_is_well()


class TestFollowing:
    @pytest.fixture
    def season(self, people: list[Player]) -> list[Game]:
        """Twenty rated games, in order."""
        by_lot(people, 20, seats=(2, 3))
        rate_all()
        return list(Game.objects.order_by("finished", "code"))

    def test_a_new_end_is_rated_soon(self, people: list[Player], messages: list[str]) -> None:
        game = finish(people[:2])
        follow(game.pk)
        assert messages == ["games.upkeep_tasks.rate_games"]

    def test_what_has_not_changed_leads_to_nothing(self, season: list[Game], messages: list[str]) -> None:
        follow(season[3].pk)
        assert messages == []
        assert RatingBookmark.objects.get().place == RatingPlace(season[-1].finished, season[-1].code)

    def test_a_game_that_is_not_rated_leads_to_nothing(
        self, people: list[Player], messages: list[str]
    ) -> None:
        follow(finish(people[:2], rated=False).pk)
        follow(make_game().pk)
        assert messages == []

    def unrate(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(rated=False)

    def adjudicate(self, game: Game) -> None:
        seats = list(game.seats.order_by("-rank", "index"))
        for rank, seat in enumerate(seats, 1):
            Seat.objects.filter(pk=seat.pk).update(rank=rank)

    def replace(self, game: Game) -> None:
        other = make_player("Zoe")
        game.seats.filter(index=0).update(player=other)

    def roll_back(self, game: Game) -> None:
        """Let *game* be continued, and end much later."""
        Game.objects.filter(pk=game.pk).update(finished=NOW + 300 * DAY)

    def date_back(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(finished=NOW - DAY)

    @pytest.mark.parametrize("change", ["unrate", "adjudicate", "replace", "roll_back", "date_back"])
    @pytest.mark.parametrize("which", [0, 7, 19])
    @pytest.mark.parametrize("chunk", [2, 500])
    def test_a_change_is_followed_from_there_on(
        self,
        season: list[Game],
        messages: list[str],
        monkeypatch: pytest.MonkeyPatch,
        change: str,
        which: int,
        chunk: int,
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", chunk)
        before = stored()
        getattr(self, change)(season[which])
        follow(season[which].pk)
        assert messages == ["games.upkeep_tasks.rate_games"]
        rate_all()
        assert stored() != before
        assert all_is_well()

    def test_games_before_it_are_not_touched(self, season: list[Game], messages: list[str]) -> None:
        earlier = RatingChange.objects.filter(ended__lt=season[10].finished)
        keys = set(earlier.values_list("pk", flat=True))
        assert keys
        self.unrate(season[10])
        follow(season[10].pk)
        rate_all()
        assert set(earlier.values_list("pk", flat=True)) == keys

    def test_who_has_no_rated_game_left_has_no_rating(
        self, people: list[Player], messages: list[str]
    ) -> None:
        game = finish(people[:2])
        finish(people[1:3], days=1)
        rate_all()
        self.unrate(game)
        follow(game.pk)
        rate_all()
        assert set(Rating.objects.values_list("player", flat=True)) == {people[1].pk, people[2].pk}

    def test_while_much_is_rated_anew_ratings_stay_those_after_the_last_game(
        self, season: list[Game], messages: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", 3)
        before = {(row.player_id, row.pool): row.games for row in Rating.objects.all()}
        self.adjudicate(season[0])
        follow(season[0].pk)
        while not rate_games(seconds=-1):
            assert {(row.player_id, row.pool): row.games for row in Rating.objects.all()} == before
        assert all_is_well()

    def test_a_change_while_much_is_rated_anew_is_followed_too(
        self, season: list[Game], messages: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", 3)
        self.adjudicate(season[2])
        follow(season[2].pk)
        assert not rate_games(seconds=-1)
        assert not rate_games(seconds=-1)
        for which in (1, 15):  # behind the bookmark, and before it
            self.unrate(season[which])
            follow(season[which].pk)
        rate_all()
        assert all_is_well()

    @pytest.mark.parametrize("told", [True, False])
    def test_a_game_that_comes_late_is_put_where_it_belongs(
        self, people: list[Player], messages: list[str], told: bool
    ) -> None:
        finish(people[:2])
        finish(people[:2], days=0.5)
        rate_all()
        late = finish(people[:2], [2, 1], days=0.25)
        if told:
            follow(late.pk)
        rate_all()
        assert rated_codes()[1] == late.code
        assert all_is_well()

    def test_one_that_comes_very_late_is_found_if_it_is_told(
        self, people: list[Player], messages: list[str]
    ) -> None:
        finish(people[:2], days=100)
        rate_all()
        late = finish(people[1:3], days=1)
        rate_all()
        assert list(find_differences()) == [
            f"{late.code} is not rated at {late.finished}",
            *(line for line in find_differences() if late.code not in line),
        ]
        follow(late.pk)
        rate_all()
        assert all_is_well()

    def test_another_beta_has_everything_rated_anew(
        self, season: list[Game], settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(progress, "CHUNK", 6)
        before = stored()
        settings.RATING_BETA = 9.0
        rate_all()
        assert stored() != before
        assert RatingBookmark.objects.get().beta == 9.0
        assert all_is_well()


class TestEdges:
    def test_the_end_of_a_game_is_followed_after_its_commit(
        self, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
    ) -> None:
        followed: list[int] = []
        monkeypatch.setattr(rated_games, "follow", followed.append)
        game = make_game()
        with django_capture_on_commit_callbacks(execute=True):
            play.resign(game_id=game.pk, seat=0, now=NOW)
            assert followed == []
        assert followed == [game.pk]

    def test_a_game_that_people_end_is_rated(
        self, at_once: None, django_capture_on_commit_callbacks: Any
    ) -> None:
        game = play_turns(make_game(rated=True), 2)
        with django_capture_on_commit_callbacks(execute=True):
            play.resign(game_id=game.pk, seat=0, now=NOW + DAY)
        assert rated_codes() == [game.code]
        winner = Rating.objects.get(mu__gt=25)
        assert (winner.player, winner.ended) == (game.seats.get(index=1).player, NOW + DAY)

    def test_the_beat_rates_what_a_lost_message_forgot(self, people: list[Player], settings: Any) -> None:
        names = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
        assert tasks.rate_games.name in names
        finish(people[:2])
        tasks.rate_games()
        assert len(rated_codes()) == 1

    def test_nothing_to_rate_asks_little(
        self, people: list[Player], django_assert_max_num_queries: Any
    ) -> None:
        by_lot(people, 30)
        rate_all()
        with django_assert_max_num_queries(10):  # four of them begin and end transactions
            rate_all()

    def test_a_history_is_one_query(self, people: list[Player], django_assert_num_queries: Any) -> None:
        by_lot(people, 60)
        rate_all()
        with django_assert_num_queries(1):
            own = RatingChange.objects.filter(player=people[0], pool=Pool.DUEL)
            page = list(own.order_by("-ended", "-code")[5:10])
        assert [row.games for row in page] == list(range(page[0].games, page[0].games - 5, -1))

    def test_a_leaderboard_has_settled_players_of_ten_games(self, people: list[Player]) -> None:
        for game in range(20):
            finish(people[:2], [2, 1] if game % 3 else [1, 2], days=game)
        finish([people[2], people[0]], days=21)
        rate_all()
        then = NOW + 21 * DAY
        leaders = list(Rating.objects.leading(Pool.DUEL, then))
        assert [row.player_id for row in leaders] == [people[1].pk, people[0].pk]
        until = leaders[0].settled_until
        assert until is not None
        assert not round_strength(leaders[0].at(until - DAY)).provisional
        assert round_strength(leaders[0].at(until + DAY)).provisional
        later = Rating.objects.leading(Pool.DUEL, until + timedelta(seconds=1))
        assert people[1].pk not in [row.player_id for row in later]


class TestCalibration:
    def test_months_add_up_to_what_one_pass_would_say(self, people: list[Player]) -> None:
        lot = random.Random(3)
        for day in range(80):
            finish(lot.sample(people[:4], 2), [1, 2], days=day)
            finish(lot.sample(people[:4], 3), days=day)
        tasks.rate_games()
        assert CalibrationMonth.objects.count() == 3
        whole = Calibration()
        for outcome in rows.iterate_outcomes(Pool.DUEL):
            whole = whole.after(outcome.played.players, outcome.changes)
        counted = calibration_months.load_calibration()
        assert counted.games == whole.games > 20
        assert counted.first_seat.count == 80
        assert counted.loss == pytest.approx(whole.loss)
        assert counted.elo_loss == pytest.approx(whole.elo_loss)
        assert all_is_well()

    def test_a_month_whose_games_changed_is_counted_anew_and_others_are_not(
        self, people: list[Player], messages: list[str]
    ) -> None:
        first = finish(people[:2])
        last = finish(people[2:4], days=40)
        tasks.rate_games()
        counted = dict(CalibrationMonth.objects.values_list("month", "counted"))
        Game.objects.filter(pk=last.pk).update(rated=False)
        follow(last.pk)
        tasks.rate_games()
        assert calibration_months.load_calibration().first_seat.count == 1
        march, april = CalibrationMonth.objects.order_by("month")
        assert march.counted == counted[march.month] and march.calibration.first_seat.count == 1
        assert april.counted > counted[april.month] and april.calibration.first_seat.count == 0
        assert first.finished < last.finished

    @pytest.mark.parametrize(
        ("ended", "month"),
        [
            (datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), date(2026, 12, 1)),
            (datetime(2027, 1, 1, tzinfo=UTC), date(2027, 1, 1)),
        ],
    )
    def test_a_month_begins_at_midnight_in_utc(
        self, people: list[Player], ended: datetime, month: date
    ) -> None:
        finish(people[:2], finished=ended)
        tasks.rate_games()
        row = CalibrationMonth.objects.get()
        assert (row.month, row.calibration.first_seat.count) == (month, 1)

    def test_tables_are_not_counted(self, people: list[Player]) -> None:
        finish(people[:3])
        tasks.rate_games()
        assert not CalibrationMonth.objects.exists()


class TestRows:
    def broken(self, constraint: str, act: Callable[[], object]) -> None:
        """Check that the *constraint* refuses *act*. SQLite does not name unique constraints."""
        with pytest.raises(IntegrityError) as error, transaction.atomic():
            act()
        assert constraint in str(error.value) or "UNIQUE constraint failed" in str(error.value)

    @pytest.mark.parametrize(
        ("constraint", "model", "change"),
        [
            ("rating_pool_known", Rating, {"pool": "chess"}),
            ("rating_has_a_doubt", Rating, {"sigma": 0}),
            ("rating_has_a_game", Rating, {"games": 0}),
            ("rated_game_pool_known", RatedGame, {"pool": "chess"}),
            ("rating_change_pool_known", RatingChange, {"pool": "chess"}),
            ("rating_change_seat_under_six", RatingChange, {"seat": 6}),
            ("rating_change_rank_to_six", RatingChange, {"rank": 0}),
            ("rating_change_counts_its_game", RatingChange, {"games": 0}),
            ("rating_change_expects_a_chance", RatingChange, {"expected": 1.5}),
            ("rating_change_has_a_doubt", RatingChange, {"sigma": 0}),
            ("rated_up_to_a_place", RatingBookmark, {"ended": None}),
            ("rated_by_a_beta", RatingBookmark, {"beta": 0}),
        ],
    )
    def test_what_must_always_hold(
        self, people: list[Player], constraint: str, model: Any, change: dict[str, Any]
    ) -> None:
        finish(people[:2])
        rate_all()
        only = model.objects.filter(pk=model.objects.first().pk)
        self.broken(constraint, lambda: only.update(**change))

    def test_a_game_is_rated_once_and_a_seat_once_in_it(self, people: list[Player]) -> None:
        finish(people[:2])
        rate_all()
        game, change, rating = RatedGame.objects.get(), RatingChange.objects.first(), Rating.objects.first()
        assert change is not None and rating is not None
        self.broken("ratings_ratedgame_pkey", lambda: RatedGame.objects.bulk_create([game]))
        change.pk = rating.pk = None
        self.broken("rating_change_one_per", change.save)
        self.broken("rating_one_per_pool", rating.save)

    def test_a_rating_is_shown_as_of_today(self, people: list[Player]) -> None:
        finish(people[:2])
        rate_all()
        rating = Rating.objects.get(player=people[0])
        assert rating.at(NOW + 9 * DAY) == apply_rest(Strength(rating.mu, rating.sigma), 9)
        assert rating.at(NOW - timedelta(seconds=1)).sigma == rating.sigma
        assert timezone.is_aware(rating.ended)
