"""Tests of organisers' acts on a game: calling it off, or moving its hard end."""

from datetime import timedelta

import pytest

from games import play
from games.clocks import DAY, ClockSettings
from games.exceptions import Refused
from games.models import Ending, Game, Kind, Notice, Status
from games.notices.email import compose
from games.pages.parts.story import build_story_entries
from games.pages.scene import Scene
from games.play.audit import find_differences
from games.selectors.moves import load_recent_moves
from tests.games.factories import NOW, make_game, make_table, play_turns

pytestmark = pytest.mark.django_db


def ending(days: int) -> Game:
    """Make a game with turns of three days and a hard end after so many days."""
    ends = NOW + days * DAY
    return make_game(clock=ClockSettings(start=3 * DAY, gain=3 * DAY, cap=3 * DAY, ends=ends))


class TestCallOff:
    def test_ends_it_without_a_winner_and_tells_everybody(self) -> None:
        game = play_turns(make_game(rated=True), 5)
        assert play.call_off(game_id=game.pk, now=NOW + DAY)
        game.refresh_from_db()
        assert (game.status, game.ending, game.rated) == (Status.ABORTED, Ending.CALLED_OFF, False)
        assert not game.seats.exclude(result="").exists()
        mails = [compose(notice) for notice in Notice.objects.filter(kind=Kind.GAME_OVER, game=game)]
        assert len(mails) == 2 and "The organisers called the game off," in mails[0].body
        assert find_differences(game) == []

    def test_stands_in_its_story(self) -> None:
        game = play_turns(make_game(), 5)
        play.call_off(game_id=game.pk, now=NOW + DAY)
        game.refresh_from_db()
        last = build_story_entries(Scene.of(game, game.host), load_recent_moves(game))[-1]
        assert (last.heading, last.sentences) == ("", ("The organisers called the game off.",))

    def test_again_changes_nothing(self) -> None:
        game = make_game()
        assert play.call_off(game_id=game.pk, now=NOW)
        assert not play.call_off(game_id=game.pk, now=NOW + DAY)
        game.refresh_from_db()
        assert game.finished == NOW

    def test_one_that_has_not_begun_is_not_theirs_to_end(self) -> None:
        with pytest.raises(Refused):
            play.call_off(game_id=make_table().pk, now=NOW)


class TestExtend:
    def test_moves_the_hard_end_and_the_deadline_under_it(self) -> None:
        game = ending(2)
        assert game.deadline == NOW + 2 * DAY
        assert play.extend(game_id=game.pk, ends=NOW + 9 * DAY, now=NOW + DAY)
        game.refresh_from_db()
        assert (game.clock.ends, game.deadline) == (NOW + 9 * DAY, NOW + 3 * DAY)
        play_turns(game, 3, now=NOW + 2 * DAY + timedelta(hours=1))
        game.refresh_from_db()
        assert find_differences(game) == []

    def test_sets_no_deadline_where_no_clock_runs(self) -> None:
        game = play_turns(make_game(bots=1, clock=ending(2).clock), 1)
        assert game.awaited == 1 and game.deadline is None, "the bot is on turn"
        assert play.extend(game_id=game.pk, ends=NOW + 9 * DAY, now=NOW + DAY)
        game.refresh_from_db()
        assert (game.clock.ends, game.deadline, game.remind_at) == (NOW + 9 * DAY, None, None)

    @pytest.mark.parametrize("days", [1, 2])
    def test_never_shortens(self, days: int) -> None:
        game = ending(2)
        assert not play.extend(game_id=game.pk, ends=NOW + days * DAY, now=NOW)
        assert Game.objects.get(pk=game.pk).clock.ends == NOW + 2 * DAY

    def test_leaves_one_without_a_hard_end_alone(self) -> None:
        game = make_game()
        assert not play.extend(game_id=game.pk, ends=NOW + 9 * DAY, now=NOW)
        assert not play.extend(game_id=make_table().pk, ends=NOW + 9 * DAY, now=NOW)
