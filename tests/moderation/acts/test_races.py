"""Tests of two simultaneous moderators, in real threads on a real database: one act counts, the other is
refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from accounts import acts
from accounts.models import Player
from games.exceptions import Refused
from games.models import Notice, Sanction, SanctionKind
from moderation.acts import reports, sanctions
from moderation.models import AppealOutcome, ConductAct, Incident, IncidentAct, Verdict
from tests.games.factories import make_player
from tests.games.play.simultaneous_helpers import run_at_once
from tests.moderation.reporting import report
from tests.moderation.sanctioning import asked, suspend

pytestmark = pytest.mark.django_db(transaction=True)


def staff(name: str) -> Player:
    """Make a superuser, as there are no groups after a test that commits."""
    return make_player(name, is_staff=True, is_superuser=True)


def refused(results: list[Any]) -> int:
    """The number of refusals; fails on other exceptions."""
    wrong = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(one, Refused | PermissionDenied) for one in wrong), wrong
    return len(wrong)


@pytest.mark.parametrize("attempt", range(2))
def test_two_suspend_somebody_once(attempt: int) -> None:
    anna, now = make_player("Anna"), timezone.now()
    wishes = [asked(anna, now, who=staff(name), expected_version=0, again=False) for name in ("Mira", "Mona")]
    ends = now + timedelta(days=7)
    results = run_at_once(
        *(lambda wish=wish: sanctions.impose(SanctionKind.SUSPENSION, wish, ends) for wish in wishes)
    )
    assert refused(results) == 1
    assert (Sanction.objects.count(), ConductAct.objects.count(), Notice.objects.count()) == (1, 1, 1)


def test_four_clicks_on_warn_are_one_warning() -> None:
    wish = asked(make_player("Anna"), timezone.now(), who=staff("Mira"), expected_version=0, again=False)
    results = run_at_once(*(lambda: sanctions.impose(SanctionKind.WARNING, wish) for _click in range(4)))
    assert refused(results) == 0 and len({one.pk for one in results}) == 1
    assert (Sanction.objects.count(), Notice.objects.count()) == (1, 1)


def test_one_lifts_while_another_answers_the_appeal() -> None:
    anna, now = make_player("Anna"), timezone.now()
    made = suspend(anna, now, who=staff("Mira"))
    appeal = sanctions.appeal(sanction_id=made.pk, player=anna, words="My cat.", now=now)
    version, mona, nora = sanctions.load_version(anna), staff("Mona"), staff("Nora")
    results = run_at_once(
        lambda: sanctions.lift(
            sanction_id=made.pk, who=mona, why="A mistake.", now=now, expected_version=version
        ),
        lambda: sanctions.answer(
            appeal_id=appeal.pk,
            who=nora,
            outcome=AppealOutcome.UPHELD,
            words="It stands.",
            now=now,
            expected_version=version,
        ),
    )
    assert refused(results) == 1 and ConductAct.objects.count() == 2


def test_two_decide_a_case_once() -> None:
    make_player("Anna")
    incident, now = report(now=timezone.now()).incident, timezone.now()
    version = reports.load_version(incident)
    people = [staff("Mona"), staff("Nora")]
    results = run_at_once(
        *(
            lambda who=who, verdict=verdict: reports.close(
                incident_id=incident.pk,
                who=who,
                verdict=verdict,
                remark="Seen.",
                now=now,
                expected_version=version,
            )
            for who, verdict in zip(people, (Verdict.UPHELD, Verdict.NOTHING), strict=True)
        )
    )
    assert refused(results) == 1
    assert IncidentAct.objects.count() == 1 and Incident.objects.get().closed is not None


def test_two_close_an_account_once() -> None:
    anna, now = make_player("Anna"), timezone.now()
    people = [staff(name) for name in ("Olga", "Root")]
    results = run_at_once(
        *(
            lambda who=who: acts.close(actor=who, player=anna, why="because", now=now, expected_version=0)
            for who in people
        )
    )
    assert refused(results) == 1 and acts.load_version(anna) and anna.acts.count() == 1
