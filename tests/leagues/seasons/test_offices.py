"""Tests of offices that are never empty: leagues without organisers, and teams whose captain is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import close_account
from games.clocks import DAY
from games.notices import delivery
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import EntryState, League, Phase, RequestKind, Season, Team
from leagues.seasons import organising
from tests.accounts.signing_in import sign_in
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.organising_helpers import LATER, get_organiser
from tests.leagues.season_helpers import (
    advance_seasons,
    begin_season,
    make_founder,
    make_league,
    play_out_season,
)
from tests.leagues.team_season_helpers import begin_team_season, get_player, make_team, make_team_season
from tests.leagues.views.founding_helpers import build_league_form_data
from tests.moderation.sanctioning import suspend

pytestmark = pytest.mark.django_db

WITHOUT = "This league has no organiser right now. The site's team looks after it and answers questions."


@pytest.fixture
def staff() -> Player:
    return make_player("Zita", is_staff=True, is_superuser=True)


def deliver() -> list[tuple[str, str]]:
    mail.outbox.clear()
    delivery.deliver_due(seconds=30)
    return [(message.to[0].split("@")[0], message.subject) for message in mail.outbox]


def read_league(league: League, who: Client) -> Page:
    return Page(who.get(league.get_absolute_url()))


class TestLeagues:
    def test_the_staff_inherits_a_league_whose_organiser_has_left(
        self, client: Client, staff: Player
    ) -> None:
        league = make_league()
        close_account(player=get_organiser(), now=timezone.now())
        advance_seasons(timezone.now())
        advance_seasons(timezone.now())
        assert [to for to, subject in deliver() if "no organiser is left" in subject] == ["zita"]
        assert league.log.filter(act="inherit").count() == 1
        page = read_league(league, client)
        assert page.text(".organisers") == WITHOUT
        client.force_login(staff)
        assert read_league(league, client).link("Organisers' desk")

    def test_questions_go_to_the_staff_in_the_meantime(self, client: Client, staff: Player) -> None:
        league = make_league()
        close_account(player=get_organiser(), now=timezone.now())
        client.force_login(make_player("Anna"))
        sent = {"kind": RequestKind.TIME, "text": "May I have a week more?"}
        page = Page(client.post(reverse("league:ask", args=[league.slug]), sent, follow=True))
        assert "the site's team" in page.text(".message.success")
        assert [to for to, _subject in deliver()] == ["zita"]

    def test_other_staff_than_superusers_inherits_only_what_nobody_organises(self) -> None:
        league, moderating = make_league(), make_player("Mira", is_staff=True)
        founder = get_organiser()
        moderating.user_permissions.set(founder.user_permissions.all())
        moderating = get_player("Mira")
        assert not seasons.may_organise(league, moderating)
        close_account(player=founder, now=timezone.now())
        assert seasons.may_organise(league, moderating)

    @pytest.mark.parametrize(("days", "acting"), [(3, True), (30, False)])
    def test_a_long_suspension_counts_as_absence(self, days: int, acting: bool) -> None:
        league, now = make_league(), timezone.now()
        suspend(get_organiser(), now, days)
        assert league.find_acting_organisers(now).exists() is acting
        assert league.find_acting_organisers(now + days * DAY).exists()

    def test_who_is_named_then_ends_the_vacancy(self, staff: Player) -> None:
        league = make_league()
        close_account(player=get_organiser(), now=timezone.now())
        advance_seasons(timezone.now())
        anna = make_player("Anna")
        seasons.name_organiser(league=league, player=anna, who=staff, reason="Yours", now=timezone.now())
        advance_seasons(timezone.now())
        league.refresh_from_db()
        assert league.vacant is None
        assert list(league.find_deciders(timezone.now())) == [anna]


class TestClosing:
    def test_asks_who_organises_the_league(self, client: Client) -> None:
        league, anna = make_league(), make_player("Anna")
        sign_in(client, get_organiser())
        url = reverse("accounts:close")
        name = f"office-league-{league.pk}"
        page = Page(client.get(url, follow=True))
        assert page.text(f"label[for=id_{name}]").startswith("Who organises Cup of Foix after you?")
        refused = Page(client.post(url, {"username": "Founder", name: "Nobody at all"}))
        assert "There is no player of this name." in refused.text("main")
        assert not Player.objects.exclude(closes=None).exists()
        client.post(url, {"username": "Founder", name: "anna"})
        assert Player.objects.filter(username="Founder").exclude(closes=None).exists()
        assert anna in league.organisers.all()

    def test_a_refused_successor_changes_nothing(self, client: Client) -> None:
        league = make_league()
        sign_in(client, get_organiser())
        name = f"office-league-{league.pk}"
        page = Page(client.post(reverse("accounts:close"), {"username": "Founder", name: "Founder"}))
        assert LeagueRefused("organiser_already", player="Founder").message in page.text("main")
        assert not Player.objects.exclude(closes=None).exists()

    def test_asks_nobody_who_shares_the_office(self, client: Client) -> None:
        league = make_league()
        league.organisers.add(make_player("Emma"))
        sign_in(client, get_organiser())
        assert not Page(client.get(reverse("accounts:close"))).has("[name^=office]")

    def test_asks_captains_who_follows(self, client: Client) -> None:
        team = make_team(make_team_season(), "A")
        sign_in(client, get_player("A0"))
        name = f"office-team-{team.pk}"
        page = Page(client.get(reverse("accounts:close"), follow=True))
        assert page.text(f"[name={name}] option[selected]") == "A1"
        client.post(reverse("accounts:close"), {"username": "A0", name: get_player("A2").pk})
        team.refresh_from_db()
        assert (str(team.captain), str(team.vice_captain)) == ("A0", "A2")
        close_account(player=get_player("A0"), now=NOW)
        team.refresh_from_db()
        assert (str(team.captain), team.vice_captain) == ("A2", None)


class TestCaptains:
    @pytest.fixture
    def season(self) -> Season:
        return begin_team_season()

    def test_a_team_mate_follows_a_captain_whose_account_is_closed(self, season: Season) -> None:
        close_account(player=get_player("A0"), now=LATER)
        advance_seasons(LATER)
        team = Team.objects.get(name="A")
        assert str(team.captain) == "A1"
        assert season.league.log.filter(act="succeed", details__team="A").count() == 1

    def test_a_long_suspension_passes_the_team_on(self, season: Season) -> None:
        suspend(get_player("A0"), LATER, days=30)
        suspend(get_player("A1"), LATER, days=30)
        advance_seasons(LATER)
        assert str(Team.objects.get(name="A").captain) == "A2"

    def test_withdrawing_asks_who_leads_the_team(self, client: Client, season: Season) -> None:
        client.force_login(get_player("A0"))
        url = reverse("league:withdraw", args=[season.league.slug, season.number])
        page = Page(client.post(url))
        assert [option.text for option in page.all("[name=captain] option")] == ["A1", "A2", "A3"]
        stranger = {"sure": "yes", "captain": str(get_player("B1").pk)}
        assert Page(client.post(url, stranger)).has(".errorlist, [aria-invalid]")
        assert not season.entries.filter(state=EntryState.WITHDRAWN).exists()
        client.post(url, {"sure": "yes", "captain": str(get_player("A2").pk)})
        assert str(Team.objects.get(name="A").captain) == "A2"
        assert season.entries.get(player=get_player("A0")).state == EntryState.WITHDRAWN

    def test_withdrawing_asks_others_nothing_more(self, client: Client) -> None:
        season = begin_season(4)
        client.force_login(Player.objects.get(username="Player01"))
        url = reverse("league:withdraw", args=[season.league.slug, season.number])
        assert not Page(client.post(url)).has("[name=captain]")


def test_the_last_organiser_can_not_be_removed_while_the_other_is_suspended() -> None:
    league, emma = make_league(), make_player("Emma")
    league.organisers.add(emma)
    suspend(emma, NOW, days=30)
    founder = get_organiser()
    with pytest.raises(LeagueRefused) as refused:
        organising.remove_organiser(league=league, player=founder, who=founder, reason="Bye", now=NOW)
    assert refused.value.code == "last_organiser"


class TestPrizes:
    def test_a_league_with_a_prize_is_founded_by_two(self, client: Client) -> None:
        founder, emma = make_founder(), make_player("Emma")
        client.force_login(founder)
        sent = build_league_form_data(prize="A set of wooden meeples")
        page = Page(client.post(reverse("league:found"), sent))
        assert LeagueRefused("prize").message in page.text("main")
        assert not League.objects.exists()
        client.post(reverse("league:found"), {**sent, "second": "emma"})
        league = League.objects.get()
        assert set(league.organisers.all()) == {founder, emma}
        assert "A set of wooden meeples" in Page(client.get(league.get_absolute_url())).text(".agreed")

    def test_the_next_season_waits_for_a_second_organiser(self) -> None:
        season = begin_season(2)
        league, founder = season.league, get_organiser()
        league.agreed = {**league.agreed, "prize": "A cup"}
        league.save()
        play_out_season(season, LATER)
        assert season.phase == Phase.CLOSED and league.seasons.count() == 1
        assert league.log.filter(act="lacks_organiser").count() == 1
        subjects = [subject for to, subject in deliver() if to == "founder"]
        assert any("needs a second organiser" in subject for subject in subjects)
        emma = make_player("Emma")
        with pytest.raises(LeagueRefused) as refused:
            seasons.open_next(league=league, who=founder, reason="On", now=NOW + 90 * DAY)
        assert refused.value.code == "prize"
        seasons.name_organiser(league=league, player=emma, who=founder, reason="Two", now=NOW + 90 * DAY)
        assert seasons.open_next(league=league, who=founder, reason="On", now=NOW + 90 * DAY).is_open

    def test_nothing_is_put_at_stake_by_one_alone(self) -> None:
        league, founder = make_league(), get_organiser()
        changed = {"name": league.name, "text": "", "reason": "Now for a cup", "who": founder, "now": NOW}
        changed["settings"] = replace(league.settings, prize="A cup")
        with pytest.raises(LeagueRefused) as refused:
            seasons.edit(league=league, **changed)
        assert refused.value.code == "prize"
        league.refresh_from_db()
        assert league.settings.prize == ""
