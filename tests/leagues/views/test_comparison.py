"""Tests of a round's page that compares results with the same tiles, for visitors who may see the boards."""

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import Player
from games import play
from games.models import Deal, Game, Seat, SeatState
from leagues.forms.league import LeagueForm, build_initial
from leagues.models import League, Match, RoundDeal, Season
from leagues.seasons.results import record_result
from leagues.standings import ComparisonRule, Rules
from leagues.words.criteria import format_signed_tenths, format_tenths
from tests.games.factories import NOW
from tests.html import Page
from tests.leagues.season_helpers import begin_season, make_founder
from tests.leagues.views.founding_helpers import build_league_form_data

pytestmark = pytest.mark.django_db
URL = "/leagues/cup-of-foix/1/1/?round=1"


def finish(game: Game, *scores: int) -> None:
    """Finish *game* with these *scores* as rows, which is quick."""
    for index, score in enumerate(scores):
        best = max(scores)
        Seat.objects.filter(game=game, index=index).update(score=score, rank=1 + (score < best))
    Game.objects.filter(pk=game.pk).update(
        status="finished", ending="played", finished=NOW, awaited=None, deadline=None, calendar=None
    )
    assert game.deal is not None
    play.close_deal(deal_id=game.deal.pk, now=NOW)


def round_one() -> list[Game]:
    """The games of the first round, table by table."""
    found = [match.fixtures.get().game for match in Match.objects.filter(round=1).order_by("number")]
    return [game for game in found if game is not None]


@pytest.fixture
def season() -> Season:
    return begin_season(6, duplicate=True, division_size=6)


def compared(client: Client) -> list[list[list[str]]]:
    """The rows of each seat."""
    page = Page(client.get(URL))
    return [Page(str(one)).rows("tbody tr, tfoot tr") for one in page.all(".comparison table")]


def player_of(game: Game, index: int) -> Player:
    player = game.seats.get(index=index).player
    assert player is not None
    return player


def test_each_is_measured_by_who_had_the_same_seat(client: Client, season: Season) -> None:
    games = round_one()
    for game, scores in zip(games, ((80, 70), (60, 75), (71, 71)), strict=True):
        finish(game, *scores)
    (a, b), (c, d), (e, f) = ([str(player_of(game, index)) for index in (0, 1)] for game in games)
    assert compared(client) == [
        [
            [f"{a} Table 1", "80", "+9.7", "+10"],
            [f"{e} Table 3", "71", "+0.7", "0"],
            [f"{c} Table 2", "60", "−10.3", "−15"],
            ["Average", "70.3", "", "−1.7"],
        ],
        [
            [f"{d} Table 2", "75", "+3", "+15"],
            [f"{f} Table 3", "71", "−1", "0"],
            [f"{b} Table 1", "70", "−2", "−10"],
            ["Average", "72", "", "+1.7"],
        ],
    ]
    page = Page(client.get(URL))
    assert page.texts(".comparison caption") == ["First seat", "Second seat"]
    assert f"/g/{games[0].code}/" in page.links(".comparison a")
    assert not page.has(".comparison .state")


def test_who_is_not_through_sees_nothing_of_it(client: Client, season: Season) -> None:
    quick, slow, _third = round_one()
    finish(quick, 80, 70)
    told = "The boards and the comparison are hidden until all games with these tiles are over"
    for player in (None, player_of(slow, 0), season.league.founder):
        if player is not None:
            client.force_login(player)
        page = Page(client.get(URL))
        assert not page.has(".comparison table")
        assert page.text(".comparison .state").startswith(told)


def test_who_is_through_sees_what_is_over(client: Client, season: Season) -> None:
    quick, slow, _third = round_one()
    finish(quick, 80, 70)
    finish(slow, 60, 75)
    client.force_login(player_of(slow, 0))
    first, _second = compared(client)
    assert [row[1] for row in first] == ["80", "60", "70"]
    assert Page(client.get(URL)).text(".comparison .state").startswith("Other games with these tiles")


def test_a_game_that_somebody_left_is_not_compared(client: Client, season: Season) -> None:
    games = round_one()
    for game in games:
        finish(game, 50, 60)
    Game.objects.filter(pk=games[0].pk).update(ending="resigned")
    games[1].seats.filter(index=1).update(state=SeatState.TIMED_OUT)
    assert [len(rows) for rows in compared(client)] == [2, 2]
    games[2].seats.filter(index=0).update(state=SeatState.RESIGNED)
    assert Page(client.get(URL)).text(".comparison .state").startswith("None of these games")


def test_a_league_with_draws_of_their_own_has_none(client: Client) -> None:
    begin_season(4)
    assert not Page(client.get(URL)).has(".comparison")


def test_larger_tables_have_more_seats(client: Client) -> None:
    begin_season(6, seats=3, duplicate=True)
    for game, scores in zip(round_one(), ((60, 50, 40), (30, 50, 55)), strict=True):
        finish(game, *scores)
    page = Page(client.get(URL))
    assert page.texts(".comparison caption") == ["First seat", "Second seat", "Third seat"]
    assert [row[1:] for row in compared(client)[2]] == [
        ["55", "+7.5", "+15"],
        ["40", "−7.5", "−15"],
        ["47.5", "", "0"],
    ]


def test_costs_the_same_however_many_play(
    client: Client, season: Season, django_assert_max_num_queries: Any
) -> None:
    for game in round_one():
        finish(game, 50, 60)
    with django_assert_max_num_queries(12):
        page = Page(client.get(URL))
    assert len(page.all(".comparison tbody tr")) == 6
    assert Deal.objects.filter(seed="").count() == RoundDeal.objects.count() - 1


def test_is_founded_on_the_page_and_agreed_upon(client: Client) -> None:
    client.force_login(make_founder())
    page = Page(client.post("/leagues/new/", build_league_form_data(duplicate="on"), follow=True))
    assert page.facts("dl.agreed")["Shared draw"].startswith("All tables of a round draw the same tiles")
    assert client.post("/leagues/new/", build_league_form_data(name="Other"), follow=True).status_code == 200
    assert "Shared draw" not in Page(client.get("/leagues/other/")).facts("dl.agreed")


def play_round(*scores: tuple[int, int]) -> None:
    """End the games of the first round with these scores, and write the tables."""
    for game, both in zip(round_one(), scores, strict=True):
        finish(game, *both)
        record_result(game.pk, NOW)


def test_a_rank_is_explained_by_the_comparison(client: Client) -> None:
    rules = Rules.usual(2).comparing(ComparisonRule.TIE_BREAK)
    begin_season(6, duplicate=True, division_size=6, rules=rules)
    play_round((80, 70), (75, 60), (71, 50))
    rows = Page(client.get(URL)).rows(".standings tbody tr")
    first, second = (str(player_of(game, 0)) for game in round_one()[:2])
    assert [rows[0][1], *rows[0][6:8]] == [
        first,
        "2",
        f"Ahead of {second} by comparison with the same tiles, 7 : −½.",
    ]
    assert [row[6] for row in rows] == ["2", "2", "2", "0", "0", "0"]


def test_a_league_ranks_by_it_alone(client: Client) -> None:
    """A league can rank by comparison alone: wins don't count, and neither points nor outlooks are shown."""
    rules = Rules.usual(2).comparing(ComparisonRule.ALONE)
    season = begin_season(6, duplicate=True, division_size=6, rules=rules)
    play_round((80, 79), (60, 61), (70, 20))
    page = Page(client.get(URL))
    assert page.texts(".standings thead th")[6:] == ["Comparison", "Why"]
    assert [row[6] for row in page.rows(".standings tbody tr")] == ["38½", "15", "11½", "0", "−15", "−50"]
    agreed = Page(client.get("/leagues/cup-of-foix/")).facts("dl.agreed")
    assert agreed["Ranking"].startswith("By the comparison alone") and "Points" not in agreed
    assert list(season.settings.faults()) == []


def test_is_chosen_by_the_founder(client: Client) -> None:
    client.force_login(make_founder())
    client.post("/leagues/new/", build_league_form_data(duplicate="on", comparison="tie-break"))
    assert League.objects.get().settings.standings.tie_breaks[:2] == ("duplicate", "head_to_head")
    client.post("/leagues/new/", build_league_form_data(name="Other", duplicate="on", comparison="alone"))
    settings = League.objects.get(name="Other").settings
    assert (settings.standings.points, settings.standings.tie_breaks) == ((0, 0), ("duplicate", "lot"))
    assert build_initial(settings)["comparison"] == "alone"


def test_can_not_decide_alone_between_matches_of_several_games(client: Client) -> None:
    client.force_login(make_founder())
    wrong = {"comparison": "alone", "duplicate": "on", "best_of": "3"}
    page = Page(client.post("/leagues/new/", build_league_form_data(**wrong)))
    assert [one["id"] for one in page.all(".errorlist")] == ["id_comparison_error"]


@pytest.mark.parametrize(
    "other",
    [
        {"comparison": "tie-break"},
        {"comparison": "alone", "duplicate": "on", "schedule": "knock-out"},
        {"comparison": "tie-break", "duplicate": "on", "sides": "teams", "length": "200"},
    ],
)
def test_is_not_asked_for_where_there_is_none(other: dict[str, str]) -> None:
    form = LeagueForm(build_league_form_data(**other), calendar_only=True)
    assert "comparison" not in form.fields and form.is_valid()
    assert form.settings is not None and form.settings.standings.comparison == ComparisonRule.SHOWN


def test_means_are_told_in_tenths() -> None:
    from fractions import Fraction

    assert [format_tenths(Fraction(n, 3)) for n in (0, 1, 2, 3, -2)] == ["0", "0.3", "0.7", "1", "−0.7"]
    assert [format_signed_tenths(Fraction(n, 100)) for n in (0, 1, -1, 250, -250)] == [
        "0",
        "0",
        "0",
        "+2.5",
        "−2.5",
    ]
    with translation.override("de"):
        assert format_signed_tenths(Fraction(5, 2)) == "+2,5"
