"""Tests of vice-captains, who have the captain's rights except choosing leaders; and of line-ups for
team-mates."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.clocks import DAY
from games.models import Notice
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import LineUp, Phase, Season, Team, TeamMatch, TeamMember
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.organising_helpers import get_organiser
from tests.leagues.season_helpers import BEGINS, advance_seasons
from tests.leagues.team_season_helpers import (
    FIRST_ROUND,
    begin_team_season,
    end_games,
    get_player,
    get_team_match,
    make_team,
    make_team_season,
)

pytestmark = pytest.mark.django_db

A0, A1, A2 = "A0", "A1", "A2"


def name_vice(team: Team, who: str | None, by: str = A0) -> None:
    player = get_player(who) if who else None
    seasons.name_vice_captain(team_id=team.pk, captain=get_player(by), player=player, now=NOW)
    team.refresh_from_db()


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(LeagueRefused) as refusal:
        act()
    return refusal.value.code


def make_alpha() -> Team:
    team = make_team(make_team_season(), "A")
    name_vice(team, A1)
    return team


def test_a_captain_names_and_dismisses_a_vice_captain() -> None:
    team = make_alpha()
    name_vice(team, A1)  # a second click
    assert team.vice_captain == get_player(A1)
    assert team.season.league.log.filter(act="vice_captain").count() == 1
    name_vice(team, None)
    assert team.vice_captain is None
    assert team.season.league.log.filter(act="no_vice_captain").count() == 1


def test_a_vice_captain_is_told_and_hears_what_the_captain_hears() -> None:
    season = make_team_season()
    team = make_team(season, "A")
    make_team(season, "B")
    name_vice(team, A1)
    name_vice(team, None)
    name_vice(team, A1)
    assert list_topics(A1) == ["captain"], "again the same day"
    seasons.set_available(team_id=team.pk, player=get_player(A2), available=False, now=NOW)
    assert list_topics(A1) == [*list_topics(A0), "captain"] == ["team-mate", "captain"]
    seasons.set_available(team_id=team.pk, player=get_player(A1), available=False, now=NOW)
    assert list_topics(A1).count("team-mate") == 1, "not of oneself"
    advance_seasons(BEGINS)
    assert "line-up-closes" in list_topics(A0) and "line-up-closes" in list_topics(A1)


def test_a_vice_captain_named_later_is_reminded_of_the_line_up_too() -> None:
    season = make_team_season()
    team = make_team(season, "A")
    make_team(season, "B")
    advance_seasons(BEGINS)
    vice = get_player(A1)
    seasons.name_vice_captain(team_id=team.pk, captain=get_player(A0), player=vice, now=BEGINS)
    assert list_topics(A1).count("line-up-closes") == list_topics(A0).count("line-up-closes") == 1


def list_topics(name: str) -> list[str]:
    told = Notice.objects.filter(recipient__username=name, about__has_key="topic")
    return sorted(told.values_list("about__topic", flat=True), reverse=True)


def test_only_a_player_of_the_team_who_is_not_captain_becomes_it() -> None:
    team = make_alpha()
    make_player("Stranger")
    for other in (A0, "Stranger"):
        assert refused(lambda other=other: name_vice(team, other)) == "not_member"  # type: ignore[misc]
    team.refresh_from_db()
    assert team.vice_captain == get_player(A1)


def test_a_vice_captain_invites_and_removes() -> None:
    team = make_alpha()
    vice = get_player(A1)
    make_player("New")
    member = seasons.invite(team_id=team.pk, captain=vice, name="New", now=NOW)
    assert member.asked_by == vice
    seasons.remove(team_id=team.pk, captain=vice, player=get_player(A2), now=NOW)
    assert not team.members.filter(player=get_player(A2)).exists()
    old = team.token
    seasons.renew_link(team_id=team.pk, captain=vice)
    team.refresh_from_db()
    assert team.token != old


def test_a_vice_captain_does_not_decide_who_leads_or_whether_all_leave() -> None:
    team = make_alpha()
    vice = get_player(A1)
    about = {"team_id": team.pk, "captain": vice, "now": NOW}
    assert refused(lambda: seasons.hand_over(player=vice, **about)) == "not_captain"  # type: ignore[arg-type]
    assert refused(lambda: name_vice(team, A2, by=A1)) == "not_captain"
    assert refused(lambda: seasons.withdraw_team(**about)) == "not_captain"  # type: ignore[arg-type]
    assert refused(lambda: seasons.remove(player=get_player(A0), **about)) == "captain_stays"  # type: ignore[arg-type]
    team.refresh_from_db()
    assert team.captain == get_player(A0) and team.members.count() == 4


def test_others_of_the_team_may_nothing_of_it() -> None:
    team = make_alpha()
    act = lambda: seasons.invite(team_id=team.pk, captain=get_player(A2), name=A1, now=NOW)  # noqa: E731
    assert refused(act) == "not_captain"


def test_a_vice_captain_who_leaves_or_leads_is_none_any_more() -> None:
    team = make_alpha()
    seasons.hand_over(team_id=team.pk, captain=get_player(A0), player=get_player(A1), now=NOW)
    team.refresh_from_db()
    assert (team.captain, team.vice_captain) == (get_player(A1), None)
    name_vice(team, A2, by=A1)
    seasons.remove(team_id=team.pk, captain=get_player(A1), player=get_player(A2), now=NOW)
    team.refresh_from_db()
    assert team.vice_captain is None
    name_vice(team, A0, by=A1)
    seasons.withdraw(season_id=team.season_id, player=get_player(A0), now=NOW)
    team.refresh_from_db()
    assert team.vice_captain is None


def test_who_follows_a_captain_that_leaves_is_the_vice_captain() -> None:
    team = make_team(make_team_season(), "A")
    name_vice(team, A2)
    seasons.withdraw(season_id=team.season_id, player=get_player(A0), now=NOW)
    team.refresh_from_db()
    assert (team.captain, team.vice_captain) == (get_player(A2), None)


def test_a_vice_captain_puts_the_line_up() -> None:
    season = begin_team_season("AB")
    team = Team.objects.get(name="A")
    name_vice(team, A1)
    order = [get_player(name).pk for name in ("A3", A2, A1)]
    about = {"match_id": get_team_match().pk, "team_id": team.pk, "players": order, "now": BEGINS}
    assert refused(lambda: seasons.put_line_up(captain=get_player(A2), **about)) == "not_captain"  # type: ignore[arg-type]
    seasons.put_line_up(captain=get_player(A1), **about)  # type: ignore[arg-type]
    assert LineUp.objects.get().players == order
    assert season.league.log.filter(act="line_up").get().who == get_player(A1)


def begin_now() -> Season:
    """Begin a season of A and B whose first round begins in two days of real time."""
    season = begin_team_season("AB")
    shift = timezone.now() - BEGINS
    Season.objects.update(begins=season.begins + shift, ends=season.ends + shift)
    TeamMatch.objects.update(begins=timezone.now() + 2 * DAY)
    return season


def test_team_mates_see_the_next_line_up_and_nobody_else_does(client: Client) -> None:
    begin_now()
    team = Team.objects.get(name="A")
    order = [get_player(name).pk for name in ("A3", A2, A1)]
    seasons.put_line_up(
        match_id=get_team_match().pk,
        team_id=team.pk,
        captain=get_player(A0),
        players=order,
        now=timezone.now(),
    )
    url = f"/leagues/team-cup/1/teams/{team.pk}/"
    client.force_login(get_player(A2))
    assert Page(client.get(url)).texts(".line-up li") == ["A3", "A2", "A1"]
    TeamMatch.objects.update(begins=timezone.now() + timedelta(hours=1))  # it is closed, and not shown
    assert Page(client.get(url)).texts(".line-up li") == ["A3", "A2", "A1"]
    client.force_login(get_player("B0"))
    assert not Page(client.get(url)).has(".line-up")
    client.logout()
    assert not Page(client.get(url)).has(".line-up")
    seasons.withdraw(season_id=team.season_id, player=get_player(A2), now=timezone.now())
    client.force_login(get_player(A2))
    assert not Page(client.get(url)).has(".line-up"), "who has left is nobody of the team"


def test_the_page_names_the_vice_captain_and_shows_the_way(client: Client) -> None:
    team = make_team(make_team_season(), "A")
    Season.objects.update(begins=timezone.now() + DAY, ends=timezone.now() + 90 * DAY)
    url = f"/leagues/team-cup/1/teams/{team.pk}/"
    client.force_login(get_player(A0))
    form = Page(client.get(url)).one("tr:nth-child(2) form[action='vice-captain/']")
    sent = {str(form.select_one("input[name=player]")["name"]): get_player(A1).pk}  # type: ignore[index]
    page = Page(client.post(f"{url}vice-captain/", sent, follow=True))
    assert page.texts(".message.success") == ["The team has a new vice-captain."]
    assert page.texts("tr:nth-child(2) .badge") == ["vice-captain"]
    assert "Dismiss as vice-captain" in page.text("tr:nth-child(2) form[action='vice-captain/']")
    client.force_login(get_player(A1))
    page = Page(client.get(url))
    assert page.has("form[action='invite/']") and not page.has("form[action='vice-captain/']")
    assert not page.has("form[action='captain/']") and not page.has("form[action='withdraw/']")
    client.force_login(get_player(A0))
    page = Page(client.post(f"{url}vice-captain/", {"player": ""}, follow=True))
    assert page.texts(".message.success") == ["The team has no vice-captain now."]


def test_the_team_of_the_next_season_keeps_its_vice_captain() -> None:
    begin_team_season("AB")
    name_vice(Team.objects.get(name="A"), A1)
    advance_seasons(FIRST_ROUND)
    end_games(FIRST_ROUND + DAY)
    advance_seasons(FIRST_ROUND + DAY)
    following = Team.objects.get(name="A", follows__isnull=False)
    assert following.vice_captain == get_player(A1)
    assert TeamMember.objects.filter(team=following).count() == 4


def test_a_captain_who_does_not_stay_is_followed_by_the_vice_captain() -> None:
    season = begin_team_season("ABC", again=False)
    name_vice(season.teams.get(name="A"), A2)
    seasons.stay(season_id=season.pk, player=get_player(A0), stays=False)
    Season.objects.update(phase=Phase.CLOSED, closed=NOW)
    following = seasons.open_next(league=season.league, who=get_organiser(), reason="Again", now=NOW)
    team = following.teams.get(name="A")
    assert (team.captain, team.vice_captain) == (get_player(A2), None)
