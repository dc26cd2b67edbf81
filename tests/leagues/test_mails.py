"""What leagues tell by mail: who is told, what it says, and when it does not matter any more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime

import pytest
import time_machine
from django.conf import settings
from django.core import mail

from accounts.models import Player
from games.clocks import DAY, HOUR
from games.exceptions import TooMany
from games.models import Kind, Notice
from games.notices import delivery
from leagues import seasons, tasks
from leagues.models import Fixture, Season, Team, TeamMatch, TeamMember
from leagues.notices.writer import WRITERS
from leagues.outbox import Topic
from leagues.settings import ChallengeRules, Schedule
from tests.games.factories import NOW, make_player
from tests.leagues import test_knock_outs as knock_outs
from tests.leagues import test_ladders as ladders
from tests.leagues import test_team_cups as cups
from tests.leagues import test_team_seasons as teams
from tests.leagues.test_seasons import (
    BEGINS,
    advance,
    begun,
    later_name,
    league,
    play_out,
    registered,
    resign_all,
)

pytestmark = pytest.mark.django_db
LATER = BEGINS + 12 * HOUR


def delivered(now: datetime) -> list[tuple[str, str]]:
    """Who is told what by mails of leagues that are due *now*: name and subject, without the league's."""
    mail.outbox.clear()
    with time_machine.travel(now, tick=False):
        delivery.deliver_due(seconds=30)
    mail.outbox[:] = [one for one in mail.outbox if "<league." in one.extra_headers["References"]]
    return sorted((one.to[0].split("@")[0], one.subject.split(": ", 1)[1]) for one in mail.outbox)


def text_to(name: str) -> str:
    """The text of the mail of a league to *name* that was delivered last, on one line."""
    found = [one for one in mail.outbox if one.to[0].startswith(f"{name}@")]
    return " ".join(found[-1].body.split())


def told(names: Iterable[str], subject: str) -> list[tuple[str, str]]:
    return [(name, subject) for name in names]


def player(number: int) -> Player:
    return Player.objects.get(username=f"Player{number:02}")


FOUR = [f"player{number:02}" for number in range(4)]


class TestSeasons:
    def test_it_begins(self) -> None:
        season = begun(4, division_size=4)
        assert delivered(BEGINS) == told(FOUR, "Season 1 has started")
        text = text_to("player00")
        assert "Where: Division 1 Opponents: Player01, Player02, Player03 End: " in text
        assert "1 day more with each turn" in text and "/leagues/cup-of-foix/1/1/" in text
        assert Notice.objects.filter(kind=Kind.STARTED, why_dropped="told").count() == 6, "no second mail"
        advance(BEGINS + HOUR)
        assert delivered(BEGINS + HOUR) == []
        assert season.running

    def test_who_wants_no_such_mails_learns_of_each_game_instead(self) -> None:
        season = league().seasons.get()
        for one in registered(season, 2):
            one.mails_league = False
            one.save()
        advance(BEGINS)
        owed = Notice.objects.filter(dropped=None).values_list("kind", flat=True)
        assert set(owed) == {Kind.YOUR_TURN, Kind.STARTED}

    def test_its_end_is_told_before_and_the_next_one_with_it(self) -> None:
        season = begun(4, division_size=4)
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
        play_out(season, soon)
        season.entries.filter(player=player(1)).update(moves="up")  # as if there were a division above
        season.entries.filter(player=player(2)).update(moves="down")
        assert delivered(soon) == told(FOUR, "Season 1 is over")
        assert "You move up." in text_to("player01") and "You move down." in text_to("player02")
        first, last = text_to("player00"), text_to("player03")
        assert "Division 1: you finished 1st of 4. Points: 6. You're the champion." in first
        assert "Registration for Season 2 is open until" in first and "You're already registered" in first
        assert "Registration" not in last and "4th of 4" in last

    def test_an_end_that_has_moved_is_told_anew(self) -> None:
        season = begun(4, division_size=4)
        delivered(BEGINS)
        soon = season.ends - 6 * DAY
        seasons.advance(soon, seconds=60)
        organiser = season.league.organisers.get()
        seasons.extend(season_id=season.pk, ends=season.ends + 9 * DAY, who=organiser, reason="-", now=soon)
        assert delivered(soon) == [], "what was owed tells the old end"
        seasons.advance(soon + 9 * DAY, seconds=60)
        assert len(delivered(soon + 9 * DAY)) == 4

    def test_swiss_rounds_tell_whom_one_meets(self) -> None:
        begun(3, schedule=Schedule.SWISS, rounds=2)
        delivered(BEGINS)
        assert "Round 1: Player0" in text_to("player00")
        resign_all(LATER, later_name)
        advance(LATER)
        subjects = [subject for _name, subject in delivered(LATER)]
        assert sorted(subject[:18] for subject in subjects) == [
            "Round 2: you play ",
            "Round 2: you play ",
            "Round 2: you sit o",
        ]

    def test_a_knock_out_names_its_rounds(self) -> None:
        season = knock_outs.cup(4)
        delivered(BEGINS)
        assert "Semi-finals: Player03" in text_to("player00")
        knock_outs.one_round(season)
        assert delivered(BEGINS + DAY) == [
            ("player00", "Final: you play Player01"),
            ("player01", "Final: you play Player00"),
        ]

    def test_too_few_and_cancelled(self) -> None:
        season = league().seasons.get()
        registered(season, 1)
        advance(BEGINS)
        assert delivered(BEGINS) == [("player00", "Season 1 starts later")]
        organiser = season.league.organisers.get()
        seasons.cancel_season(season_id=season.pk, who=organiser, reason="No interest", now=LATER)
        assert delivered(LATER) == [("player00", "Season 1 is cancelled")]
        assert "Reason: No interest" in text_to("player00")
        seasons.open_next(league=season.league, who=organiser, reason="Again", now=LATER)
        assert delivered(LATER) == [("player00", "registration for Season 2")]

    def test_a_place_that_comes_free(self) -> None:
        season = league(most_players=4).seasons.get()
        players = registered(season, 4)
        late = make_player("Late")
        seasons.wait(season_id=season.pk, player=late, now=NOW)
        seasons.withdraw(season_id=season.pk, player=players[0], now=NOW)
        assert delivered(NOW) == [("late", "there is a place for you")]
        seasons.withdraw(season_id=season.pk, player=late, now=NOW)
        Notice.objects.update(sent=None, claimed=None)
        assert delivered(NOW) == [], "it was given back"


class TestOrganisers:
    def test_announcements(self) -> None:
        season = league().seasons.get()
        players = registered(season, 2)
        seasons.withdraw(season_id=season.pk, player=players[1], now=NOW)
        organiser = season.league.organisers.get()
        seasons.announce(league=season.league, text="Hello\nall!", who=organiser, now=NOW)
        assert delivered(NOW) == [("player00", "Founder announces something")]
        assert "Founder writes: Hello all!" in text_to("player00")
        assert "Hello<br>all!" in str(mail.outbox[0].alternatives[0][0])

    def test_substitutes_and_settled_games(self) -> None:
        season = begun(3)
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
        advance(LATER)
        begun_since = Notice.objects.filter(kind=Kind.STARTED, game__seats__player=substitute)
        assert not begun_since.filter(why_dropped="told").exists(), "nobody else was told of the substitute"

    def test_the_desk_is_told_once_a_day_of_what_is_new(self) -> None:
        season = begun(4)
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


def test_challenges() -> None:
    season = ladders.ladder(4, challenges=ChallengeRules(length=20 * DAY))
    assert delivered(BEGINS) == told(FOUR, "Season 1 has started")
    assert "Place: 4 of 4" in text_to("player03")
    ladders.challenge(season, 2, 1)
    assert delivered(BEGINS) == [("player01", "Player02 challenges you")]
    assert "your place on the ladder, number 2" in text_to("player01")
    ladders.lose(1, LATER)
    advance(LATER)
    assert delivered(LATER) == told(FOUR[1:3], "the challenge has been decided")
    assert "Player02 has beaten Player01" in text_to("player01")
    assert "You're 3rd on the ladder now." in text_to("player01")


class TestTeams:
    def test_an_invitation_is_answered(self) -> None:
        season = teams.team_league()
        team = teams.make_team(season, "A", players=1)
        bruno = make_player("Bruno")
        for _ in range(2):
            seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=NOW)
        assert delivered(NOW) == [("bruno", "A0 invites you to the team A")]
        assert f"/leagues/team-cup/1/teams/{team.pk}/invitation/" in text_to("bruno")
        seasons.decline(team_id=team.pk, player=bruno, now=NOW)
        assert TeamMember.objects.get(player=bruno).declined == NOW
        assert delivered(NOW) == [("a0", "Bruno declines your invitation")]
        later = NOW + 7 * DAY - HOUR
        Season.objects.update(begins=later + 2 * DAY)
        with pytest.raises(TooMany):
            seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=later)
        later += HOUR
        seasons.invite(team_id=team.pk, captain=team.captain, name="Bruno", now=later)
        seasons.join_team(team_id=team.pk, player=bruno, now=later)
        assert delivered(later) == [], "the second one is answered before it is sent"

    def test_captains_are_told_what_they_owe(self) -> None:
        season = teams.begun("AB", rounds=2, division_size=2)
        delivered(BEGINS)
        assert "You're the captain: by" in text_to("a0") and "/line-up/" in text_to("a0")
        assert "You're the captain" not in text_to("a1") and "Team: A Round 1: B, " in text_to("a1")
        reminder = teams.FIRST_ROUND - teams.THREE.closes - DAY
        b = Team.objects.get(name="B")
        order = [teams.person(name).pk for name in ("B2", "B1", "B0")]
        match = teams.meeting()
        seasons.put_line_up(match_id=match.pk, team_id=b.pk, captain=b.captain, players=order, now=BEGINS)
        assert delivered(reminder) == [("a0", "Round 1: the line-up is due")]
        advance(teams.FIRST_ROUND)
        assert delivered(teams.FIRST_ROUND) == told(["a0", "b0"], "Round 2: the line-up is due")
        assert season.running

    def test_captains_are_told_of_each_round_of_a_knock_out(self) -> None:
        season = cups.cup("ABCD")
        delivered(BEGINS)
        assert "You're the captain: by" in text_to("a0")
        ended = cups.one_round(season, BEGINS)
        due = [one for one in delivered(ended) if "line-up" in one[1]]
        assert due == told(sorted(_captains_in_round(2)), "Final: the line-up is due")
        closed = cups.one_round(season, ended)
        assert ("a0", "Season 1 is over") in delivered(closed)
        reached = {re.findall(r"Knock-out: (.*?)\.", text_to(f"{name}0"))[0] for name in "abcd"}
        assert reached == {"Winner", "Finalist", "3rd"}

    def test_who_leaves_and_who_leads(self) -> None:
        season = teams.begun("AB")
        a = Team.objects.get(name="A")
        delivered(BEGINS)
        seasons.set_available(team_id=a.pk, player=teams.person("A1"), available=False, now=LATER)
        seasons.withdraw(season_id=season.pk, player=teams.person("A2"), now=LATER)
        assert delivered(LATER) == [("a0", "A1 can't play"), ("a0", "A2 has left your team")]
        seasons.hand_over(team_id=a.pk, captain=a.captain, player=teams.person("A1"), now=LATER)
        seasons.withdraw(season_id=season.pk, player=teams.person("B0"), now=LATER)
        assert delivered(LATER) == [
            ("a1", "you're the captain of A"),
            ("b1", "you're the captain of B"),
        ]
        assert delivered(BEGINS + DAY) == told(["a1", "b1"], "Round 1: the line-up is due")

    def test_a_team_that_withdraws_tells_nobody_of_each_other(self) -> None:
        teams.begun("AB")
        delivered(BEGINS)
        team = Team.objects.get(name="A")
        seasons.withdraw_team(team_id=team.pk, captain=team.captain, now=LATER)
        assert [one for one in delivered(LATER) if one[0].startswith("a")] == []

    def test_too_few_players(self) -> None:
        season = teams.team_league()
        for name, players in (("A", 3), ("B", 3), ("C", 1)):
            teams.make_team(season, name, players)
        advance(BEGINS)
        assert ("c0", "C isn't playing") in delivered(BEGINS)


def _captains_in_round(number: int) -> list[str]:
    """The names before @ of the captains in that round."""
    pairs = TeamMatch.objects.filter(round=number).values_list(
        "first__captain__username", "second__captain__username"
    )
    return [name.lower() for pair in pairs for name in pair]


def test_mails_come_in_every_language() -> None:
    languages = [code for code, _name in settings.LANGUAGES]
    for one, language in zip(registered(league().seasons.get(), len(languages)), languages, strict=True):
        one.language = language
        one.save()
    advance(BEGINS)
    assert len(delivered(BEGINS)) == len(languages)
    written = [re.findall('<html lang="(.*?)">', str(one.alternatives[0][0])) for one in mail.outbox]
    assert sorted(found for (found,) in written) == sorted(languages)


def test_every_topic_has_a_writer() -> None:
    assert set(WRITERS) == set(Topic)
