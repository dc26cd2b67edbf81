"""Tests of signals of fair play at the desk: permissions, content, and decisions."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts import export
from accounts.models import Player
from games.models import Game
from moderation import tasks
from moderation.fair_play import search, signals
from moderation.models import Signal, SignalKind
from moderation.words.signals import describe_base_rate_of_pairs, describe_base_rate_of_people
from tests.games.factories import make_game, make_player
from tests.games.play.moderating import make_moderator
from tests.html import Page
from tests.moderation.fair_play.making import make_signal

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return make_game(seats=3, rated=True)


@pytest.fixture
def mira(client: Client) -> Player:
    player = make_moderator()
    client.force_login(player)
    return player


def address(signal: Signal) -> str:
    return reverse("moderation:signal", args=[signal.pk])


SAID = {
    SignalKind.DEVICE: "Anna and Bruno have signed in with the same browser,",
    SignalKind.NETWORK: "On 7 of the last sixty days Anna and Bruno were in one network",
    SignalKind.MAILBOX: "The addresses of Anna and Bruno are spellings of one mailbox,",
    SignalKind.HELPING: "In 8 games with others at the table, turns of Anna brought Bruno 96 points;",
    SignalKind.STALLING: "turns of the second half take 8.0 times as long,",
    SignalKind.THROWING: "6 of 8 games of Anna with Bruno look thrown; of all 60 games it is 7.",
    SignalKind.PROGRAM: "Of 100 turns of Anna with many choices, the house bot would have played 95, too.",
}


@pytest.mark.parametrize("kind", SignalKind)
def test_each_kind_is_explained_with_its_data_and_its_base_rate(
    client: Client, mira: Player, game: Game, kind: SignalKind
) -> None:
    page = Page(client.get(address(make_signal(game, kind))))
    assert SAID[kind] in page.text("#found")
    assert page.text("h1") == kind.label
    about = "people" if kind in (SignalKind.STALLING, SignalKind.PROGRAM) else "pairs"
    expected = f"Of a million honest {about} about 200 look like this by chance."
    if kind in (SignalKind.DEVICE, SignalKind.NETWORK, SignalKind.MAILBOX):
        expected = "Of 210 pairs of accounts that were here in the last sixty days 2 share as much."
    assert page.text("#base-rate") == expected
    assert len(page.text("#cannot-tell")) > 40
    assert page.facts("dl.desk-facts")
    if kind != SignalKind.PROGRAM:
        (row,) = page.all("#rows tbody tr")
        assert Page(str(row)).links() == [reverse("moderation:desk_game", args=[game.code])]
        assert len(page.all("#rows thead th")) == len(page.all("#rows tbody tr > *"))


def test_the_queue_leads_there_and_names_nobody(client: Client, mira: Player, game: Game) -> None:
    signal = make_signal(game)
    page = Page(client.get(reverse("moderation:desk")))
    (entry,) = page.all("section[aria-labelledby=signals] li")
    assert Page(str(entry)).links() == [address(signal)]
    assert Page(str(entry)).text("a") == f"A seat that helps another (no. {signal.pk})"


def test_is_for_moderators_whom_it_is_not_about(client: Client, game: Game) -> None:
    signal = make_signal(game)
    assert client.get(address(signal)).status_code == 302
    client.force_login(make_player("Emma", is_staff=True))
    assert client.get(address(signal)).status_code == 403
    anna = game.host
    anna.is_staff = anna.is_superuser = True
    anna.save()
    client.force_login(anna)
    assert client.get(address(signal)).status_code == 403
    assert client.post(address(signal), {"verdict": "nothing", "why": "I am honest."}).status_code == 403
    assert signals.find_waiting().exists()
    assert client.get(reverse("moderation:signal", args=[signal.pk + 1])).status_code == 404


def test_is_settled_with_a_reason_once(client: Client, mira: Player, game: Game) -> None:
    signal = make_signal(game)
    seen = {"version": signals.format_version(signal)}
    refused = Page(client.post(address(signal), {**seen, "verdict": "nothing", "why": " "}))
    assert (
        refused.has("form.act .errorlist, form.act [aria-invalid=true]") and signals.find_waiting().exists()
    )
    sent = {**seen, "verdict": "nothing", "why": "They are learning together."}
    for _click in range(2):
        assert client.post(address(signal), sent).url == reverse("moderation:desk")
    again = Page(client.post(address(signal), {**sent, "why": "Otherwise."}))
    assert "Someone has already settled this." in again.text("main")
    page = Page(client.get(address(signal)))
    assert page.text("#settled") == "Mira: nothing in it. They are learning together."
    assert not page.has("form.act")


def test_costs_the_same_however_much_there_is(
    client: Client, mira: Player, game: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    signal = make_signal(game)
    for kind in SignalKind:
        make_signal(game, kind)
    with django_assert_max_num_queries(15):
        page = Page(client.get(address(signal)))
    assert len(page.all("section[aria-labelledby=beside] li")) == len(SignalKind) - 1


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        (0.003, "Of 1,000 honest pairs about 3 look like this by chance."),
        (0.0009, "Of 1,000 honest pairs about 1 looks like this by chance."),
        (0.00002, "Of a million honest pairs about 20 look like this by chance."),
        (1e-6, "Of a million honest pairs about 1 looks like this by chance."),
        (1e-9, "Of a million honest pairs not even one looks like this by chance."),
    ],
)
def test_rates_are_said_in_numbers_of_pairs_and_people(rate: float, said: str) -> None:
    assert describe_base_rate_of_pairs(rate) == said
    assert describe_base_rate_of_people(rate) == said.replace("pairs", "people")


def test_the_file_of_all_data_says_that_there_is_one_and_names_nobody_else(game: Game) -> None:
    make_signal(game)
    told = dict(export.contents(game.host))["fair_play.json"]
    assert [(one["kind"], one["verdict"]) for one in told] == [("helping", "")]
    assert "Bruno" not in str(told)


def test_the_task_goes_on_while_it_gets_on(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = [
        search.SearchReport(read=5),
        search.SearchReport(looked_at=2),
        search.SearchReport(),
        search.SearchReport(done=True),
    ]
    again: list[bool] = []
    monkeypatch.setattr(tasks.search_games, "delay", lambda: again.append(True))
    monkeypatch.setattr(search, "search_games", lambda now, seconds: reports.pop(0))
    counts = []
    while reports:
        tasks.search_games()
        counts.append(len(again))
    assert counts == [1, 2, 2, 2]
    monkeypatch.setattr(search, "compare_accounts", lambda now: 0)
    tasks.look_for_signals()
    assert len(again) == 3


def test_the_command_lists_what_waits(game: Game) -> None:
    signal = make_signal(game)
    out = StringIO()
    call_command("fair_play", stdout=out)
    assert out.getvalue().splitlines() == [
        f"{signal.pk} helping Anna Bruno 0.0002",
        "0 games read, 0 players looked at",
    ]
    out = StringIO()
    call_command("fair_play", "--json", stdout=out)
    (told,) = json.loads(out.getvalue())
    assert (told["player"], told["other"], told["data"]["games"]) == ("Anna", "Bruno", 8)
