"""Tests of the preview picture for links to a division."""

import io

import pytest
from django.test import Client
from PIL import Image

from leagues.models import Division
from leagues.pages.standings_picture import StandingsPicture, build_picture, svg_of
from leagues.selectors.teams import load_table
from tests.html import Page
from tests.leagues.season_helpers import begin_season
from tests.leagues.team_season_helpers import begin_team_season

URL = "/leagues/cup-of-foix/1/"


def test_names_are_escaped() -> None:
    assert "<script" not in svg_of(StandingsPicture("<script>", "a & b", (("1", "Anna", "4"),)))


@pytest.mark.django_db
def test_pages_name_a_picture_of_the_table(client: Client) -> None:
    begin_season(4, division_size=4)
    address = f"https://carcassonne.example{URL}1/standings.png"
    for path in (URL, f"{URL}1/"):
        page = Page(client.get(path))
        assert page.one("meta[property='og:image']")["content"] == address
        assert page.one("meta[property='og:title']")["content"] == "Cup of Foix"
    answer = client.get(f"{URL}1/standings.png")
    image = Image.open(io.BytesIO(answer.content)).convert("L")
    assert image.size == (1200, 630)
    for row in range(4):  # each row has a name in ink
        band = image.crop((165, 180 + 53 * row, 600, 220 + 53 * row))
        assert band.getextrema()[0] < 100
        beside = image.crop((136, 180 + 53 * row, 160, 220 + 53 * row))  # between rank and name
        assert beside.getextrema()[0] > 200
    etag = answer["ETag"]
    assert client.get(f"{URL}1/standings.png", headers={"If-None-Match": etag}).status_code == 304
    assert client.get(f"{URL}9/standings.png").status_code == 404


@pytest.mark.django_db
def test_the_picture_of_a_division_of_teams_names_the_teams(client: Client) -> None:
    begin_team_season("AB")
    division = Division.objects.get()
    drawn = build_picture(division, load_table(division))
    assert {name for _rank, name, _points in drawn.rows} == {"A", "B"}
    page = Page(client.get("/leagues/team-cup/1/1/"))
    path = str(page.one("meta[property='og:image']")["content"]).removeprefix("https://carcassonne.example")
    assert client.get(path)["ETag"] == f'"{drawn.key}"'
