"""Tests of events and refusals in sentences."""

import pytest
from django.utils.translation import gettext, override

from games import words
from games.rules import (
    Deploy,
    Deployed,
    Discarded,
    FurtherTurn,
    Game,
    IllegalAction,
    Placed,
    PutAside,
    Returned,
    RuleSet,
    get_tile,
)
from games.words.grammar import add_article

NAMES = ("Anna", "Bruno")
STATE = Game.new(RuleSet.of()).state


def test_the_abbot_has_the_article_that_english_asks_for() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    assert words.tell_event(deployed, NAMES) == "Anna deployed an abbot: monastery."
    returned = Returned(seat=1, x=0, y=0, on="garden", side=None, meeple="abbot")
    assert words.tell_event(returned, NAMES) == "Bruno's abbot came home."
    refused = IllegalAction("wrong_figure", "ABBOT-3", meeple="abbot")
    assert words.explain_refusal(refused) == "An abbot can't go there. (rule ABBOT-3)"


def test_a_name_that_ends_in_an_article_stays_as_it_is() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    assert add_article("team-a enters the market, and team.a asks an abbot for a ox.") == (
        "team-a enters the market, and team.a asks an abbot for an ox."
    )
    assert words.tell_event(deployed, ("team-a", "Bruno")) == "team-a deployed an abbot: monastery."


def test_other_languages_keep_their_words() -> None:
    deployed = Deployed(seat=0, x=0, y=0, on="monastery", side=None, meeple="abbot")
    with override("pl"):
        assert " an " not in words.tell_event(deployed, NAMES)


@pytest.mark.parametrize(
    ("tile", "side", "said"),
    [
        ("base.U", "NNW", "field (north)"),
        ("base.U", "SSE", "field (south)"),
        ("base.X", "NNW", "field (north, western half)"),
        ("base.D", "ESE", "field (south)"),
        ("base.D", "ENE", "field (east, northern half)"),
    ],
)
def test_a_field_that_fills_an_edge_is_named_by_all_of_it(tile: str, side: str, said: str) -> None:
    deploy = Deploy("follower", "field", side)
    assert words.label_figure(STATE, deploy, get_tile(tile).at(0)) == f"Farmer: {said}"
    turn = (Placed(0, tile, 1, 0, 0), Deployed(seat=0, x=1, y=0, on="field", side=side, meeple="follower"))
    assert words.tell_events(turn, NAMES)[1] == f"Anna deployed a farmer: {said}."


def test_where_the_tile_is_not_known_half_an_edge_is_named_as_it_is_written() -> None:
    said = words.label_figure(STATE, Deploy("follower", "field", "NNW"))
    assert said == "Farmer: field (north, western half)"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("hole", "Anna fills a hole and gets another turn."),
        ("volcano", "Anna places the volcano and gets another turn."),
        ("builder", "Anna gets another turn from the builder."),
    ],
)
def test_a_further_turn_says_what_brings_it(source: str, said: str) -> None:
    assert words.tell_event(FurtherTurn(0, source), NAMES) == said


def test_a_tile_that_fits_nowhere_is_named() -> None:
    for event, becomes in (
        (Discarded(1, "base.C"), "left the game"),
        (PutAside(1, "base.C"), "was set aside"),
    ):
        assert words.tell_event(event, NAMES) == (
            f"A tile didn't fit anywhere and {becomes}: city north, east, south, west with 1 shield."
            " Bruno drew again."
        )


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("HR-10", "That space is off the table. Choose one of the marked spaces."),
        ("RIVER-6", "The river would bend back. Rotate the tile."),
        ("COUNT-1", "The rules of this game don't allow the tile there."),
    ],
)
def test_a_forbidden_space_says_what_forbids_it(rule: str, said: str) -> None:
    assert words.explain_refusal(IllegalAction("forbidden_placement", rule)) == f"{said} (rule {rule})"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "city north; road south, west"),
        ("pl", "miasto (północ); trakt (południe, zachód)"),
        ("sk", "mesto (sever); cesta (juh, západ)"),
        ("is", "borg (norður); vegur (suður, vestur)"),
        ("ru", "город (север); дорога (юг, запад)"),
    ],
)
def test_a_tile_is_described_in_every_language(language: str, said: str) -> None:
    with override(language):
        assert words.describe_tile("base.K") == said


def test_figures_in_hand_are_in_one_reserve_in_polish() -> None:
    with override("pl"):
        assert gettext("Meeples in hand") == "Pionki w rezerwie"
        returned = Returned(seat=1, x=0, y=0, on="city", side="N", meeple="follower")
        assert words.tell_event(returned, NAMES) == "Bruno: rycerz wraca do rezerwy."
