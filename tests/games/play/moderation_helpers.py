"""Random acts of a moderator in a game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

from games import play, rules
from games.bots import house
from games.exceptions import Refused
from games.models import Bag, Game, Notice, Status
from games.pages.history.downloads import build_record
from games.play import bag, moderation, positions, timing
from games.play.audit import find_differences, find_returned_tiles
from games.rules.records import record
from tests.games.factories import NOW, heart_beats, make_player
from tests.games.play.moderating import asked, make_moderator

HOUR = timedelta(hours=1)


class ModeratedGame:
    """Game with its moderator and a clock, which advances a few minutes with each act."""

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
        """Play so many random actions, while the game allows."""
        for _ in range(turns):
            self.game = Game.objects.get(pk=self.game.pk)
            if self.game.status == Status.SCORING:
                play.score(game_id=self.game.pk, now=self.tick())
                self.game.refresh_from_db()
            if self.game.status != Status.PLAYING or self._held():
                return
            seat = self.game.seats.get(index=self.game.awaited)
            position = positions.load_position(self.game)
            action = self.chance.choice(list(position.legal_actions()))
            how = "web"
            if seat.played_by_program:
                state = rules.hide_secrets(position.state, seat.index)
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
        """Return whether the game is held now, or will be at the next turn."""
        return any(timing.find_hold(self.game, at) for at in (self.now, self.now + 2 * HOUR))

    def moderate(self) -> None:
        """Do a random act; a refused one must change nothing."""
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
        """Reopen, roll back or resume the game until it can be played."""
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
        """Check scores, clocks, tiles, bag and notices against the record, which must be readable."""
        game = Game.objects.get(pk=self.game.pk)
        assert find_differences(game) == []
        played = record.replay(build_record(game))
        assert record.find_differences(build_record(game), played) == []
        assert len(played.game.state.board.tiles) == len(positions.load_position(game).state.board.tiles)
        hidden = Bag.objects.get(game=game)
        drawn = list(game.tiles.order_by("draw").values_list("kind", flat=True))
        came = bag.compute_order_with_returns(
            bytes(hidden.seed), game.draw_code, game.rules.bag, find_returned_tiles(game)
        )
        assert [*drawn, *hidden.order] == [copy.tile for copy in came]
        owed = Notice.objects.filter(game=game, sent=None, dropped=None, kind__in=["your_turn", "reminder"])
        assert set(owed.values_list("version", flat=True)) <= {game.turn_version}
        if game.awaited is not None:
            awaited = game.seats.get(index=game.awaited)
            assert set(owed.values_list("recipient", flat=True)) <= {awaited.player_id}
            assert (game.calendar is None) == awaited.played_by_program
        assert Notice.objects.filter(game=game, kind="game_over", dropped=None).exists() <= game.ended
        assert not game.seed or game.ended
