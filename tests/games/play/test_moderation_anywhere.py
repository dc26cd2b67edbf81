"""Whatever a moderator does at whatever ply of whatever game, the rows agree with the record, the game can be
played to its end, and its record can be read.

``MODERATED=200 pytest tests/games/play/test_moderation_anywhere.py`` tries so many games.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from games import play, rules
from games.bots import house
from games.exceptions import Refused
from games.models import Bag, Game, Notice, Status
from games.pages.history.downloads import record_of
from games.play import bag, moderation, positions, timing
from games.play.audit import differences, returned
from games.rules.playout import random_rules
from games.rules.records import record
from tests.games.factories import NOW, heart_beats, make_game, make_player
from tests.games.play.moderating import asked, make_moderator

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
GAMES = int(os.environ.get("MODERATED", 0))
CREATOR = {"first_player": "creator"}
KINDS: tuple[dict[str, Any], ...] = (
    {"seats": 2},
    {"seats": 3, "options": {**CREATOR, "hand": "three_hidden"}},
    {"seats": 3, "options": {**CREATOR, "unplaceable": "back_in_bag"}},
    {"seats": 2, "sets": ("base", "river1"), "options": {**CREATOR, "next_tile": "at_turn_end"}},
    {"seats": 3, "sets": ("base", "count"), "bots": 1},
    {"seats": 4, "sets": ("base", "inns-and-cathedrals", "abbot"), "edition": "C2", "rated": True},
)
"""Hands of three, tiles that go back into the bag, groups of tiles, questions to other seats, bots."""

DRAWN = 4  # games of any sets, options and number of seats, besides
HOUR = timedelta(hours=1)


def kind(number: int) -> dict[str, Any]:
    """The settings of the game of that number: one of ours, or drawn from all that go together."""
    if number < len(KINDS):
        return {"options": CREATOR, **KINDS[number]}
    rules = random_rules(Random(number))
    return {
        "sets": rules.sets,
        "edition": rules.edition,
        "options": dict(rules.options),
        "seats": rules.seats,
        "rated": number % 2 == 0,
    }


class Session:
    """A game, its moderator, and the time: a few minutes pass with everything that is done."""

    def __init__(self, game: Game, seed: int, now: datetime = NOW) -> None:
        self.chance = Random(seed)
        self.moderator = make_moderator()
        self.spare = [make_player(f"Spare{n}") for n in range(3)]
        self.now = now
        self.game = game
        self.acts = 0

    def tick(self) -> datetime:
        self.now += timedelta(minutes=self.chance.randrange(1, 90))
        heart_beats(self.now)
        return self.now

    def play(self, turns: int) -> None:
        """Play so many random actions, as far as it goes, by whoever is awaited."""
        for _ in range(turns):
            self.game = Game.objects.get(pk=self.game.pk)
            if self.game.status == Status.SCORING:
                play.score(game_id=self.game.pk, now=self.tick())
                self.game.refresh_from_db()
            if self.game.status != Status.PLAYING or self._held():
                return
            seat = self.game.seats.get(index=self.game.awaited)
            position = positions.position(self.game)
            action = self.chance.choice(list(position.legal_actions()))
            how = "web"
            if seat.played_by_program:
                state = rules.view(position.state, seat.index)
                action, how = house.choose(state, figures=not seat.left), "time-out" if seat.left else "bot"
            play.play(
                game_id=self.game.pk,
                seat=seat.index,
                action=action,
                expected_version=self.game.version,
                now=self.tick(),
                how=how,
            )

    def _held(self) -> bool:
        """Whether nobody may play now, or not any more when the next turn comes."""
        return any(timing.held(self.game, at) for at in (self.now, self.now + 2 * HOUR))

    def moderate(self) -> None:
        """Do something at random; what is refused changes nothing."""
        self.game.refresh_from_db()
        before = self.game.version
        try:
            act = self._some_act()(asked(self.game, self.moderator, self.tick()))
        except Refused:
            assert Game.objects.get(pk=self.game.pk).version == before
            return
        self.acts += 1
        assert act.version > before
        self.must_be_sound()

    def _some_act(self) -> Callable[..., Any]:
        seat, ply = self.chance.randrange(self.game.places), self.chance.randrange(self.game.ply + 1)
        ranks = self.chance.choice([[1, 2, 3, 4], [1, 1, 3, 4]])[: self.game.places]
        acts: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
            *[(moderation.roll_back, (ply,))] * 3,
            (moderation.pause, (None,)),
            (moderation.pause, (self.now + 9 * HOUR,)),
            *[(moderation.resume, ())] * 2,
            (moderation.extend, (3, self.chance.choice([None, seat]))),
            (moderation.adjudicate, (ranks, [7] * self.game.places)),
            (moderation.abort, ()),
            *[(moderation.reopen, ())] * 3,
            (moderation.replace, (seat, None)),
            (moderation.replace, (seat, self.chance.choice(self.spare))),
            *[(moderation.give_back, (seat,))] * 2,
            (moderation.hand_to_ladder, (seat,)),
            (moderation.unrate, ()),
            (moderation.rate, ()),
        ]
        act, given = self.chance.choice(acts)
        return lambda wish: act(wish, *given)

    def go_on(self) -> None:
        """See to it that the game is played."""
        for act, given in ((moderation.reopen, ()), (moderation.roll_back, (self.game.ply - 1,))):
            self.game.refresh_from_db()
            if self.game.ended:
                try:
                    act(asked(self.game, self.moderator, self.tick()), *given)
                except Refused:
                    continue
        self.game.refresh_from_db()
        if self.game.status == Status.PLAYING:
            try:
                moderation.resume(asked(self.game, self.moderator, self.tick()))
            except Refused as refused:
                assert refused.code == "not_held"
        self.must_be_sound()

    def must_be_sound(self) -> None:
        """Scores, clocks, tiles, bag and notices are what the record makes of them, and it can be read."""
        game = Game.objects.get(pk=self.game.pk)
        assert differences(game) == []
        played = record.replay(record_of(game))
        assert record.differences(record_of(game), played) == []
        assert len(played.game.state.board.tiles) == len(positions.position(game).state.board.tiles)
        hidden = Bag.objects.get(game=game)
        drawn = list(game.tiles.order_by("draw").values_list("kind", flat=True))
        came = bag.dealt(bytes(hidden.seed), game.draw_code, game.rules.bag, returned(game))
        assert [*drawn, *hidden.order] == [copy.tile for copy in came]
        owed = Notice.objects.filter(game=game, sent=None, dropped=None, kind__in=["your_turn", "reminder"])
        assert set(owed.values_list("version", flat=True)) <= {game.turn_version}
        if game.awaited is not None:
            awaited = game.seats.get(index=game.awaited)
            assert set(owed.values_list("recipient", flat=True)) <= {awaited.player_id}
            assert (game.calendar is None) == awaited.played_by_program
        assert Notice.objects.filter(game=game, kind="game_over", dropped=None).exists() <= game.ended
        assert not game.seed or game.ended


@pytest.mark.parametrize("number", range(GAMES or len(KINDS) + DRAWN))
def test_any_acts_at_any_plies_leave_a_sound_game_that_goes_on(number: int) -> None:
    session = Session(make_game(**kind(number)), seed=number)
    for _ in range(4):
        session.play(session.chance.randrange(1, 6))
        session.moderate()
    while session.acts < 5:
        session.moderate()
    session.go_on()
    to_the_end = GAMES or number % len(KINDS) == 0
    session.play(400 if to_the_end else 5)
    session.must_be_sound()
    if to_the_end:
        assert session.game.status == Status.FINISHED
