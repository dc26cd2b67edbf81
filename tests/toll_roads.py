"""The expansion of ``docs/expansions.md`` on the site: ``test_expansions.py`` runs this beside its files."""

from __future__ import annotations

from random import Random

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.bots.house import choose
from games.drawing.sprite import load_generated
from games.models import Game
from games.play import positions
from games.rules import Game as Played
from games.rules import RuleSet
from games.rules.playout import pick_random_action, play_random_game
from tests.games.factories import NOW, bag_of, heart_beats, make_game, play_lines
from tests.games.forms.rule_set_helpers import build_form_data, find_value_index
from tests.games.visitors import signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db
SETS = ("base", "toll")


def asked() -> Game:
    """Make a game in which Bruno has completed a road of Anna's with a toll house."""
    heart_beats(NOW)
    rules = RuleSet.of(sets=SETS, options={"first_player": "creator"}, seats=2)
    game = make_game(sets=SETS, bag=bag_of(rules, "toll.end", "base.A"))
    return play_lines(game, "1,0 r0 road W", "-1,0 r270")


def test_it_is_offered_with_its_option() -> None:
    make_game()
    visitor = signed_in("Anna")
    page = Page(visitor.get("/new/"))
    assert page.text(".chip:has([name=set_toll]) b") == "Toll Roads"
    assert page.text(".chip:has([name=set_toll]) .chip-words > span:last-of-type") == "+3 tiles, +1 min"
    picture = str(page.one(".chip:has([name=set_toll]) use")["href"]).removeprefix("/static/")
    path = finders.find(picture.partition("#")[0])
    assert path is not None
    with open(path, encoding="utf-8") as file:
        assert '<g id="toll">' in file.read()
    assert page.text(".field:has([name=option_toll_points]) label") == "Points for a toll house at the end"
    fields = build_form_data(set_toll="on", option_toll_points=find_value_index("toll_points", 1))
    response = visitor.post("/new/", fields)
    assert response.status_code == 302
    rules = Game.objects.order_by("-pk")[0].rules
    assert rules.sets == SETS
    assert rules.options["toll_points"] == 1


def test_what_is_asked_and_done_has_words() -> None:
    game = asked()
    assert positions.load_position(game).decision == ("toll", 0)
    page = Page(signed_in("Anna").get(url(game)))
    assert page.text("#turn h2") == "Do you pay the toll?"
    assert page.text("#decline") == "Pay nothing" and page.has("#send[disabled]")
    page = Page(signed_in("Anna").get(page.link("Pay, and take your followers back")))
    assert page.text("#sentence").startswith("Pay, and take your followers back.")
    assert page.one("form:has(#send) [name=line]")["value"] == "leave"
    headline = Page(signed_in("Bruno").get(url(game))).text(".table-head .headline strong")
    assert headline == "Anna may pay the toll."
    game = play_lines(game, "leave")
    assert "Anna pays the toll." in Page(signed_in("Bruno").get(url(game))).texts(".told li")[-1]
    in_words = Page(signed_in("Bruno").get(url(game, "text")))
    assert any("with a toll house" in line for line in in_words.texts("section li"))


def test_it_is_drawn() -> None:
    game = asked()
    sprite = load_generated()["sprites"]["toll"]
    drawn_tiles = Page(signed_in("Anna").get(url(game))).all("#board-map use")
    assert f"/static/{sprite}#toll.end0" in [use["href"] for use in drawn_tiles]
    path = finders.find(sprite)
    assert path is not None
    with open(path, encoding="utf-8") as file:
        drawn = file.read()
    assert '<g id="toll.end0">' in drawn
    assert '<g id="toll">' in drawn, "the toll house"


def test_its_page_of_rules_is_found_with_example_and_option() -> None:
    assert "/rules/toll/" in Page(Client().get("/rules/")).links("#more a")
    page = Page(Client().get("/rules/toll/"))
    assert "The toll" in page.texts("h2")
    assert page.texts("figure figcaption strong") == ["Blue scores 3 points for the road."]
    assert page.has("#option-toll_points")


def test_it_is_played_with_everything_else_and_by_the_house_bot() -> None:
    sets = ("base", "toll", "count", "cult", "traders-and-builders")
    assert play_random_game(RuleSet.of(sets=sets, seats=3), Random(1)).state.over
    game, chance = Played.new(RuleSet.of(sets=SETS, seats=2)), Random(2)
    while not game.state.over:
        bot = game.decision.seat is not None
        game = game.play(choose(game.state) if bot else pick_random_action(game, chance))
