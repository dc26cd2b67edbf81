"""What was written before people stood in it as references is rewritten by migrations, append-only or not."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from accounts.models import Player
from accounts.references import REFERENCE, people_fields
from games.models import ConductAct, IncidentAct, ModerationAct, Move, Notice
from tests.accounts.words_of_staff import ADDRESS, NAME, write_everywhere

pytestmark = pytest.mark.django_db
NEWER = {"games.ModeratorNote.text", "games.NameChange.reason"}
"""Fields that came with references: nothing was written there before."""

APPEND_ONLY = (ModerationAct, ConductAct, IncidentAct)


def written() -> Iterator[tuple[str, str]]:
    """All that stands in the people fields of all models, with the name of the field."""
    for model in apps.get_models():
        for field in people_fields(model):
            for text in model._base_manager.values_list(field.attname, flat=True):
                yield f"{model._meta.label}.{field.attname}", text


def rewrite_all() -> None:
    for name in (
        "games.migrations.0049_people_as_references",
        "leagues.migrations.0013_people_as_references",
    ):
        import_module(name).rewrite_words(apps, SimpleNamespace(connection=connection))


@pytest.fixture
def kim(monkeypatch: pytest.MonkeyPatch) -> Player:
    """Who was written about by a release that kept names."""
    with monkeypatch.context() as earlier:
        earlier.setattr("accounts.references.store", lambda text, about=None: text)
        return write_everywhere()[0]


def fields_with(text: str) -> set[str]:
    return {field for field, found in written() if text in found}


def test_every_people_field_is_rewritten(kim: Player) -> None:
    every = {
        f"{model._meta.label}.{field.attname}"
        for model in apps.get_models()
        for field in people_fields(model)
    }
    assert fields_with(NAME) == every
    rewrite_all()
    assert fields_with(NAME) == fields_with(ADDRESS) == NEWER
    assert fields_with(f"<@{kim.pk}>") == every - NEWER


def test_records_and_notices_say_the_same(kim: Player) -> None:
    rewrite_all()
    act = ModerationAct.objects.get()
    move = Move.objects.get(game=act.game, version=act.version)
    assert REFERENCE.search(act.reason) and move.action["reason"] == act.reason
    reasons = [notice.about["reason"] for notice in Notice.objects.filter(about__has_key="reason")]
    assert reasons and all(REFERENCE.search(reason) and NAME not in reason for reason in reasons)


def test_again_nothing_changes(kim: Player) -> None:
    rewrite_all()
    once = list(written())
    rewrite_all()
    assert list(written()) == once


def test_the_logs_are_append_only_as_before(kim: Player) -> None:
    rewrite_all()
    for model in APPEND_ONLY:
        everything: Any = models.QuerySet(model)
        with pytest.raises(DatabaseError, match=r"stand|never changed"), transaction.atomic():
            everything.update(at=everything.first().at)
