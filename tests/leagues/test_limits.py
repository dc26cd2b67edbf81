"""Tests of limits on mails that captains, organisers and challengers can cause."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play, tables
from games.clocks import DAY, HOUR
from games.conduct import limits as conduct_limits
from games.exceptions import Refused, TooMany
from games.models import Contact, Game, Notice, Seat, Status
from leagues import limits, seasons
from leagues.exceptions import LeagueRefused
from leagues.mails.base import LeagueMail
from leagues.mails.players import Announced
from leagues.mails.seasons import CalledOff, RegistrationOpened, SeasonOver
from leagues.mails.teams import TeamInvitation, TeamMateAway
from leagues.models import Announcement, Challenge, Entry, Fixture, League, LogEntry, Season, Team, TeamMember
from leagues.settings import ChallengeRules
from tests.games.factories import NOW, make_player, make_table, sign_up_only
from tests.html import Page
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, read_ladder_order, resign_games_of
from tests.leagues.organising_helpers import (
    admit_player,
    confirmed,
    get_fixture_between,
    get_organiser,
    replace_player,
    settle_fixture,
)
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    get_numbered_player,
    make_league,
    register_players,
)
from tests.leagues.team_season_helpers import get_player, make_team, make_team_season
from tests.leagues.views.ladder_page_helpers import LADDER_URL, make_running_ladder
from tests.leagues.views.team_page_helpers import TEAM_SEASON_URL, build_team_url, make_open_team_season
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db
LATER = BEGINS + DAY


def refused(service: Callable[..., Any], *args: Any, **arguments: Any) -> str:
    """The code with which *service* refuses; checks that it has changed nothing."""
    models = (Contact, Notice, TeamMember, Announcement, LogEntry, Entry, Challenge, Game)
    before = [model.objects.count() for model in models]
    with pytest.raises(TooMany) as error:
        service(*args, **arguments)
    assert error.value.message.endswith(".")
    assert [model.objects.count() for model in models] == before
    return error.value.code


def mails(mail: type[LeagueMail]) -> int:
    return Notice.objects.filter(about__topic=mail.kind).count()


class TestTeams:
    def invite(self, team: Team, name: str, now: datetime = NOW) -> TeamMember:
        captain = Team.objects.get(pk=team.pk).captain
        return seasons.invite(team_id=team.pk, captain=captain, name=name, now=now)

    @pytest.fixture
    def team(self) -> Team:
        return make_team(make_team_season(), "A", 2)

    def test_a_captain_invites_twenty_of_sixty(self, team: Team) -> None:
        for number in range(60):
            make_player(f"Guest{number}")
            if number < 20:
                self.invite(team, f"Guest{number}")
            else:
                assert refused(self.invite, team, f"Guest{number}") == "too_many_invitations"
        assert mails(TeamInvitation) == 20
        self.invite(team, "Guest20", NOW + DAY)

    def test_sixty_clicks_on_the_page_send_twenty_mails(self, client: Client) -> None:
        make_open_team_season()
        season = Season.objects.get()
        captain = make_player("Capt")
        seasons.found_team(season_id=season.pk, captain=captain, name="A", now=timezone.now())
        client.force_login(captain)
        answers = []
        for number in range(60):
            make_player(f"Guest{number}")
            response = client.post(f"{build_team_url('A')}invite/", {"name": f"Guest{number}"})
            answers.append(response.status_code)
        assert answers == [302] * 20 + [429] * 40
        assert Page(response).text("#too-many") == Refused("too_many_invitations").message
        assert Page(response).link("Back") == TEAM_SEASON_URL
        assert mails(TeamInvitation) == TeamMember.objects.exclude(invited=None).count() == 20

    def test_who_has_confirmed_no_address_is_not_there(self, team: Team) -> None:
        sign_up_only("Zoe")
        with pytest.raises(LeagueRefused, match="no player called Zoe"):
            self.invite(team, "Zoe")
        assert not TeamMember.objects.filter(player__username="Zoe").exists()

    def test_a_captain_without_a_confirmed_address_invites_nobody(self, team: Team) -> None:
        make_player("Zoe")
        EmailAddress.objects.filter(user=team.captain).update(verified=False)
        with pytest.raises(Refused, match="Confirm your email address"):
            self.invite(team, "Zoe")

    def test_another_captain_of_the_same_team_goes_on_counting(
        self, team: Team, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "invitations_of_team", 2)
        for name in ("Guest0", "Guest1", "Guest2"):
            make_player(name)
        self.invite(team, "Guest0")
        self.invite(team, "Guest1")
        seasons.hand_over(team_id=team.pk, captain=team.captain, player=get_player("A1"), now=NOW)
        assert refused(self.invite, team, "Guest2") == "too_many_invitations"

    def test_removing_and_inviting_again_ends_after_three(self, team: Team) -> None:
        zoe = make_player("Zoe")
        for hours in range(3):
            self.invite(team, "Zoe", NOW + hours * HOUR)
            seasons.remove(team_id=team.pk, captain=team.captain, player=zoe, now=NOW)
        assert refused(self.invite, team, "Zoe", NOW + 3 * HOUR) == "invited_often"

    def test_two_captains_share_what_one_player_gets(
        self, team: Team, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "team_invitations_to_player", 1)
        make_player("Zoe")
        other = make_team(team.season, "B", 1)
        self.invite(team, "Zoe")
        assert refused(self.invite, other, "Zoe") == "much_invited"

    def test_a_team_waits_a_week_after_a_no_whoever_leads_it(self, team: Team) -> None:
        zoe = make_player("Zoe")
        self.invite(team, "Zoe")
        seasons.decline(team_id=team.pk, player=zoe, now=NOW)
        assert refused(self.invite, team, "Zoe") == "declined_lately"
        seasons.remove(team_id=team.pk, captain=team.captain, player=zoe, now=NOW)
        assert refused(self.invite, team, "Zoe") == "declined_lately", "though the row is gone"
        seasons.hand_over(team_id=team.pk, captain=team.captain, player=get_player("A1"), now=NOW)
        before_a_week = NOW + 7 * DAY - HOUR
        assert refused(self.invite, team, "Zoe", before_a_week) == "declined_lately"
        seasons.join_team(team_id=team.pk, player=zoe, now=NOW, token=Team.objects.get(pk=team.pk).token)

    def test_and_the_person_at_tables_as_well(self, team: Team) -> None:
        zoe = make_player("Zoe")
        self.invite(team, "Zoe")
        seasons.decline(team_id=team.pk, player=zoe, now=NOW)
        table = make_table(host=team.captain)
        asked = {"game_id": table.pk, "inviter": team.captain, "player": zoe, "now": NOW}
        assert refused(tables.invite, **asked) == "declined_lately"

    def test_invitations_of_all_sorts_are_counted_together_for_a_pair(self, team: Team) -> None:
        captain, zoe = team.captain, make_player("Zoe")
        assert conduct_limits.get_maximum("asked_by_one") == 12
        for _ in range(5):
            table = make_table(host=captain)
            tables.invite(game_id=table.pk, inviter=captain, player=zoe, now=NOW)
        Contact.objects.bulk_create(  # challenges and rematches between the two, for which they have played
            Contact(act=act, sender=captain, recipient=zoe, at=NOW)
            for act in [limits.CHALLENGE, *[conduct_limits.REMATCH] * 5]
        )
        self.invite(team, "Zoe")
        seasons.remove(team_id=team.pk, captain=captain, player=zoe, now=NOW)
        assert refused(self.invite, team, "Zoe") == "invited_often"
        asked = {"game_id": make_table(host=captain).pk, "inviter": captain, "player": zoe, "now": NOW}
        assert refused(tables.invite, **asked) == "invited_often"
        other = make_team(team.season, "B", 1)
        self.invite(other, "Zoe")

    def test_a_team_is_handed_to_the_same_one_twice_a_day(self, team: Team) -> None:
        one, other = team.captain, get_player("A1")
        for _ in range(2):
            seasons.hand_over(team_id=team.pk, captain=one, player=other, now=NOW)
            seasons.hand_over(team_id=team.pk, captain=other, player=one, now=NOW)
        given = {"team_id": team.pk, "captain": one, "player": other, "now": NOW}
        assert refused(seasons.hand_over, **given) == "too_much_for_them"

    def test_leaving_and_coming_back_tells_the_captain_once_a_day(self, team: Team) -> None:
        player = get_player("A1")
        for minutes in range(5):
            now = NOW + timedelta(minutes=minutes)
            seasons.withdraw(season_id=team.season_id, player=player, now=now)
            seasons.join_team(team_id=team.pk, player=player, now=now, token=team.token)
        assert mails(TeamMateAway) == 1


class TestAnnouncements:
    def announce(self, made: League, now: datetime, who: Player | None = None) -> Announcement:
        return seasons.announce(league=made, text="Hello", who=who or get_organiser(), now=now)

    def test_to_hundreds_are_one_act_in_four_hours(self) -> None:
        season = make_league().seasons.get()
        players = Player.objects.bulk_create(
            Player(username=f"P{n}", name_key=f"p{n}", name_looks=f"p{n}", email=f"p{n}@example.org")
            for n in range(300)
        )
        EmailAddress.objects.bulk_create(
            EmailAddress(user=one, email=one.email, verified=True, primary=True) for one in players
        )
        Entry.objects.bulk_create(Entry(season=season, player=one, registered=NOW) for one in players)
        self.announce(season.league, NOW)
        assert mails(Announced) == 300
        assert Contact.objects.filter(act=limits.ANNOUNCE).count() == 1, "one act"
        for minutes in (0, 1, 239):
            now = NOW + timedelta(minutes=minutes)
            assert refused(self.announce, season.league, now) == "announced_lately"
        self.announce(season.league, NOW + 4 * HOUR)
        assert mails(Announced) == 600

    def test_of_two_organisers_the_league_has_one(self) -> None:
        made, other = make_league(), make_player("Other")
        made.organisers.add(other)
        self.announce(made, NOW)
        assert refused(self.announce, made, NOW + HOUR, other) == "announced_lately"

    def test_go_to_confirmed_addresses_only(self) -> None:
        season = make_league().seasons.get()
        one, other = register_players(season, 2)
        EmailAddress.objects.filter(user=other).update(verified=False)
        self.announce(season.league, NOW)
        told = Notice.objects.filter(about__topic=Announced.kind)
        assert [notice.recipient for notice in told] == [one]

    def test_the_desk_says_so(self, client: Client) -> None:
        made = make_league()
        self.announce(made, timezone.now())
        client.force_login(get_organiser())
        address, sent = "/leagues/cup-of-foix/desk/announce/", {"text": "Again"}
        sent |= confirmed(Page(client.post(address, sent)))
        response = client.post(address, sent)
        assert response.status_code == 429
        assert Refused("announced_lately").message in Page(response).text("form.act")
        assert Announcement.objects.count() == 1

    def test_a_season_is_called_off_and_opened_four_times_a_day(self) -> None:
        made = make_league()
        register_players(made.seasons.get(), 2)
        given = {"who": get_organiser(), "reason": "Read this", "now": NOW}
        for _ in range(2):
            seasons.cancel_season(season_id=made.seasons.latest("number").pk, **given)
            seasons.open_next(league=made, **given)
        season = made.seasons.latest("number")
        assert refused(seasons.cancel_season, season_id=season.pk, **given) == "changed_often"
        assert mails(CalledOff) == mails(RegistrationOpened) == 4

    def test_an_end_is_moved_four_times_a_day(self) -> None:
        season = begin_season(2, division_size=2)
        given = {"season_id": season.pk, "who": get_organiser(), "reason": "Slow", "now": LATER}
        for _ in range(4):
            seasons.extend(by=DAY, **given)
        assert refused(seasons.extend, by=DAY, **given) == "changed_often"


class TestOrganisers:
    def test_bring_nobody_without_a_confirmed_address(self) -> None:
        season = begin_season(3, division_size=6)
        unknown = sign_up_only("Zoe")
        with pytest.raises(LeagueRefused, match="no player of this name"):
            admit_player(season, unknown)
        with pytest.raises(LeagueRefused, match="no player of this name"):
            replace_player(season, get_numbered_player(0), unknown)

    def test_bring_thirty_a_day(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert conduct_limits.get_maximum("admissions") == 30
        set_limit(monkeypatch, "admissions", 1)
        season = begin_season(3, division_size=6)
        admit_player(season, make_player("Zoe"))
        with pytest.raises(LeagueRefused, match="is playing"):
            admit_player(season, Player.objects.get(username="Zoe"))
        assert refused(admit_player, season, make_player("Emma")) == "too_much_today"
        code = refused(replace_player, season, get_numbered_player(0), Player.objects.get(username="Emma"))
        assert code == "too_much_today"

    def test_a_player_is_brought_to_five_seasons_a_day(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "admissions_of_player", 0)
        season = begin_season(3, division_size=6)
        assert refused(admit_player, season, make_player("Zoe")) == "too_much_for_them"

    def test_settle_a_game_of_one_player_thirty_times_a_day(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert conduct_limits.get_maximum("games_settled_of_one") == 30
        set_limit(monkeypatch, "games_settled_of_one", 2)
        begin_season(3, division_size=3)
        one, other = get_numbered_player(0), get_numbered_player(1)
        for rank in (1, 2):
            settle_fixture(get_fixture_between(one, other), {one: rank, other: 3 - rank})
        fixture = get_fixture_between(one, other)
        with pytest.raises(TooMany) as error:
            settle_fixture(fixture, {one: 1, other: 2})
        assert error.value.code == "too_much_for_them"
        assert Fixture.objects.get(pk=fixture.pk).seats == fixture.seats


class TestChallenges:
    def test_that_are_given_up_and_repeated_end_after_two_a_week(self) -> None:
        season = begin_ladder(4, challenges=ChallengeRules(reach=3, rest=timedelta()))
        for hours in range(2):
            challenge_player(season, 2, 1, BEGINS + hours * HOUR)
            resign_games_of(2, BEGINS + hours * HOUR)
        later = BEGINS + 2 * HOUR
        code = refused(challenge_player, season, 2, 1, later)
        assert code == "challenged_often"
        challenge_player(season, 2, 0, later)
        resign_games_of(2, later)
        challenge_player(season, 2, 1, BEGINS + 7 * DAY + HOUR)

    def test_five_a_day(self) -> None:
        season = begin_ladder(8, challenges=ChallengeRules(reach=7, rest=timedelta()))
        for challenged in range(5):
            challenge_player(season, 7, challenged)
            resign_games_of(7, BEGINS)
        assert refused(challenge_player, season, 7, 5) == "too_much_today"

    def test_whoever_leaves_one_at_once_has_said_no_for_a_week(self) -> None:
        season = begin_ladder(3, challenges=ChallengeRules(reach=3, rest=timedelta()))
        challenge_player(season, 2, 0)
        resign_games_of(0, BEGINS)
        assert read_ladder_order(season) == "201"
        challenge_player(season, 1, 2)  # to let the one who left go up again
        resign_games_of(1, BEGINS)
        challenge_player(season, 0, 2)
        resign_games_of(2, BEGINS)
        assert read_ladder_order(season).index("0") < read_ladder_order(season).index("2")
        assert refused(challenge_player, season, 2, 0, BEGINS + 6 * DAY) == "declined_lately"
        challenge_player(season, 2, 0, BEGINS + 8 * DAY)

    def test_two_challengers_share_what_one_player_gets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "challenges_of_player", 1)
        season = begin_ladder(4, challenges=ChallengeRules(reach=3, rest=timedelta()))
        challenge_player(season, 2, 0)
        resign_games_of(2, BEGINS)
        assert refused(challenge_player, season, 3, 0) == "much_challenged"

    def test_the_page_says_so(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "challenges", 0)
        make_running_ladder(3)
        client.force_login(get_numbered_player(2))
        response = client.post(f"{LADDER_URL}challenge/", {"player": get_numbered_player(1).pk})
        assert response.status_code == 429
        assert Page(response).text("#too-many") == Refused("too_much_today").message
        assert not Seat.objects.filter(game__status=Status.PLAYING).exists()
        assert Page(response).link("Back") == LADDER_URL


def test_a_league_plays_on_by_itself_without_any_contact() -> None:
    season = begin_season(2, division_size=2)
    for seat in Seat.objects.filter(player=get_numbered_player(0), game__status=Status.PLAYING):
        play.resign(game_id=seat.game_id, seat=seat.index, now=LATER)
    advance_seasons(LATER)
    season.refresh_from_db()
    assert not season.running and mails(SeasonOver) == 2
    assert not Contact.objects.exists()
