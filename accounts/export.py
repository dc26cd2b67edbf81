"""Export of everything that the site stores about a player, as one file.

``accounts`` knows nothing of games or leagues: other applications add their data through the hook
``OWN_DATA``. A request is a row; a task makes the file, a letter announces it, and it is deleted
after a week.
"""

import json
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.urls import reverse
from django.utils.crypto import get_random_string

from accounts import hooks, letters
from accounts.models import AccountAct, AddressChange, DataExport, FeedSecret, Player, Trace
from accounts.references import show_values
from accounts.security import log_security_event
from core import batches
from core.task_queue import queue_on_commit

KEPT = timedelta(days=7)
PAUSE = timedelta(days=1)
"""Minimum time between two files for one player."""

FOLDER = "exports"
SECRETS = ("password", "session_round")


def list_rows(rows: models.QuerySet[Any], *fields: str) -> list[dict[str, Any]]:
    """Return the *fields* of all rows in *rows* as dictionaries; without *fields*, all columns."""
    return list(rows.values(*fields))


@transaction.atomic
def ask(*, player: Player, now: datetime) -> DataExport | None:
    """Request a new export for *player* in place of an earlier one; ``None`` if that isn't a day old."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    last = DataExport.objects.filter(player=player).first()
    if last is not None and last.asked > now - PAUSE:
        return None
    forget(player)
    asked = DataExport.objects.create(player=player, asked=now)
    log_security_event("export-asked", player=player)
    queue_on_commit("accounts.tasks.make_export", asked.pk)
    return asked


def make(*, pk: int, now: datetime) -> None:
    """Make the file of a request, unless there is one, and owe the player a letter about it."""
    export = DataExport.objects.select_related("player").filter(pk=pk, ready=None).first()
    if export is None:
        return
    with tempfile.TemporaryFile() as written:
        with ZipFile(written, "w", ZIP_DEFLATED) as archive:
            for name, content in contents(export.player):
                archive.writestr(
                    name, json.dumps(content, cls=DjangoJSONEncoder, indent=1, ensure_ascii=False)
                )
        written.seek(0)
        export.file.save(f"{get_random_string(32)}.zip", File(written), save=False)
    with transaction.atomic():
        mine = DataExport.objects.filter(pk=pk, ready=None).update(file=export.file.name, ready=now)
        if mine:
            link = settings.SITE_URL + reverse("accounts:export")
            letters.owe(export.player, "export_ready", now=now, url=link)
    if not mine:  # another worker was quicker, or the account was closed
        export.file.delete(save=False)


def contents(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield name and content of each file in *player*'s archive."""
    (profile,) = Player.objects.filter(pk=player.pk).values()
    yield (
        "account.json",
        {
            "profile": {name: value for name, value in profile.items() if name not in SECRETS},
            "addresses": list_rows(EmailAddress.objects.filter(user=player), "email", "verified", "primary"),
            "changes_of_address": list_rows(AddressChange.objects.filter(player=player), "old", "new", "at"),
            "signed_in": list_rows(
                UserSession.objects.filter(user=player), "ip", "user_agent", "created_at", "last_seen_at"
            ),
            "private_feeds": list_rows(FeedSecret.objects.filter(player=player), "made"),
            "second_factors": list_rows(
                Authenticator.objects.filter(user=player), "type", "created_at", "last_used_at"
            ),
            "traces": list_rows(Trace.objects.filter(player=player).order_by("pk"), "kind", "first", "last"),
            "acts_of_the_staff": show_values(
                list_rows(AccountAct.objects.filter(player=player), "at", "act", "why", "before", "after"),
                "why",
            ),
        },
    )
    for source in hooks.OWN_DATA:
        yield from source(player)


def list_unmade() -> list[int]:
    """Primary keys of the requests without a file, whose task may have been lost."""
    return list(DataExport.objects.filter(ready=None).values_list("pk", flat=True))


def expire(*, now: datetime) -> None:
    """Delete files older than a week, and files without a row that a stopped task has left."""
    for export in DataExport.objects.filter(ready__lt=now - KEPT):
        batches.run_row(f"export {export.pk}", partial(_remove, export))
    if not default_storage.exists(FOLDER):
        return
    for file in default_storage.listdir(FOLDER)[1]:
        batches.run_row(f"file {file}", partial(_sweep_file, f"{FOLDER}/{file}", now))


def _sweep_file(name: str, now: datetime) -> None:
    young = default_storage.get_modified_time(name) > now - PAUSE
    if not young and not DataExport.objects.filter(file=name).exists():
        default_storage.delete(name)


def forget(player: Player) -> None:
    """Delete the exports of *player*."""
    for export in DataExport.objects.filter(player=player):
        _remove(export)


def _remove(export: DataExport) -> None:
    """Delete the row first: a row without its file would be an error, a file without a row is swept later."""
    file = export.file
    export.delete()
    if file:
        transaction.on_commit(lambda: file.delete(save=False))
