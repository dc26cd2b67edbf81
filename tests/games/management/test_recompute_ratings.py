"""Tests of ``manage.py recompute_ratings``, as called from a shell."""

from __future__ import annotations

import io
import json
import math
from datetime import datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import upkeep_tasks as tasks
from games.models import Game, Seat
from ratings import progress, results, rows
from ratings.calibration_months import load_calibration
from ratings.models import CalibrationMonth, RatedGame, Rating, RatingChange
from tests.games.factories import NOW, make_player, make_players
from tests.ratings.rated_games import DAY, by_lot, finish, rate_all, stored

pytestmark = pytest.mark.django_db

COMMAND = "recompute_ratings"


def run(*args: str) -> list[str]:
    """The lines that the command prints."""
    out = io.StringIO()
    call_command(COMMAND, *args, stdout=out)
    return out.getvalue().splitlines()


def faults(*args: str) -> list[str]:
    """The lines that ``--check`` prints before it exits with 1."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit) as left:
        call_command(COMMAND, "--check", *args, stdout=out, stderr=err)
    assert left.value.code == 1
    return (err if "--json" in args else out).getvalue().splitlines()


@pytest.fixture
def season() -> list[Game]:
    """Thirty rated games, in order."""
    by_lot(make_players(6), 30, seats=(2, 3, 5))
    tasks.rate_games()
    return list(Game.objects.order_by("finished", "code"))


class TestRebuild:
    def test_it_comes_to_the_same_numbers(self, season: list[Game]) -> None:
        before = stored()
        assert run() == ["30 games are rated"]
        assert stored() == before

    def test_it_makes_good_whatever_was_wrong(self, season: list[Game]) -> None:
        before = stored()
        RatingChange.objects.filter(games=2).update(mu=1, expected=0)
        Rating.objects.filter(pk=Rating.objects.first().pk).delete()
        CalibrationMonth.objects.update(sums={})
        RatingChange.objects.filter(rated_game=season[5].pk).delete()
        RatedGame.objects.filter(pk__in=[season[5].pk, season[20].pk]).delete()
        run()
        assert stored() == before
        assert load_calibration().first_seat.count == Game.objects.filter(places=2).count()

    def test_without_games_there_is_nothing(self, db: None) -> None:
        assert run() == ["0 games are rated"]
        assert run("--json") == []
        assert run("--check") == ["0 games are rated, 0 differences"]

    def test_it_reads_batch_by_batch(self, season: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
        at_once = run("--json")
        monkeypatch.setattr(progress, "CHUNK", 4)
        monkeypatch.setattr(results, "BATCH", 7)
        monkeypatch.setattr(rows, "BATCH", 7)
        assert run("--json") == run("--check", "--json") == at_once


class TestJson:
    def test_a_line_says_what_the_contract_asks_for(self) -> None:
        anna, bruno = make_players(2)
        game = finish([anna, bruno], [2, 1], code="k7")
        (line,) = run("--json")
        told = json.loads(line)
        assert list(told) == ["game", "pool", "finished", "seats"]
        assert (told["game"], told["pool"]) == (game.code, "duel")
        assert datetime.fromisoformat(told["finished"]) == NOW
        loser, winner = told["seats"]
        assert list(loser) == ["player", "rank", "before", "after"]
        assert (loser["player"], loser["rank"], loser["before"]) == (anna.pk, 2, [25.0, 25 / 3])
        assert (winner["player"], winner["rank"]) == (bruno.pk, 1)
        assert winner["after"] == pytest.approx([27.357, 8.1426], abs=1e-3)

    def test_lines_come_in_the_order_of_rating(self, season: list[Game]) -> None:
        told = [json.loads(line) for line in run("--json")]
        assert [one["game"] for one in told] == [game.code for game in season]
        assert {one["pool"] for one in told} == {"duel", "table"}

    def test_numbers_are_those_of_the_numbered_text(self, season: list[Game]) -> None:
        """Worked out again from the lines alone: each ``before`` is the ``after`` before it, and the rest."""
        known: dict[tuple[str, int], tuple[float, float, datetime]] = {}
        for line in run("--json"):
            told = json.loads(line)
            finished = datetime.fromisoformat(told["finished"])
            for seat in told["seats"]:
                mu, sigma, last = known.get((told["pool"], seat["player"]), (25.0, 25 / 3, finished))
                days = (finished - last).total_seconds() / 86400
                assert seat["before"] == pytest.approx(
                    [mu, min(25 / 3, math.sqrt(sigma**2 + 0.06 * days))], abs=1e-12
                )
                known[told["pool"], seat["player"]] = (*seat["after"], finished)


class TestCheck:
    def test_what_is_right_is_said_to_be(self, season: list[Game]) -> None:
        assert run("--check") == ["30 games are rated, 0 differences"]

    def test_with_json_it_prints_what_a_rebuild_comes_to(self, season: list[Game]) -> None:
        expected = run("--json")
        RatingChange.objects.filter(rated_game=season[3].pk, seat=1).update(mu=30)
        out = io.StringIO()
        with pytest.raises(SystemExit):
            call_command(COMMAND, "--check", "--json", stdout=out, stderr=io.StringIO())
        assert out.getvalue().splitlines() == expected
        assert faults("--json")[0].startswith(f"{season[3].code} seat 1 is ")

    def test_it_changes_nothing(self, season: list[Game]) -> None:
        Rating.objects.update(games=99)
        before = stored()
        faults()
        assert stored() == before

    @pytest.mark.parametrize(
        "change",
        [
            {"mu": 30.0},
            {"sigma": 3.0},
            {"mu_before": 30.0},
            {"sigma_before": 3.0},
            {"expected": 0.123},
            {"elo": 9.0},
            {"elo_before": 9.0},
            {"games": 77},
        ],
    )
    def test_every_number_of_a_game_is_compared(self, season: list[Game], change: dict[str, Any]) -> None:
        RatingChange.objects.filter(rated_game=season[3].pk, seat=0).update(**change)
        (fault, total) = faults()
        assert fault.startswith(f"{season[3].code} seat 0 is ")
        assert total == "30 games are rated, 1 differences"

    @pytest.mark.parametrize("change", [{"code": "zz"}, {"pool": "table"}, {"ended": NOW - DAY}])
    def test_a_row_that_is_not_of_its_game_is_told_and_made_good(self, change: dict[str, Any]) -> None:
        finish(make_players(2))
        tasks.rate_games()
        before = stored()
        RatingChange.objects.filter(seat=1).update(**change)
        assert len(faults()) == 2
        run()
        assert stored() == before

    def test_the_last_digits_do_not_matter_and_those_before_do(self, season: list[Game]) -> None:
        seat = RatingChange.objects.filter(rated_game=season[3].pk, seat=0)
        mu = seat.get().mu
        seat.update(mu=mu + 5e-10)
        assert run("--check")[-1].endswith("0 differences")
        seat.update(mu=mu + 2e-9)
        assert len(faults()) == 2

    @pytest.mark.parametrize(
        "change", [{"mu": 3.0}, {"sigma": 3.0}, {"elo": 3.0}, {"games": 3000}, {"ended": NOW - DAY}]
    )
    def test_every_number_of_a_rating_is_compared(self, season: list[Game], change: dict[str, Any]) -> None:
        one = Rating.objects.order_by("pk").first()
        assert one is not None
        Rating.objects.filter(pk=one.pk).update(**change)
        (fault, _total) = faults()
        assert fault.startswith(f"player {one.player_id} in {one.pool} is ")

    def test_until_when_somebody_is_settled_is_compared(self, season: list[Game]) -> None:
        Rating.objects.filter(player=season[0].host).update(settled_until=NOW)
        assert all("settled until" in fault for fault in faults()[:-1])

    def test_ratings_too_many_and_too_few_are_told(self, season: list[Game]) -> None:
        one = Rating.objects.order_by("pk").first()
        assert one is not None
        stranger = make_player("Zoe")
        Rating.objects.filter(pk=one.pk).update(player=stranger)
        assert faults()[:-1] == [
            f"player {stranger.pk} has a rating in {one.pool}, and no rated game",
            f"player {one.player_id} has no rating in {one.pool}",
        ]

    def test_a_game_that_should_not_be_rated_is_told(self, season: list[Game]) -> None:
        Game.objects.filter(pk=season[8].pk).update(rated=False)
        assert any(line.startswith(f"{season[8].code} is rated at") for line in faults())

    def test_a_game_that_is_not_rated_yet_is_told(self, season: list[Game]) -> None:
        late = finish(make_players(2), days=90)
        assert f"{late.code} is not rated at {late.finished}" in faults()
        rate_all()
        tasks.rate_games()
        assert run("--check") == ["31 games are rated, 0 differences"]

    def test_another_result_is_told(self, season: list[Game]) -> None:
        Seat.objects.filter(game=season[8].pk, index=0).update(rank=6)
        assert any(line.startswith(f"{season[8].code} was rated with") for line in faults())

    def test_a_calibration_that_does_not_add_up_is_told(self, season: list[Game]) -> None:
        month = CalibrationMonth.objects.get()
        month.sums["first_seat"][2] += 1
        month.save()
        assert faults()[0].startswith("the calibration of 2026-03 is ")

    def test_another_beta_is_told(self, season: list[Game], settings: Any) -> None:
        settings.RATING_BETA = 8.0
        assert len(faults()) > 30


class TestFit:
    def test_each_beta_has_a_line_and_the_one_in_force_a_mark(self, season: list[Game]) -> None:
        people = make_players(4)
        for game in range(40):
            finish([people[game % 2], people[2 + game % 2]], [1, 2], days=10 + game)
        before = stored()
        lines = run("--fit")
        assert [line.split()[1] for line in lines] == [
            f"{beta:.2f}" for beta in (4, 5, 6, 6.25, 7, 8, 9, 10, 11, 12)
        ]
        assert [line.endswith("in force") for line in lines].index(True) == 3
        assert stored() == before

    def test_its_loss_is_that_of_the_calibration(self, season: list[Game]) -> None:
        people = make_players(4)
        for game in range(60):
            finish([people[game % 2], people[2 + game % 2]], [1 + game % 2, 2 - game % 2], days=10 + game)
        tasks.rate_games()
        told = [json.loads(line) for line in run("--fit", "--json")]
        (one,) = [one for one in told if one["beta"] == 6.25]
        assert one["games"] == load_calibration().games > 0
        assert one["log_loss"] == pytest.approx(load_calibration().mean_loss)

    def test_without_games_there_is_no_loss(self) -> None:
        assert "log loss -" in run("--fit")[0]

    def test_it_is_asked_for_instead_of_the_check(self) -> None:
        with pytest.raises(CommandError):
            call_command(COMMAND, "--fit", "--check")
