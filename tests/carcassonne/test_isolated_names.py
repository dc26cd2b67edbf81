"""Tests that a name from right to left turns nothing that stands beside it, on any page and in any mail."""

import re

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString
from django.http import HttpResponse
from django.test import RequestFactory

from accounts.models import Player
from carcassonne.isolated_names import isolate_names
from core.bidi import RUN, isolate_html, isolate_text
from games.models import Game, Notice
from games.notices.email import compose
from games.notices.letters import NothingToTell
from games.notices.summaries import summarise_notice
from leagues.models import Team
from tests.permissions.world import addresses, client_of, make_world

HEBREW, ARABIC = "דוד", "ليلى"
ISOLATED = re.compile("\u2068[^\u2069]*\u2069")


def list_loose(html: str) -> list[str]:
    """Return the texts in *html* in which a run from right to left isn't isolated."""
    loose = []
    for text in BeautifulSoup(html, "html.parser").find_all(string=RUN.search):
        around = [parent.name for parent in text.parents if parent.name == "bdi" or parent.has_attr("dir")]
        typed = text.parent.name in ("script", "style", "textarea", "template")
        plain = type(text) is NavigableString
        if plain and not around and not typed and RUN.search(ISOLATED.sub("", text)):
            loose.append(str(text))
    return loose


@pytest.mark.parametrize("name", [HEBREW, ARABIC])
def test_figures_beside_a_name_keep_their_order(name: str) -> None:
    assert isolate_text(f"{name}: −6, 4") == f"\u2068{name}\u2069: −6, 4"
    assert isolate_html(f"<b>{name}</b> −6, 4") == f"<b><bdi>{name}</bdi></b> −6, 4"
    assert isolate_html(f"<p dir='auto'>{name}, 4 <i>{name}</i></p>{name}").endswith(f"</p><bdi>{name}</bdi>")
    assert isolate_html(f'<a title="{name} > 3">4</a>') == f'<a title="{name} > 3">4</a>'
    assert isolate_html(f"<title>{name}: 4</title>") == f"<title>\u2068{name}\u2069: 4</title>"


@pytest.mark.parametrize("text", ["Anna", "Łukasz", "Þóra", "Маша", "Ἀγαθή", "−6, 4 → 5 “…”"])
def test_other_letters_stay_as_they_are(text: str) -> None:
    assert isolate_text(text) == text


def test_the_length_is_that_of_the_answer() -> None:
    def respond(_request: object) -> HttpResponse:
        return HttpResponse(HEBREW, headers={"Content-Length": "6"})

    answer = isolate_names(respond)(RequestFactory().get("/"))
    assert answer.content.decode() == f"<bdi>{HEBREW}</bdi>"
    assert answer["Content-Length"] == str(len(answer.content))


@pytest.mark.slow
@pytest.mark.django_db
def test_no_page_and_no_mail_has_a_loose_name() -> None:
    world = make_world()
    asked = list(addresses(world))
    for number, player in enumerate(Player.objects.exclude(username="Anna").order_by("pk")):
        player.username = f"{(HEBREW, ARABIC)[number % 2]} {chr(0x05D0 + number)}"
        player.save(update_fields=["username"])
    Game.objects.update(name=HEBREW)
    Team.objects.update(name=ARABIC)
    client, pages = client_of("on turn"), 0
    for name, address, _data in asked:
        response = client.get(address)
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            html = response.content.decode()
            pages += bool(RUN.search(html))
            assert not list_loose(html), name
    assert pages > 40
    mails = 0
    for notice in Notice.objects.order_by("pk"):
        try:
            mail, summary = compose(notice), summarise_notice(notice)
        except NothingToTell:
            continue
        mails += 1
        assert not RUN.search(ISOLATED.sub("", mail.body + summary.title + summary.text)), notice.kind
        assert not list_loose(str(mail.alternatives[0][0])), notice.kind
    assert mails > 20
