"""Tests of charts of ratings."""

from fractions import Fraction

from games.pages.rating_chart import draw_history_chart, levels
from leagues.models import TeamMatch
from leagues.pages import race_chart
from leagues.pages.names import NameLink
from leagues.pages.race import Runner, build_race, build_team_race
from tests.html import Page


def test_all_lies_between_the_levels() -> None:
    for least, most in ((1500, 1500), (1333, 1667), (-200, 2300), (1499, 1500), (1400, 1700)):
        rows = levels(least, most)
        assert rows[0] <= least and most < rows[-1] and len(rows) <= 9


def test_one_game_is_a_chart_too() -> None:
    chart = Page(draw_history_chart([(1400, 1500, 1600)], first=1, title="<T>", description="D", axis="A"))
    assert chart.text("svg[role=img] title") == "<T>"
    assert chart.texts(".start") == ["1"] and not chart.has(".end")


def runners(*names: str) -> list[Runner]:
    return [Runner(at, NameLink(name, ""), own=name == "Bob") for at, name in enumerate(names)]


def test_a_race_tells_places_after_each_round() -> None:
    points = {0: [0, 2, 4], 1: [2, 2, 3], 2: [2, 2, 2]}
    race = build_race(
        runners("Ann", "Bob", "<Cid>"), {key: list(map(Fraction, had)) for key, had in points.items()}
    )
    assert race is not None
    assert [[(cell.place, cell.points) for cell in row.cells] for row in race.rows] == [
        [(3, "0"), (1, "2"), (1, "4")],
        [(1, "2"), (2, "2"), (2, "3")],
        [(2, "2"), (3, "2"), (3, "2")],
    ]
    chart = Page(race.chart)
    assert chart.texts(".line text") == ["Ann", "Bob", "<Cid>"]
    assert chart.texts(".line.own text") == ["Bob"]
    assert chart.texts(".columns text") == ["1", "2", "3"]
    assert chart.text("desc") == "From round 1 to the latest: Ann 3-1, Bob 1-2, <Cid> 2-3."


def test_a_race_of_teams_counts_matches_that_are_decided() -> None:
    results = [(1, 7, 8, "2", "1", True), (2, 8, 7, "3/2", "3/2", True), (3, 7, 8, "1", "0", False)]
    matches = [
        TeamMatch(
            round=round,
            first_id=first,
            second_id=second,
            first_points=own,
            second_points=other,
            decided=decided,
        )
        for round, first, second, own, other, decided in results
    ]
    teams = [Runner(7, NameLink("Foix", ""), own=False), Runner(8, NameLink("Albi", ""), own=False)]
    race = build_team_race(teams, matches)
    assert race is not None
    assert [[cell.points for cell in row.cells] for row in race.rows] == [["2", "3"], ["0", "1"]]


def test_one_round_is_no_race() -> None:
    assert build_race(runners("Ann", "Bob"), {0: [Fraction(2)], 1: [Fraction(0)]}) is None
    assert build_race([], {}) is None


def test_many_rounds_are_not_all_numbered() -> None:
    chart = Page(
        race_chart.draw_race_chart([race_chart.RaceLine("Ann", [1] * 30)], title="", description="", axis="")
    )
    assert chart.texts(".columns text")[:3] == ["1", "4", "7"]
