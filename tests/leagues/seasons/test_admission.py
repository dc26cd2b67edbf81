"""Tests of admission: open, or by the league's link; and of a tournament with a single season."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from games.clocks import DAY
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, EntryState, Season
from leagues.selectors.desk import list_matters
from leagues.settings import Admission, Schedule
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.organising_helpers import confirmed, get_organiser
from tests.leagues.season_helpers import BEGINS, begin_season, make_league, play_out_season

pytestmark = pytest.mark.django_db

URL = "/leagues/cup-of-foix/"


def make_closed_season(**settings: object) -> Season:
    return make_league(admission=Admission.LINK, **settings).seasons.get()  # type: ignore[arg-type]


class TestLink:
    def test_nobody_registers_joins_or_waits_without_the_link(self) -> None:
        season, zoe = make_closed_season(), make_player("Zoe")
        given = {"season_id": season.pk, "player": zoe, "now": NOW}
        for act in (seasons.register, seasons.join, seasons.wait):
            for token in ("", "wrong", seasons.build_join_token(season.league_id + 1)):
                with pytest.raises(LeagueRefused, match="link"):
                    act(**given, token=token)
        assert not Entry.objects.exists() and not season.waiting.exists()

    def test_with_the_link_they_register_and_again_is_harmless(self) -> None:
        season, zoe = make_closed_season(), make_player("Zoe")
        token = seasons.build_join_token(season.league_id)
        entry = seasons.register(season_id=season.pk, player=zoe, now=NOW, token=token)
        assert seasons.register(season_id=season.pk, player=zoe, now=NOW) == entry

    def test_organisers_see_the_link_and_who_follows_it_registers(self, client: Client) -> None:
        make_closed_season()
        zoe = make_player("Zoe")
        client.force_login(zoe)
        page = Page(client.get(URL))
        assert not page.has("form.register") and not page.has(".link-to-join")
        assert "You need this league's link to register. Ask its organisers." in page.texts(".current p")
        client.force_login(get_organiser())
        link = Page(client.get(URL)).one("a.link-to-join")["href"]
        client.force_login(zoe)
        form = Page(client.get(link)).one("form.register")
        client.post(form["action"], {"token": form.select_one("[name=token]")["value"]})
        assert Entry.objects.get().player == zoe

    def test_the_link_is_shown_while_a_season_needs_it(self, client: Client) -> None:
        season = make_closed_season()
        league, token = season.league, seasons.build_join_token(season.league_id)
        seasons.register(season_id=season.pk, player=make_player("Zoe"), now=NOW, token=token)
        agreed = replace(league.settings, admission=Admission.OPEN)
        about = {"who": get_organiser(), "reason": "Next time", "now": NOW}
        seasons.edit(league=league, name=league.name, text="", settings=agreed, **about)
        client.force_login(get_organiser())
        assert Page(client.get(URL)).has("a.link-to-join")
        seasons.cancel_season(season_id=season.pk, **about)
        seasons.open_next(league=league, **about)
        assert not Page(client.get(URL)).has("a.link-to-join")

    def test_open_leagues_have_no_link(self, client: Client) -> None:
        make_league()
        client.force_login(get_organiser())
        assert not Page(client.get(URL)).has("a.link-to-join")


class TestApproval:
    def test_who_asks_plays_once_an_organiser_has_accepted_them(self, client: Client) -> None:
        season = make_league(admission=Admission.APPROVAL).seasons.get()
        zoe = make_player("Zoe")
        with pytest.raises(LeagueRefused, match="Ask to join"):
            seasons.register(season_id=season.pk, player=zoe, now=NOW)
        client.force_login(zoe)
        page = Page(client.get(URL))
        assert not page.has("form.register") and page.texts("form.wait button") == ["Ask to join"]
        client.post(f"{URL}1/wait/", {"following": "yes"})
        assert list_matters(season, NOW) == {f"asks {season.waiting.get().pk}"}
        client.force_login(get_organiser())
        assert not Page(client.get(URL)).has("a.link-to-join")
        desk = f"{URL}desk/"
        way = Page(client.get(desk)).link("Let them join")
        shown = Page(client.post(way, {"name": "Zoe"}))
        client.post(way, {"name": "Zoe", **confirmed(shown)})
        entry = Entry.objects.get()
        assert (entry.player, entry.state) == (zoe, EntryState.REGISTERED)
        assert not season.waiting.exists() and season.league.log.latest("pk").act == "accept"

    def test_only_organisers_accept_and_only_who_waits(self) -> None:
        season = make_league(admission=Admission.APPROVAL, most_players=2).seasons.get()
        players = [make_player(name) for name in ("Ann", "Bob", "Cid")]
        given = {"season_id": season.pk, "now": NOW}
        with pytest.raises(LeagueRefused, match="isn't waiting"):
            seasons.accept(player=players[0], who=get_organiser(), **given)
        for player in players:
            seasons.wait(player=player, **given)
        assert not Entry.objects.exists(), "nobody moves up without being accepted"
        with pytest.raises(LeagueRefused, match="organisers"):
            seasons.accept(player=players[0], who=players[0], **given)
        for player in players[:2]:
            seasons.accept(player=player, who=get_organiser(), **given)
        with pytest.raises(LeagueRefused, match="places are taken"):
            seasons.accept(player=players[2], who=get_organiser(), **given)
        seasons.withdraw(player=players[0], **given)
        assert season.entries.filter(state=EntryState.REGISTERED).count() == 1


def test_a_tournament_ends_once_and_enrols_nobody_again(client: Client) -> None:
    season = begin_season(4, schedule=Schedule.KNOCK_OUT, rules=Rules.usual(2), again=False)
    play_out_season(season, BEGINS + DAY)
    assert Season.objects.get() == season
    assert Page(client.get(URL)).text(".current .state") == "This tournament is over."
