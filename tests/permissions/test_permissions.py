"""Tests of permissions: every URL, requested in every role towards its object.

``permissions.csv`` is the table: a row for each URL and method, a column for each role. Its cells hold the
status of the response, "sign in" for a redirect there, and a "+" if something was written. A URL that is not
in the table fails, and so does another response. ``PERMISSIONS=write`` writes the actual responses, to be
reviewed before they are committed.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from games.models import Bag, Game, Status
from leagues.models import Fixture
from tests.permissions.needle import Needle, text_of
from tests.permissions.table import asked, in_short, must_be_as_written
from tests.permissions.world import ROLES, acts, addresses, client_of, make_world

pytestmark = pytest.mark.slow
TABLE = Path(__file__).with_name("permissions.csv")
ACTS = Path(__file__).with_name("acts.csv")
Addresses = Iterable[tuple[str, str, dict[str, object]]]
METHODS = ("GET", "POST")
NOWHERE = re.compile(r'href=""[^>]*>(?!\s*(Try again|Show it)<)')
"""A link without an address, but for those that load the page anew."""


def answers(asked_for: Addresses, role: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the response of each URL to *role*, after a search for secrets; effects are rolled back."""
    signed_in = client_of(role)
    needle = of_all_games()
    for name, address, data in asked_for:
        for method in METHODS:
            client = Client()
            client.cookies.update(signed_in.cookies)
            with transaction.atomic():
                response, wrote = asked(client, method, address, data)
                text = text_of(response)
                assert not needle.found_in(text), (name, method)
                assert not NOWHERE.search(text), f"{name}: a template looks an address up in vain"
                yield (name, method), in_short(response, wrote=wrote)
                transaction.set_rollback(True)


def of_all_games() -> Needle:
    """The secrets of all running games, those of leagues and teams among them."""
    return Needle(Game.objects.filter(status=Status.PLAYING))


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_everybody_may_do_what_the_table_says_and_no_more(
    role: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    world = make_world()
    answered = dict(answers(addresses(world), role))
    assert not of_all_games().found_in(caplog.text)
    must_be_as_written(TABLE, role, answered, tuple(ROLES))


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_every_act_on_leagues_teams_and_people_is_for_those_whom_the_table_names(role: str) -> None:
    """``acts.csv``: of acts that share an address, ``permissions.csv`` has one."""
    world = make_world()
    in_league = Fixture.objects.filter(match__division__season__league=world.league).values("game")
    orders = [str(bag.order) for bag in Bag.objects.filter(game__in=in_league)]
    assert orders and all(map(of_all_games().found_in, orders))
    must_be_as_written(ACTS, role, dict(answers(acts(world), role)), tuple(ROLES))
