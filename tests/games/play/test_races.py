"""Tests of simultaneous acts, in real threads on a real database: exactly one counts."""

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.utils import timezone

from accounts.services import close_account
from games import heartbeat, outbox, play, tables, tasks
from games.clocks import DAY, PRESETS, Ladder
from games.exceptions import GameOver, NotYourTurn, Refused, StaleTurn
from games.models import Answer, Contact, Game, Holiday, Kind, Move, Notice, Proposal, SeatState, Status
from games.notices import email
from games.play import holidays, moderation, positions
from games.play.audit import find_differences
from tests.games.factories import (
    NOW,
    heart_beats,
    make_game,
    make_player,
    make_table,
    new_process,
    play_turns,
)
from tests.games.play.moderating import asked, make_moderator
from tests.games.play.simultaneous_helpers import make_undoable_game, run_at_once
from tests.games.play.substitute_helpers import get_time_after_last_move, make_offered_game
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def clean_caches() -> Iterator[None]:
    """Clear caches, as rows are numbered anew in every test."""
    yield
    new_process()


def turn(game: Game, action: Any, seat: int = 0, version: int = 1) -> Callable[[], Any]:
    return lambda: play.play(
        game_id=game.pk, seat=seat, action=action, expected_version=version, now=timezone.now()
    )


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_different_turns_exactly_one_counts(attempt: int) -> None:
    game = make_game(now=timezone.now())
    actions = list(positions.load_position(game).legal_actions())
    results = run_at_once(*(turn(game, action) for action in actions[:4]))
    accepted = [result for result in results if isinstance(result, Game)]
    assert len(accepted) == 1
    assert sum(isinstance(result, StaleTurn) for result in results) == 3
    game.refresh_from_db()
    assert game.ply == 1  # the version may have grown by more than a draw, if a tile fitted nowhere
    assert game.moves.filter(seat__isnull=False).count() == 1
    assert Notice.objects.filter(kind=Kind.YOUR_TURN, version=3).count() == 1
    assert find_differences(game) == []


def test_a_double_click_counts_once_and_both_are_answered_as_success() -> None:
    game = make_game(now=timezone.now())
    action = next(iter(positions.load_position(game).legal_actions()))
    results = run_at_once(turn(game, action), turn(game, action), turn(game, action))
    assert [result.version for result in results] == [3, 3, 3]
    assert Move.objects.filter(ply__isnull=False).count() == 1


def test_a_turn_and_a_resignation_at_once_leave_a_sound_game() -> None:
    game = play_turns(make_game(now=timezone.now()), 2, now=timezone.now())
    action = next(iter(positions.load_position(game).legal_actions()))
    played, resigned = run_at_once(
        turn(game, action, 0, 5), lambda: play.resign(game_id=game.pk, seat=0, now=timezone.now())
    )
    assert isinstance(resigned, Game)
    assert isinstance(played, Game | GameOver | NotYourTurn)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert find_differences(game) == []


@pytest.mark.parametrize("attempt", range(3))
def test_a_turn_is_undone_or_seen_but_not_both(attempt: int) -> None:
    game, now = make_undoable_game(), timezone.now()
    results = run_at_once(
        lambda: play.undo(game_id=game.pk, seat=0, now=now),
        lambda: play.settle(game_id=game.pk, now=now, seen_by=1),
        lambda: play.undo(game_id=game.pk, seat=0, now=now),
    )
    game.refresh_from_db()
    undone = game.moves.filter(action__type="undo").count()
    assert (undone, game.awaited, game.settles) in [(1, 0, None), (0, 1, None)]
    assert results[1] is (undone == 0)
    assert all(isinstance(one, Game if undone else Refused) for one in (results[0], results[2]))
    assert find_differences(game) == []


def test_a_turn_that_several_see_at_once_draws_once() -> None:
    game, now = make_undoable_game(), timezone.now()
    results = run_at_once(*[lambda: play.settle(game_id=game.pk, now=now, seen_by=1)] * 4)
    assert sorted(results) == [False, False, False, True]
    game.refresh_from_db()
    assert (game.tiles.count(), find_differences(game)) == (2, [])


def test_a_seat_is_taken_over_by_one() -> None:
    game = make_offered_game()
    now = get_time_after_last_move(game)
    emma, felix = make_player("Emma"), make_player("Felix")
    results = run_at_once(
        *[
            lambda player=player: play.take_over(game_id=game.pk, seat=2, player=player, now=now)
            for player in (emma, felix, emma)
        ],
        lambda: play.come_back(game_id=game.pk, seat=2, now=now),
    )
    game.refresh_from_db()
    assert any(isinstance(result, Game) for result in results)
    assert game.moves.filter(action__type__in=["take_over", "come_back"]).count() == 1
    assert find_differences(game) == []


def test_all_agree_at_once_and_the_game_ends_once() -> None:
    now = timezone.now()
    game = make_game(seats=3, now=now)
    play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=now)
    offer = game.offers.get()
    run_at_once(
        *[lambda seat=seat: play.agree(offer_id=offer.pk, seat=seat, now=now) for seat in (1, 2, 1, 2)]
    )
    game.refresh_from_db()
    assert (game.ending, game.moves.filter(action__type="end").count()) == ("agreed", 1)
    assert find_differences(game) == []


def test_a_moderator_who_clicks_twice_and_another_do_one_thing() -> None:
    game = play_turns(make_game(now=timezone.now()), 6, now=timezone.now())
    wish = asked(game, make_moderator(), timezone.now())
    other = asked(game, make_moderator("Nora"), timezone.now())
    results = run_at_once(*[lambda one=one: moderation.roll_back(one, 2) for one in (wish, wish, other)])
    game.refresh_from_db()
    assert (game.ply, game.moderation.count(), find_differences(game)) == (2, 1, [])
    assert sum(isinstance(result, StaleTurn) for result in results) in (1, 2)  # whoever came later


def test_the_last_seat_is_taken_by_one() -> None:
    game = make_table(now=timezone.now())
    players = [make_player(name) for name in ("Bruno", "Clara", "David")]
    results = run_at_once(
        *(
            lambda player=player: tables.sit(game_id=game.pk, player=player, now=timezone.now())
            for player in players
        )
    )
    assert sum(isinstance(result, Game) for result in results) == 1
    assert sum(isinstance(result, Refused) and result.code == "not_open" for result in results) == 2
    game.refresh_from_db()
    assert (game.status, game.version) == (Status.PLAYING, 1)


def test_a_game_is_scored_once() -> None:
    game = play_turns(make_game(now=timezone.now()), now=timezone.now())
    results = run_at_once(*[lambda: play.score(game_id=game.pk, now=timezone.now())] * 3)
    assert sorted(results) == [False, False, True]
    assert find_differences(Game.objects.get(pk=game.pk)) == []


def test_hosts_who_invite_at_once_share_what_one_player_gets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_limit(monkeypatch, "invitations_to_player", 2)
    bruno = make_player("Bruno")
    tables_here = [make_table(host=make_player(f"Host{number}")) for number in range(4)]

    def invites(table: Game) -> Callable[[], Any]:
        return lambda: tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=timezone.now())

    results = run_at_once(*map(invites, tables_here))
    assert sorted(type(result).__name__ for result in results) == ["Invitation"] * 2 + ["TooMany"] * 2
    assert Contact.objects.count() == Notice.objects.filter(kind=Kind.INVITATION).count() == 2


def test_workers_side_by_side_send_each_mail_once() -> None:
    make_game(now=timezone.now(), seats=6)
    run_at_once(*[tasks.deliver_notices] * 3)
    sent = [message.extra_headers["Message-ID"] for message in mail.outbox]
    assert len(sent) == 6
    assert len(set(sent)) == 6


def test_beats_side_by_side_move_a_deadline_once() -> None:

    game = make_game(days_per_move=1)
    ends = NOW + timedelta(days=1)
    heart_beats(ends - timedelta(hours=1))
    run_at_once(*[lambda: heartbeat.beat(ends + timedelta(hours=4))] * 3)
    run_at_once(*[lambda: play.note_all_outages(seconds=5)] * 3)
    game.refresh_from_db()
    assert game.deadline == ends + timedelta(hours=16)


def test_mails_are_written_and_sent_outside_of_transactions(monkeypatch: Any) -> None:
    inside = []
    compose, send = email.compose, email.Connection.send
    monkeypatch.setattr(
        email, "compose", lambda notice: inside.append(connection.in_atomic_block) or compose(notice)
    )
    monkeypatch.setattr(
        email.Connection,
        "send",
        lambda self, message: inside.append(connection.in_atomic_block) or send(self, message),
    )
    make_game(now=timezone.now())
    tasks.deliver_notices()
    assert inside == [False] * 4


@pytest.mark.skipif(connection.vendor != "postgresql", reason="elsewhere only one can write at a time")
def test_a_turn_and_the_closing_of_an_account_do_not_wait_for_each_other(monkeypatch: Any) -> None:
    """The turn owes a notice to somebody whose account is being closed, and so comes to this game next."""
    game = make_game(now=timezone.now())
    bruno = game.seats.get(index=1).player
    action = next(iter(positions.load_position(game).legal_actions()))
    locked, closing = threading.Event(), threading.Event()
    goodbye, owe = tables.say_goodbye, outbox.tell_turn_played

    def say_goodbye(**whom: Any) -> None:
        closing.set()
        goodbye(**whom)

    def turn_played(*args: Any, **more: Any) -> None:
        locked.set()
        closing.wait(10)
        owe(*args, **more)

    def close() -> None:
        locked.wait(10)
        close_account(player=bruno, now=timezone.now())

    monkeypatch.setattr(tables, "say_goodbye", say_goodbye)
    monkeypatch.setattr(outbox, "tell_turn_played", turn_played)
    played, closed = run_at_once(turn(game, action), close)
    assert (type(played), closed) == (Game, None)
    game.refresh_from_db()
    assert (game.ply, game.ended) == (1, True)


@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.parametrize("way", ["sit", "accept", "set_up", "rematch"])
def test_who_closes_the_account_while_sitting_down_sits_nowhere(way: str, attempt: int) -> None:
    bruno = make_player("Bruno")
    if way == "rematch":
        game = make_game(now=timezone.now())
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
    else:
        game = make_table(now=timezone.now())

    def sit_down() -> Any:
        now = timezone.now()
        if way == "sit":
            return tables.sit(game_id=game.pk, player=bruno, now=now)
        if way == "accept":
            return tables.accept(token=invitation.token, player=bruno, now=now)
        if way == "rematch":
            return tables.rematch(game_id=game.pk, player=bruno, now=now)
        return tables.play_the_bot(host=bruno, now=now)

    if way == "accept":
        invitation = tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=timezone.now())
    sat, closed = run_at_once(sit_down, lambda: close_account(player=bruno, now=timezone.now()))
    assert closed is None
    assert isinstance(sat, Game | Refused)
    still = bruno.seats.filter(state=SeatState.PLAYING, game__status__in=[Status.OPEN, Status.PLAYING])
    assert list(still) == []
    assert not Game.objects.filter(host=bruno, status=Status.OPEN).exists()


@pytest.mark.parametrize("attempt", range(3))
def test_who_is_invited_while_closing_the_account_keeps_no_seat(attempt: int) -> None:
    game, bruno = make_table(now=timezone.now()), make_player("Bruno")
    _invited, closed = run_at_once(
        lambda: tables.invite(game_id=game.pk, inviter=game.host, player=bruno, now=timezone.now()),
        lambda: close_account(player=bruno, now=timezone.now()),
    )
    assert closed is None
    assert not bruno.invitations.filter(answer=Answer.PENDING).exists()


@pytest.mark.parametrize("attempt", range(3))
def test_a_table_that_begins_while_a_player_closes_the_account_is_left_all_the_same(attempt: int) -> None:
    game = make_table(seats=3, now=timezone.now())
    bruno, clara = make_player("Bruno"), make_player("Clara")
    tables.sit(game_id=game.pk, player=bruno, now=timezone.now())
    sat, closed = run_at_once(
        lambda: tables.sit(game_id=game.pk, player=clara, now=timezone.now()),
        lambda: close_account(player=bruno, now=timezone.now()),
    )
    assert (type(sat), closed) == (Game, None)
    still = bruno.seats.filter(state=SeatState.PLAYING, game__status__in=[Status.OPEN, Status.PLAYING])
    assert list(still) == []


def two_that_time_out(days: int) -> list[Game]:
    """Games of Anna, who has so many *days* of holiday left this year."""
    games = [make_game(clock=PRESETS["steady"], ladder=Ladder(excuses=0)) for _ in range(2)]
    Notice.objects.update(sent=NOW)
    anna = games[0].host
    for month in (8, 10):
        begin = datetime(2026, month, 1, tzinfo=UTC)
        play.enter_holiday(player=anna, begin=begin, end=begin + (30 - days) / 2 * DAY, now=NOW)
    heart_beats(NOW + 4 * DAY)
    return games


@pytest.mark.parametrize("attempt", range(3))
def test_time_outs_side_by_side_spend_no_more_than_the_allowance(attempt: int) -> None:
    games = two_that_time_out(days=1)
    now = NOW + 4 * DAY
    lost = run_at_once(*(lambda game=game: play.lose_on_time(game_id=game.pk, now=now) for game in games))
    assert set(lost) <= {True, False}
    (holiday,) = Holiday.objects.filter(automatic=True)
    assert holiday.begin == NOW + 3.5 * DAY
    for game in games:  # the other one's clock stands still, too
        assert not play.lose_on_time(game_id=game.pk, now=now)


@pytest.mark.parametrize("attempt", range(3))
def test_holidays_entered_at_once_do_not_overlap(attempt: int) -> None:
    game = make_game(clock=PRESETS["steady"])
    begin = NOW + 5 * DAY

    def enter() -> Holiday:
        return play.enter_holiday(player=game.host, begin=begin, end=begin + 3 * DAY, now=NOW)

    results = run_at_once(enter, enter, enter)
    assert sum(isinstance(result, Holiday) for result in results) == 1
    assert sum(isinstance(result, Refused) and result.code == "holiday_twice" for result in results) == 2


@pytest.mark.parametrize("attempt", range(3))
def test_a_time_out_a_holiday_and_the_closing_of_an_account_do_not_wait_for_each_other(attempt: int) -> None:
    games = two_that_time_out(days=20)
    now, anna = NOW + 4 * DAY, games[0].host
    results = run_at_once(
        lambda: play.lose_on_time(game_id=games[0].pk, now=now),
        lambda: play.begin_emergency(player=anna, days=3, now=now),
        lambda: close_account(player=anna, now=now),
        lambda: play.lose_on_time(game_id=games[1].pk, now=now),
    )
    assert [
        result for result in results if isinstance(result, Exception) and not isinstance(result, Refused)
    ] == []
    for game in games:
        game.refresh_from_db()
        assert game.ended
        assert find_differences(game) == []


@pytest.mark.parametrize("attempt", range(3))
def test_a_turn_and_a_holiday_at_once_leave_the_right_deadline(attempt: int) -> None:
    game = make_game(clock=PRESETS["steady"], ladder=Ladder(excuses=0))
    bruno = game.seats.get(index=1).player
    assert bruno is not None
    action = next(iter(positions.load_position(game).legal_actions()))
    begin = NOW + DAY

    def rest() -> None:
        play.enter_holiday(player=bruno, begin=begin, end=begin + 3 * DAY, now=NOW)
        tasks.follow_holidays(bruno.pk)

    played, _rested = run_at_once(
        lambda: play.play(game_id=game.pk, seat=0, action=action, expected_version=1, now=NOW), rest
    )
    assert isinstance(played, Game)
    for player in holidays.find_players_to_follow():  # their game was locked: the sweep does it
        tasks.follow_holidays(player)
    game.refresh_from_db()
    assert game.deadline == NOW + 6.5 * DAY
