"""Tests of accounts with an unconfirmed address, which are removed after a week."""

from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models.signals import pre_delete
from django.test import Client

from accounts.models import Player
from accounts.services import close_account, remove_unconfirmed
from carcassonne.celery import app
from tests.accounts.sign_up_helpers import sign_up

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
OLD = NOW - timedelta(days=7, minutes=1)


def signed_up(name: str, at: datetime = OLD, **fields: object) -> Player:
    player = Player.objects.create_user(name, f"{name.lower()}@example.org", date_joined=at, **fields)
    EmailAddress.objects.create(user=player, email=player.email, primary=True)
    return player


def test_an_unconfirmed_account_is_gone_after_a_week(client: Client) -> None:
    sign_up(client)
    joined = Player.objects.get().date_joined
    assert remove_unconfirmed(now=joined + timedelta(days=6, hours=23)) == 0
    assert remove_unconfirmed(now=joined + timedelta(days=7, hours=1)) == 1
    assert not Player.objects.exists() and not EmailAddress.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [{"is_staff": True}, {"is_superuser": True}, {"is_bot": True}, {"last_login": OLD}, {"closed": OLD}],
)
def test_other_accounts_stay(fields: dict[str, object]) -> None:
    signed_up("Zoe", **fields)
    confirmed = signed_up("Anna")
    EmailAddress.objects.filter(user=confirmed).update(verified=True)
    signed_up("Nora", at=NOW - timedelta(days=6))
    assert remove_unconfirmed(now=NOW) == 0
    assert Player.objects.count() == 3


def test_they_go_in_batches() -> None:
    for number in range(5):
        signed_up(f"Nobody{number}")
    assert [remove_unconfirmed(now=NOW, most=2) for _ in range(4)] == [2, 2, 1, 0]


def test_who_confirms_the_address_at_the_last_moment_stays() -> None:
    signed_up("Zoe")
    anna = signed_up("Anna")

    def confirm(**kwargs: object) -> None:
        EmailAddress.objects.filter(user=anna).update(verified=True)

    pre_delete.connect(confirm, sender=Player)  # while Zoe goes, who is first
    try:
        remove_unconfirmed(now=NOW)
    finally:
        pre_delete.disconnect(confirm, sender=Player)
    assert Player.objects.get() == anna


def test_the_beat_looks_for_them() -> None:
    tasks = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    app.loader.import_default_modules()
    assert "accounts.tasks.remove_unconfirmed" in tasks
    assert set(tasks) <= set(app.tasks)


def test_confirmed_are_those_with_a_confirmed_address(anna: Player) -> None:
    signed_up("Zoe")
    closed = signed_up("Nora")
    EmailAddress.objects.filter(user=closed).update(verified=True)
    close_account(player=closed, now=NOW)
    assert list(Player.objects.confirmed()) == [anna]
