"""Tests that every field for texts is bound to a kind of ``accounts.texts``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from allauth.account.forms import PasswordField
from django import forms
from django.contrib import admin
from django.core.validators import MaxLengthValidator
from django.db import models
from django.test import RequestFactory

from accounts.forms import SignupForm
from accounts.models import Player
from accounts.texts import KINDS, TextField
from games.models import Game, Invitation, Message, Note, Sanction
from leagues.models import Announcement, League, LogEntry, PrivateReason, Team
from moderation.models import Report
from tests.form_helpers import list_project_forms
from tests.source_files import PACKAGES

ROOT = Path(__file__).parents[1]

OF_ALLAUTH = {
    # Compared with what was mailed, or what a device shows; kept nowhere.
    ("ConfirmLoginCodeForm", "code"),
    ("ConfirmAddressForm", "code"),
    ("ConfirmResetForm", "code"),
    ("ReauthenticationCodeForm", "code"),
    ("AuthenticateForm", "code"),
    ("ReauthenticateByFactorForm", "code"),
    ("ActivateForm", "code"),
}
"""Fields for codes of allauth, whose fields for addresses and passwords have classes of their own."""

BY_THEMSELVES = {
    ("PlayerForm", "username"),  # the same gate, but administrators may give names of the staff
    ("PlayerForm", "time_zone"),  # one of those there are
    ("SignupForm", "username"),  # replaced when the form is made
    ("TemplateForm", "name"),  # letters, digits and hyphens of ASCII
    ("GroupForm", "name"),  # Django's, for what administrators call a group of the staff
}
"""Fields that clean their text themselves."""

READ_BY_HAND = {
    # texts, which go through the gate in the service or the view that takes them
    "name": "table, team or player",
    "text": "note, shown again as it was sent; kept by its form",
    "why": "reason",
    "line": "turn",
    "say": "turn",
    "q": "search",
    "invite": "search",
    # of a password that is being chosen: worked out how good it is, and kept nowhere
    "password1": "password",
    "username": "player",
    "email": "address",
    # a choice among few, a number, a token or a place in a list: compared or parsed, never kept
    **dict.fromkeys(
        [
            *[
                "in",
                "stop",
                "after",
                "answer",
                "as",
                "available",
                "before",
                "block",
                "confirmed",
                "change",
                "drop",
                "entry",
                "preview",
                "follow",
            ],
            *["keys", "kind", "language", "match", "message", "next", "page", "player", "ply", "pool"],
            *["preset"],
            *["resume", "round", "scope", "select_across", "send", "session", "show", "since", "stays"],
            *["timestamp"],
            *["in", "stop", "theme", "v", "version", "waiting", "with"],
        ],
        "",
    ),
}
"""Parameters of requests that views read without a form, by name."""


def takes_text(field: forms.Field) -> bool:
    """Return whether *field* accepts free text; addresses and passwords are validated elsewhere."""
    apart = (forms.EmailField, forms.JSONField, forms.UUIDField, forms.RegexField, PasswordField)
    return isinstance(field, forms.CharField) and not isinstance(field, apart)


def unbound(named: str, fields: dict[str, forms.Field]) -> list[tuple[str, str]]:
    loose = [name for name, one in fields.items() if takes_text(one) and not isinstance(one, TextField)]
    return [(named, name) for name in loose if (named, name) not in OF_ALLAUTH | BY_THEMSELVES]


def test_every_field_of_a_form_is_bound_to_a_kind() -> None:
    forms = list(list_project_forms())
    assert len(forms) > 60
    assert [one for form in forms for one in unbound(form.__name__, form.base_fields)] == []  # type: ignore[attr-defined]
    assert isinstance(SignupForm().fields["username"], TextField)


def test_a_field_without_a_kind_is_found() -> None:
    class Loose(forms.Form):
        motto = forms.CharField()
        bound = TextField("talk")

    assert unbound("Loose", Loose.base_fields) == [("Loose", "motto")]


def test_fields_that_are_made_later_are_bound_too() -> None:
    """No source of ours makes any other field for a text, at whatever time."""
    loose = []
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("forms.CharField", "CharField"):
                loose.append(f"{path}:{node.lineno}")
    assert loose == []


@pytest.mark.django_db
def test_forms_of_the_admin_are_bound_too() -> None:
    request = RequestFactory().get("/admin/")
    request.user = Player.objects.create_superuser("Greta")
    loose = []
    for model, page in admin.site._registry.items():
        if page.has_change_permission(request) or page.has_add_permission(request):
            form = page.get_form(request, change=True)
            loose += unbound(f"{model.__name__}Form", form.base_fields)
        if page.actions and page.action_form:
            loose += unbound(page.action_form.__name__, page.action_form.base_fields)
    assert loose == []


def test_what_views_read_without_a_form_is_listed() -> None:
    read = {name for _, tree in sources() for name in read_by_hand(tree)}
    assert read == set(READ_BY_HAND)


def test_no_view_reads_a_body_by_itself() -> None:
    """JSON that allauth's keys send is read by its field; of mails by webhook, boundaries are counted."""
    assert [
        str(path)
        for path, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "request.body"
    ] == ["games/mail_in/webhook_views.py"]


def test_a_column_holds_what_its_kind_lets_pass() -> None:
    columns: dict[tuple[type[models.Model], str], str] = {
        (Player, "username"): "player",
        (Game, "name"): "table",
        (Team, "name"): "team",
        (League, "name"): "league",
        (League, "text"): "description",
        (Announcement, "text"): "announcement",
        (LogEntry, "reason"): "reason",
        (PrivateReason, "text"): "reason",
        (Invitation, "greeting"): "greeting",
        (Message, "text"): "talk",
        (Note, "text"): "note",
        (Report, "words"): "words",
        (Sanction, "reason"): "reason",
        (Sanction, "words"): "words",
        (Sanction, "about"): "subject",
    }
    for (model, name), kind in columns.items():
        assert model._meta.get_field(name).max_length == KINDS[kind].most, (model, name)  # type: ignore[union-attr]


def test_no_field_takes_more_than_its_kind() -> None:
    for form in list_project_forms():
        for name, field in form.base_fields.items():  # type: ignore[attr-defined]
            if isinstance(field, TextField) and field.kind not in ("talk", "note", "turn"):
                most = [
                    validator.limit_value
                    for validator in field.validators
                    if isinstance(validator, MaxLengthValidator)
                ]
                assert most and max(most) <= KINDS[field.kind].most, (form, name)


def test_the_page_shows_the_table_as_it_is() -> None:
    page = (ROOT / "docs" / "texts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d+) \| (\w+) \| (\w+) \| (\w+) \|$", page, re.MULTILINE)
    assert {row[0]: row[1:] for row in rows} == {
        name: (
            str(kind.most),
            "several" if kind.lines else "one",
            "yes" if kind.links else "no",
            "yes" if kind.name else "no",
        )
        for name, kind in KINDS.items()
    }
    assert len(rows) == len(KINDS)


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def read_by_hand(tree: ast.Module) -> Iterator[str]:
    """Yield the names that are read from ``request.GET`` and ``request.POST``."""
    for node in ast.walk(tree):
        name: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            if node.func.attr in ("get", "getlist") and of_request(node.func.value):
                name = node.args[0]
        elif isinstance(node, ast.Subscript) and of_request(node.value):
            name = node.slice
        elif isinstance(node, ast.Compare) and any(map(of_request, node.comparators)):
            name = node.left
        if isinstance(name, ast.Constant):
            yield str(name.value)


def of_request(node: ast.expr) -> bool:
    return ast.unparse(node) in ("request.GET", "request.POST")
