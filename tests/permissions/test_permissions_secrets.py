"""Tests that no output of the site contains the seed or the order of tiles of a running game. The needle is
the bag's own.

Searched are all pages of the admin, all owed mails, the evidence of reports, and error reports; the responses
of all other URLs, in every role, are searched by the tests of permissions, which request them anyway.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import transaction
from django.http import HttpResponse
from django.urls import NoReverseMatch, reverse

from games.models import Bag, Game, Notice, Status
from games.notices.email import compose
from moderation.models import Evidence
from tests.games.visitors import first_line
from tests.permissions.needle import Needle, text_of
from tests.permissions.world import World, client_of, make_world

pytestmark = pytest.mark.slow


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def needle(world: World) -> Needle:
    return Needle(Game.objects.filter(status=Status.PLAYING))


def test_the_needle_is_found_where_the_secret_is(world: World, needle: Needle) -> None:
    bag = Bag.objects.get(game=world.running)
    seed = bytes(bag.seed)
    for leak in (seed.hex().upper(), repr(list(seed)), str(bag.order), "\n".join(bag.order[:5]), seed.hex()):
        assert needle.found_in(f"Nothing {leak} to see")
    assert not needle.found_in(" ".join(sorted(bag.order)))


def pages_of_the_admin() -> Iterator[str]:
    """Yield the list of every model, and the page of each row."""
    for model in apps.get_models():
        try:
            yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        except NoReverseMatch:
            continue  # not in the admin
        for pk in model._default_manager.values_list("pk", flat=True)[:20]:
            yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[pk])


def test_the_admin_does_not_tell_it(world: World, needle: Needle) -> None:
    client = client_of("administrator")
    pages = list(pages_of_the_admin())
    assert len(pages) > 50
    answers: dict[str, HttpResponse] = {page: client.get(page) for page in pages}
    assert {answer.status_code for answer in answers.values()} == {200}
    assert [page for page, answer in answers.items() if needle.found_in(text_of(answer))] == []


def test_no_mail_tells_it(world: World, needle: Needle) -> None:
    mails = [compose(notice) for notice in Notice.objects.exclude(game__status=Status.OPEN)]
    assert len(mails) > 4
    assert [mail.subject for mail in mails if needle.found_in(mail.message().as_string())] == []
    assert [mail.subject for mail in mails if needle.found_in(mail.body)] == []


def test_no_evidence_tells_it(world: World, needle: Needle) -> None:
    kept = [json.dumps(evidence.found) for evidence in Evidence.objects.all()]
    assert len(kept) == 2
    assert not any(needle.found_in(item) for item in kept)


@pytest.mark.parametrize("debug", [False, True])
def test_the_report_of_an_error_does_not_tell_it(
    world: World,
    needle: Needle,
    debug: bool,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    mailoutbox: list[Any],
) -> None:
    """If a draw fails, neither the error page, with all local variables in debug mode, nor the mail to the
    administrators contains secrets."""
    settings.DEBUG = debug
    settings.ADMINS = [("Greta", "greta@example.org")]
    monkeypatch.setattr(Bag, "save", broken)  # the bag is what it writes first
    game = world.running
    line = {"line": first_line(game), "version": game.version}
    client = client_of("on turn")
    client.raise_request_exception = False
    with transaction.atomic():
        response = client.post(reverse("games:play", args=[game.code]), line)
        transaction.set_rollback(True)
    assert response.status_code == 500
    assert not needle.found_in(text_of(response))
    assert [mail.subject for mail in mailoutbox if needle.found_in(mail.message().as_string())] == []


def broken(*_args: object, **_more: object) -> None:
    raise RuntimeError("The disk is full.")
