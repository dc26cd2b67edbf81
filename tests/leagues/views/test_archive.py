"""Tests of archives: seasons and their winners, champions, careers."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Division, Entry, Kind, League, Phase, Season, Seed
from leagues.selectors.champions import Run, find_runs
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.ladder_helpers import begin_ladder
from tests.leagues.season_helpers import BEGINS, begin_season, get_numbered_player, make_league

URL = "/leagues/cup-of-foix/"


def past(season: Season, number: int, players: list[Player], divisions: int = 1, **values: Any) -> Season:
    """Create a finished season as rows: each division ranks its part of *players* in their order."""
    made = Season.objects.create(
        league=season.league,
        number=number,
        agreed=season.agreed,
        phase=values.pop("phase", Phase.CLOSED),
        opened=NOW,
        begins=NOW + number * DAY,
        ends=NOW + (number + 1) * DAY,
        closed=NOW + (number + 1) * DAY,
    )
    size = len(players) // divisions
    for level in range(1, divisions + 1):
        division = Division.objects.create(season=made, level=level)
        for row, player in enumerate(players[(level - 1) * size : level * size], start=1):
            Entry.objects.create(
                season=made,
                division=division,
                player=player,
                state="playing",
                registered=NOW,
                rank=row,
                row=row,
                points=str(10 - row),
                moves="up" if level > 1 and row == 1 else "",
            )
    return made


@pytest.fixture
def four(db: None) -> list[Player]:
    return [make_player(name) for name in ("Anna", "Bruno", "Clara", "David")]


def history(four: list[Player]) -> League:
    """Make a league: Anna wins twice, Bruno after a cancelled season, then Bruno again; the fifth is open."""
    opened = make_league().seasons.get()
    Season.objects.filter(pk=opened.pk).update(number=9)
    anna, bruno, clara, david = four
    past(opened, 1, [anna, bruno, clara, david], divisions=2)
    past(opened, 2, [anna, bruno, clara, david])
    past(opened, 3, [], phase=Phase.CANCELLED)
    past(opened, 4, [bruno, anna, clara, david])
    past(opened, 5, [bruno, anna, clara, david])
    return opened.league


def test_runs_end_where_somebody_else_wins() -> None:
    assert find_runs([1, 2, 4, 5], {1: {7}, 2: {8}, 4: {7}, 5: {7}}) == [
        Run(7, 1, 1, 1),
        Run(8, 2, 2, 1),
        Run(7, 4, 5, 2),
    ]
    assert find_runs([1, 2], {1: {7}}) == [Run(7, 1, 1, 1)]


def test_the_archive_has_all_seasons_with_the_winners_of_their_divisions(
    client: Client, four: list[Player], django_assert_max_num_queries: Any
) -> None:
    history(four)
    with django_assert_max_num_queries(12):
        page = Page(client.get(f"{URL}seasons/"))
    assert page.texts(".past h2") == [f"Season {n}" for n in (5, 4, 3, 2, 1)]
    assert page.texts(".past")[2].endswith("0 players · cancelled")
    assert page.texts(".past:nth-of-type(5) .winners div") == [
        "Division 1 Anna Points: 9",
        "Division 2 Clara Points: 9",
    ]
    assert page.links(".past:nth-of-type(5) dt a") == [f"{URL}1/1/", f"{URL}1/2/"]


def test_a_league_shows_its_latest_seasons_and_leads_to_all(client: Client, four: list[Player]) -> None:
    opened = history(four).seasons.get(number=9)
    past(opened, 6, four)
    page = Page(client.get(URL))
    assert page.texts(".earlier li > a") == [f"Season {n}" for n in (6, 5, 4, 3, 2)]
    assert (page.link("All seasons"), page.link("Champions")) == (f"{URL}seasons/", f"{URL}champions/")


def test_champions_titles_and_runs(
    client: Client, four: list[Player], django_assert_max_num_queries: Any
) -> None:
    history(four)
    with django_assert_max_num_queries(12):
        page = Page(client.get(f"{URL}champions/"))
    assert page.rows(".champions tbody tr") == [
        ["Season 5", "Bruno Points: 9"],
        ["Season 4", "Bruno Points: 9"],
        ["Season 2", "Anna Points: 9"],
        ["Season 1", "Anna Points: 9"],
    ]
    assert page.texts(".titles li") == ["Anna 2 titles", "Bruno 2 titles"]
    assert page.texts(".runs li") == ["Anna 2 seasons in a row: 1 to 2", "Bruno 2 seasons in a row: 4 to 5"]


def test_before_the_first_season_is_over_there_is_nothing(client: Client, db: None) -> None:
    make_league()
    for page in ("seasons", "champions"):
        assert Page(client.get(f"{URL}{page}/")).text(".none") == "No seasons have finished yet."
        assert client.get(f"/leagues/nowhere/{page}/").status_code == 404


def test_a_career_has_every_season(
    client: Client, four: list[Player], django_assert_max_num_queries: Any
) -> None:
    history(four)
    with django_assert_max_num_queries(12):
        page = Page(client.get("/careers/clara/"))
    assert page.text(".in-short") == ("4 seasons · 1 league · first of a lower division once · moved up once")
    rows = page.rows(".career tbody tr")
    assert len(rows) == 4
    assert rows[3] == ["Cup of Foix Season 1 March 2026", "Division 2", "1st of 2", "Points 9", "moves up"]
    assert Page(client.get("/careers/anna/")).rows(".career tbody tr")[2][-1] == "champion"


def test_a_career_tells_what_still_runs(client: Client, db: None) -> None:
    begin_season(4, division_size=4)
    page = Page(client.get("/careers/Player00/"))
    assert page.rows(".career tbody tr")[0][1:] == ["Division 1", "1st of 4", "Points 0", "running"]
    assert Page(client.get("/players/Player00/")).links(".elsewhere a") == ["/careers/Player00/"]


def test_a_career_tells_no_points_where_there_are_none(client: Client, db: None) -> None:
    begin_ladder(4)
    assert Page(client.get("/careers/Player00/")).rows(".career tbody tr")[0][1:] == [
        "Ladder",
        "1st of 4",
        "",
        "running",
    ]


def test_who_has_left_a_ladder_is_not_counted_there(client: Client, db: None) -> None:
    season = begin_ladder(4)
    for number in (0, 3):
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(number), now=BEGINS)
    assert Page(client.get("/careers/Player01/")).rows(".career tbody tr")[0][2] == "1st of 2"
    for number in (1, 2):
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(number), now=BEGINS)
    assert Page(client.get("/careers/Player01/")).rows(".career tbody tr")[0][2] == "– of 0"


def test_who_has_never_played_has_no_career(client: Client, four: list[Player]) -> None:
    assert Page(client.get("/careers/Anna/")).text(".none") == "No league seasons yet."
    assert Page(client.get("/players/Anna/")).links(".elsewhere a") == ["/careers/Anna/"]
    assert client.get("/careers/Nobody/").status_code == 404


def test_leagues_are_found_by_name_page_by_page(
    client: Client, four: list[Player], django_assert_max_num_queries: Any
) -> None:
    opened = make_league().seasons.get()
    agreed = opened.agreed
    for n in range(35):
        League.objects.create(
            slug=f"l{n}", name=f"League {n:02}", founder=four[0], agreed=agreed, created=NOW
        )
    with django_assert_max_num_queries(8):
        page = Page(client.get("/leagues/"))
    assert page.texts(".open .whole") == ["Cup of Foix"]
    assert len(page.all(".closed .whole")) == 29
    assert page.link("Next") == "?page=2"
    assert len(Page(client.get("/leagues/?page=2")).all(".closed .whole")) == 6
    found = Page(client.get("/leagues/", {"q": "league 1"}))
    assert found.texts(".whole") == [f"League {n}" for n in range(10, 20)]
    assert Page(client.get("/leagues/", {"q": "nothing"})).text(".none") == "No leagues match."


def test_after_groups_who_won_the_knock_out_is_champion(client: Client, four: list[Player]) -> None:
    opened = make_league(schedule=Schedule.GROUPS, rules=Rules.usual(2)).seasons.get()
    Season.objects.filter(pk=opened.pk).update(number=2)
    anna, _bruno, clara, _david = four
    over = past(opened, 1, four, divisions=2)
    final = Division.objects.create(season=over, level=3, kind=Kind.KNOCK_OUT)
    for rank, player in enumerate((clara, anna), start=1):
        Seed.objects.create(division=final, number=rank, player=player, rank=rank)
    assert Page(client.get(f"{URL}champions/")).rows(".champions tbody tr") == [["Season 1", "Clara"]]
    assert Page(client.get(f"{URL}seasons/")).texts(".past .winners div") == [
        "Knock-out Clara",
        "Group 1 Anna Points: 9",
        "Group 2 Clara Points: 9",
    ]
    assert Page(client.get("/careers/Clara/")).rows(".career tbody tr")[0][-1] == "champion moves up"
    assert not Page(client.get("/careers/Anna/")).has(".career .badge")
