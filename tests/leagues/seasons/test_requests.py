"""Tests of questions to organisers, from the question to the answer, and of permissions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import close_account
from games.clocks import DAY
from games.conduct import blocks
from games.exceptions import Refused, TooMany
from games.notices import delivery
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import League, OrganiserRequest, RequestKind
from leagues.seasons.requests import REQUESTS_KEPT
from leagues.selectors import own_data
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import make_league
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season
from tests.moderation.sanctioning import mute, suspend

pytestmark = pytest.mark.django_db

ASKED = "[aria-labelledby=asked]"


def ask(league: League, player: Player, **other: object) -> OrganiserRequest:
    given = {"kind": RequestKind.TIME, "text": "I need two weeks more.", "now": NOW, **other}
    return seasons.ask(league=league, player=player, **given)  # type: ignore[arg-type]


def answer(request: OrganiserRequest, **other: object) -> OrganiserRequest:
    given = {"who": get_organiser(), "text": "You have them.", "now": NOW, **other}
    return seasons.answer(request_id=request.pk, **given)  # type: ignore[arg-type]


def deliver() -> list[tuple[str, str]]:
    mail.outbox.clear()
    delivery.deliver_due(seconds=30)
    return [(one.to[0].split("@")[0], one.subject) for one in mail.outbox]


def name_second_organiser(league: League) -> Player:
    second = make_player("Emma")
    league.organisers.add(second)
    return second


class TestCase:
    def test_from_the_question_to_the_answer(self, client: Client) -> None:
        make_open_season()
        zoe = make_player("Zoe")
        client.force_login(zoe)
        page = Page(client.get(LEAGUE_URL))
        assert page.text(".organisers") == "Organisers: Founder"
        url = page.link("Ask the organisers")
        sent = {"kind": "time", "text": "I am ill: may my game with Anna end later?"}
        page = Page(client.post(url, sent, follow=True))
        assert page.has(".message.success") and page.text(".requests .state") == "Not answered yet"
        assert page.text(".organisers") == "Organisers: Founder"
        assert deliver() == [("founder", "Cup of Foix: Zoe has asked the organisers")]
        assert "may my game with Anna end later?" in mail.outbox[0].body

        client.force_login(get_organiser())
        desk = Page(client.get(f"{LEAGUE_URL}desk/"))
        assert desk.texts("#asked") == ["Questions from players"]
        assert desk.text(f"{ASKED} h3") == "Time for a game"
        assert desk.text(f"{ASKED} .said") == "I am ill: may my game with Anna end later?"
        form_url = desk.link("Answer")
        assert Page(client.get(form_url)).text(".asked-text") == desk.text(f"{ASKED} .said")
        desk = Page(client.post(form_url, {"text": "It ends a week later."}, follow=True))
        assert desk.has(".message.success") and not desk.has("#asked")
        assert deliver() == [("zoe", "Cup of Foix: the organisers have answered you")]
        assert "It ends a week later." in mail.outbox[0].body

        client.force_login(zoe)
        page = Page(client.get(url))
        assert page.text(".requests .answer-text") == "It ends a week later."
        assert not page.has(".requests .state")

    def test_others_see_nothing_of_it(self, client: Client) -> None:
        league = make_open_season().league
        request = ask(league, make_player("Zoe"), now=timezone.now())
        client.force_login(make_player("Anna"))
        assert not Page(client.get(f"{LEAGUE_URL}ask/")).has(".requests")
        assert client.get(f"{LEAGUE_URL}desk/requests/{request.pk}/").status_code == 403
        assert client.post(f"{LEAGUE_URL}desk/requests/{request.pk}/", {"text": "No"}).status_code == 403
        client.logout()
        assert client.get(f"{LEAGUE_URL}ask/").status_code == 302

    def test_it_is_asked_and_answered_between_seasons_too(self, client: Client) -> None:
        season = make_open_season()
        seasons.cancel_season(season_id=season.pk, who=get_organiser(), reason="Ill", now=timezone.now())
        ask(season.league, make_player("Zoe"), now=timezone.now())
        client.force_login(get_organiser())
        assert Page(client.get(f"{LEAGUE_URL}desk/")).has("#asked")


class TestAsking:
    def test_one_of_a_kind_is_open_at_a_time(self) -> None:
        league, zoe = make_league(), make_player("Zoe")
        first = ask(league, zoe)
        with pytest.raises(LeagueRefused, match="haven't answered yet"):
            ask(league, zoe, text="Please!")
        ask(league, zoe, kind=RequestKind.RESULT)
        answer(first)
        ask(league, zoe, text="Thank you. And the other game?")
        assert OrganiserRequest.objects.count() == 3

    def test_the_database_holds_that(self) -> None:
        league, zoe = make_league(), make_player("Zoe")
        ask(league, zoe)
        row = OrganiserRequest(league=league, player=zoe, kind="time", text="Again", asked=NOW)
        with pytest.raises(IntegrityError, match=r"request_open_once|UNIQUE"), transaction.atomic():
            row.save()

    def test_five_a_day(self) -> None:
        league, zoe = make_league(), make_player("Zoe")
        for kind in RequestKind:
            ask(league, zoe, kind=kind)
        answer(OrganiserRequest.objects.get(kind="time"))
        with pytest.raises(TooMany):
            ask(league, zoe, now=NOW + timedelta(hours=23))
        ask(league, zoe, now=NOW + DAY)

    def test_too_many_are_told_with_their_status(self, client: Client) -> None:
        league, zoe = make_open_season().league, make_player("Zoe")
        for kind in RequestKind:
            answer(ask(league, zoe, kind=kind, now=timezone.now()))
        client.force_login(zoe)
        sent = client.post(f"{LEAGUE_URL}ask/", {"kind": "time", "text": "Once more"})
        assert sent.status_code == 429 and Page(sent).has(".errorlist")

    @pytest.mark.parametrize("sanction", [mute, suspend])
    def test_who_is_muted_or_suspended_asks_nothing(self, sanction: Callable[[Player], object]) -> None:
        league, zoe = make_league(), make_player("Zoe")
        sanction(zoe)
        with pytest.raises(Refused):
            ask(league, zoe)
        assert not OrganiserRequest.objects.exists()

    def test_what_is_empty_or_of_no_kind_is_refused(self, client: Client) -> None:
        make_open_season()
        client.force_login(make_player("Zoe"))
        for sent in ({"kind": "time", "text": "  "}, {"kind": "money", "text": "Hello"}):
            assert Page(client.post(f"{LEAGUE_URL}ask/", sent)).has(".errorlist")
        assert not OrganiserRequest.objects.exists()

    def test_organisers_who_block_get_no_mail_but_the_desk_has_it(self) -> None:
        league, zoe = make_league(), make_player("Zoe")
        name_second_organiser(league)
        blocks.block(player=get_organiser(), blocked=zoe, now=NOW)
        ask(league, zoe)
        assert [name for name, _subject in deliver()] == ["emma"]
        assert league.requests.filter(answered=None).count() == 1


class TestAnswering:
    def test_the_second_of_two_organisers_is_told(self, client: Client) -> None:
        league = make_open_season().league
        second = name_second_organiser(league)
        request = ask(league, make_player("Zoe"))
        answer(request)
        with pytest.raises(LeagueRefused, match="Founder has already answered this"):
            answer(request, who=second, text="No.")
        client.force_login(second)
        page = Page(client.post(f"{LEAGUE_URL}desk/requests/{request.pk}/", {"text": "No."}))
        assert page.text(".errorlist") == "Founder has already answered this."
        assert page.text(".answer-text") == "You have them."

    def test_nobody_answers_their_own(self) -> None:
        league = make_league()
        second = name_second_organiser(league)
        request = ask(league, get_organiser())
        assert [name for name, _subject in deliver()] == ["emma"]
        with pytest.raises(LeagueRefused, match="another organiser"):
            answer(request)
        answer(request, who=second)

    def test_only_organisers_do(self) -> None:
        request = ask(make_league(), make_player("Zoe"))
        with pytest.raises(LeagueRefused, match="organisers"):
            answer(request, who=make_player("Anna"))

    def test_no_mail_goes_out_any_more_once_it_is_answered(self) -> None:
        answer(ask(make_league(), make_player("Zoe")))
        assert [name for name, _subject in deliver()] == ["zoe"]


class TestPrivacy:
    def test_it_goes_with_the_account(self) -> None:
        zoe = make_player("Zoe")
        ask(make_league(), zoe)
        close_account(player=zoe, now=NOW)
        assert not OrganiserRequest.objects.exists()
        assert deliver() == []

    def test_and_after_a_year(self) -> None:
        ask(make_league(), make_player("Zoe"))
        seasons.forget_requests(NOW + REQUESTS_KEPT)
        assert OrganiserRequest.objects.count() == 1
        seasons.forget_requests(NOW + REQUESTS_KEPT + timedelta(seconds=1))
        assert not OrganiserRequest.objects.exists()

    def test_an_answer_names_people_as_they_are_called_now(self, client: Client) -> None:
        league, zoe = make_open_season().league, make_player("Zoe")
        answer(ask(league, zoe), text="Founder has seen to it.")
        Player.objects.filter(username="Founder").update(username="Emil")
        client.force_login(zoe)
        assert Page(client.get(f"{LEAGUE_URL}ask/")).text(".answer-text") == "Emil has seen to it."

    def test_it_is_in_the_file_of_ones_data(self) -> None:
        zoe = make_player("Zoe")
        answer(ask(make_league(), zoe))
        ((_name, found),) = own_data.build_files(zoe)
        (told,) = found["questions"]
        assert (told["text"], told["answer"]) == ("I need two weeks more.", "You have them.")
