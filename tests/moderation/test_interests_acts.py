"""Tests that moderators gain nothing by acts in matters of their own: every act, for every kind of interest,
and the stops of a day that are allowed nevertheless."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import hooks
from accounts.models import Player
from games.conduct import own_stops
from games.exceptions import Refused
from games.models import ActKind, Game, ModerationAct, OwnStop, Sanction, SanctionKind
from games.play import moderation, timing
from games.play.audit import find_differences
from moderation.acts import named_things, reports, sanctions
from moderation.acts.named_things import RenameRequest
from moderation.fair_play import signals
from moderation.models import AppealOutcome, SignalVerdict, Verdict
from tests.accounts.signing_in import sign_in
from tests.games.factories import NOW, heart_beats, make_player, make_table, play_turns
from tests.games.play.moderating import asked as wish
from tests.html import Page
from tests.moderation.fair_play.making import make_signal
from tests.moderation.own_matter_helpers import administrator, beside, refused, season_of
from tests.moderation.reporting import report
from tests.moderation.sanctioning import DAY, asked, moderator, mute, suspend

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)

INTERESTS: dict[str, Callable[[Player, Player], Any]] = {
    "a shared game": lambda mira, anna: beside(mira, anna),
    "a shared season": lambda mira, anna: season_of(mira, anna),
    "a report about the moderator": lambda mira, anna: report("Anna", "Mira"),
    "a report by the moderator": lambda mira, anna: report("Mira", "Anna"),
}
SOURCES = 3
"""Sources of interests that the table above covers; reports are one source, from both sides."""

ON_GAMES: dict[ActKind, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    ActKind.PAUSE: (moderation.pause, ()),
    ActKind.RESUME: (moderation.resume, ()),
    ActKind.EXTEND: (moderation.extend, (3,)),
    ActKind.ROLL_BACK: (moderation.roll_back, (0,)),
    ActKind.ADJUDICATE: (moderation.adjudicate, ([1, 2], [9, 0])),
    ActKind.ABORT: (moderation.abort, ()),
    ActKind.REOPEN: (moderation.reopen, ()),
    ActKind.REPLACE: (moderation.replace, (1, None)),
    ActKind.GIVE_BACK: (moderation.give_back, (1,)),
    ActKind.LADDER: (moderation.hand_to_ladder, (1,)),
    ActKind.UNRATE: (moderation.unrate, ()),
    ActKind.RATE: (moderation.rate, ()),
    ActKind.RENAME: (moderation.rename, ("Riga",)),
}


def acts_on_people(anna: Player, mona: Player) -> dict[str, Callable[[Player, datetime], Any]]:
    """Acts of a moderator about *anna*, with what they are about, which *mona* has prepared."""
    standing = mute(anna, who=mona)
    appeal = sanctions.appeal(sanction_id=standing.pk, player=anna, words="My cat.", now=NOW)
    incident = report("Bruno", "Anna").incident
    signal = make_signal(beside(make_player("Clara"), anna))
    table = make_table(host=anna)

    def rename(who: Player, now: datetime) -> None:
        thing = named_things.find("table", table.code)
        assert thing is not None
        named_things.rename(RenameRequest(thing, who, "Riga", "Rude.", table.name, now))

    return {
        "warn": lambda who, now: sanctions.impose(SanctionKind.WARNING, asked(anna, now, who)),
        "mute": lambda who, now: sanctions.impose(SanctionKind.MUTE, asked(anna, now, who), now + 2 * DAY),
        "suspend": lambda who, now: sanctions.impose(
            SanctionKind.SUSPENSION, asked(anna, now, who), now + 9 * DAY
        ),
        "lift": lambda who, now: sanctions.lift(sanction_id=standing.pk, who=who, why="No.", now=now),
        "answer": lambda who, now: sanctions.answer(
            appeal_id=appeal.pk, who=who, outcome=AppealOutcome.UPHELD, words="It stands.", now=now
        ),
        "take": lambda who, now: reports.take(incident_id=incident.pk, who=who, now=now),
        "close": lambda who, now: reports.close(
            incident_id=incident.pk, who=who, verdict=Verdict.NOTHING, remark="No.", now=now
        ),
        "settle": lambda who, now: signals.settle(
            signal=signal.pk, who=who, verdict=SignalVerdict.NOTHING, why="Honest.", now=now
        ),
        "rename an open table": rename,
    }


def played_by(anna: Player, now: datetime = NOW) -> Game:
    """Start another game of hers, against somebody else."""
    return beside(make_player(f"Other{Game.objects.count()}"), anna, now=now)


def now_of(game: Game) -> Game:
    """The game as it is in the database, after a check for differences."""
    stored = Game.objects.get(pk=game.pk)
    assert find_differences(stored) == []
    return stored


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


@pytest.fixture
def mira(anna: Player) -> Player:
    return moderator()


@pytest.fixture
def mona() -> Player:
    """Another moderator, without interests."""
    return moderator("Mona")


def test_every_act_is_left_to_others_whatever_the_interest(anna: Player, mira: Player, mona: Player) -> None:
    assert set(ON_GAMES) == set(ActKind) and len(list(hooks.INTERESTS)) == SOURCES
    other, about_her = played_by(anna), acts_on_people(anna, mona)
    for interest, arises in INTERESTS.items():
        with transaction.atomic():
            own = arises(mira, anna)
            for kind, (act, given) in ON_GAMES.items():
                if kind != ActKind.PAUSE:
                    assert refused(act, wish(other, who=mira), *given) == "recused", (interest, kind)
                if isinstance(own, Game):
                    assert refused(act, wish(own, who=mira), *given) == "may_not_moderate", kind
            for name, do in about_her.items():
                assert refused(do, mira, NOW + HOUR) == "recused", (interest, name)
            transaction.set_rollback(True)
    for kind in (ActKind.EXTEND, ActKind.ROLL_BACK):  # others may
        act, given = ON_GAMES[kind]
        play_turns(other, 1)
        act(wish(other, who=mona), *given)
    about_her["warn"](mona, NOW + HOUR)


def test_stops_of_all_kinds_have_one_limit_until_another_moderator_has_seen_them(
    anna: Player, mira: Player, mona: Player
) -> None:
    beside(mira, anna)
    first, second = played_by(anna), played_by(anna)
    stops: dict[str, Callable[[datetime, Game], Any]] = {
        "mute": lambda now, game: sanctions.impose(SanctionKind.MUTE, asked(anna, now), now + DAY),
        "suspension": lambda now, game: sanctions.impose(
            SanctionKind.SUSPENSION, asked(anna, now), now + DAY
        ),
        "stop": lambda now, game: moderation.pause(wish(game, who=mira, now=now)),
    }
    for earlier, impose in stops.items():
        with transaction.atomic():
            impose(NOW + HOUR, first)
            stop = OwnStop.objects.get()
            for later, repeat in stops.items():
                again = (earlier, later)
                assert refused(repeat, NOW + 2 * HOUR, second) == "recused", again
                assert refused(repeat, NOW + 30 * DAY, second) == "recused", again
            with pytest.raises(Refused):
                own_stops.mark_seen(stop, mira, NOW + 2 * HOUR)
            own_stops.mark_seen(stop, mona, NOW + 2 * HOUR)
            heart_beats(NOW + 3 * HOUR)
            assert refused(stops["mute"], NOW + 3 * HOUR, second) == "recused", earlier
            stops["mute"](NOW + 8 * DAY, second)
            transaction.set_rollback(True)


def test_the_database_keeps_one_unseen_stop_and_who_has_seen_it(
    anna: Player, mira: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside(mira, anna)
    moderator("Mona")
    made = mute(anna, days=1)
    stop = OwnStop.objects.get(sanction=made)
    for change in ({"seen": NOW, "seen_by": mira}, {"seen": NOW}):
        with pytest.raises(IntegrityError), transaction.atomic():
            OwnStop.objects.update(**change)
    act = moderation.extend(wish(played_by(anna), who=moderator("Mona")), 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        OwnStop.objects.create(who=mira, player=anna, at=NOW, act=act)
    monkeypatch.setattr(own_stops, "check", lambda *given: None)  # as for two that come at once
    assert refused(sanctions.impose, SanctionKind.SUSPENSION, asked(anna), NOW + DAY) == "recused"
    assert OwnStop.objects.get() == stop and str(stop)


def test_a_stop_of_a_game_in_own_matters_ends_after_a_day(anna: Player, mira: Player, mona: Player) -> None:
    beside(mira, anna)
    for until in (None, NOW + 30 * DAY):
        with transaction.atomic():
            game = played_by(anna)
            act = moderation.pause(wish(game, who=mira, now=NOW), until)
            hold = timing.find_hold(now_of(game), NOW)
            assert act.own_matter and hold is not None and hold.end == NOW + DAY, until
            transaction.set_rollback(True)
    game = played_by(anna)
    moderation.stop_first(wish(game, who=mira, now=NOW))
    hold = timing.find_hold(now_of(game), NOW)
    assert hold is not None and hold.end == NOW + DAY


class TestSharedGames:
    def test_stand_still_while_their_moderator_has_suspended_a_player(
        self, anna: Player, mira: Player, mona: Player
    ) -> None:
        shared, other = beside(mira, anna), played_by(anna)
        deadlines = {game.pk: now_of(game).deadline for game in (shared, other)}
        at = NOW + HOUR
        suspend(anna, at, days=1)
        assert now_of(shared).deadline == deadlines[shared.pk] + DAY
        assert now_of(other).deadline == deadlines[other.pk], "her other games go on"
        hold = timing.find_hold(now_of(shared), at)
        assert hold is not None and hold.end == at + DAY, "nor does the moderator play meanwhile"
        assert ModerationAct.objects.get(game=shared).own_matter is None  # the suspension is marked

    def test_go_on_when_it_is_lifted_or_shortened(self, anna: Player, mira: Player, mona: Player) -> None:
        shared = beside(mira, anna)
        made, at = suspend(anna, NOW + HOUR, days=1), NOW + 3 * HOUR
        ways: dict[str, Callable[[], Any]] = {
            "lifted": lambda: sanctions.lift(sanction_id=made.pk, who=mona, why="No.", now=at),
            "shortened to now": lambda: shorten(at),
        }

        def shorten(ends: datetime) -> Any:
            appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="My cat.", now=at)
            return sanctions.answer(
                appeal_id=appeal.pk,
                who=mona,
                outcome=AppealOutcome.SHORTENED,
                words="Fine.",
                now=at,
                ends=ends,
            )

        for name, way in ways.items():
            with transaction.atomic():
                way()
                assert timing.find_hold(now_of(shared), at) is None, name
                transaction.set_rollback(True)
        shorten(at + HOUR)
        hold = timing.find_hold(now_of(shared), at)
        assert hold is not None and hold.end == at + HOUR

    def test_go_on_while_an_impartial_moderator_has_suspended_a_player(
        self, anna: Player, mira: Player, mona: Player
    ) -> None:
        shared = beside(mira, anna)
        suspend(anna, NOW + HOUR, who=mona)
        assert timing.find_hold(now_of(shared), NOW + HOUR) is None

    def test_stand_still_for_an_administrator_without_another_too(self, anna: Player) -> None:
        ada = administrator()
        shared = beside(ada, anna)
        suspend(anna, NOW + HOUR, who=ada, days=30)
        hold = timing.find_hold(now_of(shared), NOW + HOUR)
        assert hold is not None and hold.end == NOW + HOUR + 30 * DAY
        assert not OwnStop.objects.exists()


def test_who_may_act_in_a_game_of_many_is_impartial_towards_all(anna: Player, mira: Player) -> None:
    """Two moderators, each with an interest in another player: neither is named, an administrator may act."""
    bruno, mona, ada = make_player("Bruno"), moderator("Mona"), administrator()
    game = beside(anna, bruno)
    beside(mira, anna)
    beside(mona, bruno)
    with pytest.raises(Refused) as why:
        moderation.extend(wish(game, who=mira), 1)
    assert "Ada" in why.value.message and "Mona" not in why.value.message
    beside(ada, anna)
    assert moderation.extend(wish(game, who=ada), 1).own_matter is True


class TestDesk:
    def test_shows_a_stop_to_another_moderator_until_they_have_looked(
        self, client: Client, anna: Player, mira: Player, mona: Player
    ) -> None:
        now = timezone.now()
        beside(mira, anna, now=now)
        nora = moderator("Nora")
        beside(nora, anna, now=now)
        made = sanctions.impose(SanctionKind.MUTE, asked(anna, now), now + DAY)
        where = reverse("moderation:own_stop", args=[OwnStop.objects.get(sanction=made).pk])

        def queue(who: Player) -> list[str]:
            sign_in(client, who)
            page = Page(client.get(reverse("moderation:desk")))
            return page.texts("section[aria-labelledby=own-stops] a")

        assert [len(queue(who)) for who in (mira, nora, mona)] == [0, 0, 1]
        sign_in(client, mira)
        assert client.get(where).status_code == client.post(where).status_code == 403
        sign_in(client, nora)
        assert "Mona" in Page(client.get(where)).text("#refused") and client.post(where).status_code == 403
        sign_in(client, mona)
        page = Page(client.get(where))
        assert (
            "Reported twice." in page.text("main")
            and reverse("moderation:desk_sanction", args=[made.pk]) in page.links()
        )
        assert client.post(where).status_code == 302
        assert OwnStop.objects.get().seen_by == mona and queue(mona) == []
        assert Sanction.objects.get().in_force(now), "looking at it changes nothing else"
