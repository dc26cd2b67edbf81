"""The picture that other sites show beside a link to a division."""

import io

import pytest
from django.test import Client
from PIL import Image

from leagues.pages.standings_picture import Drawn, svg_of
from tests.html import Page
from tests.leagues.test_seasons import begun

URL = "/leagues/cup-of-foix/1/"


def test_names_are_escaped() -> None:
    assert "<script" not in svg_of(Drawn("<script>", "a & b", (("1", "Anna", "4"),)))


@pytest.mark.django_db
def test_pages_name_a_picture_of_the_table(client: Client) -> None:
    begun(4, division_size=4)
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
