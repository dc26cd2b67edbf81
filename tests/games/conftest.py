"""What every test of games may use."""

import random
from types import SimpleNamespace

import pytest


@pytest.fixture(autouse=True)
def repeatable_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes and seeds of games are the same whenever a test runs, so no rare draw fails it now and then."""
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr("games.models.game.secrets", SimpleNamespace(choice=chance.choice))
    monkeypatch.setattr("games.bag.secrets", SimpleNamespace(token_bytes=chance.randbytes))
