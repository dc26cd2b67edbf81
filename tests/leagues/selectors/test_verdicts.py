"""Tests that all pages and messages about a game of a league tell one result (STAND-21)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from games import heartbeat, play
from games.clocks import DAY, HOUR, AtEnd, ClockSettings, Ladder
from games.models import Game, Seat, Status
from games.play import moderation
from games.play.positions import load_position
from games.rules import Place
from leagues import seasons
from leagues.models import Fixture, Phase, Season
from leagues.standings import Rules, Withdrawn
from tests.games.factories import heart_beats, play_turns
from tests.games.play.moderating import asked
from tests.leagues.organising_helpers import get_fixture_between, settle_fixture
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, get_numbered_player
from tests.leagues.selectors.verdict_helpers import (
    BOTH,
    FIRST,
    SECOND,
    Document,
    Winners,
    crawl_pages,
    send_messages,
)

pytestmark = pytest.mark.django_db
LATER = BEGINS + DAY
TO_FIRST, TO_SECOND, TO_BOTH = frozenset({FIRST}), frozenset({SECOND}), BOTH
TO_NOBODY: Winners = frozenset()
Stages = Iterator[tuple[datetime, Winners | None]]
"""Instants, each with those who have won by then; ``None`` while organisers decide."""


def begin(number: int = 2, **settings: Any) -> Game:
    """Begin a season and send what is due of it; return the game of the first two players."""
    begin_season(number, division_size=4, **settings)
    send_messages(BEGINS + HOUR)
    return get_game()


def get_game() -> Game:
    fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
    assert fixture.game is not None
    return fixture.game


def settle(ranks: tuple[int, int], now: datetime) -> None:
    first, second = get_numbered_player(0), get_numbered_player(1)
    fixture = get_fixture_between(first, second)
    settle_fixture(fixture, {first: ranks[0], second: ranks[1]}, now=now)
    advance_seasons(now)


def resign(game: Game, loser: int, now: datetime = LATER) -> None:
    seat = Seat.objects.get(game=game, player=get_numbered_player(loser))
    play.resign(game_id=game.pk, seat=seat.index, now=now)
    play.score(game_id=game.pk, now=now)


def play_without_figures(game: Game, turns: int | None = None) -> Game:
    """Play *turns*, or all, in which nobody scores."""
    played = 0
    while game.status == Status.PLAYING and (turns is None or played < turns):
        heart_beats(LATER)
        assert game.awaited is not None
        legal = load_position(game).legal_actions()
        bare = (action for action in legal if isinstance(action, Place) and action.figure is None)
        game = play.play(
            game_id=game.pk,
            seat=game.awaited,
            action=next(bare),
            expected_version=game.version,
            now=LATER,
        )
        played += 1
    return game


def reach_hard_end(at_end: AtEnd, turns: int = 3) -> tuple[Game, datetime]:
    """Begin a season, play *turns* in which only the one who begins takes time, and let its hard end come."""
    clock = ClockSettings(start=60 * DAY, gain=DAY, cap=60 * DAY, at_end=at_end)
    game = begin(clock=clock)
    game = play_without_figures(game, turns)
    now = Season.objects.get().ends + HOUR
    heartbeat.set_beat(now)
    assert play.lose_on_time(game_id=game.pk, now=now)
    return Game.objects.get(), now


def name_winners(game: Game) -> Winners:
    """Those whom the game itself ranks first."""
    return frozenset(str(seat.player) for seat in game.seats.filter(rank=1).select_related("player"))


def played_out() -> Stages:
    game = play_turns(begin(), now=LATER)
    play.score(game_id=game.pk, now=LATER + 2 * HOUR)
    advance_seasons(LATER + 2 * HOUR)
    yield LATER + 2 * HOUR, name_winners(game)


def tied() -> Stages:
    game = play_without_figures(begin())
    play.score(game_id=game.pk, now=LATER)
    advance_seasons(LATER)
    yield LATER, TO_BOTH


def resigned() -> Stages:
    resign(play_turns(begin(), 4, now=LATER), loser=1)
    advance_seasons(LATER)
    yield LATER, TO_FIRST


def left_at_once() -> Stages:
    resign(begin(), loser=0)
    yield LATER, TO_SECOND
    advance_seasons(LATER)
    yield LATER + HOUR, TO_SECOND


def lost_on_time() -> Stages:
    game = play_turns(begin(ladder=Ladder(excuses=0, holiday=False)), 4, now=LATER)
    assert game.deadline is not None and game.awaited is not None
    send_messages(game.deadline)  # nobody loses while the notice of the turn is unsent
    now = game.deadline + 2 * HOUR
    loser = game.seats.get(index=game.awaited).player
    heartbeat.set_beat(now)
    assert play.lose_on_time(game_id=game.pk, now=now)
    play.score(game_id=game.pk, now=now)
    advance_seasons(now)
    yield now, BOTH - {str(loser)}


def decided_by_clock() -> Stages:
    game, now = reach_hard_end(AtEnd.TIME)
    yield now, name_winners(game)
    advance_seasons(now)
    yield now + HOUR, name_winners(game)


def scored_as_it_stood() -> Stages:
    _game, now = reach_hard_end(AtEnd.SCORE, turns=40)
    advance_seasons(now)
    yield now, TO_BOTH


def decided_by_organisers() -> Stages:
    game, now = reach_hard_end(AtEnd.ORGANISER)
    yield now, None
    advance_seasons(now)
    yield now + HOUR, None
    (by_time,) = name_winners(game)
    to_other = (2, 1) if by_time == FIRST else (1, 2)
    settle(to_other, now + DAY)
    yield now + DAY, BOTH - {by_time}


def left_by_organisers_to_the_clock() -> Stages:
    game, now = reach_hard_end(AtEnd.ORGANISER)
    yield now, None
    advance_seasons(now + 7 * DAY)
    yield now + 7 * DAY, name_winners(game)


def called_off_and_forfeited() -> Stages:
    play_turns(begin(), 4, now=LATER)
    settle((2, 1), LATER)
    yield LATER, TO_SECOND


def forfeited_by_both() -> Stages:
    resign(play_turns(begin(), 4, now=LATER), loser=1)
    advance_seasons(LATER)
    yield LATER, TO_FIRST
    settle((2, 2), LATER + HOUR)
    yield LATER + HOUR, TO_NOBODY


def declared_even() -> Stages:
    play_turns(begin(), 4, now=LATER)
    settle((1, 1), LATER)
    yield LATER, TO_BOTH


def ended_early_and_never_decided() -> Stages:
    game = begin()
    play.abort(game_id=game.pk, seat=0, now=LATER)
    yield LATER, None
    late = Season.objects.get().ends + 2 * DAY + HOUR
    advance_seasons(late)
    yield late, TO_NOBODY


def struck() -> Stages:
    rules = replace(Rules.usual(2), withdrawn=Withdrawn.STRIKE)
    resign(play_turns(begin(4, rules=rules), 4, now=LATER), loser=1)
    advance_seasons(LATER)
    yield LATER, TO_FIRST
    season = Season.objects.get()
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(1), now=LATER + HOUR)
    advance_seasons(LATER + HOUR)
    assert get_fixture_between(get_numbered_player(0), get_numbered_player(1)).struck
    yield LATER + HOUR, TO_FIRST


def corrected_after_the_protest_time() -> Stages:
    resign(play_turns(begin(protest=DAY), 4, now=LATER), loser=1)
    advance_seasons(LATER)
    yield LATER, TO_FIRST
    advance_seasons(LATER + 2 * DAY)
    assert Season.objects.get(number=1).phase == Phase.CLOSED
    yield LATER + 2 * DAY, TO_FIRST
    settle((2, 1), LATER + 3 * DAY)
    assert Fixture.objects.get().corrected is not None
    yield LATER + 3 * DAY, TO_SECOND


def decided_by_a_moderator() -> Stages:
    game = play_turns(begin(), 4, now=LATER)
    first = game.seats.get(player=get_numbered_player(0)).index
    moderation.adjudicate(asked(game, now=LATER), [2, 1] if first == 0 else [1, 2], [10, 10])
    advance_seasons(LATER)
    yield LATER, TO_SECOND


def annulled_by_a_moderator_then_settled() -> Stages:
    game = play_turns(begin(), 4, now=LATER)
    moderation.abort(asked(game, now=LATER))
    advance_seasons(LATER)
    yield LATER, None
    settle((1, 2), LATER + HOUR)
    yield LATER + HOUR, TO_FIRST


WAYS = (
    played_out,
    tied,
    resigned,
    left_at_once,
    lost_on_time,
    decided_by_clock,
    scored_as_it_stood,
    decided_by_organisers,
    left_by_organisers_to_the_clock,
    called_off_and_forfeited,
    forfeited_by_both,
    declared_even,
    ended_early_and_never_decided,
    struck,
    corrected_after_the_protest_time,
    decided_by_a_moderator,
    annulled_by_a_moderator_then_settled,
)


FINAL = re.compile(r".{,30}(?<!without a )\bfinal\b.{,30}")


def find_faults(found: list[Document], winners: Winners | None) -> Iterator[str]:
    """Yield what contradicts that *winners* have won, or that organisers are still to decide."""
    for one in found:
        for where, claim in one.claims.items():
            if winners is None or not claim.agrees_with(winners):
                yield f"{one}: {where!r} names {sorted(claim.won)}"
        if winners is None and one.is_about_game and "organisers have until" not in one.text:
            yield f"{one} doesn't say who decides and until when"
        if winners is None and one.is_about_game and (final := FINAL.search(one.text)):
            yield f"{one} calls something final: {final.group()}"
        if winners is not None and one.is_about_game and not one.claims:
            yield f"{one} doesn't say who has won"
    emails = Counter(one.reader for one in found if one.name.startswith("email ") and one.is_about_game)
    yield from (
        f"{reader} gets {number} emails about one result" for reader, number in emails.items() if number > 1
    )


@pytest.mark.parametrize("end", WAYS, ids=lambda way: way.__name__)
def test_everything_tells_one_verdict(end: Callable[[], Stages]) -> None:
    for now, winners in end():
        mails, pages = send_messages(now), crawl_pages(get_game(), now)
        faults = list(find_faults([*mails, *pages], winners))
        assert not faults, "\n".join([f"at {now}, won by {winners}:", *faults])
