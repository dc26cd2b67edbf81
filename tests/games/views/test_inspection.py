"""Tests of board inspection: what is shown to whom, and what only after the end."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from games import play, tables
from games.models import Game, Seat, new_code
from games.pages.inspection import layers
from games.pages.inspection.facts import FeatureFacts, build_feature_facts, percent
from games.pages.scene import Scene
from games.play import positions
from games.rules import Game as Played
from games.rules import Meeple, RuleSet, State
from games.rules.geometry import get_cell
from tests.games.factories import (
    heart_beats,
    make_game,
    make_player,
    make_table,
    new_process,
    play_lines,
    play_turns,
)
from tests.games.visitors import awaited, bag, signed_in, url
from tests.html import Page, words

ROAD = ("0,0", "road", "E")
HTMX = {"HX-Request": "true", "HX-Target": "facts"}


def on_the_road(**settings: Any) -> Game:
    """Make a game in which Anna has a highwayman on a road of two tiles, and Bruno holds a straight road."""
    heart_beats(timezone.now())
    game = make_game(bag=bag("base.U", "base.U"), now=timezone.now(), **settings)
    return play_lines(game, "1,0 r0 road W", now=timezone.now())


def part(client: Client, game: Game, name: str, *args: Any, **query: Any) -> Page:
    response = client.get(url(game, name, *args), query, headers=HTMX)
    assert response.status_code == 200
    return Page(response)


def margin(page: Page) -> list[str]:
    """The majority, as a feature's card says it."""
    return page.texts(".facts-card .margin-words")


def scene(purist: bool = False, me: int | None = None, **ended: Any) -> Scene:
    """A scene at the start of a game of three."""
    rules = RuleSet.of(seats=3)
    game = Game(purist=purist, version=0, places=3, rule_set=rules.to_json(), **ended)
    return showing(game, Played.new(rules).state, me)


def showing(game: Game, state: State, me: int | None) -> Scene:
    """A scene of *game* with that *state*, without rows; the code is new, as it is the key of caches."""
    game.code = new_code()
    seats = [Seat(index=index) for index in range(3)]
    made = Scene(game, AnonymousUser(), seats, version=0)
    made.__dict__.update(
        me=None if me is None else seats[me], names=("Anna", "Bruno", "Clara"), played=Played(state)
    )
    return made


def facts(made: Scene, followers: str, on: str = "road", side: str | None = "E") -> FeatureFacts:
    """The facts of a feature of the start tile with *followers* on it, by the letters of their seats."""
    board = made.state.board
    code = board.feature_at(0, 0, on, side).segments[0]
    for letter in followers:
        board = board.with_meeple(Meeple("ABC".index(letter), "follower", code))
    then = showing(made.game, made.state.but(board=board), None if made.me is None else made.me.index)
    return build_feature_facts(then, then.state.feature_at(0, 0, on, side))


class TestMargins:
    @pytest.mark.parametrize(
        ("me", "followers", "told"),
        [
            (0, "", "No meeples on it."),
            (0, "A", "Only you have meeples on it."),
            (1, "AA", "Only Anna has meeples on it."),
            (0, "AAB", "You lead by 1."),
            (1, "AAAB", "Anna leads you by 2."),
            (2, "AAAB", "Anna leads by 2."),
            (None, "AAB", "Anna leads by 1."),
            (0, "AB", "Shared: you, Bruno."),
            (2, "AB", "Shared: Anna, Bruno."),
            (2, "AABBC", "Shared: Anna, Bruno. You're 1 behind."),
        ],
    )
    def test_who_has_the_majority_and_by_how_much(self, me: int | None, followers: str, told: str) -> None:
        shown = facts(scene(me=me), followers)
        assert shown.margin == told
        assert told in shown.line

    @pytest.mark.parametrize("followers", ["AAB", "AB"])
    def test_a_purist_s_table_tells_who_stands_there_and_no_more(self, followers: str) -> None:
        shown = facts(scene(purist=True, me=0), followers)
        assert shown.margin == ""
        assert [holder.name for holder in shown.holders] == ["Anna", "Bruno"]
        assert [name for name, _value in shown.rows] == ["Open ends", "Points now"]
        assert "completed" not in shown.line and "lead" not in shown.line and "hared" not in shown.line

    def test_when_it_is_over_a_purist_s_table_tells_all(self) -> None:
        assert facts(scene(purist=True, me=0, status="finished"), "AAB").margin == "You lead by 1."

    def test_the_line_has_size_open_ends_and_points(self) -> None:
        assert facts(scene(me=0), "A").line == (
            "Road of 1 tile: 2 open ends, 1 point now, at least 3 points if completed. "
            "Only you have meeples on it."
        )

    def test_a_field_tells_whom_it_would_pay(self) -> None:
        rows = dict(facts(scene(), "A", "field", "SSE").rows)
        assert rows["Points for"] == "Anna +0"
        assert "Open ends" not in rows


def test_percent_never_claims_what_is_not_certain() -> None:
    told = [percent(chance) for chance in (0, 0.004, 0.5, 0.999, 1)]
    assert told == ["0%", "less than 1%", "50%", "more than 99%", "100%"]


@pytest.mark.django_db
class TestAFeature:
    def test_its_page_is_the_board_with_it_lit_and_told(self) -> None:
        game = on_the_road()
        page = Page(signed_in("Anna").get(url(game, "feature", *ROAD)))
        assert page.text("#facts h2").startswith("Road of 2 tiles")
        assert margin(page) == ["Only you have meeples on it."]
        assert page.has("svg#lit.lit use[href*='#U-']")
        assert page.has("#frame #turn-map")

    def test_htmx_gets_the_light_and_the_facts_alone(self) -> None:
        game = on_the_road()
        told = part(signed_in("Bruno"), game, "feature", *ROAD)
        assert told.roots() == ["section", "svg#lit"]
        assert margin(told) == ["Only Anna has meeples on it."]
        assert told.has("svg#lit.lit use")

    def test_every_name_of_its_spots_is_the_same_feature(self) -> None:
        game = on_the_road()
        for spot in (("0,0", "road", "W"), ("1,0", "road", "E")):
            assert part(Client(), game, "feature", *spot).text("h2").startswith("Road of 2 tiles")

    def test_in_the_past_it_is_as_it_was(self) -> None:
        game = on_the_road()
        assert part(Client(), game, "feature", *ROAD, ply=0).text("h2").startswith("Road of 1 tile")
        page = Page(Client().get(url(game, "feature", *ROAD), {"ply": 0}))
        assert page.text("#moment #facts h2").startswith("Road of 1 tile")

    @pytest.mark.parametrize(
        ("name", "args"),
        [
            ("feature", ("0,0", "road", "N")),
            ("feature", ("0,0", "monastery")),
            ("feature", ("0,0", "dragon", "N")),
            ("feature", ("7,7", "road", "E")),
            ("feature", ("0", "road", "E")),
            ("feature", ("0,0,0", "road", "E")),
            ("feature", ("99999,0", "road", "E")),
            ("feature", ("+0,0", "road", "E")),
            ("feature", ("٠,0", "road", "E")),
            ("space", ("7,7",)),
            ("space", ("here",)),
            ("space", ("9" * 5000 + ",0",)),
            ("quarter", ("castle",)),
            ("quarter", ("moon",)),
        ],
    )
    def test_where_nothing_is_there_is_no_page(self, name: str, args: tuple[str, ...]) -> None:
        game = on_the_road()
        for headers in ({}, HTMX):
            assert Client().get(url(game, name, *args), headers=headers).status_code == 404

    def test_a_place_with_a_tile_tells_which(self) -> None:
        game = on_the_road()
        page = Page(Client().get(url(game, "space", "0,0")))
        assert page.text("#facts-title") == "Column 0, row 0"
        assert "road" in page.text("#facts p")
        assert page.has("#lit .here[x='4'][y='4']")

    def test_moves_lead_to_the_places_that_they_name(self) -> None:
        game = on_the_road()
        link = Page(Client().get(url(game))).link("column 1, row 0")
        assert link == url(game, "space", "1,0") and Client().get(link).status_code == 200

    @pytest.mark.parametrize("ply", ["99", "-1", "x", "1e1", "9" * 5000])
    def test_a_ply_that_was_not_played_has_no_page(self, ply: str) -> None:
        game = on_the_road()
        for name, args in (("feature", ROAD), ("layer", ()), ("features", ()), ("show", ("fields",))):
            assert Client().get(url(game, name, *args), {"ply": ply}).status_code == 404

    def test_a_private_game_shows_nothing_to_strangers(self) -> None:
        game = on_the_road(visibility="private")
        for name, args in (
            ("feature", ROAD),
            ("space", ("2,0",)),
            ("layer", ()),
            ("features", ()),
            ("show", ("fields",)),
        ):
            assert Client().get(url(game, name, *args)).status_code == 404
            assert signed_in("Anna").get(url(game, name, *args), headers=HTMX).status_code == 200

    def test_what_has_not_begun_has_nothing_to_look_at(self) -> None:
        game = make_table(now=timezone.now())
        for name in ("layer", "features"):
            assert Client().get(url(game, name)).status_code == 404

    def test_looking_is_cheap(self, django_assert_max_num_queries: Any, monkeypatch: Any) -> None:
        game = play_turns(on_the_road(), 30, now=timezone.now())
        for name, args in (("feature", ROAD), ("layer", ()), ("features", ()), ("show", ("spaces",))):
            new_process()
            client = signed_in("Anna")
            with django_assert_max_num_queries(6):
                assert client.get(url(game, name, *args), headers=HTMX).status_code == 200


@pytest.mark.django_db
class TestTheLayer:
    def test_it_comes_only_when_asked_for(self) -> None:
        game = on_the_road()
        page = Page(awaited(game).get(url(game)))
        assert not page.has("a.feature")
        layer = Page(Client().get(page.one("svg#features[hidden]")["hx-get"]))
        assert len(layer.all("a.feature")) == len(list(layers.features(positions.load_position(game).state)))
        assert layer.has("a.space") and all(one["tabindex"] == "-1" for one in layer.all("a"))

    def test_a_browser_may_keep_it_while_nothing_happens(self) -> None:
        game = on_the_road()
        kept = Client().get(url(game, "layer"), {"v": game.version})
        assert "private" in kept["Cache-Control"] and "max-age=86400" in kept["Cache-Control"]
        assert {"Cookie", "Accept-Language"} <= set(kept["Vary"].split(", "))
        for v in ("", "0", "x"):
            assert "no-cache" in Client().get(url(game, "layer"), {"v": v})["Cache-Control"]

    def test_by_keyboard_it_is_walked_through_in_reading_order(self) -> None:
        game = play_turns(on_the_road(), 8, now=timezone.now())
        layer = Page(Client().get(url(game, "layer"), {"keys": 1}))
        assert layer.has("a#first") and not layer.has("[tabindex='-1']")
        places = [link.split("/")[4].split(",") for link in layer.links("a.feature")]
        assert places == sorted(places, key=lambda place: (int(place[1]), int(place[0])))
        assert len({y for _x, y in places}) > 1

    def test_in_the_past_it_has_what_lay_then(self) -> None:
        game = on_the_road()
        then = Page(Client().get(url(game, "layer"), {"ply": 0}))
        assert [text for text in then.texts("a.feature title") if text.startswith("Road")] == []
        assert all(link.endswith("?ply=0") for link in then.links("a.feature"))


@pytest.mark.django_db
class TestOverTheBoard:
    def test_fields_have_their_owners_colours_and_textures(self) -> None:
        heart_beats(timezone.now())
        game = make_game(bag=bag("base.U", "base.U"), now=timezone.now())
        play_lines(game, "1,0 r0 field NNE", now=timezone.now())
        page = Page(Client().get(url(game), {"show": "fields"}))
        assert page.has("#shown #field-0-mask") and not page.has("[id^=field-1]")
        assert page.texts("#shown .meeples title") == ["Anna: farmer"]
        assert page.texts("#looks [aria-current=true]") == ["Fields"]

    def test_spaces_have_numbers_and_are_links(self) -> None:
        game = on_the_road()
        page = Page(Client().get(url(game), {"show": "spaces"}))
        spaces = page.links("#shown a.space")
        assert url(game, "space", "0,-1") in spaces
        assert len(spaces) == len(positions.load_position(game).state.board.needs)

    def test_a_switch_swaps_what_lies_over_the_board_alone(self) -> None:
        game = on_the_road()
        swapped = part(Client(), game, "show", "spaces")
        assert swapped.roots() == ["p#looks", "svg#shown"]
        assert swapped.one("#looks [aria-current=true]")["hx-get"] == url(game, "show", "none")

    @pytest.mark.parametrize(("show", "there"), [("fields", "?show=fields"), ("none", ""), ("x", "")])
    def test_without_htmx_a_switch_leads_to_the_board(self, show: str, there: str) -> None:
        game = on_the_road()
        assert Client().get(url(game, "show", show)).url == url(game) + there

    def test_the_spaces_nothing_fits_are_crossed_out_and_said(self, monkeypatch: Any) -> None:
        game = on_the_road()
        played = positions.load_position(game)
        few = played.state.but(remaining={"base.B": 1}, left=1)
        positions.remember(game.code, game.version, Played(few))
        assert Page(Client().get(url(game))).has("#frame .dead")
        said = Page(Client().get(url(game, "text"))).texts(
            "li:-soup-contains('No remaining tile fits here.')"
        )
        assert "column 0, row −1: south city. No remaining tile fits here." in said
        new_process()
        page = Page(Client().get(url(game)))
        assert page.has("#board-map") and not page.has("#frame .dead")

    def test_the_list_says_of_what_is_dead_that_it_can_not_be_completed_and_not_what_it_would_bring(
        self,
    ) -> None:
        game = on_the_road()
        (alive,) = Page(Client().get(url(game, "features"))).all(
            "tr:-soup-contains('City of 1 tile') td:last-child"
        )
        assert alive["data-name"] == "If completed, at least: " and words(alive) == "4"
        few = positions.load_position(game).state.but(remaining={"base.B": 1}, left=1)
        new_process()
        positions.remember(game.code, game.version, Played(few))
        new = Page(Client().get(url(game, "features")))
        (dead,) = new.all("tr:-soup-contains('City of 1 tile') td:last-child")
        assert words(dead) == "can't be completed" and not dead.has_attr("data-name")

    def test_a_hand_that_is_hidden_is_not_known_to_others(self) -> None:
        heart_beats(timezone.now())
        options = {"first_player": "creator", "hand": "three_hidden"}
        game = make_game(options=options, now=timezone.now())
        held = positions.load_position(game).state.hands[0]
        spaces = [f"{x},{y}" for x, y in ((0, -1), (1, 0), (-1, 0), (0, 1))]
        assert any(part(signed_in("Anna"), game, "space", at).has("li.drawn") for at in spaces), held
        assert not any(part(Client(), game, "space", at).has("li.drawn") for at in spaces)
        of_all = 71 - 3  # those in one's own hand are known
        own = part(signed_in("Anna"), game, "space", "0,-1").text("h2 + p")
        assert own.endswith(f"of {of_all} tiles to come fit here.")
        assert part(Client(), game, "space", "0,-1").text("h2 + p").endswith("of 71 tiles to come fit here.")

    def test_a_space_tells_what_fits_and_how_likely_it_comes(self) -> None:
        game = on_the_road()
        told = part(signed_in("Anna"), game, "space", "0,-1")
        assert told.text("h2 + p") == "43 of 69 tiles to come fit here."
        # The next one, of which 43 in 69 fit, and every other.
        assert told.facts(".facts-rows") == {
            "The next tile drawn": "62%",
            "One of your next 3 tiles": "95%",
            "One of the 35 tiles you will still draw": "100%",
        }
        assert "One of the next 2 tiles" in part(Client(), game, "space", "0,-1").facts(".facts-rows")

    def test_the_quarters_of_carcassonne_can_be_looked_at(self) -> None:
        heart_beats(timezone.now())
        game = make_game(sets=["base", "count"], now=timezone.now())
        told = part(Client(), game, "quarter", "castle")
        assert told.text("h2").startswith("Castle")
        assert told.text(".facts-card > p.small").startswith("The Count is here")
        assert url(game, "quarter", "market") in Page(Client().get(url(game, "layer"))).links("a.feature")

    def test_the_sheet_tells_how_many_of_how_many(self) -> None:
        game = on_the_road()
        kinds = {
            element["title"]: words(element) for element in Page(Client().get(url(game))).all(".remaining li")
        }
        assert kinds["road east, west"] == "6/ of 8", "one lies, one is in hand"

    def test_the_list_of_features_links_to_each_of_them(self) -> None:
        game = on_the_road()
        links = Page(Client().get(url(game, "features"))).links("table tbody th a")
        board = positions.load_position(game).state.board
        for feature in layers.features(positions.load_position(game).state):
            x, y, on, side = board.spot_of(feature)
            assert url(game, "feature", f"{x},{y}", on, side) in links
        assert url(game, "space", "0,-1") in links


@pytest.mark.django_db
class TestAPuristsTable:
    @pytest.mark.parametrize("who", ["Anna", "Bruno", None])
    def test_nothing_that_computes_is_told_while_it_is_played(self, who: str | None) -> None:
        game = play_turns(on_the_road(purist=True), 20, now=timezone.now())
        client = signed_in(who) if who else Client()
        state = positions.load_position(game).state
        assert client.get(url(game, "space", "0,-1")).status_code == 404
        scene = Scene.of(game, AnonymousUser())
        pages = [
            Page(client.get(url(game))),
            Page(client.get(url(game), {"show": "spaces"})),
            Page(client.get(url(game, "features"))),
            Page(client.get(url(game, "layer"))),
            Page(client.get(url(game, "layer"), {"ply": 3})),
            part(client, game, "show", "spaces"),
            *(
                Page(client.get(scene.feature_url(feature), headers=HTMX))
                for feature in layers.features(state)
            ),
        ]
        for page in pages:
            assert not page.has(".space, .dead")
            for aid in ("tiles to come fit", "if completed", "Only you have meeples", "Points for"):
                assert not page.mentions(aid)
        for page in pages[2:]:
            for aid in ("leads", "You lead", "If completed"):
                assert not page.mentions(aid)
        assert pages[2].texts("thead th") == ["Feature", "Meeples", "Open ends", "Points now"]

    def test_it_still_lights_features_and_shows_fields_and_remaining_tiles(self) -> None:
        game = on_the_road(purist=True)
        told = part(Client(), game, "feature", *ROAD)
        assert told.text("h2").startswith("Road of 2 tiles") and told.has("svg#lit.lit")
        assert told.texts(".holders li") == ["highwayman Anna"]
        page = Page(Client().get(url(game), {"show": "fields"}))
        assert page.has(".remaining li") and page.texts("#looks a") == ["Fields"]

    def test_the_preview_still_tells_what_the_turn_itself_does(self) -> None:
        heart_beats(timezone.now())
        game = make_game(bag=bag("base.U", "base.A", "base.A"), now=timezone.now(), purist=True)
        game = play_lines(game, "1,0 r0 road W", "2,0 r90", now=timezone.now())
        page = Page(signed_in("Anna").get(url(game), {"at": "-1,0", "r": "270", "on": "none"}))
        assert "Completes a road of 4 tiles: you +4." in page.text("#turn .sentence")

    def test_when_it_is_over_all_is_told(self) -> None:
        game = on_the_road(purist=True)
        play.resign(game_id=game.pk, seat=1, now=timezone.now())
        game.refresh_from_db()
        assert game.ended
        assert margin(part(Client(), game, "feature", *ROAD)) == ["Only Anna has meeples on it."]
        assert "Majority" in Page(Client().get(url(game, "features"))).texts("thead th")

    def test_the_page_says_so(self) -> None:
        page = Page(Client().get(url(on_the_road(purist=True))))
        (told,) = page.texts("dt:-soup-contains('Hints') + dd")
        assert told == "none until the game is over"

    def test_it_is_set_in_the_form_and_said_before_sitting_down(self) -> None:
        client = signed_in(make_player("Anna").username)
        sent = {
            "seats": 2,
            "bots": 0,
            "clock": "steady",
            "visibility": "public",
            "preset": "standard",
            "filled": "standard",
            "purist": "on",
        }
        made = client.post("/new/", sent)
        game = Game.objects.get()
        assert made.url == url(game) and game.purist
        told = Page(client.get(url(game))).texts(".settings dt:-soup-contains('Hints') + dd")
        assert len(told) == 1 and told[0].startswith("No chances, dead spaces")
        assert Page(client.get("/lobby/")).texts(".card.table .special") == ["without calculated hints"]

    def test_a_rematch_is_played_the_same_way(self) -> None:
        game = on_the_road(purist=True)
        play.resign(game_id=game.pk, seat=1, now=timezone.now())
        again = tables.rematch(game_id=game.pk, player=game.host, now=timezone.now())
        assert again.purist


def test_cells_are_named_as_the_address_writes_them() -> None:
    at = layers.parse_place("3,-1")
    assert (at.x, at.y) == (3, -1) and get_cell(*at) == get_cell(3, -1)
