"""Tests of the search for signals of foul play, from finished games and traces to rows for moderators."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts import multi_account, services
from accounts.models import Player, TraceKind
from games import play
from games.bots import house
from games.exceptions import Refused
from games.models import Ending, Game, Status
from games.play import positions
from moderation import hooks
from moderation.fair_play import measuring, search, signals
from moderation.fair_play.signals import Found
from moderation.models import GameSheet, Signal, SignalKind, SignalVerdict
from tests.games.factories import NOW, copy_game, make_game, make_player, make_players, play_turns
from tests.games.play.moderating import make_moderator

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
TODAY = NOW.date()


def ended(game: Game) -> Game:
    """Mark *game* as over after the turns that were played."""
    over = {"status": Status.FINISHED, "ending": Ending.RESIGNED, "finished": NOW}
    Game.objects.filter(pk=game.pk).update(**over, awaited=None, deadline=None, calendar=None)
    game.refresh_from_db()
    return game


@pytest.fixture
def over() -> Game:
    """A rated game of four people that ended early."""
    return ended(play_turns(make_game(seats=4, rated=True), 8))


def people(game: Game) -> list[Player]:
    return [seat.player for seat in game.seats.order_by("index").select_related("player") if seat.player]


def shares(kind: TraceKind, *players: Player, days: int = 1) -> None:
    """Give *players* a trace in common on so many days."""
    for day in range(days):
        for player in players:
            mark = f"{day:064x}"
            multi_account.write(player.pk, {str(kind): mark}, TODAY - timedelta(days=day))


def run() -> search.SearchReport:
    search.compare_accounts(NOW)
    return search.search_games(NOW, seconds=600)


def given(sheet: GameSheet, giver: int, to: int, points: int) -> None:
    """Let the turns of a seat have given another seat so many points, and all others one."""
    sheet.seats[giver]["given"] = [1] * len(sheet.seats)
    sheet.seats[giver]["given"][to] = points
    sheet.due = True
    sheet.save()


class TestMeasuring:
    def test_a_finished_rated_game_is_read_once(self) -> None:
        over = play_turns(make_game(rated=True))
        play.score(game_id=over.pk, now=NOW)
        play_turns(make_game(seats=2, rated=True), 4)
        ended(play_turns(make_game(seats=2), 4))
        assert measuring.read_games(stop=float("inf")) == 1
        assert measuring.read_games(stop=float("inf")) == 0
        sheet = GameSheet.objects.get()
        assert [seat["score"] for seat in sheet.seats] == list(
            over.seats.order_by("index").values_list("score", flat=True)
        )
        assert all(seat["early"] and seat["same"] for seat in sheet.seats)

    def test_a_game_that_has_changed_since_is_read_anew(self, over: Game) -> None:
        run()
        Game.objects.filter(pk=over.pk).update(version=over.version + 1)
        assert list(measuring.find_unread_games()) == [over]
        run()
        assert GameSheet.objects.get().version == over.version + 1

    def test_the_house_bot_is_asked_about_its_own_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(measuring, "SAMPLED", 1)
        game = make_game(seats=2, rated=True)
        for _turn in range(12):
            seat, state = game.awaited, positions.load_position(game).state
            assert seat is not None
            action = house.choose(state)
            game = play.play(
                game_id=game.pk, seat=seat, action=action, expected_version=game.version, now=NOW, how="web"
            )
        ended(play_turns(game, 10))
        run()
        agreed = GameSheet.objects.get().agreements
        assert agreed is not None
        assert all(4 <= same < turns <= 11 for same, turns in agreed)


class TestInCommon:
    @pytest.mark.parametrize(
        ("kind", "days"), [(TraceKind.DEVICE, 1), (TraceKind.MAILBOX, 1), (TraceKind.NETWORK, 5)]
    )
    def test_two_at_one_rated_table_are_found_with_their_base_rate(
        self, over: Game, kind: TraceKind, days: int
    ) -> None:
        anna, bruno, clara, _david = people(over)
        shares(kind, anna, bruno, days=days)
        multi_account.write(clara.pk, {str(kind): "f" * 64}, TODAY)
        run()
        signal = Signal.objects.get()
        assert (signal.kind, signal.subject, signal.other) == (str(kind), anna, bruno)
        assert signal.base_rate == pytest.approx(1 / 3)
        assert signal.data["games"] == [over.code] and signal.data["shared"] == days

    def test_two_in_one_season_are_found_who_have_not_met_yet(self, monkeypatch: pytest.MonkeyPatch) -> None:
        anna, bruno, clara = make_players(3)
        contests = [{anna.pk, clara.pk}, {bruno.pk, clara.pk}]
        monkeypatch.setattr(hooks.CONTESTS, "_values", {"leagues": lambda players: contests})
        shares(TraceKind.DEVICE, anna, bruno, clara)
        run()
        rows = Signal.objects.order_by("subject", "other").values_list("subject", "other", "data__together")
        assert list(rows) == [(anna.pk, clara.pk, 0), (bruno.pk, clara.pk, 0)]

    def test_who_never_met_at_a_rated_table_or_seldom_shares_a_network_is_not(self, over: Game) -> None:
        anna, bruno, *_others = people(over)
        shares(TraceKind.NETWORK, anna, bruno, days=4)
        shares(TraceKind.DEVICE, anna, make_player("Greta"))
        run()
        assert not Signal.objects.exists()


class TestOfGames:
    def test_who_keeps_helping_is_found_and_the_others_are_not(self, over: Game) -> None:
        for game in [over, *copy_game(over, 9)]:
            measuring.read_game(game)
        for sheet in GameSheet.objects.all():
            given(sheet, 0, 2, 25)
        report = run()
        assert report.looked_at == 4 and report.done
        signal = Signal.objects.get(kind=SignalKind.HELPING)
        anna, _bruno, clara, _david = people(over)
        assert (signal.subject, signal.other) == (anna, clara)
        assert signal.data["given"] == 250 and signal.data["games"] == 10
        assert signal.base_rate == pytest.approx(3**-10)

    def test_who_slows_down_when_behind_is_found(self, over: Game) -> None:
        for game in [over, *copy_game(over, 39)]:
            measuring.read_game(game)
        for number, sheet in enumerate(GameSheet.objects.all()):
            behind = number % 2 == 0
            for seat in sheet.seats:
                seat.update(early=1000.0, late=1000.0 + number, half=1, best=40)
            sheet.seats[1].update(half=-20 if behind else 5, late=9000.0 + number if behind else 900.0)
            sheet.save()
        run()
        signal = Signal.objects.get()
        assert (signal.kind, signal.subject, signal.other) == (SignalKind.STALLING, people(over)[1], None)
        assert signal.data["factor"] == pytest.approx(10, rel=0.1)

    def test_games_thrown_to_one_opponent_are_found(self, over: Game) -> None:
        anna, bruno, *_others = people(over)
        table = ended(make_game(seats=2, rated=True))
        over.seats.filter(player=bruno).update(player=make_player("Greta"))
        for game in [over, *copy_game(over, 29)]:
            measuring.read_game(game)
        for game in [table, *copy_game(table, 9)]:
            measuring.read_game(game)
            game.seats.filter(player=anna).update(rank=2)
            game.seats.filter(player=bruno).update(rank=1)
            sheet = GameSheet.objects.get(game=game)
            sheet.seats[0]["left"] = 12
            sheet.save()
        run()
        signal = Signal.objects.get(kind=SignalKind.THROWING)
        assert (signal.subject, signal.other) == (anna, bruno)
        assert (signal.data["thrown"], signal.data["together"]) == (10, 10)

    def test_who_plays_like_the_program_is_found(self, over: Game) -> None:
        measuring.read_game(over)
        agreed = [[95, 100], [30, 100], [35, 100], [25, 100]]
        GameSheet.objects.update(agreements=agreed)
        run()
        signal = Signal.objects.get()
        assert (signal.kind, signal.subject) == (SignalKind.PROGRAM, people(over)[0])
        assert signal.data["rate"] == pytest.approx(0.3)

    def test_a_substitute_answers_for_no_turns_of_whoever_sat_there_before(self, over: Game) -> None:
        measuring.read_game(over)
        sheet = GameSheet.objects.get()
        sheet.agreements = [[95, 100], [30, 100], [35, 100], [25, 100]]
        sheet.seats[0]["same"] = False
        sheet.save()
        run()
        assert not Signal.objects.exists()

    def test_what_time_does_not_suffice_for_is_left_to_the_next_search(self, over: Game) -> None:
        measuring.read_game(over)
        assert not search.search_games(NOW, seconds=-1).done
        assert GameSheet.objects.filter(due=True).exists()
        assert run().done and not GameSheet.objects.filter(due=True).exists()

    def test_a_player_of_many_games_costs_few_queries(
        self, over: Game, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        for game in [over, *copy_game(over, 30)]:
            measuring.read_game(game)
        anna = people(over)[0]
        with django_assert_max_num_queries(2):
            assert list(search.of_games(anna.pk, search.Tested(4, 12))) == []

    def test_pairs_are_counted_by_direction(self, over: Game) -> None:
        for game in [over, *copy_game(over, 4)]:
            measuring.read_game(game)
        assert search.count_tested() == search.Tested(people=4, pairs=12)


def found(subject: Player, other: Player | None = None, score: float = 4.0, **more: Any) -> Found:
    kind = SignalKind.HELPING if other else SignalKind.STALLING
    return Found(kind, subject.pk, other.pk if other else None, score, 0.0001, {"rows": [], **more})


class TestSignals:
    def test_what_is_found_again_is_refreshed_not_doubled(self) -> None:
        anna, bruno = make_players(2)
        for day, other in enumerate([bruno, bruno, None, None]):
            signals.record(found(anna, other, 4.0 + day), now=NOW + day * DAY)
        rows = Signal.objects.order_by("pk").values_list("other", "score", "found", "refreshed")
        assert list(rows) == [(bruno.pk, 5.0, NOW, NOW + DAY), (None, 7.0, NOW + 2 * DAY, NOW + 3 * DAY)]

    def test_what_is_settled_stays_so_until_there_is_much_more_of_it(self) -> None:
        anna, mira = make_player("Anna"), make_moderator()
        signals.record(found(anna), now=NOW)
        row = Signal.objects.get()
        signals.settle(signal=row.pk, who=mira, verdict=SignalVerdict.NOTHING, why="Two brothers.", now=NOW)
        signals.record(found(anna, score=5.9), now=NOW + DAY)
        assert not signals.find_waiting().exists()
        signals.record(found(anna, score=6.0), now=NOW + DAY)
        assert signals.find_waiting().get().found == NOW + DAY

    def test_only_moderators_settle_and_never_what_is_about_them(self) -> None:
        anna, mira = make_player("Anna"), make_moderator()
        signals.record(found(anna, mira), now=NOW)
        row = Signal.objects.get()
        for who, why, code in (
            (anna, "No.", "may_not_moderate"),
            (mira, "No.", "may_not_moderate"),
            (make_moderator("Nils"), "  ", "say_why"),
            (make_moderator("Olga"), "x" * 501, "reason_too_long"),
        ):
            with pytest.raises(Refused) as refused:
                signals.settle(signal=row.pk, who=who, verdict=SignalVerdict.NOTHING, why=why, now=NOW)
            assert refused.value.code == code
        assert signals.find_waiting().exists()
        olga = Player.objects.get(username="Olga")
        signals.settle(signal=row.pk, who=olga, verdict=SignalVerdict.ACTED, why="Warned.", now=NOW)
        with pytest.raises(Refused) as refused:
            signals.settle(signal=row.pk, who=olga, verdict=SignalVerdict.NOTHING, why="Wrong.", now=NOW)
        assert refused.value.code == "settled_already"

    def test_goes_with_either_account(self) -> None:
        anna, bruno = make_players(2)
        signals.record(found(anna, bruno), now=NOW)
        services.close_account(player=bruno, now=NOW)
        assert not Signal.objects.exists()
        bruno.refresh_from_db()
        signals.record(found(anna, bruno), now=NOW)
        assert not Signal.objects.exists()

    def test_what_rests_on_traces_goes_when_they_are_forgotten(self) -> None:
        anna, bruno = make_players(2)
        shared = found(anna, bruno)._replace(kind=SignalKind.DEVICE)
        signals.record(shared, now=NOW)
        signals.record(found(anna, bruno), now=NOW)
        signals.forget_old(now=NOW + multi_account.KEPT + DAY)
        assert Signal.objects.get().kind == SignalKind.HELPING
