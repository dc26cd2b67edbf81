"""Tests of the targets over a board while a question is answered."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from games.drawing.board import BoardPicture, Figure, LaidTile, QuarterToken, Resident
from games.drawing.layers import SegmentShape
from games.drawing.targets import (
    FigurePath,
    Ghost,
    Target,
    draw_targets,
    find_place_in_quarter,
    find_place_of_quarter_token,
    find_place_of_token,
    find_place_on_feature,
    find_target_bounds,
    list_places_of_figures,
)
from games.rules.tiles import load_tile_set

BLOCK = tuple(
    LaidTile(tile.id, tile.block[0] - 2, tile.block[1] - 1, 0)
    for tile in load_tile_set("count").tiles
    if tile.block is not None
)
HERE = (Resident(0, "follower", "market"), Resident(1, "follower", "market"), Resident(0, "large", "market"))
PICTURE = BoardPicture(
    laid=(*BLOCK, LaidTile("base.E", 2, 0, 0)),
    meeples=(Figure(0, "follower", 2, 0, "city", "N"),),
    residents=(*HERE, Resident(0, "follower", "market")),
    quarter_token=QuarterToken("count", "castle"),
    sprite="/s.svg",
)
CITY = (SegmentShape("base.E", 0, 2, 0, 0),)


def drawn(*targets: Target, ways: tuple[FigurePath, ...] = ()) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{draw_targets(targets, ways, PICTURE)}</svg>")


def test_the_figures_of_a_seat_in_a_quarter_are_found_and_the_next_has_a_place_of_its_own() -> None:
    mine = list_places_of_figures(PICTURE, 0, "market", "follower")
    assert len(mine) == 2 and len(list_places_of_figures(PICTURE, 0, "market", "large")) == 1
    assert list_places_of_figures(PICTURE, 0, "castle", "follower") == ()
    taken = {
        *mine,
        *list_places_of_figures(PICTURE, 1, "market", "follower"),
        *list_places_of_figures(PICTURE, 0, "market", "large"),
    }
    assert len(taken) == 4 and find_place_in_quarter(PICTURE, "market") not in taken


def test_the_count_is_where_he_stands() -> None:
    assert find_place_of_token(PICTURE, "count") == find_place_of_quarter_token(PICTURE, "castle")
    x, y = find_place_of_quarter_token(PICTURE, "castle")
    assert -200 < x < 0 and -100 < y < 50  # the block begins two cells west and one north of the middle
    with pytest.raises(KeyError):
        find_place_of_quarter_token(BoardPicture(laid=()), "castle")


def test_one_more_figure_on_a_feature_stands_beside_the_other() -> None:
    beside = find_place_on_feature(PICTURE, 2, 0, "city", "N")
    alone = find_place_on_feature(BoardPicture(laid=PICTURE.laid), 2, 0, "city", "N")
    assert beside != alone and max(abs(a - b) for a, b in zip(beside, alone, strict=True)) < 40


def test_targets_are_links_and_those_that_are_only_shown_are_not() -> None:
    market = Target("m", "?quarter=market", "<Market>", quarter="market", text="Market", chosen=True, seat=3)
    shown = drawn(market, Target("", "", "", quarter="castle"), Target("c", "?city=1", "City", shapes=CITY))
    links = {link.get("id"): link for link in shown.iter("a")}
    assert set(links) == {"m", "c"}
    assert links["m"].get("aria-label") == "<Market>" and links["m"].get("aria-current") == "true"
    assert links["c"].get("aria-current") is None and links["c"].get("hx-get") == "?city=1"
    assert "seat3" in (links["m"].get("class") or "")
    assert [text.text for text in links["m"].iter("text")] == ["Market"]


def test_as_many_are_meant_as_were_chosen() -> None:
    ringed = list_places_of_figures(PICTURE, 0, "market", "follower")
    for chosen, meant, rings in ((False, 1, 0), (True, 1, 1), (True, 2, 2)):
        shown = drawn(Target("f", "?", "", quarter="market", ringed=ringed, chosen=chosen, meant=meant))
        assert [ring.get("class") for ring in shown.iter("circle")].count("ring meant") == rings


def test_whoever_stands_there_is_drawn_above_the_light() -> None:
    shown = drawn(Target("c", "?", "", shapes=CITY, ghost=Ghost("/s.svg#m0", (250.0, 20.0), "×2")))
    classes = [one.get("class") for one in shown]
    assert classes.index("target seat0") < classes.index("standing")


def test_a_way_is_an_arrow_unless_it_leads_nowhere() -> None:
    long, short = FigurePath((0.0, 0.0), (300.0, 40.0)), FigurePath((0.0, 0.0), (9.0, 9.0))
    assert len([one for one in drawn(ways=(long,)).iter() if one.get("class") == "going"]) == 1
    assert not [one for one in drawn(ways=(short,)).iter() if one.get("class") == "going"]


def test_all_that_may_be_chosen_is_within_reach() -> None:
    city = Target("c", "?", "", shapes=CITY)
    assert find_target_bounds([city], PICTURE) == (200, 0, 300, 100)
    assert find_target_bounds([city, Target("m", "?", "", quarter="market")], PICTURE) == (
        -200,
        -100,
        300,
        200,
    )


@pytest.mark.parametrize("below", ["", "road", "kláštor, pútnické miesto"])
@pytest.mark.parametrize("text", ["Castle", "Blacksmith · Count", "Kováčska dielňa · Gróf"])
def test_labels_of_neighbours_stay_apart_even_enlarged(text: str, below: str) -> None:
    ends = []
    for quarter in ("cathedral", "blacksmith"):
        shown = drawn(Target("q", "?", "", quarter=quarter, text=text, below=below))
        (group,) = (one for one in shown.iter("g") if one.get("class") == "name")
        (box,) = group.iter("rect")
        x = float((group.get("transform") or "").removeprefix("translate(").split()[0])
        half = 1.3 * float(box.get("width") or 0) / 2
        ends.append((x - half, x + half))
    assert ends[0][1] < ends[1][0]
