"""Tests of mails of leagues: recipients, content, and when they become irrelevant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

import pytest
import time_machine
from django.conf import settings
from django.core import mail
from django.template.loader import get_template

from accounts.models import Player
from games import play
from games.clocks import DAY, HOUR
from games.exceptions import TooMany
from games.models import Game, Kind, Notice
from games.notices import delivery
from games.words.times import format_when_and_zone
from leagues import seasons, tasks
from leagues.mails import MAILS
from leagues.mails.organisers import DeskNews
from leagues.mails.teams import LineUpDue
from leagues.models import Fixture, Match, Season, Team, TeamMatch, TeamMember
from leagues.seasons.extending import PartKind, SeasonPart
from leagues.selectors.mail_links import link_leagues
from leagues.settings import Admission, ChallengeRules, Schedule
from leagues.standings import Rules
from tests.games.factories import NOW, make_player, play_turns
from tests.leagues.knock_out_helpers import begin_cup, play_round
from tests.leagues.ladder_helpers import begin_ladder, challenge_player, resign_games_of
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    get_numbered_player,
    make_league,
    play_out_season,
    register_players,
    resign_all_games,
)
from tests.leagues.team_cup_helpers import begin_team_cup, play_team_round
from tests.leagues.team_season_helpers import (
    FIRST_ROUND,
    THREE_BOARDS,
    begin_team_season,
    get_player,
    get_team_match,
    make_team,
    make_team_season,
)
from tests.preferences import never

pytestmark = pytest.mark.django_db
LATER = BEGINS + 12 * HOUR


@pytest.fixture(autouse=True)
def leads_to_its_league(db: None) -> Iterator[None]:
    """Check after each test that lists of mails link to the league of each notice."""
    yield
    owed = Notice.objects.filter(kind=Kind.LEAGUE)
    links = link_leagues(owed)
    assert {link.url.split("/")[1] for link in links.values()} <= {"leagues"}
    assert {one.about["topic"] for one in owed if one.pk not in links} == set()


def delivered(now: datetime) -> list[tuple[str, str]]:
    """Deliver mails of leagues that are due *now*; return names and subjects, without the league's name."""
    mail.outbox.clear()
    with time_machine.travel(now, tick=False):
        delivery.deliver_due(seconds=30)
    mail.outbox[:] = [one for one in mail.outbox if "<league." in one.extra_headers["References"]]
    return sorted((one.to[0].split("@")[0], one.subject.split(": ", 1)[1]) for one in mail.outbox)


def text_to(name: str) -> str:
    """The text of the last mail of a league to *name*, on one line."""
    found = [one for one in mail.outbox if one.to[0].startswith(f"{name}@")]
    return " ".join(found[-1].body.split())


def told(names: Iterable[str], subject: str) -> list[tuple[str, str]]:
    return [(name, subject) for name in names]


def player(number: int) -> Player:
    return Player.objects.get(username=f"Player{number:02}")


FOUR = [f"player{number:02}" for number in range(4)]


class TestProtests:
    def test_players_learn_once_until_when_they_can_protest(self) -> None:
        season = begin_season(4, division_size=4, protest=DAY)
        delivered(BEGINS)
        resign_all_games(LATER, choose_later_name, played=True)
        advance_seasons(LATER)
        mails = [one for one in delivered(LATER) if one[1] == "Division 1 is over"]
        assert mails == told(FOUR, "Division 1 is over")
        until = format_when_and_zone(LATER + DAY)
        assert f"If a result is wrong, tell the organisers by {until}" in text_to("player00")
        fixture = Fixture.objects.order_by("pk")[0]
        one, other = (seat.player for seat in fixture.match.seats.all())
        settle_fixture(fixture, {one: 1, other: 1}, now=LATER + HOUR)
        assert delivered(LATER + HOUR) == told(
            sorted(str(player).lower() for player in (one, other)), "Founder has settled one of your games"
        )
        until = format_when_and_zone(LATER + DAY + HOUR)
        assert f"Tell the organisers by {until}." in text_to(str(one).lower())
        assert season.running

    def test_it_does_not_matter_when_the_time_is_over(self) -> None:
        begin_season(2, division_size=2, protest=DAY)
        delivered(BEGINS)
        resign_all_games(LATER, choose_later_name)
        advance_seasons(LATER)
        assert delivered(LATER + DAY) == []

    def test_a_round_of_a_knock_out_tells_who_played_in_it(self) -> None:
        begin_cup(4, protest=DAY)
        delivered(BEGINS)
        play_round(Season.objects.get())
        advance_seasons(BEGINS + 2 * DAY)
        delivered(BEGINS + 2 * DAY)
        play_round(Season.objects.get(), days=3)
        mails = delivered(BEGINS + 3 * DAY)
        assert [name for name, subject in mails if subject == "Final: all matches are over"] == FOUR[:2]


class TestUndecidedGames:
    def test_when_organisers_have_not_decided_players_learn_how_it_counts(self) -> None:
        season = begin_season(2, division_size=2)
        game = Game.objects.get()
        play.abort(game_id=game.pk, seat=0, now=LATER)
        delivered(LATER)
        late = season.ends + 2 * DAY + HOUR
        advance_seasons(late)
        told_of_game = [one for one in delivered(late) if one[1] == "one of your games counts now"]
        assert told_of_game == told(FOUR[:2], "one of your games counts now")

    def test_a_settlement_is_one_email(self) -> None:
        begin_season(2, division_size=2, protest=DAY)
        play_turns(Game.objects.get(), 4, now=LATER)
        first, second = player(0), player(1)
        settle_fixture(Fixture.objects.get(), {first: 2, second: 1}, now=LATER)
        over = Notice.objects.filter(kind=Kind.GAME_OVER)
        assert set(over.values_list("why_dropped", flat=True)) == {"told"}
        mails = [
            one for one in delivered(LATER) if one[1] not in ("Division 1 is over", "Season 1 has started")
        ]
        assert mails == told(FOUR[:2], "Founder has settled one of your games")

    def test_who_wants_no_emails_of_leagues_learns_it_from_that_of_the_game(self) -> None:
        begin_season(2, division_size=2)
        for one in (player(0), player(1)):
            one.notice_timings = never("league")
            one.save()
        play_turns(Game.objects.get(), 4, now=LATER)
        settle_fixture(Fixture.objects.get(), {player(0): 2, player(1): 1}, now=LATER)
        over = Notice.objects.filter(kind=Kind.GAME_OVER, dropped=None)
        assert set(over.values_list("recipient__username", flat=True)) == {"Player00", "Player01"}

    def test_only_the_last_of_two_settlements_is_told(self) -> None:
        begin_season(2, division_size=2)
        delivered(BEGINS)
        first, second = player(0), player(1)
        settle_fixture(Fixture.objects.get(), {first: 2, second: 1}, now=LATER)
        settle_fixture(Fixture.objects.get(), {first: 1, second: 2}, now=LATER)
        mails = [one for one in delivered(LATER) if "settled" in one[1]]
        assert mails == told(FOUR[:2], "Founder has settled one of your games")


class TestSeasons:
    def test_the_end_that_rules_the_games_is_told(self) -> None:
        season = begin_season(4, division_size=4, schedule=Schedule.GROUPS, rules=Rules.usual(2))
        (ends,) = set(Match.objects.values_list("ends", flat=True))
        assert ends is not None and ends < season.ends
        delivered(BEGINS)
        text = text_to("player00")
        assert f"End: by {format_when_and_zone(ends)}" in text
        assert format_when_and_zone(season.ends) not in text

    def test_it_begins(self) -> None:
        season = begin_season(4, division_size=4)
        assert delivered(BEGINS) == told(FOUR, "Season 1 has started")
        text = text_to("player00")
        assert "Where: Division 1 Opponents: Player01, Player02, Player03 End: " in text
        assert "1 day more with each turn" in text and "/leagues/cup-of-foix/1/1/" in text
        assert Notice.objects.filter(kind=Kind.STARTED, why_dropped="told").count() == 6, "no second mail"
        advance_seasons(BEGINS + HOUR)
        assert delivered(BEGINS + HOUR) == []
        assert season.running

    def test_who_wants_no_such_mails_learns_of_each_game_instead(self) -> None:
        season = make_league().seasons.get()
        for one in register_players(season, 2):
            one.notice_timings = never("league")
            one.save()
        advance_seasons(BEGINS)
        owed = Notice.objects.filter(dropped=None).values_list("kind", flat=True)
        assert set(owed) == {Kind.YOUR_TURN, Kind.STARTED}

    def test_its_end_is_told_before_and_the_next_one_with_it(self) -> None:
        season = begin_season(4, division_size=4)
        delivered(BEGINS)
        soon = season.ends - 6 * DAY
        seasons.advance(soon, seconds=60)
        seasons.advance(soon, seconds=60)
        (subject,) = {subject for _name, subject in delivered(soon)}
        assert subject.startswith("Season 1 ends on ")
        assert "3 of your matches aren't decided yet" in text_to("player00") and "/games/" in text_to(
            "player00"
        )
        seasons.stay(season_id=season.pk, player=player(3), stays=False)
        play_out_season(season, soon)
        season.entries.filter(player=player(1)).update(moves="up")  # as if there were a division above
        season.entries.filter(player=player(2)).update(moves="down")
        assert delivered(soon) == told(FOUR, "Season 1 is over")
        assert "You move up." in text_to("player01")
        assert "You move down, unless a place above becomes free before the next season" in text_to(
            "player02"
        )
        first, last = text_to("player00"), text_to("player03")
        assert "Division 1: you finished 1st of 4. Points: 6. You're the champion." in first
        assert "Registration for Season 2 is open until" in first and "You're already registered" in first
        assert "Registration" not in last and "4th of 4" in last

    def test_who_has_moved_in_the_end_is_told_when_the_next_season_begins(self) -> None:
        """Player00 does not come back, so Player05 rises; Player03 was relegated and would be the last to."""
        season = begin_season(8, division_size=4)
        play_out_season(season, BEGINS + DAY, played=True)
        following = Season.objects.get(number=2)
        seasons.withdraw(season_id=following.pk, player=get_numbered_player(0), now=following.begins - DAY)
        seasons.register(season_id=following.pk, player=make_player("Newcomer"), now=following.begins - DAY)
        delivered(following.begins - DAY)
        advance_seasons(following.begins)
        delivered(following.begins)
        up, down = "You've moved up since last season.", "You've moved down since last season."
        assert up in text_to("player04") and up in text_to("player05") and down in text_to("player03")
        for name in ("player01", "player06", "newcomer"):
            assert "has started" in text_to(name) and "moved" not in text_to(name)

    def test_an_end_that_has_moved_is_told_anew(self) -> None:
        season = begin_season(4, division_size=4)
        delivered(BEGINS)
        soon = season.ends - 6 * DAY
        seasons.advance(soon, seconds=60)
        organiser = season.league.organisers.get()
        seasons.extend(season_id=season.pk, by=9 * DAY, who=organiser, reason="-", now=soon)
        assert {subject[:9] for _name, subject in delivered(soon)} == {"more time"}, "not the old end"
        seasons.advance(soon + 9 * DAY, seconds=60)
        assert len(delivered(soon + 9 * DAY)) == 4

    def test_swiss_rounds_tell_whom_one_meets(self) -> None:
        begin_season(3, schedule=Schedule.SWISS, rounds=2)
        delivered(BEGINS)
        assert "Round 1: Player0" in text_to("player00")
        resign_all_games(LATER, choose_later_name)
        advance_seasons(LATER)
        subjects = [subject for _name, subject in delivered(LATER)]
        assert sorted(subject[:18] for subject in subjects) == [
            "Round 2: you play ",
            "Round 2: you play ",
            "Round 2: you sit o",
        ]

    def test_a_knock_out_names_its_rounds(self) -> None:
        season = begin_cup(4)
        delivered(BEGINS)
        assert "Semi-finals: Player03" in text_to("player00")
        play_round(season)
        assert delivered(BEGINS + DAY) == [
            ("player00", "Final: you play Player01"),
            ("player01", "Final: you play Player00"),
        ]

    def test_too_few_and_cancelled(self) -> None:
        season = make_league().seasons.get()
        register_players(season, 1)
        advance_seasons(BEGINS)
        assert delivered(BEGINS) == [("player00", "Season 1 starts later")]
        organiser = season.league.organisers.get()
        seasons.cancel_season(season_id=season.pk, who=organiser, reason="No interest", now=LATER)
        assert delivered(LATER) == [("player00", "Season 1 is cancelled")]
        assert "Reason: No interest" in text_to("player00")
        seasons.open_next(league=season.league, who=organiser, reason="Again", now=LATER)
        assert delivered(LATER) == [("player00", "registration for Season 2")]

    def test_what_somebody_typed_is_plain_text_in_both_parts(self) -> None:
        season = make_league().seasons.get()
        register_players(season, 1)
        organiser = season.league.organisers.get()
        seasons.cancel_season(season_id=season.pk, who=organiser, reason="<i>Rain</i> & snow", now=NOW)
        assert delivered(NOW) == [("player00", "Season 1 is cancelled")]
        assert "Reason: <i>Rain</i> & snow" in text_to("player00")
        html = str(mail.outbox[0].alternatives[0][0])
        assert "Reason: &lt;i&gt;Rain&lt;/i&gt; &amp; snow" in html and "<i>" not in html

    def test_a_place_that_comes_free(self) -> None:
        season = make_league(most_players=4).seasons.get()
        players = register_players(season, 4)
        late = make_player("Late")
        seasons.wait(season_id=season.pk, player=late, now=NOW)
        seasons.withdraw(season_id=season.pk, player=players[0], now=NOW)
        assert delivered(NOW) == [("late", "there is a place for you")]
        seasons.withdraw(season_id=season.pk, player=late, now=NOW)
        Notice.objects.update(sent=None, claimed=None)
        assert delivered(NOW) == [], "it was given back"


class TestOrganisers:
    def test_announcements(self) -> None:
        season = make_league().seasons.get()
        players = register_players(season, 2)
        seasons.withdraw(season_id=season.pk, player=players[1], now=NOW)
        organiser = season.league.organisers.get()
        seasons.announce(league=season.league, text="Hello\nall!", who=organiser, now=NOW)
        assert delivered(NOW) == [("player00", "Founder has posted an announcement")]
        assert "Founder writes: Hello all!" in text_to("player00")
        assert "Hello<br>all!" in str(mail.outbox[0].alternatives[0][0])

    def test_substitutes_and_settled_games(self) -> None:
        season = begin_season(3)
        delivered(BEGINS)
        organiser, substitute = season.league.organisers.get(), make_player("Sub")
        fixture = Fixture.objects.get(match__seats__player=player(0), game__seats__player=player(1))
        ranks = {player(0).pk: 1, player(1).pk: 2}
        seasons.settle(fixture_id=fixture.pk, ranks=ranks, who=organiser, reason="A fault", now=LATER)
        assert delivered(LATER) == told(FOUR[:2], "Founder has settled one of your games")
        text = text_to("player01")
        assert "your game counts: 1. Player00, 2. Player01." in text and "Reason: A fault" in text
        seasons.replace(
            season_id=season.pk,
            leaving=player(2),
            substitute=substitute,
            who=organiser,
            reason="-",
            now=LATER,
        )
        assert delivered(LATER) == [
            ("player02", "Sub is your substitute"),
            ("sub", "you're playing in Season 1"),
        ]
        assert "You're the substitute for Player02" in text_to(
            "sub"
        ) and "Opponents: Player00, Player01" in text_to("sub")
        advance_seasons(LATER)
        begun_since = Notice.objects.filter(kind=Kind.STARTED, game__seats__player=substitute)
        assert not begun_since.filter(why_dropped="told").exists(), "nobody else was told of the substitute"

    def test_the_desk_is_told_of_players_whom_organisers_let_in_but_not_of_others_who_wait(self) -> None:
        season = make_league(admission=Admission.APPROVAL).seasons.get()
        seasons.wait(season_id=season.pk, player=make_player("Zoe"), now=NOW)
        DeskNews.tell(season.league, now=NOW)
        assert delivered(NOW) == [("founder", "something is waiting on the organisers' desk")]
        assert "Waiting for a place: 1" in text_to("founder")
        Season.objects.update(agreed=season.agreed | {"admission": Admission.OPEN})
        register_players(season, 4)
        DeskNews.tell(season.league, now=NOW + DAY)
        assert delivered(NOW + DAY) == []

    def test_penalty_points(self) -> None:
        season = begin_season(3, protest=DAY)
        delivered(BEGINS)
        given = {"who": season.league.organisers.get(), "reason": "A fault", "now": LATER}
        entry = season.entries.get(player=player(0))
        seasons.set_penalty(contender=entry, points=Decimal("1.5"), **given)
        assert delivered(LATER) == [("player00", "your penalty points have changed")]
        text = text_to("player00")
        assert "Founder, who organises this league, has set your penalty points in Season 1 to 1½." in text
        assert "Penalty points before: 0" in text and "Reason: A fault" in text
        assert f"Tell the organisers by {format_when_and_zone(LATER + DAY)}." in text
        entry.refresh_from_db()
        seasons.set_penalty(contender=entry, points=Decimal(0), **given)
        delivered(LATER)
        assert "to 0." in text_to("player00") and "Penalty points before: 1½" in text_to("player00")

    def test_penalty_points_of_a_team(self) -> None:
        season = begin_team_season("AB")
        delivered(BEGINS)
        team, organiser = season.teams.get(name="A"), season.league.organisers.get()
        seasons.set_penalty(contender=team, points=Decimal(2), who=organiser, reason="Late", now=BEGINS)
        people = [f"a{number}" for number in range(4)]
        assert delivered(BEGINS) == told(people, "your team's penalty points have changed")
        assert "has set the penalty points of A in Season 1 to 2." in text_to("a0")

    def test_the_desk_is_told_once_a_day_of_what_is_new(self) -> None:
        season = begin_season(4)
        delivered(BEGINS)
        seasons.withdraw(season_id=season.pk, player=player(0), now=LATER)

        def told_at(now: datetime) -> list[tuple[str, str]]:
            with time_machine.travel(now, tick=False):
                tasks.tell_organisers()
            return delivered(now)

        subject = "something is waiting on the organisers' desk"
        assert told_at(LATER) == [("founder", subject)]
        assert "Players who have left: 1" in text_to("founder") and "/cup-of-foix/desk/" in text_to("founder")
        seasons.withdraw(season_id=season.pk, player=player(1), now=LATER)
        assert told_at(LATER + HOUR) == []
        assert told_at(LATER + DAY) == [("founder", subject)]
        assert told_at(LATER + 2 * DAY) == [], "there is nothing new"

    def test_who_leaves_a_knock_out_needs_no_organiser(self) -> None:
        season = begin_cup(4)
        delivered(BEGINS)
        Player.objects.filter(username="Player03").update(is_active=False)
        subject = "something is waiting on the organisers' desk"
        for days, mails in ((1, [("founder", subject)]), (2, [])):
            now = BEGINS + days * DAY
            with time_machine.travel(now, tick=False):
                tasks.tell_organisers()
            assert delivered(now) == mails
            seasons.withdraw(season_id=season.pk, player=player(0), now=now)


def test_challenges() -> None:
    season = begin_ladder(4, challenges=ChallengeRules(length=20 * DAY))
    assert delivered(BEGINS) == told(FOUR, "Season 1 has started")
    assert "Place: 4 of 4" in text_to("player03")
    challenge_player(season, 2, 1)
    assert delivered(BEGINS) == [("player01", "Player02 has challenged you")]
    assert "your place on the ladder, number 2" in text_to("player01")
    play_turns(Game.objects.get(), 2, now=BEGINS + HOUR)
    resign_games_of(1, LATER)
    advance_seasons(LATER)
    assert delivered(LATER) == told(FOUR[1:3], "the challenge has been decided")
    assert "Player02 has beaten Player01" in text_to("player01")
    assert "You're 3rd on the ladder now." in text_to("player01")


def test_the_end_of_a_ladder_counts_those_who_are_on_it() -> None:
    season = begin_ladder(4, length=40 * DAY)
    seasons.withdraw(season_id=season.pk, player=player(0), now=LATER)
    delivered(LATER)
    advance_seasons(season.ends)
    delivered(season.ends)
    assert "Ladder: you finished 1st of 3." in text_to("player01")


class TestTeams:
    def test_an_invitation_is_answered(self) -> None:
        season = make_team_season()
        team = make_team(season, "A", players=1)
        bruno = make_player("Bruno")
        for _ in range(2):
            seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=NOW)
        assert delivered(NOW) == [("bruno", "A0 has invited you to the team A")]
        assert f"/leagues/team-cup/1/teams/{team.pk}/invitation/" in text_to("bruno")
        seasons.decline(team_id=team.pk, player=bruno, now=NOW)
        assert TeamMember.objects.get(player=bruno).declined == NOW
        assert delivered(NOW) == [("a0", "Bruno has declined your invitation")]
        later = NOW + 7 * DAY - HOUR
        Season.objects.update(begins=later + 2 * DAY)
        with pytest.raises(TooMany):
            seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=later)
        later += HOUR
        seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=later)
        seasons.join_team(team_id=team.pk, player=bruno, now=later)
        assert delivered(later) == [], "the second one is answered before it is sent"

    def test_captains_are_told_what_they_owe(self) -> None:
        season = begin_team_season("AB", rounds=2, division_size=2)
        delivered(BEGINS)
        assert "choose who plays for A on which board" in text_to("a0") and "/line-up/" in text_to("a0")
        assert "choose who plays" not in text_to("a1") and "Team: A Round 1: B, " in text_to("a1")
        reminder = FIRST_ROUND - THREE_BOARDS.closes - DAY
        b = Team.objects.get(name="B")
        order = [get_player(name).pk for name in ("B2", "B1", "B0")]
        match = get_team_match()
        seasons.put_line_up(match_id=match.pk, team_id=b.pk, captain=b.captain, players=order, now=BEGINS)
        assert delivered(reminder) == [("a0", "Round 1: the line-up is due")]
        advance_seasons(FIRST_ROUND)
        assert delivered(FIRST_ROUND) == told(["a0", "b0"], "Round 2: the line-up is due")
        assert season.running

    def test_captains_are_told_of_each_round_of_a_knock_out(self) -> None:
        season = begin_team_cup("ABCD")
        delivered(BEGINS)
        assert "choose who plays for A on which board" in text_to("a0")
        ended = play_team_round(season, BEGINS)
        due = [one for one in delivered(ended) if "line-up" in one[1]]
        assert due == told(sorted(_captains_in_round(2)), "Final: the line-up is due")
        closed = play_team_round(season, ended)
        assert ("a0", "Season 1 is over") in delivered(closed)
        reached = {re.findall(r"Knock-out: (.*?)\.", text_to(f"{name}0"))[0] for name in "abcd"}
        assert reached == {"Winner", "Finalist", "3rd"}

    def test_who_leaves_and_who_leads(self) -> None:
        season = begin_team_season("AB")
        a = Team.objects.get(name="A")
        delivered(BEGINS)
        seasons.set_available(team_id=a.pk, player=get_player("A1"), available=False, now=LATER)
        seasons.withdraw(season_id=season.pk, player=get_player("A2"), now=LATER)
        assert delivered(LATER) == [("a0", "A1 can't play"), ("a0", "A2 has left your team")]
        assert f"To the line-up: {settings.SITE_URL}{a.get_line_up_url()} " in text_to("a0")
        seasons.hand_over(team_id=a.pk, captain=a.captain, player=get_player("A1"), now=LATER)
        seasons.withdraw(season_id=season.pk, player=get_player("B0"), now=LATER)
        assert delivered(LATER) == [
            ("a1", "you're the captain of A"),
            ("b1", "you're the captain of B"),
        ]
        assert delivered(BEGINS + DAY) == told(["a1", "b1"], "Round 1: the line-up is due")

    def test_a_team_that_withdraws_tells_nobody_of_each_other(self) -> None:
        begin_team_season("AB")
        delivered(BEGINS)
        team = Team.objects.get(name="A")
        seasons.withdraw_team(team_id=team.pk, captain=team.captain, now=LATER)
        assert [one for one in delivered(LATER) if one[0].startswith("a")] == []

    def test_too_few_players(self) -> None:
        season = make_team_season()
        for name, players in (("A", 3), ("B", 3), ("C", 1)):
            make_team(season, name, players)
        advance_seasons(BEGINS)
        assert ("c0", "C isn't playing") in delivered(BEGINS)


def _captains_in_round(number: int) -> list[str]:
    """The captains in that round, by the local part of their addresses."""
    pairs = TeamMatch.objects.filter(round=number).values_list(
        "first__captain__username", "second__captain__username"
    )
    return [name.lower() for pair in pairs for name in pair]


def test_mails_come_in_every_language() -> None:
    languages = [code for code, _name in settings.LANGUAGES]
    for one, language in zip(
        register_players(make_league().seasons.get(), len(languages)), languages, strict=True
    ):
        one.language = language
        one.save()
    advance_seasons(BEGINS)
    assert len(delivered(BEGINS)) == len(languages)
    written = [re.findall('<html lang="(.*?)">', str(one.alternatives[0][0])) for one in mail.outbox]
    assert sorted(found for (found,) in written) == sorted(languages)


class TestDecisions:
    def test_more_time_for_a_season_or_a_round(self) -> None:
        season = begin_cup(4)
        who = season.league.organisers.get()
        delivered(BEGINS)
        given = {"season_id": season.pk, "by": 3 * DAY, "who": who, "now": LATER}
        part = SeasonPart(PartKind.ROUND, season.divisions.get().pk)
        seasons.extend(part=part, reason="Storms", **given)
        end = format_when_and_zone(Match.objects.order_by("pk")[0].latest_end)
        assert delivered(LATER) == told(FOUR, f"more time, until {end}")
        text = text_to("player00")
        assert f"Founder has given your games in Season 1 more time: they now end by {end}." in text
        assert "Reason: Storms" in text
        seasons.extend(part=part, reason="Storms", **given)
        seasons.extend(part=part, reason="Again", **given)
        assert len(delivered(LATER)) == 4, "an end that has moved on isn't told any more"

    def test_who_is_named_learns_it_if_they_still_organise(self) -> None:
        made = make_league()
        anna, ben = make_player("Anna"), make_player("Ben")
        given = {"league": made, "who": made.founder, "reason": "Busy", "now": NOW}
        for one in (anna, ben):
            seasons.name_organiser(player=one, **given)
        seasons.remove_organiser(player=ben, **given)
        assert delivered(NOW) == [("anna", "you're an organiser now")]
        assert "Founder has made you an organiser of Cup of Foix." in text_to("anna")

    def test_changed_rules_are_told_to_who_plays(self) -> None:
        season = begin_season(4, division_size=4)
        league = season.league
        delivered(BEGINS)
        given = {"league": league, "name": league.name, "who": league.founder, "now": LATER}
        seasons.edit(text="New text", settings=league.settings, reason="Typo", **given)
        assert delivered(LATER) == [], "no rule has changed"
        changed = replace(league.settings, rounds=2)
        seasons.edit(text="New text", settings=changed, reason="Wished for", **given)
        assert delivered(LATER) == told(FOUR, "the rules have changed")
        assert "Changed: Rounds: 1, now 2 Reason: Wished for" in text_to("player00")


def test_every_kind_has_a_template_of_its_own_or_of_the_kind_that_it_is() -> None:
    for mail_class in MAILS.values():
        assert get_template(mail_class.template)
    shared = Counter(mail_class.template for mail_class in MAILS.values())
    assert [name for name, times in shared.items() if times > 1] == [LineUpDue.template]
