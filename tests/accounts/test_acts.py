"""Tests of the log of acts on accounts, which is append-only in the database as well."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, models, transaction
from django.utils import timezone

from accounts import acts
from accounts.models import AccountAct, AccountActKind, Player
from accounts.services import close_account
from tests.games.factories import make_player

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def act(anna: Player) -> AccountAct:
    return AccountAct.objects.create(
        actor=make_player("Admin"),
        player=anna,
        act=AccountActKind.ADDRESS,
        why="Lost the mailbox.",
        before={"email": "old@example.org"},
        after={"email": "anna@example.org"},
    )


def test_an_act_after_the_clock_went_back_is_a_new_version(act: AccountAct) -> None:
    before = acts.load_version(act.player)
    acts.record(
        AccountActKind.CHANGE,
        actor=make_player("Greta", is_staff=True, is_superuser=True),
        player=act.player,
        why="Asked for it.",
        now=act.at - timedelta(minutes=1),
    )
    assert acts.load_version(act.player) > before


def past_the_manager() -> models.QuerySet[AccountAct]:
    """A query set without the manager's checks, as raw SQL works."""
    return models.QuerySet(AccountAct)


@pytest.mark.parametrize(
    "change",
    [
        {"why": "Another."},
        {"act": AccountActKind.CLOSE},
        {"at": timezone.now()},
        {"before": {"email": "forged@example.org"}},
        {"before": {}},
        {"before": {}, "after": {}, "why": "Another."},
        {"before": {}, "after": {}, "act": AccountActKind.CLOSE},
    ],
)
def test_no_act_is_changed(act: AccountAct, change: dict[str, Any]) -> None:
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        past_the_manager().update(**change)
    stored = AccountAct.objects.get()
    assert (stored.why, stored.before, stored.act) == (act.why, act.before, AccountActKind.ADDRESS)


def test_no_act_goes_to_another_account(act: AccountAct) -> None:
    for change in ({"player": act.actor}, {"actor": act.player}):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            past_the_manager().update(before={}, after={}, **change)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite empties tables so, as tests do")
def test_no_act_is_deleted(act: AccountAct) -> None:
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        past_the_manager()._raw_delete(using="default")
    assert AccountAct.objects.exists()


def test_closing_the_account_takes_addresses_out(act: AccountAct) -> None:
    close_account(player=act.player, now=timezone.now())
    stored = AccountAct.objects.get()
    assert (stored.before, stored.after, stored.why) == ({}, {}, "Lost the mailbox.")
