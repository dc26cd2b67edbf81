"""Tests of a turn on the page, in three steps and sent; and of refusals."""

import re
from html import unescape

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone

from games import play
from games.models import Game
from games.pages.turn import draft
from games.play import positions
from games.rules import Place, get_tile
from games.rules.notation import MAX_TYPED_LINE, read, read_any, write
from games.words import label_figure
from tests.games.asking import WALKING
from tests.games.factories import make_game, make_player
from tests.games.visitors import (
    HTMX,
    awaited,
    bag,
    begun,
    first_line,
    first_placement,
    send,
    signed_in,
    url,
    waiting,
)
from tests.html import Page, words

pytestmark = pytest.mark.django_db
REFUSED = "#table .note.error[role=alert]"
"""Selector of the reason for which a turn was refused."""


@pytest.fixture
def game() -> Game:
    return begun()


class TestThreeSteps:
    def test_a_chosen_cell_shows_the_tile_there_and_the_choices(self, game: Game) -> None:
        place = first_placement(game)
        page = Page(awaited(game).get(url(game), {"at": f"{place.x},{place.y}"}))
        position = positions.load_position(game)
        figures = position.legal_actions().figures(place)
        assert page.has("#turn-map .candidate")
        choices = page.texts("#turn a.choice")
        assert choices == ["No meeple", "Follower ×7"]
        rings = page.texts("#turn-map a.spot title")
        lying = get_tile("base.E").at(place.rotation)
        assert rings == [label_figure(position.state, figure, lying) for figure in figures if figure]
        assert page.text("#turn .sentence") == "Follower: choose its place, or no meeple."
        assert page.text("#turn form #send-bare .online") == "Send without a meeple"
        assert not page.has("#send")
        line = page.one("#turn form:has(#send-bare) [name=line]")["value"]
        assert read_any(line, tile="base.E") == Place("base.E", *place)

    def test_a_field_that_fills_an_edge_is_called_by_that_edge(self, game: Game) -> None:
        page = Page(awaited(game).get(url(game), {"at": "0,-1"}))
        (ring,) = (
            element for element in page.all("#turn-map a.spot") if words(element) == "Farmer: field (north)"
        )
        page = Page(awaited(game).get(ring["href"]))
        assert page.text("#turn .sentence").startswith("Farmer: field (north).")

    def test_turning_goes_through_the_legal_rotations_only(self, game: Game) -> None:
        client = awaited(game)
        placements = positions.load_position(game).legal_actions().placements
        by_cell: dict[tuple[int, int], set[int]] = {}
        for x, y, rotation in placements:
            by_cell.setdefault((x, y), set()).add(rotation)
        for (x, y), rotations in by_cell.items():
            seen, address = set(), f"{url(game)}?at={x},{y}"
            for _ in rotations:
                turn = Page(client.get(address)).links("#turn-map a.turn")
                if not turn:
                    assert len(rotations) == 1
                    break
                (address,) = turn
                turned = re.search(r"r=(\d+)", address)
                assert turned is not None
                seen.add(int(turned[1]))
            assert seen == (rotations if len(rotations) > 1 else set())

    def test_with_a_meeple_the_turn_can_be_sent_and_says_what_it_does(self, game: Game) -> None:
        action = next(
            action
            for action in positions.load_position(game).legal_actions()
            if action.figure and action.figure.on == "city"
        )
        query = {
            "at": f"{action.x},{action.y}",
            "r": action.rotation,
            "on": "city",
            "side": action.figure.side,
        }
        page = Page(awaited(game).get(url(game), query))
        assert page.values("#turn form:has(#send) [name=line]") == [write(action, with_tile=True)]
        assert page.text("#turn .sentence").startswith(
            "Knight: city (south). Completes a city of 2 tiles: you +4. Back in hand: knight (you)."
        )
        assert page.texts("#turn a.choice[aria-current=true]") == ["Follower ×7"]
        assert page.texts("#turn-map a.spot[aria-current=true] title") == ["Knight: city (south)"]
        assert page.has("#turn-map .candidate .light")

    def test_htmx_gets_the_step_alone(self, game: Game) -> None:
        place = first_placement(game)
        response = awaited(game).get(url(game), {"at": f"{place.x},{place.y}"}, headers=HTMX)
        page = Page(response)
        assert page.roots() == ["section#turn", "svg#turn-map"]
        assert page.has("#turn-map .candidate")
        assert "HX-Request" in response["Vary"]

    @pytest.mark.parametrize(
        ("query", "note"),
        [
            ({"at": "40,40"}, "The tile must touch another one"),
            ({"at": "0,0"}, "There is already a tile there"),
            ({"at": "nonsense"}, "isn't a turn"),
            ({"at": "99999999999,1"}, "isn't a turn"),
            ({"at": "1,0", "r": "45"}, "isn't a quarter turn"),
            ({"at": "1,0", "r": "-90"}, "isn't a turn"),
            ({"at": "1,0", "on": "castle"}, "isn't a feature"),
            ({"at": "<script>alert(1)</script>"}, "<script>alert(1)</script>"),
        ],
    )
    def test_a_bad_address_is_ignored_with_a_note(self, game: Game, query: dict[str, str], note: str) -> None:
        response = awaited(game).get(url(game), query)
        assert response.status_code == 200
        page = Page(response)
        assert note in page.text("#turn [role=alert]")
        assert all(script.get("src") for script in page.all("script"))

    def test_a_rotation_that_does_not_fit_falls_back_to_one_that_does(self) -> None:
        game = make_game(bag=bag("base.V"), now=timezone.now())
        fitting = {
            placement.rotation
            for placement in positions.load_position(game).legal_actions().placements
            if placement[:2] == (1, 0)
        }
        wrong = next(rotation for rotation in (0, 90, 180, 270) if rotation not in fitting)
        page = Page(awaited(game).get(url(game), {"at": "1,0", "r": wrong}))
        assert "doesn't match its neighbour" in page.text("#turn [role=alert]")
        assert page.has("#turn-map .candidate")

    def test_a_spot_that_does_not_exist_is_left_to_be_chosen(self, game: Game) -> None:
        place = first_placement(game)
        query = {"at": f"{place.x},{place.y}", "r": place.rotation, "on": "monastery"}
        spots = positions.load_position(game).legal_actions().figures(place)
        assert not any(figure and figure.on == "monastery" for figure in spots)
        page = Page(awaited(game).get(url(game), query))
        assert "no such spot" in page.text("#turn [role=alert]")
        assert page.has("#turn a.choice") and not page.has("#send")


class TestSending:
    def test_a_turn_is_played(self, game: Game) -> None:
        response = send(awaited(game), game, first_line(game))
        assert response.status_code == 302 and response.url == url(game)
        game.refresh_from_db()
        assert game.ply == 1

    def test_a_turn_of_which_something_is_still_asked_is_not_said_to_be_played(self) -> None:
        game, line = WALKING.game_and_last_line()
        seat = game.awaited
        page = Page(send(awaited(game), game, line, **{"HX-Request": "true", "HX-Target": "table"}))
        game.refresh_from_db()
        assert game.awaited == seat and page.has("#turn .question")
        assert page.has("#played[hidden]") and not page.has("#turn .next-game")

    def test_htmx_gets_the_new_board_and_its_address(self, game: Game) -> None:
        client = awaited(game)
        response = send(client, game, first_line(game), **{"HX-Request": "true", "HX-Target": "table"})
        page = Page(response)
        assert response["HX-Push-Url"] == url(game)
        assert page.roots() == ["title", "link#icon", "span#your-turns", "div#table"]
        assert page.title.startswith("It's Bruno's turn.")
        assert page.text("#table #played") == "Your turn is played."
        assert page.text("#table .table-head .headline strong") == "It's Bruno's turn."

    def test_the_repeat_of_the_accepted_turn_is_success(self, game: Game) -> None:
        client, line = awaited(game), first_line(game)
        send(client, game, line)
        response = send(client, game, line)
        assert response.status_code == 302
        game.refresh_from_db()
        assert game.ply == 1

    def test_a_stale_turn_gets_the_current_board_and_a_note(self, game: Game) -> None:
        client = awaited(game)
        legal = list(positions.load_position(game).legal_actions())
        send(client, game, write(legal[0]))
        response = send(client, game, write(legal[-1]))
        assert response.status_code == 409
        page = Page(response)
        assert page.text("#table .note[role=alert]").startswith("The game has moved on")
        assert page.text(".steps output") == "1 / 1"
        game.refresh_from_db()
        assert game.ply == 1

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("30,30 r0", "BASE-8"),
            ("0,0 r0", "BASE-8"),
            ("1,0 r0 castle", "isn't a feature"),
            ("hello", "isn't a turn"),
            ("", "Choose a space for the tile"),
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
        assert why in Page(response).text(REFUSED)
        game.refresh_from_db()
        assert game.version == version

    def test_another_tile_than_the_drawn_one_is_refused(self, game: Game) -> None:
        drawn = positions.load_position(game).state.drawn
        other = "base.B" if drawn != "base.B" else "base.A"
        response = send(awaited(game), game, f"{other}@1,0 r0")
        assert response.status_code == 422
        assert "BASE-7" in Page(response).text(REFUSED)

    def test_of_an_endless_line_no_more_is_read_than_a_field_holds(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines: list[str] = []
        monkeypatch.setattr(draft, "read", lambda line, *, tile: lines.append(line) or read(line, tile=tile))
        response = send(awaited(game), game, "3,-1" + " x" * 50_000)
        assert response.status_code == 422
        assert "at most 80 characters" in Page(response).text(REFUSED)
        assert lines and all(len(line) <= MAX_TYPED_LINE for line in lines)

    @pytest.mark.parametrize("version", ["", "x", "-1", "99999999999999"])
    def test_a_forged_version_is_refused(self, game: Game, version: str) -> None:
        response = awaited(game).post(url(game, "play"), {"line": first_line(game), "version": version})
        assert response.status_code == 422
        assert Page(response).text(REFUSED).startswith("This page was out of date")
        game.refresh_from_db()
        assert game.ply == 0

    def test_another_player_s_turn_is_refused(self, game: Game) -> None:
        response = send(waiting(game), game, first_line(game))
        assert response.status_code == 403
        assert Page(response).text(REFUSED) == "It is not your turn."
        game.refresh_from_db()
        assert game.ply == 0

    def test_who_has_no_seat_is_refused(self, game: Game) -> None:
        make_player("Zoe")
        response = send(signed_in("Zoe"), game, first_line(game))
        assert response.status_code == 409
        assert Page(response).text(REFUSED) == "You're not at this table."

    def test_strangers_sign_in_first_and_come_back_to_the_board(self, game: Game) -> None:
        response = send(Client(), game, first_line(game))
        assert response.status_code == 302 and f"next={url(game)}" in unescape(response.url)

    def test_a_page_whose_session_ran_out_is_led_to_sign_in(self, game: Game) -> None:
        response = send(Client(), game, first_line(game), **{"HX-Request": "true", "HX-Target": "table"})
        assert f"next={url(game)}" in unescape(response["HX-Redirect"])

    def test_a_refused_turn_stays_put_together(self, game: Game) -> None:
        place = first_placement(game)
        response = send(awaited(game), game, f"{place.x},{place.y} r{place.rotation} monastery")
        page = Page(response)
        assert "no such spot" in page.text(REFUSED)
        assert page.has("#turn-map .candidate")

    def test_a_finished_game_takes_no_turn(self, game: Game) -> None:
        line = first_line(game)
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
        response = send(signed_in("Bruno"), game, line)
        assert response.status_code == 409
        assert Page(response).text(REFUSED) == "This game is over."

    def test_no_turn_by_a_link(self, game: Game) -> None:
        response = awaited(game).get(url(game, "play"))
        assert response.status_code == 302 and response.url == url(game)

    def test_without_the_token_nothing_is_played(self, game: Game) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(game.seats.get(index=game.awaited).player)
        assert send(client, game, first_line(game)).status_code == 403
        game.refresh_from_db()
        assert game.ply == 0


def test_a_turn_has_browser_and_network_noted_and_a_refused_one_has_not(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    caches["process"].clear()
    monkeypatch.setattr("accounts.multi_account.queue_on_commit", lambda name, *told: asked.append(name))
    send(waiting(game), game, first_line(game))
    assert asked == []
    send(awaited(game), game, first_line(game))
    assert asked == ["accounts.tasks.note_traces"]
