"""Tests of permissions in the admin: every page of every model, and every action on its rows.

``admin_actions.csv`` is the table, made and read like that of all other URLs (``test_permissions.py``). A
form is sent as its page shows it, with a reason; an action is confirmed if it asks for that. So an allowed
request has its effect, and a "+" in the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts import acts
from accounts.address_hashes import hash_address
from accounts.models import Player
from accounts.roles import ADMINISTRATOR
from core import failures
from games import play
from games.models import SilentAddress
from games.play import moderation
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_player
from tests.games.play.moderating import asked as wish
from tests.html import Page
from tests.permissions.table import asked, in_short, must_be_as_written
from tests.permissions.world import ROLES, World, client_of, make_world, walk

pytestmark = pytest.mark.slow
TABLE = Path(__file__).with_name("admin_actions.csv")
STAFF = {"staff without a role": None, "administrator by group": ADMINISTRATOR}
"""Two more roles that may enter the admin, and their group."""

ROLES_HERE = (*ROLES, *STAFF)
Step = tuple[str, str, str, dict[str, Any]]  # name, method, URL, data


@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES_HERE)
def test_everybody_may_do_in_the_admin_what_the_table_says_and_no_more(role: str) -> None:
    fill(make_world())
    signed_in = visitor(role)
    answered: dict[tuple[str, str], str] = {}
    for name, method, address, data in steps():
        client = Client()
        client.cookies.update(signed_in.cookies)
        with transaction.atomic():
            shown = client.get(address) if name.endswith(("_add", "_change")) else None
            sent = {**fields_of(shown), **data} if method == "POST" else {}
            response, wrote = asked(client, method, address, sent)
            answered[name, method] = in_short(response, wrote=wrote)
            transaction.set_rollback(True)
    must_be_as_written(TABLE, role, answered, ROLES_HERE)


def visitor(role: str) -> Client:
    if role not in STAFF:
        return client_of(role)
    player = make_player("Hugo", is_staff=True)
    player.groups.set(Group.objects.filter(name=STAFF[role]))
    return sign_in(Client(), player)


def fill(world: World) -> None:
    """Create a row of everything in the admin that *world* lacks."""
    now = timezone.now()
    helen, greta, felix, bruno = (
        Player.objects.get(username=name) for name in ("Helen", "Greta", "Felix", "Bruno")
    )
    acts.sign_out(actor=greta, player=felix, why="He asked for it.", now=now)
    moderation.extend(wish(world.public, helen, now), 1, None)
    play.begin_emergency(player=bruno, days=1, now=now)
    SilentAddress.objects.create(mark=hash_address("silent@example.org"), since=now)
    failures.record_failure("games.tasks.score", [1], RuntimeError(), now=now)


def steps() -> Iterator[Step]:
    """Yield every page of the admin, by GET and POST; then every action, on one row."""
    seen = dict.fromkeys(walk(get_resolver()))
    for name, wanted in seen:
        if not name.startswith("admin:"):
            continue
        address = (
            reverse(name, kwargs={part: value_of(part, name) for part in wanted}) if _named(name) else None
        )
        for method in ("GET", "POST"):
            yield name, method, address or "/admin/nothing/here/", {"why": "as agreed", "post": "yes"}
    for model, of_model in admin.site._registry.items():
        page = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        for action in actions(of_model):
            chosen = row(model)
            sent = {"action": action, "_selected_action": [chosen.pk], "why": "as agreed", "post": "yes"}
            if isinstance(chosen, Player):
                sent |= {"confirmed": "yes", f"version_{chosen.pk}": acts.load_version(chosen)}
            yield f"{page}: {action}", "POST", reverse(page), sent


def _named(name: str) -> bool:
    return name.removeprefix("admin:").isidentifier()


def value_of(part: str, name: str) -> object:
    """An existing value for *part* of the admin's URL *name*."""
    if part == "app_label":
        return "games"
    if part == "content_type_id":
        return ContentType.objects.get_for_model(Player).pk
    return row(model_of(name)).pk


def model_of(name: str) -> type[Model]:
    """The model of the admin page *name*; players if it has none."""
    for model in admin.site._registry:
        if name.startswith(f"admin:{model._meta.app_label}_{model._meta.model_name}_"):
            return model
    return Player


def row(model: type[Model]) -> Model:
    """A row of *model*: Anna of players, else the first."""
    if model is Player:
        return Player.objects.get(username="Anna")
    first = model._default_manager.order_by("pk").first()
    assert first is not None, f"The world has no {model._meta.verbose_name}: make one in fill()."
    return first


def actions(of_model: ModelAdmin[Any]) -> list[str]:
    """The names of all actions, regardless of permissions."""
    return sorted(name for _action, name, _description in of_model._get_base_actions())


def fields_of(shown: Any) -> dict[str, Any]:
    """The fields of a page's form, as a browser sends them back, with one word changed."""
    fields: dict[str, Any] = {}
    if shown is None or shown.status_code != 200:
        return fields
    for element in Page(shown).all("form [name]:not([type=submit])"):
        if element.name == "select":
            chosen = [str(option.get("value", "")) for option in element.select("option[selected]")]
            fields[str(element["name"])] = chosen
        elif element.get("type") == "checkbox":
            fields.update({str(element["name"]): "on"} if element.has_attr("checked") else {})
        else:
            text = element.get_text() if element.name == "textarea" else str(element.get("value", ""))
            fields[str(element["name"])] = text
    changed = {"language": "is"} if "language" in fields else {}
    named = {"name": "others"} if "name" in fields else {}
    return {**fields, **changed, **named}


@pytest.mark.django_db
def test_no_action_is_of_the_site_as_a_whole() -> None:
    """But Django's own, which nobody may use where nothing is deleted."""
    assert {name for name, _action in admin.site.actions} == {"delete_selected"}
