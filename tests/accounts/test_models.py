"""Tests of the model of players."""

import re
import unicodedata

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError

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
