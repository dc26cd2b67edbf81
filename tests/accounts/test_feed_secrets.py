"""Tests of secrets of private feeds: creation, replacement, deletion, and invalid tokens."""

from __future__ import annotations

import base64

import pytest
from django.core import signing
from django.utils import timezone

from accounts import addresses, export, feed_secrets, sessions
from accounts.models import AddressChange, FeedSecret, Player
from accounts.services import close_account

pytestmark = pytest.mark.django_db


def make_token(player: Player) -> str:
    return feed_secrets.build_token(feed_secrets.make_secret(player, now=timezone.now()))


def is_valid(token: str) -> bool:
    return feed_secrets.find_by_token(token) is not None


def test_a_token_finds_its_player(anna: Player) -> None:
    player = feed_secrets.find_by_token(make_token(anna))
    assert player is not None and player.player == anna


def test_a_secret_has_128_bits_and_is_another_each_time(anna: Player) -> None:
    made = [feed_secrets.make_secret(anna, now=timezone.now()).secret for _ in range(3)]
    assert len(set(made)) == 3
    assert {len(base64.urlsafe_b64decode(f"{secret}==")) for secret in made} == {16}


def test_what_the_database_holds_is_no_token(anna: Player) -> None:
    token = make_token(anna)
    secret = FeedSecret.objects.get().secret
    assert token != secret and not is_valid(secret)
    forged = signing.Signer(key="another", sep=".", salt=feed_secrets.SALT).sign(secret)
    assert forged.partition(".")[0] == token.partition(".")[0] and not is_valid(forged)


@pytest.mark.parametrize("token", ["", ".", "0", "a.b", "\0", "é", "x" * 10_000])
def test_a_wrong_token_finds_nobody_and_asks_no_query(
    token: str, anna: Player, django_assert_num_queries: object
) -> None:
    make_token(anna)
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert not is_valid(token)


def test_a_new_secret_ends_the_old_one(anna: Player) -> None:
    old, new = make_token(anna), make_token(anna)
    assert (is_valid(old), is_valid(new)) == (False, True)
    assert FeedSecret.objects.count() == 1


def test_a_deleted_secret_is_valid_no_more(anna: Player) -> None:
    token = make_token(anna)
    assert feed_secrets.delete_secret(anna) and not is_valid(token)
    assert not feed_secrets.delete_secret(anna)


def test_an_account_that_may_not_sign_in_has_no_feeds(anna: Player) -> None:
    token = make_token(anna)
    Player.objects.update(is_active=False)
    assert not is_valid(token)
    Player.objects.update(is_active=True)
    assert is_valid(token)


def test_closing_an_account_deletes_it(anna: Player) -> None:
    token = make_token(anna)
    close_account(player=anna, now=timezone.now())
    assert not FeedSecret.objects.exists() and not is_valid(token)


def test_who_takes_an_account_back_ends_the_addresses_that_others_may_know(anna: Player) -> None:
    now = timezone.now()
    change = AddressChange.objects.create(player=anna, old=anna.email, new="other@example.org", at=now)
    token = make_token(anna)
    assert addresses.undo(change, now=now) == "undone"
    assert not is_valid(token)


def test_signing_out_everywhere_ends_it_but_signing_out_elsewhere_does_not(anna: Player) -> None:
    token = make_token(anna)
    sessions.end_all(anna, but="here")
    assert is_valid(token)
    sessions.end_all(anna)
    assert not is_valid(token)


def test_the_file_of_all_data_says_when_it_was_made_and_not_what_it_is(anna: Player) -> None:
    secret = feed_secrets.make_secret(anna, now=timezone.now())
    ((_name, account), *_others) = export.contents(anna)
    assert account["private_feeds"] == [{"made": secret.made}]
    assert secret.secret not in str(account)
