"""Tests of substitutes, who are asked one after the other before they play on for somebody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import Player
from games.clocks import DAY
from games.conduct import blocks
from games.notices import delivery
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import EntryState, OfferState, Season, SubstituteOffer, Waiting
from leagues.seasons.substitutes import find_next_substitute
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.organising_helpers import LATER, get_organiser, replace_player
from tests.leagues.season_helpers import BEGINS, advance_seasons, begin_season, get_numbered_player
from tests.leagues.views.league_page_helpers import LEAGUE_URL
from tests.moderation.sanctioning import suspend

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return begin_season(4)


def wait(season: Season, name: str, after: int = 0, **wishes: int) -> Player:
    player = Player.objects.filter(username=name).first() or make_player(name)
    at = BEGINS + timedelta(minutes=after)
    seasons.wait(season_id=season.pk, player=player, now=at, substitute=True, following=False, **wishes)
    return player


def withdraw_first(season: Season) -> Player:
    leaving = get_numbered_player(0)
    seasons.withdraw(season_id=season.pk, player=leaving, now=LATER)
    advance_seasons(LATER)
    return leaving


def list_asked() -> list[tuple[str, str]]:
    return [(str(offer.player), offer.state) for offer in SubstituteOffer.objects.order_by("pk")]


def deliver() -> dict[str, str]:
    mail.outbox.clear()
    delivery.deliver_due(seconds=30)
    return {message.to[0].split("@")[0]: str(message.body) for message in mail.outbox}


def refuse(act: object, **arguments: object) -> str:
    with pytest.raises(LeagueRefused) as refused:
        act(**arguments)  # type: ignore[operator]
    return refused.value.code


class TestList:
    def test_is_asked_in_its_order(self, season: Season) -> None:
        emma, zoe = wait(season, "Emma"), wait(season, "Zoe", after=1)
        leaving = withdraw_first(season)
        assert list_asked() == [("Emma", "asked")]
        offer = SubstituteOffer.objects.get()
        text = deliver()["emma"]
        assert "You'd play 3 matches" in text and "Opponents: Player01, Player02, Player03" in text
        seasons.decline_offer(offer_id=offer.pk, player=emma, now=LATER)
        assert list_asked() == [("Emma", "declined"), ("Zoe", "asked")]
        entry = seasons.accept_offer(offer_id=SubstituteOffer.objects.latest("pk").pk, player=zoe, now=LATER)
        assert entry.replaces is not None and entry.replaces.player == leaving
        assert "Opponents: Player01, Player02, Player03" in deliver()["zoe"]

    def test_goes_on_after_a_day_without_an_answer(self, season: Season) -> None:
        emma = wait(season, "Emma")
        wait(season, "Zoe", after=1)
        withdraw_first(season)
        advance_seasons(LATER + DAY - timedelta(seconds=1))
        assert list_asked() == [("Emma", "asked")]
        advance_seasons(LATER + DAY)
        assert list_asked() == [("Emma", "lapsed"), ("Zoe", "asked")]
        advance_seasons(LATER + 2 * DAY)
        advance_seasons(LATER + 3 * DAY)
        assert list_asked() == [("Emma", "lapsed"), ("Zoe", "lapsed")], "nobody is asked twice"
        late = SubstituteOffer.objects.earliest("pk")
        assert refuse(seasons.accept_offer, offer_id=late.pk, player=emma, now=LATER + DAY) == "offer_over"

    @pytest.mark.parametrize(
        ("wishes", "asked"),
        [
            ({"least_rating": 1400, "most_rating": 1600}, True),
            ({"least_rating": 1600}, False),
            ({"most_rating": 1400}, False),
            ({"least_days": 30}, True),
            ({"least_days": 300}, False),
        ],
    )
    def test_meets_wishes(self, season: Season, wishes: dict[str, int], asked: bool) -> None:
        wait(season, "Emma", **wishes)
        withdraw_first(season)
        assert bool(list_asked()) is asked

    def test_leaves_out_who_may_not(self, season: Season) -> None:
        emma, zoe = wait(season, "Emma"), wait(season, "Zoe")
        wait(season, "Ada", after=5)
        suspend(emma, BEGINS)
        blocks.block(player=zoe, blocked=get_numbered_player(2), now=BEGINS)
        withdraw_first(season)
        assert list_asked() == [("Ada", "asked")]

    def test_is_read_with_the_same_queries_however_long(
        self, season: Season, django_assert_max_num_queries: Any
    ) -> None:
        for number in range(6):
            blocked = wait(season, f"Blocked{number}", after=number)
            blocks.block(player=blocked, blocked=get_numbered_player(2), now=BEGINS)
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=LATER)
        entry = season.entries.get(player=get_numbered_player(0))
        with django_assert_max_num_queries(12):
            assert find_next_substitute(season, entry, LATER) is None

    def test_fills_each_place_once(self, season: Season) -> None:
        emma = wait(season, "Emma")
        withdraw_first(season)
        offer = SubstituteOffer.objects.get()
        seasons.accept_offer(offer_id=offer.pk, player=emma, now=LATER)
        assert refuse(seasons.accept_offer, offer_id=offer.pk, player=emma, now=LATER) == "offer_over"
        advance_seasons(LATER + 2 * DAY)
        assert list_asked() == [("Emma", "accepted")]


class TestOrganisers:
    def test_who_is_asked_stays_until_the_answer(self, season: Season) -> None:
        emma, leaving = make_player("Emma"), get_numbered_player(0)
        offer = seasons.ask_substitute(
            season_id=season.pk,
            leaving=leaving,
            substitute=emma,
            who=get_organiser(),
            reason="He is ill",
            now=LATER,
        )
        assert season.entries.get(player=leaving).state == EntryState.PLAYING
        assert "Reason: He is ill" in deliver()["emma"]
        seasons.decline_offer(offer_id=offer.pk, player=emma, now=LATER)
        assert season.entries.get(player=leaving).state == EntryState.PLAYING
        assert "Emma has declined" in deliver()["founder"]
        advance_seasons(LATER + DAY)
        assert list_asked() == [("Emma", "declined")], "nobody has left"

    def test_who_asked_hears_that_no_answer_came(self, season: Season) -> None:
        emma, leaving = make_player("Emma"), get_numbered_player(0)
        given = {"who": get_organiser(), "reason": "He is ill", "now": LATER}
        seasons.ask_substitute(season_id=season.pk, leaving=leaving, substitute=emma, **given)  # type: ignore[arg-type]
        deliver()
        advance_seasons(LATER + DAY)
        assert list_asked() == [("Emma", "lapsed")]
        assert "Emma hasn't answered" in deliver()["founder"]
        assert season.entries.get(player=leaving).state == EntryState.PLAYING

    def test_naming_another_ends_the_first_offer(self, season: Season) -> None:
        wait(season, "Emma")
        leaving = withdraw_first(season)
        replace_player(season, leaving, make_player("Zoe"))
        assert list_asked() == [("Emma", "void"), ("Zoe", "accepted")]

    def test_the_desk_shows_where_it_stands(self, client: Client, season: Season) -> None:
        emma = wait(season, "Emma")
        wait(season, "Zoe", after=1)
        withdraw_first(season)
        seasons.decline_offer(offer_id=SubstituteOffer.objects.get().pk, player=emma, now=LATER)
        client.force_login(get_organiser())
        lines = Page(client.get(f"{LEAGUE_URL}desk/")).texts(".offers li")

        assert lines[0].startswith("Emma – for Player00: declined")
        assert lines[1].startswith("Zoe – for Player00: not answered yet")


class TestPage:
    def test_an_offer_is_declined_by_one_button(self, client: Client, season: Season) -> None:
        emma = wait(season, "Emma")
        withdraw_first(season)
        offer = SubstituteOffer.objects.get()
        client.force_login(get_numbered_player(1))
        assert client.get(offer.get_absolute_url()).status_code == 404, "not theirs"
        client.force_login(emma)
        client.post(offer.get_absolute_url(), {"answer": "no"})
        offer.refresh_from_db()
        assert offer.state == OfferState.DECLINED
        page = Page(client.get(offer.get_absolute_url()))
        assert "no longer offered" in page.text("main") and not page.has("main form")

    def test_wishes_are_given_with_the_list(self, client: Client, season: Season) -> None:
        emma = make_player("Emma")
        client.force_login(emma)
        url = f"{LEAGUE_URL}1/wait/"
        sent = {"substitute": "yes", "least_rating": "1500", "most_rating": "1400"}
        assert "leaves no rating" in Page(client.post(url, sent, follow=True)).text(".message")
        assert not Waiting.objects.exists()
        client.post(url, {"substitute": "yes", "least_rating": "1500", "most_rating": "", "least_days": "20"})
        waiting = Waiting.objects.get()
        assert (waiting.least_rating, waiting.most_rating, waiting.least_days) == (1500, None, 20)
