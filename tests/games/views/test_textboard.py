"""Tests of the text board by HTTP, as used without sight, mouse or JavaScript."""

import os
import random
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.models import Game, Status
from games.play import positions
from games.rules import RuleSet
from games.rules.notation import write
from games.words import describe_tile
from tests.games.factories import (
    bag_of,
    heart_beats,
    make_game,
    make_table,
    new_process,
    play_lines,
    play_turns,
)
from tests.games.play.decision_helpers import CREATOR_BEGINS, make_entering_game, make_transferring_game
from tests.games.visitors import awaited, begun, first_line, signed_in, url, waiting
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return begun()


class Heard(HTMLParser):
    """Page as a screen reader sees it: its lines, headings, status, links and forms."""

    BLOCKS = frozenset(("h1", "h2", "h3", "li", "p", "summary", "label", "button", "div", "section", "form"))
    EMPTY = frozenset(("input", "meta", "link", "br", "img", "use"))

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.headings: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.fields: dict[str, str] = {}  # of the form that sends a turn
        self.answer: list[str] = []
        self._said, self._depth, self._heading, self._link = "", 0, False, ""
        self._answering = 0
        self.feed(response.content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._depth += tag not in self.EMPTY
        if tag in self.BLOCKS:
            self._break()
        if given.get("id") == "answer":
            self._answering = self._depth
        if tag == "a":
            self._link = given.get("href", "")
        self._heading = self._heading or tag in ("h1", "h2", "h3")
        if self._answering and given.get("name") in ("line", "version"):
            self.fields[given["name"]] = given["value"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._said.strip():
            self.links.append((self._link, self._said.strip()))
        if tag in self.BLOCKS:
            self._break()
        if tag in ("h1", "h2", "h3"):
            self._heading = False
        if self._answering == self._depth:
            self._answering = 0
        self._depth -= tag not in self.EMPTY

    def handle_data(self, data: str) -> None:
        self._said += data

    def _break(self) -> None:
        said = " ".join(self._said.split())
        self._said = ""
        if said:
            self.lines.append(said)
            if self._answering:
                self.answer.append(said)
            if self._heading:
                self.headings.append(said)


class Listener:
    """Player who uses the text board alone."""

    def __init__(self, name: str, game: Game, log: list[str]) -> None:
        self.name, self.client, self.log = name, signed_in(name), log
        self.address = url(game, "text")

    def open(self, address: str = "") -> Heard:
        response = self.client.get(urljoin(self.address, address))
        assert response.status_code == 200
        return Heard(response)

    def say(self, line: str) -> Heard:
        response = self.client.get(self.address, {"say": line})
        assert response.status_code == 200
        page = Heard(response)
        self.log += [f"{self.name}> {line}", *(f"    {said}" for said in page.answer)]
        return page

    def send(self, page: Heard) -> Heard:
        response = self.client.post(self.address, page.fields, follow=True)
        assert response.status_code == 200
        heard = Heard(response)
        self.log += [
            f"{self.name} sends {page.fields['line']}",
            *(f"    {said}" for said in heard.answer),
            "",
        ]
        return heard


@pytest.mark.slow
def test_two_players_play_a_whole_game_by_ear(tmp_path: Path) -> None:
    """Everything that they do comes from what their pages say. ``LOG=/some/folder`` keeps it to be read."""
    heart_beats(timezone.now())
    game = make_game(now=timezone.now())
    log: list[str] = []
    people = {name: Listener(name, game, log) for name in ("Anna", "Bruno")}
    chance = random.Random(11)
    turns = 0
    while True:
        person = people["Bruno" if turns % 2 else "Anna"]
        page = person.open()
        if "It's your turn." not in page.headings:
            break
        person.say(("tile", "legal", "mine", "scores", "last", "clock")[turns % 6])
        ways = [(link, said) for link, said in page.links if link.startswith("?say=")]
        deploying = [way for way in ways if way[1].split(":")[0] not in ("No meeple", "Farmer")]
        link, said = chance.choice(deploying if deploying and chance.random() < 0.6 else ways)
        told = person.open(link)
        assert told.fields and "Nothing is played until you send it." in told.answer
        assert said in " ".join(told.answer)
        heard = person.send(told)
        assert heard.answer[0] == "Your turn is played."
        assert any("placed a tile" in line for line in heard.answer)
        turns += 1
    game.refresh_from_db()
    assert game.status == Status.SCORING and turns == game.ply > 60
    play.score(game_id=game.pk, now=timezone.now())
    game.refresh_from_db()
    page = people["Anna"].open()
    assert "The final scoring" in page.headings
    points = [seat.score for seat in game.seats.order_by("index")]
    assert max(points) > 20
    heard = people["Bruno"].say("scores")
    for line, score in zip(heard.answer, points, strict=True):
        assert f": {score} point" in line
    log += ["", *page.lines]
    folder = Path(os.environ.get("LOG") or tmp_path)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "text-game.txt").write_text("\n".join(log) + "\n")


class TestReading:
    def test_headings_lead_through_the_page(self, game: Game) -> None:
        page = Heard(awaited(game).get(url(game, "text")))
        assert [heading for heading in page.headings if not re.match("Row|As it|Turned", heading)] == [
            f"{game.name} in words",
            "It's your turn.",
            "Where your tile fits",
            "So far",
            "Players",
            "Features",
            "Cities",
            "Roads",
            "Fields",
            "Tiles",
            "Open spaces",
            "70 tiles to come",
            "Table talk",
        ]

    def test_every_legal_turn_can_be_chosen(self, game: Game) -> None:
        page = Page(awaited(game).get(url(game, "text")))
        legal = [write(action) for action in positions.load_position(game).legal_actions()]
        assert sorted(page.texts(".fits .ways li code:not(.short)")) == sorted(legal)
        said = [parse_qs(urlsplit(link).query)["say"] for link in page.links(".fits .ways li a")]
        assert sorted(said) == sorted([line] for line in legal)

    def test_a_stranger_reads_and_cannot_send(self, game: Game) -> None:
        page = Page(Client().get(url(game, "text"), {"say": "3,-1 r0"}))
        assert page.text("#asked") == "It's Anna's turn."
        assert "The tile in hand: city north." in page.texts(".asked p")
        assert page.has("form.say") and not page.has("#send, .fits")

    def test_who_waits_is_told_so_and_cannot_send(self, game: Game) -> None:
        page = Heard(waiting(game).get(url(game, "text"), {"say": first_line(game)}))
        assert page.answer == ["It's Anna's turn."]

    def test_a_private_game_is_not_there_for_strangers(self, game: Game) -> None:
        Game.objects.filter(pk=game.pk).update(visibility="private")
        assert Client().get(url(game, "text")).status_code == 404

    def test_before_the_game_it_leads_to_the_table(self) -> None:
        game = make_table(host=begun().host, now=timezone.now())
        response = awaited_or_host(game).get(url(game, "text"))
        assert response["Location"] == url(game)

    def test_a_hidden_hand_is_told_to_its_owner_only(self) -> None:
        heart_beats(timezone.now())
        options = {**CREATOR_BEGINS, "hand": "three_hidden"}
        rules = RuleSet.of(seats=2, options=options)
        order = bag_of(rules, "base.C", "base.X", "base.B")
        game = make_game(options=options, bag=order, now=timezone.now())
        cathedral = describe_tile("base.C")
        held = positions.load_position(game).state.hands
        owner = next(seat for seat, hand in enumerate(held) if "base.C" in hand)
        for name, seat in (("Anna", 0), ("Bruno", 1)):
            page = Heard(signed_in(name).get(url(game, "text"), {"say": "scores"}))
            assert any(cathedral in line for line in page.answer) == (seat == owner)

    def test_late_pages_cost_few_queries(
        self, django_assert_max_num_queries: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heart_beats(timezone.now())
        game = play_turns(make_game(seats=4, now=timezone.now()), 60, now=timezone.now())
        for client in (awaited(game), waiting(game)):
            new_process()
            with django_assert_max_num_queries(12):
                response = client.get(url(game, "text"))
            assert len(response.content) < 100_000


def awaited_or_host(game: Game) -> Client:
    client = Client()
    client.force_login(game.host)
    return client


class TestTheLine:
    def heard(self, game: Game, line: str) -> list[str]:
        return Heard(awaited(game).get(url(game, "text"), {"say": line})).answer

    def test_a_turn_is_told_before_it_can_be_sent(self, game: Game) -> None:
        page = Heard(awaited(game).get(url(game, "text"), {"say": "0,-1 180 CITY s"}))
        assert page.answer == [
            "Column 0, row −1, turned 180° clockwise. Knight: city (south).",
            "Completes a city of 2 tiles: you +4.",
            "Back in hand: knight (you).",
            "You keep 7 meeples in hand.",
            "Nothing is played until you send it.",
            "Send base.E@0,-1 r180 city S",
            "Change",
        ]
        assert page.fields == {"version": str(game.version), "line": "base.E@0,-1 r180 city S"}
        game.refresh_from_db()
        assert game.ply == 0

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("9,9 r0", "The tile must touch another one."),
            ("0,-1 r0", "the tile's south side doesn't match its neighbour. (rule BASE-9)"),
            ("0,-1 r180 road E", "There's no such spot for a meeple on this tile."),
            ("somewhere", "“somewhere” isn't a turn."),
            ("0,-1 r45", "r45 isn't a quarter turn."),
            ("pass", "Place the tile first."),
        ],
    )
    def test_a_wrong_line_is_kept_and_explained(self, game: Game, line: str, why: str) -> None:
        page = Page(awaited(game).get(url(game, "text"), {"say": line}))
        assert why in page.texts("#answer .note.error li")[0]
        assert page.values("form.say [name=say]") == [line]
        assert not page.has("#send")

    def test_what_is_sent_is_played_and_told(self, game: Game) -> None:
        data = {"version": game.version, "line": "base.E@0,-1 r180 city S"}
        client = awaited(game)
        response = client.post(url(game, "text"), data)
        assert response["Location"] == f"{url(game, 'text')}?say=last#answer"
        assert Heard(client.get(response["Location"])).answer == [
            "Your turn is played.",
            "Since your last turn:",
            "Anna placed a tile at column 0, row −1.",
            "Anna deployed a knight: city (south).",
            "Anna completed a city of 2 tiles.",
            "Anna scores 4 points for a city (2 tiles: 4).",
            "Anna's knight came home.",
            "It's Bruno's turn.",
        ]
        game.refresh_from_db()
        assert game.ply == 1

    def test_a_second_tab_is_told_that_the_game_has_moved_on(self, game: Game) -> None:
        data = {"version": game.version, "line": "base.E@0,-1 r180 city S"}
        client = awaited(game)
        client.post(url(game, "text"), data)
        again = client.post(url(game, "text"), {**data, "line": "base.E@0,-1 r180"})
        assert again.status_code == 409
        why = Page(again).text("#answer .note.error")
        assert why.startswith("The game has moved on since you opened this page.")

    def test_a_stranger_who_sends_signs_in_first(self, game: Game) -> None:
        response = Client().post(url(game, "text"), {"version": game.version, "line": "0,-1 r180"})
        assert response.status_code == 302 and "login" in response["Location"]
        game.refresh_from_db()
        assert game.ply == 0

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("tile", "City north."),
            ("TILE", "70 tiles to come."),
            ("?", "tile: the tile in hand"),
            ("help", "look 3,-1: what is there, or what an open space needs"),
            ("legal", "1: column 0, row −1: 3 ways."),
            ("legal 0,-1", "1c k: turned 180° clockwise, Knight: city (south)."),
            ("legal 0,1", "2c: turned 180° clockwise, No meeple."),
            ("legal 7,7", "Your tile doesn't fit there."),
            ("look 0,0", "Column 0, row 0: city north; road east, west."),
            ("look 0,0", "City of 1 tile at column 0, row 0 (north), 1 point. On it: nobody. 1 end is open."),
            ("look at 0, -1", "Column 0, row −1 is open: south city."),
            ("look 0,-1", "Your tile fits: r180."),
            ("look -9999,9999", "There is nothing at column −9999, row 9999 or next to it."),
            ("look", "Give a column and a row: look 3,-1"),
            ("scores", "Bruno: 0 points, 7 meeples in hand."),
            ("last", "Nothing yet."),
            ("mine", "You have no figures on the board."),
            ("clock", "It's your turn."),
        ],
    )
    def test_commands(self, game: Game, line: str, said: str) -> None:
        assert said in self.heard(game, line)

    def test_the_short_form_of_the_mails_is_read_too(self, game: Game) -> None:
        client = awaited(game)
        told = Heard(client.get(url(game, "text"), {"say": "1C  K"}))
        assert told.answer[0] == "Column 0, row −1, turned 180° clockwise. Knight: city (south)."
        assert told.fields == {"version": str(game.version), "line": "base.E@0,-1 r180 city S"}
        heard = Heard(client.post(url(game, "text"), told.fields, follow=True))
        assert heard.answer[0] == "Your turn is played."

    def test_the_list_says_the_short_form_of_each_turn(self, game: Game) -> None:
        client = awaited(game)
        page = Page(client.get(url(game, "text")))
        full, short = (page.texts(f".fits .ways li code{kind}") for kind in (":not(.short)", ".short"))
        for line, letters in zip(full, short, strict=True):
            assert Heard(client.get(url(game, "text"), {"say": letters})).fields["line"] == f"base.E@{line}"
        numbers = [summary.partition(":")[0] for summary in page.texts(".fits summary")]
        assert numbers == ["1", "2"]
        assert {one[0] for one in short} == set(numbers)

    def test_the_short_form_is_nothing_for_who_is_not_on_turn(self, game: Game) -> None:
        page = Heard(waiting(game).get(url(game, "text"), {"say": "1c k"}))
        assert not page.fields

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("99a", "There is no space with the number 99. Choose one from the list."),
            ("1c z", "There is no spot with the letter z on this tile."),
            ("1a", "the tile's south side doesn't match its neighbour. (rule BASE-9)"),
        ],
    )
    def test_a_wrong_short_form_is_explained(self, game: Game, line: str, why: str) -> None:
        page = Heard(awaited(game).get(url(game, "text"), {"say": line}))
        assert any(why in said for said in page.answer) and not page.fields

    @pytest.mark.parametrize("line", ["", "   ", "\x00", "<b>", "look 99999,1", "legal " * 40, "٣,١ r0"])
    def test_junk_harms_nothing(self, game: Game, line: str) -> None:
        response = awaited(game).get(url(game, "text"), {"say": line, "since": "x"})
        assert response.status_code == 200
        page = Page(response)
        assert page.has("form.say") and not page.has("b:not([class])")


class TestDecisions:
    def test_whoever_is_asked_off_turn_answers_by_the_line(self) -> None:
        heart_beats(timezone.now())
        game = make_transferring_game(now=timezone.now())
        client = signed_in("Bruno")
        page = Heard(client.get(url(game, "text")))
        assert "Move figures out of Carcassonne before the scoring?" in page.headings
        assert "Your choices" in page.headings
        told = Heard(client.get(url(game, "text"), {"say": "move 1 blacksmith road 0,2 n"}))
        assert told.answer[:2] == [
            "Your answer: Follower from the blacksmith to the road at column 0, row 1.",
            "If the others stay: you +3, Clara +3.",
        ]
        heard = Heard(client.post(url(game, "text"), told.fields, follow=True))
        assert heard.answer[0] == "Your answer is played."
        assert game.seats.get(index=1).score == 3

    def test_the_others_can_not_answer_for_them(self) -> None:
        heart_beats(timezone.now())
        game = make_transferring_game(now=timezone.now())
        page = Heard(signed_in("Anna").get(url(game, "text"), {"say": "pass"}))
        assert page.answer == ["Waiting for Bruno: move figures out of Carcassonne before the scoring?"]

    def test_declining_is_told_too(self) -> None:
        heart_beats(timezone.now())
        game = make_entering_game(now=timezone.now())
        page = Heard(awaited(game).get(url(game, "text"), {"say": "pass"}))
        assert page.answer[0] == "Your answer: Send no one."
        page = Heard(awaited(game).get(url(game, "text"), {"say": "legal"}))
        assert "pass: Send no one" in page.answer
        page = Heard(awaited(game).get(url(game, "text"), {"say": "0,5 r0"}))
        assert page.answer[0].startswith("You can't choose this now.")

    def test_a_hand_of_three_says_which_tile(self) -> None:
        heart_beats(timezone.now())
        options = {**CREATOR_BEGINS, "hand": "three_open"}
        game = make_game(options=options, now=timezone.now())
        client = awaited(game)
        page = Heard(client.get(url(game, "text"), {"say": "tile"}))
        assert all(re.match(r"base\.\w+: ", line) for line in page.answer[:-1]) and len(page.answer) > 2
        ways = [link for link, _said in page.links if link.startswith("?say=")]
        told = Heard(client.get(url(game, "text") + ways[-1]))
        assert told.fields
        short = page_code(client, game)
        assert Heard(client.get(url(game, "text"), {"say": short})).fields == told.fields
        heard = Heard(client.post(url(game, "text"), told.fields, follow=True))
        assert heard.answer[0] == "Your turn is played."


def page_code(client: Client, game: Game) -> str:
    """The short form of the last listed turn, which names its tile by number."""
    return Page(client.get(url(game, "text"))).texts(".fits .ways li code.short")[-1]


class TestNews:
    def test_nothing_new_costs_next_to_nothing(self, game: Game, django_assert_max_num_queries: Any) -> None:
        client = waiting(game)
        with django_assert_max_num_queries(5):
            response = client.get(url(game, "text"), {"since": game.version}, headers={"HX-Request": "true"})
        assert response.status_code == 204

    def test_a_new_turn_is_told_and_the_rest_left_alone(self, game: Game) -> None:
        client, before = waiting(game), game.version
        awaited(game).post(url(game, "text"), {"version": before, "line": "0,-1 r180 city S"})
        response = client.get(url(game, "text"), {"since": before}, headers={"HX-Request": "true"})
        page = Page(response)
        said = (
            "Anna scores 4 points for a city (2 tiles: 4). Anna's knight came home. It's your turn."
            " Read the board as it is now"
        )
        assert page.text("p").endswith(said)
        game.refresh_from_db()
        assert page.roots() == ["p", "div#watch"]
        assert page.one("#watch")["hx-get"] == f"{url(game, 'text')}?since={game.version}"

    def test_htmx_gets_the_answer_alone(self, game: Game) -> None:
        headers = {"HX-Request": "true", "HX-Target": "answer"}
        page = Page(awaited(game).get(url(game, "text"), {"say": "tile"}, headers=headers))
        assert page.texts("ul li")[0] == "City north."
        assert page.roots() == ["ul", "input#line"]


class TestAHandOfTiles:
    """Three tiles to choose from (HR-3), told apart by name in lines and answers."""

    @pytest.fixture
    def game(self) -> Game:
        heart_beats(timezone.now())
        options = {**CREATOR_BEGINS, "hand": "three_open"}
        order = bag_of(RuleSet.of(seats=2, options=options), "base.U", "base.V", "base.B", "base.W", "base.X")
        return make_game(options=options, bag=order, now=timezone.now())

    def answer(self, game: Game, line: str, name: str = "Anna") -> list[str]:
        return Heard(signed_in(name).get(url(game, "text"), {"say": line})).answer

    def test_the_page_names_every_tile_and_says_how_a_line_does(self, game: Game) -> None:
        page = Page(signed_in("Anna").get(url(game, "text")))
        assert page.texts(".asked p.row")[0] == "Your tile: base.U: road east, west."
        hint = "start with the name of one, as in base.U@3,-1 r90 city N"
        assert page.text("#line-help").endswith(hint)
        assert any(": base.B (monastery): Column 0, row 1" in text for text in page.texts(".fits summary"))
        drawn = Page(signed_in("Anna").get(url(game)))
        assert drawn.text("#line-help").endswith(hint)
        assert drawn.texts(".typed li code") == ["base.U", "base.V", "base.B"]

    def test_a_line_without_a_tile_is_answered_by_how_to_name_one(self, game: Game) -> None:
        told, *_more = self.answer(game, "1,0 r0")
        assert told == (
            "The line doesn't say which tile. Start it with the name of one: base.U@3,-1 r90 city N"
        )
        assert "Column 1, row 0, as shown. No meeple." in self.answer(game, "base.U@1,0 r0")

    def test_what_fits_is_told_tile_by_tile(self, game: Game) -> None:
        count, first, *rest = self.answer(game, "legal")
        assert count == "Your tiles fit on 3 spaces."
        assert first == "1: base.U (road east, west): column −1, row 0: 8 ways."
        assert "7: base.B (monastery): column 0, row 1: 12 ways." in rest
        fits = "Your tile fits: base.U r0, r180; base.V r0, r270; base.B r0, r90, r180, r270."
        assert fits in self.answer(game, "look 0,1")

    def test_whoever_waits_hears_what_everybody_holds(self, game: Game) -> None:
        anna, bruno, left = self.answer(game, "tile", "Bruno")
        assert "has these tiles: road east, west / road south, west / monastery." in anna
        assert bruno.startswith("Bruno (you): 0 points, 7 meeples in hand; has these tiles: ")
        assert left == "65 tiles to come."

    def test_of_tiles_all_alike_none_need_be_named(self) -> None:
        heart_beats(timezone.now())
        options = {**CREATOR_BEGINS, "hand": "three_hidden"}
        order = bag_of(RuleSet.of(seats=2, options=options), "base.U", "base.U", "base.U")
        game = make_game(options=options, bag=order, now=timezone.now())
        assert "Column 1, row 0, as shown. No meeple." in self.answer(game, "1,0 r0")
        kept = signed_in("Anna").get(url(game), {"line": "1,0 r0", "version": game.version})
        assert Page(kept).values("#turn form:has(#send) [name=line]") == ["base.U@1,0 r0"]
        sent = signed_in("Anna").post(url(game, "play"), {"line": "1,0 r0", "version": game.version})
        assert sent.status_code == 302
        again = signed_in("Anna").get(url(game), {"line": "1,0 r0", "version": game.version})
        assert Page(again).text("#played") == "This turn has already been played: 1,0 r0"


def test_after_the_end_nobody_has_a_tile_in_hand() -> None:
    game = begun()
    play.resign(game_id=game.pk, seat=0, now=timezone.now())
    heard = Heard(signed_in("Anna").get(url(game, "text"), {"say": "tile"}))
    assert not any(line.startswith("The tile in hand") for line in heard.lines)
    assert heard.answer[0] == "There is no tile to place."


def test_a_refused_line_says_what_to_do() -> None:
    game = begun()
    for line, hint in (
        ("5,5 r0", "Type “legal” for every turn you can play now."),
        ("legal 5,5", "Type “legal” for every turn you can play now."),
        ("nonsense", "Type “help” for a list of commands."),
    ):
        heard = Heard(signed_in("Anna").get(url(game, "text"), {"say": line}))
        assert heard.answer[-1] == hint, line


def test_a_wrong_answer_is_answered_by_one_that_could_be_given() -> None:
    heart_beats(timezone.now())
    game = make_entering_game(now=timezone.now())
    heard = Heard(signed_in("Bruno").get(url(game, "text"), {"say": "enter tower"}))
    assert heard.answer[0] == (
        "“enter tower” isn't a turn. For example, type: enter cathedral count cathedral"
    )


def test_the_city_of_carcassonne_is_found_by_whoever_looks_there() -> None:
    heart_beats(timezone.now())
    game = make_game(sets=["base", "count"], options=CREATOR_BEGINS, now=timezone.now())
    heard = Heard(signed_in("Anna").get(url(game, "text"), {"say": "look 0,0"}))
    assert heard.answer == ["Column 0, row 0: The city of Carcassonne."]


def test_beyond_the_edge_of_the_table_there_is_nothing_to_look_at() -> None:
    heart_beats(timezone.now())
    options = {**CREATOR_BEGINS, "board_limit": "fixed 9x9"}
    order = bag_of(RuleSet.of(seats=2, options=options), *["base.U"] * 5)
    game = make_game(options=options, bag=order, now=timezone.now())
    game = play_lines(game, *(f"{x},0 r0" for x in range(1, 5)), now=timezone.now())
    edges = "The table reaches from column −4 to column 4 and from row −4 to row 4."
    heard = Heard(signed_in("Anna").get(url(game, "text"), {"say": "look 5,0"}))
    assert heard.answer == [edges]
    page = Page(signed_in("Bruno").get(url(game)))
    assert not page.has("#frame .dead")
    assert edges in page.texts("#tab-tiles > p")
    room = page.one("#board-map rect.room")
    assert [room[name] for name in ("x", "y", "width", "height")] == ["-406", "-406", "912", "912"]
    told = Heard(signed_in("Anna").get(url(game, "text"), {"say": "5,0 r0"})).answer[0]
    assert told.startswith("That space is off the table.")
