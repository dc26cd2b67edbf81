"""Tests of visits: how far players have seen their games."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.services import close_account
from games import play
from games.models import Game, How, Seat, Visit
from games.pages.parts.story import MOST_TOLD, Story, build_story
from games.pages.scene import Scene
from games.selectors.moves import load_recent_moves
from games.selectors.my_games import load_my_games
from games.selectors.seats import load_seats_of
from games.tables import visits
from tests.games.factories import NOW, heart_beats, make_game, make_player, play_turns
from tests.games.play.substitute_helpers import get_time_after_last_move, make_offered_game
from tests.games.visitors import HTMX, awaited, first_line, send, signed_in, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
POLL = {"HX-Request": "true", "HX-Target": "table"}


@pytest.fixture
def game() -> Game:
    heart_beats(timezone.now())
    return make_game(seats=3, now=timezone.now(), visibility="link")


def turns(game: Game, count: int) -> Game:
    return play_turns(game, count, now=timezone.now())


def visit(game: Game, name: str) -> Visit:
    return Visit.objects.get(game=game, player__username=name)


def later(game: Game, by: timedelta) -> None:
    """Move all visits to *game* into the past."""
    for row in Visit.objects.filter(game=game):
        Visit.objects.filter(pk=row.pk).update(at=row.at - by)


def heading(response: Any) -> str:
    return Page(response).text(".story h2")


def remarks(response: Any) -> list[str]:
    """The remarks beside the names of the seats."""
    return Page(response).texts(".seats .remark")


def told_plies(response: Any) -> list[int]:
    return [one.ply for one in response.context["table"].story.told if one.ply]


def scene(game: Game, seat: int | None) -> Scene:
    """The scene of *game* for the player of *seat*, or for a spectator."""
    player = None if seat is None else load_seats_of(game)[seat].player
    return Scene.of(game, player or AnonymousUser())


def told_to(game: Game, seat: int | None, seen: int | None) -> Story:
    return build_story(scene(game, seat), load_recent_moves(game, seen), seen)


class TestCurrentVisit:
    """Visits as values."""

    def row(self, **fields: Any) -> Visit:
        return Visit(**{"since": 3, "seen": 8, "at": NOW, **fields})

    def test_the_first_one_begins_a_visit_that_knows_nothing_before(self) -> None:
        assert visits.build_current_visit(None, NOW) == (None, None, True, NOW)

    def test_one_within_the_pause_belongs_to_the_visit(self) -> None:
        current = visits.build_current_visit(self.row(), NOW + visits.PAUSE)
        assert (current.since, current.begins) == (3, False)

    def test_one_after_the_pause_begins_another(self) -> None:
        current = visits.build_current_visit(self.row(), NOW + visits.PAUSE + MINUTE)
        assert (current.since, current.begins) == (8, True)

    def test_a_clock_that_is_put_back_ends_none(self) -> None:
        assert visits.build_current_visit(self.row(), NOW - 60 * MINUTE).since == 3


class TestRows:
    def test_a_reload_writes_nothing_and_shows_the_same(
        self, game: Game, django_assert_num_queries: Any
    ) -> None:
        game = turns(game, 4)
        client = signed_in("Anna")
        client.get(url(game))
        later(game, 60 * MINUTE)
        game = turns(game, 1)
        first = client.get(url(game))
        before = Visit.objects.values().get()
        for _ in range(3):
            assert told_plies(client.get(url(game))) == told_plies(first) == [5]
        assert Visit.objects.values().get() == before

    def test_the_time_of_a_look_is_kept_now_and_then(self, game: Game) -> None:
        client = signed_in("Anna")
        client.get(url(game))
        later(game, visits.GRAIN + MINUTE)
        client.get(url(game))
        assert timezone.now() - visit(game, "Anna").at < MINUTE

    def test_looking_every_now_and_then_keeps_the_visit(self, game: Game) -> None:
        game = turns(game, 3)
        client = signed_in("Bruno")
        client.get(url(game))
        later(game, 60 * MINUTE)
        game = turns(game, 1)
        for _ in range(4):
            assert told_plies(client.get(url(game))) == [4]
            later(game, 20 * MINUTE)

    def test_two_tabs_at_once_make_one_row(self, game: Game) -> None:
        anna = game.host
        first, second = (visits.build_current_visit(None, NOW) for _ in range(2))
        visits.record(first, game, anna)
        visits.record(second, game, anna)
        assert visit(game, "Anna").seen == game.version

    def test_two_tabs_at_once_begin_one_visit(self, game: Game) -> None:
        anna = game.host
        Visit.objects.create(game=game, player=anna, since=None, seen=1, at=NOW)
        tabs = [visits.build_current_visit(visit(game, "Anna"), NOW + 60 * MINUTE) for _ in range(2)]
        for current in tabs:
            game = turns(game, 1)
            visits.record(current, game, anna)
        assert visit(game, "Anna").since == 1
        assert all(current.since == 1 for current in tabs)

    def test_a_slow_tab_unsees_nothing(self, game: Game) -> None:
        anna, before = game.host, Game.objects.get(pk=game.pk)
        Visit.objects.create(game=game, player=anna, since=None, seen=1, at=NOW)
        slow, fast = (visits.build_current_visit(visit(game, "Anna"), NOW + 10 * MINUTE) for _ in range(2))
        game = turns(game, 2)
        visits.record(fast, game, anna)
        visits.record(slow, before, anna)
        assert visit(game, "Anna").seen == game.version

    def test_a_database_that_is_too_busy_spoils_no_page(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def locked(*args: Any, **kwargs: Any) -> None:
            raise OperationalError("database is locked")

        monkeypatch.setattr(Visit.objects, "bulk_create", locked)
        assert signed_in("Anna").get(url(game)).status_code == 200
        assert not Visit.objects.exists()

    def test_looking_changes_no_game(self, game: Game) -> None:
        before = Game.objects.values().get(), list(Seat.objects.values())
        signed_in("Bruno").get(url(game))
        assert (Game.objects.values().get(), list(Seat.objects.values())) == before

    def test_closing_the_account_takes_them_away(self, game: Game) -> None:
        signed_in("Bruno").get(url(game))
        signed_in("Clara").get(url(game))
        close_account(player=game.seats.get(index=1).player, now=timezone.now())
        assert [row.player.username for row in Visit.objects.select_related("player")] == ["Clara"]


class TestWhatCounts:
    @pytest.mark.parametrize(
        "headers",
        [{"Sec-Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}, {"Purpose": "prefetch"}],
    )
    def test_reading_ahead_does_not(self, game: Game, headers: dict[str, str]) -> None:
        assert signed_in("Anna").get(url(game), headers=headers).status_code == 200
        assert not Visit.objects.exists()

    def test_asking_for_the_head_does_not(self, game: Game) -> None:
        assert signed_in("Anna").head(url(game)).status_code == 200
        assert not Visit.objects.exists()

    def test_strangers_leave_nothing(self, game: Game) -> None:
        page = Client().get(url(game))
        assert heading(page) == "Latest turns"
        assert not Visit.objects.exists()

    def test_looking_for_news_counts_when_there_are_any(self, game: Game) -> None:
        client = signed_in("Clara")
        client.get(url(game))
        later(game, 10 * MINUTE)
        asking = {"since": f"{game.version}.0"}
        before = visit(game, "Clara")
        assert client.get(url(game), asking, headers=POLL).status_code == 204
        assert visit(game, "Clara").at == before.at
        game = turns(game, 1)
        client.get(url(game), asking, headers=POLL)
        after = visit(game, "Clara")
        assert after.seen == game.version > before.seen and after.at > before.at

    def test_a_page_left_open_sees_nothing_for_its_player(self, game: Game) -> None:
        game = turns(game, 3)
        client = signed_in("Bruno")
        client.get(url(game))
        later(game, 60 * MINUTE)
        asking = {"since": f"{game.version}.0"}
        before = Visit.objects.values().get()
        game = turns(game, 1)
        assert told_plies(client.get(url(game), asking, headers=POLL)) == [4]
        assert Visit.objects.values().get() == before
        assert told_plies(client.get(url(game))) == [4]

    def test_spectators_visit_too(self, game: Game) -> None:
        make_player("Zoe")
        client = signed_in("Zoe")
        game = turns(game, 5)
        assert heading(client.get(url(game))) == "Latest turns"
        game = turns(game, 1)
        assert heading(client.get(url(game))) == "Latest turns"
        later(game, 60 * MINUTE)
        game = turns(game, 2)
        page = client.get(url(game))
        assert heading(page) == "Since your last visit"
        assert told_plies(page) == [7, 8]

    def test_a_step_of_a_turn_counts(self, game: Game) -> None:
        awaited(game).get(url(game), headers=HTMX)
        assert Visit.objects.count() == 1


class TestStory:
    def test_a_turn_ends_the_visit(self, game: Game) -> None:
        client = awaited(game)
        client.get(url(game))
        send(client, game, first_line(game))
        game = turns(Game.objects.get(pk=game.pk), 1)
        page = client.get(url(game))
        assert heading(page) == "Since your last turn"
        assert told_plies(page) == [2]

    def test_a_visit_after_the_turn_counts_from_itself(self, game: Game) -> None:
        game = turns(game, 2)
        client = signed_in("Anna")
        client.get(url(game))
        later(game, 60 * MINUTE)
        game = turns(game, 1)
        page = client.get(url(game))
        assert heading(page) == "Since your last visit"
        assert told_plies(page) == [3]

    def test_nothing_is_said_calmly_and_the_last_round_is_still_there(self, game: Game) -> None:
        game = turns(game, 5)
        client = signed_in("Anna")
        client.get(url(game))
        later(game, 60 * MINUTE)
        page = client.get(url(game))
        assert Page(page).text(".story h2 + p") == "Nothing has happened since your last visit."
        assert Page(page).text(".story h3") == "Latest turns"
        assert told_plies(page) == [3, 4, 5]

    def test_right_after_a_turn_nothing_has_happened_since(self, game: Game) -> None:
        client = awaited(game)
        send(client, game, first_line(game))
        page = client.get(url(game))
        assert Page(page).text(".story h2 + p") == "Nothing has happened since your last turn."
        assert told_plies(page) == [1]

    def test_the_first_look_is_told_all_there_is(self, game: Game) -> None:
        game = turns(game, 1)
        page = signed_in("Bruno").get(url(game))
        assert heading(page) == "So far"
        assert told_plies(page) == [1]

    def test_an_answer_that_comes_by_itself_ends_no_visit(self, game: Game) -> None:
        game = turns(game, 6)
        recent = load_recent_moves(game)
        own = [move for move in recent if move["seat"] == 0 and move["ply"]]
        own[-1]["how"] = "plan"
        told = build_story(scene(game, 0), recent, None).told
        assert told[0].ply == own[-2]["ply"] + 1

    def test_turns_of_the_bot_that_stood_in_are_told_to_the_player(self) -> None:
        game = make_offered_game()
        own = game.moves.filter(seat=2, ply__isnull=False).order_by("version").first()
        assert own is not None and own.how == How.WEB
        told = told_to(game, 2, own.version)
        assert (told.quiet, [one.ply for one in told.told if one.ply]) == ("", [4, 5, 6])
        assert told.told[-1].sentences[-1] == "The bot, standing in, played this."

    def test_turns_before_a_substitute_came_are_no_turns_of_theirs(self) -> None:
        game, emma = make_offered_game(), make_player("Emma")
        play.take_over(game_id=game.pk, seat=2, player=emma, now=get_time_after_last_move(game))
        game.refresh_from_db()
        assert told_to(game, 2, None).heading == "So far"
        game = play_turns(game, 5, now=get_time_after_last_move(game))
        assert told_to(game, 2, None).heading == "Since your last turn"

    def test_the_change_of_score_adds_up(self, game: Game) -> None:
        game = turns(game, 12)
        before = [seat.score for seat in load_seats_of(game)]
        seen = game.version
        game = play_turns(game, now=timezone.now())
        play.score(game_id=game.pk, now=timezone.now())
        game.refresh_from_db()
        changes = told_to(game, None, seen).changes
        scores = [seat.score for seat in load_seats_of(game)]
        changed = [(then, now) for then, now in zip(before, scores, strict=True) if then != now]
        assert [(change.before, change.after) for change in changes] == changed != []
        assert all(change.gain == f"+{change.after - change.before}" for change in changes)

    def test_my_meeples_that_came_home_are_named(self, game: Game) -> None:
        home = {"type": "returned", "meeple": "follower", "x": 1, "y": 0, "on": "city", "side": "N"}
        move = {
            "version": 5,
            "ply": 3,
            "seat": 1,
            "how": "web",
            "action": {"type": "place"},
            "events": [{**home, "seat": 0}, {**home, "seat": 0, "on": "road"}, {**home, "seat": 2}],
        }
        assert build_story(scene(game, 0), [move], 4).home == ("Your meeples are back: knight, highwayman.")
        assert build_story(scene(game, 2), [move], 4).home == "Your meeple is back: knight."
        assert build_story(scene(game, 1), [move], 4).home == ""

    def test_who_was_away_long_is_told_the_newest_turns_and_sent_to_the_rest(self, game: Game) -> None:
        game = turns(game, 2)
        seen = game.version
        game = turns(game, 60)
        story = told_to(game, None, seen)
        assert [one.ply for one in story.told] == list(range(63 - MOST_TOLD, 63))
        assert story.earlier == 60 - MOST_TOLD
        assert story.play_url == f"{url(game)}ply/2/?until=62#play"
        assert len(story.placements) == MOST_TOLD

    def test_tiles_are_numbered_in_order_where_there_are_several(self, game: Game) -> None:
        game = turns(game, 5)
        assert [one.number for one in told_to(game, None, None).told] == [1, 2, 3]
        last = Game.objects.get(pk=game.pk).moves.get(ply=5).version
        assert [one.number for one in told_to(game, None, last - 1).told] == [0]

    def test_the_same_tiles_are_outlined_and_numbered_on_the_board(self, game: Game) -> None:
        game = turns(game, 7)
        page = Page(Client().get(url(game)))
        assert len(page.all("#lately .last")) == 3
        assert page.texts("#lately .last > text") == ["1", "2", "3"]

    def test_the_end_is_told_by_the_scores(self, game: Game) -> None:
        game = play_turns(game, now=timezone.now())
        seen, before = game.version, [seat.score for seat in load_seats_of(game)]
        play.score(game_id=game.pk, now=timezone.now())
        game.refresh_from_db()
        story = told_to(game, 0, seen)
        assert (story.quiet, story.again) == ("", "Latest turns")
        assert {change.before for change in story.changes} <= set(before) and story.changes

    def test_the_page_stays_within_its_queries(self, game: Game, django_assert_max_num_queries: Any) -> None:
        game = turns(game, 3)
        client = signed_in("Anna")
        client.get(url(game))
        later(game, 60 * MINUTE)
        game = turns(game, 60)
        with django_assert_max_num_queries(12):
            client.get(url(game))

    def test_a_turn_and_the_page_after_it_stay_within_their_queries(
        self, game: Game, django_assert_max_num_queries: Any
    ) -> None:
        game = turns(game, 3)
        client = awaited(game)
        with django_assert_max_num_queries(30):
            assert send(client, game, first_line(game), **POLL).status_code == 200


class TestTurnSeen:
    def allow(self, game: Game, name: str) -> None:
        player = game.seats.get(player__username=name).player
        player.shows_looks = True
        player.save(update_fields=["shows_looks"])

    def test_others_know_only_if_the_player_allows(self, game: Game) -> None:
        awaited(game).get(url(game))
        assert remarks(waiting(game).get(url(game))) == []
        self.allow(game, "Anna")
        assert remarks(waiting(game).get(url(game))) == ["has seen the turn"]

    def test_only_once_it_was_seen(self, game: Game) -> None:
        self.allow(game, "Anna")
        signed_in("Anna").get(url(game))
        game = turns(game, 3)
        assert remarks(signed_in("Bruno").get(url(game))) == []

    def test_only_at_the_table(self, game: Game) -> None:
        self.allow(game, "Anna")
        make_player("Zoe")
        signed_in("Anna").get(url(game))
        for client in (Client(), signed_in("Zoe"), signed_in("Anna")):
            assert remarks(client.get(url(game))) == []

    def test_a_player_chooses_it_in_the_settings(self, game: Game) -> None:
        client = signed_in("Anna")
        page = Page(client.get("/account/settings/"))
        label = page.text(".field:has([name=shows_looks]) label")
        assert label == "Let others see when I have looked at my turn"
        form = {"language": "en", "time_zone": "UTC", "theme": "device", "shows_looks": "on"}
        client.post("/account/settings/", form)
        game.host.refresh_from_db()
        assert game.host.shows_looks


class TestNewMark:
    def news(self, game: Game, name: str) -> bool:
        player = game.seats.get(player__username=name).player
        mine = load_my_games(player, timezone.now())
        (line,) = [*mine.turn, *mine.waiting, *mine.finished]
        return line.news

    def test_what_others_did_is_new_until_it_is_looked_at(self, game: Game) -> None:
        game = turns(game, 2)
        assert self.news(game, "Anna")
        signed_in("Anna").get(url(game))
        assert not self.news(game, "Anna")
        game = turns(game, 1)
        assert self.news(game, "Anna")

    def test_what_i_did_is_not(self, game: Game) -> None:
        game = turns(game, 3)
        assert self.news(game, "Bruno") and not self.news(game, "Clara")

    def test_a_game_that_has_begun_is_until_it_is_looked_at(self, game: Game) -> None:
        assert self.news(game, "Clara")
        signed_in("Clara").get(url(game))
        assert not self.news(game, "Clara")

    def test_the_final_scoring_is(self, game: Game) -> None:
        game = play_turns(game, now=timezone.now())
        for name in ("Anna", "Bruno", "Clara"):
            signed_in(name).get(url(game))
        assert not self.news(game, "Anna")
        play.score(game_id=game.pk, now=timezone.now())
        assert self.news(game, "Anna")

    def test_the_list_stays_within_its_queries(self, game: Game, django_assert_max_num_queries: Any) -> None:
        turns(game, 2)
        client = signed_in("Anna")
        with django_assert_max_num_queries(8):
            client.get("/games/")

    def test_it_stands_in_the_list(self, game: Game) -> None:
        game = turns(game, 2)
        page = signed_in("Anna").get("/games/")
        assert Page(page).texts(".card.game h3 .badge") == ["new"]
        page = Page(signed_in("Bruno").get("/games/"))
        assert page.has(".card.game h3") and not page.has(".card.game h3 .badge")
