"""What organisers do: every act has a reason, is in the log, and what follows from it is worked out anew."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.models import Ending, Game, Status
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Announcement, Entry, Fixture, League, Match, Phase, Season
from leagues.seasons.drawing import draw_next_round
from leagues.selectors.lines import line_of
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules, Withdrawn
from tests.games.factories import NOW, make_player, play_turns
from tests.leagues import oracle
from tests.leagues.test_seasons import (
    BEGINS,
    advance,
    begun,
    later_name,
    league,
    names,
    play_out,
    registered,
    resign_all,
)

pytestmark = pytest.mark.django_db
LATER = BEGINS + DAY


def organiser() -> Player:
    return Player.objects.get(username="Founder")


def player(number: int) -> Player:
    return Player.objects.get(username=f"Player{number:02}")


def settle(fixture: Fixture, ranks: dict[Player, int] | None, **other: Any) -> Fixture:
    given = {"who": organiser(), "reason": "They agreed", "now": LATER, **other}
    by_pk = None if ranks is None else {who.pk: rank for who, rank in ranks.items()}
    return seasons.settle(fixture_id=fixture.pk, ranks=by_pk, **given)


def replace(season: Season, leaving: Player, substitute: Player, **other: Any) -> Entry:
    given = {"who": organiser(), "reason": "Gone", "now": LATER, **other}
    return seasons.replace(season_id=season.pk, leaving=leaving, substitute=substitute, **given)


def admit(season: Season, newcomer: Player, now: datetime = LATER) -> Entry:
    return seasons.admit(
        season_id=season.pk, player=newcomer, who=organiser(), reason="There is room", now=now
    )


def between(*players: Player) -> Fixture:
    fixtures = Fixture.objects.filter(match__seats__player=players[0])
    return fixtures.get(match__seats__player=players[1])


def agree_with_the_oracle(season: Season) -> None:
    divisions = list(season.divisions.order_by("level"))
    for division in divisions:
        ends = {"highest": division == divisions[0], "lowest": division == divisions[-1]}
        assert oracle.check(line_of(division), **ends) == []


class TestSettle:
    def test_a_game_that_was_broken_off(self) -> None:
        season = begun(2, division_size=2)
        fixture = Fixture.objects.get()
        assert fixture.game is not None
        play.abort(game_id=fixture.game.pk, seat=0, now=LATER)
        settle(fixture, {player(0): 2, player(1): 1})
        advance(LATER)
        season.refresh_from_db()
        assert season.phase == Phase.CLOSED
        assert names(season.divisions.get()) == ["Player01", "Player00"]
        agree_with_the_oracle(season)

    def test_one_that_runs_is_called_off_first(self) -> None:
        season = begun(3, division_size=4)
        fixture = between(player(0), player(1))
        assert fixture.game is not None
        play_turns(fixture.game, 5, now=LATER)
        settle(fixture, {player(0): 1, player(1): 2})
        game = Game.objects.get(pk=fixture.game.pk)
        assert (game.status, game.ending) == (Status.ABORTED, Ending.CALLED_OFF)
        fixture.refresh_from_db()
        assert fixture.seats is not None and fixture.settled_by == organiser()
        assert all(seat["forfeit"] and seat["score"] is None for seat in fixture.seats)
        assert not seasons.follow(game.pk, LATER), "the result stays"
        assert season.entries.get(player=player(0)).points == "2"

    def test_one_that_is_settled_is_corrected_and_may_count_again_as_it_was_played(self) -> None:
        season = begun(3, division_size=4)
        fixture = between(player(0), player(1))
        resign_all(LATER, later_name, played=True)
        advance(LATER)
        season = Season.objects.get(pk=season.pk)
        assert season.phase == Phase.CLOSED
        with pytest.raises(LeagueRefused, match="over"):
            settle(fixture, {player(0): 2, player(1): 1})
        Season.objects.filter(number=2).update(phase=Phase.CANCELLED)
        Season.objects.filter(pk=season.pk).update(phase=Phase.RUNNING)
        settle(fixture, {player(0): 2, player(1): 1})
        points = {entry.player.username: entry.points for entry in season.entries.select_related("player")}
        assert points == {"Player00": "2", "Player01": "4", "Player02": "0"}
        settle(fixture, None)
        fixture.refresh_from_db()
        assert fixture.seats is not None and not any(seat["forfeit"] for seat in fixture.seats)
        assert season.entries.get(player=player(0)).points == "4"
        agree_with_the_oracle(season)

    def test_a_match_that_is_open_again_gets_its_next_game(self) -> None:
        begun(2, division_size=2, rules=Rules.usual(2, best_of=3))
        first = Fixture.objects.get()
        settle(first, {player(0): 1, player(1): 2})
        advance(LATER)
        second = Fixture.objects.get(number=2)
        settle(first, {player(0): 2, player(1): 1})
        advance(LATER)
        assert Fixture.objects.count() == 2, "one game of a match at a time"
        Season.objects.update(phase=Phase.RUNNING)
        settle(second, {player(0): 2, player(1): 1})
        match = Match.objects.get()
        assert match.decided
        settle(first, {player(0): 1, player(1): 2})
        match.refresh_from_db()
        assert match.decided is None and match.waits
        advance(LATER)
        assert Fixture.objects.get(number=3).game is not None

    def test_is_refused_in_words(self) -> None:
        season = begun(3, division_size=4)
        fixture = between(player(0), player(1))
        right = {player(0): 1, player(1): 2}
        season.league.organisers.add(player(0))
        for other, told in (
            ({"who": make_player("Zoe")}, "Only this league's organisers"),
            ({"who": player(0)}, "another organiser"),
            ({"reason": " "}, "Give a reason"),
        ):
            with pytest.raises(LeagueRefused, match=told):
                settle(fixture, right, **other)
        for wrong in ({player(0): 1}, {player(0): 1, player(1): 3}, {player(0): 0, player(1): 1}, {}):
            with pytest.raises(LeagueRefused, match="a rank"):
                settle(fixture, wrong)
        with pytest.raises(LeagueRefused, match="wasn't played to the end"):
            settle(fixture, None)
        fixture.refresh_from_db()
        assert fixture.settled is None
        assert Game.objects.get(pk=fixture.game_id).status == Status.PLAYING
        assert not season.league.log.filter(act="settle").exists()

    def test_whoever_runs_the_site_may_but_for_their_own_games(self) -> None:
        begun(3, division_size=4)
        admin = make_player("Admin", is_superuser=True)
        settle(between(player(0), player(1)), {player(0): 1, player(1): 1}, who=admin)
        Player.objects.filter(username="Player00").update(is_superuser=True)
        with pytest.raises(LeagueRefused, match="another organiser"):
            settle(between(player(0), player(2)), {player(0): 1, player(2): 2}, who=player(0))

    def test_a_draw_that_rests_on_a_result_keeps_it(self) -> None:
        season = begun(4, schedule=Schedule.SWISS, rounds=3, division_size=8)
        first = Fixture.objects.order_by("pk").first()
        assert first is not None
        resign_all(LATER, later_name)
        for game in Game.objects.all():
            seasons.follow(game.pk, LATER)
        assert first.game is not None
        one, other = (seat.player for seat in first.game.seats.all())
        assert one is not None and other is not None
        settle(first, {one: 1, other: 2})
        advance(LATER)
        with pytest.raises(LeagueRefused, match="This result has already decided"):
            settle(first, {one: 2, other: 1})
        play_out(season, LATER)
        agree_with_the_oracle(season)

    def test_the_log_keeps_before_and_after(self) -> None:
        season = begun(3, division_size=4)
        fixture = between(player(0), player(1))
        settle(fixture, {player(0): 1, player(1): 2})
        settle(fixture, {player(0): 2, player(1): 2}, reason="On second thoughts")
        entry = season.league.log.filter(act="settle").latest("pk")
        assert entry.who == organiser() and entry.reason == "On second thoughts"
        assert entry.details["before"] == [[player(0).pk, 1], [player(1).pk, 2]]
        assert {tuple(one) for one in entry.details["after"]} == {(player(0).pk, 2), (player(1).pk, 2)}


class TestReplace:
    @pytest.mark.parametrize("rule", Withdrawn)
    def test_what_had_not_well_begun_is_the_substitutes(self, rule: Withdrawn) -> None:
        usual = Rules.usual(2)
        rules = Rules(usual.points, 1, usual.tie_breaks, rule)
        season = begun(4, division_size=4, rules=rules)
        played = between(player(0), player(1))
        assert played.game is not None
        play_turns(played.game, 4, now=LATER)
        zoe = make_player("Zoe")
        replace(season, player(0), zoe)
        advance(LATER)
        division = season.divisions.get()
        assert division.entries.count() == 5
        assert Match.objects.filter(seats__player=zoe, division=division).count() == 2
        assert Game.objects.filter(seats__player=zoe, status=Status.PLAYING).count() == 2
        assert not Game.objects.filter(seats__player=player(0), status=Status.PLAYING).exists()
        play_out(season, LATER + DAY, played=True)
        assert season.entries.get(player=player(1)).points == "6"
        assert not Fixture.objects.filter(struck=True).exists()
        agree_with_the_oracle(season)
        following = Season.objects.get(number=2)
        registered = set(following.entries.values_list("player__username", flat=True))
        assert "Zoe" in registered and "Player00" not in registered

    def test_forfeits_of_who_had_withdrawn_are_played_after_all(self) -> None:
        season = begun(4, division_size=4)
        seasons.withdraw(season_id=season.pk, player=player(3), now=LATER)
        advance(LATER)
        assert Fixture.objects.exclude(settled=None).count() == 3
        zoe = make_player("Zoe")
        replace(season, player(3), zoe)
        assert Fixture.objects.exclude(settled=None).count() == 0
        advance(LATER)
        assert Game.objects.filter(seats__player=zoe, status=Status.PLAYING).count() == 3
        agree_with_the_oracle(season)

    def test_a_win_by_the_forfeit_of_another_stays(self) -> None:
        season = begun(4, division_size=4)
        won = between(player(0), player(1))
        assert won.game is not None
        play.resign(game_id=won.game.pk, seat=won.game.seats.get(player=player(1)).index, now=LATER)
        advance(LATER)
        replace(season, player(0), make_player("Zoe"))
        won.refresh_from_db()
        assert won.settled is not None and season.entries.get(player=player(0)).points == "2"

    def test_in_the_swiss_system_only_the_round_that_is_played(self) -> None:
        season = begun(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        seasons.withdraw(season_id=season.pk, player=player(0), now=LATER)
        resign_all(LATER, later_name)
        advance(LATER)
        assert season.divisions.get().drawn == 2
        zoe = make_player("Zoe")
        replace(season, player(0), zoe)
        assert not Match.objects.filter(seats__player=zoe).exists()
        resign_all(LATER, later_name)
        advance(LATER)
        assert Match.objects.get(seats__player=zoe).round == 3
        play_out(season, LATER + DAY)
        agree_with_the_oracle(season)

    def test_is_refused_in_words(self) -> None:
        season = begun(4, division_size=4)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        for leaving, substitute, other, told in (
            (player(0), player(1), {}, "is playing this season"),
            (zoe, yan, {}, "isn't playing"),
            (player(0), make_player("Robot", is_bot=True), {}, "no player"),
            (player(0), zoe, {"who": yan}, "Only this league's organisers"),
            (player(0), zoe, {"reason": ""}, "Give a reason"),
        ):
            with pytest.raises(LeagueRefused, match=told):
                replace(season, leaving, substitute, **other)
        replace(season, player(0), zoe)
        with pytest.raises(LeagueRefused, match="already"):
            replace(season, player(0), yan)
        replace(season, zoe, yan)
        assert Match.objects.filter(seats__player=yan).count() == 3, "a substitute may be replaced, too"


class TestJoining:
    @pytest.mark.parametrize("number", [4, 5])
    def test_who_comes_late_meets_everybody_once(self, number: int) -> None:
        season = begun(number, division_size=8)
        seasons.withdraw(season_id=season.pk, player=player(1), now=LATER)
        for name in ("Yan", "Zoe"):
            admit(season, make_player(name))
        advance(LATER)
        division = season.divisions.get()
        pairs = [frozenset(match.seats.values_list("player", flat=True)) for match in division.matches.all()]
        assert len(pairs) == len(set(pairs)) == (number + 2) * (number + 1) // 2
        play_out(season, LATER + DAY)
        agree_with_the_oracle(season)

    @pytest.mark.parametrize(("rule", "matches"), [(Withdrawn.KEEP, 4), (Withdrawn.STRIKE, 3)])
    def test_nothing_that_was_played_is_struck_because_somebody_comes(
        self, rule: Withdrawn, matches: int
    ) -> None:
        usual = Rules.usual(2)
        season = begun(4, division_size=8, rules=Rules(usual.points, 1, usual.tie_breaks, rule))
        seasons.withdraw(season_id=season.pk, player=player(0), now=LATER)
        zoe = make_player("Zoe")
        admit(season, zoe)
        assert Match.objects.filter(seats__player=zoe).count() == matches

    def test_first_seats_differ_by_at_most_one(self) -> None:
        season = begun(5, division_size=8)
        for name in ("Yan", "Zoe"):
            admit(season, make_player(name))
        first = [
            Match.objects.filter(seats__player=entry.player, seats__index=0).count()
            for entry in season.entries.all()
        ]
        assert set(first) == {3}

    def test_in_the_swiss_system_the_next_draw_has_them(self) -> None:
        season = begun(6, schedule=Schedule.SWISS, rounds=3, division_size=8)
        zoe = make_player("Zoe")
        admit(season, zoe)
        assert not Match.objects.filter(seats__player=zoe).exists()
        play_out(season, LATER)
        meetings = Match.objects.filter(seats__player=zoe).count()
        assert meetings + season.divisions.get().byes.filter(player=zoe).count() == 2
        agree_with_the_oracle(season)

    def test_players_join_by_themselves_as_long_as_the_league_lets_them(self) -> None:
        season = begun(3, division_size=5, late_until=50, length=40 * DAY)
        zoe = make_player("Zoe")
        seasons.wait(season_id=season.pk, player=zoe, now=LATER)
        seasons.join(season_id=season.pk, player=zoe, now=BEGINS + 20 * DAY)
        seasons.join(season_id=season.pk, player=zoe, now=BEGINS + 20 * DAY)
        assert season.entries.filter(player=zoe).count() == 1
        assert not season.waiting.exists()
        yan = make_player("Yan")
        with pytest.raises(LeagueRefused, match="too late"):
            seasons.join(season_id=season.pk, player=yan, now=BEGINS + 21 * DAY)
        admit(season, yan, BEGINS + 21 * DAY)
        with pytest.raises(LeagueRefused, match="full"):
            admit(season, make_player("Xena"))

    def test_at_larger_tables_nobody_can(self) -> None:
        season = begun(3, seats=3, rounds=2, division_size=8, rules=Rules.usual(3))
        with pytest.raises(LeagueRefused, match="three or more"):
            admit(season, make_player("Zoe"))

    def test_a_swiss_division_that_was_cut_short_goes_on(self) -> None:
        season = begun(4, schedule=Schedule.SWISS, rounds=3, division_size=8)
        for number in (1, 2, 3):
            seasons.withdraw(season_id=season.pk, player=player(number), now=LATER)
        seasons.withdraw(season_id=season.pk, player=player(0), now=LATER)
        for game in Game.objects.all():
            seasons.follow(game.pk, LATER)
        division = season.divisions.get()
        draw_next_round(division.pk, LATER)
        division.refresh_from_db()
        assert (division.drawn, division.rounds) == (1, 1)
        assert season.league.log.filter(act="cut_short").exists()
        for name in ("Yan", "Zoe"):
            admit(season, make_player(name))
        assert draw_next_round(division.pk, LATER)
        assert Match.objects.filter(round=2).count() == 1


class TestWaiting:
    def test_who_comes_too_late_plays_the_next_season(self) -> None:
        season = begun(4, division_size=4)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        seasons.wait(season_id=season.pk, player=zoe, now=LATER)
        seasons.wait(season_id=season.pk, player=yan, now=LATER, substitute=True, following=False)
        play_out(season, LATER)
        following = Season.objects.get(number=2)
        there = set(following.entries.values_list("player__username", flat=True))
        assert "Zoe" in there and "Yan" not in there

    def test_when_all_places_are_taken_the_first_who_waits_gets_the_next(self) -> None:
        season = league(most_players=2).seasons.get()
        first, _second = registered(season, 2)
        zoe, yan = make_player("Zoe"), make_player("Yan")
        with pytest.raises(LeagueRefused, match="All places are taken"):
            seasons.register(season_id=season.pk, player=zoe, now=NOW)
        seasons.register(season_id=season.pk, player=first, now=NOW)
        seasons.wait(season_id=season.pk, player=zoe, now=NOW)
        seasons.wait(season_id=season.pk, player=yan, now=NOW)
        seasons.withdraw(season_id=season.pk, player=first, now=NOW)
        there = season.entries.filter(state="registered").values_list("player__username", flat=True)
        assert set(there) == {"Player01", "Zoe"}
        assert season.waiting.get().player == yan
        seasons.stop_waiting(season_id=season.pk, player=yan)
        assert not season.waiting.exists()

    def test_is_refused_in_words(self) -> None:
        season = begun(4, division_size=4)
        with pytest.raises(LeagueRefused, match="is playing this season"):
            seasons.wait(season_id=season.pk, player=player(0), now=LATER)
        with pytest.raises(LeagueRefused, match="Only people"):
            seasons.wait(season_id=season.pk, player=make_player("Robot", is_bot=True), now=LATER)
        Season.objects.update(phase=Phase.CLOSED)
        with pytest.raises(LeagueRefused, match="over"):
            seasons.wait(season_id=season.pk, player=make_player("Zoe"), now=LATER)


class TestSeasons:
    def test_too_few_wait_for_more_and_at_last_it_is_cancelled(self) -> None:
        season = league().seasons.get()
        registered(season, 1)
        for turn in range(1, 4):
            advance(season.begins)
            advance(season.begins)
            before = season.begins
            season.refresh_from_db()
            assert (season.phase, season.postponed) == (Phase.REGISTRATION, turn)
            assert season.begins == before + 7 * DAY and season.ends == season.begins + 90 * DAY
        advance(season.begins)
        season.refresh_from_db()
        assert season.phase == Phase.CANCELLED
        acts = list(season.league.log.order_by("pk").values_list("act", flat=True))
        assert acts == ["found", "open", "postpone", "postpone", "postpone", "cancel"]

    def test_without_registration_it_waits_for_a_day(self) -> None:
        season = league(registration=timedelta()).seasons.get()
        advance(NOW)
        season.refresh_from_db()
        assert season.begins == NOW + DAY

    def test_the_next_one_is_opened_by_hand_with_who_was_registered(self) -> None:
        season = league().seasons.get()
        (one,) = registered(season, 1)
        given = {"who": organiser(), "now": LATER}
        with pytest.raises(LeagueRefused, match="open or in progress"):
            seasons.open_next(league=season.league, reason="Again", **given)
        seasons.cancel_season(season_id=season.pk, reason="Holidays", **given)
        seasons.open_next(league=season.league, reason="Again", **given)
        assert list(Season.objects.get(number=2).entries.values_list("player", flat=True)) == [one.pk]

    def test_a_closed_league_opens_none_before_it_is_opened_again(self) -> None:
        season = begun(4, division_size=4)
        given = {"league": season.league, "who": organiser(), "now": LATER}
        seasons.close_league(reason="Enough", **given)
        with pytest.raises(LeagueRefused, match="already closed"):
            seasons.close_league(reason="Enough", **given)
        play_out(season, LATER, played=True)
        assert Season.objects.count() == 1
        following = seasons.open_next(reason="People ask", **given)
        assert following.entries.count() == 4
        assert League.objects.get().closed is None

    def test_one_that_runs_is_not_cancelled(self) -> None:
        season = begun(4, division_size=4)
        with pytest.raises(LeagueRefused, match="has started"):
            seasons.cancel_season(season_id=season.pk, who=organiser(), reason="No", now=LATER)

    def test_its_end_is_moved_with_that_of_its_games(self) -> None:
        season = begun(3, division_size=4)
        given = {"season_id": season.pk, "who": organiser(), "reason": "Holidays", "now": LATER}
        later = season.ends + 10 * DAY
        for wrong, told in ((season.ends, "later day"), (season.ends + 400 * DAY, "400 days")):
            with pytest.raises(LeagueRefused, match=told):
                seasons.extend(ends=wrong, **given)
        seasons.extend(ends=later, **given)
        season.refresh_from_db()
        assert season.ends == later
        assert {game.clock.ends for game in Game.objects.all()} == {later}
        assert season.league.log.latest("pk").details["games"] == 3


class TestLeague:
    def test_announcements(self) -> None:
        made = league()
        seasons.announce(league=made, text=" Welcome ", who=organiser(), now=NOW)
        assert Announcement.objects.get().text == "Welcome"
        for text in ("", "x" * 2001):
            with pytest.raises(LeagueRefused):
                seasons.announce(league=made, text=text, who=organiser(), now=NOW)
        with pytest.raises(LeagueRefused, match="Only this league's organisers"):
            seasons.announce(league=made, text="Hello", who=make_player("Zoe"), now=NOW)

    def test_organisers_come_and_go_but_one_stays(self) -> None:
        made, zoe = league(), make_player("Zoe")
        given = {"league": made, "who": organiser(), "reason": "They help", "now": NOW}
        with pytest.raises(LeagueRefused, match="at least one"):
            seasons.remove_organiser(player=organiser(), **given)
        seasons.name_organiser(player=zoe, **given)
        with pytest.raises(LeagueRefused, match="already"):
            seasons.name_organiser(player=zoe, **given)
        seasons.remove_organiser(player=organiser(), **given)
        assert list(made.organisers.all()) == [zoe]
        assert not seasons.may_organise(made, organiser())
        with pytest.raises(LeagueRefused, match="Only this league's organisers"):
            seasons.name_organiser(player=organiser(), **given)

    def test_what_is_agreed_changes_for_seasons_to_come(self) -> None:
        made = league()
        settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), rounds=2)
        given = {"league": made, "name": "Cup", "text": "New", "who": organiser(), "now": NOW}
        seasons.edit(settings=settings, reason="Wished for", **given)
        made.refresh_from_db()
        assert (made.settings.rounds, made.name, made.slug) == (2, "Cup", "cup-of-foix")
        assert made.seasons.get().settings.rounds == 1
        assert made.log.latest("pk").details["changed"]["rounds"] == [1, 2]
        wrong = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), rounds=0)
        with pytest.raises(LeagueRefused):
            seasons.edit(settings=wrong, reason="Oops", **given)

    def test_of_two_who_take_a_name_at_once_the_second_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        league()
        manager = League.objects
        monkeypatch.setattr(type(manager.all()), "exists", lambda self: False)
        settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))
        with pytest.raises(LeagueRefused, match="This name"):
            seasons.found(founder=organiser(), name="Cup of Foix", settings=settings, now=NOW)


def test_a_swiss_draw_leaves_closed_accounts_out() -> None:
    season = begun(5, schedule=Schedule.SWISS, rounds=3, division_size=8)
    resign_all(LATER, later_name)
    Player.objects.filter(username="Player02").update(is_active=False)
    advance(LATER)
    assert not Match.objects.filter(round=2, seats__player=player(2)).exists()
    assert not season.divisions.get().byes.filter(round=2, player=player(2)).exists()
