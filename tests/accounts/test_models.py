"""Players as rows."""

import doctest
import re
import unicodedata
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection

from accounts import names, texts
from accounts.models import Player

pytestmark = pytest.mark.django_db


def test_name_is_unique_in_any_case() -> None:
    Player.objects.create_user("Anna", "anna@example.org")
    with pytest.raises(IntegrityError):
        Player.objects.create_user("anna", "other@example.org")


@pytest.mark.parametrize(("name", "other"), [("Łukasz", "łUKASZ"), ("ÞÓRA", "Þóra"), ("Ёлка", "ёЛКА")])
def test_name_is_unique_in_any_case_of_any_alphabet(name: str, other: str) -> None:
    Player.objects.create_user(name)
    with pytest.raises(IntegrityError):
        Player.objects.create_user(other)


def test_name_is_written_in_one_way_however_it_was_typed() -> None:
    typed = unicodedata.normalize("NFD", "Ľubomír")
    player = Player.objects.create_user(typed)
    assert player.username == "Ľubomír" != typed
    assert Player.objects.get_by_natural_key(typed.upper()) == player


@pytest.mark.parametrize(
    ("there", "name"),
    [
        *[("Poca", "Роса"), ("paul", "PauI"), ("Bob", "B0b"), ("3oo", "Зоо"), ("anna", "Anna")],
        *[("a.b", "a-b"), ("Anna K", "anna_k"), ("O'Brien", "Obrien"), ("J. R.", "JR")],
        *[("Amold", "Arnold"), ("ΝΕΟ", "NEO"), ("vvilki", "wilki")],
    ],
)
def test_name_that_looks_like_another_is_refused(there: str, name: str) -> None:
    for one, other in ((there, name), (name, there)):
        Player.objects.all().delete()
        Player.objects.create_user(one)
        with pytest.raises(ValidationError, match="looks like one that is"):
            Player(username=other, email="a@example.org", password="!").full_clean()


@pytest.mark.parametrize(
    ("there", "name"), [("Lan", "Ian"), ("Анна", "Anna"), ("Zofia", "Żofia"), ("Anna K", "Anna R")]
)
def test_names_that_only_resemble_each_other_are_taken(there: str, name: str) -> None:
    Player.objects.create_user(there)
    Player(username=name, email="a@example.org", password="!").full_clean()


def test_a_player_may_keep_the_name() -> None:
    anna = Player.objects.create_user("Anna", "anna@example.org", "a secret of Anna's")
    anna.full_clean()


def test_names_of_before_get_what_follows_from_them() -> None:
    """Migration 0007, on rows as they were."""
    player = Player.objects.create_user("Paul.X")
    Player.objects.update(name_key="?", name_looks="?")
    import_module("accounts.migrations.0007_names").fill(apps, connection.schema_editor())
    player.refresh_from_db()
    assert (player.name_key, player.name_looks) == (names.key("Paul.X"), names.looks("Paul.X")) != ("?", "?")


def test_those_alike_of_before_keep_their_names_and_nobody_gets_another_like_them() -> None:
    """Migration 0018: the older account has the form, and the others have their number behind it."""
    first, second = Player.objects.create_user("Anna K"), Player.objects.create_user("else")
    Player.objects.filter(pk=second.pk).update(username="Anna-K", name_key="anna-k", name_looks="?")
    import_module("accounts.migrations.0020_names_alike").fill(apps, connection.schema_editor())
    first.refresh_from_db()
    second.refresh_from_db()
    alike = names.looks("Anna K")
    assert (first.name_looks, second.name_looks) == (alike, f"{alike} {second.pk}")
    second.full_clean(exclude=["password"])
    second.save()  # of all columns
    second.refresh_from_db()
    assert (second.username, second.name_looks) == ("Anna-K", f"{alike} {second.pk}")
    with pytest.raises(IntegrityError):
        Player.objects.create_user("anna.k")


def test_two_who_look_alike_and_sign_up_at_once_do_not_both_get_in() -> None:
    Player.objects.create_user("Poca")
    with pytest.raises(IntegrityError):
        Player.objects.create_user("Роса")


def test_address_is_unique_in_any_case() -> None:
    Player.objects.create_user("Anna", "anna@example.org")
    with pytest.raises(IntegrityError):
        Player.objects.create(username="Bruno", email="ANNA@example.org")


def test_many_accounts_may_be_without_an_address() -> None:
    Player.objects.create_user("closed-1")
    Player.objects.create_user("closed-2")
    assert Player.objects.filter(email="").count() == 2


NAMES = ["Anna", "a.b", "Jean-Luc", "x_1", "42", "Łukasz", "Ľubomír", "Þórður", "Алёна", "Щукарь-7"]
NAMES += ["Zoë", "Anna Maria", "O'Brien", "J.R. Ewing", "Sammy Jr.", "St. Malo", "Νίκος", "Ґалина", "José"]


@pytest.mark.parametrize("name", NAMES)
def test_sane_names_are_taken(name: str) -> None:
    Player(username=name, email="a@example.org", password="!").full_clean()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *[("", "blank"), ("x" * 31, "30"), ("-x", "Start and end"), ("x-", "Start and end")],
        *[
            ("'x", "Start and end"),
            (" x", "Start and end"),
            ("a\n", "U+000A"),
            ("a\u200bb", "zero width space"),
        ],
        *[("a@b", "“@” (commercial at)"), ("<b>", "less-than"), ("山", "“山”"), ("a\u0335b", "overlay")],
        *[("Aнна", "“н” (cyrillic small letter en) is a Cyrillic letter, and others are Latin")],
        *[("Ａdmin", "fullwidth"), ("lorem.example", "link"), ("t.co", "link"), ("1.1.1.1", "link")],
    ],
)
def test_other_names_are_refused(name: str, told: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(told)):
        Player(username=name, email="a@example.org", password="!").full_clean()


def test_unknown_time_zone_is_refused() -> None:
    with pytest.raises(ValidationError):
        Player(username="anna", password="!", time_zone="Mars/Olympus").full_clean()


def test_who_wanted_no_mail_about_a_turn_gets_none_about_a_beginning() -> None:
    """Migration 0004: both had one switch before."""
    Player.objects.create_user("Anna", "anna@example.org", mails_your_turn=True)
    Player.objects.create_user("Bruno", "bruno@example.org", mails_your_turn=False)
    import_module("accounts.migrations.0004_mails_started").as_for_turns(apps, connection.schema_editor())
    wanted = Player.objects.filter(is_bot=False).values_list("username", "mails_started")
    assert dict(wanted) == {"Anna": True, "Bruno": False}


def test_what_the_remarks_on_names_say_is_so() -> None:
    assert doctest.testmod(names) == (0, 10)
    assert doctest.testmod(texts) == (0, 3)
