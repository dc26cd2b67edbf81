"""Tests of the organisers' desk: open matters, previews of acts, and their confirmation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import play
from games.clocks import DAY, HOUR
from games.models import Game, Notice, Seat
from leagues import seasons
from leagues.mails.base import MAILS
from leagues.models import (
    Announcement,
    Division,
    Fixture,
    League,
    Match,
    Phase,
    Season,
    SubstituteOffer,
    Waiting,
)
from leagues.selectors.desk import list_matters
from leagues.settings import CupRules, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.knock_out_helpers import begin_cup, play_round
from tests.leagues.organising_helpers import confirmed, get_fixture_between, get_organiser
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    register_players,
    resign_all_games,
)
from tests.leagues.team_season_helpers import make_team, make_team_season
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season

pytestmark = pytest.mark.django_db

DESK = f"{LEAGUE_URL}desk/"


@pytest.fixture
def desk(client: Client) -> Iterator[Client]:
    """The founder's client, with a league of four, a day after it began."""
    with time_machine.travel(BEGINS + DAY):
        begin_season(4, division_size=6)
        client.force_login(get_organiser())
        yield client


def act(name: str, **about: object) -> str:
    asked = "&".join(f"{key}={value}" for key, value in about.items())
    return f"{DESK}{name}/?{asked}"


def do(client: Client, url: str, **sent: object) -> tuple[Page, Page]:
    """Preview an act, confirm it, and return both pages."""
    data = {"reason": "They asked", **sent}
    shown = Page(client.post(url, data))
    return shown, Page(client.post(url, data | confirmed(shown), follow=True))


def test_a_match_of_a_knock_out_is_called_by_its_round(client: Client) -> None:
    season = begin_cup(4, cup=CupRules(third_place=True))
    play_round(season)
    client.force_login(get_organiser())
    third = Match.objects.get(round=2, number=2)
    labels = Page(client.get(act("extend", match=third.pk))).texts("#id_part label")
    assert "(Knock-out, Match for third place)" in labels[0]
    settled = act("settle", game=third.fixtures.get().pk)
    assert Page(client.get(settled)).texts(".introduction li")[0] == "Knock-out, Match for third place"


@pytest.mark.parametrize("schedule", [Schedule.KNOCK_OUT, Schedule.LADDER])
def test_offers_no_substitutes_and_latecomers_where_none_are_let_in(
    client: Client, schedule: Schedule
) -> None:
    season = begin_season(4, schedule=schedule, rules=Rules.usual(2))
    Season.objects.update(ends=timezone.now() + 60 * DAY)
    zoe = make_player("Zoe")
    seasons.wait(season_id=season.pk, player=zoe, now=timezone.now())
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=timezone.now())
    Player.objects.filter(pk=get_numbered_player(1).pk).update(is_active=False)
    client.force_login(get_organiser())
    page = Page(client.get(DESK))
    assert page.texts(".needs h3") == ["Account closed", "Number 1"]
    assert page.links(".needs .button") == [act("take-out", player=get_numbered_player(1).pk)]
    assert not {"Let somebody join", "Let a substitute play on"} & set(page.texts(".desk-acts li"))
    client.force_login(zoe)
    assert "Be ready to substitute" not in Page(client.get(LEAGUE_URL)).text("main")


class TestDesk:
    def test_with_nothing_to_do_says_so(self, desk: Client) -> None:
        page = Page(desk.get(DESK))
        assert page.text(".nothing") == "Nothing needs you: the league is running itself."
        assert page.texts(".registered li") == ["Founder"]
        assert not page.has(".needs")

    def test_is_for_organisers_and_who_runs_the_site(self, desk: Client) -> None:
        assert Page(desk.get(LEAGUE_URL)).link("Organisers' desk") == DESK
        desk.force_login(make_player("Zoe"))
        assert "Organisers' desk" not in Page(desk.get(LEAGUE_URL)).texts("a")
        for url in (DESK, act("close")):
            assert desk.get(url).status_code == 403
        assert desk.post(act("close"), {"reason": "Mine", "confirmed": "yes"}).status_code == 403
        desk.force_login(make_player("Admin", is_superuser=True))
        assert desk.get(DESK).status_code == 200
        assert Client().get(DESK).status_code == 302

    def test_lists_what_was_broken_off_with_the_way_to_settle_it(self, desk: Client) -> None:
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        assert fixture.game is not None
        play.abort(game_id=fixture.game.pk, seat=0, now=timezone.now())
        page = Page(desk.get(DESK))
        assert page.texts("section h2")[0] == "Games without a result"
        assert set(page.texts(".needs .people a")) == {"Player00", "Player01"}
        assert page.link("Settle it") == act("settle", game=fixture.pk)

    def test_lists_who_left_and_who_waits(self, desk: Client) -> None:
        season = Season.objects.get()
        seasons.withdraw(season_id=season.pk, player=get_numbered_player(0), now=timezone.now())
        zoe = make_player("Zoe")
        seasons.wait(season_id=season.pk, player=zoe, now=timezone.now(), substitute=True)
        page = Page(desk.get(DESK))
        assert page.texts("section h2")[:2] == ["Players who have left", "Waiting for a place"]
        assert "A substitute could play 3 matches." in page.texts(".needs p")
        assert act("replace", player=get_numbered_player(0).pk) in page.links(".needs .button")

    def test_lists_games_that_are_too_slow_and_players_without_time(self, desk: Client) -> None:
        game = get_fixture_between(get_numbered_player(0), get_numbered_player(1)).game
        assert game is not None
        now = timezone.now()
        Game.objects.filter(pk=game.pk).update(ply=4, version=9, tiles_left=60, started=now - 10 * DAY)
        Seat.objects.filter(player=get_numbered_player(2)).update(excuses=1)
        page = Page(desk.get(DESK))
        assert page.texts("section h2")[:2] == [
            "Games unlikely to end in time",
            "Players who keep running out of time",
        ]
        assert "Ran out of time 3 times." in page.texts(".needs p")

    def test_lists_a_swiss_division_that_was_cut_short(self, client: Client) -> None:
        begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        Division.objects.update(rounds=1)
        client.force_login(get_organiser())
        assert "Divisions that can't be drawn" in Page(client.get(DESK)).texts("h2")

    def test_lists_too_few_registrations(self, client: Client) -> None:
        register_players(make_open_season(), 1)
        client.force_login(get_organiser())
        assert Page(client.get(DESK)).texts(".needs h3") == ["Too few have registered"]

    @pytest.mark.parametrize(("names", "few"), [("A", True), ("AB", False)])
    def test_counts_teams_where_teams_play(self, client: Client, names: str, few: bool) -> None:
        season = make_team_season()
        for name in names:
            make_team(season, name)
        client.force_login(get_organiser())
        found = Page(client.get("/leagues/team-cup/desk/")).texts(".needs h3")
        assert found == (["Too few have registered"] if few else [])
        matters = {f"few {season.pk} 0"} if few else set()
        assert list_matters(season, season.begins - DAY) == matters

    @pytest.mark.parametrize("players", [4, 9])
    def test_costs_the_same_however_many_play(
        self, client: Client, django_assert_max_num_queries: Any, players: int
    ) -> None:
        season = begin_season(players, division_size=players)
        now = timezone.now()
        for game in Game.objects.order_by("pk")[: players - 2]:
            play.abort(game_id=game.pk, seat=0, now=BEGINS)
        for number in range(players // 2):
            seasons.withdraw(season_id=season.pk, player=get_numbered_player(number), now=now)
            seasons.wait(season_id=season.pk, player=make_player(f"Wait{number}"), now=now)
        client.force_login(get_organiser())
        with django_assert_max_num_queries(24):
            assert client.get(DESK).status_code == 200


class TestActs:
    def test_settling_shows_what_it_does_before(self, desk: Client) -> None:
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        url = act("settle", game=fixture.pk)
        assert set(Page(desk.get(url)).texts("form label")) >= {"Rank of Player00", "Rank of Player01"}
        ranks = {f"rank_{get_numbered_player(0).pk}": 1, f"rank_{get_numbered_player(1).pk}": 2}
        asked, _same = do(desk, url, how="ranked")
        assert asked.texts(".introduction li")[-1] == "It's still being played."
        assert "Give each player a rank" in asked.text(".errorlist li")
        shown, done = do(desk, url, how="ranked", **ranks)
        effects = shown.texts(".effects li")
        called_off = (
            "The game is still being played. It will be called off, unrated, and we'll tell its players."
        )
        assert effects[0] == called_off
        assert effects[1] == "Before: no result. After: 1. Player00, 2. Player01."
        assert "Player00: 1st with 0, now 1st with 2." in effects
        assert done.has(".message.success")
        fixture.refresh_from_db()
        assert fixture.settled_by == get_organiser()
        line = Page(desk.get(LEAGUE_URL)).texts(".log li")[0]
        assert "Founder: settled a game (Season 1)" in line and "They asked" in line
        assert "Before: no result. After: 1. Player00, 2. Player01." in line

    def test_nothing_is_done_before_it_is_confirmed_or_without_a_reason(self, desk: Client) -> None:
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        url = act("settle", game=fixture.pk)
        ranks = {
            f"rank_{get_numbered_player(0).pk}": 1,
            f"rank_{get_numbered_player(1).pk}": 2,
            "how": "ranked",
        }
        for sent in (
            {**ranks, "reason": "They asked"},
            {**ranks, "reason": "", "confirmed": "yes"},
            {**ranks, "reason": "They asked", "confirmed": "yes", "change": "yes"},
        ):
            desk.post(url, sent)
            fixture.refresh_from_db()
            assert fixture.settled is None

    def test_a_game_of_ones_own_is_for_another_organiser(self, desk: Client) -> None:
        League.objects.get().organisers.add(get_numbered_player(0))
        desk.force_login(get_numbered_player(0))
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        ranks = {f"rank_{get_numbered_player(0).pk}": 1, f"rank_{get_numbered_player(1).pk}": 2}
        shown, done = do(desk, act("settle", game=fixture.pk), how="ranked", **ranks)
        told = ["You're playing in this yourself: another organiser has to decide."]
        assert shown.texts(".errorlist li") == done.texts(".errorlist li") == told

    def test_games_are_settled_from_their_division(self, desk: Client) -> None:
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        page = Page(desk.get(f"{LEAGUE_URL}1/1/?round={fixture.match.round}"))
        assert act("settle", game=fixture.pk) in page.links(".settle")
        desk.force_login(get_numbered_player(0))
        assert not Page(desk.get(f"{LEAGUE_URL}1/1/")).has(".settle")

    def test_a_substitute_plays_on(self, desk: Client) -> None:
        zoe = make_player("Zoe")
        seasons.wait(season_id=Season.objects.get().pk, player=zoe, now=timezone.now(), substitute=True)
        url = act("replace", player=get_numbered_player(0).pk)
        page = Page(desk.get(url))
        assert page.values("[name=substitute]") == ["Zoe"]
        assert page.one("option[selected]").get_text() == "Player00"
        shown, done = do(desk, url, leaving=get_numbered_player(0).pk, substitute="zoe")
        counts = "Games Player00 has played still count for Player00. Zoe starts with no points."
        assert counts in shown.texts("li")
        assert done.has(".message.success")
        desk.force_login(zoe)
        offer = Page(desk.get(SubstituteOffer.objects.get().get_absolute_url()))
        assert offer.texts(".offer button") == ["Yes, I'll play", "No, thanks"]
        desk.post(SubstituteOffer.objects.get().get_absolute_url(), {"answer": "yes"})
        assert Season.objects.get().entries.get(player=zoe).replaces is not None
        desk.force_login(get_organiser())
        shown, _done = do(desk, url, leaving=get_numbered_player(1).pk, substitute="Nobody")
        assert shown.texts(".errorlist li") == ["There is no player of this name."]

    def test_somebody_joins(self, desk: Client) -> None:
        make_player("Zoe")
        shown, _done = do(desk, act("admit"), name="Zoe")
        assert shown.texts(".effects li") == ["Zoe plays in Division 1.", "4 more matches will be played."]
        assert Season.objects.get().entries.count() == 5

    def test_the_season_is_extended(self, desk: Client) -> None:
        season = Season.objects.get()
        shown, done = do(desk, act("extend"), part="season-0", days=9)
        assert shown.texts(".effects li")[0].startswith("Season 1: ")
        assert shown.texts(".effects li")[1:] == [
            "6 games in progress get more time.",
            "We'll tell 4 players.",
        ]
        assert done.has(".message.success")
        assert Season.objects.get().ends == season.ends + 9 * DAY
        shown, _done = do(desk, act("extend"), part="season-0", days=400)
        assert "at most 400 days" in shown.text(".errorlist li")

    def test_a_season_is_ended_before_a_round_that_comes_too_late(self, client: Client) -> None:
        begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        Season.objects.update(ends=BEGINS + 2 * DAY)
        client.force_login(get_organiser())
        with time_machine.travel(BEGINS + DAY):
            page = Page(client.get(DESK))
            assert page.texts("section h2")[0] == "Rounds that come late"
            assert page.link("End the season early") == act("end-early").rstrip("?")
            shown, done = do(client, act("end-early"))
            effects = shown.texts(".effects li")
            assert effects[0] == "Division 1: Round 2 isn't played, nor anything after it."
            assert done.has(".message.success")
            told = Page(client.get(f"{LEAGUE_URL}1/1/")).texts(".result-note")
            assert told[-1].startswith("Organisers have ended it early") and "They asked" in told[-1]
            line = Page(client.get(LEAGUE_URL)).texts(".log li")[0]
            assert "Division 1 ends after round 1." in line

    def test_a_moved_end_is_on_the_desk_and_in_a_mail(self, client: Client) -> None:
        season = begin_season(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        Season.objects.update(ends=BEGINS + 2 * DAY)
        resign_all_games(BEGINS + DAY, choose_later_name)
        advance_seasons(BEGINS + DAY)
        client.force_login(get_organiser())
        with time_machine.travel(BEGINS + DAY):
            page = Page(client.get(DESK))
            assert "The end of the season has moved" in page.texts("section h2")
            notice = Notice.objects.filter(about__topic="end-moved")[0]
            letter = MAILS["end-moved"](notice, BEGINS + DAY).write()
        season.refresh_from_db()
        assert letter is not None and "the season ends later" in letter.subject
        assert season.ends > BEGINS + 2 * DAY

    def test_a_single_game_is_extended(self, desk: Client) -> None:
        fixture = get_fixture_between(get_numbered_player(0), get_numbered_player(1))
        url = act("extend", match=fixture.match_id)
        page = Page(desk.get(act("settle", game=fixture.pk)))
        assert page.link("Give it more time instead") == url
        page = Page(desk.get(url))
        assert page.one("input[name=part][checked]")["value"] == f"match-{fixture.match_id}"
        do(desk, url, part=f"match-{fixture.match_id}", days=2)
        match = Match.objects.exclude(ends=None).get()
        assert match.pk == fixture.match_id and match.ends == Season.objects.get().ends + 2 * DAY
        for asked in ("x", "²", "9" * 5000):
            sent = desk.get(act("extend", match=asked), follow=True)
            assert Page(sent).texts(".message.error") == ["There is no such game in this league."]

    def test_penalty_points_are_set_changed_and_lifted(self, desk: Client) -> None:
        entry = Season.objects.get().entries.get(player=get_numbered_player(0))
        assert Page(desk.get(DESK)).link("Set penalty points") == act("penalty").rstrip("?")
        sent = {"contender": entry.pk, "points": "1.5"}
        shown, done = do(desk, act("penalty"), **sent)
        effects = shown.texts(".effects li")
        assert effects[0] == "Penalty points of Player00: 0, now 1½."
        assert "Player00: 1st with 0, now 4th with −1½." in effects
        assert done.has(".message.success")
        assert "Player00 (−1½)" in Page(desk.get(act("penalty"))).texts("select option")
        asked, _same = do(desk, act("penalty"), **sent)
        assert "That's how many" in asked.text(".errorlist li")
        for points in ("-1", "0.3", "100", "x"):
            assert Page(desk.post(act("penalty"), {**sent, "points": points, "reason": "-"})).has(
                ".errorlist"
            )
        shown, _done = do(desk, act("penalty"), contender=entry.pk, points="0")
        assert shown.texts(".effects li")[0] == "Penalty points of Player00: 1½, now 0."
        entry.refresh_from_db()
        assert (entry.penalty, entry.points) == (0, "0")

    def test_of_two_who_set_penalty_points_the_second_looks_again(self, desk: Client) -> None:
        entry = Season.objects.get().entries.get(player=get_numbered_player(0))
        data = {"contender": entry.pk, "reason": "Came late"}
        first = Page(desk.post(act("penalty"), data | {"points": "1"}))
        second = Page(desk.post(act("penalty"), data | {"points": "2"}))
        desk.post(act("penalty"), data | {"points": "1"} | confirmed(first))
        late = Page(desk.post(act("penalty"), data | {"points": "2"} | confirmed(second)))
        assert "changed in the meantime" in late.text(".errorlist li")
        entry.refresh_from_db()
        assert entry.penalty == 1

    def test_penalty_points_can_be_set_after_the_season(self, desk: Client) -> None:
        division = Division.objects.get()
        url = act("penalty", division=division.pk)
        assert Page(desk.get(f"{LEAGUE_URL}1/1/")).link("Set penalty points") == url
        Season.objects.update(phase=Phase.CLOSED)
        entry = division.entries.get(player=get_numbered_player(0))
        shown, done = do(desk, url, contender=entry.pk, points="2")
        assert (
            "Matches and seasons that have already started because of the old table stay as they are."
            in shown.texts(".effects li")
        )
        assert done.has(".message.success")
        for asked in ("x", "999", "²", "9" * 5000):
            sent = desk.get(f"{DESK}penalty/", {"division": asked}, follow=True)
            assert Page(sent).has(".message.error")
        assert "Set penalty points" not in Page(Client().get(f"{LEAGUE_URL}1/1/")).texts("a")

    @pytest.mark.parametrize("schedule", [Schedule.LADDER, Schedule.KNOCK_OUT])
    def test_where_there_are_no_points_no_penalty_is_offered(
        self, client: Client, schedule: Schedule
    ) -> None:
        begin_season(4, schedule=schedule, rules=Rules.usual(2))
        client.force_login(get_organiser())
        for url in (DESK, f"{LEAGUE_URL}1/1/"):
            assert "Set penalty points" not in Page(client.get(url)).texts("a")
        sent = client.get(act("penalty"), follow=True)
        assert "no table of points" in Page(sent).text(".message.error")

    def test_announcements_stand_on_the_page_and_in_an_archive(self, desk: Client) -> None:
        do(desk, act("announce"), text="First\nline")
        with time_machine.travel(timezone.now() + 5 * HOUR):
            desk.force_login(get_organiser())
            do(desk, act("announce"), text="Second")
        page = Page(Client().get(LEAGUE_URL))
        assert page.text(".announcement .text") == "Second"
        archive = Page(Client().get(page.link("All announcements")))
        assert archive.texts(".announcement .text") == ["Second", "Firstline"]
        assert Announcement.objects.count() == 2

    def test_organisers_are_named_and_removed(self, desk: Client) -> None:
        zoe = make_player("Zoe")
        do(desk, act("name-organiser"), name="Zoe")
        assert list(League.objects.get().organisers.order_by("pk")) == [get_organiser(), zoe]
        do(desk, act("remove-organiser"), player=get_organiser().pk)
        assert desk.get(DESK).status_code == 403

    def test_several_undecided_games_are_settled_on_one_form(self, desk: Client) -> None:
        assert "No game is waiting" in Page(desk.get(act("settle-several"), follow=True)).all_text
        games = list(Game.objects.order_by("pk")[:3])
        for game in games:
            play.abort(game_id=game.pk, seat=0, now=BEGINS + DAY)
        assert act("settle-several").rstrip("?") in Page(desk.get(DESK)).links()
        page = Page(desk.get(act("settle-several")))
        names = [str(one["name"]) for one in page.all("select")]
        offered = [[str(one["value"]) for one in select.select("option")] for select in page.all("select")]
        assert len(names) == 3 and all(len(values) == 5 for values in offered)
        assert "Choose a result" in Page(desk.post(act("settle-several"), {"reason": "Late"})).all_text
        shown, _after = do(desk, act("settle-several"), **{names[0]: offered[0][1], names[1]: offered[1][4]})
        assert len(shown.texts(".effects li")) >= 2
        results = [[seat["rank"] for seat in Fixture.objects.get(game=game).seats or ()] for game in games]
        assert sorted(results[0]) == [1, 2] and results[1:] == [[2, 2], []]

    def test_what_is_agreed_is_changed(self, desk: Client) -> None:
        page = Page(desk.get(act("edit")))
        before = League.objects.get().settings
        sent = {one["name"]: one.get("value", "") for one in page.all("form.act input[name]")}
        sent |= {
            one["name"]: one.select_one("option[selected]")["value"]  # type: ignore[index]
            for one in page.all("form.act select")
        }
        sent = {key: value for key, value in sent.items() if not key.startswith("csrf")}
        touched = {"text": "New", "rated": "on", "reason": "Wished for"}
        do(desk, act("edit"), **sent | touched)
        assert League.objects.get().settings == before, "what is not touched stays"
        do(desk, act("edit"), **sent | {"rounds": 2, "length": 120, **touched})
        assert League.objects.get().settings.rounds == 2
        told = Page(desk.get(LEAGUE_URL)).texts(".log .details")
        assert "Rounds: 1, now 2; Days of a season at most: 90 days, now 120 days" in told
        asked = Page(desk.post(act("edit"), sent | {"length": 20} | touched))
        assert asked.has(".second-yes #id_sure") and not asked.has("[name=confirmed]")

    def test_a_season_is_cancelled_the_league_closed_and_opened_again(self, client: Client) -> None:
        register_players(make_open_season(), 2)
        client.force_login(get_organiser())
        do(client, act("cancel"))
        assert Season.objects.get().phase == Phase.CANCELLED
        state = Page(client.get(f"{LEAGUE_URL}1/")).text(".state")
        assert state == "Cancelled.", "an organiser has reasons besides that too few came"
        do(client, act("close"))
        assert League.objects.get().closed is not None
        assert Page(client.get(LEAGUE_URL)).text(".current .state") == "This league is closed."
        do(client, act("open"))
        assert Season.objects.get(number=2).entries.count() == 2

    def test_a_second_organiser_is_told_that_it_was_done(self, desk: Client) -> None:
        zoe = make_player("Zoe")
        League.objects.get().organisers.add(zoe)
        url, data = act("name-organiser"), {"reason": "They asked", "name": "Zoe"}
        other = Client()
        other.force_login(zoe)
        first, second = make_player("Ann"), make_player("Ben")
        shown = {one: Page(desk.post(url, data | {"name": one.username})) for one in (first, second)}
        done = desk.post(url, data | {"name": "Ann"} | confirmed(shown[first]), follow=True)
        assert Page(done).has(".message.success")
        late = Page(other.post(url, data | {"name": "Ben"} | confirmed(shown[second])))
        assert "changed in the meantime" in late.text(".errorlist li")
        assert not League.objects.get().organisers.filter(pk=second.pk).exists()
        again = Page(other.post(url, data | {"name": "Ben"}))
        other.post(url, data | {"name": "Ben"} | confirmed(again))
        assert League.objects.get().organisers.filter(pk=second.pk).exists()

    @pytest.mark.parametrize("version", ["", "1", "1.2", "x" * 3000])
    def test_what_was_not_previewed_is_not_done(self, desk: Client, version: str) -> None:
        sent = {"reason": "They asked", "confirmed": "yes", "version": version}
        page = Page(desk.post(act("close"), sent))
        assert "changed in the meantime" in page.text(".errorlist li")
        assert League.objects.get().closed is None

    def test_a_result_that_came_meanwhile_is_not_settled_away(self, desk: Client) -> None:
        """The preview said that the game was still being played."""
        one, other = get_numbered_player(0), get_numbered_player(1)
        fixture = get_fixture_between(one, other)
        url = act("settle", game=fixture.pk)
        data = {"reason": "Gone", "how": "ranked", f"rank_{one.pk}": 1, f"rank_{other.pk}": 2}
        shown = Page(desk.post(url, data))
        assert fixture.game is not None
        seat = Seat.objects.get(game=fixture.game, player=one)
        play.resign(game_id=fixture.game.pk, seat=seat.index, now=timezone.now())
        seasons.record_result(fixture.game.pk, timezone.now())
        late = Page(desk.post(url, data | confirmed(shown)))
        assert "changed in the meantime" in late.text(".errorlist li")
        fixture.refresh_from_db()
        assert fixture.settled_by is None

    def test_private_reasons_are_for_organisers_alone(self, desk: Client) -> None:
        make_player("Zoe")
        secret = "Kati is ill"
        shown, _done = do(desk, act("admit"), name="Zoe", private_reason=secret)
        assert secret in shown.all_text
        assert Page(desk.get(f"{LEAGUE_URL}log/")).text(".log .private q") == secret
        stranger = Client()
        stranger.force_login(get_numbered_player(0))
        for client in (Client(), stranger):
            for url in (f"{LEAGUE_URL}log/", LEAGUE_URL, f"{LEAGUE_URL}feed/"):
                assert secret not in client.get(url).content.decode(), url

    def test_what_is_not_there(self, desk: Client) -> None:
        assert desk.get(f"{DESK}nothing/").status_code == 404
        for asked in ("", "x", "999", "²", "9" * 5000):
            sent = desk.get(f"{DESK}settle/", {"game": asked}, follow=True)
            assert Page(sent).texts(".message.error") == ["There is no such game in this league."]
        Season.objects.update(phase=Phase.CLOSED)
        sent = desk.get(act("extend"), follow=True)
        assert Page(sent).texts(".message.error") == ["This season isn't in progress."]


class TestWaiting:
    def test_who_is_late_waits_and_sees_their_place(self, desk: Client) -> None:
        seasons.wait(season_id=Season.objects.get().pk, player=make_player("Yan"), now=timezone.now())
        zoe = make_player("Zoe")
        desk.force_login(zoe)
        page = Page(desk.get(LEAGUE_URL))
        assert page.texts("form.wait button") == ["Wait for a place", "Be ready to substitute"]
        page = Page(desk.post(f"{LEAGUE_URL}1/wait/", {"following": "yes"}, follow=True))
        assert page.text(".waiting-place") == "You're waiting for a place: number 2 in the queue."
        assert page.texts("form.wait button") == ["Be ready to substitute, too", "Stop waiting"]
        desk.post(f"{LEAGUE_URL}1/wait/", {"following": "yes", "substitute": "yes"})
        assert Waiting.objects.get(player=zoe).substitute
        assert Page(desk.get(f"{LEAGUE_URL}1/")).texts("form.wait button") == ["Stop waiting"]
        page = Page(desk.post(f"{LEAGUE_URL}1/wait/", {"stop": "yes"}, follow=True))
        assert not page.has(".waiting-place")

    def test_who_is_late_joins_where_the_league_lets_them(self, client: Client) -> None:
        season = begin_season(3, division_size=5, late_until=100)
        Season.objects.update(ends=timezone.now() + 60 * DAY)
        zoe = make_player("Zoe")
        client.force_login(zoe)
        assert Page(client.get(LEAGUE_URL)).has("form.join button")
        page = Page(client.post(f"{LEAGUE_URL}1/join/", follow=True))
        assert page.has(".taking-part") and season.entries.filter(player=zoe).exists()

    def test_when_all_places_are_taken(self, client: Client) -> None:
        register_players(make_open_season(most_players=2), 2)
        client.force_login(make_player("Zoe"))
        page = Page(client.get(LEAGUE_URL))
        assert not page.has("form.register") and page.texts("form.wait button") == ["Wait for a place"]
