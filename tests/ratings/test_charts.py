"""Tests of charts of ratings."""

from ratings.charts import draw_history_chart, levels
from tests.html import Page


def test_all_lies_between_the_levels() -> None:
    for least, most in ((1500, 1500), (1333, 1667), (-200, 2300), (1499, 1500), (1400, 1700)):
        rows = levels(least, most)
        assert rows[0] <= least and most < rows[-1] and len(rows) <= 9


def test_one_game_is_a_chart_too() -> None:
    chart = Page(draw_history_chart([(1400, 1500, 1600)], first=1, title="<T>", description="D", axis="A"))
    assert chart.text("svg[role=img] title") == "<T>"
    assert chart.texts(".start") == ["1"] and not chart.has(".end")
