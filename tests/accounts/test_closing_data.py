"""Tests that a closed account leaves nothing that names its owner, but for what docs/privacy.md lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import export
from accounts.models import AddressChange, Player
from accounts.references import PeopleLine, PeopleText, list_people_fields
from accounts.services import close_account
from games import tables
from games.mail_in import answering, receiving
from games.models import Game, Note, Sanction
from games.notices.reply_address import ReplyToken, build_reply_address
from games.tables import notes
from leagues import seasons
from leagues.models import League, Team
from moderation.acts import evidence, messages
from moderation.models import Incident, Signal
from tests.accounts.signing_in import sign_in
from tests.accounts.words_of_staff import ADDRESS, NAME, WORDS, write_everywhere
from tests.games.factories import NOW, make_player, make_table
from tests.moderation.reporting import report, say

pytestmark = pytest.mark.django_db
DOCUMENT = Path(settings.BASE_DIR) / "docs" / "privacy.md"
EARLIER = "kim.before@example.org"


def listed(heading: str) -> set[str]:
    """The columns listed under *heading* of the document, as ``table.column``."""
    _before, _heading, rest = DOCUMENT.read_text().partition(f"## {heading}\n")
    assert rest, heading
    return set(re.findall(r"^\| `(\w+\.\w+)`", rest.partition("\n## ")[0], re.MULTILINE))


def columns_with(*names: str) -> set[str]:
    """All columns of the database that contain one of *names* in some row."""
    wanted = [name.lower() for name in names]
    hits = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            assert cursor.description is not None
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    if any(name in str(value).lower() for name in wanted):
                        hits.add(f"{table}.{column}")
    return hits


@pytest.fixture
def kim(client: Client, settings: Settings) -> Player:
    """A player who used every feature, and about whom everybody wrote."""
    settings.REPLY_DOMAIN = "reply.example.org"
    kim, game = write_everywhere()
    sign_in(client, kim)
    AddressChange.objects.create(player=kim, old=EARLIER, new=ADDRESS)
    boss, bruno = (Player.objects.get(username=name) for name in ("Boss", "Bruno"))
    about = ContentType.objects.get_for_model(Player)
    LogEntry.objects.create(
        user=boss, content_type=about, object_id=str(kim.pk), object_repr=NAME, action_flag=CHANGE
    )
    _own_words(kim, game)
    _words_of_others(kim, bruno, game)
    export.ask(player=kim, now=timezone.now())
    return Player.objects.get(pk=kim.pk)


def _own_words(kim: Player, game: Game) -> None:
    other = make_player("Clara")
    Sanction.objects.filter(player=kim).update(acknowledged=NOW)
    table = make_table(host=kim, seats=3)
    tables.invite(game_id=table.pk, inviter=kim, player=other, greeting=f"From {NAME}", now=NOW)
    notes.keep(game=game, player=kim, ply=None, text=f"{NAME}: hold on", revision=0, now=NOW)
    _mail_us(kim, game)
    gone = say(game, NAME, f"I am {NAME}", now=NOW)
    messages.delete_own(message_id=gone.pk, player=kim, now=NOW)


def _mail_us(kim: Player, game: Game) -> None:
    """Receive a mail to the address of a game, and one to an unknown address."""
    address = build_reply_address(ReplyToken(kim.pk, game.pk, game.version))
    for recipient in (address, "nobody@reply.example.org"):
        raw = f"From: {NAME} <{ADDRESS}>\nMessage-ID: <{recipient}>\n\nI am {NAME}\n".encode()
        mail = receiving.store_mail(raw, sender=ADDRESS, recipient=recipient or "", now=NOW)
        assert mail is not None
        answering.answer_mail(mail_id=mail.pk, now=NOW)


def _words_of_others(kim: Player, bruno: Player, game: Game) -> None:
    """Let others write about Kim; these texts stay."""
    Game.objects.filter(pk=game.pk).update(name=f"{NAME} and Bruno")
    said = say(game, "Bruno", f"Hello {NAME}", now=NOW)
    report(by=NAME, about="Bruno", game=game, message=said, words=f"I, {NAME}, mind", now=NOW)
    Note.objects.create(game=game, player=bruno, text=f"{NAME} likes cities", at=NOW)
    cup = League.objects.get()
    given = {"text": f"Ask {NAME}", "settings": cup.settings, "reason": "New", "now": NOW}
    seasons.edit(league=cup, name=f"Cup of {NAME}", who=cup.founder, **given)
    Team.objects.create(season=cup.seasons.get(), captain=bruno, name=f"Fans of {NAME}", registered=NOW)
    host = make_table(host=make_player("Dora"), seats=3)
    tables.invite(game_id=host.pk, inviter=host.host, address=ADDRESS, greeting=f"Dear {NAME}", now=NOW)


def test_before_closing_the_name_stands_in_many_places(kim: Player) -> None:
    hits = columns_with(NAME, ADDRESS, EARLIER)
    assert hits >= {
        "accounts_player.username", "accounts_player.email", "account_emailaddress.email",
        "accounts_addresschange.old", "games_note.text", "games_invitation.address",
        "moderation_evidence.found", "django_admin_log.object_repr", "games_inboundmail.raw",
        "games_inboundmail.sender", "games_inboundmail.said",
    }  # fmt: skip


def test_of_a_closed_account_nothing_is_left_but_what_the_document_lists(kim: Player) -> None:
    close_account(player=kim, now=NOW + timedelta(days=1))
    assert columns_with(NAME, ADDRESS, EARLIER) == listed("What is left of a closed account")


def test_and_less_when_evidence_has_ended(kim: Player) -> None:
    close_account(player=kim, now=NOW + timedelta(days=1))
    evidence.forget_old(now=NOW + evidence.LONGEST_KEPT + timedelta(days=1))
    left = listed("What is left of a closed account")
    assert columns_with(NAME, ADDRESS, EARLIER) == left - {"moderation_evidence.found"}


WITHOUT_PEOPLE = {
    "games_notice.key",  # numbers and codes
    "games_notice.provider_id",
    "moderation_warningtemplate.text",  # about nobody
    "core_taskattempt.task",
    "core_taskattempt.arguments",  # numbers alone
    "core_taskattempt.message",
    "games_notice.last_error",  # addresses are taken out
    "games_webhook.encrypted_url",
    "games_pushsubscription.endpoint",  # goes with the session, and the account
    "games_pushsubscription.p256dh",
    "core_failedtask.task",
    "core_failedtask.arguments",  # numbers alone
    "core_failedtask.error",  # as above
    "accounts_player.password",
    "accounts_player.about",  # about the player alone, and emptied
}
"""Long text columns that hold no text of people."""


def text_fields() -> Iterator[tuple[str, models.Field[Any, Any]]]:
    """Yield all text fields of the project's models that can hold sentences."""
    for model in apps.get_models():
        if model._meta.app_label in ("core", "accounts", "ratings", "games", "moderation", "leagues"):
            for field in model._meta.concrete_fields:
                long = (field.max_length or 0) >= 100 and type(field) in (models.CharField, PeopleLine)
                if isinstance(field, models.TextField) or long:
                    yield f"{model._meta.db_table}.{field.column}", field


def test_every_text_is_a_field_of_references_or_listed() -> None:
    """Each text field stores names as references, or is listed in the document."""
    fields = dict(text_fields())
    named = {column for column, field in fields.items() if isinstance(field, PeopleText | PeopleLine)}
    assert named == listed("Where people stand as references")
    cleared = {"games_invitation.greeting", "games_silentaddress.address"}
    cleared |= {f"games_inboundmail.{name}" for name in ("sender", "recipient", "said")}
    left = listed("What is left of a closed account")
    assert set(fields) - named - left == WITHOUT_PEOPLE | cleared


def test_pages_show_names_and_then_a_former_player(kim: Player, client: Client) -> None:
    game = Game.objects.get(name=f"{NAME} and Bruno")
    page = reverse("moderation:moderation", args=[game.code])
    client.logout()
    assert WORDS.split("@")[0].strip() and f"{NAME} wrote from" in client.get(page).content.decode()
    close_account(player=kim, now=NOW + timedelta(days=1))
    after = client.get(page).content.decode()
    assert "a former player wrote from a former player" in after and "&lt;@" not in after


def pages(game: Game, kim: Player) -> dict[str, list[str]]:
    """The pages on which each person reads what staff wrote about somebody."""
    code, cup = game.code, League.objects.get()
    incidents = Incident.objects.values_list("pk", flat=True)
    desk = ["/desk/", f"/desk/g/{code}/", f"/desk/p/{NAME}/"]
    desk += [f"/desk/i/{pk}/" for pk in incidents]
    desk += [reverse("moderation:desk_sanction", args=[sanction.pk]) for sanction in Sanction.objects.all()]
    desk += [reverse("moderation:signal", args=[signal.pk]) for signal in Signal.objects.all()]
    lists = []
    for model in admin.site._registry:
        if list_people_fields(model):
            of = f"{model._meta.app_label}_{model._meta.model_name}"
            lists += [reverse(f"admin:{of}_changelist")]
            lists += [reverse(f"admin:{of}_change", args=[row.pk]) for row in model._base_manager.all()]
    league = [f"/leagues/{cup.slug}/{part}" for part in ("", "log/", "announcements/", "feed/")]
    return {
        NAME: ["/conduct/", "/games/", f"/g/{code}/", f"/g/{code}/moderation/", f"/g/{code}/text/"],
        "Helen": desk,
        "Boss": [*desk, *lists],
        "Founder": [*league, reverse("league:desk", args=[cup.slug])],
    }


def test_no_page_shows_a_reference(kim: Player) -> None:
    """Wherever such words are shown, they are shown with names."""
    game = Game.objects.get(name=f"{NAME} and Bruno")
    shown = set()
    for name, addresses in pages(game, kim).items():
        client = sign_in(Client(), Player.objects.get(username=name))
        for address in addresses:
            answer = client.get(address)
            assert answer.status_code == 200, (name, address)
            text = answer.content.decode()
            assert "<@" not in text and "&lt;@" not in text, (name, address)
            if f"{NAME} wrote from {NAME}" in text:
                shown.add(address)
    assert len(shown) > 20
