"""Tests of a game's history: its plies, its end, its score sheet, its downloads."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from games import play
from games.models import Game, Status
from games.pages.history import final_scoring
from games.play import positions
from games.views.files import LONGEST
from tests.games.factories import heart_beats, make_game, make_player, new_process, play_lines, play_turns
from tests.games.visitors import bag, begun, signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db
MOMENT = {"HX-Request": "true", "HX-Target": "moment"}


@pytest.fixture
def game() -> Game:
    return begun()


@pytest.fixture
def scoring() -> Game:
    """A game in which Anna has completed a city with her knight."""
    heart_beats(timezone.now())
    game = make_game(bag=bag("base.E", "base.U"), now=timezone.now())
    return play_lines(game, "0,-1 r180 city S", now=timezone.now())


@pytest.fixture
def ended() -> Game:
    heart_beats(timezone.now())
    game = play_turns(make_game(seats=3, now=timezone.now()), now=timezone.now())
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    return game


class TestPlies:
    def test_what_happened_leads_to_its_players_and_places(self, scoring: Game) -> None:
        page = Page(Client().get(url(scoring, "ply", 1)))
        people = page.all(".story a.person")
        assert {(person.get_text(), person["href"]) for person in people} == {("Anna", "/players/Anna/")}
        assert page.texts(".story li")[0] == "Anna placed a tile at column 0, row −1."
        assert page.link("column 0, row −1") == url(scoring, "space", "0,-1") + "?ply=1"

    def test_what_was_scored_is_lit_with_its_points_and_who_goes_home(self, scoring: Game) -> None:
        page = Page(Client().get(url(scoring, "ply", 1)))
        look = scoring.seats.get(index=0).look
        assert len(page.all(f"#frame .lit.seat{look}")) == 2
        assert page.texts(f"#frame .gain.seat{look}") == ["+4"]
        assert len(page.all("#frame .gone")) == 1
        before = Page(Client().get(url(scoring, "ply", 0)))
        assert before.has("#board-map") and not before.has("#frame :is(.lit, .gain, .gone)")

    def test_the_window_is_that_of_the_newest_board(self, game: Game) -> None:
        play_turns(game, 6, now=timezone.now())
        boxes = {
            str(Page(Client().get(url(game, "ply", ply))).one("#board-map")["viewbox"]) for ply in range(7)
        }
        assert len(boxes) == 1

    def test_every_link_keeps_where_playing_stops(self, game: Game) -> None:
        play_turns(game, 5, now=timezone.now())
        page = Page(Client().get(url(game, "ply", 2), {"until": "4"}))
        links = page.links("nav.steps a")
        assert len(links) == 4 and all(link.endswith("?until=4") for link in links)
        assert page.has("nav.steps:not([data-stops])")
        assert Page(Client().get(url(game, "ply", 4), {"until": "4"})).has("nav.steps[data-stops]")
        assert Page(Client().get(url(game, "ply", 5))).has("nav.steps[data-stops]")
        slid = Client().get(url(game, "ply", 0), {"to": "3", "until": "4"})
        assert slid.url == url(game, "ply", 3) + "?until=4"

    @pytest.mark.parametrize("until", ["1", "-3", "99", "x", "", "1e3", "²", "9" * 5000, '"><script>'])
    def test_nonsense_about_where_to_stop_is_left_out(self, game: Game, until: str) -> None:
        play_turns(game, 3, now=timezone.now())
        response = Client().get(url(game, "ply", 2), {"until": until})
        assert response.status_code == 200
        page = Page(response)
        assert len(page.links("nav.steps a")) == 4
        assert not any("until" in link for link in page.links("nav.steps a"))
        assert not page.has("nav.steps [name=until]")

    def test_htmx_gets_the_player_that_it_keeps(self, game: Game) -> None:
        play_turns(game, 2, now=timezone.now())
        page = Page(Client().get(url(game, "ply", 1), headers=MOMENT))
        assert page.has("#moment #player[hx-preserve=true]") and not page.has("html")

    def test_plies_that_are_not_there(self, game: Game) -> None:
        for name in ("ply", "ply_svg", "ply_png"):
            assert Client().get(url(game, name, 1)).status_code == 404
            assert Client().get(url(game, name, 10**30)).status_code == 404
        assert Client().get(f"/g/{game.code}/ply/-1/").status_code == 404


class TestTheEnd:
    def test_every_final_point_is_accounted_for(self, ended: Game) -> None:
        page = final_scoring.build_final_scoring_page(ended, ended.host, 0)
        assert page is not None
        ranks = [part.seat.rank for part in page["parts"]]
        assert ranks == sorted(rank or 0 for rank in ranks)
        scores = {str(seat.player): seat.score for seat in ended.seats.select_related("player")}
        assert {part.player: part.total for part in page["parts"]} == scores
        for part in page["parts"]:
            assert sum(scored.points for _number, _what, scored, _total in part.lines) == part.gained
            assert not part.lines or part.lines[-1][-1] == part.total

    def test_scores_run_from_the_last_turn_to_the_end(self, ended: Game) -> None:
        last = final_scoring.build_final_scoring_page(ended, ended.host, 0)
        assert last is not None
        before = [part.before for part in sorted(last["parts"], key=lambda part: part.player)]
        first = final_scoring.build_final_scoring_page(ended, ended.host, 1)
        whole = final_scoring.build_final_scoring_page(ended, ended.host, last["steps"].last)
        assert first is not None and whole is not None
        assert sum(seat.score for seat in first["seats"]) >= sum(before)
        assert [seat.score for seat in whole["seats"]] == [seat.score for seat in last["seats"]]
        assert [seat.score for seat in last["seats"]] == list(positions.load_position(ended).state.scores)

    def test_a_feature_alone_is_lit_alone(self, ended: Game) -> None:
        every = Page(Client().get(url(ended, "end")))
        alone = Page(Client().get(url(ended, "end_step", 1)))
        assert len(every.all("#frame .lit")) > len(alone.all("#frame .lit")) > 0
        assert len(every.all("#frame .gain")) > len(alone.all("#frame .gain"))
        assert len(every.all(".gain-line")) == len(alone.all(".gain-line"))
        assert alone.links(".gain-line[aria-current=true]") == [url(ended, "end_step", 1)]
        assert not every.has(".gain-line[aria-current]")
        assert alone.link("All features at once") == url(ended, "end")

    def test_its_steps_keep_the_number_of_games_that_wait_in_the_title(self, ended: Game) -> None:
        make_game(now=timezone.now())  # where Anna begins
        anna = signed_in("Anna")
        for page in (url(ended, "end_step", 2), url(ended, "ply", 1)):
            assert Page(anna.get(page)).title.startswith("(1) ")
            step = Page(anna.get(page, headers=MOMENT))
            assert step.roots() == ["title", "link#icon", "span#your-turns", "div#moment"]
            assert step.title.startswith("(1) ")
            assert step.has("#icon[data-waiting='1'][hx-swap-oob=true]")

    def test_its_steps_are_walked_like_the_history(self, ended: Game) -> None:
        page = Page(Client().get(url(ended, "end_step", 2), headers=MOMENT))
        assert page.roots()[0] == "title"
        assert page.links("nav.steps a[rel=next]") == [url(ended, "end_step", 3)]
        assert page.links("nav.steps a[rel=prev]") == [url(ended, "end_step", 1)]
        assert Client().get(url(ended, "end"), {"to": "2"}).url == url(ended, "end_step", 2)
        assert Client().get(url(ended, "end_step", 10_000)).status_code == 404

    def test_it_costs_few_queries(
        self, ended: Game, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Game.objects.filter(pk=ended.pk).update(visibility="private")
        client = signed_in("Anna")
        for name, most in (("end", 8), ("scores", 8), ("files", 8), ("svg", 8), ("table", 12)):
            new_process()
            with django_assert_max_num_queries(most):
                response = client.get(url(ended, name))
            assert response.status_code == 200
            assert name == "svg" or len(response.content) < 100_000, name

    def test_before_the_end_there_is_none(self, game: Game) -> None:
        assert Client().get(url(game, "end")).url == url(game)

    @pytest.mark.parametrize(("turns", "status"), [(1, Status.ABORTED), (6, Status.FINISHED)])
    def test_a_game_that_was_given_up_says_that_nothing_was_scored(
        self, game: Game, turns: int, status: str
    ) -> None:
        play_turns(game, turns, now=timezone.now())
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
        game.refresh_from_db()
        assert game.status == status
        page = Page(Client().get(url(game, "end")))
        assert page.has("#board-map") and not page.has(".gain, .gain-line, .steps")
        said = "counts for nobody" if status == Status.ABORTED else "without a final scoring"
        assert said in page.text(".turn.chosen > p")
        assert Client().get(url(game, "end_step", 1)).status_code == 404

    def test_the_finished_game_leads_there(self, ended: Game) -> None:
        page = Page(Client().get(url(ended)))
        assert page.link("The final scoring") == url(ended, "end")
        assert page.link("Play the whole game") == f"{url(ended, 'ply', 0)}#play"
        assert page.has(".scores-box svg.chart")


class TestTheScoreSheet:
    def test_it_is_read_for_one_seat(self, ended: Game) -> None:
        def rows(**query: str) -> list[str]:
            page = Page(Client().get(url(ended, "scores"), query))
            return [row[1] for row in page.rows(".sheet-lines tbody tr")]

        everybody = rows()
        assert set(rows(seat="1")) == {"Bruno"} and everybody.count("Bruno") == len(rows(seat="1"))
        for nonsense in ("3", "-1", "x", "9" * 400):
            assert rows(seat=nonsense) == everybody

    def test_the_scores_after_each_turn_run_to_the_end(self, ended: Game) -> None:
        *_, last = Page(Client().get(url(ended, "scores"))).rows(".running tbody tr")
        shown = [int(cell.split()[-1]) for cell in last[1:]]
        assert last[0] == "End"
        assert shown == [seat.score for seat in ended.seats.order_by("index")]

    def test_a_game_without_points_has_no_chart(self, game: Game) -> None:
        page = Page(Client().get(url(game, "scores")))
        assert page.rows(".sheet-lines tbody tr") == [["No points yet."]]
        assert not page.has("svg.chart")


class TestFiles:
    def test_the_record_is_there_to_copy(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        page = Page(Client().get(url(game, "files")))
        (lines,) = page.values("textarea#lines")
        plies = re.findall(r"^(\d)\. (\w+): base\.\w+@-?\d+,-?\d+ r\d+", lines, re.MULTILINE)
        assert [(n, who) for n, who in plies] == [("1", "Anna"), ("2", "Bruno"), ("3", "Anna")]
        (record,) = page.values("textarea#json")
        assert json.loads(record) == Client().get(url(game, "record")).json()

    def test_a_board_is_one_drawing(self, game: Game) -> None:
        play_turns(game, 3, now=timezone.now())
        for name, args in (("svg", ()), ("ply_svg", (2,))):
            response = Client().get(url(game, name, *args))
            assert response["Content-Type"] == "image/svg+xml"
            ET.fromstring(response.content)
            drawing = Page(response)
            assert drawing.has("svg use") and not drawing.has("script, [href^='/']")

    def test_a_board_is_a_picture_of_bounded_size(self, ended: Game) -> None:
        response = Client().get(url(ended, "png"))
        image = Image.open(io.BytesIO(response.content))
        assert response["Content-Type"] == "image/png"
        assert max(image.size) <= LONGEST + 1 and len(response.content) < 400_000

    def test_a_picture_is_drawn_once(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        play_turns(game, 2, now=timezone.now())
        shown = {name: Client().get(url(game, *name)).content for name in (("png",), ("ply_png", 1))}
        monkeypatch.setattr("games.views.files.render_board_png", None)
        for name, content in shown.items():
            assert Client().get(url(game, *name)).content == content
        assert signed_in("Anna").get(url(game, "png")).content == shown["png",]
        monkeypatch.undo()
        play_turns(game, 1, now=timezone.now())
        assert Client().get(url(game, "png")).content != shown["png",]

    def test_whoever_asks_for_too_many_pictures_is_told_to_wait(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("games.views.files.render_board_png", lambda *args, **how: b"drawn")
        play_turns(game, 31, now=timezone.now())
        for ply in range(30):
            assert Client().get(url(game, "ply_png", ply)).content == b"drawn"
        refused = Client().get(url(game, "ply_png", 30))
        assert refused.status_code == 429 and refused["Retry-After"] == "60"
        assert "Wait a minute" in Page(refused).text("#content") and "ETag" not in refused
        assert Client().get(url(game, "ply_png", 1)).status_code == 200, "which is kept"
        assert Client().get(url(game, "ply_svg", 30)).status_code == 200
        anna = signed_in("Anna")
        assert anna.get(url(game, "ply_png", 30)).status_code == 200, "players count for themselves"
        elsewhere = Client(REMOTE_ADDR="192.0.2.7")
        assert elsewhere.get(url(game, "ply_png", 31)).status_code == 200
        assert Client().get(url(game, "ply_png", 31)).status_code == 200

    def test_its_name_says_what_it_is(self, game: Game) -> None:
        play_turns(game, 2, now=timezone.now())
        Game.objects.filter(pk=game.pk).update(name='Jesień w Łodzi; "x"\r\n')
        for name, args, ending in (
            ("png", (), ".png"),
            ("ply_svg", (2,), "-turn-2.svg"),
            ("record", (), ".json"),
        ):
            said = Client().get(url(game, name, *args))["Content-Disposition"]
            assert said.startswith("attachment; ") and f"{game.code}{ending}" in said
            assert "jesie" in said and '"x"' not in said

    def test_what_was_is_kept_by_the_browser_alone_and_asked_for_by_its_mark(self, game: Game) -> None:
        play_turns(game, 2, now=timezone.now())
        past = Client().get(url(game, "ply_svg", 1))
        assert "no-cache" in past["Cache-Control"], "the turn may be taken back, and another played"
        now = Client().get(url(game, "svg"))
        assert "private" in now["Cache-Control"] and "no-cache" in now["Cache-Control"]
        again = Client().get(url(game, "svg"), headers={"If-None-Match": now["ETag"]})
        assert again.status_code == 304 and not again.content and again["ETag"] == now["ETag"]
        play_turns(game, 1, now=timezone.now())
        assert Client().get(url(game, "svg"), headers={"If-None-Match": now["ETag"]}).status_code == 200
        same = Client().get(url(game, "ply_svg", 1), headers={"If-None-Match": past["ETag"]})
        assert same.status_code == 304
        play.resign(game_id=game.pk, seat=0, now=timezone.now())
        past = Client().get(url(game, "ply_svg", 1))
        assert "private" in past["Cache-Control"] and "max-age=2592000" in past["Cache-Control"]

    def test_a_past_board_does_not_change_while_the_game_goes_on(self, game: Game) -> None:
        play_turns(game, 2, now=timezone.now())
        before = Client().get(url(game, "ply_svg", 1)).content
        play_turns(game, 8, now=timezone.now())
        assert Client().get(url(game, "ply_svg", 1)).content == before

    def test_asking_for_the_head_answers_without_a_body(self, game: Game) -> None:
        for name in ("svg", "png", "record"):
            response = Client().head(url(game, name))
            assert response.status_code == 200 and not response.content
        assert Client().post(url(game, "svg")).status_code == 405

    def test_a_private_game_gives_nothing_away(self, ended: Game) -> None:
        Game.objects.filter(pk=ended.pk).update(visibility="private")
        make_player("Mallory")
        pages: list[tuple[str, tuple[int, ...]]] = [
            ("svg", ()), ("png", ()), ("ply_svg", (1,)), ("ply_png", (1,)), ("files", ()), ("record", ()),
            ("end", ()), ("end_step", (1,)), ("scores", ()), ("ply", (1,)),
        ]  # fmt: skip
        for name, args in pages:
            for stranger in (Client(), signed_in("Mallory")):
                assert stranger.get(url(ended, name, *args)).status_code == 404, name
            assert signed_in("Anna").get(url(ended, name, *args)).status_code == 200, name
