"""Fixtures of the tests of accounts."""

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Player


@pytest.fixture
def anna(db: None) -> Player:
    """A player with a password and a verified address."""
    player = Player.objects.create_user("Anna", "anna@example.org", "seven tiles of road")
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    return player
