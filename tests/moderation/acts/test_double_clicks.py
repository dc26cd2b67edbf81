"""Tests of double clicks and stale pages for every act on people.

:data:`ACTS` lists every act of staff on people; a new one without an entry here fails, and so does one
whose second click has an effect, or which succeeds from a stale page. Their texts name the person, who is
stored as a reference.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from accounts import acts
from accounts.admin import PlayerAdmin
from accounts.models import AccountAct, Player
from games.conduct import active_sanctions
from games.exceptions import Refused
from games.models import Notice, Sanction, SanctionKind
from games.notices import delivery
from moderation.acts import messages, reports, sanctions
from moderation.fair_play import signals
from moderation.models import (
    AppealOutcome,
    ConductAct,
    Incident,
    IncidentAct,
    Report,
    Signal,
    SignalVerdict,
    Verdict,
)
from tests.accounts.signing_in import sign_in
from tests.games.factories import NOW, make_game, make_player
from tests.html import Page
from tests.moderation.fair_play.making import make_signal
from tests.moderation.reporting import decide, report, say
from tests.moderation.sanctioning import DAY, asked, moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


class Case(NamedTuple):
    """Act that a member of staff is ready to do."""

    do: Callable[[Player, Any], Any]  # by whom, and on which version
    version: Callable[[], Any]
    overtake: Callable[[], Any]  # something else that happens to the person or the case


def staff(name: str = "Mira") -> Player:
    """Get or create a superuser."""
    return Player.objects.filter(username=name).first() or make_player(name, is_staff=True, is_superuser=True)


def anna() -> Player:
    return Player.objects.filter(username="Anna").first() or make_player("Anna")


def about_person(do: Callable[[Player, Any], Any], overtake: Callable[[], Any]) -> Case:
    return Case(do, lambda: sanctions.load_version(anna()), overtake)


def imposing(kind: SanctionKind, *ends: Any, other: Callable[..., Any]) -> Callable[[], Case]:
    def make() -> Case:
        return about_person(
            lambda who, version: sanctions.impose(
                kind, asked(anna(), who=who, expected_version=version, again=False), *ends
            ),
            lambda: other(anna(), who=staff("Olga")),
        )

    return make


def lifting() -> Case:
    made = suspend(anna(), who=staff("Olga"))
    return about_person(
        lambda who, version: sanctions.lift(
            sanction_id=made.pk, who=who, why="Anna was right.", now=LATER, expected_version=version
        ),
        lambda: warned(anna(), who=staff("Olga")),
    )


def answering() -> Case:
    made = suspend(anna(), who=staff("Olga"))
    appeal = sanctions.appeal(sanction_id=made.pk, player=anna(), words="My cat.", now=NOW)
    return about_person(
        lambda who, version: sanctions.answer(
            appeal_id=appeal.pk,
            who=who,
            outcome=AppealOutcome.UPHELD,
            words="It stands, Anna.",
            now=LATER,
            expected_version=version,
        ),
        lambda: warned(anna(), who=staff("Olga")),
    )


def of_incident(act: Callable[..., Any], *, closed: bool = False, **more: Any) -> Callable[[], Case]:
    def make() -> Case:
        anna()
        incident = report("Bruno", "Anna").incident
        if closed:
            decide(incident, who="Olga")

        def overtake() -> None:
            if closed:
                for again in (reports.reopen, reports.close):
                    rest = {"verdict": Verdict.NOTHING} if again is reports.close else {}
                    again(incident_id=incident.pk, who=staff("Olga"), remark="Hm.", now=LATER, **rest)
            else:
                report("Clara", "Anna")

        return Case(
            lambda who, version: act(
                incident_id=incident.pk, who=who, now=LATER, expected_version=version, **more
            ),
            lambda: reports.load_version(incident),
            overtake,
        )

    return make


def deleting() -> Case:
    game = make_game(seats=3)
    said = say(game, "Anna", "Fool!")
    incident = report("Bruno", "Anna", game, message=said).incident
    return Case(
        lambda who, version: messages.delete_reported(
            message_id=said.pk, incident_id=incident.pk, who=who, now=LATER, expected_version=version
        ),
        lambda: reports.load_version(incident),
        lambda: report("Clara", "Anna", game),
    )


def settling() -> Case:
    signal = make_signal(make_game(seats=3))
    return Case(
        lambda who, version: signals.settle(
            signal=signal.pk,
            who=who,
            verdict=SignalVerdict.NOTHING,
            why="Anna is honest.",
            now=LATER,
            expected_version=version,
        ),
        lambda: signals.format_version(Signal.objects.get(pk=signal.pk)),
        lambda: Signal.objects.update(refreshed=LATER),
    )


def on_account(do: Callable[..., Any], **more: Any) -> Callable[[], Case]:
    def make() -> Case:
        player = anna()
        Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={})
        return Case(
            lambda who, version: do(
                actor=who, player=player, why="because", now=NOW, expected_version=version, **more
            ),
            lambda: acts.load_version(player),
            lambda: acts.record(
                acts.AccountActKind.CHANGE, actor=staff("Olga"), player=player, why="Otherwise", now=NOW
            ),
        )

    return make


ACTS: dict[str, Callable[[], Case]] = {
    "sanctions.impose a warning": imposing(SanctionKind.WARNING, other=mute),
    "sanctions.impose a mute": imposing(SanctionKind.MUTE, NOW + 7 * DAY, other=suspend),
    "sanctions.impose a suspension": imposing(SanctionKind.SUSPENSION, NOW + 7 * DAY, other=mute),
    "sanctions.lift": lifting,
    "sanctions.answer": answering,
    "reports.take": of_incident(reports.take),
    "reports.close": of_incident(reports.close, verdict=Verdict.NOT_UPHELD, remark="Anna was rude."),
    "reports.reopen": of_incident(reports.reopen, closed=True, remark="New facts about Anna."),
    "messages.delete_reported": deleting,
    "signals.settle": settling,
    "acts.close": on_account(acts.close),
    "acts.sign_out": on_account(acts.sign_out),
    "acts.remove_second_factor": on_account(acts.remove_second_factor),
    "acts.clear_profile": on_account(acts.clear_profile),
    "acts.change_address": on_account(acts.change_address, new="new@example.org"),
    "acts.record": on_account(acts.record, act=acts.AccountActKind.CHANGE),
}
ROOMS: tuple[ModuleType, ...] = (sanctions, reports, messages, signals, acts)


def acts_of_staff() -> set[str]:
    """All public functions that change something in the name of a member of staff."""
    names = set()
    for room in ROOMS:
        for name, function in inspect.getmembers(room, inspect.isfunction):
            given = inspect.signature(function).parameters
            by_staff = {"who", "actor"} & set(given) and "now" in given
            wished = any(one.annotation == "SanctionRequest" for one in given.values())
            if function.__module__ == room.__name__ and not name.startswith("_") and (by_staff or wished):
                names.add(f"{room.__name__.rpartition('.')[2]}.{name}")
    return names


def written() -> list[int]:
    """The numbers of rows that acts write."""
    rows = (Sanction, ConductAct, IncidentAct, AccountAct, Notice)
    return [
        *(row.objects.count() for row in rows),
        Signal.objects.exclude(settled=None).count(),
        Player.objects.exclude(closed=None).count(),
        Incident.objects.exclude(closed=None).count(),
    ]


def test_every_act_of_staff_about_people_is_listed_here() -> None:
    assert acts_of_staff() == {name.partition(" ")[0] for name in ACTS}


@pytest.mark.parametrize("name", ACTS)
def test_three_clicks_do_it_once(name: str) -> None:
    case, mira = ACTS[name](), staff()
    version = case.version()
    case.do(mira, version)
    after = written()
    for _click in range(2):
        case.do(mira, version)
    assert written() == after


@pytest.mark.parametrize("name", ACTS)
def test_a_page_that_was_overtaken_does_nothing(name: str) -> None:
    case, mira = ACTS[name](), staff()
    version = case.version()
    case.overtake()
    after = written()
    with pytest.raises((Refused, PermissionDenied)) as why:
        case.do(mira, version)
    assert str(why.value) and written() == after


def test_every_action_on_accounts_asks_first(client: Client) -> None:
    anna()
    root = sign_in(client, staff())
    for action in PlayerAdmin.actions or ():
        sent = {"action": action, "_selected_action": [anna().pk], "why": "because"}
        page = Page(root.post(reverse("admin:accounts_player_changelist"), sent))
        assert page.has(f"[name=version_{anna().pk}]") and page.has("button[name=confirmed]")
        root.post(reverse("admin:accounts_player_changelist"), {**sent, "confirmed": "yes"})
        assert not AccountAct.objects.exists()


class TestInForce:
    def test_what_is_in_force_is_said_and_not_repeated(self) -> None:
        for act, sure in ((warned, "read"), (mute, "until"), (suspend, "until")):
            act(anna())
            with pytest.raises(Refused) as why:
                act(anna(), who=moderator("Mona"), again=False)
            assert "Mira" in why.value.message and sure in why.value.message
        assert Sanction.objects.count() == 3

    def test_it_is_lengthened_by_saying_so_and_never_shortened(self) -> None:
        mute(anna(), days=7, again=False)
        with pytest.raises(Refused) as why:
            mute(anna(), days=7, again=True)
        assert why.value.code == "not_longer"
        mute(anna(), days=9, again=True)
        assert active_sanctions.find_mute_end(anna(), NOW) == NOW + 9 * DAY

    def test_the_form_asks_for_it(self, client: Client) -> None:
        mute(anna())
        sign_in(client, moderator("Mona"))
        page = Page(client.get(reverse("moderation:sanction", args=["Anna", "mute"])))
        assert not page.has("[name=again]")  # that one was over long ago
        Sanction.objects.update(ends=NOW + 365 * 9 * DAY)
        page = Page(client.get(reverse("moderation:sanction", args=["Anna", "mute"])))
        assert page.has("[name=again]") and "Mira" in page.text("#stands")

    def test_who_lifted_it_is_said(self) -> None:
        made = suspend(anna())
        sanctions.lift(sanction_id=made.pk, who=moderator("Mona"), why="Anna was right.", now=LATER)
        with pytest.raises(Refused, match="Mona has lifted"):
            sanctions.lift(sanction_id=made.pk, who=moderator(), why="My mistake.", now=LATER)

    def test_what_is_done_to_an_account_already_is_said(self) -> None:
        acts.close(actor=staff(), player=anna(), why="because", now=NOW)
        closed = Player.objects.exclude(closed=None).get()
        with pytest.raises(acts.ActRefused, match="closed already"):
            acts.close(actor=staff("Olga"), player=closed, why="because", now=NOW)
        with pytest.raises(acts.ActRefused, match="no second factor"):
            acts.remove_second_factor(actor=staff(), player=make_player("Bruno"), why="because", now=NOW)

    def test_the_change_form_of_an_account_is_sent_once(self, client: Client) -> None:
        where = reverse("admin:accounts_player_change", args=[anna().pk])
        sign_in(client, staff())
        version = Page(client.get(where)).one("[name=version]")["value"]
        acts.record(acts.AccountActKind.CHANGE, actor=staff("Olga"), player=anna(), why="Otherwise", now=NOW)
        sent = {
            "username": "Anne", "email": "anna@example.org", "language": "en", "time_zone": "UTC",
            "theme": "device", "is_active": "on", "why": "because", "version": version,
        }  # fmt: skip
        page = Page(client.post(where, sent))
        assert "Olga" in page.text(".errorlist") and anna().username == "Anna"


class TestReports:
    def test_one_that_is_upheld_upholds_no_other(self) -> None:
        anna()
        first, second = report("Bruno", "Anna"), report("Clara", "Anna", category="stalling")
        with pytest.raises(Refused) as why:
            decide(first.incident)
        assert why.value.code == "which_reports"
        decide(first.incident, upheld=[first.pk])
        verdicts = dict(Report.objects.values_list("pk", "verdict"))
        assert verdicts == {first.pk: "upheld", second.pk: "not_upheld"}

    def test_each_reporter_is_told_of_their_own(self, mailoutbox: list[Any]) -> None:
        anna()
        first = report("Bruno", "Anna")
        report("Clara", "Anna", category="stalling")
        decide(first.incident, upheld=[first.pk])
        delivery.deliver_due(seconds=5)
        told = {sent.to[0]: sent.body for sent in mailoutbox if "report has been decided" in sent.subject}
        assert "Moderators agree" in told["bruno@example.org"]
        assert "Moderators agree" not in told["clara@example.org"]

    def test_the_form_lists_them(self, client: Client) -> None:
        anna()
        first = report("Bruno", "Anna")
        second = report("Clara", "Anna", category="stalling")
        sign_in(client, moderator())
        where = reverse("moderation:desk_incident", args=[first.incident_id])
        page = Page(client.get(where))
        assert [element["value"] for element in page.all("[name=upheld]")] == [str(first.pk), str(second.pk)]
        sent = {"version": page.one("#id_version")["value"], "verdict": "upheld", "remark": "Seen."}
        act = reverse("moderation:incident_act", args=[first.incident_id, "close"])
        client.post(act, {**sent, "upheld": [second.pk]})
        assert Report.objects.get(verdict="upheld") == second


def test_a_page_without_a_version_is_refused(client: Client) -> None:
    sign_in(client, moderator())
    sent = {"template": "insults", "reason": "Twice.", "confirmed": "yes"}
    page = Page(client.post(reverse("moderation:sanction", args=[anna().username, "warn"]), sent))
    assert page.has(".errorlist") and not Sanction.objects.exists()
    assert sanctions.find_standing(anna(), SanctionKind.WARNING, NOW) is None
