"""The page of a game that has begun: who sees what, a turn in three steps, refusals, and what it may cost."""

import re
from datetime import UTC, datetime
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import play, positions, tables
from games.models import Game, Message, Status
from games.rules import Placement, RuleSet
from games.rules.notation import write
from games.rules.record import replay
from tests.games.factories import heart_beats, make_game, make_player, play_turns

pytestmark = pytest.mark.django_db

PAGE = 100_000
STEP = 15_000
HTMX = {"HX-Request": "true", "HX-Target": "turn"}


@pytest.fixture
def game() -> Game:
    """Two players, a city's edge in Anna's hand."""
    heart_beats(timezone.now())
    return make_game(bag=bag("base.E"), now=timezone.now())


def bag(*first: str) -> list[str]:
    """The tiles of the base game in an order that begins with *first* and is always the same."""
    groups = RuleSet.of(seats=2).bag
    rest = [tile for group in groups for tile, count in sorted(group.items()) for _ in range(count)]
    for tile in first:
        rest.remove(tile)
    Random(7).shuffle(rest)
    return [*first, *rest]


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(Player.objects.get(username=name))
    return client


def awaited(game: Game) -> Client:
    return signed_in(game.seats.get(index=game.awaited).player.username)


def waiting(game: Game) -> Client:
    seat = game.seats.exclude(index=game.awaited).first()
    assert seat is not None
    return signed_in(seat.player.username)


def url(game: Game, name: str = "table", *args: Any) -> str:
    return reverse(f"games:{name}", args=[game.code, *args])


def text(response: Any) -> str:
    return unescape(response.content.decode())


def first_placement(game: Game) -> Placement:
    return positions.position(game).legal_actions().placements[0]


def first_line(game: Game) -> str:
    return write(next(iter(positions.position(game).legal_actions())))


def send(client: Client, game: Game, line: str, version: int | None = None, **headers: Any) -> Any:
    data = {"line": line, "version": game.version if version is None else version}
    return client.post(url(game, "play"), data, headers=headers)


def marks(page: str) -> list[str]:
    return re.findall(r'class="mark"', page)


class TestWhoSeesWhat:
    def test_the_seat_awaited_sees_marks_and_its_tile(self, game: Game) -> None:
        page = text(awaited(game).get(url(game)))
        cells = {(one.x, one.y) for one in positions.position(game).legal_actions().placements}
        assert len(marks(page)) == len(cells)
        assert "It is your turn." in page
        assert "Your tile" in page
        assert 'name="line"' in page

    def test_the_other_seat_sees_the_tile_in_hand_but_nothing_to_choose(self, game: Game) -> None:
        page = text(waiting(game).get(url(game)))
        assert not marks(page)
        assert "It is Anna's turn." in page
        assert "The tile in hand" in page
        assert 'name="line"' not in page
        assert "Resign" in page

    def test_a_stranger_watches_a_public_game(self, game: Game) -> None:
        page = text(Client().get(url(game)))
        assert not marks(page)
        assert "The tile in hand" in page
        assert "Resign" not in page
        assert 'id="talk-form"' not in page
        assert "everybody sees" in page

    def test_the_deadline_is_told_in_the_viewer_s_zone(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(deadline=datetime(2030, 1, 15, 12, 0, tzinfo=UTC))
        Player.objects.filter(username="Bruno").update(time_zone="Europe/Warsaw")
        assert "until Tue 15 Jan, 13:00)" in text(signed_in("Bruno").get(url(game)))
        assert "until Tue 15 Jan, 12:00 UTC)" in text(Client().get(url(game)))

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
            page = signed_in("Anna").get(url(game, name, *args)).content.decode()
            assert "<b>" not in page and "&lt;b&gt;" in page

    def test_a_chosen_cell_of_another_player_s_turn_is_ignored(self, game: Game) -> None:
        x, y, _ = first_placement(game)
        page = text(waiting(game).get(url(game), {"at": f"{x},{y}"}))
        assert "Your tile" not in page and "composer" not in page

    def test_the_past_of_a_running_game_shows_no_tile_to_come(self, game: Game) -> None:
        play_turns(game, 4, now=timezone.now())
        game.refresh_from_db()
        record = waiting(game).get(url(game, "record")).json()
        assert len(record["turns"]) == 4 and record["final"] is False
        drawn = positions.position(game).state.drawn
        assert drawn is not None
        assert all(set(turn) <= {"player", "tile", "at", "rotation", "deploy"} for turn in record["turns"])


class TestThreeSteps:
    def test_a_chosen_cell_shows_the_tile_there_and_the_choices(self, game: Game) -> None:
        place = first_placement(game)
        page = text(awaited(game).get(url(game), {"at": f"{place.x},{place.y}"}))
        figures = positions.position(game).legal_actions().figures(place)
        assert 'class="candidate"' in page
        assert page.count('class="choice"') == len(figures)
        assert "No meeple" in page
        assert 'id="send"' not in page

    def test_turning_goes_through_the_legal_rotations_only(self, game: Game) -> None:
        client = awaited(game)
        placements = positions.position(game).legal_actions().placements
        by_cell: dict[tuple[int, int], set[int]] = {}
        for x, y, rotation in placements:
            by_cell.setdefault((x, y), set()).add(rotation)
        for (x, y), rotations in by_cell.items():
            seen, address = set(), f"{url(game)}?at={x},{y}"
            for _ in rotations:
                page = text(client.get(address))
                found = re.search(r'id="turn-tile"[^>]* href="([^"]*)"', page)
                if found is None:
                    assert len(rotations) == 1
                    break
                address = found[1]
                turned = re.search(r"r=(\d+)", address)
                assert turned is not None
                seen.add(int(turned[1]))
            assert seen == (rotations if len(rotations) > 1 else set())

    def test_with_a_meeple_the_turn_can_be_sent_and_says_what_it_does(self, game: Game) -> None:
        action = next(
            one for one in positions.position(game).legal_actions() if one.figure and one.figure.on == "city"
        )
        query = {
            "at": f"{action.x},{action.y}",
            "r": action.rotation,
            "on": "city",
            "side": action.figure.side,
        }
        page = text(awaited(game).get(url(game), query))
        assert 'id="send"' in page
        assert f'value="{write(action, with_tile=True)}"' in page
        assert "Completes a city of 2 tiles: you +4." in page and "Comes home: knight (you)." in page
        assert 'aria-current="true"' in page

    def test_htmx_gets_the_step_alone(self, game: Game) -> None:
        place = first_placement(game)
        response = awaited(game).get(url(game), {"at": f"{place.x},{place.y}"}, headers=HTMX)
        page = text(response)
        assert page.lstrip().startswith("<section")
        assert 'id="turn-map"' in page and 'id="board-map"' not in page
        assert "HX-Request" in response["Vary"]

    @pytest.mark.parametrize(
        ("query", "note"),
        [
            ({"at": "40,40"}, "A tile must lie beside a placed one"),
            ({"at": "0,0"}, "A tile lies there already"),
            ({"at": "nonsense"}, "is no turn"),
            ({"at": "99999999999,1"}, "is no turn"),
            ({"at": "1,0", "r": "45"}, "no quarter turn"),
            ({"at": "1,0", "r": "-90"}, "is no turn"),
            ({"at": "1,0", "on": "castle"}, "no feature"),
            ({"at": "<script>"}, "is no turn"),
        ],
    )
    def test_a_bad_address_is_ignored_with_a_note(self, game: Game, query: dict[str, str], note: str) -> None:
        response = awaited(game).get(url(game), query)
        assert response.status_code == 200
        assert note in text(response)
        assert "<script>" not in response.content.decode().replace('<script src="', "")

    def test_a_rotation_that_does_not_fit_falls_back_to_one_that_does(self) -> None:
        game = make_game(bag=bag("base.V"), now=timezone.now())
        fitting = {
            one.rotation for one in positions.position(game).legal_actions().placements if one[:2] == (1, 0)
        }
        wrong = next(rotation for rotation in (0, 90, 180, 270) if rotation not in fitting)
        page = text(awaited(game).get(url(game), {"at": "1,0", "r": wrong}))
        assert "does not match its neighbour" in page
        assert 'class="candidate"' in page

    def test_a_spot_that_does_not_exist_is_left_to_be_chosen(self, game: Game) -> None:
        place = first_placement(game)
        query = {"at": f"{place.x},{place.y}", "r": place.rotation, "on": "monastery"}
        spots = positions.position(game).legal_actions().figures(place)
        assert not any(figure and figure.on == "monastery" for figure in spots)
        page = text(awaited(game).get(url(game), query))
        assert "no such spot" in page
        assert 'id="send"' not in page


class TestSending:
    def test_a_turn_is_played(self, game: Game) -> None:
        response = send(awaited(game), game, first_line(game))
        assert response.status_code == 302 and response.url == url(game)
        game.refresh_from_db()
        assert game.ply == 1

    def test_htmx_gets_the_new_board_and_its_address(self, game: Game) -> None:
        client = awaited(game)
        response = send(client, game, first_line(game), **{"HX-Request": "true", "HX-Target": "table"})
        page = text(response)
        assert response["HX-Push-Url"] == url(game)
        assert page.lstrip().startswith("<title>It is Bruno's turn.") and page.count('<div id="table"') == 1
        assert "Your turn is played." in page and "It is Bruno's turn." in page

    def test_the_repeat_of_the_accepted_turn_is_success(self, game: Game) -> None:
        client, line = awaited(game), first_line(game)
        send(client, game, line)
        response = send(client, game, line)
        assert response.status_code == 302
        game.refresh_from_db()
        assert game.ply == 1

    def test_a_stale_turn_gets_the_current_board_and_a_note(self, game: Game) -> None:
        client = awaited(game)
        legal = list(positions.position(game).legal_actions())
        send(client, game, write(legal[0]))
        response = send(client, game, write(legal[-1]))
        assert response.status_code == 409
        assert "The game has moved on" in text(response)
        assert "1 / 1" in text(response)
        game.refresh_from_db()
        assert game.ply == 1

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("30,30 r0", "BASE-8"),
            ("0,0 r0", "BASE-8"),
            ("1,0 r0 castle", "no feature"),
            ("hello", "is no turn"),
            ("", "Choose where the tile lies"),
            ("base.ZZ@1,0 r0", "no tile called"),
            ("9999,9999 r0", "BASE-8"),
        ],
    )
    def test_an_illegal_turn_names_the_rule_and_changes_nothing(
        self, game: Game, line: str, why: str
    ) -> None:
        version = game.version
        response = send(awaited(game), game, line)
        assert response.status_code == 422
        assert why in text(response)
        game.refresh_from_db()
        assert game.version == version

    def test_another_tile_than_the_drawn_one_is_refused(self, game: Game) -> None:
        drawn = positions.position(game).state.drawn
        other = "base.B" if drawn != "base.B" else "base.A"
        response = send(awaited(game), game, f"{other}@1,0 r0")
        assert response.status_code == 422 and "BASE-7" in text(response)

    @pytest.mark.parametrize("version", ["", "x", "-1", "99999999999999"])
    def test_a_forged_version_is_refused(self, game: Game, version: str) -> None:
        response = awaited(game).post(url(game, "play"), {"line": first_line(game), "version": version})
        assert response.status_code == 422 and "This page was too old" in text(response)
        game.refresh_from_db()
        assert game.ply == 0

    def test_another_player_s_turn_is_refused(self, game: Game) -> None:
        response = send(waiting(game), game, first_line(game))
        assert response.status_code == 403
        assert "It is not your turn." in text(response)
        game.refresh_from_db()
        assert game.ply == 0

    def test_who_has_no_seat_is_refused(self, game: Game) -> None:
        make_player("Zoe")
        response = send(signed_in("Zoe"), game, first_line(game))
        assert response.status_code == 409 and "You don't sit at this table." in text(response)

    def test_strangers_sign_in_first_and_come_back_to_the_board(self, game: Game) -> None:
        response = send(Client(), game, first_line(game))
        assert response.status_code == 302 and f"next={url(game)}" in unescape(response.url)

    def test_a_page_whose_session_ran_out_is_led_to_sign_in(self, game: Game) -> None:
        response = send(Client(), game, first_line(game), **{"HX-Request": "true", "HX-Target": "table"})
        assert f"next={url(game)}" in unescape(response["HX-Redirect"])

    def test_a_refused_turn_stays_put_together(self, game: Game) -> None:
        place = first_placement(game)
        response = send(awaited(game), game, f"{place.x},{place.y} r{place.rotation} monastery")
        page = text(response)
        assert "no such spot" in page and 'class="candidate"' in page

    def test_a_finished_game_takes_no_turn(self, game: Game) -> None:
        line = first_line(game)
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
        response = send(signed_in("Bruno"), game, line)
        assert response.status_code == 409 and "This game is over." in text(response)

    def test_no_turn_by_a_link(self, game: Game) -> None:
        response = awaited(game).get(url(game, "play"))
        assert response.status_code == 302 and response.url == url(game)

    def test_without_the_token_nothing_is_played(self, game: Game) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(game.seats.get(index=game.awaited).player)
        assert send(client, game, first_line(game)).status_code == 403
        game.refresh_from_db()
        assert game.ply == 0


class TestNews:
    def test_nothing_new_costs_nothing(self, game: Game) -> None:
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = waiting(game).get(url(game), {"since": f"{game.version}.0"}, headers=headers)
        assert response.status_code == 204 and not response.content

    def test_a_new_move_brings_the_table(self, game: Game) -> None:
        client, since = waiting(game), f"{game.version}.0"
        play_turns(game, 1, now=timezone.now())
        page = text(
            client.get(url(game), {"since": since}, headers={"HX-Request": "true", "HX-Target": "table"})
        )
        assert "It is your turn." in page and 'id="board-map"' in page

    def test_new_talk_brings_the_talk_only(self, game: Game) -> None:
        client, since = waiting(game), f"{game.version}.0"
        anna = game.seats.get(index=0).player
        tables.say(game_id=game.pk, player=anna, text="Hello there", now=timezone.now())
        headers = {"HX-Request": "true", "HX-Target": "table"}
        response = client.get(url(game), {"since": since}, headers=headers)
        assert response["HX-Retarget"] == "#talk-lines"
        assert "Hello there" in text(response) and 'id="board-map"' not in text(response)

    def test_a_turn_that_is_being_put_together_survives_the_news(self, game: Game) -> None:
        place = first_placement(game)
        headers = {
            "HX-Request": "true",
            "HX-Target": "table",
            "HX-Current-URL": f"http://testserver{url(game)}?at={place.x},{place.y}",
        }
        page = text(awaited(game).get(url(game), {"since": "0.0"}, headers=headers))
        assert 'class="candidate"' in page


class TestTalk:
    def test_what_is_said_is_shown_as_it_was_typed(self, game: Game) -> None:
        client = awaited(game)
        response = client.post(url(game, "talk"), {"text": "<b>Hi</b> & bye"})
        assert response.status_code == 302
        assert "&lt;b&gt;Hi&lt;/b&gt; &amp; bye" in client.get(url(game)).content.decode()

    def test_htmx_gets_the_lines(self, game: Game) -> None:
        response = awaited(game).post(
            url(game, "talk"), {"text": "Hi"}, headers={"HX-Request": "true", "HX-Target": "talk-lines"}
        )
        assert text(response).lstrip().startswith('<div id="talk-lines"') and "Hi" in text(response)

    @pytest.mark.parametrize(("said", "why"), [("", "Write something"), ("x" * 5000, "at most")])
    def test_too_little_and_too_much_is_refused(self, game: Game, said: str, why: str) -> None:
        response = awaited(game).post(
            url(game, "talk"), {"text": said}, headers={"HX-Request": "true", "HX-Target": "talk-lines"}
        )
        assert why in text(response)
        assert not Message.objects.exists()

    def test_who_has_no_seat_only_listens(self, game: Game) -> None:
        make_player("Zoe")
        signed_in("Zoe").post(url(game, "talk"), {"text": "Hi"})
        assert not Message.objects.exists()

    def test_long_talk_is_paged(self, game: Game) -> None:
        anna = game.seats.get(index=0).player
        Message.objects.bulk_create(
            Message(game=game, author=anna, text=f"line {n}", at=timezone.now()) for n in range(50)
        )
        client = awaited(game)
        page = text(client.get(url(game)))
        assert "line 49" in page and "line 30" in page and "line 29" not in page
        older = re.search(r'href="([^"]*before=\d+)"', page)
        assert older is not None
        page = text(client.get(older[1]))
        assert "line 29" in page and "line 30" not in page and "line 10" in page


class TestThePast:
    def test_every_ply_has_a_page(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        for ply in range(4):
            page = text(Client().get(url(game, "ply", ply)))
            assert page.count('class="under"') == 1
            assert f"{ply} / 3" in page
        assert "The start tile" in text(Client().get(url(game, "ply", 0)))
        assert "Anna placed a tile" in text(Client().get(url(game, "ply", 1)))
        assert Client().get(url(game, "ply", 4)).status_code == 404

    def test_the_board_of_a_ply_holds_its_tiles_and_no_more(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        for ply in range(4):
            page = text(Client().get(url(game, "ply", ply)))
            tiles = re.search(r'<path class="under" d="([^"]*)"', page)
            assert tiles is not None and tiles[1].count("M") == ply + 1

    def test_the_slider_works_without_javascript(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        response = Client().get(url(game, "ply", 0), {"to": "2"})
        assert response.url == url(game, "ply", 2)
        assert Client().get(url(game, "ply", 0), {"to": "999"}).url == url(game, "ply", 3)

    def test_htmx_gets_the_moment_alone(self, game: Game) -> None:
        page = text(Client().get(url(game, "ply", 0), headers={"HX-Request": "true", "HX-Target": "moment"}))
        assert page.lstrip().startswith("<title>The start tile") and page.count('<div id="moment"') == 1


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
        page = text(signed_in("Anna").get(url(game)))
        assert "The final scoring comes in a moment." in page and 'hx-trigger="every 3s' in page

    def test_the_page_tells_who_won_and_how_every_point_came(self, ended: Game) -> None:
        page = text(signed_in("Anna").get(url(ended)))
        best = max(seat.score for seat in ended.seats.all())
        assert f"{best} points" in page
        assert "The final scoring" in page and "Rematch" in page
        assert "watch" not in re.findall(r'id="(\w+)"', page)

    def test_the_draw_is_promised_at_first_and_checked_at_the_end(self, ended: Game) -> None:
        page = text(Client().get(url(ended, "draw")))
        assert len(ended.seed) == 64 and ended.seed in page and ended.seed_hash in page
        assert "Checked: the number fits its fingerprint" in page
        assert f"manage.py verify_draw {ended.code}" in page and f"{ended.code}/base." in page
        running = make_game(now=timezone.now())
        page = text(Client().get(url(running, "draw")))
        assert running.seed_hash in page and "shown when the game is over" in page
        assert "verify_draw" not in page and not re.search(rf"{running.code}/base", page)

    def test_a_draw_that_is_not_the_promised_one_is_told(self, ended: Game) -> None:
        Game.objects.filter(pk=ended.pk).update(seed="ab" * 32)
        page = text(Client().get(url(ended, "draw")))
        assert "is not the promised one" in page and "should have been base." in page

    def test_the_score_sheet_adds_up(self, ended: Game) -> None:
        page = text(Client().get(url(ended, "scores")))
        foot = page[page.index("<tfoot>") : page.index("</tfoot>")]
        totals = [int(n) for n in re.findall(r"<strong>(\d+)</strong>", foot)]
        assert totals == [seat.score for seat in ended.seats.order_by("index")]
        assert "End of the game" in page

    def test_the_record_replays_to_the_same_scores(self, ended: Game) -> None:
        response = Client().get(url(ended, "record"))
        assert "attachment" in response["Content-Disposition"]
        played = replay(response.json())
        assert played.game.state.scores == tuple(seat.score for seat in ended.seats.order_by("index"))

    def test_resigning_asks_first(self, game: Game) -> None:
        client = signed_in("Anna")
        assert "The game ends at once" in text(client.get(url(game, "resign")))
        game.refresh_from_db()
        assert game.status == Status.PLAYING
        assert client.post(url(game, "resign")).status_code == 302
        game.refresh_from_db()
        assert game.ended
        assert "resigned" in text(client.get(url(game)))


class TestCosts:
    @pytest.mark.parametrize("turns", [1, 60])
    @pytest.mark.parametrize("seats", [2, 5])
    def test_the_page_costs_few_queries_whatever_the_game_s_age(
        self, turns: int, seats: int, django_assert_max_num_queries: Any
    ) -> None:
        heart_beats(timezone.now())
        game = make_game(seats=seats, now=timezone.now(), visibility="link")
        game = play_turns(game, turns, now=timezone.now())
        anna = game.seats.get(player__username="Anna").player
        Message.objects.bulk_create(
            Message(game=game, author=anna, text=f"line {n}", at=timezone.now()) for n in range(turns)
        )
        Game.objects.filter(pk=game.pk).update(visibility="private")
        for client in (awaited(game), waiting(game)):
            positions._recent = positions.Recent(8)  # as in a process that has just begun
            with django_assert_max_num_queries(12):
                assert client.get(url(game)).status_code == 200

    @pytest.mark.parametrize("turns", [1, 60])
    def test_a_turn_costs_few_queries(self, turns: int, django_assert_max_num_queries: Any) -> None:
        heart_beats(timezone.now())
        game = play_turns(make_game(seats=3, now=timezone.now()), turns, now=timezone.now())
        client = awaited(game)
        line = first_line(game)
        positions._recent = positions.Recent(8)
        with django_assert_max_num_queries(20):
            assert send(client, game, line).status_code == 302

    def test_looking_for_news_costs_next_to_nothing(
        self, game: Game, django_assert_max_num_queries: Any
    ) -> None:
        client = waiting(game)
        with django_assert_max_num_queries(5):
            client.get(url(game), {"since": f"{game.version}.0"}, headers={"HX-Request": "true"})

    def test_a_late_page_and_its_steps_stay_small(self) -> None:
        heart_beats(timezone.now())
        game = play_turns(make_game(seats=5, now=timezone.now()), 70, now=timezone.now())
        client = awaited(game)
        page = client.get(url(game)).content
        assert len(page) < PAGE
        for x, y, rotation in positions.position(game).legal_actions().placements:
            for more in ({}, {"on": "none"}):
                query = {"at": f"{x},{y}", "r": rotation, **more}
                assert len(client.get(url(game), query, headers=HTMX).content) < STEP
