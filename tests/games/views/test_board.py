"""Tests of the page of a running game: visibility, news, talk, history and the end."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import play, rated_games, tables
from games.clocks import USUAL_CLOCK
from games.models import Game, Message, Status
from games.play import moderation, organiser_acts, positions
from games.rules.records.record import replay
from games.selectors.seats import list_seat_names
from games.words.times import format_when
from ratings.models import RatingChange
from tests.games.factories import NOW, heart_beats, make_game, make_player, make_players, play_turns
from tests.games.play.moderating import asked
from tests.games.visitors import (
    awaited,
    begun,
    first_placement,
    signed_in,
    url,
    waiting,
)
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return begun()


class TestForms:
    def test_each_reader_gets_a_token_of_their_own(self, game: Game) -> None:
        """However much of a page is remembered from another's: a form is good for nobody else."""
        tokens, readers = {}, {}
        for name in ("Anna", "Bruno", "Anna"):
            readers[name] = reader = Client(enforce_csrf_checks=True)
            reader.force_login(Player.objects.get(username=name))
            page = Page(reader.get(url(game)))
            tokens[name] = {str(field["value"]) for field in page.all("[name=csrfmiddlewaretoken]")}
            assert len(tokens[name]) == 1, "all forms of a page have the same"
        assert tokens["Anna"] != tokens["Bruno"]
        for token, status in ((tokens["Bruno"], 403), (tokens["Anna"], 302)):
            said = {"text": "Hello.", "csrfmiddlewaretoken": token.pop()}
            assert readers["Anna"].post(url(game, "talk"), said).status_code == status
        assert Message.objects.count() == 1


class TestRules:
    BRIEF, ALL = "#tab-game > details > dl.facts", "#tab-game details details dl.facts"

    def test_readers_in_other_zones_are_told_when_it_ends_in_their_own_time(self) -> None:
        ends = timezone.now() + timedelta(days=200)
        game = make_game(clock=replace(USUAL_CLOCK, ends=ends), now=timezone.now())
        for name, zone in (("Anna", "Europe/Berlin"), ("Bruno", "Asia/Tokyo")):
            Player.objects.filter(username=name).update(time_zone=zone)
            page = Page(signed_in(name).get(url(game)))
            with timezone.override(zone):
                assert format_when(ends) in page.facts(self.ALL)["Time"]

    def test_what_moderators_and_organisers_have_changed_is_told_at_once(self) -> None:
        game = make_game(rated=True, clock=replace(USUAL_CLOCK, ends=NOW + timedelta(days=200)))
        reader = signed_in("Anna")
        ends = NOW + timedelta(days=300)
        assert Page(reader.get(url(game))).facts(self.BRIEF)["Rated"] == "yes"
        organiser_acts.extend(game_id=game.pk, ends=ends, now=NOW)
        Game.objects.filter(pk=game.pk).update(rated=False)
        page = Page(reader.get(url(game)))
        assert page.facts(self.BRIEF)["Rated"] == "no"
        assert format_when(ends) in page.facts(self.ALL)["Time"]


class TestWhoSeesWhat:
    def test_the_seat_awaited_sees_marks_and_its_tile(self, game: Game) -> None:
        page = Page(awaited(game).get(url(game)))
        cells = {
            (placement.x, placement.y)
            for placement in positions.load_position(game).legal_actions().placements
        }
        assert len(page.all("#turn-map .mark")) == len(cells)
        assert page.text(".table-head .headline strong") == "Your turn"
        assert page.text("#turn h2") == "Your tile"
        assert page.has("details.typed form [name=line]")

    def test_the_other_seat_sees_the_tile_in_hand_but_nothing_to_choose(self, game: Game) -> None:
        page = Page(waiting(game).get(url(game)))
        assert page.has("#turn-map") and not page.has(".mark")
        assert page.text(".table-head .headline strong") == "It's Anna's turn."
        assert page.text("#turn h2") == "Anna's tile"
        assert not page.has("[name=line]")
        assert page.link("Resign") == url(game, "resign")

    def test_what_happened_leads_to_those_who_did_it(self, game: Game) -> None:
        play_turns(game, 2)
        page = Page(waiting(game).get(url(game)))
        people = page.all(".story .told a.person")
        assert ("Anna", "/players/Anna/") in {(person.get_text(), person["href"]) for person in people}
        assert all(not person.has_attr("hx-get") for person in people), (
            "a page of its own, not a part of this one"
        )

    def test_a_stranger_watches_a_public_game(self, game: Game) -> None:
        page = Page(Client().get(url(game)))
        assert page.has("#turn-map") and not page.has(".mark")
        assert page.text("#turn h2") == "Anna's tile"
        assert "Copy or download" in page.texts(".acts a") and "Resign" not in page.texts("a")
        assert page.has("#talks") and not page.has("#talks textarea")
        assert page.texts("#tab-game > p.muted.small")[-1].startswith("Public: everyone can see")
        assert page.link("Sign in to play or talk") == f"/account/login/?next={url(game)}"

    def test_the_deadline_is_told_in_the_viewer_s_zone(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(deadline=datetime(2030, 1, 15, 12, 0, tzinfo=UTC))
        Player.objects.filter(username="Bruno").update(time_zone="Europe/Warsaw")
        assert Page(signed_in("Bruno").get(url(game))).text(".clock .muted") == "(until Tue 15 Jan, 13:00)"
        assert Page(Client().get(url(game))).text(".clock .muted") == "(until Tue 15 Jan, 12:00 UTC)"

    def test_a_private_game_is_not_there_for_strangers(self) -> None:
        game = make_game(visibility="public", now=timezone.now())
        Game.objects.filter(pk=game.pk).update(visibility="private")
        stranger = Client()
        stranger.force_login(make_player("Zoe"))
        for name, *args in [("table",), ("ply", 0), ("scores",), ("record",), ("draw",), ("talk",)]:
            assert stranger.get(url(game, name, *args)).status_code == 404
        for name in ("play", "resign", "talk"):
            assert (
                stranger.post(url(game, name), {"line": "1,0 r0", "version": 1, "text": "hi"}).status_code
                == 404
            )
        assert awaited(game).get(url(game)).status_code == 200

    def test_a_name_is_shown_as_it_was_typed(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(name='<b>"Oc" & co</b>')
        play_turns(game, 1, now=timezone.now())
        for name, *args in [("table",), ("ply", 1), ("scores",), ("draw",), ("talk",), ("resign",)]:
            page = Page(signed_in("Anna").get(url(game, name, *args)))
            assert '<b>"Oc" & co</b>' in page.text("#content h1"), name
            assert '<b>"Oc" & co</b>' in page.title, name

    def test_a_chosen_cell_of_another_player_s_turn_is_ignored(self, game: Game) -> None:
        x, y, _ = first_placement(game)
        page = Page(waiting(game).get(url(game), {"at": f"{x},{y}"}))
        assert page.text("#turn h2") == "Anna's tile" and not page.has("#turn form, .candidate")

    def test_the_past_of_a_running_game_shows_no_tile_to_come(self, game: Game) -> None:
        play_turns(game, 4, now=timezone.now())
        game.refresh_from_db()
        record = waiting(game).get(url(game, "record")).json()
        assert len(record["turns"]) == 4 and record["final"] is False
        drawn = positions.load_position(game).state.drawn
        assert drawn is not None
        assert all(set(turn) <= {"player", "tile", "at", "rotation", "deploy"} for turn in record["turns"])

    def test_several_bots_are_told_apart_where_there_is_room_for_few_letters(self) -> None:
        game = make_game(seats=3, bots=2, now=timezone.now())
        names = [element["title"] for element in Page(signed_in("Anna").get(url(game))).all(".seats .name")]
        assert names == ["Anna", "Bot 1", "Bot 2"]


class TestNews:
    def test_nothing_new_costs_nothing(self, game: Game) -> None:
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = waiting(game).get(url(game), {"since": f"{game.version}.0"}, headers=headers)
        assert response.status_code == 204 and not response.content

    def test_a_new_move_brings_the_table(self, game: Game) -> None:
        client, since = waiting(game), f"{game.version}.0"
        play_turns(game, 1, now=timezone.now())
        page = Page(
            client.get(url(game), {"since": since}, headers={"HX-Request": "true", "HX-Target": "table"})
        )
        assert page.text("#table .table-head .headline strong") == "Your turn"
        assert page.has("#table #board-map")

    def test_new_talk_brings_the_talk_only(self, game: Game) -> None:
        client, since = waiting(game), f"{game.version}.0"
        anna = game.seats.get(index=0).player
        tables.say(game_id=game.pk, player=anna, text="Hello there", now=timezone.now())
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = client.get(url(game), {"since": since}, headers=headers)
        assert response["HX-Retarget"] == "#talks"
        page = Page(response)
        assert page.texts("#talks .said") == ["Hello there"]
        assert not page.has("#board-map")
        # The page now knows of it, and is not told again.
        watch = page.one("#watch[hx-swap-oob=true]")
        known = re.search(r"since=([\d.]+)", str(watch["hx-get"]))
        assert known is not None
        assert client.get(url(game), {"since": known[1]}, headers=headers).status_code == 204

    def test_a_turn_that_is_being_put_together_survives_the_news(self, game: Game) -> None:
        place = first_placement(game)
        headers = {
            "HX-Request": "true",
            "HX-Target": "table",
            "HX-Current-URL": f"http://testserver{url(game)}?at={place.x},{place.y}",
        }
        page = Page(awaited(game).get(url(game), {"since": "0.0"}, headers=headers))
        assert page.has("#turn-map .candidate")

    def test_an_open_page_learns_that_its_game_stands_still_and_that_it_goes_on(self, game: Game) -> None:
        client, headers = awaited(game), {"HX-Request": "true", "HX-Target": "table"}

        def look(page: Page) -> Any:
            return client.get(str(page.one("#watch")["hx-get"]), headers=headers)

        page = Page(client.get(url(game)))
        assert look(page).status_code == 204 and page.has("#turn-map a.mark")
        until = timezone.now() + timedelta(hours=1)
        moderation.pause(asked(game, now=timezone.now()), until)
        page = Page(look(page))
        assert not page.has("#turn-map a, .composer, .in-hand")
        assert page.text("#turn .urgent").startswith("A moderator has stopped the game until")
        assert page.text(".table-head .headline strong") == "Stopped"
        assert look(page).status_code == 204
        Game.objects.update(stops=[], floors=[])  # its time is over: that writes no move
        assert Page(look(page)).has("#turn-map a.mark")

    def test_in_a_pause_a_turn_is_composed_by_who_asks_for_it(self, game: Game) -> None:
        begun, over = timezone.now() - timedelta(hours=1), timezone.now() + timedelta(days=1)
        Game.objects.update(stops=[[begun.isoformat(), over.isoformat(), "pause"]])
        client = awaited(game)
        page = Page(client.get(url(game)))
        assert not page.has("#turn-map a") and page.text("#turn .urgent").startswith("The game is paused")
        assert Page(client.get(page.link("Play anyway"))).has("#turn-map a.mark")
        place = first_placement(game)
        assert Page(client.get(url(game), {"at": f"{place.x},{place.y}"})).has("#turn-map .candidate")

    def test_a_page_whose_session_has_ended_is_loaded_anew(self, game: Game) -> None:
        watch = str(Page(awaited(game).get(url(game))).one("#watch")["hx-get"])
        answer = Client().get(watch, headers={"HX-Request": "true", "HX-Target": "table"})
        assert answer["HX-Refresh"] == "true"

    def test_a_page_that_says_nonsense_of_its_address_gets_the_news(self, game: Game) -> None:
        headers = {"HX-Request": "true", "HX-Target": "table", "HX-Current-URL": "http://["}
        assert awaited(game).get(url(game), {"since": "0.0"}, headers=headers).status_code == 200


class TestTalk:
    def test_what_is_said_is_shown_as_it_was_typed(self, game: Game) -> None:
        client = awaited(game)
        response = client.post(url(game, "talk"), {"text": "<b>Hi</b> & bye"})
        assert response.status_code == 302
        assert Page(client.get(url(game))).texts("#talks .said") == ["<b>Hi</b> & bye"]

    def test_htmx_gets_the_lines(self, game: Game) -> None:
        response = awaited(game).post(
            url(game, "talk"), {"text": "Hi"}, headers={"HX-Request": "true", "HX-Target": "talk-lines"}
        )
        page = Page(response)
        assert page.roots() == ["div#talk-lines"]
        assert page.texts("#talk-lines .said") == ["Hi"]

    @pytest.mark.parametrize(("said", "why"), [("", "Write something"), ("x" * 5000, "at most")])
    def test_too_little_and_too_much_is_refused(self, game: Game, said: str, why: str) -> None:
        response = awaited(game).post(
            url(game, "talk"), {"text": said}, headers={"HX-Request": "true", "HX-Target": "talk-lines"}
        )
        assert why in Page(response).text("#talk-lines [role=alert]")
        assert not Message.objects.exists()

    def test_who_has_no_seat_only_listens(self, game: Game) -> None:
        make_player("Zoe")
        signed_in("Zoe").post(url(game, "talk"), {"text": "Hi"})
        assert not Message.objects.exists()

    def test_everyone_has_their_picture_beside_what_they_say_without_a_query(
        self, django_assert_num_queries: Any
    ) -> None:
        game = make_game(seats=3, now=timezone.now())
        anna, bruno, clara = make_players(3)
        Player.objects.filter(pk=bruno.pk).update(picture="tower")
        Player.objects.filter(pk=clara.pk).update(photo="0123456789abcdef")
        clara.refresh_from_db()
        tables.say(game_id=game.pk, player=anna, text="Hello", now=NOW)
        client = Client()
        client.force_login(anna)
        client.get(url(game))
        with CaptureQueriesContext(connection) as before:
            client.get(url(game))
        tables.say(game_id=game.pk, player=bruno, text="Hello", now=NOW)
        tables.say(game_id=game.pk, player=clara, text="Hello", now=NOW)
        with django_assert_num_queries(len(before)):
            page = Page(client.get(url(game)))
        assert len(page.all("#talk li > .portrait")) == 3
        assert page.all("#talk li > svg.portrait use")[1]["href"].endswith("#tower")
        assert page.one("#talk li > img.portrait")["src"] == clara.get_photo_url()

    def test_links_are_links_that_promise_nothing(self, game: Game) -> None:
        awaited(game).post(
            url(game, "talk"), {"text": "see https://example.org/?a=1&b=<x> javascript:alert(1)"}
        )
        page = Page(Client().get(url(game)))
        assert page.texts("#talks .said") == ["see https://example.org/?a=1&b=<x> javascript:alert(1)"]
        link = page.one("#talks .said a")
        assert link["rel"] == ["nofollow"] and link["href"].startswith("https://example.org/?a=1&b=")

    def test_spectators_are_not_heard_by_the_players_before_the_end(self, game: Game) -> None:
        make_player("Zoe")
        spectator, player = signed_in("Zoe"), awaited(game)
        spectator.post(url(game, "gallery"), {"text": "She should take the city"})
        said = "She should take the city"
        assert Page(spectator.get(url(game))).texts("#gallery .said") == [said]
        assert Page(Client().get(url(game, "gallery"))).texts("#gallery .said") == [said]
        kept = Page(player.get(url(game)))
        assert kept.has("#talks") and not kept.has("#gallery") and not kept.mentions("take the city")
        assert player.get(url(game, "gallery")).status_code == 404
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = player.get(url(game), {"since": f"{game.version}.0"}, headers=headers)
        assert response.status_code == 204
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
        assert Page(player.get(url(game))).texts("#gallery .said") == [said]

    def test_players_do_not_talk_among_the_spectators(self, game: Game) -> None:
        response = awaited(game).post(url(game, "gallery"), {"text": "Psst"}, headers={"HX-Request": "true"})
        assert response.status_code == 404 and not Message.objects.exists()

    def test_nobody_comments_on_a_private_game(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(visibility="private")
        make_player("Zoe")
        assert signed_in("Zoe").post(url(game, "gallery"), {"text": "Hi"}).status_code == 404
        assert not Message.objects.exists()

    def test_long_talk_is_paged(self, game: Game) -> None:
        anna = game.seats.get(index=0).player
        Message.objects.bulk_create(
            Message(game=game, author=anna, text=f"line {n}", at=timezone.now()) for n in range(50)
        )
        client = awaited(game)
        page = Page(client.get(url(game)))
        assert page.texts("#talk .said") == [f"line {n}" for n in range(30, 50)]
        page = Page(client.get(page.link("Older messages")))
        assert page.texts("#talk .said") == [f"line {n}" for n in range(10, 30)]


class TestThePast:
    def test_every_ply_has_a_page(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        for ply in range(4):
            page = Page(Client().get(url(game, "ply", ply)))
            assert len(page.all("#board-map .under")) == 1
            assert page.text(".steps output") == f"{ply} / 3"
        assert Page(Client().get(url(game, "ply", 0))).text(".story h2") == "The start tile"
        told = Page(Client().get(url(game, "ply", 1))).texts(".story li")
        assert told[0].startswith("Anna placed a tile")
        assert Client().get(url(game, "ply", 4)).status_code == 404

    def test_the_board_of_a_ply_holds_its_tiles_and_no_more(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        for ply in range(4):
            edges = Page(Client().get(url(game, "ply", ply))).one("#board-map path.edges")
            assert str(edges["d"]).count("M") == ply + 1

    def test_the_slider_works_without_javascript(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        response = Client().get(url(game, "ply", 0), {"to": "2"})
        assert response.url == url(game, "ply", 2)
        assert Client().get(url(game, "ply", 0), {"to": "999"}).url == url(game, "ply", 3)

    def test_htmx_gets_the_moment_alone(self, game: Game) -> None:
        headers = {"HX-Request": "true", "HX-Target": "moment"}
        page = Page(Client().get(url(game, "ply", 0), headers=headers))
        assert page.roots() == ["title", "link#icon", "div#moment"]
        assert page.title.startswith("The start tile")


class TestTheEnd:
    @pytest.fixture
    def ended(self) -> Game:
        heart_beats(timezone.now())
        game = play_turns(make_game(now=timezone.now()), now=timezone.now())
        assert game.status == Status.SCORING
        play.score(game_id=game.pk, now=timezone.now())
        game.refresh_from_db()
        return game

    def test_before_the_final_scoring_the_page_says_so(self, game: Game) -> None:
        game = play_turns(game, now=timezone.now())
        page = Page(signed_in("Anna").get(url(game)))
        waits = "The last tile has been placed. The final scoring follows in a moment."
        assert page.text(".table-head .headline strong") == waits
        assert page.one("#watch")["hx-trigger"].startswith("every 3s")

    def test_the_page_tells_who_won_and_how_every_point_came(self, ended: Game) -> None:
        page = Page(signed_in("Anna").get(url(ended)))
        first, second = sorted((seat.score for seat in ended.seats.all()), reverse=True)
        winner = ended.seats.get(rank=1)
        who = "You" if winner.player.username == "Anna" else winner.player.username
        points = f"{first - second} point{'' if first - second == 1 else 's'}"
        assert page.text("h2#outcome") == f"{who} won by {points}"
        assert page.text(".turning-point").startswith("Turning point: turn ")
        turn = page.one(".turning-point a")["href"]
        assert turn.startswith(url(ended, "ply", 0).removesuffix("0/"))
        assert page.one("#turning a")["href"] == turn, "as the tile on the board"
        assert page.has("#lately .last") and page.has("#board-map .lit")
        assert page.text(".ways-on form button") == "Rematch"
        assert page.link("Lobby") == reverse("games:lobby")
        assert page.has("#table") and not page.has("#watch")

    def test_the_scores_are_listed_with_the_winner_first_and_the_best_of_each_kind_marked(
        self, ended: Game
    ) -> None:
        page = Page(Client().get(url(ended)))
        rows = page.rows(".final-scores tbody tr")
        assert [row[0] for row in rows] == [
            seat.player.username for seat in ended.seats.order_by("rank").select_related("player")
        ]
        for row, seat in zip(rows, ended.seats.order_by("rank"), strict=True):
            assert sum(map(int, row[1:-1])) == int(row[-1]) == seat.score
        columns = list(zip(*(map(int, row[1:]) for row in rows), strict=True))
        best = page.texts(".final-scores tbody .best")
        assert sorted(best) == sorted(
            str(points) for column in columns for points in column if points == max(column)
        )

    def test_a_rematch_that_was_asked_for_can_be_joined(self, ended: Game) -> None:
        asked = signed_in("Bruno").post(url(ended, "rematch"))
        page = Page(signed_in("Anna").get(url(ended)))
        assert page.text(".ways-on form button") == "Join Bruno's rematch"
        assert page.one(".ways-on form")["action"] == url(ended, "rematch")
        own = Page(signed_in("Bruno").get(url(ended)))
        assert own.link("To the rematch") == asked.url

    def test_a_rating_is_told_before_and_after_once_it_is_known(self, ended: Game) -> None:
        Game.objects.filter(pk=ended.pk).update(rated=True)
        assert not Page(signed_in("Anna").get(url(ended))).has(".rating")
        rated_games.rate_games(seconds=60)
        change = RatingChange.objects.get(rated_game=ended.pk, player__username="Anna")
        before, after = Page(signed_in("Anna").get(url(ended))).texts(".rating b")
        assert (int(before), int(after)) == (1500, change.shown.number)
        assert not Page(Client().get(url(ended))).has(".rating"), "for an onlooker"

    def test_an_open_step_of_a_turn_gets_the_whole_end(self, ended: Game) -> None:
        response = signed_in("Anna").get(url(ended), headers={"HX-Request": "true", "HX-Target": "turn"})
        assert response["HX-Retarget"] == "#table"
        assert Page(response).has("div#table.over")

    def test_the_draw_is_promised_at_first_and_checked_at_the_end(self, ended: Game) -> None:
        assert Page(Client().get(url(ended))).link("The draw") == url(ended, "draw")
        page = Page(Client().get(url(ended, "draw")))
        assert page.title == f"The draw {ended.name}" and page.text("h1") == f"The draw of {ended.name}"
        assert len(ended.seed) == 64
        assert page.facts("dl.facts") == {"Fingerprint": ended.seed_hash, "Secret number": ended.seed}
        assert page.text(".note").startswith("Checked: the number matches its fingerprint")
        assert page.text("p > code") == f"python manage.py verify_draw {ended.code}"
        assert page.rows("tbody tr")[0][2].startswith(f"{ended.code}/base.")
        running = make_game(now=timezone.now())
        page = Page(Client().get(url(running, "draw")))
        assert page.facts("dl.facts") == {
            "Fingerprint": running.seed_hash,
            "Secret number": "shown when the game is over",
        }
        assert not page.has("table") and not page.mentions("verify_draw")
        assert not page.mentions(f"{running.code}/base")

    def test_who_drew_which_tile_to_begin_is_shown_and_nothing_else(self) -> None:
        """HR-1: at once, and by which names once the seed may be seen."""
        game = make_game(now=timezone.now(), options={"first_player": "most_roads"})
        page = Page(Client().get(url(game, "draw")))
        first = list_seat_names(game.seats.order_by("index"))[0]
        assert page.rows("thead tr") == [["Round", "Player", "Tile", "Sides with a road"]]
        assert page.texts("tbody strong") == [first]
        assert not page.mentions("/start/") and not page.mentions("/base.")
        game = play_turns(game, now=timezone.now())
        play.score(game_id=game.pk, now=timezone.now())
        page = Page(Client().get(url(game, "draw")))
        assert page.rows("table tbody tr")[0][4].startswith(f"{game.code}/start/1/base.")
        assert page.text(".note").startswith("Checked:")

    def test_a_draw_that_is_not_the_promised_one_is_told(self, ended: Game) -> None:
        Game.objects.filter(pk=ended.pk).update(seed="ab" * 32)
        faults = Page(Client().get(url(ended, "draw"))).texts(".note.error")
        assert faults[0].startswith("The secret number is not the promised one:")
        assert "should have been base." in faults[1]

    def test_the_score_sheet_adds_up(self, ended: Game) -> None:
        page = Page(Client().get(url(ended, "scores")))
        totals = [int(total) for total in page.texts("tfoot strong")]
        assert totals == [seat.score for seat in ended.seats.order_by("index")]

    def test_the_record_replays_to_the_same_scores(self, ended: Game) -> None:
        response = Client().get(url(ended, "record"))
        assert "attachment" in response["Content-Disposition"]
        played = replay(response.json())
        assert played.game.state.scores == tuple(seat.score for seat in ended.seats.order_by("index"))

    def test_resigning_asks_first(self, game: Game) -> None:
        client = signed_in("Anna")
        page = Page(client.get(url(game, "resign")))
        assert page.text(".card > p").startswith("The game ends at once")
        assert page.text(".card form button") == "Yes, resign"
        game.refresh_from_db()
        assert game.status == Status.PLAYING
        assert client.post(url(game, "resign"), {"sure": "yes"}).status_code == 302
        game.refresh_from_db()
        assert game.ended
        page = Page(client.get(url(game)))
        assert page.text("h2#outcome") == f"{game.name} ended early"
        assert page.text("h2#outcome + p").endswith("a player resigned.")
        assert not page.has(".turning-point")
